"""Which recorded rows belong to a run.

A journal outlives its experiment: it may have rows of another limit, another file of questions or
another variant. Such rows stay in the file, are counted, and enter no table, chart or comparison.

The plan that is stored beside the journal decides. The first version of assay stored none; then
the header of the run decides, by its variants, its placement, its limit and its questions.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from assay.errors import AssayError
from assay.mask import same_hash
from assay.records import key_parts
from assay.results.job import JobSpec
from assay.runs.plan_file import PlanHeader, read_plan_names
from assay.runs.read import read_heads
from assay.runs.summary import Summary
from assay.words.message import Message, message, message_n
from assay.words.say import marked


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


R = TypeVar("R", bound=_Keyed)
Doubt: TypeAlias = Literal["", "changed", "changed current", "changed all", "gone"]
"""Why the questions of a run are not certain: their file has changed since or is gone.

If it has changed, the rows are all those that the run had (``changed``), those of the questions
that are in the file now (``changed current``), or all rows of its variants (``changed all``).
"""


class RunCases(Struct, frozen=True, kw_only=True):
    """The cases of a run; ``None`` in place of a part means that any value of it belongs.

    ``names`` are the ids of its questions, or whole keys if ``are_keys`` is true. ``doubt`` says
    why it is not certain which rows belong to the run; it is empty if it is certain.
    """

    names: Collection[str] | None = None
    variants: Collection[str] | None = None
    placements: Collection[str] | None = None
    are_keys: bool = False
    doubt: Doubt = ""

    def __contains__(self, key: str) -> bool:
        """Whether the case with this key is part of the run.

        >>> "q1::on::topk=5" in RunCases(names={"q1"}, variants={"on"})
        True
        """
        if self.are_keys:
            return self.names is None or key in self.names
        parts = key_parts(key)
        if parts is None:  # the row of another program
            return self.names is None or self.placements is None
        question, variant, placement = parts
        return (
            (self.names is None or question in self.names)
            and (self.variants is None or variant in self.variants)
            and (self.placements is None or placement in self.placements)
        )


class RowFilter:
    """Separates the rows of a run from others; ``outside`` counts the cases of the others."""

    def __init__(self, cases: RunCases) -> None:
        self._cases = cases
        self._outside: set[str] = set()
        self._tails = {  # what may follow a question's id in a key of the run
            f"::{variant}::{placement}"
            for variant in cases.variants or ()
            for placement in cases.placements or ()
        }
        self._takes_all = cases.names is cases.variants is cases.placements is None

    @property
    def outside(self) -> int:
        """The number of cases with a row that is not part of the run."""
        return len(self._outside)

    def rows(self, rows: list[R]) -> list[R]:
        """The rows of the run."""
        if self._takes_all:
            return rows
        return [row for row in rows if self.has(row.key)]

    def rows_of_questions(
        self, rows: list[Any], ends: Mapping[str, str] | None = None
    ) -> list[Any]:
        """The rows of the run; they have a ``question_id``, so that this is faster.

        ``ends`` are those of the rows' keys, if they are known (see ``JournalBlock``).
        """
        names, tails = self._cases.names, self._tails
        if self._takes_all or self._cases.are_keys:
            return self.rows(rows)
        if (
            ends is not None
            and tails.issuperset(ends.values())
            and (names is None or all(name in names for name in {row.question_id for row in rows}))
        ):
            return rows
        if names is None:
            return [
                row for row in rows if row.key[len(row.question_id) :] in tails or self._learn(row)
            ]
        return [
            row
            for row in rows
            if (row.question_id in names and row.key[len(row.question_id) :] in tails)
            or self.has(row.key)
        ]

    def _learn(self, row: Any) -> bool:
        """Whether the row is part of the run: with any question, that depends on the tail alone."""
        tail = row.key[len(row.question_id) :]
        is_part = self.has(row.key)
        parts = key_parts(row.key)
        if is_part and parts is not None and parts[0] == row.question_id:
            self._tails.add(tail)
        return is_part

    def has(self, key: str) -> bool:
        """Whether the case is part of the run; if not, it is counted."""
        if key in self._cases:
            return True
        self._outside.add(key)
        return False


class SparedCases:
    """The cases that an early decision spared and that have no answer since, by key.

    As long as there are any, the answers decided which questions were asked, and a test for a
    fixed number of questions is not valid. ``add`` expects rows in file order.
    """

    def __init__(self) -> None:
        self.keys: set[str] = set()

    def __len__(self) -> int:
        return len(self.keys)

    def add(self, rows: Sequence[Any]) -> None:
        """Take rows with a ``key``, a ``status`` and an ``error``."""
        statuses = [row.status for row in rows]
        if not self.keys and "spared" not in statuses:
            return
        for row, status in zip(rows, statuses, strict=True):
            if status == "spared":
                self.keys.add(row.key)
            elif row.error is None and status in {"", "scored", "skipped"}:
                self.keys.discard(row.key)


def stopped_early(journal: Path, summary: Summary | None, cases: RunCases) -> bool:
    """Whether answers decided which questions of the run were asked, by its header or its rows."""
    if summary is not None and summary.extra.get("early_stop"):
        return True
    spared, chosen = SparedCases(), RowFilter(cases)
    for heads in read_heads(journal):
        spared.add(chosen.rows(heads))
    return bool(spared)


def read_run_cases(journal: Path, summary: Summary | None, job: JobSpec | None) -> RunCases:
    """The cases of the run that is recorded in ``journal``, from its stored plan or its header.

    Without either, all rows belong to the run. ``job`` is needed only if no plan is stored.
    """
    stored = read_plan_names(journal)
    if stored is not None:
        return _planned(*stored)
    if summary is None:
        return RunCases()
    cases = RunCases(
        variants=frozenset(variant.name for variant in summary.variants) or None,
        placements=_placements(summary, job),
    )
    return _with_questions(cases, journal, summary, job)


def _planned(header: PlanHeader, names: frozenset[str]) -> RunCases:
    if header.lines == "cases":
        return RunCases(names=names, are_keys=True)
    return RunCases(
        names=names,
        variants=frozenset(header.variants),
        placements=frozenset(header.placements),
    )


def _placements(summary: Summary, job: JobSpec | None) -> frozenset[str] | None:
    labels = job.label(summary) if job is not None and job.label is not None else None
    if labels is None:
        return None
    return frozenset((labels,) if isinstance(labels, str) else labels)


def _with_questions(
    cases: RunCases, journal: Path, summary: Summary, job: JobSpec | None
) -> RunCases:
    """The cases of a run without a stored plan, limited to the questions of its header."""
    if job is None or job.questions is None or not summary.questions_path:
        return cases
    files = list(found_files(journal, summary.questions_path))
    read = [file for path in files if (file := _read_questions(job.questions, path, summary))]
    for ids, sha256 in read:
        if same_hash(summary.questions_sha256 or "", sha256):
            return _limited(cases, ids, summary)
    return _uncertain(cases, journal, summary, [ids for ids, _ in read], has_file=bool(files))


def found_files(journal: Path, name: str) -> Iterator[Path]:
    """Where the questions file may be: its path is relative to a workspace or to a command."""
    folder = journal.resolve().parent
    for candidate in dict.fromkeys(place / name for place in (folder, *folder.parents, Path.cwd())):
        with suppress(OSError):  # the name is too long for this file system
            if candidate.exists():
                yield candidate


def _read_questions(
    read: Callable[[Path, Summary], tuple[Sequence[str], str]], path: Path, summary: Summary
) -> tuple[Sequence[str], str] | None:
    try:
        return read(path, summary)
    except (AssayError, OSError):
        return None  # it was replaced by something that is no file of questions


def _limited(cases: RunCases, ids: Sequence[str], summary: Summary, doubt: Doubt = "") -> RunCases:
    asked = ids[: summary.limit] if summary.limit else ids
    return replace(cases, names=frozenset(asked), doubt=doubt)


def _uncertain(
    cases: RunCases,
    journal: Path,
    summary: Summary,
    contents: Sequence[Sequence[str]],
    *,
    has_file: bool,
) -> RunCases:
    """The cases of a run whose file of questions has changed or is gone.

    The questions of today are used if they account for as many cases as the run had.
    """
    recorded = {head.key for heads in read_heads(journal) for head in heads if head.key in cases}
    is_exact = len(recorded) == summary.total
    if not has_file:
        return cases if is_exact else replace(cases, doubt="gone")
    if is_exact:
        return replace(cases, doubt="changed")
    for ids in contents:
        current = _limited(cases, ids, summary, "changed current")
        if sum(key in current for key in recorded) == summary.total:
            return current
    return replace(cases, doubt="changed all")


def outside_rows(count: int) -> Message:
    """How many rows are not part of the run, as a sentence.

    >>> str(outside_rows(1)), str(outside_rows(6))
    ('1 recorded row is not part of this run', '6 recorded rows are not part of this run')
    """
    return message_n(
        "{n} recorded row is not part of this run",
        "{n} recorded rows are not part of this run",
        count,
    )


def doubt_line(doubt: Doubt, questions: str | None) -> Message | str:
    """Why it is not certain which rows belong to the run, as a sentence; empty if it is."""
    return message(_DOUBTS[doubt], questions=questions) if doubt else ""


_DOUBTS: Final[Mapping[Doubt, str]] = {
    "changed": marked("{questions} has changed since this run"),
    "changed current": marked(
        "{questions} has changed since this run; the rows of the questions that are in it now are counted"
    ),
    "changed all": marked(
        "{questions} has changed since this run, so it is not known which rows belong to it; all rows of its variants are counted"
    ),
    "gone": marked(
        "{questions} was not found, so it is not known which rows belong to this run; all rows of its variants are counted"
    ),
}
