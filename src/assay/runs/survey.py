"""The state of a plan, determined while its journal is read.

The rows of a journal are almost in the order of the plan; they differ only because cases run
concurrently and overtake each other. The plan is therefore iterated in parallel with the
journal, a window ahead, and a row that matches its planned case is forgotten at once. Only
unexpected rows are kept by key: rows that failed or were skipped, rows of an edited experiment,
repeated rows and rows far out of order. Comparing a million rows takes little more time than
decoding them, and only the memory of the window.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import islice, repeat
from pathlib import Path
from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from assay.errors import Filtered, JournalStale, UseError
from assay.mask import is_forgotten, is_sealed, mask_values, redactor, sealed
from assay.records import Case, Failed, Question, Variant, digest
from assay.runs.handler import CaseHandler
from assay.runs.plan import (
    CONFIGURED,
    FurtherMark,
    Plan,
    in_scheme_of,
    other_top_k,
    same_fingerprint,
)
from assay.runs.read import last_row_fields, read_heads
from assay.runs.row import RowHead, complete_row
from assay.runs.write import Journal, encode_row
from assay.systems.protocol import differs_in_corpus_only
from assay.text.width import counted

# Descriptions of what was edited between two runs of an experiment.


def changes(
    edited: Sequence[tuple[Case, str]],
    system: str,
    recorded_system: str | None,
    recorded_variants: Sequence[Variant],
) -> Iterator[str]:
    """Describe each edit: to the system, to a variant's settings, to questions.

    ``edited`` pairs every affected case with the fingerprint that was recorded for it. Old
    values are named only if the recorded header is known.
    """
    questions: dict[str, None] = {}
    variants: dict[str, Variant] = {}
    reconfigured: dict[str, Variant] = {}
    system_changed = False
    for case, recorded in edited:
        was, now = recorded.split("-"), in_scheme_of(recorded, case.fingerprint).split("-")
        if problem := _incomparable(was, now):
            yield problem
            return
        system_changed |= was[0] != now[0]
        if was[1].partition(CONFIGURED)[0] != now[1].partition(CONFIGURED)[0]:
            variants[case.variant.name] = case.variant
        elif was[1] != now[1]:
            reconfigured[case.variant.name] = case.variant
        if was[2] != now[2]:
            questions[case.question.id] = None
    if system_changed:
        was_system = f" (was {recorded_system})" if recorded_system else ""
        is_corpus = recorded_system is not None and differs_in_corpus_only(system, recorded_system)
        why = "the documents or their chunks changed: " if is_corpus else ""
        yield f"{why}the system is now {system}{was_system}"
    before = {variant.name: variant for variant in recorded_variants}
    for name, variant in variants.items():
        known = _settings_changes(before[name].settings, variant.settings) if name in before else {}
        yield f"variant {name}: {', '.join(known.values()) or _UNNAMED}"
    if reconfigured:
        yield f"the configuration of the system: {_configuration_changes(before, reconfigured)}"
    if questions:
        ids = ", ".join(islice(questions, 5))
        more = f" and {len(questions) - 5} more" if len(questions) > 5 else ""
        yield f"the content of {counted(len(questions), 'question')} changed: {ids}{more}"


def _incomparable(was: Sequence[str], now: Sequence[str]) -> str:
    """Why the parts of two fingerprints do not say what was edited; empty if they do."""
    if len(was) != len(now):
        return "the rows were written by another version of assay"
    if is_sealed(was[0]) and (not is_sealed(now[0]) or not {*was} & {*now}):
        return (
            "the rows were redacted with a key that this run does not have (use the redaction and "
            "the key that wrote them), or everything changed"
        )
    return ""


_UNNAMED: Final = "its settings changed"


def _configuration_changes(before: Mapping[str, Variant], now: Mapping[str, Variant]) -> str:
    """The settings of the system that changed for any of the variants, each once."""
    known: dict[str, str] = {}
    for name, variant in now.items():
        was = before[name].configuration if name in before else UNSET
        if was and variant.configuration:
            known |= _settings_changes(was, variant.configuration)
    return ", ".join(known[name] for name in sorted(known)) or _UNNAMED


def _settings_changes(was: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, str]:
    """What changed in each setting, in the order of their names.

    Recorded values are masked, so only those that differ without secrets and values are known.
    """
    was, now = mask_values(was), mask_values(now)

    def value_text(settings: Mapping[str, Any], name: str) -> str:
        return repr(settings[name]) if name in settings else "unset"

    return {
        name: f"{name} {value_text(was, name)} → {value_text(now, name)}"
        for name in sorted({*was, *now})
        if value_text(was, name) != value_text(now, name)
    }


LEAD = 1024
_UNKNOWN: Final = FurtherMark()


class SurveyResult(Struct, frozen=True, kw_only=True):
    """How many cases of a plan are done, and which are answered, have failed or are stale.

    ``done`` includes the ``skipped`` cases. ``answered`` holds the rows of answers that are
    not judged yet, by key. ``stale`` holds the keys of cases that were done or answered before the
    experiment was edited, ``corrected`` those of which only the gold was corrected since.
    ``outdated`` is the number of answers that were compared with something else than today.
    ``outside`` is the number of recorded cases that are not part of the plan. ``paid`` is what
    the system cost, ``judge_paid`` what judging cost, both for all rows; ``outside_paid`` and
    ``outside_judge_paid`` are the parts of the cases outside the plan. ``outside_top_k`` are the
    values of ``top_k`` outside the plan, if every case outside it has another one. ``lost`` are the done cases,
    and ``filtered`` the failed ones, whose answer the provider's filter withheld. ``spared`` are
    done too: a decision by the rule of this plan made them unnecessary.
    """

    done: int = 0
    skipped: int = 0
    spared: frozenset[str] = frozenset()
    answered: Mapping[str, RowHead] = {}
    failed: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()
    corrected: frozenset[str] = frozenset()
    outdated: int = 0
    outside: int = 0
    outside_top_k: tuple[int, ...] = ()
    lost: frozenset[str] = frozenset()
    filtered: frozenset[str] = frozenset()
    paid: float = 0.0
    judge_paid: float = 0.0
    outside_paid: float = 0.0
    outside_judge_paid: float = 0.0


class Survey:
    """Compares the rows of a journal with ``plan``; ``add`` expects them in file order."""

    def __init__(self, plan: Plan, *, lead: int = LEAD) -> None:
        self._plan = plan
        self._marks = plan.marks()
        self._further_marks = plan.further_marks() if plan.further_marks is not None else None
        self._ahead: dict[str, str] = {}  # passed in the plan, not yet seen in the journal
        self._further: dict[str, FurtherMark] = {}  # of the same cases
        self._unexpected: dict[str, RowHead] = {}
        self._outdated: set[str] = set()
        self._lost: set[str] = set()
        self._filtered: set[str] = set()
        self._unexpected_paid: dict[str, tuple[float, float]] = {}
        self._done_beyond: set[str] = set()  # done, but not yet reached in the plan
        self._advanced = 0
        self._matched = 0
        self._paid = 0.0
        self._judge_paid = 0.0
        self._lead = lead
        self._result: SurveyResult | None = None

    def add(self, heads: list[RowHead]) -> None:
        """Compare the next rows with the plan."""
        if redactor() is not None:
            heads = list(map(_with_sealed_hashes, heads))
        self._advance(len(heads) + self._lead)
        self._lead = 0
        self._compare(self._without_matching(heads))
        # a row of another program may have a bill that cannot be right
        self._paid += sum([head.paid for head in heads if head.paid is not None and head.paid > 0])
        self._note_unusual(heads)

    def _without_matching(self, heads: list[RowHead]) -> list[RowHead]:
        """Count the rows that are exactly as expected, almost all of them, and return the others.

        It does what ``_compare`` does in a third of the time. Only the first row of a key can be
        as expected, so the order of the others does not change.
        """
        keys = [head.key for head in heads]
        expected = list(map(self._ahead.pop, keys, repeat(None)))
        others = [
            (head, mark)
            for head, mark in zip(heads, expected, strict=True)
            if head.fingerprint != mark or head.status != "scored"
        ]
        self._matched += len(heads) - len(others)
        self._ahead.update((head.key, mark) for head, mark in others if mark)
        if self._unexpected:
            again = self._unexpected.keys() & set(keys)
            for key in again.difference([head.key for head, _ in others]):
                del self._unexpected[key]
        if self._further_marks is not None:
            self._note_outdated(
                [
                    head
                    for head, mark in zip(heads, expected, strict=True)
                    if head.fingerprint == mark and head.status == "scored"
                ]
            )
        return [head for head, _ in others]

    def _note_outdated(self, matching: list[RowHead]) -> None:
        """Note which of the rows that are as expected were compared with something else."""
        further = map(self._further.pop, [head.key for head in matching])
        others = [
            (head, mark)
            for head, mark in zip(matching, further, strict=True)
            if head.scored_against != mark.against
        ]
        self._outdated.update(head.key for head, mark in others if _is_outdated(head, mark))

    def _compare(self, heads: list[RowHead]) -> None:
        pop_expected, unexpected = self._ahead.pop, self._unexpected
        pop_further, further = self._further.pop, _UNKNOWN
        has_further = self._further_marks is not None
        matched = 0
        for head in heads:
            if head.status == "scored":
                key = head.key
                expected = pop_expected(key, None)
                if expected is not None:
                    if has_further:
                        further = pop_further(key)
                    if expected == head.fingerprint or _is_former(head, expected, further):
                        matched += 1
                        if unexpected:
                            unexpected.pop(key, None)
                        if has_further and _is_outdated(head, further):
                            self._outdated.add(key)
                        continue
                    self._ahead[key] = expected
                    if has_further:
                        self._further[key] = further
            unexpected[head.key] = head
            if head.paid or head.judge_paid:
                paid, judge_paid = self._unexpected_paid.get(head.key, (0.0, 0.0))
                self._unexpected_paid[head.key] = (
                    paid + max(head.paid or 0.0, 0.0),
                    judge_paid + max(head.judge_paid or 0.0, 0.0),
                )
        self._matched += matched

    def _note_unusual(self, heads: list[RowHead]) -> None:
        """Note what judges cost, and which answers the provider withheld.

        The last row of a key says whether its answer was withheld.
        """
        unusual = [head for head in heads if head.judge_paid or head.lost or head.error_kind]
        if unusual:
            self._judge_paid += sum(max(head.judge_paid or 0.0, 0.0) for head in unusual)
        if self._lost or self._filtered or any(map(_is_withheld, unusual)):
            for head in heads:
                self._lost.discard(head.key)
                self._filtered.discard(head.key)
                if _is_withheld(head):
                    (self._lost if head.status == "scored" else self._filtered).add(head.key)

    def result(self) -> SurveyResult:
        """The state of the plan. Call it only after every row has been added."""
        if self._result is None:
            self._result = self._compute_result()
        return self._result

    def pending(self) -> Iterator[Case]:
        """The cases that are not done, in the order of the plan; answered ones are not asked."""
        self.result()
        return self._plan.cases(
            first=self._advanced, open_keys=self._ahead, done_keys=self._done_beyond
        )

    def to_ask(self) -> Iterator[Case]:
        """The pending cases that have no recorded answer."""
        answered = self.result().answered
        return (case for case in self.pending() if case.key not in answered)

    def refuse_stale(
        self, recorded_system: str | None, recorded_variants: Sequence[Variant]
    ) -> None:
        """Raise ``JournalStale`` with a list of the edits if any recorded answer is stale."""
        stale = self.result().stale
        if not stale:
            return
        edited = [
            (case, self._unexpected[case.key].fingerprint)
            for case in self._plan.cases()
            if case.key in stale
        ]
        system = sealed(self._plan.system)
        edits = "; ".join(changes(edited, system, recorded_system, recorded_variants))
        raise JournalStale(
            f"{counted(len(stale), 'recorded answer belongs', 'recorded answers belong')} to an "
            "earlier version of this experiment: "
            f"{edits}. Use --resume refresh to ask only these cases again, --resume fresh to start again "
            "(the old file is kept next to the new one), or --resume keep to keep the recorded answers "
            "as they are"
        )

    def accept_corrected(self, journal: Path) -> None:
        """Take out of the stale answers those of which only the gold was corrected.

        The first version of assay recorded a fingerprint that covers the gold. A row has its gold
        too: if the question with this gold has the recorded fingerprint, nothing else differs.
        """
        result, restore = self.result(), self._plan.with_recorded_gold
        if not result.stale or restore is None:
            return
        rows = {k: row for k, row in last_row_fields(journal).items() if k in result.stale}
        corrected = frozenset(
            case.key
            for case in self._plan.cases()
            if (row := rows.get(case.key)) is not None
            and same_fingerprint(
                row["fingerprint"], _fingerprint_of(case, restore(case.question, row))
            )
        )
        self._result = replace(result, stale=result.stale - corrected, corrected=corrected)

    def reopen(self, keys: Collection[str]) -> None:
        """Let these spared cases be pending again: their decision does not hold any more."""
        result = self.result()
        for key in keys:
            if key in self._done_beyond:
                self._done_beyond.discard(key)
            else:
                self._ahead[key] = ""
        spared = result.spared.difference(keys)
        self._result = replace(result, done=result.done - len(keys), spared=spared)

    def reopen_stale(self) -> None:
        """Let the cases with stale answers be pending again, as those that have failed."""
        result = self.result()
        was_done = [key for key in result.stale if key not in result.answered]
        for key in was_done:
            if key in self._done_beyond:
                self._done_beyond.discard(key)
            else:
                self._ahead[key] = ""
        skipped = sum(self._unexpected[key].status == "skipped" for key in was_done)
        self._outdated -= result.stale
        self._result = replace(
            result,
            done=result.done - len(was_done),
            skipped=result.skipped - skipped,
            spared=result.spared - result.stale,
            answered={k: head for k, head in result.answered.items() if k not in result.stale},
            failed=result.failed | result.stale,
            stale=frozenset(),
            outdated=len(self._outdated),
            lost=result.lost - result.stale,
        )

    def _advance(self, count: int) -> None:
        before = len(self._ahead)
        self._ahead.update(islice(self._marks, count))
        if self._further_marks is not None:
            added = islice(self._ahead, before, None)  # a dict keeps the order of its keys
            self._further.update(zip(added, self._further_marks, strict=False))
        self._advanced += len(self._ahead) - before

    def _compute_result(self) -> SurveyResult:
        """Evaluate the unexpected rows, of which only the last for each key was kept."""
        done, skipped = self._matched, 0
        spared: set[str] = set()
        spared_by = self._plan.spared_by()
        answered: dict[str, RowHead] = {}
        failed: set[str] = set()
        stale: set[str] = set()
        outside = set(self._unexpected)
        for position, key, expected, further in self._unexpected_marks():
            head = self._unexpected[key]
            outside.discard(key)
            was_matched = position < self._advanced and key not in self._ahead
            done -= was_matched
            recorded = head.recorded if head.status == "answered" else UNSET
            is_current = expected == head.fingerprint or _is_former(head, expected, further)
            if recorded is not UNSET and not is_current:
                stale.add(key)
            self._note_against(head, further)
            is_asked_now = head.status == "spared" and head.spared_by != spared_by
            if is_asked_now or head.status in {"answered", "failed"}:
                if recorded is not UNSET:
                    answered[key] = head
                elif not is_asked_now:
                    failed.add(key)
                if position < self._advanced:
                    self._ahead[key] = expected
                continue
            done += 1
            skipped += head.status == "skipped"
            if head.status == "spared":
                spared.add(key)
            if not is_current:
                stale.add(key)
            if position < self._advanced:
                self._ahead.pop(key, None)
            else:
                self._done_beyond.add(key)
        return SurveyResult(
            done=done,
            skipped=skipped,
            spared=frozenset(spared),
            answered=answered,
            failed=frozenset(failed),
            stale=frozenset(stale),
            outdated=len(self._outdated),
            outside=len(outside),
            outside_top_k=other_top_k(outside, self._plan.placements),
            lost=frozenset(self._lost - outside),
            filtered=frozenset(self._filtered & failed),
            paid=self._paid,
            judge_paid=self._judge_paid,
            outside_paid=sum(self._unexpected_paid.get(key, (0.0, 0.0))[0] for key in outside),
            outside_judge_paid=sum(
                self._unexpected_paid.get(key, (0.0, 0.0))[1] for key in outside
            ),
        )

    def _note_against(self, head: RowHead, further: FurtherMark) -> None:
        """Note whether the answer in the last row of a key was compared with something else."""
        self._outdated.discard(head.key)
        if head.status == "scored" and _is_outdated(head, further):
            self._outdated.add(head.key)

    def _unexpected_marks(self) -> Iterator[tuple[int, str, str, FurtherMark]]:
        """Position, key and marks of each unexpected row that is in the plan.

        If all of them are in the window, the plan is not iterated again and each position is 0.
        """
        unexpected = self._unexpected
        if unexpected.keys() <= self._ahead.keys():
            for key in unexpected:
                yield 0, key, self._ahead[key], self._further.get(key, _UNKNOWN)
            return
        make_further = self._plan.further_marks
        all_further = repeat(_UNKNOWN) if make_further is None else make_further()
        marks = zip(self._plan.marks(), all_further, strict=False)
        for position, ((key, fingerprint), further) in enumerate(marks):
            if key in unexpected:
                yield position, key, fingerprint, further


def _is_former(head: RowHead, fingerprint: str, further: FurtherMark) -> bool:
    """Whether the fingerprint is one that an earlier version of assay recorded for the case.

    Without a key no fingerprint was recorded that another run can compare; the row is kept.
    """
    if is_forgotten(head.fingerprint) or same_fingerprint(head.fingerprint, fingerprint):
        return True
    if further.former is None:
        return False
    fingerprint = in_scheme_of(head.fingerprint, fingerprint)
    start = fingerprint.rpartition("-")[0]
    is_near = head.fingerprint.startswith(start)
    return is_near and head.fingerprint == f"{start}-{sealed(further.former())}"


def _with_sealed_hashes(head: RowHead) -> RowHead:
    """The head as a run with redaction writes it; earlier versions wrote plain hashes."""
    return replace(
        head,
        fingerprint=sealed(head.fingerprint),
        scored_against=sealed(head.scored_against),
        spared_by=sealed(head.spared_by),
    )


def _is_outdated(head: RowHead, further: FurtherMark) -> bool:
    """Whether the answer was compared with something else than today; false if it is not known."""
    today = further.against
    is_known = head.scored_against != "" and not is_forgotten(head.scored_against)
    return today is not None and is_known and head.scored_against != today


def _is_withheld(head: RowHead) -> bool:
    """Whether the provider's filter withheld the answer."""
    if head.status == "scored":
        return head.lost != ""
    return head.status == "failed" and head.error_kind == Filtered.kind


