"""Quantities of an answer: the numbers that say how much or how many.

Dates, times of day, telephone and account numbers, and the numbers of clauses, pages and
documents are not quantities. Separate functions return the spans of these kinds.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from assay.scorers.value.date import answer_dates
from assay.text import CYRILLIC, HAN, LATIN, Number, Ranges, Span, articles, citation_spans, numbers
from assay.text.lexicon import LETTERS, alternatives, lazy_pattern

_TIMES: Final = {"one": 1, "two": 2, "three": 3, "han": 1}


def _times_expression() -> str:
    western = "|".join(
        f"(?P<{name}>{alternatives(f'number.times.{name}')})" for name in ("one", "two", "three")
    )
    return rf"\b(?:{western})\b|(?P<han>{alternatives('number.once', 'zh')})"


_TIMES_WORD: Final = lazy_pattern(_times_expression)

_CLOCK: Final = lazy_pattern(lambda: alternatives("value.clock"))
_NOT_WESTERN: Final = rf"(?<![{CYRILLIC}{LATIN}0-9.,])"
_DIGITS: Final = re.compile(
    rf"{_NOT_WESTERN}[+(]?\d[\d()]*(?:[ \u00a0-][\d()]+)*(?<=\d)(?![{CYRILLIC}{LATIN}0-9]|[.,]\d)"
)
_LONG: Final = 7
"""The least number of digits of a telephone or account number."""
_DOCUMENT_NUMBER: Final = re.compile(r"(?:№|\bNo\.|\bno\.)\s?[\w/-]*\d[\w/-]*(?:\([\w-]+\))?")
_CODE: Final = re.compile(
    # A Chinese number plate begins with the character of its province.
    rf"(?<=[牌号是为照:： ])[{HAN}][A-Z][·• ]?[A-Z0-9]{{4,6}}(?![A-Z0-9])"
    rf"|(?<![{CYRILLIC}{LATIN}0-9-])(?=[A-ZА-ЯЁ0-9/-]{{0,60}}[0-9])(?=[A-ZА-ЯЁ0-9/-]{{0,60}}[A-ZА-ЯЁ])[A-ZА-ЯЁ0-9][A-ZА-ЯЁ0-9/-]{{2,}}"
    rf"(?: [A-ZА-ЯЁ0-9]{{2,4}}(?![{CYRILLIC}{LATIN}0-9]))?(?![{CYRILLIC}{LATIN}0-9])"
)


def _clause_expression() -> str:
    english, russian, chinese = (alternatives("reference.part", language) for language in LETTERS)
    return (
        rf"\b(?:{english})\s*\(?\d+(?:\.\d+)*\)?(?:\s*(?:and|or|,|-|–)\s*\d+(?:\.\d+)+)*"
        rf"|\b(?:{russian})\s*(?:№\s*)?\d+(?:\.\d+)*(?:\s*(?:и|или|,|-|–)\s*\d+(?:\.\d+)+)*"
        r"|第\s*[\d.一二三四五六七八九十百]+\s*[条款项章节页行]"
        rf"|(?:{chinese})\s*[\d一二三四五六七八九十]+(?:\.\d+)*"
        r"|(?<![\d.])\d+\.\d+\s?(?:[条款项]|(?=[写规约载]))"
    )


_CLAUSE: Final = lazy_pattern(_clause_expression)


def quantities(text: str) -> list[Number]:
    """The numbers of ``text`` that say how much or how many, from left to right.

    >>> [n.canonical for n in quantities("On 2 May 2031, clause 4.6: twice, 27 and a half thousand")]
    ['2', '27500']
    """
    excluded = [
        *(Span(start=date.start, end=date.end) for date in answer_dates(text)),
        *times_of_day(text),
        *long_numbers(text),
        *codes(text),
        *references(text),
    ]
    candidates = [*numbers(text), *_multiplier_words(text)]
    return sorted(without_overlap(candidates, excluded), key=lambda number: number.start)


def times_of_day(text: str) -> list[Span]:
    """The spans of times of day, such as 23:10, 5 pm and 9点半."""
    return _spans(_CLOCK, text)


def long_numbers(text: str) -> list[Span]:
    """The spans of telephone and account numbers: seven or more digits in groups.

    >>> text = "call 0417 555 0161 at 42,000"
    >>> [span.of(text) for span in long_numbers(text)]
    ['0417 555 0161']
    """
    return [span for span in _spans(_DIGITS, text) if _is_long(span.of(text))]


def codes(text: str) -> list[Span]:
    """The spans of document numbers (№ 31-к) and codes of letters and digits (KX31 TLB)."""
    document_numbers = _spans(_DOCUMENT_NUMBER, text)
    return sorted([*document_numbers, *without_overlap(_spans(_CODE, text), document_numbers)])


def references(text: str) -> list[Span]:
    """The spans that refer to a page, an article, a clause or a cited passage."""
    article_spans = [Span(start=article.start, end=article.end) for article in articles(text)]
    return [*citation_spans(text), *article_spans, *_spans(_CLAUSE, text)]


def without_overlap(items: Iterable, excluded: Iterable[Span]) -> list:  # type: ignore[type-arg]
    """The items, each with a start and an end, that overlap none of the excluded spans."""
    taken = Ranges((span.start, span.end) for span in excluded)
    return [item for item in items if not taken.overlap(item.start, item.end)]


def _is_long(text: str) -> bool:
    """Whether groups of digits are a telephone or account number, and not a large quantity."""
    groups = re.findall(r"\d+", text)
    if sum(map(len, groups)) < _LONG:
        return False
    # 310 000 000 is grouped by thousands; an account number is not.
    is_by_thousands = (
        len(groups) > 1 and len(groups[0]) < 4 and all(len(group) == 3 for group in groups[1:])
    )
    return (len(groups) > 1 and not is_by_thousands) or len(groups[0]) > 10 or text[0] in "+0"


def _spans(pattern: re.Pattern[str], text: str) -> list[Span]:
    return [Span(start=match.start(), end=match.end()) for match in pattern.finditer(text)]


def _multiplier_words(text: str) -> list[Number]:
    """The numbers in words like "twice", дважды and 一次."""
    return [
        Number(value=Decimal(_TIMES[str(match.lastgroup)]), start=match.start(), end=match.end())
        for match in _TIMES_WORD.finditer(text)
    ]
