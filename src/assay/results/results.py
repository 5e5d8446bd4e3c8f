"""Reading a journal into columns.

Only the requested fields are decoded, so decoding takes little more time than reading the file.
If a key has several rows, the last one counts; an incomplete last line is ignored. Items are
sorted by name, so that a run that was interrupted and resumed gives exactly the same numbers
as a run that was not.

Single rows and their texts are read from the blocks of the journal that hold them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.data.jsonl import UNREADABLE
from assay.errors import JournalError, UseError
from assay.records import Metric, was_cut
from assay.results.column import (
    Bill,
    BillSums,
    CaseSums,
    ColumnBatch,
    RowColumns,
    SkippedStage,
    SkippedStages,
    transposed,
)
from assay.results.decoded_row import Items, item_name, numbered, row_type
from assay.results.run_cases import Doubt, RowFilter, RunCases, SparedCases
from assay.runs.read import JournalBlock, scan_blocks
from assay.runs.summary import Summary, read_summary
from assay.runs.write import summary_path
from assay.stats.scores import SCORED, Scores

SHORTEST_ROW = 64
"""No row of results is shorter than this, in bytes."""
BATCH = 2048
"""How many rows are put into columns at once, so that NumPy's cost per call is small."""


_WHOLE: Final = frozenset({None, "stop"})


class Results(Struct, frozen=True, kw_only=True):
    """One run's scores by variant and item, its bills, and the position of each row in the file.

    ``questions`` is the number of questions; an item is a question at a placement.
    ``label`` is the placement that is not part of the names of items (see ``item_name``).
    ``replaced`` is the number of rows that were replaced by a later row of the same key, and
    ``outside`` the number of cases in the file that are not part of the run; ``doubt`` says why
    this is not certain. ``documents`` is the number of documents that the items are about.
    ``lost`` is the number of answers that the provider's filter withheld and that count as wrong.
    ``cut`` is the number of scored answers that the provider cut off at the limit of tokens.
    ``in_part`` is the number of answers so long that only their beginning and end were scored.
    ``skipped_stages`` are those that a system skipped although they were not switched off.
    ``spared`` is the number of cases that an early decision spared and that have no answer since.
    ``stops`` are the decisions by which cases were spared: variant, rule, verdict and number of
    questions. ``job_rows`` are the last rows of all keys, if ``read_results`` was given a type for them.
    """

    path: Path
    summary: Summary | None
    scores: Scores
    bills: Mapping[str, Bill]
    questions: int
    rows: int
    replaced: int
    outside: int = 0
    doubt: Doubt = ""
    label: str
    lost: int = 0
    cut: int = 0
    in_part: int = 0
    spared: int = 0
    skipped_stages: tuple[SkippedStage, ...] = ()
    replayed_latency: bool
    documents: int
    blocks: Sequence[slice]
    block_of: NDArray[np.int32]
    stops: frozenset[tuple[str, str, str, int]] = frozenset()
    job_rows: Mapping[str, Any] = {}

    @property
    def unasked(self) -> int:
        """The number of cases of the run that have no row yet."""
        total = self.summary.total if self.summary else 0
        return max(0, total - int(np.count_nonzero(self.scores.status)))

    @property
    def name(self) -> str:
        """The experiment's name."""
        return self.summary.name if self.summary else self.path.stem


def read_results(
    path: Path,
    metrics: Sequence[Metric],
    *,
    flags: Iterable[str] = (),
    cases: RunCases | None = None,
    job_row: type[Struct] | None = None,
) -> Results:
    """The rows of ``path`` as columns: the fields of ``metrics``, and other boolean ``flags``.

    Only the rows of ``cases`` are used, all rows by default: a file may also contain rows of an
    earlier run. With ``job_row``, a struct with a ``key``, the last row of each key is also kept
    as this type; the file is still read only once.
    """
    if not path.exists():
        raise UseError(f"{path}: no such file of results")
    reported = {metric.field: metric.reported_by for metric in metrics if metric.reported_by}
    bounds = [field for metric in metrics if metric.is_share for field in metric.bounds]
    only_if = [metric.only_if for metric in metrics if metric.only_if]
    flags = [*flags, *reported.values(), *only_if, *bounds]
    small = {metric.field for metric in metrics if metric.kind == "rate"} | set(flags)
    fields = list(dict.fromkeys([metric.field for metric in metrics] + list(flags)))
    summary = read_summary(summary_path(path))
    shares = {metric.field for metric in metrics if metric.is_share}
    columns = RowColumns(fields, small, _expected_items(path, summary), shares, str(path))
    reading = _Reading(columns, summary)
    job_rows: dict[str, Any] = {}
    row = row_type(fields, ("lost", "spared_by", "decided", "finish_reason"))
    types = (row,) if job_row is None else (row, job_row)
    cases = cases or RunCases()
    chosen = RowFilter(cases)
    for block in scan_blocks(path, *types):
        rows_of_columns, *others = block.rows
        reading.take(block, chosen.rows_of_questions(rows_of_columns, block.ends))
        job_rows.update((row.key, row) for rows in others for row in chosen.rows(rows))
    results = reading.results(path, summary, job_rows)
    scores = _without_unreported(results.scores, reported)
    return replace(results, scores=scores, outside=chosen.outside, doubt=cases.doubt)


def _without_unreported(scores: Scores, reported: Mapping[str, str]) -> Scores:
    """The scores without the values of variants that never report what these are about.

    Only a row that says no is silent; an older row does not have the field.
    """
    values = dict(scores.values)
    for field, flag in reported.items():
        scored = scores.status == SCORED
        says_no = (scores.values[flag] == 0) & scored
        is_silent = scored.any(axis=1) & (says_no == scored).all(axis=1)
        if is_silent.any():
            values[field] = np.where(is_silent[:, np.newaxis], np.nan, values[field])
    return replace(scores, values=values)


