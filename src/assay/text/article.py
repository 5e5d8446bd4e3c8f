"""Numbers of articles of law, however they are written."""

import re
from typing import Final

from msgspec import Struct

from assay.text.number import NUMERAL, numeral_value
from assay.text.surface import surface

_NUMERAL: Final = f"(?:[0-9]+|[{NUMERAL}]+)"
_CHINESE: Final = re.compile(rf"第\s?({_NUMERAL})\s?条(?:\s?之\s?({_NUMERAL}))?")
_LIST: Final = r"[0-9]+(?:[.\-][0-9]+)*[¹²³⁴⁵⁶⁷⁸⁹⁰]*"
_WESTERN: Final = re.compile(
    r"(?:(?<![A-Za-zА-яЁё])(?:ст\.\s?ст\.|ст\.|статья|стать[иеюяёй]+|статей|статьям[и]?"
    r"|articles?|arts?\.|sections?|secs?\.)|§{1,2})\s{0,2}"
    rf"({_LIST}(?:\s?(?:,|и|and|или|or)\s?{_LIST}(?![0-9]*\s?(?:г\.|год|руб|%)))*)",
    re.IGNORECASE,
)
_SUPERSCRIPT: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


class Article(Struct, frozen=True, kw_only=True):
    """An article's number in digits and where it is named."""

    number: str
    start: int
    end: int


def articles(text: str) -> list[Article]:
    """The articles named in ``text``, in order; each number of a list is one.

    >>> [a.number for a in articles("ст. 330 и 331 ГК РФ, 第五百八十五条, Articles 5, 6")]
    ['330', '331', '585', '5', '6']
    """
    flat = surface(text)
    found: list[Article] = []
    for match in _CHINESE.finditer(flat.text):
        number = _chinese(match[1])
        part = _chinese(match[2]) if match[2] else None
        if number is None or (match[2] and part is None):
            continue
        span = flat.span(match.start(), match.end())
        name = number if part is None else f"{number}-{part}"
        found.append(Article(number=name, start=span.start, end=span.end))
    for match in _WESTERN.finditer(flat.text):
        for place, item in enumerate(re.finditer(_LIST, match[1])):
            start = match.start() if place == 0 else match.start(1) + item.start()
            span = flat.span(start, match.start(1) + item.end())
            found.append(Article(number=_western(item.group()), start=span.start, end=span.end))
    return sorted(found, key=lambda article: article.start)


def article_number(text: str) -> str | None:
    """The number of the first article named in ``text``, in digits; ``None`` without one.

    An inserted article keeps its mark: ``第3条之一`` is ``3-1``, ``ст. 12.1`` and ``ст. 12¹``
    are ``12.1``. Paragraphs in brackets are no part of it: ``Art. 5(2)`` is ``5``.

    >>> article_number("第五百八十五条"), article_number("ст. 330"), article_number("Article 12")
    ('585', '330', '12')
    """
    found = articles(text)
    return found[0].number if found else None


def _chinese(written: str) -> str | None:
    if written.isdigit():
        return written.lstrip("0") or "0"
    value = numeral_value(written)
    return None if value is None else f"{value:f}"


def _western(written: str) -> str:
    base = written.rstrip("⁰¹²³⁴⁵⁶⁷⁸⁹")
    raised = written[len(base) :].translate(_SUPERSCRIPT)
    return f"{base}.{raised}" if raised else base
