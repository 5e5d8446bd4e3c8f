"""The three types of legal benchmark questions, as they are written in the JSON files.

``fact_exact`` asks for a fact, ``evidence_set`` asks for all passages about a subject, and
``conflict_gap`` asks for something that the document does not say or says in two ways. Class
docstrings and descriptions become part of the JSON Schema. Fields that are not listed here are
allowed; they are ignored.
"""

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from assay.checks.invention import Penalty

QuestionType: TypeAlias = Literal["fact_exact", "evidence_set", "conflict_gap"]

Text: TypeAlias = Annotated[str, Meta(min_length=1)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Day: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        description="YYYY-MM-DD",
        extra_json_schema={"format": "date"},
    ),
]
PageNumber: TypeAlias = Annotated[int, Meta(ge=1, description="Counted from 1.")]
Weight: TypeAlias = Annotated[
    float, Meta(ge=0, description="The weight of the question in the percentages; default 1.")
]

RECALL_MIN: Final = 0.8
"""The default of ``evidence_recall_min``."""
PRECISION_MIN: Final = 0.7
"""The default of ``evidence_precision_min``."""


class RequiredEvidence(Struct, frozen=True, kw_only=True):
    """A passage that supports the correct answer."""

    must_include: Annotated[
        str, Meta(min_length=1, description="Words from the page; … replaces omitted words.")
    ]
    page: PageNumber | None = None
    section: Annotated[
        str | None, Meta(description="qa_pair, header, or a heading: where the words must be.")
    ] = None
    speaker: Annotated[
        str | None, Meta(description="question, answer, or a name: who must say the words.")
    ] = None
    is_critical: bool = False


class DateSpan(Struct, frozen=True, kw_only=True):
    """A range of days, including the first and the last."""

    start: Day
    end: Day


class AmountPart(Struct, frozen=True, kw_only=True):
    """One part of a sum, and what it was for."""

    amount: int | float
    description: str | None = None


class ExpectedFact(Struct, frozen=True, kw_only=True):
    """The expected fact, in one or several fields; the answer must match all fields that are set."""

    amount_total: int | float | None = None
    amount_breakdown: Annotated[tuple[int | float | AmountPart, ...], Meta(min_length=1)] | None = (
        None
    )
    date: Day | None = None
    date_range: DateSpan | None = None
    count: int | None = None
    text_answer: Text | None = None
    boolean_answer: bool | None = None
    entity: (
        Annotated[str, Meta(min_length=1, description="A person, place or organisation.")] | None
    ) = None
    should_abstain: bool | None = None
    conflict_detected: bool | None = None

    @property
    def amounts(self) -> tuple[int | float, ...] | None:
        """The amounts of ``amount_breakdown`` without their descriptions.

        >>> ExpectedFact(amount_breakdown=(AmountPart(amount=5, description="fee"), 7)).amounts
        (5, 7)
        """
        if self.amount_breakdown is None:
            return None
        return tuple(
            part.amount if isinstance(part, AmountPart) else part for part in self.amount_breakdown
        )


class ExpectedEvidence(Struct, frozen=True, kw_only=True):
    """What the passages must show. Key points and required evidence count together for recall.

    If there are as many of both, the n-th key point describes the n-th required evidence.
    """

    evidence_count_min: Annotated[int, Meta(ge=0)] = 1
    key_points: tuple[Text, ...] = ()
    should_abstain: bool | None = None
    conflict_detected: bool | None = None


class ExpectedGap(Struct, frozen=True, kw_only=True):
    """The expected stance: whether to abstain, and whether the document contradicts itself."""

    should_abstain: bool | None = None
    conflict_detected: bool | None = None


class QuestionScoring(Struct, frozen=True, kw_only=True):
    """What every type of question may set: its weight, and the score with which it passes.

    ``passing_score`` may be an object with a threshold for each type or difficulty. Penalties are
    shown and never subtracted from a score.
    """

    weight: Weight | None = None
    partial_credit: Annotated[Any, Meta(description="true or false")] = False
    hallucination_penalty: str | int | float | None = None
    min_score: Share | None = None
    passing_threshold: Any = None
    passing_score: Any = None


class FactScoring(QuestionScoring, frozen=True, kw_only=True):
    """How strictly an answer is compared.

    ``numeric_exact: false`` tolerates a deviation of 1 %; ``date_exact: false`` also accepts
    the month without the day. With ``partial_credit`` the share of correct fields takes the place
    of the exact match.
    """

    numeric_exact: bool = True
    date_exact: bool = True
    citation_required: bool = True


class EvidenceScoring(QuestionScoring, frozen=True, kw_only=True):
    """The minimum recall and precision."""

    evidence_recall_min: Share = RECALL_MIN
    evidence_precision_min: Share = PRECISION_MIN
    citation_required: bool = True


