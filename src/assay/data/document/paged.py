"""A document as pages and lines, for what is cited by page and line.

In a text file a form feed stands before the first line of every page but the first, and lines
are counted from 1 through the whole document: they are the numbers an editor shows. A PDF has
the pages it has; its lines are counted as the text extracted from it has them.
"""

from pathlib import Path

from msgspec import Struct

from assay.data.document.read import read_document
from assay.data.line import read_text
from assay.errors import DatasetError


class PagedDocument(Struct, frozen=True, kw_only=True):
    """A document's pages in order; the first is page 1."""

    name: str
    pages: tuple[str, ...]

    def page(self, number: int) -> str | None:
        """The text of a page; ``None`` where there is none of that number."""
        return self.pages[number - 1] if 1 <= number <= len(self.pages) else None

    def lines(self, first: int, last: int) -> str | None:
        r"""Lines ``first`` to ``last`` of the whole document; ``None`` where it has not so many.

        >>> PagedDocument(name="d", pages=("a\nb\n", "c\nd\n")).lines(2, 3)
        'b\nc'
        """
        found = self._lines()
        return "\n".join(found[first - 1 : last]) if 1 <= first <= last <= len(found) else None

    def page_of_line(self, number: int) -> int | None:
        r"""The page a line stands on.

        >>> PagedDocument(name="d", pages=("a\nb\n", "c\nd\n")).page_of_line(3)
        2
        """
        count = 0
        for page, text in enumerate(self.pages, 1):
            count += len(text.splitlines())
            if number <= count:
                return page if number >= 1 else None
        return None

    def _lines(self) -> list[str]:
        return [line for page in self.pages for line in page.splitlines()]


def read_paged(path: Path) -> PagedDocument:
    """Read a document; form feeds of a text file cut it into pages.

    Raises:
        DatasetError: the file cannot be read, or has no text.
    """
    if path.suffix.lower() in {".txt", ".md", ".markdown"}:
        text = read_text(path)
        pages = tuple(text.replace("\r\n", "\n").replace("\r", "\n").split("\f"))
    else:
        pages = tuple(page.text for page in read_document(path).pages)
    if not any(page.strip() for page in pages):
        raise DatasetError(f"{path}: there is no text in it")
    return PagedDocument(name=path.name, pages=pages)
