"""An answer to a benchmark question: its text, and the passages that it cites."""

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
    """The text of an answer, and its citations as the system returned them."""

    text: str
    citations: tuple[CitedPassage, ...] = ()

    @property
    def cited(self) -> tuple[CitedPassage, ...]:
        """The citations, or if there are none, the pages that the text of the answer names.

        >>> BenchAnswer(text="Да (с. 4).").cited
        (CitedPassage(page=4, text=None),)
        """
        citations = tuple(
            citation for citation in self.citations if citation.page is not None or citation.text
        )
        return citations or tuple(
            CitedPassage(page=page) for page in extract_page_numbers(self.text)
        )
