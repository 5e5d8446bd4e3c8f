"""One run, opened: its analysis, and for each item what lists and filters need.

Texts stay on disk: those that are searched in a ``TextStore``, all others in the journal, where
the blocks of the run's rows are known.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.errors import JournalCorrupt
from assay.jobs.prepared import learn_plain_rows
from assay.judge.label_store import labels_path
from assay.records import key_parts
from assay.results.decoded_row import item_name
from assay.results.results import CasePlace, case_lines
from assay.results.run_cases import RowFilter, read_run_cases
from assay.runs.plan_file import read_plan
from assay.runs.read import scan_journal
from assay.runs.redaction import follow_run
from assay.study.analysis import read_run
from assay.study.finding import RunFindings
from assay.study.labelled import Repaired, analyse_labelled
from assay.study.question_field import MOST_GROUPS, QuestionFields, read_question_fields
from assay.web.pattern import Search
from assay.web.text_store import SourceTexts, TextStore

LONGEST_SHOWN_QUESTION: Final = 300
"""How many characters of a question a list shows."""


class _Terms(Struct, frozen=True, gc=False):
    abstained: bool | None = None


class _RecordedAnswer(Struct, frozen=True, gc=False):
    text: str = ""


class _Recorded(Struct, frozen=True, gc=False):
    answer: _RecordedAnswer = _RecordedAnswer()


class ListedRow(Struct, frozen=True, gc=False):
    """The fields of a row that lists, filters and searches need."""

    key: str = ""
    schema_version: int = 0
    question_id: str = ""
    config: str = ""
    question: str | None = None
    answer: str | None = None
    source: str | None = None
    abstained: bool | None = None
    terms: _Terms | None = None
    recorded: _Recorded | None = None
    question_type: str | None = None
    category: str | None = None
    difficulty: str | None = None
    language: str | None = None
    depth_bin: str | None = None
    test_context_length: int | None = None


TAGS: Final = ("question_type", "category", "difficulty", "language", "depth_bin")
"""Fields of rows whose values are the tags of an item."""


class Listed:
    """What lists and filters need, by item: question, source, tags, abstention, searched text."""

    def __init__(self, variants: tuple[str, ...], items: tuple[str, ...], label: str) -> None:
        self._variant_numbers = {name: number for number, name in enumerate(variants)}
        self._item_numbers = {name: number for number, name in enumerate(items)}
        self._label = label
        self.questions: list[str] = [""] * len(items)
        self.abstained = np.full((len(variants), len(items)), -1, np.int8)
        self.store = TextStore(len(variants), len(items))
        self._sources = Names(len(items))
        self._tags = Names(len(items))

    def take(self, rows: Iterable[ListedRow]) -> None:
        """Add rows of the run in the order of the file; later rows of a key replace earlier ones."""
        store, variants, items = self.store, self._variant_numbers, self._item_numbers
        for row in rows:
            name, _ = item_name(row.key, row.question_id, row.config, self._label)
            item, variant = items.get(name), variants.get(row.config)
            if item is None or variant is None:
                continue  # written after the results were read
            if not self.questions[item] and row.question:
                self.questions[item] = row.question[:LONGEST_SHOWN_QUESTION]
                store.add_question(item, row.question)
                self._sources.put(item, row.source or "")
                self._tags.put(item, _tags(row))
            answer = row.answer
            if answer is None and row.recorded is not None:
                answer = row.recorded.answer.text
            if answer is not None:
                store.add_answer(variant, item, answer)
            abstained = row.abstained if row.terms is None else row.terms.abstained
            self.abstained[variant, item] = -1 if abstained is None else abstained

    def item_number(self, name: str) -> int | None:
        """The index of an item by its id."""
        return self._item_numbers.get(name)

    @property
    def sources(self) -> "Names":
        """The document of each item."""
        return self._sources

    @property
    def tags(self) -> "Names":
        """The tags of each item."""
        return self._tags


def _tags(row: ListedRow) -> tuple[str, ...]:
    values = [getattr(row, name) for name in TAGS]
    if row.test_context_length:
        values.append(str(row.test_context_length))
    return tuple(dict.fromkeys(value for value in values if value))


class Names:
    """A value of each item, where many items share one value."""

    def __init__(self, items: int) -> None:
        self._numbers: dict[Any, int] = {}
        self._values: list[Any] = []
        self._of = np.full(items, -1, np.int32)

    def put(self, item: int, value: Any) -> None:
        """Set the value of an item."""
        number = self._numbers.setdefault(value, len(self._numbers))
        if number == len(self._values):
            self._values.append(value)
        self._of[item] = number

    def values(self) -> list[Any]:
        """The different values, in the order in which they came."""
        return self._values

    def get(self, item: int, default: Any) -> Any:
        """The value of an item."""
        number = int(self._of[item])
        return default if number < 0 else self._values[number]

    def numbers(self) -> list[int]:
        """The number of each item's value; -1 if it has none."""
        numbers: list[int] = self._of.tolist()
        return numbers

    def chosen(self, numbers: Iterable[int]) -> NDArray[np.bool_]:
        """The items whose value has one of these numbers."""
        return np.isin(self._of, list(numbers))


