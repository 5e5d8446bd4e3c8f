"""Read text, Markdown, HTML, PDF, Word and table documents as pages of text.

The encoding of a text is detected. PDF, Word and Excel documents are read in another process (``reading_process``).
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from assay.data.document.docx import docx_text, html_text
from assay.data.document.pdf import pdf_pages
from assay.data.document.reading_process import READING_PROCESS, Reader, serve
from assay.data.document.table_text import csv_rows, table_text, workbook_text
from assay.data.jsonl import decode_text, read_text, unreadable_error
from assay.errors import DatasetError
from assay.words.say import marked

MAX_DOCUMENT_BYTES: Final = 512 << 20
"""A larger document is refused: it would have to be in memory as a whole."""
_COMMENT_BEGINS: Final = "<!--"
_COMMENT_ENDS: Final = "-->"


_NO_ENCODING: Final = marked("not UTF-8, UTF-16, GB18030, CP1251 or KOI8-R; save the file as UTF-8")


class Page(Struct, frozen=True, kw_only=True):
    """The text of a page. ``number`` counts from 1; it is ``None`` if the format has no pages.

    ``unread`` is the number of its characters that the file does not say.
    """

    number: int | None = None
    text: str
    unread: int = 0


HeadingSource: TypeAlias = Literal["text", "page", "table"]
"""Where headings are: in any line of a text, below the first line of a page of HTML (its first
line is often a menu), or in the marked lines of a table alone (its rows are no headings)."""


class Document(Struct, frozen=True, kw_only=True):
    """A named text. Headings of Markdown and Word are lines that begin with ``#``.

    ``encoding`` is that of a text file if it is not UTF-8; otherwise it is empty. ``title`` is
    above all headings; of a table it is the name of the file.
    """

    name: str
    pages: tuple[Page, ...]
    encoding: str = ""
    title: str = ""
    headings: HeadingSource = "text"

    @property
    def unread(self) -> dict[int, int]:
        """How many characters could not be read, by the numbers of the pages that have such."""
        return {
            page.number: page.unread
            for page in self.pages
            if page.number is not None and page.unread
        }

    @property
    def text(self) -> str:
        """The whole text, with a line break between pages; offsets in a document count in it."""
        return "\n".join(page.text for page in self.pages)


def read_document(path: Path, *, name: str | None = None) -> Document:
    """Read a document; ``name`` (default: the file name) becomes the source of its chunks.

    Raises:
        DatasetError: the format is not supported, or the file cannot be read.
    """
    read = _READERS.get(path.suffix.lower())
    if read is None:
        known = ", ".join(sorted(_READERS))
        raise DatasetError(f"{path}: cannot read {path.suffix or 'such'} files; use {known}")
    try:
        _refuse_large(path)
        pages = read(path)
    except OSError as error:
        raise unreadable_error(path, error) from None
    encoding = ""
    if isinstance(pages, _Decoded):
        pages, encoding = pages
    headings = _HEADINGS.get(path.suffix.lower(), "text")
    return Document(
        name=name or path.name,
        pages=pages,
        encoding="" if encoding == "UTF-8" else encoding,
        title=path.stem if headings == "table" else "",
        headings=headings,
    )


def _refuse_large(path: Path) -> None:
    size = path.stat().st_size
    if size > MAX_DOCUMENT_BYTES:
        raise DatasetError(
            f"{path}: a document of {size >> 20} MB; the most is {MAX_DOCUMENT_BYTES >> 20} MB, "
            "so split it into several files"
        )


def _not_text_message(path: Path, data: bytes) -> str:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = f"not UTF-8 at byte {error.start} (0x{data[error.start]:02x})"
        return f"{path}: {place}, nor UTF-16, GB18030, CP1251 or KOI8-R; save the file as UTF-8"
    return f"{path}: {_NO_ENCODING}"


def document_endings() -> str:
    """The endings of all files that can be read, for messages."""
    return ", ".join(sorted(_READERS))


def is_document(path: Path) -> bool:
    """Whether ``read_document`` supports the format, judged by the extension alone.

    >>> is_document(Path("Report.PDF")), is_document(Path("photo.png"))
    (True, False)
    """
    return path.suffix.lower() in _READERS


class _Decoded(NamedTuple):
    """The pages of a text file, and its encoding."""

    pages: tuple[Page, ...]
    encoding: str


def _reader(text_of: Callable[[str], str] = lambda text: text) -> Callable[[Path], _Decoded]:
    """A reader of text files whose content ``text_of`` turns into plain text."""

    def read(path: Path) -> _Decoded:
        data = path.read_bytes()
        decoded = decode_text(data)
        if decoded is None:
            raise DatasetError(_not_text_message(path, data))
        text = text_of(_with_plain_newlines(decoded.text))
        return _Decoded((Page(text=text),), decoded.encoding)

    return read


def _without_comments(text: str) -> str:
    r"""The text without comments. A pattern would look for the end of each from its beginning.

    >>> _without_comments("a<!-- b\\n -->c<!-- d")
    'ac<!-- d'
    """
    kept, position = [], 0
    while (begin := text.find(_COMMENT_BEGINS, position)) >= 0:
        end = text.find(_COMMENT_ENDS, begin + len(_COMMENT_BEGINS))
        if end < 0:
            break
        kept.append(text[position:begin])
        position = end + len(_COMMENT_ENDS)
    return "".join((*kept, text[position:]))


def _read_apart(path: Path) -> tuple[Page, ...]:
    return tuple(
        Page(number=number, text=text, unread=unread)
        for number, text, unread in READING_PROCESS.read(path)
    )


def serve_documents(most_mb: int) -> None:
    """Read documents for another process; this is the program of ``reading_process``."""
    readers: dict[str, Reader] = {
        ".docx": lambda path: [(None, docx_text(path), 0)],
        ".pdf": lambda path: [
            (number, page.text, page.unread) for number, page in enumerate(pdf_pages(path), 1)
        ],
        ".xlsx": lambda path: [(None, workbook_text(path), 0)],
    }
    serve(sys.stdin.buffer, sys.stdout.buffer, readers, most_mb)


def _with_plain_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n").replace("\0", "")


def _table(text: str) -> str:
    return table_text(csv_rows(text))


_HEADINGS: Final[dict[str, HeadingSource]] = {
    ".csv": "table",
    ".htm": "page",
    ".html": "page",
    ".tsv": "table",
    ".xlsx": "table",
}
_READERS: Final[dict[str, Callable[[Path], tuple[Page, ...] | _Decoded]]] = {
    ".csv": _reader(_table),
    ".docx": _read_apart,
    ".htm": _reader(html_text),
    ".html": _reader(html_text),
    ".markdown": _reader(_without_comments),
    ".md": _reader(_without_comments),
    ".pdf": _read_apart,
    ".tsv": _reader(_table),
    ".txt": _reader(),
    ".xlsx": _read_apart,
}


# Read a document as pages and lines, so that passages can be cited by page and line.
#
# In a text file, a form feed before the first line of a page separates it from the previous
# page. Lines are counted from 1 through the whole document, so they have the numbers that an
# editor shows. The pages of a PDF are its own; its lines are the lines of the extracted text.


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
