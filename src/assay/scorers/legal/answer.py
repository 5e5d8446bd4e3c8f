"""An answer to a benchmark question: what was said, and the passages cited for it."""

from msgspec import Struct

from assay.text import extract_page_numbers


class CitedPassage(Struct, frozen=True, kw_only=True):
    """A citation: a page, words of it, or both. One with neither cites nothing."""

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
    """The answer's words and its citations as the system gave them."""

    text: str
    citations: tuple[CitedPassage, ...] = ()

    @property
    def cited(self) -> tuple[CitedPassage, ...]:
        """The citations; without any, the pages that the answer itself names.

        >>> BenchAnswer(text="Да (с. 4).").cited
        (CitedPassage(page=4, text=None),)
        """
        given = tuple(one for one in self.citations if one.page is not None or one.text)
        return given or tuple(CitedPassage(page=page) for page in extract_page_numbers(self.text))
