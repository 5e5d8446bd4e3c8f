"""What the page receives about judges: their verdicts, their rates, and how far they agree.

They are parts of ``RunView`` (``JudgeView``, ``JudgePairView``, ``JudgePreference``) and of ``AnswerView``
(``VerdictView``).
"""

from typing import Literal

from msgspec import Struct

from assay.web.text_store import Interval

JudgeGroupKind = Literal["all", "variant", "language"]


class VerdictClaim(Struct, frozen=True, kw_only=True):
    """A claim of an answer: ``supported``, ``contradicted`` or ``absent``, and by which passage."""

    claim: str
    status: str
    passage: int | None = None


class VerdictView(Struct, frozen=True, kw_only=True):
    """What a judge said about an answer.

    ``label`` is a word of the rubric's scale, ``score`` what it is worth; ``unparsed`` says why a
    reply could not be read, and ``reply`` is that reply. ``people`` is the mean label of people, for
    a judge of correctness. ``against_people`` and ``against_judges`` say whether people, or other
    judges with the same rubric, say the opposite.
    """

    judge: str
    rubric: str
    identity: str
    label: str
    score: float | None
    reason: str
    claims: tuple[VerdictClaim, ...] = ()
    unparsed: str = ""
    reply: str = ""
    is_repaired: bool = False
    people: float | None = None
    against_people: bool = False
    against_judges: tuple[str, ...] = ()


class JudgeShare(Struct, frozen=True, kw_only=True):
    """A share of ``n`` labelled answers; ``None`` if there is none."""

    rate: float | None
    interval: Interval | None
    n: int


class JudgeGroup(Struct, frozen=True, kw_only=True):
    """How far a judge agrees with people in all answers, those of a variant, or of a language."""

    kind: JudgeGroupKind
    name: str
    labelled: int
    sensitivity: JudgeShare
    specificity: JudgeShare
    kappa: float | None
    kappa_interval: Interval | None


class JudgedRate(Struct, frozen=True, kw_only=True):
    """The rate of a variant, by the judge alone and corrected.

    ``difference`` is the corrected difference to the baseline. A corrected figure is ``None`` if
    ``missing`` labels are missing; then ``raw_difference`` is that of the judge alone.
    """

    variant: str
    n: int
    raw: float | None
    raw_interval: Interval | None
    corrected: float | None
    interval: Interval | None
    labelled: int
    missing: int
    raw_difference: float | None = None
    difference: float | None = None
    difference_interval: Interval | None = None


class JudgeView(Struct, frozen=True, kw_only=True):
    """A judge: what it said in all, its rates, and its errors on labelled answers.

    ``matrix`` has four numbers of labelled answers: the judge and people say yes; only the judge;
    only people; neither. ``errors_differ`` is the p-value of the hypothesis that the judge errs
    alike in all variants. ``left_out`` counts labels that correct nothing, by the reason.
    ``answers`` are those with a verdict that could be read; ``unparsed`` replies are not among them.
    """

    name: str
    rubric: str
    identity: str
    answers: int
    unparsed: int
    undefined: int
    paid: float | None
    earlier: int
    labelled: int
    left_out: dict[str, int]
    matrix: tuple[int, int, int, int]
    groups: tuple[JudgeGroup, ...]
    errors_differ: float | None
    is_biased: bool
    rates: tuple[JudgedRate, ...]
    against_people: int
    against_judges: int


class JudgePairView(Struct, frozen=True, kw_only=True):
    """Two judges with the same rubric on the same answers: how often they say yes."""

    first: str
    second: str
    n: int
    both: int
    only_first: int
    only_second: int
    neither: int
    kappa: float | None
    kappa_interval: Interval | None


class JudgePreference(Struct, frozen=True, kw_only=True):
    """Which of two variants a judge prefers, asked in both orders.

    ``tie`` counts the questions for which the order of the two answers decided.
    """

    judge: str
    first: str
    second: str
    first_wins: int
    second_wins: int
    equal: int
    tie: int
    unparsed: int
    p: float | None
