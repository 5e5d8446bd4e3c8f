"""Merge the parts of a run into the run that one command would have made: ``assay merge``.

The rows, the verdicts and the plan are those of one run, in another order; times and parts are
those of the parts. Labels and draws of the parts become those of the run. Nothing is asked.

The merged files are made in a folder beside the target and take its place when all parts are
read: if a part is damaged or the disk is full, nothing is changed.
"""

import filecmp
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from assay.checks import own_scorer
from assay.checks import registered as ruler
from assay.checks.own_scorer import declarations
from assay.data.jsonl import limited, read_line_blocks
from assay.errors import Filtered, JournalStale, UseError
from assay.jobs.part import PartInfo, part_info, whole_header
from assay.judge.draw import Drawn, read_drawn, write_drawn
from assay.judge.label import Label, Preference
from assay.judge.label_store import labels_path, merge, pairs_path, read_labels, read_preferences
from assay.mask import same_hash
from assay.records import RunHeader, Tally, key_parts
from assay.results.job import job_spec_of
from assay.results.run_cases import RowFilter, read_run_cases
from assay.runs.judging import Verdict
from assay.runs.plan import header_digest, in_turn, same_fingerprint
from assay.runs.plan_file import PlanHeader, StoredPlan, read_plan, write_plan
from assay.runs.read import JournalIndex, read_lines, read_metadata, read_numbered_fields, read_rows
from assay.runs.resume import resume_of
from assay.runs.row import RowHead
from assay.runs.run import MIXED
from assay.runs.summary import Summary, read_summary, set_aside, write_atomically, write_summary
from assay.runs.write import (
    check_rows_path,
    encode_row,
    is_being_written,
    locked_journal,
    summary_path,
    verdicts_path,
    without_companions,
)
from assay.study.recorded import RecordedRun
from assay.text.width import counted

# What people said about the parts of a run, for the run that they are merged into.
#
# Labels, preferences and draws are about answers, and an answer of a part is one of the whole run:
# only the name of the run changes. An answer that was drawn from its part was drawn with the
# probability that is there, whatever was drawn from other parts.


class PartLabels(Struct, frozen=True, kw_only=True):
    """The labels, preferences and drawn answers of all parts, under the name of the whole run."""

    labels: tuple[Label, ...]
    preferences: tuple[Preference, ...]
    drawn: tuple[Drawn, ...]


def read_part_labels(journals: Iterable[Path], name: str) -> PartLabels:
    """Read what belongs to the parts; ``name`` is that of the whole run."""
    labels: list[Label] = []
    preferences: list[Preference] = []
    drawn: list[Drawn] = []
    for journal in journals:
        path, part = labels_path(journal), journal.stem
        labels += [replace(row, run=_renamed(row.run, part, name)) for row in read_labels(path)]
        preferences += [
            replace(row, run=_renamed(row.run, part, name))
            for row in read_preferences(pairs_path(path))
        ]
        drawn += [  # how many were asked for is not known of the whole run
            replace(row, run=_renamed(row.run, part, name), count=None)
            for row in read_drawn(journal)
        ]
    return PartLabels(labels=tuple(labels), preferences=tuple(preferences), drawn=tuple(drawn))


def write_part_labels(target: Path, found: PartLabels) -> int:
    """Add what belongs to the parts to the files of the whole run; returns how many are new."""
    path, new = labels_path(target), 0
    if found.labels:
        new += merge(path, found.labels, Label)
    if found.preferences:
        new += merge(pairs_path(path), found.preferences, Preference)
    if found.drawn:
        write_drawn(target, found.drawn)
    return new


def _renamed(run: str, part: str, name: str) -> str:
    """The id of the whole run, if ``run`` is the id of the part."""
    folder, slash, last = run.rpartition("/")
    return f"{folder}{slash}{name}" if last == part else run


# Which rows of a part are answers of its own plan; ``assay merge`` refuses the others.
#
# The fingerprint of a row says which system was asked what, with which settings. If it is another
# one than the plan's, the answer belongs to an earlier version of the experiment, which a run keeps
# only with ``--resume keep``; or the row was copied from another run, and its key is the same by
# chance.