def _expected_items(path: Path, summary: Summary | None) -> int:
    """The number of items that the summary promises, but not more than the file has room for."""
    if summary is None or not summary.variants:
        return 0
    return min(summary.total // len(summary.variants), path.stat().st_size // SHORTEST_ROW)


class _Reading:
    """Collects the rows of the blocks of a file, and puts them into columns in batches."""

    def __init__(self, columns: RowColumns, summary: Summary | None) -> None:
        self._columns = columns
        self._items = Items()
        self._bills = BillSums()
        self._cases = CaseSums()
        self._variants: dict[str, int] = {}
        self._blocks: list[slice] = []
        self._batch = ColumnBatch(columns.fields)
        self._rows = 0
        self._has_replayed = False
        self._lost: set[str] = set()
        self._cut: set[str] = set()
        self._in_part: set[str] = set()
        self._spared = SparedCases()
        self._stages = SkippedStages()
        self._stops: dict[str, tuple[str, str, str, int]] = {}
        for variant in summary.variants if summary else ():
            self._variants.setdefault(variant.name, len(self._variants))

    def take(self, block: JournalBlock, rows: Sequence[Any]) -> None:
        """Take these rows of a block."""
        self._blocks.append(block.place)
        if not rows:
            return
        self._rows += len(rows)
        found = transposed(rows)
        items = self._items.names(found, block.ends)
        self._batch.add(found, items, len(self._blocks) - 1)
        self._bills.add(rows)
        self._stages.add(rows)
        if self._spared or "spared" in found["status"]:
            self._spared.add(rows)
        self._note_lost(rows, found["lost"])
        self._note_cut(rows, found["finish_reason"])
        self._note_in_part(rows, found["scored_in_part"])
        self._note_stops(rows, found["decided"])
        self._has_replayed = self._has_replayed or any(found["latency_replayed"])
        if len(self._batch) >= BATCH:
            self._put()

    def _put(self) -> None:
        """Put the rows of the batch into columns."""
        batch, self._batch = self._batch, ColumnBatch(self._columns.fields)
        if not batch:
            return
        found = batch.found
        items = self._items.numbers(batch.items, found["source"])
        at = numbered(found["config"], self._variants), items
        self._columns.grow(len(self._variants), len(self._items))
        self._columns.put(found, at, batch.blocks)
        self._cases.add(found, at, self._columns.shape)

    def _note_lost(self, rows: Sequence[Any], lost: Iterable[Any]) -> None:
        """Note the keys whose last row is a lost answer."""
        if self._lost or any(lost):
            for row in rows:
                (self._lost.add if row.lost else self._lost.discard)(row.key)

    def _note_cut(self, rows: Sequence[Any], reasons: Iterable[str | None]) -> None:
        """Note the keys whose last row is a scored answer that was cut off."""
        if self._cut or not _WHOLE.issuperset(reasons):
            for row in rows:
                is_cut = was_cut(row.finish_reason) and row.status == "scored"
                (self._cut.add if is_cut else self._cut.discard)(row.key)

    def _note_in_part(self, rows: Sequence[Any], in_part: Iterable[bool]) -> None:
        """Note the keys whose last row is an answer that was scored in part."""
        if self._in_part or any(in_part):
            for row in rows:
                (self._in_part.add if row.scored_in_part else self._in_part.discard)(row.key)

    def _note_stops(self, rows: Sequence[Any], decided: Iterable[Any]) -> None:
        """Note the decision in the last row of each key that was spared."""
        if self._stops or any(decided):
            for row in rows:
                self._stops.pop(row.key, None)
                if row.decided:
                    decision = (row.spared_by or "", row.decided, row.decided_after)
                    self._stops[row.key] = (row.config, *decision)

    def results(self, path: Path, summary: Summary | None, job_rows: Mapping[str, Any]) -> Results:
        """The finished columns, with items sorted by name."""
        self._put()
        self._columns.grow(len(self._variants), len(self._items))
        items, order = self._items.ordered()
        status = self._columns.status(order)
        return Results(
            path=path,
            summary=summary,
            scores=Scores(
                items=items,
                variants=tuple(self._variants),
                clusters=self._items.clusters(order),
                questions=self._items.question_numbers(order),
                draws=self._items.draws(order),
                status=status,
                values=self._cases.columns(order, self._columns.shape)
                | self._columns.take_values(order),
            ),
            bills=self._bills.bills(self._variants),
            questions=self._items.questions(),
            rows=self._rows,
            replaced=self._rows - int(np.count_nonzero(status)),
            label="" if self._items.has_placements else self._items.label or "",
            replayed_latency=self._has_replayed,
            lost=len(self._lost),
            cut=len(self._cut),
            in_part=len(self._in_part),
            spared=len(self._spared),
            skipped_stages=self._stages.listed(self._variants),
            documents=self._items.documents,
            blocks=self._blocks,
            block_of=self._columns.blocks(order),
            stops=frozenset(self._stops.values()),
            job_rows=job_rows,
        )


CasePlace = tuple[int, int]
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


def case_lines(results: Results, cases: Collection[CasePlace]) -> dict[CasePlace, bytes]:
    """The lines of the last rows of these cases; each block that holds one is read once."""
    scores = results.scores
    wanted = {(scores.variants[each], scores.items[item]): (item, each) for item, each in cases}
    blocks = {int(results.block_of[each, item]) for item, each in cases} - {-1}
    found: dict[CasePlace, bytes] = {}
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
