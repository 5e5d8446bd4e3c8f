"""What the scorers of the legal benchmark need to know about a question.

The questions themselves and their JSON Schema are in another file (``assay.jobs.legal.file``).
These protocols declare only the fields on which a score depends.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from assay.checks.invention import Penalty
from assay.text.citation import extract_page_numbers

# ruff: noqa: D102 - the data set describes these fields


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


# An answer to a benchmark question: its text, the passages it cites, and its stated values.


class CitedPassage(Struct, frozen=True, kw_only=True):
    """A citation: a page number, quoted words, or both. With neither it cites nothing."""

    page: int | None = None
    text: str | None = None

    @property
    def shown(self) -> str:
        """The citation on one line, for explanations.

        >>> CitedPassage(page=2, text="in all").shown, CitedPassage(page=3).shown
        ('“in all” (page 2)', 'page 3')
        """
        if not self.text:
            return "nothing" if self.page is None else f"page {self.page}"
        return f"“{self.text}”" + ("" if self.page is None else f" (page {self.page})")


class BenchAnswer(Struct, frozen=True, kw_only=True):
    """The text of an answer, and its citations as the system returned them.

    A system may also return ``evidence`` (the passages that it retrieved), ``values`` (fields of
    the answer by the names of the expected fields, as text) and whether it ``abstained``. They
    are used as they are; the text is searched only for what is not among them.
    """

    text: str
    citations: tuple[CitedPassage, ...] = ()
    evidence: tuple[CitedPassage, ...] = ()
    values: Mapping[str, str] = {}
    abstained: bool | None = None

    @property
    def cited(self) -> tuple[CitedPassage, ...]:
        """The citations and evidence, or if there are none, the pages that the text names.

        >>> BenchAnswer(text="Да (с. 4).").cited
        (CitedPassage(page=4, text=None),)
        """
        citations = tuple(
            citation
            for citation in dict.fromkeys((*self.citations, *self.evidence))
            if citation.page is not None or citation.text
        )
        return citations or tuple(
            CitedPassage(page=page) for page in extract_page_numbers(self.text)
        )

    def value(self, name: str) -> str:
        """The stated value of a field, or the text of the answer if it is not stated.

        >>> answer = BenchAnswer(text="In all.", values={"amount_total": "42000"})
        >>> answer.value("amount_total"), answer.value("date")
        ('42000', 'In all.')
        """
        return self.values.get(name, self.text)