def _fingerprint_of(case: Case, question: Question) -> str:
    """The fingerprint that the first version recorded for this question, put to this system."""
    return f"{case.fingerprint.rpartition('-')[0]}-{sealed(digest(question))}"


def survey_journal(path: Path, plan: Plan) -> Survey:
    """Survey a journal without locking or changing it; a missing file counts as empty."""
    survey = Survey(plan)
    for heads in read_heads(path):
        survey.add(heads)
    return survey


# Answers of an earlier version of an experiment that are asked again.

KIND: Final = "changed"
_MESSAGE: Final = (
    "the question, its settings or the system changed after the answer was recorded; it is asked "
    "again"
)


def void_changed(plan: Plan, handler: CaseHandler, journal: Journal, survey: Survey) -> None:
    """Append a failed row for each recorded answer of an earlier version.

    The last row of a key counts, so wherever the run stops, no table has an answer to what is no
    longer asked, and the next run asks these cases as it asks any failed one.
    """
    stale = survey.result().stale
    if not stale:
        return
    outcome = Failed(kind=KIND, message=_MESSAGE, elapsed_s=0.0, attempts=0)
    rows = []
    for case in plan.cases():
        if case.key in stale:
            row = complete_row(handler.row(case, outcome), case, outcome, time.time())
            rows.append(encode_row(row))
    journal.write(rows)
    survey.reopen_stale()


