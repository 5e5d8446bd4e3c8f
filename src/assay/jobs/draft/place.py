"""Where the text of a chunk lies in its document."""

from typing import Final

from assay.data.corpus import SEPARATOR, Chunk

_LONGEST_SIGN: Final = 8


def text_start(chunk: Chunk) -> int | None:
    r"""The offset in the document from which offsets in the chunk's text count; None if unknown.

    It is known if the document has the same characters there. A chunk that begins with a heading has
    lost the sign of this heading (``##``): then offsets are right after its first line.

    >>> chunk = Chunk(id="1", text="Sea\n\nIt is deep.", source="a.md", heading="Sea", start=0, end=18)
    >>> text_start(chunk)
    2
    """
    if chunk.start is None or chunk.end is None:
        return None
    missing = chunk.end - chunk.start - len(chunk.text)
    if missing == 0:
        return chunk.start
    title = (chunk.heading or "").rpartition(SEPARATOR)[2]
    begins_with_title = bool(title) and chunk.text.partition("\n")[0] == title
    is_sign = 0 < missing <= _LONGEST_SIGN and begins_with_title
    return chunk.end - len(chunk.text) if is_sign else None
