"""Whether an answer gives the expected value: right, wrong, or unsure.

The check decides what is clear and says so of the rest. It looks for each accepted answer in the answer, first as
it is written, then as a value (numbers and dates in any notation), then by its words, and stops at the
first rule that applies. How often each rule agrees with people is measured on real answers
(docs/checks.md); a rule that agrees too rarely to decide says "unsure" and which way it leans.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import islice, pairwise, product
from operator import attrgetter
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from rapidfuzz.distance import Levenshtein

from assay.checks.abstention import (
    assess_abstention,
    expected_polarity,
    is_denying,
    is_refusal,
    polarity,
    text_argument,
    texts_argument,
)
from assay.checks.doubt import doubt
from assay.text.character import HAN
from assay.text.date import Date
from assay.text.date import read_dates as dates
from assay.text.lexicon import word_groups, word_set
from assay.text.normalise import Ranges, Span
from assay.text.number import Number, numbers
from assay.text.search_term import Token, is_han, tagged_words, tokens, units
from assay.text.sentence import sentences

AnswerOutcome: TypeAlias = Literal["right", "wrong", "unsure"]

_MOST_PLACES: Final = 8
"""So many places where a value is said are looked at; an answer that repeats it says no more."""
_FAR: Final = 40
"""An answer that gives the value only after so many words may be about something else."""
_HAN_WEIGHT: Final = 0.6
"""A Chinese character is a part of a word."""
_SHORTEST_SPELLED: Final = 5
_MOST_SPELLED: Final = 50
"""Of a value with more words, other spellings are not looked for."""
_SQUEEZED: Final = range(4, 80)
"""So many letters may be there with other spaces."""
_ACRONYM: Final = range(2, 6)
"""So many letters may stand for words."""
_SIMILAR: Final = 0.8
_NAME_TAGS: Final = frozenset({"nr", "ns", "nt", "nz", "nrt", "nrfg"})
"""The tags by which the Chinese segmenter marks names."""
_ROUNDING: Final = Decimal("0.02")
_NO_POLARITY: Final = "the answer says neither yes nor no"
_LETTERS_AND_DIGITS: Final = re.compile(r"[\W_]+")
_FOOTNOTE: Final = 2
"""The mark of a footnote has at most so many digits."""
_DATED: Final = re.compile(r"[^\W\d_]{3,}\d{4,6}")
_LETTERS: Final = re.compile(rf"[^\W\d_{HAN}⁰-⁹¹²³]{{1,80}}")
_MARK: Final = re.compile(
    r"[+#]{1,3}(?!\w)|\^(?=\d)|[ -](?:[A-ZА-Я]|[IVX]{2,4})(?![\w'’])(?!\.\s?\w)"
)
_DECADE: Final = re.compile(r"\b(\d{3})0(?:'?s\b|-?е\b|-?х\b|年代)")
_CENTURY: Final = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th|-?й|-?го|-?м)?[\s-]*(?:centur|век|世纪)")


class Check(Struct, frozen=True, kw_only=True):
    """Whether an answer gives an accepted value.

    ``outcome`` is "right", "wrong" or "unsure"; ``leans_right`` says which way an unsure one leans, and
    agrees with the outcome otherwise. ``span`` is the place in the answer that decided, if there is one;
    ``why`` says in words what did.
    """

    outcome: AnswerOutcome
    leans_right: bool
    why: str
    span: Span | None = None


class _Rule(NamedTuple):
    """What a finding means; rules that speak more clearly for the answer have a lower rank."""

    rank: int
    outcome: AnswerOutcome
    leans_right: bool
    why: str


_RULES: Final = {
    name: _Rule(rank, outcome, lean, why)
    for rank, (name, outcome, lean, why) in enumerate[tuple[str, AnswerOutcome, bool, str]](
        (
            ("said", "right", True, "the answer says it"),
            ("polarity", "right", True, "the answer begins with it"),
            ("value", "right", True, "the answer gives this value"),
            ("sentence", "right", True, "one sentence has all its words"),
            ("name", "right", True, "the answer has the first and the last part of the name"),
            ("less exact", "unsure", True, "the answer gives the date less exactly"),
            ("denied", "unsure", True, "a negation stands before it"),
            ("far", "unsure", True, "the answer says it late"),
            ("range", "unsure", True, "the answer gives a range that it begins or ends"),
            ("limit", "unsure", True, "the answer gives it as a limit"),
            ("more", "unsure", True, "the answer adds a part to it"),
            ("former", "unsure", True, "the answer says that it was so before"),
            ("alternative", "unsure", True, "the answer gives it as one of several"),
            ("period", "unsure", True, "the answer gives a period that contains it"),
            ("spelled", "unsure", True, "the answer says it in another spelling"),
            ("unit", "unsure", True, "the answer has the value and not all words"),
            ("order", "unsure", True, "the answer has its parts in another order"),
            ("some numbers", "unsure", True, "the answer gives some of the numbers"),
            ("scattered", "unsure", True, "the answer has all its words in several sentences"),
            ("small", "unsure", True, "the answer has its words, which may mean something else"),
            ("most", "unsure", True, "the answer has most of its words"),
            ("surname", "unsure", True, "the answer has the last part of the name"),
            ("other name", "unsure", True, "the answer has only the first part of the name"),
            ("some", "unsure", True, "the answer has some of its words"),
            ("leans to it", "unsure", True, _NO_POLARITY),
            ("leans away", "unsure", False, _NO_POLARITY),
            ("except", "unsure", False, "the answer excepts it"),
            ("mistaken", "unsure", False, "the answer calls it wrong"),
            ("not it", "unsure", False, "a negation stands right before it"),
            ("other mark", "unsure", False, "another letter or mark stands beside it"),
            ("words", "unsure", False, "the answer may say it in other words"),
            ("close", "unsure", False, "the answer has a number near it"),
            ("digits", "unsure", False, "the answer has its digits in another number"),
            ("asked", "unsure", False, "all its words stand in the question"),
            ("no value", "unsure", False, "the answer gives no such value"),
            ("other words", "unsure", False, "the answer gives another number, or other words"),
            ("other date", "wrong", False, "the answer gives another date"),
            ("other number", "wrong", False, "the answer gives another number"),
            ("other unit", "wrong", False, "the answer gives it in another unit"),
            ("opposite", "wrong", False, "the answer begins with the opposite"),
            ("absent", "wrong", False, "the answer has no word of it"),
        )
    )
}


class _Finding(NamedTuple):
    rule: _Rule
    span: Span | None = None


def check_answer(
    expected: str | float | Sequence[str | float], answer: str, question: str | None = None
) -> Check:
    """Whether ``answer`` gives one of the ``expected`` values; a number is read as its text.

    >>> check_answer("Wilhelm Conrad Röntgen", "It went to Wilhelm Röntgen in 1901.").outcome
    'right'
    >>> check_answer("42 000 руб.", "四万二千 roubles were paid.").outcome
    'right'
    >>> found = check_answer("Paris", "The seat is not in Paris.")
    >>> found.outcome, found.leans_right, found.why
    ('unsure', False, 'a negation stands right before it')
    """
    accepted = texts_argument("expected", expected)
    text_argument("answer", answer)
    if any(text.strip() == answer.strip() != "" for text in accepted):
        whole = Span(start=0, end=len(answer))
        return Check(outcome="right", leans_right=True, why=_RULES["said"].why, span=whole)
    if not answer.strip():
        return Check(outcome="wrong", leans_right=False, why="the answer is empty")
    asked = frozenset(token.key for token in tokens(question or ""))
    said = _read(answer)
    values = [text for text in accepted if text.strip() and not expects_abstention(text)]
    if not values:
        if not any(map(str.strip, accepted)):
            return Check(outcome="unsure", leans_right=False, why="nothing is expected")
        return _of_silence(answer, question)
    found = [_find(_wanted(text), said, asked) for text in values]
    best = min(found, key=lambda finding: finding.rule.rank)
    if (
        best.rule is _RULES["alternative"]
        and len({each for each in found if each.rule is best.rule}) > 1
    ):
        best = best._replace(rule=_RULES["said"])
    may_abstain = best.rule.why == _NO_POLARITY or not best.rule.leans_right
    if may_abstain and assess_abstention(answer, question).outcome == "abstains":
        if len(values) < len(accepted):
            return _of_silence(answer, question)
        return Check(outcome="wrong", leans_right=False, why="the answer abstains")
    _, outcome, leans_right, why = best.rule
    return Check(outcome=outcome, leans_right=leans_right, why=why, span=best.span)


@lru_cache(maxsize=4096)
def expects_abstention(expected: str) -> bool:
    """Whether an accepted answer itself says that there is no answer; a plain "no" is a value.

    >>> [expects_abstention(text) for text in ("Not stated in the text", "нет", "unknown origin")]
    [True, False, False]
    """
    return expected_polarity(expected) is None and is_refusal(expected)


def _of_silence(answer: str, question: str | None) -> Check:
    """The check of an answer to a question that has none."""
    found = assess_abstention(answer, question)
    is_right = found.leans_abstaining
    outcome: AnswerOutcome = "right" if is_right else "wrong"
    outcome = "unsure" if found.outcome == "unsure" else outcome
    why = "the answer abstains, as expected" if is_right else "no answer is expected"
    return Check(outcome=outcome, leans_right=is_right, why=why, span=found.sentence)


def said_span(expected: str, text: str) -> Span | None:
    """Where a text says a value in any notation, denied or not; ``None`` if it does not.

    >>> said_span("42000", "共计四万二千元。"), said_span("235", "in 1235") is None
    (Span(start=2, end=6), True)
    """
    wanted, said = _wanted(expected), _read(text)
    place = next(_places(wanted, said), None)
    if place is not None:
        return place
    if wanted.dates or wanted.numbers:
        found = _find_date(wanted, said) if wanted.dates else _find_number(wanted, said)
        return found.span if found.rule is _RULES["value"] else None
    return _squeezed_place(wanted, said)


class _Wanted(NamedTuple):
    """An accepted answer, read once."""

    text: str
    squeezed: str
    tokens: tuple[Token, ...]
    words: tuple[Token, ...]
    is_small: bool
    keys: tuple[str, ...]
    mark: str
    """The letter or sign that ends it and that is compared as written: Hepatitis A, C++."""
    units: tuple[str, ...]
    numbers: tuple[Number, ...]
    dates: tuple[Date, ...]
    is_name: bool
    polarity: bool | None


class _Said(NamedTuple):
    """An answer, read once for all accepted ones."""

    text: str
    squeezed: str
    tokens: tuple[Token, ...]
    words: tuple[Token, ...]
    keys: tuple[str, ...]
    joined: str
    key_set: frozenset[str]
    unit_set: frozenset[str]


@lru_cache(maxsize=4096)
def _wanted(text: str) -> _Wanted:
    found = tokens(text)
    words = tuple(token for token in found if not token.is_small) or tuple(found)
    return _Wanted(
        text=text,
        squeezed=_squeezed(text),
        tokens=tuple(found),
        words=words,
        is_small=bool(words) and all(token.is_small for token in words),
        keys=tuple(token.key for token in words),
        mark=_mark(text, words[-1].end) if words else "",
        units=tuple(units(words)),
        numbers=tuple(numbers(text)),
        dates=tuple(dates(text)),
        is_name=_is_name(text, words),
        polarity=expected_polarity(text),
    )


@lru_cache(maxsize=16)
def _read(text: str) -> _Said:
    found = tuple(tokens(text))
    words = tuple(token for token in found if not token.is_small)
    keys = tuple(token.key for token in words)
    sets = frozenset(keys), frozenset(units(words))
    return _Said(text, _squeezed(text), found, words, keys, _joined(keys), *sets)


def _is_name(text: str, words: Sequence[Token]) -> bool:
    """Whether an accepted answer is nothing but a name."""
    if not any(map(is_han, words)):
        return all(text[token.start].isupper() for token in words)
    tags = [tag for word, tag in tagged_words(text) if word.strip() and tag != "x"]
    return bool(_NAME_TAGS.intersection(tags)) and all(tag[0] in "nm" for tag in tags)


def _squeezed(text: str) -> str:
    return _LETTERS_AND_DIGITS.sub("", text).casefold()


def _find(wanted: _Wanted, said: _Said, asked: frozenset[str]) -> _Finding:
    """What the first rule that applies says of one accepted answer."""
    if wanted.polarity is not None:
        return _Finding(_RULES[_find_polarity(wanted.polarity, said, asked)])
    if not wanted.words:
        sign = re.escape(wanted.text.strip())
        is_apart = re.search(rf"(?<![^\s(\"'“]){sign}(?![^\s.,;:!?)\"'”])", said.text)
        return _Finding(_RULES["said" if is_apart else "words"])
    written = _find_written(wanted, said)
    if written is not None:
        return written
    if wanted.dates:
        return _find_date(wanted, said)
    if wanted.numbers:
        return _find_number(wanted, said)
    name = _find_words(wanted, said, asked)
    place = _place_of_words(wanted, said, name) if name in {"sentence", "name"} else None
    against = doubt(wanted.tokens, place, said.text, said.tokens) if place else None
    return _Finding(_RULES[against or name], place)


def _find_polarity(expected: bool, said: _Said, asked: frozenset[str]) -> str:
    stated = polarity(said.text)
    others = {polarity(sentence.of(said.text)) for sentence in sentences(said.text)}
    if stated is not None and (not stated) not in others:
        return "polarity" if stated is expected else "opposite"
    is_about = not asked or not asked.isdisjoint(said.key_set)
    leans = is_about and is_denying(said.text) is not expected
    return "leans to it" if leans else "leans away"


def _find_written(wanted: _Wanted, said: _Said) -> _Finding | None:
    """What is found where the answer has the expected words, or their letters, one after the other."""
    found = [
        (_RULES[_doubt(place, wanted, said) or "said"], place)
        for place in islice(_places(wanted, said), _MOST_PLACES)
    ]
    if found:
        return _Finding(*min(found, key=lambda each: each[0].rank))
    place = _squeezed_place(wanted, said)
    if place is not None:
        return _Finding(_RULES[_doubt(place, wanted, said) or "said"], place)
    is_part = wanted.squeezed.isalpha() and wanted.squeezed in said.squeezed
    return _Finding(_RULES["spelled"]) if is_part and len(wanted.words) > 1 else None


def _places(wanted: _Wanted, said: _Said) -> Iterator[Span]:
    """Where the content words of the answer are these, one after the other.

    A value of small words alone is looked for as it is written: US, The Who.
    """
    keys = wanted.keys
    if wanted.is_small:
        written = re.escape(wanted.text[wanted.words[0].start : wanted.words[-1].end])
        for match in re.finditer(rf"(?<!\w){written}(?![\w'’])", said.text):
            yield Span(start=match.start(), end=match.end())
    if wanted.is_small or not said.key_set.issuperset(keys):
        return
    place = said.joined.find(_joined(keys))
    while place >= 0:
        first = said.joined.count("\n", 0, place)
        yield Span(start=said.words[first].start, end=said.words[first + len(keys) - 1].end)
        place = said.joined.find(_joined(keys), place + 1)


def _joined(keys: Sequence[str]) -> str:
    return "\n" + "".join(f"{key}\n" for key in keys)


def _squeezed_place(wanted: _Wanted, said: _Said) -> Span | None:
    """Where the letters (of a date, with its month first) are with other spaces: WiFi."""
    letters = wanted.squeezed
    if len(letters) not in _SQUEEZED or letters not in said.squeezed:
        return None
    if any(map(str.isdecimal, letters)) and not _DATED.fullmatch(letters):
        return None
    pattern = r"[\W_]*".join(map(re.escape, letters))
    for match in islice(re.finditer(pattern, said.text, re.IGNORECASE), _MOST_PLACES):
        if _is_apart(said.text, *match.span(), has_spaces=len(wanted.words) > 1):
            return Span(start=match.start(), end=match.end())
    return None


def _is_apart(text: str, start: int, end: int, *, has_spaces: bool) -> bool:
    """Whether a place is no part of another word, or a capital letter shows that a space is lost.

    If it is lost before several words, anything may follow, and a small word may be there. To a year the
    mark of a footnote may be glued.
    """
    head = _LETTERS.match(text[max(0, start - _SQUEEZED.stop) : start][::-1])
    if text[end - 1].isdecimal():
        return not text[end + _FOOTNOTE : end + _FOOTNOTE + 1].isdecimal()
    tail = _LETTERS.match(text, end)
    begins = head is None or (text[start - 1].islower() and text[start].isupper())
    ends = tail is None or (text[end - 1].islower() and text[end].isupper())
    is_small = has_spaces and head is not None and head[0][::-1] in word_set("small")
    is_lost = has_spaces and head is not None and begins
    return (begins or is_small) and (ends or is_lost)


def _mark(text: str, end: int) -> str:
    """The single capital letter, or the signs, right behind a word: Hepatitis A, C++."""
    found = _MARK.match(text, end)
    return found.group().strip(" -") if found else ""


def _doubt(place: Span, wanted: _Wanted, said: _Said) -> str | None:
    """The rule that doubts that the answer gives the value where it says it."""
    mark = _mark(said.text, place.end)
    if mark != wanted.mark and (wanted.mark or mark[:1] in {"+", "#", "^"}):
        return "other mark" if mark else "small"
    if wanted.is_small and not _is_distinct(said.text, place):
        return "small"
    before = said.tokens[: bisect_left(said.tokens, place.start, key=attrgetter("start"))]
    if wanted.numbers and not wanted.dates and (other := _other_number(place, wanted, said)):
        return other
    found = doubt(wanted.tokens, place, said.text, said.tokens)
    if found is not None:
        return found
    distance = sum(_HAN_WEIGHT if is_han(token) else 1.0 for token in before)
    return "far" if distance >= _FAR else None


def _is_distinct(text: str, place: Span) -> bool:
    """Whether capitals show that a small word is a name here: the US, In May; not A dog."""
    written = place.of(text)
    if not written[0].isupper() or written.isupper() > (len(written) == 1):
        return written.isupper()
    begins = text[: place.start].rstrip()[-1:] in {"", *".!?…:"}
    return not (begins and text[place.end : place.end + 2].strip().islower())


def _other_number(place: Span, wanted: _Wanted, said: _Said) -> str | None:
    """The rule that the same digits are another number: 2 million for 2, €5 for $5."""
    read = numbers(said.text)
    here = [each for each in read if each.start < place.end and place.start < each.end]
    if len(here) != len(wanted.numbers):
        return None
    pairs = list(zip(wanted.numbers, here, strict=True))
    if any(_is_other_currency(*pair) for pair in pairs):
        return "other unit"
    if any(a.value not in {b.value, b.alternative} for a, b in pairs):
        return "digits"
    return "unit" if any(_is_share(*pair) for pair in pairs) else None


def _find_date(wanted: _Wanted, said: _Said) -> _Finding:
    found = dates(said.text)
    by_parts: dict[tuple[int | None, int | None, int | None], Date] = {}
    for date in found:
        for parts in product((date.year, None), (date.month, None), (date.day, None)):
            by_parts.setdefault(parts, date)
    expected = [date for date in wanted.dates if _parts(date) in by_parts]
    if expected:
        given = by_parts[_parts(expected[0])]
        return _checked_value(wanted, said, given)
    for date in found:
        if any(_is_less_exact(date, other) for other in wanted.dates[:_MOST_PLACES]):
            return _Finding(_RULES["less exact"], Span(start=date.start, end=date.end))
    if _has_period([date.year for date in wanted.dates], said.text):
        return _Finding(_RULES["period"])
    return _Finding(_RULES["other date" if found else "no value"])


def _checked_value(
    wanted: _Wanted, said: _Said, given: Number | Date, rule: str | None = None
) -> _Finding:
    """The finding of a value where it is given, if no rule speaks against it already."""
    place = Span(start=given.start, end=given.end)
    if rule is None and not all(_has_unit(key, said) for key in _words_beside(wanted)):
        rule = "unit"
    against = rule or doubt(wanted.tokens, place, said.text, said.tokens)
    return _Finding(_RULES[against or "value"], place)


def _parts(date: Date) -> tuple[int | None, int | None, int | None]:
    return date.year, date.month, date.day


def _is_less_exact(date: Date, expected: Date) -> bool:
    """Whether a date lacks parts of the expected one, and has no other ones."""
    pairs = zip(_parts(date), _parts(expected), strict=True)
    has_same = date.year == expected.year is not None or date.month == expected.month is not None
    return has_same and all(given is None or given == part for given, part in pairs)


def _has_period(years: Iterable[int | None], text: str) -> bool:
    """Whether a text names the decade or the century of a year."""
    decades = {int(match[1]) for match in _DECADE.finditer(text)}
    centuries = {int(match[1]) for match in _CENTURY.finditer(text)}
    known = {year for year in years if year is not None}
    return any(year // 10 in decades or (year + 99) // 100 in centuries for year in known)


def _find_number(wanted: _Wanted, said: _Said) -> _Finding:
    found = numbers(said.text)
    by_value: dict[Decimal, list[Number]] = defaultdict(list)
    for number in found:
        by_value[number.value].append(number)
    pairs = [(number, _same(number, wanted, by_value, said)) for number in wanted.numbers]
    missing = [number for number, given in pairs if given is None]
    if not missing:
        given = [number for _, number in pairs if number is not None]
        is_share = any(map(_is_share, wanted.numbers, given))
        is_ordered = all(first.start <= second.start for first, second in pairwise(given))
        rule = "unit" if is_share else None if is_ordered else "order"
        return _checked_value(wanted, said, given[0], rule)
    years = [int(number.value) for number in missing if 1000 <= number.value <= 2100]
    if _has_period(years, said.text):
        return _Finding(_RULES["period"])
    if not found:
        return _Finding(_RULES["no value"])
    if any(number.value in by_value for number in missing):
        same = ((a, b) for a in missing for b in by_value.get(a.value, ())[:1])
        is_other = any(_is_other_currency(*pair) for pair in same)
        return _Finding(_RULES["other unit" if is_other else "digits"])
    if len(missing) < len(wanted.numbers):
        return _Finding(_RULES["some numbers"])
    values = sorted(by_value)
    if any(_has_close(number, values) for number in missing):
        return _Finding(_RULES["close"])
    return _Finding(_RULES["other words" if _words_beside(wanted) else "other number"])


def _same(
    expected: Number, wanted: _Wanted, found: Mapping[Decimal, Sequence[Number]], said: _Said
) -> Number | None:
    """The first number with the expected value and no other currency; clause 3.1 is not clause 3.10."""
    written = wanted.text[expected.start : expected.end]
    for number in found.get(expected.value, ()):
        other = said.text[number.start : number.end]
        is_label = expected.unit is None and "." in written and "." in other and written != other
        if not is_label and not _is_other_currency(expected, number):
            return number
    return None


def _words_beside(wanted: _Wanted) -> list[str]:
    """The words of an accepted answer that are no part of a date, a number or its unit."""
    spans = [number.unit_span for number in wanted.numbers if number.unit_span]
    read: tuple[Number | Date, ...] = (*wanted.numbers, *wanted.dates)
    spans += [Span(start=value.start, end=value.end) for value in read]
    values = Ranges((span.start, span.end) for span in spans)
    return [token.key for token in wanted.words if token.start not in values]


def _has_unit(key: str, said: _Said) -> bool:
    """Whether the answer has a word beside a number, or another word for this unit."""
    return not said.key_set.isdisjoint(word_groups("same_unit").get(key, (key,)))


def _is_other_currency(expected: Number, given: Number) -> bool:
    return bool(expected.currency and given.currency and expected.currency != given.currency)


def _is_share(expected: Number, given: Number) -> bool:
    """Whether one of two numbers is a percentage and the other is not."""
    return (expected.unit == "percent") != (given.unit == "percent")


def _has_close(expected: Number, values: Sequence[Decimal]) -> bool:
    """Whether a value is the same when rounded, no year, or as a multiple: 150% is 1.5 times."""
    value = expected.value
    if expected.unit is None and 1000 <= value <= 2100 and value == value.to_integral_value():
        return False
    if expected.unit == "percent" and value / 100 in values:
        return True
    place = bisect_left(values, value)
    near = values[max(0, place - 1) : place + 1]
    return any(abs(value - other) <= abs(value) * _ROUNDING for other in near)


def _find_words(wanted: _Wanted, said: _Said, asked: frozenset[str]) -> str:
    wanted_units = wanted.units
    if said.unit_set.issuperset(wanted_units):
        if _sentence_with_all(wanted, said) is None:
            return "scattered"
        return "order" if _is_turned(wanted, said) else "sentence"
    new = [unit for unit in wanted_units if unit not in asked]
    if not new:
        return "asked"
    is_short = len(wanted_units) <= _MOST_SPELLED
    has = {unit: _has(unit, said, is_short) for unit in wanted_units}
    if all(has.values()):
        return "spelled"
    if (
        wanted.is_name
        and len(wanted_units) > 1
        and has[wanted_units[-1]]
        and any(has[unit] for unit in new)
    ):
        is_whole = len(wanted_units) > 2 and has[wanted_units[0]]
        return "name" if is_whole and not _has_other_middle(wanted, said) else "surname"
    share = sum(has[unit] for unit in new) / len(new)
    if share and wanted.is_name:
        return "other name"
    if share:
        return "most" if share >= 0.5 else "some"
    if _is_spelt_out(wanted, said):
        return "spelled"
    return "absent" if wanted.is_name else "words"


def _sentence_with_all(wanted: _Wanted, said: _Said) -> Sequence[Token] | None:
    """The content words of the first sentence that has all words of a value."""
    first = 0
    for span in sentences(said.text):
        last = bisect_left(said.words, span.end, key=attrgetter("start"))
        if {*units(said.words[first:last])}.issuperset(wanted.units):
            return said.words[first:last]
        first = last
    return None


def _place_of_words(wanted: _Wanted, said: _Said, rule: str) -> Span | None:
    """From the first to the last of the words that a rule has found."""
    words = _sentence_with_all(wanted, said) if rule == "sentence" else said.words
    keys = frozenset(wanted.keys)
    found = [word for word in words or () if word.key in keys]
    if rule == "name":
        ends = (index for index, word in enumerate(found) if word.key == wanted.keys[-1])
        last = next(ends, len(found) - 1)
        found = found[max(0, last - 1) : last + 1]
    return Span(start=found[0].start, end=found[-1].end) if found else None


def _is_spelt_out(wanted: _Wanted, said: _Said) -> bool:
    """Whether words of the answer begin with the letters of an acronym, or with its first two: USA."""
    letters = wanted.squeezed
    if len(wanted.words) > 1 or len(letters) not in _ACRONYM or not wanted.text.strip().isupper():
        return False
    initials = "".join(word.word[0] for word in said.words)
    names = "".join(word.word[0] if said.text[word.start].isupper() else " " for word in said.words)
    return letters in initials or letters[:2] in names


def _is_turned(wanted: _Wanted, said: _Said) -> bool:
    """Whether a value with a direction (from Paris to Rome) is given with its words in another order."""
    if not any(token.word in word_set("direction") for token in wanted.tokens):
        return False
    rest = iter(said.keys)
    return not all(key in rest for key in wanted.keys)


def _has_other_middle(wanted: _Wanted, said: _Said) -> bool:
    """Whether another name, or another initial, is between the first and the last part of a name."""
    first, *middle, last = [token.word for token in wanted.words]
    for before, word, after in zip(said.words, said.words[1:], said.words[2:], strict=False):
        if (before.word, after.word) == (first, last):
            return not any(
                part.startswith(word.word) or word.word.startswith(part) for part in middle
            )
    return False


def _has(key: str, said: _Said, is_short: bool) -> bool:
    """Whether the answer has a word, or, for a short value, one that is spelled like it."""
    if key in said.unit_set or not is_short or len(key) < _SHORTEST_SPELLED:
        return key in said.unit_set
    return any(
        other[:1] == key[:1] and Levenshtein.normalized_similarity(key, other) >= _SIMILAR
        for other in said.key_set
    )