def refuse_to_ask_changed(plan: Plan, survey: Survey) -> None:
    """Raise ``UseError`` if a decision by the answers so far would lose some of them."""
    if survey.result().stale and plan.spared_by():
        raise UseError(
            "--resume refresh: this run stops early, and its decisions depend on the answers that "
            "changed; use --resume fresh to start again"
        )


# Keeping the variants of an experiment separate in time.
#
# Some systems keep their settings in a place that all their calls share. Questions of two variants
# that are asked at the same time would then be answered with each other's settings, and every row
# would still look right. For such a system, a question of another variant has to wait until all
# that are being asked have ended.

_MOST_HELD: Final = 4096
QUESTIONS_EACH: Final = 8
"""So many questions of a variant for each one that is asked at a time: turns shall be rare."""


class SettingsGate:
    """Lets cases of one variant in together, those of another only when all have left.

    Cases are let in in the order in which they come, so that no variant waits for ever.
    """

    def __init__(self) -> None:
        self._variant = ""
        self._inside = 0
        self._waiting: deque[tuple[str, asyncio.Future[None]]] = deque()

    @asynccontextmanager
    async def variant(self, name: str) -> AsyncIterator[None]:
        """Hold a place for a case of this variant during the ``with`` block."""
        if self._waiting or not self._fits(name):
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append((name, turn))
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._leave()  # it had been let in at the same moment
                raise
        else:
            self._enter(name)
        try:
            yield
        finally:
            self._leave()

    def _fits(self, name: str) -> bool:
        return self._inside == 0 or name == self._variant

    def _enter(self, name: str) -> None:
        self._variant = name
        self._inside += 1

    def _leave(self) -> None:
        self._inside -= 1
        while self._waiting and (self._waiting[0][1].done() or self._fits(self._waiting[0][0])):
            name, turn = self._waiting.popleft()
            if not turn.done():
                self._enter(name)
                turn.set_result(None)


def by_variant(cases: Iterator[Case], *, variants: int, questions: int) -> Iterator[Case]:
    """The cases, where so many questions of each variant follow each other.

    A plan changes the variant at every case. With a gate between variants only one question would
    then be asked at a time. Only a part of the plan is held in memory, and every variant is asked
    about the same questions before the next part begins.
    """
    size = min(_MOST_HELD, variants * questions)
    while part := list(islice(cases, size)):
        groups: dict[str, list[Case]] = {}
        for case in part:
            groups.setdefault(case.variant.name, []).append(case)
        for group in groups.values():
            yield from group
