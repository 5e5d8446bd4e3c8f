# ruff: noqa: D102 - the data set describes these fields
"""What the scorers of the legal benchmark need to know about a question.

The questions themselves and their JSON Schema belong to the data set (``assay.data.legal``).
These protocols declare only the fields on which a score depends.
"""

from collections.abc import Sequence
from typing import Protocol

from assay.checks import Penalty


class EvidenceItem(Protocol):
    """A passage of the document on which a right answer is based."""

    @property
    def page(self) -> int | None: ...
    @property
    def must_include(self) -> str: ...
    @property
    def section(self) -> str | None: ...
    @property
    def speaker(self) -> str | None: ...
    @property
    def is_critical(self) -> bool: ...


class DateRangeFields(Protocol):
    """The first and the last day of a range, each written as YYYY-MM-DD."""

    @property
    def start(self) -> str: ...
    @property
    def end(self) -> str: ...


class FactFields(Protocol):
    """The expected values; a field that is not part of the fact is ``None``."""

    @property
    def amount_total(self) -> int | float | None: ...
    @property
    def amounts(self) -> Sequence[int | float] | None: ...
    @property
    def date(self) -> str | None: ...
    @property
    def date_range(self) -> DateRangeFields | None: ...
    @property
    def count(self) -> int | None: ...
    @property
    def text_answer(self) -> str | None: ...
    @property
    def boolean_answer(self) -> bool | None: ...
    @property
    def entity(self) -> str | None: ...
    @property
    def should_abstain(self) -> bool | None: ...
    @property
    def conflict_detected(self) -> bool | None: ...


class FactRules(Protocol):
    """How exact the answer must be, whether it must cite, and whether a part of it counts."""

    @property
    def numeric_exact(self) -> bool: ...
    @property
    def date_exact(self) -> bool: ...
    @property
    def citation_required(self) -> bool: ...
    @property
    def partial_credit(self) -> object: ...


class FactExpectation(Protocol):
    """A question about a fact."""

    @property
    def question(self) -> str: ...
    @property
    def expected(self) -> FactFields: ...
    @property
    def required_evidence(self) -> Sequence[EvidenceItem]: ...
    @property
    def scoring(self) -> FactRules: ...


class EvidenceFields(Protocol):
    """How many passages are expected, and what they must show."""

    @property
    def evidence_count_min(self) -> int: ...
    @property
    def key_points(self) -> Sequence[str]: ...


class EvidenceRules(Protocol):
    """The minimum recall and precision, and whether the answer must cite."""

    @property
    def evidence_recall_min(self) -> float: ...
    @property
    def evidence_precision_min(self) -> float: ...
    @property
    def citation_required(self) -> bool: ...


class EvidenceExpectation(Protocol):
    """A question that asks for all passages about a subject."""

    @property
    def expected(self) -> EvidenceFields: ...
    @property
    def required_evidence(self) -> Sequence[EvidenceItem]: ...
    @property
    def scoring(self) -> EvidenceRules: ...


class GapRules(Protocol):
    """Whether the answer must contain a quote, and whether inventions are checked."""

    @property
    def quote_required(self) -> bool: ...
    @property
    def checks_inventions(self) -> bool: ...


class GapExpectation(Protocol):
    """A question that the document leaves open, or that only seems to be left open."""

    @property
    def question(self) -> str: ...
    @property
    def must_abstain(self) -> bool: ...
    @property
    def must_report_conflict(self) -> bool: ...
    @property
    def penalty(self) -> Penalty: ...
    @property
    def quotes(self) -> Sequence[str]: ...
    @property
    def scoring(self) -> GapRules: ...
