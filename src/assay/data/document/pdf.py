"""Extract the text of a PDF page by page, and remove what belongs to the layout.

Words hyphenated at line ends are joined, ligatures become letters, running headers, footers
and page numbers are removed, and the lines of a paragraph become one line. The text keeps
pdfium's order, which is the order of the file: columns are read one after the other if the
file stores them so.
"""

import re
import unicodedata
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from assay.data.document.running_line import without_running_lines
from assay.data.document.unread_character import unread_characters
from assay.errors import DatasetError
from assay.text import HAN
from assay.text.lexicon import alternatives, lazy_pattern

_BREAK: Final = "\ufffe"  # pdfium writes this character for a hyphen at the end of a line
_LIGATURE: Final = {
    0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st",
    0xFB06: "st",
}  # fmt: skip
_REMOVED: Final = dict.fromkeys(
    [*range(9), 11, *range(14, 32), 0xAD, 0x200B, 0x200C, 0x2060, 0xFEFF]
)
_SPACES: Final = re.compile(r"[ \t\u00a0\u2000-\u200a\u202f]+")
_BROKEN: Final = re.compile(rf"([^\W\d_]+)(?:{_BREAK}|[-\u2010]\n)\n?([^\W\d_]+)")
_WORD: Final = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_STOPS: Final = tuple(".!?:;。！？：；…»”)）")
_ITEM: Final = lazy_pattern(
    lambda: (
        r"\s*(?:[-•·▪–—]\s|\(?[0-9]{1,3}[.)]\s|[0-9]{1,2}(?:\.[0-9]{1,2})+\.?\s"
        r"|[（(]?[一二三四五六七八九十]{1,3}[）)、]|第[0-9〇零一二两三四五六七八九十百千]+[编章节条]"
        rf"|(?i:{alternatives('heading.item')})\s+[0-9IVXLC]+)"
    ),
    re.NOFLAG,
)
_CHINESE: Final = re.compile(f"[{HAN}，。、；：！？（）《》“”]")
_RADICAL: Final = re.compile("[\u2e80-\u2fdf]")


class PdfPage(NamedTuple):
    """The text of a page, and how many of its characters could not be read."""

    text: str
    unread: int = 0


def pdf_pages(path: Path) -> list[PdfPage]:
    """Read the text of each page; a page without text gives an empty string.

    Raises:
        DatasetError: no page has text, or the file needs a password, is damaged, or is no PDF.
        OSError: the file cannot be opened.
    """
    raw_pages = _read_raw_pages(path)
    if not any(page.text.strip() for page in raw_pages):
        raise DatasetError(f"{path} has no text layer: scanned, needs OCR")
    pages = [_with_plain_characters(page.text) for page in raw_pages]
    lines = without_running_lines([page.split("\n") for page in pages])
    joined = _join_words_across_pages(["\n".join(page) for page in lines])
    vocabulary = Counter(word for page in joined for word in _WORD.findall(page))
    return [
        PdfPage(_join_lines(_join_broken_words(text, vocabulary)), page.unread)
        for text, page in zip(joined, raw_pages, strict=True)
    ]


def _read_raw_pages(path: Path) -> list[PdfPage]:
    # pdfium is a large library that is only needed for PDFs
    import pypdfium2  # type: ignore[import-untyped] # noqa: PLC0415

    path.open("rb").close()  # raises OSError with the reason, which pdfium does not report
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pypdfium2.raw.FPDF_ERR_PASSWORD:
            raise DatasetError(
                f"{path}: encrypted, needs a password; save a copy without one"
            ) from None
        raise DatasetError(f"{path}: not a PDF, or damaged: pdfium cannot open it") from None
    pages: list[PdfPage] = []
    try:
        for index in range(len(document)):
            page = document[index]
            text_page = page.get_textpage()
            text = text_page.get_text_bounded()
            pages.append(PdfPage(text, unread_characters(text_page)))
            text_page.close()
            page.close()
    except pypdfium2.PdfiumError:
        raise DatasetError(f"{path}: page {len(pages) + 1} is damaged") from None
    finally:
        document.close()
    return pages


def _with_plain_characters(text: str) -> str:
    """The text with letters instead of ligatures and radicals, without invisible characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x02", _BREAK)
    text = text.replace("\f", "\n").translate(_LIGATURE).translate(_REMOVED)
    text = _RADICAL.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)
    return "\n".join(_SPACES.sub(" ", line).strip() for line in text.split("\n"))


def _join_words_across_pages(pages: list[str]) -> list[str]:
    """The pages, with a word that is hyphenated over two pages moved to the first of them."""
    joined = list(pages)
    for index in range(len(joined) - 1):
        if not re.search(rf"[^\W\d_](?:{_BREAK}|[-\u2010])\Z", joined[index]):
            continue
        rest = re.match(r"([^\W\d_]+[^\s\w]*)\s*", joined[index + 1])
        if rest and rest[1][0].islower():
            joined[index] = f"{joined[index][:-1]}{_BREAK}{rest[1]}"
            joined[index + 1] = joined[index + 1][rest.end() :]
    return joined


def _join_broken_words(text: str, vocabulary: Counter[str]) -> str:
    """The text with words that were hyphenated at a line end joined again.

    The hyphen is kept before a capital letter, and if elsewhere the document writes the word
    with a hyphen and never without one.
    """

    def join_word(match: re.Match[str]) -> str:
        joined, hyphenated = match[1] + match[2], f"{match[1]}-{match[2]}"
        keep = not match[2][0].islower() or (vocabulary[hyphenated] and not vocabulary[joined])
        return hyphenated if keep else joined

    previous = ""
    while previous != text:
        previous, text = text, _BROKEN.sub(join_word, text)
    return text.replace(_BREAK, "-")


def _join_lines(text: str) -> str:
    """The text with each paragraph on one line and a blank line between paragraphs."""
    lines = [line for line in text.split("\n") if line]
    if not lines:
        return ""
    full_length = sorted(len(line) for line in lines)[len(lines) * 9 // 10]
    parts = [lines[0]]
    for before, line in pairwise(lines):
        parts.append(_separator(before, line, full_length))
        parts.append(line)
    return "".join(parts)


def _separator(before: str, line: str, full_length: int) -> str:
    """The separator of two lines: nothing, a space, or a blank line between paragraphs."""
    ends_sentence = before.endswith(_STOPS)
    is_full = len(before) >= (0.9 if ends_sentence else 0.75) * full_length
    continues = line[0].islower() and not ends_sentence and len(before) >= 0.5 * full_length
    if _ITEM.match(line) and (ends_sentence or not is_full):
        return "\n\n"
    if not is_full and (not continues or _ITEM.match(before)):
        return "\n\n"
    return "" if _CHINESE.match(before[-1]) and _CHINESE.match(line[0]) else " "