class PartRows:
    """Compares the last row of each case with the plan of the part."""

    def __init__(self, journal: Path, summary: Summary, plan: StoredPlan) -> None:
        self._journal = journal
        self._plan = plan
        self._keeps_stale = _keeps_stale(summary)
        self._others: set[str] = set()

    def add(self, heads: Iterable[RowHead]) -> None:
        """Take the next rows of the part, in file order."""
        for head in heads:
            if _is_open(head) or self._fits(head):
                self._others.discard(head.key)
            else:
                self._others.add(head.key)

    def stale(self) -> int:
        """The number of cases of the plan whose answers an earlier version of it was given.

        Raises:
            JournalStale: There are such answers, and the part was not made with ``--resume keep``.
        """
        if self._others and not self._keeps_stale:
            raise JournalStale(*limited(self._problems(), self._journal))
        return sum(key in self._plan for key in self._others)

    def _fits(self, head: RowHead) -> bool:
        """Whether the row is of the plan, or of one with other questions for the same variants."""
        expected = self._plan.fingerprint(head.key)
        if expected is not None:
            return same_fingerprint(head.fingerprint, expected) is not False
        start, _, _ = head.fingerprint.rpartition("-")
        system, _, settings = start.partition("-")
        header = self._plan.header
        _, variant, _ = key_parts(head.key) or ("", "", "")
        planned = header.variants.get(variant, settings)
        is_other_system = same_hash(system, header.system) is False
        return not is_other_system and same_fingerprint(settings, planned) is not False

    def _problems(self) -> list[str]:
        lines = {
            row["key"]: number
            for number, row in read_numbered_fields(self._journal)
            if row["key"] in self._others
        }
        return [
            f"{self._journal}:{number}: the case {key!r} is not an answer of this run: another "
            "system, other settings or another question were recorded; take the line out, or run "
            "the part again with --resume keep to keep it"
            for key, number in lines.items()
        ]


def _is_open(head: RowHead) -> bool:
    """Whether the case is asked again, so that its row is no answer of the run."""
    return head.status == "failed" or (head.status == "answered" and head.recorded is UNSET)


def _keeps_stale(summary: Summary) -> bool:
    """Whether old answers were kept on purpose, or it is not known.

    A run without ``--resume keep`` refuses to begin if there are any, so the last command has it.
    """
    command = summary.stretches[-1].command if summary.stretches else UNSET
    return command is UNSET or resume_of(command) == "keep"


_COMPARED: Final = (
    "job", "name", "system", "variants", "questions_path", "questions_sha256", "limit", "top_k",
    "redact",
)  # fmt: skip
"""The fields of the header that parts of one run have in common."""


class RunPart(Struct, frozen=True, kw_only=True):
    """One part: its journal, its summary, and what it is a part of."""

    journal: Path
    summary: Summary
    info: PartInfo


class MergeResult(Struct, frozen=True, kw_only=True):
    """The merged run. ``outside`` rows of the parts belong to no case of theirs and were left out.

    ``stale`` answers are those that the parts kept with ``--resume keep``. ``labels`` and ``drawn``
    count what was taken over from the parts. ``is_earlier`` if the same parts were merged before:
    nothing was changed.
    """

    journal: Path
    summary: Summary
    parts: int
    outside: int
    stale: int = 0
    labels: int = 0
    drawn: int = 0
    is_earlier: bool = False


def merge_parts(
    journals: Sequence[Path], target: Path | None = None, *, fresh: bool = False
) -> MergeResult:
    """Write the run that the parts in ``journals`` make up to ``target``.

    By default it has the name that the run would have had, beside the first part. A run of that
    name is refused unless it has just the rows of the parts, as after a merge that was killed at its
    end; with ``fresh`` it is renamed and kept.

    Raises:
        UseError: The journals are not all the parts of one run, each once, or have rows of
            another experiment.
    """
    parts = read_parts(journals)
    target = target or parts[0].journal.with_name(parts[0].info.journal)
    if target in {part.journal for part in parts}:
        raise UseError(f"{target}: is one of the parts; choose another name with --out")
    check_rows_path(target)
    with locked_journal(target):
        _remove_staged(target)
        people = read_part_labels([part.journal for part in parts], target.stem)
        with _staged(target) as staged:
            result = _write(parts, staged)
            if target.exists() and not fresh:
                if target.is_file() and filecmp.cmp(staged, target, shallow=False):
                    return replace(result, journal=target, is_earlier=True)
                raise UseError(
                    f"{target}: exists already; choose another name with --out, or use --resume "
                    "fresh to rename it and keep it"
                )
            _refuse_folders(staged, target)
            if target.exists():
                set_aside(target)
            # the rows are the last: without them there is no run, and it can be merged again
            labels = write_part_labels(target, people)
            for path in sorted(staged.parent.iterdir(), key=lambda path: path == staged):
                path.replace(target.with_name(path.name))
    return replace(result, journal=target, labels=labels, drawn=len(people.drawn))


@contextmanager
def _staged(target: Path) -> Iterator[Path]:
    """The path of ``target`` in a new folder beside it, which is gone at the end."""
    folder = Path(tempfile.mkdtemp(prefix=f".{target.stem}.merge-", dir=target.parent))
    try:
        yield folder / target.name
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_staged(target: Path) -> None:
    """Remove the folders of earlier merges that were killed; the target is locked."""
    name = re.compile(rf"\.{re.escape(target.stem)}\.merge-[a-z0-9_]{{8}}")
    for left in target.parent.iterdir():
        if name.fullmatch(left.name):
            shutil.rmtree(left, ignore_errors=True)


