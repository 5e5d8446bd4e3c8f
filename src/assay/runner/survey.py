"""How far a plan has got, found out while its journal is read.

Rows lie in a journal nearly in the order of the plan: they leave it only by as much as
cases overtake each other. So the plan is walked alongside the reading, a window ahead, and
a row that is met as expected is forgotten at once. Only surprises are kept by key: rows
that failed, were skipped, were made by an edited experiment, come twice or out of order.
A million rows are compared in the time it takes to decode them, in the memory of the window.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct

from assay.errors import JournalStale
from assay.journal import RowHead, read_heads
from assay.records import Case, Variant
from assay.runner.change import changes
from assay.runner.plan import Plan

LEAD = 1024


class SurveyResult(Struct, frozen=True, kw_only=True):
    """Cases done, skipped and failed so far, and those done by an edited experiment."""

    done: int = 0
    skipped: int = 0
    failed: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()
    paid: float = 0.0


class Survey:
    """Compares rows with ``plan`` as they come; ``add`` takes them in file order."""

    def __init__(self, plan: Plan, *, lead: int = LEAD) -> None:
        self._plan = plan
        self._marks = plan.marks()
        self._ahead: dict[str, str] = {}  # walked in the plan, not met in the journal yet
        self._surprises: dict[str, RowHead] = {}
        self._beyond: set[str] = set()  # done, though the walk has not come to them
        self._walked = 0
        self._met = 0
        self._paid = 0.0
        self._lead = lead
        self._standing: SurveyResult | None = None

    def add(self, heads: list[RowHead]) -> None:
        """Take the next rows."""
        self._walk(len(heads) + self._lead)
        self._lead = 0
        take, surprises = self._ahead.pop, self._surprises
        met = 0
        for head in heads:
            if head.status == "scored":
                key = head.key
                expected = take(key, None)
                if expected == head.fingerprint:
                    met += 1
                    if surprises:
                        surprises.pop(key, None)
                    continue
                if expected is not None:
                    self._ahead[key] = expected
            surprises[head.key] = head
        self._met += met
        self._paid += sum([head.paid for head in heads if head.paid is not None])

    def standing(self) -> SurveyResult:
        """What it all comes to, once every row has been added."""
        if self._standing is None:
            self._standing = self._settle()
        return self._standing

    def pending(self) -> Iterator[Case]:
        """The cases that have no outcome yet, in the plan's order."""
        self.standing()
        return self._plan.cases(first=self._walked, open_keys=self._ahead, done_keys=self._beyond)

    def refuse_stale(
        self, recorded_system: str | None, recorded_variants: Sequence[Variant]
    ) -> None:
        """Raise ``JournalStale`` saying what was edited, if anything was."""
        stale = self.standing().stale
        if not stale:
            return
        edited = [
            (case, self._surprises[case.key].fingerprint)
            for case in self._plan.cases()
            if case.key in stale
        ]
        what = "; ".join(changes(edited, self._plan.system, recorded_system, recorded_variants))
        raise JournalStale(
            f"{len(stale)} recorded answers belong to an earlier version of this experiment: "
            f"{what}. Use --fresh to start anew (the old file is kept beside the new one) or "
            "--keep-stale to keep them as they are"
        )

    def _walk(self, count: int) -> None:
        before = len(self._ahead)
        self._ahead.update(islice(self._marks, count))
        self._walked += len(self._ahead) - before

    def _settle(self) -> SurveyResult:
        """Judge the surprises: each is the last row of its key."""
        done, skipped = self._met, 0
        failed: set[str] = set()
        stale: set[str] = set()
        for place, key, fingerprint in self._surprising_marks():
            head = self._surprises[key]
            met_before = place < self._walked and key not in self._ahead
            done -= met_before
            if head.error is not None or head.status == "failed":
                failed.add(key)
                if place < self._walked:
                    self._ahead[key] = fingerprint
                continue
            done += 1
            skipped += head.status == "skipped"
            if head.fingerprint != fingerprint:
                stale.add(key)
            if place < self._walked:
                self._ahead.pop(key, None)
            else:
                self._beyond.add(key)
        return SurveyResult(
            done=done,
            skipped=skipped,
            failed=frozenset(failed),
            stale=frozenset(stale),
            paid=self._paid,
        )

    def _surprising_marks(self) -> Iterator[tuple[int, str, str]]:
        """Place, key and fingerprint in the plan of every surprise that belongs to it."""
        surprises = self._surprises
        if surprises.keys() <= self._ahead.keys():
            for key in surprises:
                yield 0, key, self._ahead[key]
            return
        for place, (key, fingerprint) in enumerate(self._plan.marks()):
            if key in surprises:
                yield place, key, fingerprint


def survey_journal(path: Path, plan: Plan) -> Survey:
    """A survey of a journal that is only read; an absent one holds nothing."""
    survey = Survey(plan)
    for heads in read_heads(path):
        survey.add(heads)
    return survey
