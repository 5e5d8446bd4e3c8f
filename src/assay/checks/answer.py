"""Whether an answer gives the expected value: right, wrong, or unsure.

The check decides what is clear and says so of the rest. It looks for each accepted answer in the answer, first as
it is written, then as a value (numbers and dates in any notation), then by its words, and stops at the
first rule that applies. How often each rule agrees with people is measured on real answers
(docs/checks.md); a rule that agrees too rarely to decide says "unsure" and which way it leans.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from rapidfuzz.distance import Levenshtein

from assay.checks.abstention import assess_abstention, is_refusal
from assay.checks.negation import is_denied
from assay.checks.polarity import expected_polarity, is_denying, polarity
from assay.text import (
    HAN,
    Date,
    Number,
    Span,
    Token,
    dates,
    is_han,
    numbers,
    sentences,
    tagged_words,
    tokens,
    units,
    word_groups,
    word_set,
)

Outcome: TypeAlias = Literal["right", "wrong", "unsure"]

_MOST_PLACES: Final = 8
"""So many places where a value is said are looked at; an answer that repeats it says no more."""
_FAR: Final = 40
"""An answer that gives the value only after so many words may be about something else."""
_HAN_WEIGHT: Final = 0.6
"""A Chinese character is a part of a word."""
_SHORTEST_SPELLED: Final = 5
_SQUEEZED: Final = range(4, 80)
"""So many letters may stand there with other spaces."""
_SIMILAR: Final = 0.8
_NAME_TAGS: Final = frozenset({"nr", "ns", "nt", "nz", "nrt", "nrfg"})
"""The tags by which the Chinese segmenter marks names."""
_ROUNDING: Final = Decimal("0.02")
_NO_POLARITY: Final = "the answer says neither yes nor no"
_LETTERS_AND_DIGITS: Final = re.compile(r"[\W_]+")
_FOOTNOTE: Final = 2
"""The mark of a footnote has at most so many digits."""
_DATED: Final = re.compile(r"[^\W\d_]{3,}\d{4,6}")
_LETTERS_BEFORE: Final = re.compile(rf"[^\W\d_{HAN}⁰-⁹¹²³]+\Z")
_LETTERS_AFTER: Final = re.compile(rf"[^\W\d_{HAN}⁰-⁹¹²³]+")
_MARK: Final = re.compile(r"[+#]{1,3}(?!\w)|[ -](?:[A-ZА-Я]|[IVX]{2,4})(?![\w'’])(?!\.\s?\w)")
_DECADE: Final = re.compile(r"\b(\d{3})0(?:'?s\b|-?е\b|-?х\b|年代)")
_CENTURY: Final = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th|-?й|-?го|-?м)?[\s-]*(?:centur|век|世纪)")


class Check(Struct, frozen=True, kw_only=True):
    """Whether an answer gives an accepted value.

    ``outcome`` is "right", "wrong" or "unsure"; ``leans_right`` says which way an unsure one leans, and
    agrees with the outcome otherwise. ``span`` is the place in the answer that decided, if there is one;
    ``why`` says in words what did.
    """

    outcome: Outcome
    leans_right: bool
    why: str
    span: Span | None = None


class _Rule(NamedTuple):
    """What a finding means; rules that speak more clearly for the answer have a lower rank."""

    rank: int
    outcome: Outcome
    leans_right: bool
    why: str


_RULES: Final = {
    name: _Rule(rank, outcome, lean, why)
    for rank, (name, outcome, lean, why) in enumerate[tuple[str, Outcome, bool, str]](
        (
            ("said", "right", True, "the answer says it"),
            ("polarity", "right", True, "the answer begins with it"),
            ("value", "right", True, "the answer gives this value"),
            ("sentence", "right", True, "one sentence has all its words"),
            ("name", "right", True, "the answer has the first and the last part of the name"),
            ("less exact", "unsure", True, "the answer gives the date less exactly"),
            ("denied", "unsure", True, "a negation stands before it"),
            ("far", "unsure", True, "the answer says it late"),
            ("period", "unsure", True, "the answer gives a period that contains it"),
            ("spelled", "unsure", True, "the answer says it in another spelling"),
            ("unit", "unsure", True, "the answer has the value and not all words"),
            ("some numbers", "unsure", True, "the answer gives some of the numbers"),
            ("scattered", "unsure", True, "the answer has all its words in several sentences"),
            ("small", "unsure", True, "the answer has its words, which may mean something else"),
            ("most", "unsure", True, "the answer has most of its words"),
            ("surname", "unsure", True, "the answer has the last part of the name"),
            ("other name", "unsure", True, "the answer has only the first part of the name"),
            ("some", "unsure", True, "the answer has some of its words"),
            ("leans to it", "unsure", True, _NO_POLARITY),
            ("leans away", "unsure", False, _NO_POLARITY),
            ("not it", "unsure", False, "a negation stands right before it"),
            ("other mark", "unsure", False, "another letter or mark stands beside it"),
            ("words", "unsure", False, "the answer may say it in other words"),
            ("close", "unsure", False, "the answer has a number near it"),
            ("asked", "unsure", False, "all its words stand in the question"),
            ("no value", "unsure", False, "the answer gives no such value"),
            (
                "other words",
                "unsure",
                False,
                "the answer gives another number, perhaps in other words",
            ),
            ("other date", "wrong", False, "the answer gives another date"),
            ("other number", "wrong", False, "the answer gives another number"),
            ("opposite", "wrong", False, "the answer begins with the opposite"),
            ("absent", "wrong", False, "the answer has no word of it"),
        )
    )
}


class _Finding(NamedTuple):
    rule: _Rule
    span: Span | None = None


def check_answer(expected: str | Sequence[str], answer: str, question: str | None = None) -> Check:
    """Whether ``answer`` gives one of the ``expected`` values.

    >>> check_answer("Wilhelm Conrad Röntgen", "It went to Wilhelm Röntgen in 1901.").outcome
    'right'
    >>> check_answer("42 000 руб.", "四万二千 roubles were paid.").outcome
    'right'
    >>> found = check_answer("Paris", "The seat is not in Paris.")
    >>> found.outcome, found.leans_right, found.why
    ('unsure', False, 'a negation stands right before it')
    """
    accepted = [expected] if isinstance(expected, str) else expected
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
    best = min(
        (_find(_wanted(text), said, asked) for text in values),
        key=lambda finding: finding.rule.rank,
    )
    if best.rule.why == _NO_POLARITY or not best.rule.leans_right:
        if assess_abstention(answer, question).outcome == "abstains":
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
    outcome: Outcome = "right" if is_right else "wrong"
    why = "the answer abstains, as expected" if is_right else "no answer is expected"
    return Check(
        outcome="unsure" if found.outcome == "unsure" else outcome,
        leans_right=is_right,
        why=why,
        span=found.sentence,
    )


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
    key_set: frozenset[str]
    unit_set: frozenset[str]


@lru_cache(maxsize=4096)
def _wanted(text: str) -> _Wanted:
    found = tokens(text)
    words = tuple(token for token in found if not token.is_small) or tuple(found)
    return _Wanted(
        text=text,
        squeezed=_squeezed(text),
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
    return _Said(
        text, _squeezed(text), found, words, keys, frozenset(keys), frozenset(units(words))
    )


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
        stated = polarity(said.text)
        others = {polarity(sentence.of(said.text)) for sentence in sentences(said.text)}
        if stated is None or (not stated) in others:
            is_about = not asked or not asked.isdisjoint(said.key_set)
            leans = is_about and is_denying(said.text) is not wanted.polarity
            return _Finding(_RULES["leans to it" if leans else "leans away"])
        return _Finding(_RULES["polarity" if stated is wanted.polarity else "opposite"])
    if not wanted.words:
        return _Finding(_RULES["small" if wanted.text.strip() in said.text else "words"])
    places = list(islice(_places(wanted, said), _MOST_PLACES))
    if places:
        doubts = [doubt for place in places if (doubt := _doubt(place, wanted, said))]
        if len(doubts) < len(places):
            return _Finding(_RULES["said"], places[0])
        return _Finding(_RULES[doubts[0]], places[0])
    place = _squeezed_place(wanted, said)
    if place is not None:
        return _Finding(_RULES["said"], place)
    if len(wanted.words) > 1 and wanted.squeezed.isalpha() and wanted.squeezed in said.squeezed:
        return _Finding(_RULES["spelled"])
    if wanted.dates:
        return _find_date(wanted, said)
    if wanted.numbers:
        return _find_number(wanted, said)
    return _Finding(_RULES[_find_words(wanted, said, asked)])


def _places(wanted: _Wanted, said: _Said) -> Iterator[Span]:
    """Where the content words of the answer are these, one after the other.

    A value of small words alone is looked for as it is written: US, The Who.
    """
    keys = wanted.keys
    if wanted.is_small:
        written = re.escape(wanted.text[wanted.words[0].start : wanted.words[-1].end])
        yield from (
            Span(start=match.start(), end=match.end())
            for match in re.finditer(rf"(?<!\w){written}(?![\w'’])", said.text)
        )
        return
    if not keys or not said.key_set.issuperset(keys):
        return
    size = len(keys)
    for index, key in enumerate(said.keys):
        if key == keys[0] and said.keys[index : index + size] == keys:
            yield Span(start=said.words[index].start, end=said.words[index + size - 1].end)


def _squeezed_place(wanted: _Wanted, said: _Said) -> Span | None:
    """Where the letters stand with other spaces, or glued to other words: WiFi, "byRich Mullinsand".

    A number is not looked for, but a date that begins with its month is.
    """
    letters = wanted.squeezed
    if len(letters) not in _SQUEEZED or letters not in said.squeezed:
        return None
    if any(map(str.isdecimal, letters)) and not _DATED.fullmatch(letters):
        return None
    pattern = r"[\W_]*".join(map(re.escape, letters))
    for match in re.finditer(pattern, said.text, re.IGNORECASE):
        if _is_apart(said.text, *match.span(), has_spaces=len(wanted.words) > 1):
            return Span(start=match.start(), end=match.end())
    return None


def _is_apart(text: str, start: int, end: int, *, has_spaces: bool) -> bool:
    """Whether no other word of letters holds a place of letters.

    Its ends are ends of words, or the text has lost spaces there: a capital letter follows a small one, or what
    is glued to it is a small word; a part of a single word needs that at both ends. To a year the mark of
    a footnote may be glued.
    """
    head = _LETTERS_BEFORE.search(text, max(0, start - _SQUEEZED.stop), start)
    if text[end - 1].isdecimal():
        return not text[end + _FOOTNOTE : end + _FOOTNOTE + 1].isdecimal()
    tail = _LETTERS_AFTER.match(text, end)
    begins = head is None or (text[start - 1].islower() and text[start].isupper())
    ends = tail is None or (text[end - 1].islower() and text[end].isupper())
    if begins and ends:
        return True
    small = word_set("small")
    opens = begins or (head is not None and head.group() in small)
    closes = ends or (tail is not None and len(tail.group()) > 1 and tail.group() in small)
    return opens and closes and (has_spaces or head is not None is not tail)


def _mark(text: str, end: int) -> str:
    """The single capital letter, or the signs, right behind a word: Hepatitis A, C++."""
    found = _MARK.match(text, end)
    return found.group().strip(" -") if found else ""


def _doubt(place: Span, wanted: _Wanted, said: _Said) -> str | None:
    """The rule that doubts that the answer gives the value where it says it."""
    mark = _mark(said.text, place.end)
    if mark != wanted.mark and (wanted.mark or mark[:1] in {"+", "#"}):
        return "other mark" if mark else "small"
    if wanted.is_small and not _is_distinct(said.text, place):
        return "small"
    before = said.tokens[: bisect_left(said.tokens, place.start, key=attrgetter("start"))]
    expects_denial = any(token.word in word_set("negation") for token in wanted.words)
    if not expects_denial and is_denied(said.text, said.tokens, place.start):
        is_direct = is_denied(said.text, said.tokens, place.start, directly=True)
        return "not it" if is_direct else "denied"
    distance = sum(_HAN_WEIGHT if is_han(token) else 1.0 for token in before)
    return "far" if distance >= _FAR else None


def _is_distinct(text: str, place: Span) -> bool:
    """Whether capitals show that a small word is a name here: the US, In May; not A dog."""
    written = place.of(text)
    if not written[0].isupper() or written.isupper() > (len(written) == 1):
        return written.isupper()
    begins = text[: place.start].rstrip()[-1:] in {"", *".!?…:"}
    return not (begins and text[place.end : place.end + 2].strip().islower())


def _find_date(wanted: _Wanted, said: _Said) -> _Finding:
    found = dates(said.text)
    same_year: list[tuple[Date, Date]] = []
    for date in found:
        for expected in wanted.dates:
            if _parts(date) == _parts(expected):
                place = Span(start=date.start, end=date.end)
                return _Finding(_RULES["value" if _has_rest(wanted, said) else "unit"], place)
            if date.year is not None and date.year == expected.year:
                same_year.append((date, expected))
    for date, expected in same_year:
        if not _conflict(date.month, expected.month) and not _conflict(date.day, expected.day):
            is_full = date.month is not None and _has_rest(wanted, said)
            rule = "value" if is_full else "less exact"
            return _Finding(_RULES[rule], Span(start=date.start, end=date.end))
    if any(_in_period(date.year, said.text) for date in wanted.dates if date.year):
        return _Finding(_RULES["period"])
    return _Finding(_RULES["other date" if found else "no value"])


def _parts(date: Date) -> tuple[int | None, int | None, int | None]:
    return date.year, date.month, date.day


def _conflict(first: int | None, second: int | None) -> bool:
    return first is not None and second is not None and first != second


def _in_period(year: int | None, text: str) -> bool:
    """Whether the answer names the decade or the century of a year."""
    if year is None:
        return False
    if any(int(match[1]) == year // 10 for match in _DECADE.finditer(text)):
        return True
    return any(int(match[1]) == (year + 99) // 100 for match in _CENTURY.finditer(text))


def _find_number(wanted: _Wanted, said: _Said) -> _Finding:
    found = numbers(said.text)
    missing = [
        number for number in wanted.numbers if not any(_is_same(number, other) for other in found)
    ]
    if not missing:
        has_words = _has_rest(wanted, said)
        given = next(number for number in found if _is_same(wanted.numbers[0], number))
        span = Span(start=given.start, end=given.end)
        return _Finding(_RULES["value" if has_words else "unit"], span)
    years = [int(number.value) for number in missing if 1000 <= number.value <= 2100]
    if any(_in_period(year, said.text) for year in years):
        return _Finding(_RULES["period"])
    if not found:
        return _Finding(_RULES["no value"])
    if len(missing) < len(wanted.numbers):
        return _Finding(_RULES["some numbers"])
    if any(_is_close(number, other) for number in missing for other in found):
        return _Finding(_RULES["close"])
    return _Finding(_RULES["other words" if _words_beside(wanted) else "other number"])


def _words_beside(wanted: _Wanted) -> list[str]:
    """The words of an accepted answer that are no part of a date, a number or its unit."""
    spans = [(number.start, number.end) for number in wanted.numbers]
    spans += [(date.start, date.end) for date in wanted.dates]
    spans += [(n.unit_span.start, n.unit_span.end) for n in wanted.numbers if n.unit_span]
    return [
        token.key
        for token in wanted.words
        if not any(start <= token.start < end for start, end in spans)
    ]


def _has_rest(wanted: _Wanted, said: _Said) -> bool:
    return all(_has_unit(key, said) for key in _words_beside(wanted))


def _has_unit(key: str, said: _Said) -> bool:
    """Whether the answer has a word beside a number, or another word for this unit."""
    return not said.key_set.isdisjoint(word_groups("same_unit").get(key, (key,)))


def _is_same(expected: Number, given: Number) -> bool:
    units = {expected.unit, given.unit}
    if expected.value != given.value or ("percent" in units and len(units) > 1):
        return False
    return not (expected.currency and given.currency and expected.currency != given.currency)


def _is_close(expected: Number, given: Number) -> bool:
    """Whether two numbers are the same when rounded; years are never close."""
    value = expected.value
    if expected.unit is None and 1000 <= value <= 2100 and value == value.to_integral_value():
        return False
    return abs(value - given.value) <= abs(value) * _ROUNDING


def _find_words(wanted: _Wanted, said: _Said, asked: frozenset[str]) -> str:
    wanted_units = wanted.units
    if said.unit_set.issuperset(wanted_units):
        spans = sentences(said.text)
        together = any(
            {
                *units([word for word in said.words if span.start <= word.start < span.end])
            }.issuperset(wanted_units)
            for span in spans
        )
        return "sentence" if together else "scattered"
    new = [unit for unit in wanted_units if unit not in asked]
    if not new:
        return "asked"
    has = {unit: _has(unit, said) for unit in wanted_units}
    if all(has.values()):
        return "spelled"
    if (
        wanted.is_name
        and len(wanted_units) > 1
        and has[wanted_units[-1]]
        and any(has[unit] for unit in new)
    ):
        return "name" if len(wanted_units) > 2 and has[wanted_units[0]] else "surname"
    share = sum(has[unit] for unit in new) / len(new)
    if share and wanted.is_name:
        return "other name"
    if share:
        return "most" if share >= 0.5 else "some"
    return "absent" if wanted.is_name else "words"


def _has(key: str, said: _Said) -> bool:
    """Whether the answer has a word, or one that is spelled like it."""
    if key in said.unit_set:
        return True
    return len(key) >= _SHORTEST_SPELLED and any(
        other[:1] == key[:1] and Levenshtein.normalized_similarity(key, other) >= _SIMILAR
        for other in said.key_set
    )
