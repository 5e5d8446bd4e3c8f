"""Stop asking a variant once its comparison with the baseline is decided.

The questions are asked in an order that looks random and is always the same: by a hash of the seed and
of their ids. A larger ``--limit`` adds questions in between and keeps the order of the others. Each
question is asked with all variants before the next one, and ``assay.stats.decision`` takes the
differences in this order.
"""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import Struct

from assay.errors import UseError
from assay.journal import Row, read_fields
from assay.records import Case, Metric, Outcome, Question, Scored, Skipped, Spared, digest

if TYPE_CHECKING:
    from assay.runner.plan import Plan
    from assay.stats import Decisions, ScoreRange

Q = TypeVar("Q", bound=Question)


class EarlyStop(Struct, frozen=True, kw_only=True):
    """The rule by which a run stops asking; the fields are those of ``assay.stats.StopRule``.

    ``largest`` is the number of questions after which an undecided comparison ends. With
    ``about_set`` the decisions are about these questions, otherwise about questions like these.
    """

    metric: Metric
    baseline: str
    level: float = 0.05
    margin: float = 0.0
    about_set: bool = False
    largest: int | None = None
    seed: int = 0

    @property
    def identity(self) -> str:
        """Changes whenever the decisions may."""
        fields = (self.level, self.margin, self.about_set, self.largest, self.seed)
        return digest([self.metric.name, self.baseline, *fields])


def in_order_of_asking(questions: Iterable[Q], seed: int) -> list[Q]:
    """The questions in the order in which they are asked, the same whenever it is asked for.

    >>> questions = [Question(id=f"q{number}", text="") for number in range(5)]
    >>> [question.id for question in in_order_of_asking(questions, seed=0)]
    ['q4', 'q0', 'q1', 'q3', 'q2']
    """
    return sorted(questions, key=lambda question: place_of(question.id, seed))


def place_of(question_id: str, seed: int) -> bytes:
    """What decides when a question is asked."""
    return blake2b(f"{seed}\0{question_id}".encode("utf-8", "surrogatepass")).digest()


class EarlyStopping:
    """Which cases of a running plan need not be asked.

    Rows that were recorded earlier count. A case that failed earlier is unknown: what is decided
    in spite of it stays decided. For a comparison that is not decided it is asked again.
    """

    def __init__(self, rule: EarlyStop, questions: list[str], variants: list[str]) -> None:
        self._rule = rule
        self._variants = variants
        self._questions = questions
        self._place = {name: place for place, name in enumerate(questions)}
        self._decisions = self._new_decisions()
        self._decided_before: dict[str, str] = {}

    def replay(self, journal: Path) -> None:
        """Take the scores of the rows that are recorded already."""
        rows = {row["key"]: row for block in read_fields(journal) for row in block if "key" in row}
        with_failures = self._new_decisions()
        for row in rows.values():
            name, variant = str(row.get("question_id")), str(row.get("config"))
            if name not in self._place or variant not in self._variants:
                continue
            score = self._score(str(row.get("status") or "scored"), row)
            with_failures.note(name, variant, score)
            if row.get("status") not in {"failed", "answered"}:
                self._decisions.note(name, variant, score)
        self._decided_before = _verdicts(with_failures)

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
        decided = _verdicts(self._decisions) | self._decided_before
        others = [name for name in self._variants if name != self._rule.baseline]
        variant = case.variant.name
        if variant in decided:
            return self._because(decided[variant])
        if variant == self._rule.baseline and others and all(name in decided for name in others):
            return self._because("the comparison of every variant is decided")
        largest = self._rule.largest
        if largest is not None and self._place[case.question.id] >= largest:
            return self._because(f"undecided after {largest} questions, the largest number")
        return None

    def _because(self, reason: str) -> Spared:
        return Spared(reason=reason, rule=self._rule.identity)

    def _score(self, status: str, row: Mapping[str, Any]) -> "ScoreRange | None":
        from assay.stats import UNKNOWN  # noqa: PLC0415 - NumPy takes 0.2 s to import

        if status == "skipped":
            return None
        if status != "scored":
            return UNKNOWN
        return score_of(self._rule.metric, field_value(row, self._rule.metric.field))

    def _new_decisions(self) -> "Decisions":
        from assay.stats import Decisions, StopRule  # noqa: PLC0415 - as above

        rule = self._rule
        size = len(self._questions) if rule.about_set else None
        stop_rule = StopRule(level=rule.level, margin=rule.margin, size=size)
        return Decisions(stop_rule, rule.baseline, self._variants, self._questions)


def score_of(metric: Metric, value: object) -> "ScoreRange | None":
    """A value of the metric as a score that is better the higher it is; ``None`` if undefined."""
    from assay.stats import ScoreRange  # noqa: PLC0415 - as above

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


def _verdicts(decisions: "Decisions") -> dict[str, str]:
    """The decided variants, each with a sentence."""
    return {
        name: f"{each.decision.verdict}, decided after {each.decision.questions} questions"
        for name, each in decisions.comparisons.items()
        if each.decision is not None
    }


def early_stopping(plan: "Plan", journal: Path) -> EarlyStopping | None:
    """What decides which cases need not be asked, with what the journal says already."""
    if plan.early_stop is None or plan.questions is None:
        return None
    questions = [name for name, _ in plan.questions()]
    early = EarlyStopping(plan.early_stop, questions, [each.name for each in plan.variants])
    early.replay(journal)
    return early
