"""Documents as pages of text, whatever their format: ``.txt``, ``.md``, ``.pdf``, ``.docx``."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from assay.data.document.docx import docx_text
from assay.data.document.pdf import pdf_pages
from assay.data.line import read_text, unreadable_error
from assay.errors import DatasetError

_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)


class Page(Struct, frozen=True, kw_only=True):
    """A page's text; ``number`` counts from 1 and is ``None`` where a format has no pages."""

    number: int | None = None
    text: str


class Document(Struct, frozen=True, kw_only=True):
    """A named text. Headings of Markdown and Word stand in it as lines that begin with ``#``."""

    name: str
    pages: tuple[Page, ...]


def read_document(path: Path, *, name: str | None = None) -> Document:
    """Read a document; ``name`` (default: the file's own) becomes the source of its chunks."""
    read = _READERS.get(path.suffix.lower())
    if read is None:
        known = ", ".join(sorted(_READERS))
        raise DatasetError(f"{path}: cannot read {path.suffix or 'this kind of'} file; use {known}")
    try:
        pages = read(path)
    except OSError as error:
        raise unreadable_error(path, error) from None
    return Document(name=name or path.name, pages=pages)


def is_document(path: Path) -> bool:
    """Whether the file's name says that ``read_document`` can read it.

    >>> is_document(Path("Report.PDF")), is_document(Path("photo.png"))
    (True, False)
    """
    return path.suffix.lower() in _READERS


def _text_pages(path: Path) -> tuple[Page, ...]:
    return (Page(text=_plain_lines(read_text(path))),)


def _markdown_pages(path: Path) -> tuple[Page, ...]:
    (page,) = _text_pages(path)
    return (Page(text=_COMMENT.sub("", page.text)),)


def _pdf_pages(path: Path) -> tuple[Page, ...]:
    return tuple(Page(number=number, text=text) for number, text in enumerate(pdf_pages(path), 1))


def _docx_pages(path: Path) -> tuple[Page, ...]:
    return (Page(text=docx_text(path)),)


def _plain_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n").replace("\0", "")


_READERS: Final[dict[str, Callable[[Path], tuple[Page, ...]]]] = {
    ".docx": _docx_pages,
    ".markdown": _markdown_pages,
    ".md": _markdown_pages,
    ".pdf": _pdf_pages,
    ".txt": _text_pages,
}
