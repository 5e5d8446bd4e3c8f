"""Extract the text of a PDF page by page, and remove what belongs to the layout.

Words hyphenated at line ends are joined, ligatures become letters, running headers, footers
and page numbers are removed, and the lines of a paragraph become one line. The text keeps
pdfium's order, which is the order of the file: columns are read one after the other if the
file stores them so.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from assay.errors import DatasetError
from assay.text.character import HAN
from assay.text.lexicon import alternatives, lazy_pattern
from assay.words.say import marked

# Remove running headers, footers and page numbers: lines that repeat at the edges of pages.
#
# To recognise a line whose number changes from page to page, each line is compared in several
# forms. In a form, one number is replaced by ``_GROWS`` and its difference from the page's
# index, which stays the same if the number grows with the page.

EDGE_LINES: Final = 2
"""This many lines at the top and at the bottom of a page may be a header or a footer."""

MAX_RUNNING: Final = 200
"""A line with more characters is body text, even at the edge of a page."""

_GROWS: Final = "\0"
_GROWTH: Final = re.compile(r"\0(-?[0-9]+)")
_NUMBER: Final = re.compile(r"(?<![0-9A-Za-zА-яЁё.,])[0-9]{1,5}(?![0-9A-Za-zА-яЁё]|[.,][0-9])")
_PAGE_WORDS: Final = lazy_pattern(
    lambda: rf"(?i:{alternatives('running_line.page')}|[\s\0\-–—.·•|/\[\]()0-9])*", re.NOFLAG
)
_WORD: Final = re.compile(r"[^\W\d_]+")
# The number of an article may also grow from page to page, but it is no page number. A number
# that follows it may be one.
_NUMBERED_PART: Final = lazy_pattern(lambda: alternatives("running_line.numbered_part"), re.NOFLAG)


_DAMAGED: Final = marked("not a PDF, or damaged: pdfium cannot open it")


def without_running_lines(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The pages without the lines that repeat at the same edge of at least three pages.

    A number in such a line may grow with the page: ``Page 3 of 9`` and ``Page 4 of 9`` count
    as the same line. A chapter title beside a page number is removed even if the chapter has
    only one or two pages. If a file has only two pages, only page numbers are removed.

    >>> without_running_lines([["Report", f"Text {word}", str(n)]
    ...                        for n, word in enumerate(["a", "b", "c"], 7)])
    [['Text a'], ['Text b'], ['Text c']]
    """
    keys = [_edge_keys(page, number) for number, page in enumerate(pages)]
    counts = Counter(key for page in keys for key in set().union(*page.values()))
    repeated = {key for key, count in counts.items() if count >= _required_count(key, len(pages))}
    offsets = {_offset(form) for _, form in repeated} - {None}
    running = repeated | {
        key
        for key, count in counts.items()
        if _offset(key[1]) in offsets and _is_title(key[1], count)
    }
    return [
        [line for index, line in enumerate(page) if not page_keys.get(index, set()) & running]
        for page, page_keys in zip(pages, keys, strict=True)
    ]


def _offset(form: str) -> str | None:
    """The difference between the number in a form and the page's index; None without a number."""
    match = _GROWTH.search(form)
    return match[1] if match else None


def _is_title(form: str, count: int) -> bool:
    """Whether a form that contains the page number can be a chapter title."""
    return len(_WORD.findall(form)) > 1 and (count > 1 or bool(_NUMBERED_PART.match(form)))


def _edge_keys(page: Sequence[str], number: int) -> dict[int, set[tuple[str, str]]]:
    """Map the index of each line at an edge to its keys: the edge, and a form of the line."""
    filled = [index for index, line in enumerate(page) if line.strip()]
    edges = dict.fromkeys(filled[-EDGE_LINES:], "bottom")
    edges.update((index, "top") for index in filled[:EDGE_LINES])
    if len(filled) <= 2 * EDGE_LINES:
        # such a short page has no middle, so each line may be at either edge
        return {
            index: {
                (edge, form) for edge in ("top", "bottom") for form in _forms(page[index], number)
            }
            for index in edges
        }
    return {
        index: {(edge, form) for form in _forms(page[index], number)}
        for index, edge in edges.items()
    }


def _forms(line: str, number: int) -> Iterator[str]:
    """The line itself, and the line with each of its numbers replaced (see the module)."""
    plain = " ".join(line.split())
    if len(plain) > MAX_RUNNING:
        return
    yield plain
    part = _NUMBERED_PART.match(plain)
    for match in _NUMBER.finditer(plain, part.end() if part else 0):
        offset = int(match.group()) - number
        yield f"{plain[: match.start()]}{_GROWS}{offset}{plain[match.end() :]}"


def _required_count(key: tuple[str, str], pages: int) -> int:
    """On how many pages a line must occur to be a running line."""
    form = key[1]
    if _GROWS not in form:
        return 3
    if _PAGE_WORDS.fullmatch(_NUMBER.sub("", form)):
        return min(3, max(2, pages))
    # "Step 3" may be the third of many steps with one page each; more words make a title
    return 3 if len(_WORD.findall(form)) > 2 else max(3, math.ceil(pages / 2))


# How many characters of a page of a PDF cannot be read.
#
# A font of a PDF says which letter each of its glyphs is. If it does not, or if it says that the glyph
# is the letter 0, the page can be printed, but its text lacks the letter or has another one.

_CONTROL: Final = re.compile(r"[\x00\x01\x03-\x08\x0e-\x1f\ufffd]")  # \x02 is a hyphen
_SUSPECT: Final = re.compile(r"[\x00\x01\x03-\x08\x0e-\x1f\ufffd\ufffe]")
_BLANK: Final = " \t"
"""Some programs write tabs with fonts that do not know them."""


def unread_characters(page: Any) -> int:
    """The number of characters without a letter on a text page of pdfium.

    In the text pdfium leaves the letter 0 out, so that its page has more characters than its text,
    or writes it as it writes a hyphen at the end of a line.
    """
    # pdfium is a large library that is only needed for PDFs
    from pypdfium2 import raw  # type: ignore[import-untyped] # noqa: PLC0415

    count, handle = page.count_chars(), page.raw
    unread = {
        place
        for place in range(count)
        if raw.FPDFText_HasUnicodeMapError(handle, place) == 1
        and chr(raw.FPDFText_GetUnicode(handle, place)) not in _BLANK
    }
    text = page.get_text_range()
    if count != len(text) or _SUSPECT.search(text):
        unread |= {
            place
            for place in range(count)
            if _CONTROL.match(chr(raw.FPDFText_GetUnicode(handle, place)))
        }
    return len(unread)


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
_PDF_WORD: Final = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
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
    vocabulary = Counter(word for page in joined for word in _PDF_WORD.findall(page))
    return [
        PdfPage(_join_lines(_join_broken_words(text, vocabulary)), page.unread)
        for text, page in zip(joined, raw_pages, strict=True)
    ]


def _read_raw_pages(path: Path) -> list[PdfPage]:
    # pdfium is a large library that is only needed for PDFs
    import pypdfium2  # noqa: PLC0415

    path.open("rb").close()  # raises OSError with the reason, which pdfium does not report
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pypdfium2.raw.FPDF_ERR_PASSWORD:
            raise DatasetError(
                f"{path}: encrypted, needs a password; save a copy without one"
            ) from None
        raise DatasetError(f"{path}: {_DAMAGED}") from None
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
