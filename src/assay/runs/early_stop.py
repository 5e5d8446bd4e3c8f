"""Stop asking a variant once its comparison with the baseline is decided.

The questions are asked in an order that looks random and is kept (``assay.runs.asking_order``). Each
question is asked with all variants before the next one, and ``assay.stats.decision`` takes the
differences in this order.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from assay.errors import UseError
from assay.mask import sealed
from assay.records import (
    Case,
    Estimand,
    Metric,
    Outcome,
    Scored,
    Skipped,
    Spared,
    digest,
    without_draw,
)
from assay.runs.read import read_fields
from assay.runs.row import Row

if TYPE_CHECKING:
    from assay.runs.plan import Plan
    from assay.runs.survey import Survey
    from assay.stats.decision import Decisions, ScoreRange


class EarlyStop(Struct, frozen=True, kw_only=True):
    """The rule by which a run stops asking; the fields are those of ``assay.stats.decision.StopRule``.

    ``largest`` is the number of questions after which an undecided comparison ends. With
    ``about_set`` the decisions are about these questions, otherwise about questions like these: on
    these documents (``fixed``), or on documents like these (``sample``). Then ``document_sizes`` are
    the numbers of questions of the documents in the order of asking.
    """

    metric: Metric
    baseline: str
    level: float = 0.05
    margin: float = 0.0
    about_set: bool = False
    largest: int | None = None
    seed: int = 0
    documents: Estimand = "fixed"
    document_sizes: tuple[int, ...] = ()

    def identity(self, questions: Iterable[str]) -> str:
        """Changes whenever the decisions about these questions may."""
        fields: list[Any] = [self.level, self.margin, self.about_set, self.largest, self.seed]
        if self.documents == "sample":
            fields.append(self.document_sizes)
        return sealed(digest([self.metric.name, self.baseline, *fields, sorted(questions)]))

    @property
    def most_questions(self) -> int | None:
        """After how many questions an undecided comparison ends; ``None``: after all."""
        return whole_documents_within(self.largest, self.document_sizes)


def whole_documents_within(largest: int | None, sizes: Sequence[int]) -> int | None:
    """The number of questions of the first documents that have at most ``largest`` together.

    Part of a document decides nothing. Without ``sizes``, or if the first document is larger, it is
    ``largest``.

    >>> whole_documents_within(10, (4, 4, 4)), whole_documents_within(10, ())
    (8, 10)
    """
    if largest is None:
        return None
    return max((end for end in accumulate(sizes) if end <= largest), default=largest)


class EarlyStopping:
    """Which cases of a running plan need not be asked.

    Rows that were recorded earlier count. A case that failed earlier is unknown: what was decided in
    spite of it stays decided, and it is asked again, unless it comes after a decision that is made
    only now.
    """

    def __init__(self, rule: EarlyStop, questions: list[str], variants: list[str]) -> None:
        self._rule = rule
        self._identity = rule.identity(questions)
        self._variants = variants
        self._questions = questions
        self._place = {name: place for place, name in enumerate(questions)}
        self._decisions = self._new_decisions()
        self._failed: set[str] = set()
        self._recorded: dict[str, Spared] = {}
        self._decided_before: dict[str, Spared] = {}

    def replay(self, journal: Path) -> None:
        """Take the scores and the decisions of the rows that are recorded already."""
        rows = {row["key"]: row for block in read_fields(journal) for row in block if "key" in row}
        with_failures = self._new_decisions()
        for key, row in rows.items():
            name, variant = str(row.get("question_id")), str(row.get("config"))
            if name not in self._place or variant not in self._variants:
                continue
            if without_draw(key) != key:  # of a run with several draws (--runs)
                continue
            if row.get("status") == "spared":
                self._note_recorded(variant, row)
                continue
            score = self._score(str(row.get("status") or "scored"), row)
            with_failures.note(name, variant, score)
            if row.get("status") in {"failed", "answered"}:
                self._failed.add(key)
            else:
                self._decisions.note(name, variant, score)
        now = self._verdicts(with_failures)
        self._recorded = {
            name: before
            for name, before in self._recorded.items()
            if name in now and now[name].decided == before.decided
        }
        self._decided_before = now | self._recorded

    def note(self, case: Case, outcome: Outcome, row: Row) -> None:
        """Take the score of a case that has ended."""
        if isinstance(outcome, Spared):
            return
        status = "scored" if isinstance(outcome, Scored) else "failed"
        status = "skipped" if isinstance(outcome, Skipped) else status
        score = self._score(status, msgspec.to_builtins(row))
        self._decisions.note(case.question.id, case.variant.name, score)

    def spared(self, case: Case) -> Spared | None:
        """Why the case need not be asked; ``None`` if it must be."""
        place, variant = self._place[case.question.id], case.variant.name
        decided = self._decided(variant)
        if decided is not None:
            must_repair = self._has_stopped(variant) or place < decided.decided_after
            return None if case.key in self._failed and must_repair else decided
        largest = self._rule.most_questions
        if largest is not None and place >= largest:
            reason = f"undecided after {largest} questions, the largest number"
            return Spared(reason=reason, rule=self._identity, decided_after=largest)
        return None

    def without_decision(self, keys: Iterable[str]) -> set[str]:
        """The keys of spared cases that must be asked after all.

        The scores on which their decision rested were corrected, or there are other variants.
        """
        return {key for key in keys if not self._is_spared(*key.rsplit("::", 2)[:2])}

    def _is_spared(self, question: str, variant: str) -> bool:
        largest, place = self._rule.most_questions, self._place[question]
        return self._decided(variant) is not None or (largest is not None and place >= largest)

    def _decided(self, variant: str) -> Spared | None:
        """The decision on the variant; on the baseline, once all others are decided."""
        decided = self._verdicts(self._decisions) | self._decided_before
        others = self._others()
        if variant != self._rule.baseline or not others or not decided.keys() >= others:
            return decided.get(variant)
        return Spared(
            reason="the comparison of every variant is decided",
            rule=self._identity,
            decided_after=max(decided[name].decided_after for name in others),
        )

    def _has_stopped(self, variant: str) -> bool:
        """Whether cases of the variant were spared by the same decision before."""
        names = self._others() if variant == self._rule.baseline else {variant}
        return self._recorded.keys() >= names

    def _others(self) -> set[str]:
        return {name for name in self._variants if name != self._rule.baseline}

    def _note_recorded(self, variant: str, row: Mapping[str, Any]) -> None:
        """Note the decision by which a case was spared, if it was made by the same rule."""
        if sealed(row.get("spared_by") or "") == self._identity and row.get("decided"):
            self._recorded[variant] = Spared(
                reason=str(row.get("reason")),
                rule=self._identity,
                decided=str(row["decided"]),
                decided_after=int(row["decided_after"]),
            )

    def _verdicts(self, decisions: "Decisions") -> dict[str, Spared]:
        """The decided variants, each with what is recorded about its cases."""
        return {
            name: Spared(
                reason=f"{found.verdict}, decided after {found.questions} questions",
                rule=self._identity,
                decided=found.verdict,
                decided_after=found.questions,
            )
            for name, each in decisions.comparisons.items()
            if (found := each.decision) is not None
        }

    def _score(self, status: str, row: Mapping[str, Any]) -> "ScoreRange | None":
        from assay.stats.decision import UNKNOWN  # noqa: PLC0415 - NumPy takes 0.2 s to import

        if status == "skipped":
            return None
        if status != "scored":
            return UNKNOWN
        return score_of(self._rule.metric, field_value(row, self._rule.metric.field))

    def _new_decisions(self) -> "Decisions":
        from assay.stats.decision import Decisions, StopRule  # noqa: PLC0415 - as above

        rule = self._rule
        size = len(self._questions) if rule.about_set else None
        stop_rule = StopRule(level=rule.level, margin=rule.margin, size=size)
        return Decisions(
            stop_rule,
            rule.baseline,
            self._variants,
            self._questions,
            sizes=rule.document_sizes,
        )


def score_of(metric: Metric, value: object) -> "ScoreRange | None":
    """A value of the metric as a score that is better the higher it is; ``None`` if undefined."""
    from assay.stats.decision import ScoreRange  # noqa: PLC0415 - as above

    if value is None:
        return None
    if not isinstance(value, bool | int | float) or not 0 <= value <= 1:
        raise UseError(
            f"{metric.name} is {value!r} in one row; only a metric between 0 and 1 can be "
            "compared until it is decided, so run without --stop-early"
        )
    score = 1.0 - value if metric.better == "lower" else float(value)
    return ScoreRange(score, score)


def field_value(row: Mapping[str, Any], field: str) -> object:
    """The value at a path of fields joined by dots; ``None`` if it is not there."""
    value: Any = row
    for step in field.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def early_stopping(plan: "Plan", journal: Path, survey: "Survey") -> EarlyStopping | None:
    """What decides which cases need not be asked, with what the journal says already.

    Cases that were spared by a decision that no longer holds are pending in ``survey`` again.
    """
    if plan.early_stop is None or plan.questions is None:
        return None
    questions = [name for name, _ in plan.questions()]
    early = EarlyStopping(plan.early_stop, questions, [each.name for each in plan.variants])
    early.replay(journal)
    survey.reopen(early.without_decision(survey.result().spared))
    return early
