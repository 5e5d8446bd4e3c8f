"""Citations in an answer, and the fixed sentence that says that there is nothing to cite.

Citations are numbers in brackets of any width (``[1]``, ``【1】``, ``［１］``), including lists and
ranges (``[1, 2]``, ``[1-3]``). A date in brackets is not a citation. A year in brackets is a
citation whose number is out of range.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from assay.text.character import DASH
from assay.text.language import Language
from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.normalise import Span, normalised
from assay.text.numeral import NUMERAL, numeral_value

CitationStyle: TypeAlias = Literal["index", "page"]
"""How passages are cited: by number, ``[2]``, or by page, ``(p. 4)``."""

NO_MENTION: Final[Mapping[Language, str]] = MappingProxyType(
    {
        "zh": "文档未提及",
        "ru": "В документе не указано",
        "en": "The document does not mention this",
    }
)
"""The sentence in each language that says that the passages do not contain the answer."""

LONGEST_RANGE: Final = 1000
"""A range of more numbers than this counts only as its two ends: it is hardly a citation."""

_NUMBER: Final = r"\d{1,9}"
_TO: Final = rf"\s*[{DASH}~～〜至到-]\s*"
_ITEM: Final = rf"{_NUMBER}(?:{_TO}{_NUMBER})?"
_AND: Final = r"\s*[,，、;；]\s*"
_LIST: Final = rf"{_ITEM}(?:{_AND}{_ITEM})*"
# Some models write [^1] or 【1†source】.
_CITATION: Final = lazy_pattern(
    rf"[\[［【〔]\s*\^?({_LIST})\s*(?:†[^\]］】〕\n]{{0,80}})?[\]］】〕]", re.NOFLAG
)
_LEADING_ZERO: Final = lazy_pattern(r"(?<!\d)[0０]\d", re.NOFLAG)

_HAN_NUMBER: Final = rf"(?:\d{{1,9}}|[{NUMERAL}]{{1,9}})"
_HAN_LIST: Final = rf"{_HAN_NUMBER}(?:(?:{_TO}|\s*[,，、]\s*){_HAN_NUMBER})*"
# In "p. 3, 5 days" the 5 is not a page: a list of pages must end at a closing bracket.
_PAGES: Final = lazy_pattern(
    lambda: (
        rf"第\s*(?P<han>{_HAN_LIST})\s*[页頁]"
        rf"|(?<!\w)(?:{alternatives('citation.page')})\s*"
        rf"(?:(?P<list>{_LIST})(?=\s*[)）\]］])|(?P<single>{_ITEM}))(?!\d)"
    )
)
_BRACKETED: Final = lazy_pattern(r"[(（\[［【][^()（）\[\]［］【】]*[)）\]］】]", re.NOFLAG)


def extract_citation_numbers(text: str) -> list[int]:
    """The numbers of the passages cited in ``text``, each once, in order of first appearance.

    >>> extract_citation_numbers("是[2]，又【１，3】。See [3-5], not [abc] or [2020-08-30].")
    [2, 1, 3, 4, 5]
    """
    return _distinct(
        number for match in _CITATION.finditer(text) for number in _list_numbers(match[1])
    )


def extract_page_numbers(text: str) -> list[int]:
    """The page numbers named in ``text``, each once, in order of first appearance.

    >>> extract_page_numbers("(стр. 4), с. 7, pp. 3-5, page 12, 第十二页, 第2页")
    [4, 7, 3, 5, 12, 2]

    A range includes all its pages:

    >>> extract_page_numbers("(pp. 8–10)")
    [8, 9, 10]
    """
    return _distinct(number for match in _PAGES.finditer(text) for number in _page_numbers(match))


def marked_page_numbers(text: str) -> list[int]:
    """The pages that are cited in brackets, each once; pages mentioned in the text are left out.

    >>> marked_page_numbers("As page 80 of the annex has it, thirty days (p. 4).")
    [4]
    """
    return _distinct(
        page for mark in _page_marks(text) for page in extract_page_numbers(mark.group())
    )


def citation_spans(text: str) -> list[Span]:
    """The spans of all citations: numbers in brackets, and page numbers with or without brackets.

    >>> [span.of("Да [2] (стр. 4).") for span in citation_spans("Да [2] (стр. 4).")]
    ['[2]', 'стр. 4']
    """
    marks = [match for match in _CITATION.finditer(text) if _list_numbers(match[1])]
    marks.extend(_PAGES.finditer(text))
    return sorted(Span(start=mark.start(), end=mark.end()) for mark in marks)


def without_citations(text: str, *, pages: bool = False) -> str:
    """``text`` without numbers in brackets and the spaces before them.

    Use it for quotations: a footnote mark in a quoted source would look like a citation. If
    ``pages`` is true, brackets that contain only page numbers are removed, too.

    >>> without_citations("The rate is 5% [12], as before (p. 3).")
    'The rate is 5%, as before (p. 3).'
    """
    while True:
        marks = [match for match in _CITATION.finditer(text) if _list_numbers(match[1])]
        marks += _page_marks(text) if pages else []
        if not marks:
            return text
        # Removing a mark may join the parts of another one, so the loop starts again.
        for match in sorted(marks, key=re.Match.start, reverse=True):
            text = text[: match.start()].rstrip(" ") + text[match.end() :]


def is_no_mention(text: str) -> bool:
    """Whether ``text`` is the ``NO_MENTION`` sentence of any of the three languages.

    Case, character width, spaces and punctuation are ignored. With any additional word, it is
    not that sentence.

    >>> is_no_mention("«В документе не указано.»"), is_no_mention("文档未提及甲")
    (True, False)
    """
    return _letters(text) in _NO_MENTION_LETTERS


def citations_ok(text: str, passages_count: int, *, pages: Collection[int] | None = None) -> bool:
    """Whether the answer is the ``NO_MENTION`` sentence, or has citations and all are valid.

    Each ``[n]`` must be in 1..``passages_count``. ``pages`` are the pages of the passages; if it
    is given, the answer may cite one of these pages instead of a number. Then every page that is
    cited in brackets must be one of them. A page mentioned in the text may be part of a
    quotation: it counts as a citation if it is one of ``pages``, and is ignored otherwise.
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
    """The brackets that contain page numbers and nothing else."""
    return [
        match
        for match in _BRACKETED.finditer(text)
        if extract_page_numbers(match.group())
        and not any(map(str.isalnum, _PAGES.sub("", match.group())))
    ]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, normalised(text, fold_case=True)))