def _refuse_folders(staged: Path, target: Path) -> None:
    """Raise ``UseError`` if a folder has the name of a file that is to be written."""
    for path in staged.parent.iterdir():
        if path != staged and target.with_name(path.name).is_dir():
            raise UseError(f"{target.with_name(path.name)}: is a folder; rename it and merge again")


def read_parts(journals: Sequence[Path]) -> list[RunPart]:
    """The parts in the order of their numbers, if they are all the parts of one run."""
    parts = sorted(map(_read_part, without_companions(journals)), key=lambda part: part.info.number)
    if not parts:
        raise UseError("name the parts to merge: assay merge NAME.shard-*-of-4.jsonl")
    first = parts[0]
    for part in parts[1:]:
        if same_hash(part.info.plan, first.info.plan) is False or part.info.of != first.info.of:
            raise UseError(
                f"{part.journal}: belongs to another run than {first.journal}: "
                f"{_difference(first, part)}"
            )
    by_number: dict[int, Path] = {}
    for part in parts:
        if part.info.number in by_number:
            raise UseError(
                f"part {part.info.number} of {part.info.of} is named twice: "
                f"{by_number[part.info.number]} and {part.journal}"
            )
        by_number[part.info.number] = part.journal
    missing = [str(n) for n in range(1, first.info.of + 1) if n not in by_number]
    if missing:
        shown = ", ".join(missing[:20]) + (", …" if len(missing) > 20 else "")
        raise UseError(
            f"{counted(len(missing), 'part')} of {first.info.of} missing: {shown}; run each with "
            f"--shard NUMBER/{first.info.of}"
        )
    return parts


def _read_part(journal: Path) -> RunPart:
    summary = read_summary(summary_path(journal))
    if summary is None:
        raise UseError(f"{journal}: its summary {summary_path(journal).name} is not beside it")
    info = part_info(summary)
    if info is None:
        raise UseError(f"{journal}: is not a part of a run; parts are made with --shard")
    if Path(info.journal).name != info.journal:
        raise UseError(
            f"{summary_path(journal)}: {info.journal!r} is not the name of a journal; "
            "run this part again"
        )
    if is_being_written(journal):
        raise UseError(f"{journal}: a run is writing to it; merge when it has ended")
    return RunPart(journal=journal, summary=summary, info=info)


def _difference(first: RunPart, other: RunPart) -> str:
    """What differs between two parts that are not of one run."""
    if first.info.of != other.info.of:
        return f"it is one of {other.info.of} parts, not of {first.info.of}"
    differing = [
        name for name in _COMPARED if getattr(first.summary, name) != getattr(other.summary, name)
    ]
    names = ", ".join(name.replace("_", " ") for name in differing)
    return f"they differ in {names or 'what answers are held against, or in the version of assay'}"


def _write(parts: Sequence[RunPart], target: Path) -> MergeResult:
    header = whole_header(parts[0].summary, parts[0].info.total)
    judgings = {part.summary.judging for part in parts}
    header = replace(header, judging=header.judging if len(judgings) == 1 else MIXED)
    if len({ruler.ruler_of(part.summary.extra) for part in parts}) > 1:
        header = replace(header, extra={**header.extra, ruler.FIELD: ruler.MIXED})
    header = _with_scorers(header, parts)
    plans = [_plan_of(part) for part in parts]
    _merge_plans(plans, target, header)
    verdicts = [path for part in parts if (path := verdicts_path(part.journal)).exists()]
    if verdicts:
        write_atomically(verdicts_path(target), _whole_lines(verdicts), is_masked=True)
    rows = _Rows()
    write_atomically(target, chain(_metadata(parts), rows.lines(parts, plans)), is_masked=True)
    summary = _merged_summary(parts, header, rows)
    write_summary(summary_path(target), replace(summary, state="running"))
    results = RecordedRun(target, header.job).summary_results()
    summary = replace(summary, results=results)
    write_summary(summary_path(target), summary)
    return MergeResult(
        journal=target,
        summary=summary,
        parts=len(parts),
        outside=rows.outside,
        stale=rows.stale,
    )


def _with_scorers(header: RunHeader, parts: Sequence[RunPart]) -> RunHeader:
    """The header with the scorers of users in any part; one that is not the same in all has no version."""
    found = [declarations(part.summary.extra) for part in parts]
    merged = {name: each for scorers in found for name, each in scorers.items()}
    if not merged:
        return header
    declared = [
        asdict(each if all(part.get(name) == each for part in found) else replace(each, version=""))
        for name, each in merged.items()
    ]
    return replace(header, extra={**header.extra, own_scorer.FIELD: declared})


