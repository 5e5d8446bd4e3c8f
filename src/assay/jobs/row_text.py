"""The question and the answer of single rows, read from the blocks of a journal that hold them."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from assay.data.jsonl import UNREADABLE
from assay.errors import JournalError


class RowText(Struct, frozen=True):
    """The texts of a row and what identifies it."""

    key: str = ""
    question_id: str = ""
    config: str = ""
    question: str | None = None
    answer: str | None = None


def read_row_texts(path: Path, places: Iterable[slice]) -> Iterator[RowText]:
    """Yield the rows in these byte ranges of a journal, in the order of the file.

    The ranges are those of blocks that were read before; the rest of the file is not read.
    Raises ``JournalError`` if the file was replaced in the meantime.
    """
    decoder = msgspec.json.Decoder(RowText)
    with path.open("rb") as file:
        for start, stop in sorted({(place.start, place.stop) for place in places}):
            file.seek(start)
            try:
                rows = decoder.decode_lines(file.read(stop - start))
            except UNREADABLE:
                raise JournalError(f"{path}: has changed while it was read; try again") from None
            yield from (row for row in rows if row.key)
