"""Questions of the legal benchmark, in three types, as the JSON files have them.

``fact_exact`` asks for a fact, ``evidence_set`` for all passages that bear on something,
``conflict_gap`` for what the document does not tell or tells in two ways. Descriptions become
those of the JSON Schema.
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
"""``evidence_recall_min`` where a question names none."""
PRECISION_MIN: Final = 0.7
"""``evidence_precision_min`` where a question names none."""


class RequiredEvidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A passage that a right answer rests on."""

    page: PageNumber
    must_include: Annotated[
        str, Meta(min_length=1, description="Words of the page; … stands for what is left out.")
    ]
    section: str | None = None
    speaker: str | None = None
    is_critical: bool = False


class DateSpan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """From one day to another, both inside."""

    start: Day
    end: Day


class ExpectedFact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fact, in one field or several; all of those given must hold."""

    amount_total: int | float | None = None
    amount_breakdown: Annotated[tuple[int | float, ...], Meta(min_length=1)] | None = None
    date: Day | None = None
    date_range: DateSpan | None = None
    count: int | None = None
    text_answer: Text | None = None
    boolean_answer: bool | None = None
    entity: Annotated[str, Meta(min_length=1, description="A person, place or body.")] | None = None


class ExpectedEvidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the passages must show; the n-th key point puts the n-th required evidence in words."""

    evidence_count_min: Annotated[int, Meta(ge=0)] = 1
    key_points: tuple[Text, ...] = ()


class FactScoring(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How strict to be. ``numeric_exact: false`` allows 1 %, ``date_exact: false`` the month."""

    numeric_exact: bool = True
    date_exact: bool = True
    citation_required: bool = True


class EvidenceScoring(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The thresholds of recall and precision."""

    evidence_recall_min: Share = RECALL_MIN
    evidence_precision_min: Share = PRECISION_MIN
    citation_required: bool = True


class GapScoring(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked beside silence. ``abstention_required`` repeats ``should_abstain``."""

    abstention_required: bool | None = None
    hallucination_check: str = "must_not_invent_details"
    quote_required: bool = True


class EvidenceLocation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the required quote stands; lines are counted through the whole document."""

    page: PageNumber
    lines: (
        Annotated[
            str,
            Meta(
                pattern=r"^[1-9][0-9]*(?:-[1-9][0-9]*)?$",
                description="One line, or the first and the last: 105-107.",
            ),
        ]
        | None
    ) = None


class Metadata(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What results are grouped by."""

    difficulty: Literal["easy", "medium", "hard"] | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    notes: str | None = None


class FactQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question of fact."""

    id: Text
    question: Text
    expected: ExpectedFact
    type: Literal["fact_exact"] = "fact_exact"
    required_evidence: tuple[RequiredEvidence, ...] = ()
    scoring: FactScoring = FactScoring()
    metadata: Metadata = Metadata()


class EvidenceQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question for all passages that bear on something."""

    id: Text
    question: Text
    expected: ExpectedEvidence
    type: Literal["evidence_set"] = "evidence_set"
    required_evidence: tuple[RequiredEvidence, ...] = ()
    scoring: EvidenceScoring = EvidenceScoring()
    metadata: Metadata = Metadata()


class GapQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question the document leaves open, or only seems to (``should_abstain: false``)."""

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
"""The shape of a question by its type."""
