"""The three types of legal benchmark questions, as they are written in the JSON files.

``fact_exact`` asks for a fact, ``evidence_set`` asks for all passages about a subject, and
``conflict_gap`` asks for something that the document does not say or says in two ways. Class
docstrings and descriptions become part of the JSON Schema.
"""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from assay.scorers.invention import Penalty

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

RECALL_MIN: Final = 0.8
"""The default of ``evidence_recall_min``."""
PRECISION_MIN: Final = 0.7
"""The default of ``evidence_precision_min``."""


class RequiredEvidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A passage that supports the correct answer."""

    page: PageNumber
    must_include: Annotated[
        str, Meta(min_length=1, description="Words from the page; … replaces omitted words.")
    ]
    section: str | None = None
    speaker: str | None = None
    is_critical: bool = False


class DateSpan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A range of days, including the first and the last."""

    start: Day
    end: Day


class ExpectedFact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The expected fact, in one or several fields; the answer must match all fields that are set."""

    amount_total: int | float | None = None
    amount_breakdown: Annotated[tuple[int | float, ...], Meta(min_length=1)] | None = None
    date: Day | None = None
    date_range: DateSpan | None = None
    count: int | None = None
    text_answer: Text | None = None
    boolean_answer: bool | None = None
    entity: (
        Annotated[str, Meta(min_length=1, description="A person, place or organisation.")] | None
    ) = None


class ExpectedEvidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the passages must show. The n-th key point describes the n-th required evidence."""

    evidence_count_min: Annotated[int, Meta(ge=0)] = 1
    key_points: tuple[Text, ...] = ()


class FactScoring(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How strictly an answer is compared.

    ``numeric_exact: false`` tolerates a deviation of 1 %; ``date_exact: false`` also accepts
    the month without the day.
    """

    numeric_exact: bool = True
    date_exact: bool = True
    citation_required: bool = True


class EvidenceScoring(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The minimum recall and precision."""

    evidence_recall_min: Share = RECALL_MIN
    evidence_precision_min: Share = PRECISION_MIN
    citation_required: bool = True


class GapScoring(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an answer must do besides abstaining.

    ``abstention_required``, if set, must equal ``should_abstain``.
    """

    abstention_required: bool | None = None
    hallucination_check: str = "must_not_invent_details"
    quote_required: bool = True


class EvidenceLocation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the required quote is. Lines are counted through the whole document."""

    page: PageNumber
    lines: (
        Annotated[
            str,
            Meta(
                pattern=r"^[1-9][0-9]*(?:-[1-9][0-9]*)?$",
                description="One line (105), or the first and the last line (105-107).",
            ),
        ]
        | None
    ) = None


class Metadata(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Properties of a question by which results can be grouped."""

    difficulty: Literal["easy", "medium", "hard"] | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    notes: str | None = None


class FactQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question about a fact."""

    id: Text
    question: Text
    expected: ExpectedFact
    type: Literal["fact_exact"] = "fact_exact"
    required_evidence: tuple[RequiredEvidence, ...] = ()
    scoring: FactScoring = FactScoring()
    metadata: Metadata = Metadata()


class EvidenceQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question that asks for all passages about a subject."""

    id: Text
    question: Text
    expected: ExpectedEvidence
    type: Literal["evidence_set"] = "evidence_set"
    required_evidence: tuple[RequiredEvidence, ...] = ()
    scoring: EvidenceScoring = EvidenceScoring()
    metadata: Metadata = Metadata()


class GapQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question that the document does not answer, or answers in two ways.

    With ``should_abstain: false`` it only seems to be such a question.
    """

    id: Text
    question: Text
    should_abstain: bool
    type: Literal["conflict_gap"] = "conflict_gap"
    hallucination_penalty: Penalty = "medium"
    required_quote: Annotated[str, Meta(min_length=1)] | None = None
    additional_quotes: tuple[Text, ...] = ()
    evidence_location: EvidenceLocation | None = None
    expected_behavior: str | None = None
    scoring: GapScoring = GapScoring()
    metadata: Metadata = Metadata()


BenchQuestion: TypeAlias = FactQuestion | EvidenceQuestion | GapQuestion

QUESTION_KINDS: Final[dict[QuestionType, type[FactQuestion | EvidenceQuestion | GapQuestion]]] = {
    "fact_exact": FactQuestion,
    "evidence_set": EvidenceQuestion,
    "conflict_gap": GapQuestion,
}
"""The struct of a question for each type."""
