"""The numbers of articles of law, in different notations."""

import re
from typing import Final

from msgspec import Struct

from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.normalise import surface
from assay.text.numeral import NUMERAL, numeral_value

_NUMERAL: Final = f"(?:[0-9]+|[{NUMERAL}]+)"
_CHINESE: Final = lazy_pattern(rf"第\s?({_NUMERAL})\s?条(?:\s?之\s?({_NUMERAL}))?", re.NOFLAG)
_LIST: Final = r"[0-9]+(?:[.\-][0-9]+)*[¹²³⁴⁵⁶⁷⁸⁹⁰]*"
_WESTERN: Final = lazy_pattern(
    lambda: (
        rf"(?:(?<![A-Za-zА-яЁё])(?:{alternatives('article.word')})|§{{1,2}})\s{{0,2}}"
        rf"({_LIST}(?:\s?(?:,|{alternatives('article.and')})\s?{_LIST}"
        rf"(?![0-9]*\s?(?:{alternatives('article.no_number_before')}|%)))*)"
    )
)
_LETTER: Final = lazy_pattern(
    lambda: (
        rf"(?:(?<![A-Za-z])(?:{alternatives('article.law', 'en')})(?:\s[12][0-9]{{3}})?,?\s{{1,2}}"
        rf"(?P<after>(?:{alternatives('article.letter', 'en')})\.?\s?({_LIST}))"
        rf"|(?<![A-Za-z'’])(?P<before>(?:{alternatives('article.letter', 'en')})\.?\s?({_LIST}))"
        rf"(?=(?:\s?\([0-9a-z]+\))*,?\s(?:(?:of|in|under)\s)?(?:the\s)?(?:[a-z][\w'’-]*\s){{1,7}}"
        rf"(?:{alternatives('article.law', 'en')})(?![a-z])))"
    )
)
# The expressions above are slow, and most texts with a number name no article: in lower case, one
# of these is in every text that does.
_WESTERN_SIGN: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('article.word')}|§)\s{{0,2}}[0-9]", re.NOFLAG
)
_LETTER_SIGN: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('article.letter', 'en')})\.?\s?[0-9]", re.NOFLAG
)
_SUPERSCRIPT: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


class Article(Struct, frozen=True, kw_only=True):
    """The number of an article in digits, and its position in the text."""

    number: str
    start: int
    end: int


def articles(text: str) -> list[Article]:
    """The articles named in ``text``, in order; each number of a list is a separate article.

    The number of an inserted article has two parts: ``第3条之一`` is ``3-1``, and ``ст. 12.1``
    and ``ст. 12¹`` are ``12.1``. Paragraphs in brackets are ignored: ``Art. 5(2)`` is ``5``.

    >>> [a.number for a in articles("ст. 330 и 331 ГК РФ, 第五百八十五条, Articles 5, 6")]
    ['330', '331', '585', '5', '6']
    >>> [a.number for a in articles("Sale of Goods Act 1979, s. 14(2); s 3 of the Harbour Act")]
    ['14', '3']
    """
    flat = surface(text)
    lower = flat.text.lower()
    named: list[Article] = []
    for match in _CHINESE.finditer(flat.text) if "条" in lower else ():
        number = _chinese_number(match[1])
        part = _chinese_number(match[2]) if match[2] else None
        if number is None or (match[2] and part is None):
            continue
        span = flat.span(match.start(), match.end())
        name = number if part is None else f"{number}-{part}"
        named.append(Article(number=name, start=span.start, end=span.end))
    for match in _WESTERN.finditer(flat.text) if _WESTERN_SIGN.search(lower) else ():
        for index, item in enumerate(re.finditer(_LIST, match[1])):
            start = match.start() if index == 0 else match.start(1) + item.start()
            span = flat.span(start, match.start(1) + item.end())
            number = _western_number(item.group())
            named.append(Article(number=number, start=span.start, end=span.end))
    for match in _LETTER.finditer(flat.text) if _LETTER_SIGN.search(lower) else ():
        part = "after" if match["after"] else "before"
        span = flat.span(match.start(part), match.end(part))
        number = _western_number(match[2] or match[4])
        named.append(Article(number=number, start=span.start, end=span.end))
    return sorted(named, key=lambda article: article.start)


def _chinese_number(numeral: str) -> str | None:
    if numeral.isdigit():
        return numeral.lstrip("0") or "0"
    value = numeral_value(numeral)
    return None if value is None else f"{value:f}"


def _western_number(digits: str) -> str:
    base = digits.rstrip("⁰¹²³⁴⁵⁶⁷⁸⁹")
    superscript = digits[len(base) :].translate(_SUPERSCRIPT)
    return f"{base}.{superscript}" if superscript else base
