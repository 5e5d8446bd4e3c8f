"""Refuse rows of depth results whose numbers cannot be: a mean over them would mean nothing."""

from collections.abc import Sequence
from pathlib import Path

from assay.data.jsonl import Block
from assay.errors import DatasetError
from assay.jobs.depth.map.row import DepthRow

_UNSCORED = ("skipped", "answered")


def refuse_impossible(path: Path, block: Block, rows: Sequence[DepthRow]) -> None:
    """Raise ``DatasetError`` with the line of the first row of a block that cannot be.

    ``rows`` are those of the lines of the block that are not blank, in order.
    """
    for index, row in enumerate(rows):
        problem = _problem(row)
        if problem:
            lines = enumerate(block.data.split(b"\n"), block.lines_before + 1)
            number = [number for number, line in lines if line.strip()][index]
            raise DatasetError(f"{path}:{number}: {problem}")


def _problem(row: DepthRow) -> str:
    """What cannot be; empty if all can. The score of a row without an answer means nothing.

    >>> _problem(DepthRow(score=7.0)), _problem(DepthRow(score=-1, parsing_status="timeout"))
    ('the score is 7; a score is from 0 to 1', '')
    """
    is_answer = not row.failed and row.status not in _UNSCORED
    if is_answer and row.score is not None and not 0 <= row.score <= 1:
        return f"the score is {row.score:g}; a score is from 0 to 1"
    for name in ("test_context_length", "context_length"):
        length = getattr(row, name)
        if length is not None and length < 0:
            return f"`{name}` is {length}; a length is a number of tokens, not below 0"
    return ""