class RunIndex:
    """A run that is shown: its findings, what is listed, and the order of its questions.

    ``path`` is its journal; if that has broken lines, ``repaired`` is the copy that was read.
    """

    def __init__(
        self,
        findings: RunFindings,
        listed: Listed,
        order: NDArray[np.int64],
        journal: Path,
        repaired: Repaired | None = None,
    ) -> None:
        self.findings = findings
        self.listed = listed
        self.order = order
        self.searches: dict[tuple[str, bool], Search] = {}
        self.path = journal
        self.repaired = repaired
        self.texts = SourceTexts(journal, findings.results.summary)
        self.hashes: dict[CasePlace, str] = {}
        self.label_stamp: tuple[int, int] = (0, 0)
        self.kept: dict[Any, Any] = {}
        """What other parts have read of this run."""

    @cached_property
    def fields(self) -> QuestionFields:
        """What describes the questions; not the names of documents if there are too many to choose."""
        return read_question_fields(self.findings.results, most_documents=MOST_GROUPS)

    def row(self, item: int, variant: int) -> bytes | None:
        """The line of the last row of a case; ``None`` if there is none."""
        return self.lines([(item, variant)]).get((item, variant))

    def lines(self, cases: Collection[tuple[int, int]]) -> dict[tuple[int, int], bytes]:
        """The lines of the last rows of these cases (item, variant); each block is read once."""
        return case_lines(self.findings.results, cases)

    def close(self) -> None:
        """Delete the temporary file."""
        self.listed.store.close()


def open_run(journal: Path) -> RunIndex:
    """Read a journal, analyse it and prepare its lists. It is read twice.

    Lines that are no rows are left out; raises ``JournalError`` if the rest cannot be read either.
    """
    follow_run(journal)
    learn_plain_rows(journal)
    try:
        return _opened(journal, journal)
    except JournalCorrupt:
        repaired = Repaired(journal)
        if not repaired.lines:
            raise
        return _opened(repaired.journal, journal, repaired)


def _opened(journal: Path, shown: Path, repaired: Repaired | None = None) -> RunIndex:
    results = read_run(journal)
    stamp = label_stamp(shown)
    findings = analyse_labelled(results)
    scores = results.scores
    listed = Listed(scores.variants, tuple(scores.items), results.label)
    cases = read_run_cases(journal, results.summary, findings.job)
    chosen = RowFilter(cases)
    for _, (rows,) in scan_journal(journal, ListedRow):
        listed.take(chosen.rows_of_questions(rows))
    listed.store.finish()
    order = question_order(journal, scores.items)
    index = RunIndex(findings, listed, order, shown, repaired)
    index.label_stamp = stamp
    return index


def relabelled(index: RunIndex) -> RunIndex:
    """The run with the labels that people have given since; no row is read again."""
    stamp = label_stamp(index.path)
    findings = analyse_labelled(index.findings.results)
    fresh = RunIndex(findings, index.listed, index.order, index.path, index.repaired)
    fresh.texts = index.texts
    fresh.searches, fresh.hashes = index.searches, index.hashes
    fresh.label_stamp = stamp
    return fresh


def label_stamp(journal: Path) -> tuple[int, int]:
    """What changes when somebody labels an answer of the run."""
    try:
        status = labels_path(journal).stat()
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


def question_order(journal: Path, items: Sequence[str]) -> NDArray[np.int64]:
    """The items in the order of the plan; in the order of their names if no plan is stored."""
    plan = read_plan(journal)
    if plan is None:
        return np.arange(len(items))
    ranks: dict[str, int] = {}
    for rank, mark in enumerate(plan.marks):
        if plan.header.lines == "cases":  # the key of a case: question, variant, placement
            question, _, placement = key_parts(mark) or (mark, "", "")
            ranks.setdefault(f"{question}::{placement}", rank)
            ranks.setdefault(question, rank)
        else:
            ranks[mark] = rank
    last = len(plan.marks)
    order = [ranks.get(name, ranks.get(name.rpartition("::")[0], last)) for name in items]
    return np.argsort(np.array(order, np.int64), kind="stable")