_NO_MENTION_LETTERS: Final = frozenset(map(_letters, NO_MENTION.values()))


def _distinct(numbers: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(numbers))


def _list_numbers(items: str) -> list[int]:
    """The numbers of a list like "1, 3-5"; empty if it is a date like ``2020-08``."""
    numbers: list[int] = []
    for item in re.finditer(_ITEM, items):
        ends = re.findall(_NUMBER, item.group())
        if len(ends) == 2 and _LEADING_ZERO.search(item.group()):
            return []
        numbers.extend(_range_numbers(int(ends[0]), int(ends[-1])))
    return numbers


def _range_numbers(first: int, last: int) -> Iterable[int]:
    if abs(last - first) >= LONGEST_RANGE:
        return (first, last)
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


def _page_numbers(match: re.Match[str]) -> list[int]:
    if match["han"] is None:
        return _list_numbers(match["list"] or match["single"])
    numbers: list[int] = []
    for part in re.split(r"\s*[,，、]\s*", match["han"]):
        ends = [_han_value(end) for end in re.split(_TO, part)]
        if None in ends:
            continue
        values = [end for end in ends if end is not None]
        numbers.extend(_range_numbers(values[0], values[-1]))
    return numbers


def _han_value(number: str) -> int | None:
    if number.isdigit():
        return int(number)
    value = numeral_value(number)
    return None if value is None else int(value)