def _merge_plans(plans: Sequence[StoredPlan], target: Path, header: RunHeader) -> None:
    first = plans[0].header
    total = sum(plan.header.total for plan in plans)
    if total != header.total:
        raise UseError(
            f"the parts have {counted(total, 'case')} together, but the run has {header.total}; "
            "run the part again whose plan was changed"
        )
    merged = PlanHeader(
        made_of=header_digest(header),
        total=header.total,
        system=first.system,
        variants=first.variants,
        placements=first.placements,
        lines=first.lines,
    )
    write_plan(target, merged, in_turn([iter(plan.marks.items()) for plan in plans]))


def _plan_of(part: RunPart) -> StoredPlan:
    plan = read_plan(part.journal)
    if plan is None:
        raise UseError(f"{part.journal}: its plan is not beside it; run this part again")
    return plan


def _whole_lines(paths: Iterable[Path]) -> Iterator[bytes]:
    for path in paths:
        for _ in read_rows(path, Verdict):  # a line that is no verdict is an error with its number
            pass
        for block in read_line_blocks(path, torn_end=True):
            yield block.data


def _metadata(parts: Sequence[RunPart]) -> Iterator[bytes]:
    """The first line of the first part, if it is one without a key."""
    metadata = read_metadata(parts[0].journal)
    if metadata:
        yield encode_row(metadata) + b"\n"


class _Rows:
    """Copies rows, and counts what the summary says about them."""

    def __init__(self) -> None:
        self.index = JournalIndex()
        self.outside = 0
        self.stale = 0
        self.judge_paid: float | None = None
        self.paid: float | None = None
        self._lost: set[str] = set()
        self._filtered: set[str] = set()

    def lines(self, parts: Iterable[RunPart], plans: Iterable[StoredPlan]) -> Iterator[bytes]:
        """The lines of all parts, without those of cases that are not in the part's own plan."""
        for part, plan in zip(parts, plans, strict=True):
            compared = PartRows(part.journal, part.summary, plan)
            cases = read_run_cases(part.journal, part.summary, job_spec_of(part.summary))
            chosen = RowFilter(cases)
            for block in read_lines(part.journal):
                compared.add(head for head, _ in block)
                own = [(head, line) for head, line in block if chosen.has(head.key)]
                self._count([head for head, _ in own])
                yield b"".join(line + b"\n" for _, line in own)
            self.outside += chosen.outside
            self.stale += compared.stale()

    def _count(self, heads: list[RowHead]) -> None:
        self.index.add(heads)
        for head in heads:
            if head.paid is not None:
                self.paid = (self.paid or 0.0) + max(head.paid, 0.0)
            if head.judge_paid is not None:
                self.judge_paid = (self.judge_paid or 0.0) + max(head.judge_paid, 0.0)
            self._lost.discard(head.key)
            self._filtered.discard(head.key)
            if head.lost and head.status == "scored":
                self._lost.add(head.key)
            if head.status == "failed" and head.error_kind == Filtered.kind:
                self._filtered.add(head.key)

    def tally(self) -> Tally:
        """How many cases ended in each way."""
        return replace(
            self.index.tally(),
            lost=len(self._lost) or UNSET,
            filtered=len(self._filtered) or UNSET,
        )


def _merged_summary(parts: Sequence[RunPart], header: RunHeader, rows: _Rows) -> Summary:
    summaries = [part.summary for part in parts]
    tally = rows.tally()
    finished = tally.scored + tally.skipped + (tally.spared or 0)
    is_complete = finished == header.total
    sessions = sorted(
        (session for summary in summaries for session in summary.stretches),
        key=lambda session: session.started_at,
    )
    prepare_paid = _sum(summary.prepare_paid for summary in summaries)
    fields: dict[str, Any] = {name: getattr(header, name) for name in RunHeader.__struct_fields__}
    fields.update(
        started_at=_chosen(min, (summary.started_at for summary in summaries)) or "",
        completed_at=_chosen(max, (summary.completed_at for summary in summaries))
        if is_complete
        else None,
    )
    return Summary(
        **fields,
        state="complete" if is_complete else "partial",
        tally=tally,
        paid=_sum((rows.paid, rows.judge_paid, prepare_paid)),
        judge_paid=rows.judge_paid,
        prepare_paid=prepare_paid,
        elapsed_s=_sum(summary.elapsed_s for summary in summaries),
        stretches=tuple(sessions),
    )


def _chosen(choose: Callable[[list[str]], str], moments: Iterable[str | None]) -> str | None:
    known = [moment for moment in moments if moment]
    return choose(known) if known else None


def _sum(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known), 12) if known else None
