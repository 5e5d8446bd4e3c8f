"""The fields of a recorded row that the metrics of a review are computed from."""

from msgspec import Struct, field

from assay.scorers.risk import Level


class QuotationScore(Struct, frozen=True):
    """How well a quotation agrees with the clause; ``None`` if it was not compared.

    ``veto`` has the objections of the rules if a model gave the score, otherwise ``None``.
    """

    score: float | None = None
    text: str = ""
    valid: bool = False
    veto: tuple[str, ...] | None = None


class ReportRow(Struct, frozen=True, kw_only=True):
    """One clause, its true level, and what the reply says about it."""

    key: str = ""
    schema_version: int = 0
    config: str = ""
    question_id: str = ""
    status: str = "scored"
    expected_level: Level | None = None
    risk_level: Level | None = None
    elapsed_s: float | None = None
    clause_valid: int = 0
    clause_invalid: int = 0
    law_valid: int = 0
    law_invalid: int = 0
    rule_target: int = 0
    rule_correct: int = 0
    rule_trigger: int = 0
    risk_id_match: int = 0
    risk_id_total: int = 0
    rules_reported: bool = True
    task_success: bool = False
    unread: tuple[str, ...] = ()
    evidence: tuple[QuotationScore, ...] = field(default_factory=tuple)
