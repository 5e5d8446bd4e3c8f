"""Reading the results of a depth test from the published format and from assay's journals.

In a published file the rows have neither ``key`` nor ``status``, and every row is an answer, unless
its ``parsing_status`` says that there is none. An older form has no depths: its answers can only be
shown along the novel. Cases that failed, were skipped or are not judged yet are counted separately
and never score 0. Both kinds of file may have several rows for a case; the last row is used, and
``replaced`` counts the others.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from assay.data.foreign_value import without_secrets
from assay.data.jsonl import UNREADABLE, BadLine, LineBlock, decode_block, read_line_blocks
from assay.errors import DatasetError, JournalError, UseError
from assay.jobs.depth.map.row import (
    MOST_QUESTION,
    DepthRow,
    answer_text,
    as_list,
    cut,
    data_set_name,
    depth_labels,
    model_name,
    only_length,
    planned_lengths,
    read_loose_row,
)
from assay.results.run_cases import RowFilter, RunCases, read_run_cases
from assay.runs.summary import read_summary
from assay.runs.write import summary_path

# The fields of a published results file that are not read.

_KNOWN = frozenset(field.name for field in fields(DepthRow))


def read_ignored_fields(path: Path) -> tuple[str, ...]:
    """The names of the fields that no part of assay reads, in alphabetical order."""
    decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])
    ignored: set[str] = set()
    for block in read_line_blocks(path, torn_end=True):
        for line in block.data.removeprefix(b"\xef\xbb\xbf").splitlines():
            if line.strip():
                try:
                    names = decoder.decode(line).keys()
                except UNREADABLE:  # NaN, or a name in another encoding; the row itself was read
                    names = json.loads(line.decode("utf-8", "replace")).keys()
                ignored.update(names - _KNOWN)
    return tuple(sorted(ignored))


# Refuse rows of depth results whose numbers cannot be: a mean over them would mean nothing.

_UNSCORED = ("skipped", "answered")


def refuse_impossible(path: Path, block: LineBlock, rows: Sequence[DepthRow]) -> None:
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


BINS: Final = ("0%", "25%", "50%", "75%", "100%")
CellKey: TypeAlias = tuple[int, str]
"""The context length and the depth of a cell."""

_RESULTS_UNSCORED: Final = ("skipped", "answered")
_PERCENT: Final = re.compile(r"\s*(\d+(?:\.\d+)?)\s*%?\s*")


class AskedQuestion(Struct, frozen=True, kw_only=True):
    """A question of a file. ``content`` identifies it if the file has no ids."""

    id: str | None
    text: str
    choices: tuple[tuple[str, str], ...] = ()
    correct: str = ""
    position: tuple[int, int] | None = None

    @property
    def content(self) -> tuple[Any, ...]:
        """Questions of different files are the same if their content is equal."""
        return (self.text, self.choices, self.position)


class Reply(Struct, frozen=True, kw_only=True, gc=False):
    """One answer with its score; ``question`` is an index into ``ModelResults.questions``."""

    question: int
    length: int
    depth_bin: str
    depth: float | None
    score: float
    parsed: bool
    answer: str


class ModelResults(Struct, frozen=True, kw_only=True):
    """The answers of one model in one file.

    - ``failed``, ``skipped`` and ``answered`` (not judged yet) are numbers of cases by cell; the
      key None is for cases without a cell.
    - ``depthless`` are the answers without a depth, which are shown along the novel only.
    - ``unplaced`` is the number of rows without context length or depth, which includes
      closed-book answers. ``unscored`` is the number of rows without a score. Neither are shown.
    - ``contradicted`` is the number of published rows with a score above 0 that say that there is
      no answer. Those that failed do not count; of the others the score is used.
    - ``unanswered`` are the questions of a question file, which have positions but no answers.
    - ``unknown_statuses`` and ``ignored_fields`` are names in a published file that are not known.
    - ``outside`` is the number of cases in the file that are not part of the run.
    - ``known`` are the questions that the model answers without the novel, None if the file does
      not say. ``excluded`` is the number of answers to them that were left out, None if none were
      left out on purpose.
    """

    path: Path
    model: str
    data_set: str
    metadata: Mapping[str, Any]
    lengths: tuple[int, ...]
    depth_bins: tuple[str, ...]
    questions: Sequence[AskedQuestion]
    replies: Sequence[Reply]
    failed: Mapping[CellKey | None, int]
    skipped: Mapping[CellKey | None, int]
    answered: Mapping[CellKey | None, int] = {}
    depthless: Sequence[Reply] = ()
    unanswered: Sequence[int] = ()
    replaced: int = 0
    unplaced: int = 0
    unscored: int = 0
    contradicted: int = 0
    outside: int = 0
    known: frozenset[int] | None = None
    excluded: int | None = None
    unknown_statuses: tuple[str, ...] = ()
    ignored_fields: tuple[str, ...] = ()

    @property
    def unparsed(self) -> int:
        """The number of answers that could not be parsed."""
        return sum(not reply.parsed for reply in self.replies)

    def without_known(self) -> "ModelResults":
        """The results without the questions that the model answers without the novel."""
        known = self.known or frozenset()
        kept = [reply for reply in self.replies if reply.question not in known]
        depthless = [reply for reply in self.depthless if reply.question not in known]
        left_out = len(self.replies) + len(self.depthless) - len(kept) - len(depthless)
        return replace(self, replies=kept, depthless=depthless, excluded=left_out)

    def along_novel(self) -> "ModelResults":
        """The results for a map along the novel, which needs no depths: all answers are placed."""
        return replace(
            self,
            replies=[*self.replies, *self.depthless],
            depthless=(),
            unplaced=self.unplaced - len(self.depthless),
        )


def refuse_without_depths(models: Iterable[ModelResults]) -> None:
    """Raise ``UseError`` if results hold no depths, as the older form of published files."""
    for results in models:
        if results.depthless and not results.replies:
            raise UseError(
                f"{results.path}: holds no depths, only positions in the novel; "
                "use --mode accuracy or --mode coverage"
            )


def read_cells(paths: Iterable[Path]) -> list[ModelResults]:
    """Read the results of each file, and of each configuration in a file, in the given order.

    If several results have the same model name, the file name and, if necessary, a number is
    added to the name.
    """
    all_results = [results for path in paths for results in _read_file(path)]
    names = Counter(results.model for results in all_results)
    renamed = [
        replace(results, model=f"{results.model} ({results.path.stem})")
        if names[results.model] > 1
        else results
        for results in all_results
    ]
    seen: Counter[str] = Counter()
    for index, results in enumerate(renamed):
        seen[results.model] += 1
        if seen[results.model] > 1:
            renamed[index] = replace(results, model=f"{results.model} #{seen[results.model]}")
    return renamed


def depth_order(depth_bin: str) -> tuple[float, str]:
    """A sort key that orders depth labels by their number; labels without one come last.

    >>> sorted(["100%", "25%", "0%", "7.5%"], key=depth_order)
    ['0%', '7.5%', '25%', '100%']
    """
    number = _PERCENT.fullmatch(depth_bin)
    return (float(number[1]) if number else float("inf"), depth_bin)


def nearest_bin(depth: float, bins: Sequence[str] = BINS) -> str:
    """The label of the nearest depth; if two are equally near, the smaller.

    >>> nearest_bin(0.4), nearest_bin(0.875)
    ('50%', '75%')
    """
    return min(
        bins, key=lambda label: (abs(depth_order(label)[0] - 100 * depth), depth_order(label))
    )


def _read_file(path: Path) -> list[ModelResults]:
    metadata: Mapping[str, Any] = {}
    readings: dict[str, _Reading] = {}
    is_first, is_published = True, True
    chosen = RowFilter(_run_cases(path))
    for rows in _read_blocks(path):
        for row in rows:
            if row.metadata is not None and row.question is None and row.key is None:
                if not is_first:
                    raise DatasetError(
                        f"{path}: metadata after the first line; keep each run in its own file"
                    )
                metadata = without_secrets(row.metadata)
            elif row.key is None or chosen.has(row.key):
                name = row.config or ""
                reading = readings.get(name)
                if reading is None:
                    reading = readings[name] = _Reading(path, metadata)
                reading.add(row)
                is_published = is_published and row.key is None
            is_first = False
    if not readings:
        raise DatasetError(f"{path}: the file contains no results")
    has_several = len(readings) > 1
    ignored = read_ignored_fields(path) if is_published else ()
    results = [
        replace(reading.results(name if has_several else ""), ignored_fields=ignored)
        for name, reading in readings.items()
    ]
    return [replace(results[0], outside=chosen.outside), *results[1:]]


def _run_cases(path: Path) -> RunCases:
    """The cases of the run; all rows of a file that was not written by assay belong to it."""
    if path.suffix != ".jsonl":
        return RunCases()
    try:
        return read_run_cases(path, read_summary(summary_path(path)), None)
    except JournalError as error:
        raise DatasetError(*error.lines) from None


def _read_blocks(path: Path) -> Iterable[list[DepthRow]]:
    """Read the rows in blocks; an incomplete last line, as of a run in progress, is ignored."""
    if not path.is_file():
        raise UseError(f"{path}: no such file")
    decoder = msgspec.json.Decoder(DepthRow)
    for block in read_line_blocks(path):
        if block.data.endswith(b"\n") or _is_json(block.data):
            try:
                rows = decode_block(path, block, decoder)
            except BadLine:
                rows = list(_loose_rows(path, block))
            refuse_impossible(path, block, rows)
            yield rows


def _loose_rows(path: Path, block: LineBlock) -> Iterator[DepthRow]:
    for number, line in enumerate(block.data.split(b"\n"), block.lines_before + 1):
        content = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if not content.strip():
            continue
        try:
            yield read_loose_row(content)
        except (ValueError, RecursionError) as error:
            raise DatasetError(f"{path}:{number}: not a row of depth results ({error})") from None


def _is_json(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except UNREADABLE:
        return False
    return True


class _Reading:
    """Collects the rows of one model."""

    def __init__(self, path: Path, metadata: Mapping[str, Any]) -> None:
        self._path = path
        self._metadata = metadata
        self._indexes: dict[Any, int] = {}
        self._questions: list[AskedQuestion] = []
        self._cases: dict[Any, Reply | tuple[str, CellKey | None]] = {}
        self._known: dict[int, bool] = {}
        self._replaced = self._unplaced = self._unscored = self._contradicted = 0
        self._unknown_statuses: dict[str, None] = {}
        self._bins = depth_labels(metadata) or BINS
        self._length = only_length(metadata)

    def add(self, row: DepthRow) -> None:
        """Add the next row of the file."""
        if row.question is None and not row.status:
            raise DatasetError(
                f"{self._path}: a row has no question; these are not results of a depth test"
            )
        question = self._question(row)
        if row.closed_book_correct is not None:
            self._known[question] = row.closed_book_correct
        if row.unknown_status is not None:
            self._unknown_statuses[row.unknown_status] = None
        cell = self._cell(row)
        case = row.key if row.key is not None else (question, cell)
        status = "failed" if row.failed else row.status if row.status in _RESULTS_UNSCORED else ""
        if row.closed_book or (cell is None and not status and row.position is None):
            self._unplaced += 1
            return
        self._replaced += case in self._cases
        is_without_answer = row.failed or not row.parsed
        self._contradicted += row.key is None and is_without_answer and (row.score or 0) > 0
        if status:
            self._cases[case] = (status, cell)
        elif row.score is None and row.parsed:
            self._unscored += 1
            self._cases.pop(case, None)
        else:
            self._cases[case] = Reply(
                question=question,
                length=cell[0] if cell else self._length or 0,
                depth_bin=cell[1] if cell else "",
                depth=row.share,
                score=row.score or 0.0,  # an answer that cannot be parsed scores 0
                parsed=row.parsed,
                answer=answer_text(row),
            )

    def results(self, config: str) -> ModelResults:
        """The results of the rows so far; ``config`` is added to the model's name."""
        replies: list[Reply] = []
        depthless: list[Reply] = []
        counts = {status: Counter[CellKey | None]() for status in ("failed", *_RESULTS_UNSCORED)}
        for case in self._cases.values():
            if isinstance(case, Reply):
                (replies if case.depth_bin else depthless).append(case)
            else:
                counts[case[0]][case[1]] += 1
        cells = [(reply.length, reply.depth_bin) for reply in replies]
        cells += [cell for counter in counts.values() for cell in counter if cell is not None]
        lengths = {length for length, _ in cells} | planned_lengths(self._metadata)
        if not lengths and not depthless:
            raise DatasetError(
                f"{self._path}: no row has a context length and a depth; "
                "these are not results of a depth test"
            )
        model = model_name(self._metadata) or self._path.stem
        return ModelResults(
            path=self._path,
            model=f"{model} · {config}" if config else model,
            data_set=data_set_name(self._metadata),
            metadata=self._metadata,
            lengths=tuple(sorted(lengths)),
            depth_bins=self._depth_bins({label for _, label in cells}),
            questions=self._questions,
            replies=replies,
            failed=counts["failed"],
            skipped=counts["skipped"],
            answered=counts["answered"],
            depthless=depthless,
            replaced=self._replaced,
            unplaced=self._unplaced + len(depthless),
            unscored=self._unscored,
            contradicted=self._contradicted,
            known=self._known_questions(),
            unknown_statuses=tuple(self._unknown_statuses),
        )

    def _known_questions(self) -> frozenset[int] | None:
        if not self._known:
            return None
        return frozenset(question for question, right in self._known.items() if right)

    def _depth_bins(self, used: set[str]) -> tuple[str, ...]:
        planned = set(depth_labels(self._metadata))
        return tuple(sorted(used | planned, key=depth_order)) or BINS

    def _question(self, row: DepthRow) -> int:
        """The index of the row's question; adds the question if it is new."""
        span = row.position
        position = None if span is None else (span.start_pos, span.end_pos)
        name = None if row.question_id is None else str(row.question_id)
        choices = row.choices()
        identity = name if name is not None else (row.question, choices, position)
        index = self._indexes.get(identity)
        if index is None:
            index = self._indexes[identity] = len(self._questions)
            question = AskedQuestion(
                id=name,
                text=cut(row.question or name or "", MOST_QUESTION),
                choices=choices,
                correct=cut(as_list(row.correct_answer), MOST_QUESTION),
                position=position,
            )
            self._questions.append(question)
        return index

    def _cell(self, row: DepthRow) -> CellKey | None:
        """The row's cell; None if the row has no length or depth.

        A row with a depth but without a label gets the nearest label.
        """
        length = row.test_context_length or row.context_length or self._length
        label = row.depth_bin
        if label is None and row.share is not None:
            label = nearest_bin(row.share, self._bins)
        if not length or label is None:
            return None
        return length, label
