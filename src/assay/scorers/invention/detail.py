"""Details of an answer that neither the document nor the question holds.

Numbers, dates, times, telephone and account numbers, document numbers and codes, addresses,
e-mail addresses and names are looked for in the answer; each that the source does not hold, in
whatever writing or grammatical case, is reported with its place. A detail that the source has
but the answer misapplies is not invented. Clauses, pages and counts of versions are no details.
Names are told by capitals, quotation marks and, in Chinese, by surnames and the words around
them (``assay.scorers.invention.name``): what is written like any other word is not noticed.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from msgspec import Struct, structs

from assay.scorers.invention.name import known_words, unknown_names
from assay.scorers.value import (
    answer_dates,
    codes,
    long_numbers,
    quantities,
    references,
    times_of_day,
)
from assay.text import Date, Number, Span, normalised, numbers

Penalty: TypeAlias = Literal["high", "medium", "low"]
Kind: TypeAlias = Literal["number", "date", "time", "name", "account", "code", "address", "contact"]

SEVERITY: Final[dict[Penalty, float]] = {"high": 1.0, "medium": 0.5, "low": 0.25}
"""What one invented detail weighs, by a question's ``hallucination_penalty``."""

_CONTACT: Final = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:https?://|www\.)[^\s,;，；。)）]+|(?<!\w)@[A-Za-z]\w{2,}"
)
_ADDRESS: Final = re.compile(
    r"(?<!\w)(?:[Ff]lat \d+,? )?\d+[A-Za-z]?,? (?:[A-Z][\w'’]+ ){1,3}?(?:Street|St|Road|Rd|Lane|Avenue|Ave|Drive|Court|Square"
    r"|Close|Way|Place|Row|Terrace|Crescent|Gardens)\b"
    r"|\b(?:[Уу]л\.|[Уу]лиц\w+|[Пп]роспект\w*|[Пп]р-т|[Пп]ер\.|[Пп]ереул\w+|[Нн]аб\.|[Шш]оссе|[Бб]ульвар\w*)\s+[А-ЯЁ][\w-]+"
    r"(?:,?\s*(?:д\.|дом\w*)?\s*\d+\w*)?(?:,?\s*(?:кв\.|квартир\w+|оф\.)\s*\d+)?"
    r"|[\u4e00-\u9fff]{2,5}(?:路|街|巷|大道|弄)\d+号(?:\d+(?:室|栋|单元|楼))*"
)
_MEASURE: Final = re.compile(
    r"[次个名人位天日月年岁台件张份笔期间套辆瓶倍度元]|小时|分钟|个(?:月|小时|工作日)"
    r"|\s?(?:days?|hours?|minutes?|weeks?|months?|years?|times|people|men|guests)\b"
    r"|\s?(?:дн(?:ей|я|ям)|день|час(?:а|ов)?|минут\w*|недел\w+|месяц\w*|лет|год(?:а|у|ом)?|раза?|человек\w*)\b",
    re.IGNORECASE,
)
_VERSIONS: Final = re.compile(
    r"[种]|个?(?:说法|日期|版本|不同|数字|时间|期限|答案|方面|问题|金额)"
    r"|\s?(?:different |conflicting |possible )?(?:versions?|accounts?|dates?|statements?|figures?|answers?|provisions?|sides?|readings?"
    r"|terms?|periods?|points?|questions?|clauses?|sources?|places?)\b"
    r"|\s?(?:разн\w+ )?(?:верси\w+|показани\w+|дат\w*|сторон\w*|срок\w*|ответ\w*|пункт\w*|вариант\w*|источник\w*|сумм\w*|вопрос\w*)\b",
    re.IGNORECASE,
)
_REFERRING: Final = re.compile(
    r"(?:\b(?:the|these|those|both|all|either|neither of|эти[хм]?|тех|все|всех)\s|[这那前上])\Z",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(
    "(?<![一二三四五六七八九十百千第])[一二两三四五六七八九]{2}(?=[次个名人位天年月笔张万千百])"
)
_RANK: Final = re.compile(
    r"\b(?:(?P<e1>first)|(?P<e2>second)|(?P<e3>third)|(?P<e4>fourth)|(?P<e5>fifth)|(?P<e6>sixth))\b"
    r"|第(?:(?P<z1>[一1])|(?P<z2>[二2])|(?P<z3>[三3])|(?P<z4>[四4])|(?P<z5>[五5])|(?P<z6>[六6]))(?=[次期笔批])"
    r"|\b(?:(?P<r1>перв)|(?P<r2>втор)|(?P<r3>трет)|(?P<r4>четверт)|(?P<r5>пят)|(?P<r6>шест))(?:ый|ая|ое|ой|ого|ым|ую|ом|ий|ья|ье|ьего|ью|ьей|ым)\b",
    re.IGNORECASE,
)
_PERIOD: Final = re.compile(
    r"\s?(?:(?P<hours>个?小时|hours?\b|час(?:а|ов|ам)?\b)|(?P<minutes>分钟|minutes?\b|минут\w*)"
    r"|(?P<days>天|日(?!元)|(?:working |calendar |business )?days?\b|(?:рабоч\w+ |календарн\w+ )?(?:дн(?:ей|я|ям|ями)|день)\b)"
    r"|(?P<weeks>周|个?星期|weeks?\b|недел\w+)|(?P<months>个月|months?\b|месяц\w*)|(?P<years>年|years?\b|лет\b|год(?:а|у|ом)?\b)"
    r"|(?P<times>次|times\b|раза?\b))",
    re.IGNORECASE,
)
_TIMES_WORD: Final = re.compile(
    r"once|twice|thrice|однажды|единожды|дважды|трижды|один раз", re.IGNORECASE
)
_NOT_DIGIT: Final = re.compile(r"\D")


class Invention(Struct, frozen=True, kw_only=True):
    """An invented detail as it stands in the answer."""

    kind: Kind
    text: str
    span: Span


class Source(Struct, frozen=True, kw_only=True):
    """What a document and a question hold, ready to be looked up."""

    text: str
    letters: str
    values: frozenset[Decimal]
    percents: frozenset[Decimal]
    periods: frozenset[tuple[Decimal, str]]
    dates: tuple[Date, ...]
    times: frozenset[str]
    digits: tuple[str, ...]
    words: frozenset[str]


def inventions(answer: str, sources: Sequence[str]) -> list[Invention]:
    """The details of ``answer`` that no source holds, in order.

    >>> [one.text for one in inventions("He paid £900 to Marcus Hale.", ["I paid £800."])]
    ['£900', 'Marcus Hale']
    """
    source = _joined(*map(_source, _blocks(sources)))
    found: list[Invention] = []
    taken: list[Span] = list(references(answer))
    for kind, spans in _details(answer, source):
        for span, is_held in without_overlap_pairs(spans, taken):
            taken.append(span)
            if not is_held:
                found.append(Invention(kind=kind, text=span.of(answer), span=span))
    for span in unknown_names(answer, source.text, source.words):
        if not any(span.start < one.end and one.start < span.end for one in taken):
            found.append(Invention(kind="name", text=span.of(answer), span=span))
            taken.append(span)
    return sorted(found, key=lambda one: one.span)


def severity(found: Sequence[Invention], penalty: Penalty) -> float:
    """How grave the inventions are: their number times the weight of the question's penalty.

    >>> severity([], "high")
    0.0
    """
    return SEVERITY[penalty] * len(found)


def without_overlap_pairs(
    pairs: Iterable[tuple[Span, bool]], taken: Sequence[Span]
) -> list[tuple[Span, bool]]:
    """Those pairs whose span shares no character with any of ``taken``."""
    return [
        (span, held)
        for span, held in pairs
        if not any(span.start < one.end and one.start < span.end for one in taken)
    ]


def _details(answer: str, source: Source) -> Iterable[tuple[Kind, list[tuple[Span, bool]]]]:
    """Details by kind, each with whether the source holds it; what claims its place goes first."""
    yield (
        "contact",
        [(span, _has_letters(span, answer, source)) for span in _spans(_CONTACT, answer)],
    )
    yield (
        "address",
        [(span, _has_address(span, answer, source)) for span in _spans(_ADDRESS, answer)],
    )
    dated = answer_dates(answer)
    yield (
        "date",
        [(Span(start=date.start, end=date.end), _has_date(date, source)) for date in dated],
    )
    yield "time", [(span, _clock(span.of(answer)) in source.times) for span in times_of_day(answer)]
    yield (
        "account",
        [(span, _has_digits(span.of(answer), source)) for span in long_numbers(answer)],
    )
    yield "code", [(span, _has_letters(span, answer, source)) for span in codes(answer)]
    yield "number", [*_approximate(answer, source), *_counted(answer, source)]


def _counted(answer: str, source: Source) -> list[tuple[Span, bool]]:
    found = []
    for number in quantities(answer):
        written = answer[number.start : number.end]
        before = answer[max(0, number.start - 12) : number.start]
        if number.unit is None and (
            _VERSIONS.match(answer, number.end)
            or (number.value <= 10 and _REFERRING.search(before))
        ):
            continue
        if number.value == 1 and not any(map(str.isdigit, written)) and number.unit is None:
            continue
        found.append((_with_unit(answer, number), _has_number(answer, number, source)))
    return found


def _approximate(answer: str, source: Source) -> list[tuple[Span, bool]]:
    """Chinese "five or six": held where both are, or where it is written so."""
    found = []
    for match in _ABOUT.finditer(answer):
        measure = _MEASURE.match(answer, match.end())
        end = measure.end() if measure else match.end()
        found.append(
            (Span(start=match.start(), end=end), answer[match.start() : end] in source.text)
        )
    return found


def _with_unit(answer: str, number: Number) -> Span:
    start, end = number.start, number.end
    if number.unit_span is not None:
        start, end = min(start, number.unit_span.start), max(end, number.unit_span.end)
    elif measure := _MEASURE.match(answer, end):
        end = measure.end()
    return Span(start=start, end=end)


def _has_number(answer: str, number: Number, source: Source) -> bool:
    period = period_of(answer, number)
    if period is not None:
        return (number.value, period) in source.periods
    pool = source.percents if number.unit == "percent" else source.values
    if number.value in pool or (number.alternative is not None and number.alternative in pool):
        return True
    return number.unit is None and any(date.year == number.value for date in source.dates)


def _has_date(date: Date, source: Source) -> bool:
    years = {one.year for one in source.dates} | {
        int(v) for v in source.values if v % 1 == 0 and 1000 <= v < 3000
    }
    for one in source.dates:
        parts = ((date.month, one.month), (date.day, one.day))
        if any(mine is not None and mine != theirs for mine, theirs in parts):
            continue
        if date.year in {None, one.year} or (one.year is None and date.year in years):
            return True
    return date.month is None and date.year in years


def _has_digits(written: str, source: Source) -> bool:
    wanted = _NOT_DIGIT.sub("", written)
    return any(wanted in one or one.endswith(wanted[-10:]) for one in source.digits)


def _has_letters(span: Span, answer: str, source: Source) -> bool:
    return _letters(span.of(answer)) in source.letters


def _has_address(span: Span, answer: str, source: Source) -> bool:
    said = span.of(answer)
    if _letters(said) in source.letters:
        return True
    known = known_words(said) <= source.words
    return known and all(n.value in source.values for n in numbers(said)) and not said[0].isdigit()


def _blocks(sources: Sequence[str]) -> tuple[str, ...]:
    """All but the last source in one, and the last: a document stays while questions change."""
    return "\n".join((*sources[:-1], "")), *sources[-1:]


def _joined(first: Source, *others: Source) -> Source:
    """What any of the sources holds."""
    for other in others:
        both = zip(structs.astuple(first), structs.astuple(other), strict=True)
        first = Source(
            **{
                name: mine | its if isinstance(mine, frozenset) else mine + its
                for name, (mine, its) in zip(Source.__struct_fields__, both, strict=True)
            }
        )
    return first


@lru_cache(maxsize=64)
def _source(text: str) -> Source:
    counted = quantities(text)
    return Source(
        text=text,
        letters=_letters(text),
        values=frozenset(v for n in counted if n.unit != "percent" for v in _values(n))
        | _ranks(text),
        percents=frozenset(v for n in counted if n.unit == "percent" for v in _values(n)),
        periods=frozenset(
            (n.value, period) for n in counted if (period := period_of(text, n)) is not None
        )
        | frozenset((value, "times") for value in _ranks(text)),
        dates=tuple(answer_dates(text)),
        times=frozenset(_clock(span.of(text)) for span in times_of_day(text)),
        digits=tuple(_NOT_DIGIT.sub("", span.of(text)) for span in long_numbers(text)),
        words=known_words(text),
    )


def period_of(text: str, number: Number) -> str | None:
    """What a number of days, hours or times counts; ``None`` for anything else.

    >>> from assay.scorers.value.quantity import quantities
    >>> [period_of(t, quantities(t)[0]) for t in ("6小时", "30 дней", "42 cows", "twice")]
    ['hours', 'days', None, 'times']
    """
    if _TIMES_WORD.fullmatch(text[number.start : number.end]):
        return "times"
    match = _PERIOD.match(text, number.end) if number.unit is None else None
    return match.lastgroup if match else None


def _ranks(text: str) -> frozenset[Decimal]:
    """Counts that ordinal words show: who has a third has three."""
    found = {int(str(match.lastgroup)[1]) for match in _RANK.finditer(text)}
    return frozenset(Decimal(n) for n in range(1, max(found, default=0) + 1))


def _values(number: Number) -> list[Decimal]:
    return [number.value] if number.alternative is None else [number.value, number.alternative]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, normalised(text, fold_case=True)))


def _clock(written: str) -> str:
    parts = [int(part) for part in re.findall(r"\d+", written)]
    half = 30 if "半" in written else 0
    hour = parts[0] + (12 if re.search(r"\dp|\sp", written.lower()) and parts[0] < 12 else 0)
    return f"{hour}:{parts[1] if len(parts) > 1 else half:02d}"


def _spans(pattern: re.Pattern[str], text: str) -> list[Span]:
    return [Span(start=match.start(), end=match.end()) for match in pattern.finditer(text)]
