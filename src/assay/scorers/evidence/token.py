"""Splits a sentence of a contract into comparable tokens: words, values, denials, parties."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from assay.scorers.evidence.contract_word import (
    AFTER_LEAST,
    AFTER_MOST,
    BARE_UNIT,
    BOTH_WEST,
    COMPOUND,
    ROLE_ZH,
    UNIT,
    compound_value,
    denial,
    least,
    most,
    no_denial,
    prepositions,
    sides,
    unit_of,
    western_roles,
)
from assay.scorers.evidence.limit import NOTHING, Beside, read_beside
from assay.scorers.evidence.sign import POINT
from assay.scorers.evidence.synonym import concept, is_stop
from assay.text import (
    CYRILLIC,
    HAN,
    LATIN,
    Ranges,
    Span,
    dates,
    normalised,
    numbers,
    sentences,
    stem,
    words,
)
from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number import Number, canonical

Kind: TypeAlias = Literal["word", "number", "date", "unit", "party", "denial", "bound", "side"]
Bounded: TypeAlias = Literal["most", "least"]
Bound: TypeAlias = Bounded | None


def _without_group_names(pattern: str) -> str:
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


_PART: Final = lazy_pattern(
    lambda: (
        rf"(?P<plain>{no_denial()})|(?P<most>{most()})|(?P<least>{least()})|(?P<denial>{denial()})"
        rf"|(?P<both>{BOTH_WEST.pattern})|(?P<compound>{_without_group_names(COMPOUND.pattern)})"
        rf"|(?P<role>{_without_group_names(ROLE_ZH.pattern)})"
        rf"|(?P<unit>{_without_group_names(BARE_UNIT.pattern)})"
        rf"|(?P<han>[{HAN}])|(?P<west>[{CYRILLIC}{LATIN}]+(?:'[{LATIN}]{{1,2}}\b)?)"
        r"|(?P<digits>[0-9]+)|(?P<mark>[,;:.!?。、])"
    ),
    re.NOFLAG,
)
_FIXED_KEY: Final[dict[str, tuple[Kind, str]]] = {
    "denial": ("denial", "not"),
    "both": ("party", "both"),
}
# What may come between a bound and its number.
_TO_NUMBER: Final = lazy_pattern(
    lambda: rf"[\s$€£¥₽]*(?:(?:{alternatives('evidence_token.before_number')})\s*)?\Z", re.NOFLAG
)
_PERIOD_HYPHEN: Final = re.compile(
    r"(?<=[A-Za-z0-9])-(?=(?:day|week|month|year|hour|percent|per cent)\b)"
)
# 除…外，还… means "in addition to": it excludes nothing, unlike 除…外 alone.
_ADDITIVE: Final = lazy_pattern(lambda: alternatives("evidence_token.additive"), re.NOFLAG)
_CAPITAL: Final = re.compile(
    rf"(?<=[{CYRILLIC}{LATIN}0-9,;:)»\"'”] )[«\"“]?([A-ZА-ЯЁ][{CYRILLIC}{LATIN}]{{2,}})"
)


_SMALL_LETTER: Final = re.compile(rf"\b[a-zа-яё][{CYRILLIC}{LATIN}]{{2,}}")
# The ends of the keys of periods of time.
_PERIODS: Final = (" hour", " workday", " month")
POINT_UNIT: Final = "point"
"""The unit of percentage points in the key of a number."""
# Stems of "party" and "сторона": they do not say which party is meant.
_ANY_PARTY: Final = frozenset(("parti", "сторон"))


class Token(NamedTuple):
    """One token of a text.

    Attributes:
        kind: what the token is.
        key: what is compared; all words with the same meaning have the same key.
        form: the token as it is written in the text.
        part: index of the part of the text that contains the token; parts are separated by
            punctuation.
        bound: whether a value is an upper (``"most"``) or a lower (``"least"``) bound.
        other: the key of the second reading of a number whose separator is ambiguous.
        beside: what is said beside a value: a limit, or how a period stands to an event.
    """

    kind: Kind
    key: str
    form: str
    part: int = 0
    bound: Bound = None
    other: str | None = None
    beside: Beside = NOTHING


def tokens(text: str, names: frozenset[str] = frozenset()) -> tuple[Token, ...]:
    """The tokens of ``text`` in order, without stop words.

    ``names`` are the stems of words that are names of parties (see the function ``names``).

    >>> [(t.kind, t.key) for t in tokens("The Buyer shall not pay within 2 weeks")]
    [('party', 'buyer'), ('word', 'shall'), ('denial', 'not'), ('word', 'pay'), ('number', '336 hour')]
    """
    result: list[Token] = []
    for span in sentence_spans(text):
        part = result[-1].part + 1 if result else 0
        sentence = _sentence_tokens(span.of(text), names)
        result += (
            [token._replace(part=token.part + part) for token in sentence] if part else sentence
        )
    return tuple(result)


@lru_cache(maxsize=4096)
def sentence_spans(text: str) -> tuple[Span, ...]:
    """The spans of the sentences of ``text``. The result is cached."""
    return tuple(sentences(text))


# Cached because several quotations are compared with the same sentences.
@lru_cache(maxsize=4096)
def _sentence_tokens(text: str, names: frozenset[str]) -> tuple[Token, ...]:
    plain = _ADDITIVE.sub("\u3000", _PERIOD_HYPHEN.sub(" ", text))
    return tuple(_Reader(plain, names).read())


@lru_cache(maxsize=1024)
def names(text: str) -> frozenset[str]:
    """Stems of the words that have a capital letter within a sentence.

    These are defined terms, people and companies. The first word of a sentence does not count.

    >>> sorted(names("Rent is due. The Tenant pays Harrow Ltd."))
    ['harrow', 'ltd', 'tenant']
    """
    return frozenset(
        map(_root, normalised(" ".join(_CAPITAL.findall(text)), fold_case=True).split())
    )


@lru_cache(maxsize=1024)
def uncapitalised(text: str) -> frozenset[str]:
    """Stems of the words that ``text`` contains at least once without a capital letter."""
    lower_case = normalised(" ".join(_SMALL_LETTER.findall(text)), fold_case=True)
    return frozenset(map(_root, lower_case.split()))


_root: Final = lru_cache(maxsize=1 << 14)(stem)


@cache
def _roles() -> frozenset[str]:
    return frozenset(map(stem, western_roles()))


@lru_cache(maxsize=1 << 14)
def _han_words(run: str) -> tuple[str, ...]:
    return tuple(words(run))


class _Reader:
    """Reads a sentence from left to right and attaches each bound to the number after it."""

    def __init__(self, text: str, names: frozenset[str]) -> None:
        self.text = text
        self.lower = text.lower()
        self.names = names
        self.part = 0
        self.pending_bound: Bound = None

    def read(self) -> Iterator[Token]:
        position = 0
        for start, end, token in self._values():
            if start >= position:
                yield from self._words(self.text[position:start])
                yield token._replace(part=self.part, bound=self.pending_bound or token.bound)
                position, self.pending_bound = end, None
        yield from self._words(self.text[position:])

    def _values(self) -> list[tuple[int, int, Token]]:
        """Dates and numbers with their units, each with its start and end, in order."""
        values = []
        for date in dates(self.text):
            form = self.text[date.start : date.end]
            bound = self._bound_after(date.end)
            beside = read_beside(self.lower, date.start, date.end, is_period=False, is_about=False)
            token = Token("date", date.iso, form, 0, bound, None, beside)
            values.append((date.start, date.end, token))
        dated = Ranges((start, end) for start, end, _ in values)
        reached = 0
        for number in numbers(self.text):
            if (
                number.start >= reached
                and number.start not in dated
                and not self._is_period(number)
            ):
                values.append(self._number(number))
                reached = max(reached, values[-1][1])
        return sorted(values, key=lambda value: value[0])

    def _is_period(self, number: Number) -> bool:
        """Whether a number is an adjective that is read with its period: трёхдневный."""
        form = self.text[number.start : number.end]
        return form[:1].isalpha() and bool(COMPOUND.fullmatch(normalised(form, fold_case=True)))

    def _number(self, number: Number) -> tuple[int, int, Token]:
        start, end, factor = number.start, number.end, 1
        name = number.currency or number.unit or ""
        unit = number.unit_span
        if unit is not None:
            start, end = min(start, unit.start), max(end, unit.end)
            if name == "percent" and (points := POINT.match(self.lower, unit.start)):
                name, end = POINT_UNIT, max(end, points.end())
        if not name:
            gap = re.compile(r"[\s-]*").match(self.text, end)
            match = UNIT.match(self.lower, gap.end() if gap else end)
            if match:
                name, factor = unit_of(match)
                end = match.end()
        key, other = (
            None if value is None else f"{canonical(value * factor)} {name}".strip()
            for value in (number.value, number.alternative)
        )
        form = self.text[start:end]
        if other is None and not name and 0 < number.value < 1 and form[:1].isalpha():
            other = f"{int(number.value * 100)} percent"  # a quarter is also 25%
        beside = read_beside(
            self.lower,
            start,
            end,
            is_period=(key or "").endswith(_PERIODS),
            is_about=number.approximate,
        )
        token = Token("number", key or "", form, 0, self._bound_after(end), other, beside)
        return start, end, token

    def _bound_after(self, end: int) -> Bound:
        """The bound that the text right after a value expresses."""
        if AFTER_MOST.match(self.text, end):
            return "most"
        return "least" if AFTER_LEAST.match(self.text, end) else None

    def _words(self, piece: str) -> Iterator[Token]:
        """The tokens of a piece of text between numbers and dates."""
        text = normalised(piece, fold_case=True)
        han = ""
        for match in _PART.finditer(text):
            kind = match.lastgroup or ""
            if kind == "han":
                han += match.group()
                continue
            yield from self._han_run(han)
            han = ""
            yield from self._token(kind, match, text)
        yield from self._han_run(han)

    def _han_run(self, han: str) -> Iterator[Token]:
        """The tokens of consecutive Chinese characters."""
        for word in _han_words(han) if han else ():
            if word in sides():
                yield Token("side", sides()[word], word, self.part)
            elif not is_stop(word):
                yield Token("word", concept(word), word, self.part)

    def _token(self, kind: str, match: re.Match[str], text: str) -> Iterator[Token]:
        form = match.group()
        if kind == "mark":
            self.part += 1
        elif kind in {"most", "least"}:
            yield from self._bound("most" if kind == "most" else "least", match, text)
        elif kind == "role":
            both = ROLE_ZH.fullmatch(form)
            yield Token("party", "both" if both and both["both"] else form, form, self.part)
        elif kind == "compound":
            yield from self._compound(form)
        elif kind == "unit":
            yield from self._unit(form)
        elif kind in _FIXED_KEY:
            yield Token(*_FIXED_KEY[kind], form, self.part)
        elif kind == "digits":
            yield Token("number", form, form, self.part)
        else:
            yield from self._western_word(form)

    def _bound(self, bound: Bounded, match: re.Match[str], text: str) -> Iterator[Token]:
        form = match.group()
        if _TO_NUMBER.match(text, match.end()):
            self.pending_bound = bound
        elif form in sides():
            yield Token("side", sides()[form], form, self.part)
        elif form not in prepositions():
            yield Token("bound", bound, form, self.part)

    def _unit(self, form: str) -> Iterator[Token]:
        match = UNIT.fullmatch(form)
        if match:
            name, factor = unit_of(match)
            yield Token("unit", f"{factor} {name}", form, self.part)

    def _compound(self, form: str) -> Iterator[Token]:
        match = COMPOUND.fullmatch(form)
        value = compound_value(match) if match else None
        if value is None:
            yield from self._western_word(form)
        else:
            key = f"{canonical(Decimal(value[0]))} {value[1]}"
            yield Token("number", key, form, self.part, self.pending_bound)

    def _western_word(self, form: str) -> Iterator[Token]:
        """The token of an English or Russian word, or of any other match of ``_PART``."""
        root = _root(form)
        if root in _ANY_PARTY:
            yield Token("word", root, form, self.part)
        elif root in _roles() or root in self.names:
            yield Token("party", root, form, self.part)
        elif not is_stop(root) and not is_stop(form):
            yield Token("word", concept(root), form, self.part)
