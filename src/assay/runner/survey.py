"""The state of a plan, determined while its journal is read.

The rows of a journal are almost in the order of the plan; they differ only because cases run
concurrently and overtake each other. The plan is therefore iterated in parallel with the
journal, a window ahead, and a row that matches its planned case is forgotten at once. Only
unexpected rows are kept by key: rows that failed or were skipped, rows of an edited experiment,
repeated rows and rows far out of order. Comparing a million rows takes little more time than
decoding them, and only the memory of the window.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from msgspec import UNSET, Struct

from assay.errors import JournalStale
from assay.journal import RowHead, read_heads
from assay.records import Case, Variant
from assay.runner.change import changes
from assay.runner.plan import Plan

LEAD = 1024


class SurveyResult(Struct, frozen=True, kw_only=True):
    """How many cases of a plan are done, and which are answered, have failed or are stale.

    ``done`` includes the ``skipped`` cases. ``answered`` holds the rows of answers that are
    not judged yet, by key. ``stale`` holds the keys of cases that were done or answered before the
    experiment was edited. ``paid`` is what the system cost, ``judge_paid`` what judging cost.
    """

    done: int = 0
    skipped: int = 0
    answered: Mapping[str, RowHead] = {}
    failed: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()
    paid: float = 0.0
    judge_paid: float = 0.0


class Survey:
    """Compares the rows of a journal with ``plan``; ``add`` expects them in file order."""

    def __init__(self, plan: Plan, *, lead: int = LEAD) -> None:
        self._plan = plan
        self._marks = plan.marks()
        self._ahead: dict[str, str] = {}  # passed in the plan, not yet seen in the journal
        self._unexpected: dict[str, RowHead] = {}
        self._done_beyond: set[str] = set()  # done, but not yet reached in the plan
        self._advanced = 0
        self._matched = 0
        self._paid = 0.0
        self._judge_paid = 0.0
        self._lead = lead
        self._result: SurveyResult | None = None

    def add(self, heads: list[RowHead]) -> None:
        """Compare the next rows with the plan."""
        self._advance(len(heads) + self._lead)
        self._lead = 0
        pop_expected, unexpected = self._ahead.pop, self._unexpected
        matched = 0
        for head in heads:
            if head.status == "scored":
                key = head.key
                expected = pop_expected(key, None)
                if expected == head.fingerprint:
                    matched += 1
                    if unexpected:
                        unexpected.pop(key, None)
                    continue
                if expected is not None:
                    self._ahead[key] = expected
            unexpected[head.key] = head
        self._matched += matched
        self._paid += sum([head.paid for head in heads if head.paid is not None])
        self._judge_paid += sum([head.judge_paid for head in heads if head.judge_paid is not None])

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
        edits = "; ".join(changes(edited, self._plan.system, recorded_system, recorded_variants))
        raise JournalStale(
            f"{len(stale)} recorded answers belong to an earlier version of this experiment: "
            f"{edits}. Use --fresh to start again (the old file is kept next to the new one) or "
            "--keep-stale to keep the recorded answers as they are"
        )

    def _advance(self, count: int) -> None:
        before = len(self._ahead)
        self._ahead.update(islice(self._marks, count))
        self._advanced += len(self._ahead) - before

    def _compute_result(self) -> SurveyResult:
        """Evaluate the unexpected rows, of which only the last for each key was kept."""
        done, skipped = self._matched, 0
        answered: dict[str, RowHead] = {}
        failed: set[str] = set()
        stale: set[str] = set()
        for position, key, fingerprint in self._unexpected_marks():
            head = self._unexpected[key]
            was_matched = position < self._advanced and key not in self._ahead
            done -= was_matched
            recorded = head.recorded if head.status == "answered" else UNSET
            if recorded is not UNSET and head.fingerprint != fingerprint:
                stale.add(key)
            if head.status in {"answered", "failed"}:
                if recorded is not UNSET:
                    answered[key] = head
                else:
                    failed.add(key)
                if position < self._advanced:
                    self._ahead[key] = fingerprint
                continue
            done += 1
            skipped += head.status == "skipped"
            if head.fingerprint != fingerprint:
                stale.add(key)
            if position < self._advanced:
                self._ahead.pop(key, None)
            else:
                self._done_beyond.add(key)
        return SurveyResult(
            done=done,
            skipped=skipped,
            answered=answered,
            failed=frozenset(failed),
            stale=frozenset(stale),
            paid=self._paid,
            judge_paid=self._judge_paid,
        )

    def _unexpected_marks(self) -> Iterator[tuple[int, str, str]]:
        """Position, key and planned fingerprint of each unexpected row that is in the plan.

        If all of them are in the window, the plan is not iterated again and each position is 0.
        """
        unexpected = self._unexpected
        if unexpected.keys() <= self._ahead.keys():
            for key in unexpected:
                yield 0, key, self._ahead[key]
            return
        for position, (key, fingerprint) in enumerate(self._plan.marks()):
            if key in unexpected:
                yield position, key, fingerprint


def survey_journal(path: Path, plan: Plan) -> Survey:
    """Survey a journal without locking or changing it; a missing file counts as empty."""
    survey = Survey(plan)
    for heads in read_heads(path):
        survey.add(heads)
    return survey
