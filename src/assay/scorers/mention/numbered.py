"""Things with a number, in other words: quarters, clauses, document numbers, people, multiples."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from assay.text import Span, find_phrase, numbers
from assay.text.lexicon import LETTERS, alternatives, expressions, lazy_pattern, word_list
from assay.text.number import NUMERAL, numeral_value

_MARKS: Final = re.compile(r"[\W_]+")
_ROMAN: Final = ("I", "II", "III", "IV")
_SECTIONS: Final = (
    "article", "section", "clause", "paragraph", "part", "item", "chapter", "page", "annex",
)  # fmt: skip
_NUMBER_SIGN: Final = re.compile(r"\W*(?:№|#|No\.?|Nr\.?)\s*(?=\S)", re.IGNORECASE)
_CODE: Final = re.compile(r"[^\W\d_]|[/-]")
_NUMBER_ASKED: Final = lazy_pattern(lambda: alternatives("open_answer.number_asked"))
_SECTION_ASKED: Final = lazy_pattern(lambda: alternatives("open_answer.section_asked"))
_FOLD: Final = lazy_pattern(lambda: alternatives("form.fold_after"))
_ANYONE: Final = lazy_pattern(lambda: rf"\s?(?:{alternatives('form.person_any')})(?![a-zа-яё])")
_SOMEONE: Final = lazy_pattern(lambda: rf"\s?(?:{alternatives('form.person_kind')})(?![a-zа-яё])")
_BETWEEN: Final = re.compile(r"[\s,]*")
_RISE: Final = lazy_pattern(
    lambda: "|".join(pair.partition("/")[0] for pair in expressions("open_answer.directions"))
)


class Section(NamedTuple):
    """A part of a document: what it is called and its number."""

    kind: str
    number: str
    span: Span


def numbered_spans(answer: str, text: str, question: str) -> Iterator[Span]:
    """Yield where ``text`` has what ``answer`` is, in other words.

    >>> text = "Это ст. 12."
    >>> [span.of(text) for span in numbered_spans("статья 12", text, "")]
    ['ст. 12']
    """
    yield from _section_spans(answer, text, question)
    yield from _signed_number(answer, text, question)
    yield from _people_spans(answer, text)
    if not _RISE.search(question):
        yield from _multiple_spans(answer, text)


def _is_all(text: str, span: Span) -> bool:
    return not _MARKS.sub("", text[: span.start] + text[span.end :])


def quarter_spans(answer: str, text: str, question: str) -> Iterator[Span]:
    """Yield where ``text`` has the quarter of a year that ``answer`` is.

    A year that is expected must be said, unless the question names it.

    >>> text = "второй квартал 2023 года"
    >>> [span.of(text) for span in quarter_spans("2-й квартал 2023", text, "")]
    ['второй квартал 2023 года']
    """
    known = list(_quarters(answer))
    if len(known) != 1 or not _is_all(answer, known[0][2]):
        return
    number, year, _ = known[0]
    for told, told_year, span in _quarters(text):
        is_same_year = year in {told_year, ""} or (not told_year and year in question)
        if told == number and is_same_year:
            yield span


@cache
def _quarter_patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(source, re.IGNORECASE) for source in expressions("form.quarter_of_year")
    )


def _quarters(text: str) -> Iterator[tuple[int, str, Span]]:
    end = -1
    matches = [match for pattern in _quarter_patterns() for match in pattern.finditer(text)]
    for match in sorted(matches, key=lambda m: (m.start(), -m.end())):
        number = _quarter(match["n"])
        if number and match.start() >= end:
            end = match.end()
            yield number, match["year"] or "", Span(start=match.start(), end=end)


def _quarter(name: str) -> int:
    if name[0].isdigit():
        return int(name[0])
    if name.upper() in _ROMAN:
        return _ROMAN.index(name.upper()) + 1
    for language in LETTERS:
        for number, word in enumerate(word_list("form.quarter_words", language), 1):
            if name.lower().startswith(word):
                return number
    return 0


@cache
def _section_patterns() -> tuple[re.Pattern[str], ...]:
    western, chinese = [], []
    for kind in _SECTIONS:
        names = expressions(f"form.section.{kind}", "en", "ru", required=False)
        if names:
            western.append(f"(?P<{kind}>{'|'.join(names)})")
        if han := expressions(f"form.section.{kind}", "zh", required=False):
            chinese.append(f"(?P<{kind}>{'|'.join(han)})")
    number = r"(?P<number>\d+(?:[.-]\d+)*)"
    return (
        re.compile(rf"(?<![^\W\d_])(?:{'|'.join(western)})\s*(?:№\s*)?{number}", re.IGNORECASE),
        re.compile(rf"第?\s?(?P<number>\d+(?:\.\d+)*|[{NUMERAL}]+)\s?(?:{'|'.join(chinese)})"),
    )


def _sections(text: str) -> Iterator[Section]:
    for pattern in _section_patterns():
        for match in pattern.finditer(text):
            kind = next(name for name in _SECTIONS if match.groupdict().get(name))
            number = match["number"]
            if not number[0].isdigit():
                number = str(numeral_value(number))
            yield Section(kind, number, Span(start=match.start(), end=match.end()))


def _section_spans(answer: str, text: str, question: str) -> Iterator[Span]:
    """A clause with its name in another form, or its number alone if the question asks for it."""
    known = list(_sections(answer))
    if not known or _MARKS.sub("", _without(answer, known)):
        return
    wanted = {section[:2] for section in known}
    told = list(_sections(text))
    size = len(known)
    for first in range(len(told) - size + 1):
        window = told[first : first + size]
        span = Span(start=window[0].span.start, end=window[-1].span.end)
        if {section[:2] for section in window} == wanted and _are_beside(text, window):
            yield span
    if size == 1 and _SECTION_ASKED.search(question):
        plain = re.fullmatch(r"\W*(\d+(?:[.-]\d+)*)\W*", text)
        if plain is not None and plain[1] == known[0].number:
            yield Span(start=plain.start(1), end=plain.end(1))


def _without(text: str, sections: Sequence[Section]) -> str:
    for section in reversed(sections):
        text = text[: section.span.start] + text[section.span.end :]
    return text


def _are_beside(text: str, window: Sequence[Section]) -> bool:
    pairs = pairwise(window)
    return all(_BETWEEN.fullmatch(text, one.span.end, two.span.start) for one, two in pairs)


def _signed_number(answer: str, text: str, question: str) -> Iterator[Span]:
    """The number of a document without its sign: 17/А for № 17/А."""
    sign = _NUMBER_SIGN.match(answer)
    if sign is None:
        return
    rest = answer[sign.end() :]
    if _CODE.search(rest) or _NUMBER_ASKED.search(question):
        span = find_phrase(rest, text)
        if span is not None:
            yield span


def _people_spans(answer: str, text: str) -> Iterator[Span]:
    """The same number of people, if one of both texts says no more: 1230人, 1230名员工."""
    known = list(_people(answer))
    if len(known) != 1 or not _is_all(answer, known[0][2]):
        return
    value, is_any, _ = known[0]
    yield from (
        span for told, told_any, span in _people(text) if told == value and (is_any or told_any)
    )


def _people(text: str) -> Iterator[tuple[Decimal, bool, Span]]:
    for number in numbers(text):
        someone = _SOMEONE.match(text, number.end)
        anyone = _ANYONE.match(text, number.end)
        found = someone or anyone
        if found is not None and number.unit is None:
            yield number.value, someone is None, Span(start=number.start, end=found.end())


def _multiple_spans(answer: str, text: str) -> Iterator[Span]:
    """A percentage for a multiple, and a multiple for a percentage: 150%, 1.5倍."""
    for wanted, told in ((_percents, _folds), (_folds, _percents)):
        known = list(wanted(answer))
        if len(known) == 1 and _is_all(answer, known[0][1]):
            yield from (span for value, span in told(text) if value == known[0][0])


def _percents(text: str) -> Iterator[tuple[Decimal, Span]]:
    for number in numbers(text):
        if number.unit == "percent":
            end = max(number.end, number.unit_span.end if number.unit_span else 0)
            yield number.value, Span(start=number.start, end=end)


def _folds(text: str) -> Iterator[tuple[Decimal, Span]]:
    for number in numbers(text):
        fold = _FOLD.match(text, number.end)
        if fold is not None and number.unit is None:
            yield number.value * 100, Span(start=number.start, end=fold.end())
    for entry in expressions("form.fold_words"):
        percent, _, source = entry.partition("/")
        for match in re.finditer(source, text, re.IGNORECASE):
            yield Decimal(percent), Span(start=match.start(), end=match.end())
