# ruff: noqa: D102 - the names are those of the data set, which describes them
"""What the scorers of the legal benchmark need to know of a question.

The questions themselves, with their JSON Schema, belong to the data set
(``assay.data.legal``); these protocols name the part of them that a score depends on.
"""

from collections.abc import Sequence
from typing import Protocol

from assay.scorers.invention import Penalty


class EvidenceItem(Protocol):
    """A passage that a right answer rests on."""

    @property
    def page(self) -> int: ...
    @property
    def must_include(self) -> str: ...
    @property
    def is_critical(self) -> bool: ...


class DateRangeFields(Protocol):
    """The first and the last day of a range, as YYYY-MM-DD."""

    @property
    def start(self) -> str: ...
    @property
    def end(self) -> str: ...


class FactFields(Protocol):
    """The expected values; ``None`` where a field is not part of the fact."""

    @property
    def amount_total(self) -> int | float | None: ...
    @property
    def amount_breakdown(self) -> Sequence[int | float] | None: ...
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


class FactRules(Protocol):
    """How exactly a fact must be given."""

    @property
    def numeric_exact(self) -> bool: ...
    @property
    def date_exact(self) -> bool: ...
    @property
    def citation_required(self) -> bool: ...


class FactExpectation(Protocol):
    """A question of fact."""

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
    """The thresholds of recall and precision."""

    @property
    def evidence_recall_min(self) -> float: ...
    @property
    def evidence_precision_min(self) -> float: ...
    @property
    def citation_required(self) -> bool: ...


class EvidenceExpectation(Protocol):
    """A question for all passages that bear on something."""

    @property
    def expected(self) -> EvidenceFields: ...
    @property
    def required_evidence(self) -> Sequence[EvidenceItem]: ...
    @property
    def scoring(self) -> EvidenceRules: ...


class GapRules(Protocol):
    """Whether the required quote must be given."""

    @property
    def quote_required(self) -> bool: ...


class GapExpectation(Protocol):
    """A question that the document leaves open, or only seems to."""

    @property
    def question(self) -> str: ...
    @property
    def should_abstain(self) -> bool: ...
    @property
    def hallucination_penalty(self) -> Penalty: ...
    @property
    def required_quote(self) -> str | None: ...
    @property
    def scoring(self) -> GapRules: ...
