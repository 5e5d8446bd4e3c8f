"""Results of a depth test, read from the published format and from our own journals.

A published file has neither ``key`` nor ``status``: every row is an answer. In a journal the
last row of a key wins, and what failed or was skipped is counted apart, never as a zero.
Both may hold a case twice; the last row wins and ``replaced`` counts the others.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.data.jsonl import BadLine, read_blocks
from assay.errors import DatasetError, UseError
from assay.jobs.depth.map.metadata import (
    data_set_name,
    model_name,
    only_length,
    planned_lengths,
)
from assay.jobs.depth.map.row import MOST_QUESTION, DepthRow, answer_text, as_list, cut

BINS: Final = ("0%", "25%", "50%", "75%", "100%")
Place: TypeAlias = tuple[int, str]
"""A cell's context length and depth."""

_TAIL_BYTES: Final = 1 << 20
_PERCENT: Final = re.compile(r"\s*(\d+(?:\.\d+)?)\s*%?\s*")


class AskedQuestion(Struct, frozen=True, kw_only=True):
    """A question of a file. ``content`` tells it from others where the file gives no ids."""

    id: str | None
    text: str
    choices: tuple[tuple[str, str], ...] = ()
    correct: str = ""
    position: tuple[int, int] | None = None

    @property
    def content(self) -> tuple[Any, ...]:
        """What makes two questions of different files one and the same."""
        return (self.text, self.choices, self.position)


class Reply(Struct, frozen=True, kw_only=True, gc=False):
    """One answer with its score; ``question`` is a place in ``ModelResults.questions``."""

    question: int
    length: int
    depth_bin: str
    depth: float | None
    score: float
    parsed: bool
    answer: str


class ModelResults(Struct, frozen=True, kw_only=True):
    """What one model answered in one file.

    ``failed`` and ``skipped`` count cases by cell, under ``None`` those that never had one.
    ``unplaced`` rows have no context length or depth (closed-book answers among them),
    ``unscored`` ones no score; neither is shown.
    ``known`` are the questions the model answers without the novel, ``None`` where the file does
    not say. ``excluded`` counts the answers to them that were left out, ``None`` where all stay.
    """

    path: Path
    model: str
    data_set: str
    metadata: Mapping[str, Any]
    lengths: tuple[int, ...]
    depth_bins: tuple[str, ...]
    questions: Sequence[AskedQuestion]
    replies: Sequence[Reply]
    failed: Mapping[Place | None, int]
    skipped: Mapping[Place | None, int]
    replaced: int = 0
    unplaced: int = 0
    unscored: int = 0
    known: frozenset[int] | None = None
    excluded: int | None = None

    @property
    def unparsed(self) -> int:
        """Answers that could not be read."""
        return sum(not reply.parsed for reply in self.replies)

    def without_known(self) -> "ModelResults":
        """The same without the questions that the model knows by heart."""
        known = self.known or frozenset()
        kept = [reply for reply in self.replies if reply.question not in known]
        return replace(self, replies=kept, excluded=len(self.replies) - len(kept))


def read_cells(paths: Iterable[Path]) -> list[ModelResults]:
    """The results of each file, and of each configuration in it, in the order given.

    Models of the same name are told apart by their files.
    """
    found = [results for path in paths for results in _read_file(path)]
    names = Counter(results.model for results in found)
    told = [
        replace(results, model=f"{results.model} ({results.path.stem})")
        if names[results.model] > 1
        else results
        for results in found
    ]
    seen: Counter[str] = Counter()
    for place, results in enumerate(told):
        seen[results.model] += 1
        if seen[results.model] > 1:
            told[place] = replace(results, model=f"{results.model} #{seen[results.model]}")
    return told


def depth_order(depth_bin: str) -> tuple[float, str]:
    """Depths in the order of their numbers; a label without one comes last.

    >>> sorted(["100%", "25%", "0%", "7.5%"], key=depth_order)
    ['0%', '7.5%', '25%', '100%']
    """
    number = _PERCENT.fullmatch(depth_bin)
    return (float(number[1]) if number else float("inf"), depth_bin)


def nearest_bin(depth: float, bins: Sequence[str] = BINS) -> str:
    """The label of the depth that lies nearest, of two the shallower.

    >>> nearest_bin(0.4), nearest_bin(0.875)
    ('50%', '75%')
    """
    return min(
        bins, key=lambda label: (abs(depth_order(label)[0] - 100 * depth), depth_order(label))
    )


def _read_file(path: Path) -> list[ModelResults]:
    metadata: Mapping[str, Any] = {}
    readings: dict[str, _Reading] = {}
    is_first = True
    for rows in _blocks(path):
        for row in rows:
            if row.metadata is not None and row.question is None and row.key is None:
                if not is_first:
                    raise DatasetError(
                        f"{path}: metadata below its first line; keep one file a run"
                    )
                metadata = row.metadata
            else:
                name = row.config or ""
                reading = readings.get(name)
                if reading is None:
                    reading = readings[name] = _Reading(path, metadata)
                reading.add(row)
            is_first = False
    if not readings:
        raise DatasetError(f"{path}: there are no results in it")
    several = len(readings) > 1
    return [reading.results(name if several else "") for name, reading in readings.items()]


