"""The row of a depth test: the fields of the published format, and those about the context."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from assay.journal import Row


class DepthRow(Row, kw_only=True):
    """What a depth test adds to a row. The fields from ``model_answer`` on are scores.

    ``depth`` is the planned depth, or the actual one once the context is built.
    """

    question_type: str = ""
    choice: Mapping[str, str] = {}
    correct_answer: Sequence[str] = ()
    position: Mapping[str, int] | None = None
    depth: float | None = None
    depth_bin: str | None = None
    test_context_length: int = 0
    context_length: int = 0
    context_tokens: int | UnsetType = UNSET
    evidence_start_token: int | UnsetType = UNSET
    evidence_tokens: int | UnsetType = UNSET
    in_place: bool | UnsetType = UNSET
    prompt_tokens_expected: int | UnsetType = UNSET
    closed_book: bool | UnsetType = UNSET
    closed_book_correct: bool | UnsetType = UNSET
    note: str | UnsetType = UNSET
    model_answer: Any = UNSET
    parsing_status: str | UnsetType = UNSET
    parsed_from: str | UnsetType | None = UNSET
    score: float | UnsetType = UNSET
    metrics: Mapping[str, Any] | UnsetType = UNSET
    matched: Any = UNSET
    truncated: bool | UnsetType | None = UNSET
