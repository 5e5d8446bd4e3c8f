"""Quantities of an answer: its numbers, without those that only point somewhere.

Dates, times of day, telephone and account numbers, clauses, pages and document numbers are no
quantities; each kind can be asked for by itself.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from msgspec.structs import replace

from assay.scorers.value.date import answer_dates
from assay.text import CYRILLIC, HAN, LATIN, Number, Span, articles, citation_spans, numbers
from assay.text.number import unit_after

_SCALES: Final = (
    ("hundred|сот(?:ни|ен)", 100),
    (r"thousand|тысяч\w*|тыс\.?", 1000),
    (r"million|миллион\w*|млн\.?", 10**6),
    (r"billion|миллиард\w*|млрд\.?", 10**9),
)
_HALF: Final = re.compile(
    r"\s+(?:and a half|с половиной)\s+(?:" + "|".join(f"({word})" for word, _ in _SCALES) + r")\b",
    re.IGNORECASE,
)
_HALF_OF: Final = re.compile(
    r"\b(?:half (?:a|of a)\s+(?:(thousand)|(million)|(billion))|пол(?:(тысячи)|(миллиона)|(миллиарда)))\b",
    re.IGNORECASE,
)
_TIMES_WORD: Final = re.compile(
    r"\b(?:(?P<one>once|однажды|единожды|один раз)|(?P<two>twice|дважды)|(?P<three>thrice|трижды))\b"
    r"|(?P<han>(?<![第十百千万一二三四五六七八九])一(?=[次笔张份台名期处间套件辆]))",
    re.IGNORECASE,
)
_TIMES: Final = {"one": 1, "two": 2, "three": 3, "han": 1}

_CLOCK: Final = re.compile(
    r"(?<![\d:.])(?:[01]?\d|2[0-4])[:：][0-5]\d(?![\d:])(?:\s?[ap]\.?m\b\.?)?"
    r"|(?<!\d)\d{1,2}\s?(?:时|点)(?:\s?\d{1,2}\s?分|半)"
    r"|\b\d{1,2}(?:\.\d\d)?\s?[ap]\.?m\b\.?",
    re.IGNORECASE,
)
_NOT_WESTERN: Final = rf"(?<![{CYRILLIC}{LATIN}0-9.,])"
_DIGITS: Final = re.compile(
    rf"{_NOT_WESTERN}[+(]?\d[\d()]*(?:[ \u00a0-]?[\d()]+)*\d(?![{CYRILLIC}{LATIN}0-9]|[.,]\d)"
)
_LONG: Final = 7
_DOCUMENT_NUMBER: Final = re.compile(r"(?:№|\bNo\.|\bno\.)\s?[\w/-]*\d[\w/-]*(?:\([\w-]+\))?")
_CODE: Final = re.compile(
    # A plate begins with the character of its province.
    rf"(?<=[牌号是为照:： ])[{HAN}][A-Z][·• ]?[A-Z0-9]{{4,6}}(?![A-Z0-9])"
    rf"|(?<![{CYRILLIC}{LATIN}0-9-])(?=[A-ZА-ЯЁ0-9/-]*[0-9])(?=[A-ZА-ЯЁ0-9/-]*[A-ZА-ЯЁ])[A-ZА-ЯЁ0-9][A-ZА-ЯЁ0-9/-]{{2,}}"
    rf"(?: [A-ZА-ЯЁ0-9]{{2,4}}(?![{CYRILLIC}{LATIN}0-9]))?(?![{CYRILLIC}{LATIN}0-9])"
)
_CLAUSE: Final = re.compile(
    r"\b(?:clauses?|sections?|articles?|paragraphs?|paras?\.?|cl\.|sch(?:edule)?\.?|annex(?:es)?|appendix"
    r"|items?|lines?|sub-?clauses?)\s*\(?\d+(?:\.\d+)*\)?(?:\s*(?:and|or|,|-|–)\s*\d+(?:\.\d+)+)*"
    r"|\b(?:пункт\w*|п\.|пп\.|подпункт\w*|стать\w+|ст\.|раздел\w*|част[ьи]|абзац\w*|приложени\w+|строк\w*)"
    r"\s*(?:№\s*)?\d+(?:\.\d+)*(?:\s*(?:и|или|,|-|–)\s*\d+(?:\.\d+)+)*"
    r"|第\s*[\d.一二三四五六七八九十百]+\s*[条款项章节页行]|(?:条款|正文|条|附件|附录)\s*[\d一二三四五六七八九十]+(?:\.\d+)*"
    r"|(?<![\d.])\d+\.\d+\s?(?:条|款|项|(?=[写规约载]))",
    re.IGNORECASE,
)


def quantities(text: str) -> list[Number]:
    """The numbers of ``text`` that say how much or how many, in order.

    >>> [n.canonical for n in quantities("On 2 May 2031, clause 4.6: twice, 27 and a half thousand")]
    ['2', '27500']
    """
    taken = [
        *(Span(start=date.start, end=date.end) for date in answer_dates(text)),
        *times_of_day(text),
        *long_numbers(text),
        *codes(text),
        *references(text),
    ]
    found = [*_halves(text), *_times(text)]
    return sorted(without_overlap(found, taken), key=lambda number: number.start)


def times_of_day(text: str) -> list[Span]:
    """Where ``text`` names an hour and minutes."""
    return _spans(_CLOCK, text)


def long_numbers(text: str) -> list[Span]:
    """Telephone and account numbers: seven digits or more in groups.

    >>> [span.of("call 0417 555 0161 at 42,000") for span in long_numbers("call 0417 555 0161 at 42,000")]
    ['0417 555 0161']
    """
    return [span for span in _spans(_DIGITS, text) if _is_long(span.of(text))]


def codes(text: str) -> list[Span]:
    """Numbers of documents (№ 31-к) and codes of letters and digits (KX31 TLB)."""
    found = _spans(_DOCUMENT_NUMBER, text)
    return sorted([*found, *without_overlap(_spans(_CODE, text), found)])


def references(text: str) -> list[Span]:
    """Where ``text`` names a page, a clause or a cited passage."""
    named = [Span(start=one.start, end=one.end) for one in articles(text)]
    return [*citation_spans(text), *named, *_spans(_CLAUSE, text)]


def without_overlap(found: Iterable, taken: Iterable[Span]) -> list:  # type: ignore[type-arg]
    """Those of ``found`` that share no character with any of ``taken``."""
    spans = list(taken)
    return [one for one in found if not any(one.start < t.end and t.start < one.end for t in spans)]


def _is_long(written: str) -> bool:
    groups = re.findall(r"\d+", written)
    if sum(map(len, groups)) < _LONG:
        return False
    # 310 000 000 is grouped by thousands, an account is not.
    grouped = len(groups) > 1 and len(groups[0]) < 4 and all(len(one) == 3 for one in groups[1:])
    return (len(groups) > 1 and not grouped) or len(groups[0]) > 10 or written[0] in "+0"


def _spans(pattern: re.Pattern[str], text: str) -> list[Span]:
    return [Span(start=match.start(), end=match.end()) for match in pattern.finditer(text)]


def _halves(text: str) -> list[Number]:
    """The numbers, with halves of a scale word put together."""
    out = []
    for match in _HALF_OF.finditer(text):
        power = next(place for place, group in enumerate(match.groups()) if group) % 3
        value = Decimal(500 * 1000**power)
        out.append(_priced(text, Number(value=value, start=match.start(), end=match.end())))
    for number in without_overlap(numbers(text), [Span(start=n.start, end=n.end) for n in out]):
        half = _HALF.match(text, number.end)
        if half is not None:
            scale = next(s for g, (_, s) in zip(half.groups(), _SCALES, strict=True) if g)
            value = (number.value + Decimal("0.5")) * scale
            out.append(_priced(text, replace(number, value=value, end=half.end())))
        else:
            out.append(number)
    return out


def _priced(text: str, number: Number) -> Number:
    unit = unit_after(text, number.end)
    if unit is None or number.currency is not None:
        return number
    return replace(
        number,
        unit="currency",
        currency=unit.name,
        unit_span=Span(start=unit.start, end=unit.end),
    )


def _times(text: str) -> list[Number]:
    return [
        Number(value=Decimal(_TIMES[str(match.lastgroup)]), start=match.start(), end=match.end())
        for match in _TIMES_WORD.finditer(text)
    ]
