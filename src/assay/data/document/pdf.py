"""The text of a PDF, page by page, cleaned of what the layout put into it.

Words broken at line ends are whole again, ligatures are letters, running headers, footers
and page numbers are gone, and the lines of a paragraph are one line. The order of the text
is pdfium's own, which follows the columns that the file writes one after the other.
"""

import re
import unicodedata
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Final

from assay.data.document.running_line import without_running_lines
from assay.errors import DatasetError
from assay.text import HAN

_BREAK: Final = "\ufffe"  # what pdfium puts where it sees a hyphen at the end of a line
_LIGATURE: Final = {
    0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st",
    0xFB06: "st",
}  # fmt: skip
_NOTHING: Final = dict.fromkeys(
    [*range(9), 11, *range(14, 32), 0xAD, 0x200B, 0x200C, 0x2060, 0xFEFF]
)
_SPACES: Final = re.compile(r"[ \t\u00a0\u2000-\u200a\u202f]+")
_BROKEN: Final = re.compile(rf"([^\W\d_]+)(?:{_BREAK}|[-\u2010]\n)\n?([^\W\d_]+)")
_WORD: Final = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_STOPS: Final = tuple(".!?:;。！？：；…»”)）")
_ITEM: Final = re.compile(
    r"\s*(?:[-•·▪–—]\s|\(?[0-9]{1,3}[.)]\s|[0-9]{1,2}(?:\.[0-9]{1,2})+\.?\s"
    r"|[（(]?[一二三四五六七八九十]{1,3}[）)、]|第[0-9〇零一二两三四五六七八九十百千]+[编章节条]"
    r"|(?i:статья|глава|раздел|article|section|chapter)\s+[0-9IVXLC]+)"
)
_EAST: Final = re.compile(f"[{HAN}，。、；：！？（）《》“”]")
_RADICAL: Final = re.compile("[\u2e80-\u2fdf]")


def pdf_pages(path: Path) -> list[str]:
    """The pages' texts; a page without any is empty.

    A file without any text at all, one that needs a password, or one that is no PDF is
    refused with a line that says so.
    """
    raw = _raw_pages(path)
    if not any(text.strip() for text in raw):
        raise DatasetError(f"{path} has no text layer: scanned, needs OCR")
    pages = [_letters(text) for text in raw]
    lines = without_running_lines([page.split("\n") for page in pages])
    kept = _mended_page_ends(["\n".join(page) for page in lines])
    vocabulary = Counter(word for page in kept for word in _WORD.findall(page))
    return [_unwrapped(_without_breaks(page, vocabulary)) for page in kept]


def _raw_pages(path: Path) -> list[str]:
    # pdfium is a large library that only PDFs need
    import pypdfium2  # type: ignore[import-untyped] # noqa: PLC0415

    path.open("rb").close()  # pdfium would not say why a file cannot be read
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pypdfium2.raw.FPDF_ERR_PASSWORD:
            raise DatasetError(
                f"{path}: encrypted, needs a password; save a copy without one"
            ) from None
        raise DatasetError(f"{path}: not a PDF, or damaged: pdfium cannot open it") from None
    texts: list[str] = []
    try:
        for index in range(len(document)):
            page = document[index]
            text_page = page.get_textpage()
            texts.append(text_page.get_text_bounded())
            text_page.close()
            page.close()
    except pypdfium2.PdfiumError:
        raise DatasetError(f"{path}: page {len(texts) + 1} is damaged") from None
    finally:
        document.close()
    return texts


def _letters(text: str) -> str:
    """Page text with letters for ligatures and radicals, and without what leaves no mark."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x02", _BREAK)
    text = text.replace("\f", "\n").translate(_LIGATURE).translate(_NOTHING)
    text = _RADICAL.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)
    return "\n".join(_SPACES.sub(" ", line).strip() for line in text.split("\n"))


def _mended_page_ends(pages: list[str]) -> list[str]:
    """A word broken over two pages goes to the first of them."""
    mended = list(pages)
    for index in range(len(mended) - 1):
        if not re.search(rf"[^\W\d_](?:{_BREAK}|[-\u2010])\Z", mended[index]):
            continue
        rest = re.match(r"([^\W\d_]+[^\s\w]*)\s*", mended[index + 1])
        if rest and rest[1][0].islower():
            mended[index] = f"{mended[index][:-1]}{_BREAK}{rest[1]}"
            mended[index + 1] = mended[index + 1][rest.end() :]
    return mended


def _without_breaks(text: str, vocabulary: Counter[str]) -> str:
    """Words broken at a line end made whole.

    The hyphen stays where a capital follows, and where the document writes the word with a
    hyphen elsewhere and never without.
    """

    def whole(match: re.Match[str]) -> str:
        joined, hyphenated = match[1] + match[2], f"{match[1]}-{match[2]}"
        keeps = not match[2][0].islower() or (vocabulary[hyphenated] and not vocabulary[joined])
        return hyphenated if keeps else joined

    previous = ""
    while previous != text:
        previous, text = text, _BROKEN.sub(whole, text)
    return text.replace(_BREAK, "-")


def _unwrapped(text: str) -> str:
    """Each paragraph on a line of its own, with a blank line between two."""
    lines = [line for line in text.split("\n") if line]
    if not lines:
        return ""
    full = sorted(len(line) for line in lines)[len(lines) * 9 // 10]
    parts = [lines[0]]
    for before, line in pairwise(lines):
        parts.append(_joint(before, line, full))
        parts.append(line)
    return "".join(parts)


def _joint(before: str, line: str, full: int) -> str:
    """What stands between two lines: nothing, a space, or a blank line."""
    stops = before.endswith(_STOPS)
    wraps = len(before) >= (0.9 if stops else 0.75) * full
    goes_on = line[0].islower() and not stops and len(before) >= 0.5 * full
    if _ITEM.match(line) and (stops or not wraps):
        return "\n\n"
    if not wraps and (not goes_on or _ITEM.match(before)):
        return "\n\n"
    return "" if _EAST.match(before[-1]) and _EAST.match(line[0]) else " "
