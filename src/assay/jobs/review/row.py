"""The row of a review."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from assay.journal import Row


class ReviewRow(Row, kw_only=True):
    """What a review adds to a row. The fields from ``evidence`` on are checks and scores."""

    settings: Mapping[str, Any] = {}
    language: str | None = None
    ground_truth: Mapping[str, Any] = {}
    judged_by: Mapping[str, Any] | UnsetType = UNSET
    evidence: Sequence[Any] | UnsetType = UNSET
    citations: Sequence[Any] | UnsetType = UNSET
    unread: Sequence[str] | UnsetType = UNSET
    expected_level: str | UnsetType = UNSET
    risk_level: str | UnsetType | None = UNSET
    parse_success: bool | UnsetType = UNSET
    level_correct: bool | UnsetType = UNSET
    weighted_score: float | UnsetType = UNSET
    clause_valid: int | UnsetType = UNSET
    clause_invalid: int | UnsetType = UNSET
    clause_vetoed: int | UnsetType = UNSET
    law_valid: int | UnsetType = UNSET
    law_invalid: int | UnsetType = UNSET
    rule_target: int | UnsetType = UNSET
    rule_correct: int | UnsetType = UNSET
    rule_trigger: int | UnsetType = UNSET
    risk_id_match: int | UnsetType = UNSET
    risk_id_total: int | UnsetType = UNSET
    rules_reported: bool | UnsetType = UNSET
    has_suggestion: bool | UnsetType = UNSET
    task_success: bool | UnsetType = UNSET
