"""Citations in an answer, and the one sentence that says there is nothing to cite.

Brackets of every width count (``[1]``, ``【1】``, ``［１］``), with lists and
ranges inside (``[1, 2]``, ``[1-3]``); a date in brackets is no citation, a year is one that is
out of range.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from assay.text.character import DASH
from assay.text.language import Language
from assay.text.normalise import normalised
from assay.text.number import NUMERAL, numeral_value
from assay.text.span import Span

CitationStyle: TypeAlias = Literal["index", "page"]
"""Passages are cited by number, ``[2]``, or by page, ``(p. 4)``."""

NO_MENTION: Final[Mapping[Language, str]] = MappingProxyType(
    {
        "zh": "文档未提及",
        "ru": "В документе не указано",
        "en": "The document does not mention this",
    }
)
"""The one sentence that says the passages hold no answer, in each language."""

LONGEST_RANGE: Final = 1000
"""A range of more numbers than this counts as its two ends: nobody cites a thousand passages."""

_NUMBER: Final = r"\d{1,9}"
_TO: Final = rf"\s*[{DASH}~～〜至到-]\s*"
_ITEM: Final = rf"{_NUMBER}(?:{_TO}{_NUMBER})?"
_AND: Final = r"\s*[,，、;；]\s*"
_LIST: Final = rf"{_ITEM}(?:{_AND}{_ITEM})*"
# Some models write [^1] or 【1†source】.
_CITATION: Final = re.compile(rf"[\[［【〔]\s*\^?({_LIST})\s*(?:†[^\]］】〕\n]{{0,80}})?[\]］】〕]")
_LEADING_ZERO: Final = re.compile(r"(?<!\d)[0０]\d")

_HAN_NUMBER: Final = rf"(?:\d{{1,9}}|[{NUMERAL}]{{1,9}})"
_HAN_LIST: Final = rf"{_HAN_NUMBER}(?:(?:{_TO}|\s*[,，、]\s*){_HAN_NUMBER})*"
_PAGE_WORD: Final = r"стр\.?|страниц[а-я]{0,3}|с\.|pages?|pp?\."
# After "p. 3, 5" the 5 may count days: further numbers are pages only up to a bracket.
_PAGES: Final = re.compile(
    rf"第\s*(?P<han>{_HAN_LIST})\s*[页頁]"
    rf"|(?<!\w)(?:{_PAGE_WORD})\s*(?:(?P<list>{_LIST})(?=\s*[)）\]］])|(?P<one>{_ITEM}))(?!\d)",
    re.IGNORECASE,
)
_BRACKETED: Final = re.compile(r"[(（\[［【][^()（）\[\]［］【】]*[)）\]］】]")


def extract_citation_numbers(text: str) -> list[int]:
    """The passage numbers cited in ``text``, each once, in order of first appearance.

    >>> extract_citation_numbers("是[2]，又【１，3】。See [3-5], not [abc] or [2020-08-30].")
    [2, 1, 3, 4, 5]
    """
    return _distinct(number for match in _CITATION.finditer(text) for number in _listed(match[1]))


def extract_page_numbers(text: str) -> list[int]:
    """The page numbers named in ``text``, each once, in order of first appearance.

    >>> extract_page_numbers("(стр. 4), с. 7, pp. 3-5, page 12, 第十二页, 第2页")
    [4, 7, 3, 5, 12, 2]

    A range names all of its pages:

    >>> extract_page_numbers("(pp. 8–10)")
    [8, 9, 10]
    """
    return _distinct(number for match in _PAGES.finditer(text) for number in _paged(match))


def marked_page_numbers(text: str) -> list[int]:
    """The pages that stand alone in brackets, each once: cited, not merely spoken of.

    >>> marked_page_numbers("As page 80 of the annex has it, thirty days (p. 4).")
    [4]
    """
    return _distinct(
        page for mark in _page_marks(text) for page in extract_page_numbers(mark.group())
    )


def citation_spans(text: str) -> list[Span]:
    """Where ``text`` cites: bracketed numbers, and page numbers wherever they stand.

    >>> [span.of("Да [2] (стр. 4).") for span in citation_spans("Да [2] (стр. 4).")]
    ['[2]', 'стр. 4']
    """
    marks = [match for match in _CITATION.finditer(text) if _listed(match[1])]
    found = [Span(start=mark.start(), end=mark.end()) for mark in [*marks, *_PAGES.finditer(text)]]
    return sorted(found)


def without_citations(text: str, *, pages: bool = False) -> str:
    """``text`` with its bracketed numbers taken out, and the space before them.

    For quoting: a footnote mark of the source would pass for a citation of the answer. With
    ``pages``, brackets that hold page numbers alone go too.

    >>> without_citations("The rate is 5% [12], as before (p. 3).")
    'The rate is 5%, as before (p. 3).'
    """
    while True:
        marks = [match for match in _CITATION.finditer(text) if _listed(match[1])]
        marks += _page_marks(text) if pages else []
        if not marks:
            return text
        # Another mark may close up where one was taken out.
        for match in sorted(marks, key=re.Match.start, reverse=True):
            text = text[: match.start()].rstrip(" ") + text[match.end() :]


def is_no_mention(text: str) -> bool:
    """Whether ``text`` is the strict no-mention answer, in any of the three languages.

    Case, width, spaces, quotation marks and other punctuation make no difference; any further
    word does.

    >>> is_no_mention("«В документе не указано.»"), is_no_mention("文档未提及甲")
    (True, False)
    """
    return _letters(text) in _NO_MENTION_LETTERS


def citations_ok(text: str, passages_count: int, *, pages: Collection[int] | None = None) -> bool:
    """Whether the answer says it is not mentioned, or cites, and cites only what it was given.

    ``[n]`` must lie in 1..``passages_count``. With ``pages``, the pages of the passages, one of
    them may be cited instead, and pages alone in brackets must be among them; a page named in
    running text, which may be quoted, only counts when it is.
    """
    if is_no_mention(text):
        return True
    cited = extract_citation_numbers(text)
    if not all(1 <= number <= passages_count for number in cited):
        return False
    if pages is None:
        return bool(cited)
    if not all(page in pages for page in marked_page_numbers(text)):
        return False
    return bool(cited) or any(page in pages for page in extract_page_numbers(text))


def _page_marks(text: str) -> list[re.Match[str]]:
    """The brackets that hold page numbers and no other word."""
    return [
        match
        for match in _BRACKETED.finditer(text)
        if extract_page_numbers(match.group())
        and not any(map(str.isalnum, _PAGES.sub("", match.group())))
    ]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, normalised(text, fold_case=True)))


_NO_MENTION_LETTERS: Final = frozenset(map(_letters, NO_MENTION.values()))


def _distinct(found: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(found))


def _listed(items: str) -> list[int]:
    """The numbers of "1, 3-5"; none where it is rather a date (``2020-08``)."""
    numbers: list[int] = []
    for item in re.finditer(_ITEM, items):
        ends = re.findall(_NUMBER, item.group())
        if len(ends) == 2 and _LEADING_ZERO.search(item.group()):
            return []
        numbers.extend(_between(int(ends[0]), int(ends[-1])))
    return numbers


def _between(first: int, last: int) -> Iterable[int]:
    if abs(last - first) >= LONGEST_RANGE:
        return (first, last)
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


def _paged(match: re.Match[str]) -> list[int]:
    if match["han"] is None:
        return _listed(match["list"] or match["one"])
    numbers: list[int] = []
    for part in re.split(r"\s*[,，、]\s*", match["han"]):
        ends = [_han_value(end) for end in re.split(_TO, part)]
        if None in ends:
            continue
        known = [end for end in ends if end is not None]
        numbers.extend(_between(known[0], known[-1]))
    return numbers


def _han_value(written: str) -> int | None:
    if written.isdigit():
        return int(written)
    value = numeral_value(written)
    return None if value is None else int(value)
