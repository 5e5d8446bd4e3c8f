"""An answer to a benchmark question: its text, the passages it cites, and its stated values."""

from collections.abc import Mapping

from msgspec import Struct

from assay.text import extract_page_numbers


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
