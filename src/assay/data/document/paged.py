"""Read a document as pages and lines, so that passages can be cited by page and line.

In a text file, a form feed before the first line of a page separates it from the previous
page. Lines are counted from 1 through the whole document, so they have the numbers that an
editor shows. The pages of a PDF are its own; its lines are the lines of the extracted text.
"""

from pathlib import Path

from msgspec import Struct

from assay.data.document.read import read_document
from assay.data.line import read_text
from assay.errors import DatasetError


class PagedDocument(Struct, frozen=True, kw_only=True):
    """The pages of a document in order; the first is page 1.

    ``unread`` is the number of characters that could not be read, by the number of their page.
    """

    name: str
    pages: tuple[str, ...]
    unread: dict[int, int] = {}

    @property
    def has_page_marks(self) -> bool:
        """Whether page numbers can be checked; a text without form feeds may have had any pages.

        >>> PagedDocument(name="d.md", pages=("a",)).has_page_marks
        False
        """
        return len(self.pages) > 1 or self.name.lower().endswith(".pdf")

    def page(self, number: int) -> str | None:
        """The text of a page; ``None`` if there is no page with that number."""
        return self.pages[number - 1] if 1 <= number <= len(self.pages) else None

    def lines(self, first: int, last: int) -> str | None:
        r"""Lines ``first`` to ``last`` of the document; ``None`` if one of them does not exist.

        >>> PagedDocument(name="d", pages=("a\nb\n", "c\nd\n")).lines(2, 3)
        'b\nc'
        """
        lines = self._lines()
        return "\n".join(lines[first - 1 : last]) if 1 <= first <= last <= len(lines) else None

    def page_of_line(self, number: int) -> int | None:
        r"""The number of the page that contains a line; ``None`` if there is no such line.

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
    """Read a document as pages. A text file is cut into pages at form feeds.

    Raises:
        DatasetError: the file cannot be read, or has no text.
    """
    unread: dict[int, int] = {}
    if path.suffix.lower() in {".txt", ".md", ".markdown"}:
        text = read_text(path)
        pages = tuple(text.replace("\r\n", "\n").replace("\r", "\n").split("\f"))
    else:
        document = read_document(path)
        pages, unread = tuple(page.text for page in document.pages), document.unread
    if not any(page.strip() for page in pages):
        raise DatasetError(f"{path}: the file has no text")
    return PagedDocument(name=path.name, pages=pages, unread=unread)