class GapScoring(QuestionScoring, frozen=True, kw_only=True):
    """What an answer must do besides abstaining.

    ``abstention_required``, if set, must equal ``should_abstain``. ``hallucination_check: none``
    switches the check for invented details off.
    """

    abstention_required: bool | None = None
    hallucination_check: str | bool = "must_not_invent_details"
    quote_required: bool = True

    @property
    def checks_inventions(self) -> bool:
        """Whether invented details lower the score.

        >>> GapScoring().checks_inventions, GapScoring(hallucination_check="none").checks_inventions
        (True, False)
        """
        check = self.hallucination_check
        return check.strip().lower() != "none" if isinstance(check, str) else bool(check)


class EvidenceLocation(Struct, frozen=True, kw_only=True):
    """Where the required quote is. Lines are counted through the whole document."""

    page: int | str | list[Any] | None = None
    lines: Annotated[
        int | str | list[Any] | None,
        Meta(description="One line (105), or the first and the last line (105-107)."),
    ] = None


class Metadata(Struct, frozen=True, kw_only=True):
    """Properties of a question by which results can be grouped."""

    difficulty: Annotated[str | None, Meta(description="easy, medium or hard")] = None
    category: str | None = None
    tags: list[Any] | str | None = None
    notes: Any = None


class QuestionFields(Struct, frozen=True, kw_only=True):
    """What questions of all types have. The weight and the passing score may also be in scoring."""

    id: Text
    question: Text
    weight: Weight | None = None
    min_score: Share | None = None
    passing_threshold: Any = None
    passing_score: Any = None
    metadata: Metadata = Metadata()


class FactQuestion(QuestionFields, frozen=True, kw_only=True):
    """A question about a fact."""

    expected: ExpectedFact
    type: Literal["fact_exact"] = "fact_exact"
    required_evidence: tuple[RequiredEvidence, ...] = ()
    scoring: FactScoring = FactScoring()


class EvidenceQuestion(QuestionFields, frozen=True, kw_only=True):
    """A question that asks for all passages about a subject."""

    expected: ExpectedEvidence = ExpectedEvidence()
    type: Literal["evidence_set"] = "evidence_set"
    required_evidence: tuple[RequiredEvidence, ...] = ()
    scoring: EvidenceScoring = EvidenceScoring()


class GapQuestion(QuestionFields, frozen=True, kw_only=True):
    """A question that the document does not answer, or answers in two ways.

    With ``should_abstain: false`` it only seems to be such a question. ``expected`` may say the
    same instead of ``should_abstain``.
    """

    should_abstain: bool | None = None
    type: Literal["conflict_gap"] = "conflict_gap"
    expected: ExpectedGap | list[Any] | str | None = None
    hallucination_penalty: Annotated[
        str | int | float | None,
        Meta(description="high, medium or low, or the weight of one invented detail."),
    ] = None
    required_quote: Annotated[str, Meta(min_length=1)] | None = None
    additional_quotes: tuple[Text, ...] = ()
    required_evidence: Any = None
    additional_evidence: Any = None
    evidence_location: EvidenceLocation | list[Any] | str | None = None
    expected_behavior: list[Any] | str | None = None
    scoring: GapScoring = GapScoring()

    @property
    def _expected(self) -> ExpectedGap:
        return self.expected if isinstance(self.expected, ExpectedGap) else ExpectedGap()

    @property
    def must_abstain(self) -> bool:
        """Whether the answer must abstain; false if nothing says so.

        >>> GapQuestion(id="q", question="?", expected=ExpectedGap(should_abstain=True)).must_abstain
        True
        """
        stated = (
            self.should_abstain,
            self._expected.should_abstain,
            self.scoring.abstention_required,
        )
        return next((value for value in stated if value is not None), False)

    @property
    def must_report_conflict(self) -> bool:
        """Whether the answer must say that the sources disagree, and need not abstain."""
        return bool(self._expected.conflict_detected) and not self.must_abstain

    @property
    def penalty(self) -> Penalty:
        """The penalty of the question, else that of its scoring, else ``medium``."""
        stated = (self.hallucination_penalty, self.scoring.hallucination_penalty)
        return next((value for value in stated if value is not None), "medium")

    @property
    def quotes(self) -> tuple[str, ...]:
        """The quotes of which the answer must give one."""
        required = () if self.required_quote is None else (self.required_quote,)
        return (*required, *self.additional_quotes)


BenchQuestion: TypeAlias = FactQuestion | EvidenceQuestion | GapQuestion

QUESTION_KINDS: Final[dict[QuestionType, type[FactQuestion | EvidenceQuestion | GapQuestion]]] = {
    "fact_exact": FactQuestion,
    "evidence_set": EvidenceQuestion,
    "conflict_gap": GapQuestion,
}
"""The struct of a question for each type."""
