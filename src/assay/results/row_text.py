"""Single rows and their texts, read from the blocks of a journal that hold them."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from assay.data.jsonl import UNREADABLE
from assay.errors import JournalError
from assay.results.read import Results
from assay.results.row import item_name

Case = tuple[int, int]
"""The item and the variant of a case, by number."""


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


def case_lines(results: Results, cases: Collection[Case]) -> dict[Case, bytes]:
    """The lines of the last rows of these cases; each block that holds one is read once."""
    scores = results.scores
    wanted = {(scores.variants[each], scores.items[item]): (item, each) for item, each in cases}
    blocks = {int(results.block_of[each, item]) for item, each in cases} - {-1}
    found: dict[Case, bytes] = {}
    if not blocks:
        return found
    with results.path.open("rb") as file:
        for number in sorted(blocks):
            place = results.blocks[number]
            file.seek(place.start)
            for line in file.read(place.stop - place.start).split(b"\n"):
                case = wanted.get(_identity(results.path, line, results.label))
                if case is not None:
                    found[case] = line  # a later row replaces an earlier one
    return found


class _Identity(Struct, frozen=True, gc=False):
    key: str = ""
    question_id: str = ""
    config: str = ""


def _identity(path: Path, line: bytes, label: str) -> tuple[str, str]:
    if not line.strip():
        return "", ""
    try:
        row = msgspec.json.decode(line, type=_Identity)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise JournalError(f"{path}: has changed while it was read; try again") from None
    name, _ = item_name(row.key, row.question_id, row.config, label)
    return row.config, name
