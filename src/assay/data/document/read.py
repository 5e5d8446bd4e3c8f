"""Read ``.txt``, ``.md``, ``.pdf`` and ``.docx`` documents as pages of text.

PDF and Word documents are read in another process (``reading_process``).
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from assay.data.document.docx import docx_text
from assay.data.document.pdf import pdf_pages
from assay.data.document.reading_process import READING_PROCESS
from assay.data.document.worker import Reader, serve
from assay.data.line import read_text, unreadable_error
from assay.errors import DatasetError

_COMMENT_BEGINS: Final = "<!--"
_COMMENT_ENDS: Final = "-->"


class Page(Struct, frozen=True, kw_only=True):
    """The text of a page. ``number`` counts from 1; it is ``None`` if the format has no pages."""

    number: int | None = None
    text: str


class Document(Struct, frozen=True, kw_only=True):
    """A named text. Headings of Markdown and Word are lines that begin with ``#``."""

    name: str
    pages: tuple[Page, ...]


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
        pages = read(path)
    except OSError as error:
        raise unreadable_error(path, error) from None
    return Document(name=name or path.name, pages=pages)


def is_document(path: Path) -> bool:
    """Whether ``read_document`` supports the format, judged by the extension alone.

    >>> is_document(Path("Report.PDF")), is_document(Path("photo.png"))
    (True, False)
    """
    return path.suffix.lower() in _READERS


def _read_text_pages(path: Path) -> tuple[Page, ...]:
    return (Page(text=_with_plain_newlines(read_text(path))),)


def _read_markdown_pages(path: Path) -> tuple[Page, ...]:
    (page,) = _read_text_pages(path)
    return (Page(text=_without_comments(page.text)),)


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
    return tuple(Page(number=number, text=text) for number, text in READING_PROCESS.read(path))


def serve_documents(most_mb: int) -> None:
    """Read documents for another process; this is the program of ``reading_process``."""
    readers: dict[str, Reader] = {
        ".docx": lambda path: [(None, docx_text(path))],
        ".pdf": lambda path: list(enumerate(pdf_pages(path), 1)),
    }
    serve(sys.stdin.buffer, sys.stdout.buffer, readers, most_mb)


def _with_plain_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n").replace("\0", "")


_READERS: Final[dict[str, Callable[[Path], tuple[Page, ...]]]] = {
    ".docx": _read_apart,
    ".markdown": _read_markdown_pages,
    ".md": _read_markdown_pages,
    ".pdf": _read_apart,
    ".txt": _read_text_pages,
}
