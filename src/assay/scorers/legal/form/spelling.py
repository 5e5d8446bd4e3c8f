"""One spelling for what an answer and an expected text may write in several ways.

Mt. is Mount, Nov–Apr is November to April, the twelfth century is the 12th, «20 000 ₽» is «20 тысяч
рублей», and "ten (10) years" are ten years.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from assay.scorers.legal.form.ordinal import ordinals
from assay.text import Number, Span, numbers
from assay.text.lexicon import alternatives, expressions, lazy_pattern, word_list
from assay.text.number import canonical, numeral_value

_LETTER: Final = re.compile(r"[^\W\d_]")
_HAN_NUMBER: Final = lazy_pattern(
    lambda: rf"第?(?P<han>[一二两三四五六七八九十百]+)(?={alternatives('form.numbered', 'zh')})"
)
_TWICE: Final = re.compile(r"[(（]\s?[\d.,\s]+[)）]|[(（][^\W\d_]+(?:[ -][^\W\d_]+)*[)）]")
_DASH: Final = re.compile(r"(?<=[^\W\d_])\s?[–—-]\s?(?=[^\W\d_])")
_RANGE: Final = lazy_pattern(lambda: rf"\b(?:{alternatives('form.range_link')})\b")
_HAN_RANGE: Final = lazy_pattern(lambda: rf"月(?P<link>{alternatives('form.range_link', 'zh')})")
_WHOLE_RANGE: Final = lazy_pattern(lambda: alternatives("form.whole_range"))
_CODE: Final = lazy_pattern(
    lambda: (
        rf"(?<=\w )[{_alike()}](?!\w)|(?<![\w-])[{_alike()}]{{1,3}}-?\d+|(?<=\d)[{_alike()}](?!\w)"
    ),
    re.NOFLAG,
)
"""Letters that may be Latin or Cyrillic: vitamin C, A4."""


def _alike() -> str:
    return "".join(word_list("form.alike_letters", "ru")) + "".join(
        word_list("form.alike_latin", "ru")
    )


@cache
def _latin() -> dict[int, int]:
    one, other = (word_list(f"form.alike_{name}", "ru") for name in ("letters", "latin"))
    return str.maketrans("".join(one), "".join(other))


@cache
def _parts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """American spellings, each with the expression of the British one."""
    parts = (line.partition("/")[::2] for line in expressions("form.spelling_parts", "en"))
    return tuple((chosen, re.compile(other, re.IGNORECASE)) for chosen, other in parts)


@cache
def _pairs() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Each spelling that is chosen, with the expression of the others."""
    parts = (line.partition("/")[::2] for line in expressions("form.spellings"))
    return tuple(
        (chosen, re.compile(rf"(?<![a-zа-яё])(?:{chosen}|{others})(?![a-zа-яё])", re.IGNORECASE))
        for chosen, others in parts
    )


def respelled(text: str, wording: str) -> tuple[str, str]:
    """``text`` and ``wording`` in one spelling, as far as ``wording`` has something to respell.

    >>> respelled("closed Nov-Apr", "November to April")
    ('closed november to april', 'november to april')
    >>> respelled("in the twelfth century", "12th century")
    ('in the 12th century', '12th century')
    """
    if numbers(wording):
        text = _without_repetition(text)
    is_range = False
    for chosen, pattern in _pairs():
        if pattern.search(wording) and pattern.search(text):
            text, wording = pattern.sub(chosen, text), pattern.sub(chosen, wording)
            is_range = is_range or _RANGE.search(wording) is not None
    if is_range and (link := _RANGE.search(wording)):
        text = _DASH.sub(f" {link.group()} ", text)
    text, wording = _with_one_range(text, wording)
    text, wording = _with_one_alphabet(text, wording)
    if any(True for _ in ordinals(wording)):
        text, wording = _with_ordinals(text), _with_ordinals(wording)
    if _HAN_NUMBER.search(wording) or _HAN_NUMBER.search(text):
        text, wording = _HAN_NUMBER.sub(_figure, text), _HAN_NUMBER.sub(_figure, wording)
    if _LETTER.search(wording):
        text, wording = _with_figures(text, wording)
    return text, wording


def _with_one_range(text: str, wording: str) -> tuple[str, str]:
    """From the beginning of June to the end of August is from June to August."""
    if _WHOLE_RANGE.search(wording) or not _WHOLE_RANGE.search(text):
        return text, wording
    link = _HAN_RANGE.search(wording) or _RANGE.search(wording)
    if link is None:
        return text, wording
    between = link["link"] if link.lastgroup else f" {link.group()} "

    def whole(match: re.Match[str]) -> str:
        return between.join(month for month in match.groups() if month)

    return _WHOLE_RANGE.sub(whole, text), wording


def _with_one_alphabet(text: str, wording: str) -> tuple[str, str]:
    """Codes in Latin letters, and American spelling."""
    if _CODE.search(wording):
        text, wording = (
            _CODE.sub(lambda code: code.group().translate(_latin()), form)
            for form in (text, wording)
        )
    if not wording.isascii():
        return text, wording
    for chosen, other in _parts():
        if other.search(wording) or (chosen in wording.lower() and other.search(text)):
            text, wording = other.sub(chosen, text), other.sub(chosen, wording)
    return text, wording


def _figure(match: re.Match[str]) -> str:
    value = numeral_value(match["han"]) if match["han"] else None
    return match.group() if value is None else canonical(value)


def _with_ordinals(text: str) -> str:
    """All ordinal numbers in figures."""
    spans = sorted(ordinals(text), key=lambda found: found[1])
    for number, span in reversed(spans):
        text = f"{text[: span.start]}{number}th{text[span.end :]}"
    return text


def _with_figures(text: str, wording: str) -> tuple[str, str]:
    """Amounts of money in figures, with the code of the currency, if ``wording`` has more than one."""
    known = numbers(wording)
    if not any(number.currency for number in known):
        return _same_in_figures(text, known), _same_in_figures(wording, known)
    return _money_in_figures(text), _money_in_figures(wording)


def _same_in_figures(text: str, known: Sequence[Number]) -> str:
    """``text`` with the known numbers in figures: twenty days of leave a year."""
    values = {number.value for number in known}
    for number in reversed(numbers(text)):
        if number.value in values and number.unit is None:
            text = f"{text[: number.start]}{canonical(number.value)}{text[number.end :]}"
    return text


def _money_in_figures(text: str) -> str:
    for number in reversed([n for n in numbers(text) if n.currency]):
        span = _whole(number)
        text = f"{text[: span.start]}{canonical(number.value)} {number.currency}{text[span.end :]}"
    return text


def _whole(number: Number) -> Span:
    unit = number.unit_span
    if unit is None:
        return Span(start=number.start, end=number.end)
    return Span(start=min(number.start, unit.start), end=max(number.end, unit.end))


def _without_repetition(text: str) -> str:
    """``text`` without a number in brackets that repeats the one before it: ten (10) years."""
    found = numbers(text)
    for second in reversed(found):
        bracket = next(
            (m for m in _TWICE.finditer(text) if m.start() < second.start < m.end()), None
        )
        first = next((n for n in found if bracket and n.end <= bracket.start()), None)
        is_same = any(
            bracket is not None
            and n.value == second.value
            and not text[n.end : bracket.start()].strip()
            for n in found
        )
        if bracket is not None and first is not None and is_same:
            text = text[: bracket.start()].rstrip() + text[bracket.end() :]
    return text