def _blocks(path: Path) -> Iterable[list[DepthRow]]:
    """Rows in blocks. A last line that is cut off, as a run in progress leaves, is not one."""
    if not path.is_file():
        raise UseError(f"{path}: no such file of results")
    try:
        yield from read_blocks(path, DepthRow, torn_end=_is_torn(path))
    except BadLine as bad:
        raise DatasetError(
            f"{path}:{bad.line}: not a row of depth results ({bad.reason})"
        ) from None


def _is_torn(path: Path) -> bool:
    """Whether the last line is only the beginning of one."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
        last = file.read().rpartition(b"\n")[2]
    if not last.strip():
        return False
    try:
        msgspec.json.decode(last)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return True
    return False


class _Reading:
    """Gathers the rows of one model."""

    def __init__(self, path: Path, metadata: Mapping[str, Any]) -> None:
        self._path = path
        self._metadata = metadata
        self._places: dict[Any, int] = {}
        self._questions: list[AskedQuestion] = []
        self._cases: dict[Any, Reply | tuple[str, Place | None]] = {}
        self._known: dict[int, bool] = {}
        self._rows = self._replaced = self._unplaced = self._unscored = 0
        self._bins = tuple(str(label) for label in metadata.get("depth_bins") or ()) or BINS
        self._length = only_length(metadata)

    def add(self, row: DepthRow) -> None:
        """Take the next row of the file."""
        if row.question is None and not row.status:
            raise DatasetError(
                f"{self._path}: a row without its question: not results of a depth test"
            )
        question = self._question(row)
        if row.closed_book_correct is not None:
            self._known[question] = row.closed_book_correct
        place = self._place(row)
        case = row.key if row.key is not None else (question, place)
        ended = "failed" if row.failed else "skipped" if row.status == "skipped" else ""
        if row.closed_book or (place is None and not ended):
            self._unplaced += 1
            return
        self._replaced += case in self._cases
        if ended or place is None:
            self._cases[case] = (ended, place)
        elif row.score is None and row.parsed:
            self._unscored += 1
            self._cases.pop(case, None)
        else:
            self._cases[case] = Reply(
                question=question,
                length=place[0],
                depth_bin=place[1],
                depth=row.depth,
                score=row.score or 0.0,  # what cannot be read found nothing
                parsed=row.parsed,
                answer=answer_text(row),
            )

    def results(self, config: str) -> ModelResults:
        """What was read."""
        replies, counts = [], {end: Counter[Place | None]() for end in ("failed", "skipped")}
        for case in self._cases.values():
            if isinstance(case, Reply):
                replies.append(case)
            else:
                counts[case[0]][case[1]] += 1
        places = [(reply.length, reply.depth_bin) for reply in replies]
        places += [place for counter in counts.values() for place in counter if place is not None]
        lengths = {length for length, _ in places} | planned_lengths(self._metadata)
        if not lengths:
            raise DatasetError(
                f"{self._path}: no row has a context length and a depth: not results of a depth test"
            )
        model = model_name(self._metadata) or self._path.stem
        return ModelResults(
            path=self._path,
            model=f"{model} · {config}" if config else model,
            data_set=data_set_name(self._metadata),
            metadata=self._metadata,
            lengths=tuple(sorted(lengths)),
            depth_bins=self._shown_bins({label for _, label in places}),
            questions=self._questions,
            replies=replies,
            failed=counts["failed"],
            skipped=counts["skipped"],
            replaced=self._replaced,
            unplaced=self._unplaced,
            unscored=self._unscored,
            known=self._heart(),
        )

    def _heart(self) -> frozenset[int] | None:
        if not self._known:
            return None
        return frozenset(question for question, right in self._known.items() if right)

    def _shown_bins(self, used: set[str]) -> tuple[str, ...]:
        planned = {str(label) for label in self._metadata.get("depth_bins") or ()}
        return tuple(sorted(used | planned, key=depth_order)) or BINS

    def _question(self, row: DepthRow) -> int:
        at = row.position
        position = None if at is None else (at.start_pos, at.end_pos)
        name = None if row.question_id is None else str(row.question_id)
        choices = row.choices()
        identity = name if name is not None else (row.question, choices, position)
        known = self._places.get(identity)
        if known is None:
            known = self._places[identity] = len(self._questions)
            asked = AskedQuestion(
                id=name,
                text=cut(row.question or name or "", MOST_QUESTION),
                choices=choices,
                correct=cut(as_list(row.correct_answer), MOST_QUESTION),
                position=position,
            )
            self._questions.append(asked)
        return known

    def _place(self, row: DepthRow) -> Place | None:
        """The row's cell; a row that gives its depth but no label goes to the nearest."""
        length = row.test_context_length or self._length
        label = row.depth_bin
        if label is None and row.depth is not None:
            label = nearest_bin(row.depth, self._bins)
        if not length or label is None:
            return None
        return length, label
