"""What a user must know about questions that are in a file several times."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from assay.data.question import CorpusQuestion
from assay.text import Count


def repeated_row_note(path: Path, repeated: Sequence[tuple[int, int]]) -> Iterator[str]:
    """One line about rows that repeat another; each is given with the line of that one."""
    if not repeated:
        return
    count = Count(len(repeated))
    line, first = repeated[0]
    yield (
        f"{path}: {count} {count:row repeats|rows repeat} an earlier one and {count:was|were} left "
        f"out: each question is asked once (line {line} repeats line {first})"
    )


def same_question_note(path: Path, questions: Iterable[CorpusQuestion]) -> Iterator[str]:
    """One line about questions with other ids or further fields that ask and expect the same."""
    first_of: dict[bytes, str] = {}
    same: list[tuple[str, str]] = []
    for question in questions:
        content = msgspec.structs.asdict(question)
        content |= {"id": "", "text": " ".join(question.text.split())}
        first = first_of.setdefault(msgspec.json.encode(content), question.id)
        if first != question.id:
            same.append((question.id, first))
    if same:
        count = Count(len(same))
        second, first = same[0]
        yield (
            f"{path}: {count} {count:question asks and expects|questions ask and expect} the same as "
            f"another one, and each counts ({second!r} is {first!r} again); assay questions check "
            "lists them"
        )
