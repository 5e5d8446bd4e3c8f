"""A sentence of a contract as tokens that can be compared: words, values, denials, parties."""

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
    DENIAL,
    LEAST,
    MOST,
    NOT_COUNTED,
    PREPOSITION,
    ROLE_ZH,
    ROLES_WEST,
    SIDE,
    UNIT,
    compound_value,
    unit_of,
)
from assay.scorers.evidence.synonym import concept, is_stop
from assay.text import (
    CYRILLIC,
    HAN,
    LATIN,
    Span,
    dates,
    normalised,
    numbers,
    sentences,
    simplified,
    stem,
    words,
)
from assay.text.number import Number, canonical

Kind: TypeAlias = Literal["word", "number", "date", "unit", "party", "denial", "bound", "side"]
Bounded: TypeAlias = Literal["most", "least"]
Bound: TypeAlias = Bounded | None


def _unnamed(pattern: str) -> str:
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


_PART: Final = re.compile(
    rf"(?P<plain>{NOT_COUNTED})|(?P<most>{MOST})|(?P<least>{LEAST})|(?P<denial>{DENIAL})"
    rf"|(?P<both>{BOTH_WEST.pattern})|(?P<compound>{_unnamed(COMPOUND.pattern)})"
    rf"|(?P<role>{_unnamed(ROLE_ZH.pattern)})|(?P<unit>{_unnamed(BARE_UNIT.pattern)})"
    rf"|(?P<han>[{HAN}])|(?P<west>[{CYRILLIC}{LATIN}]+(?:'[{LATIN}]{{1,2}}\b)?)"
    r"|(?P<digits>[0-9]+)|(?P<mark>[,;:.!?。、])"
)
_HAN: Final = re.compile(f"[{HAN}]")
_PLAIN: Final[dict[str, tuple[Kind, str]]] = {
    "denial": ("denial", "not"),
    "both": ("party", "both"),
}
# What may stand between a bound and its number.
_TO_NUMBER: Final = re.compile(r"[\s$€£¥₽]*(?:(?:на|за|чем|the|a|of|в|人民币|为)\s*)?\Z")
_PERIOD_HYPHEN: Final = re.compile(r"(?<=[A-Za-z0-9])-(?=(?:day|week|month|year|hour)\b)")
# 除…外，还… adds, it excludes nothing.
_ADDITIVE: Final = re.compile("除(?=[^。；;]{1,30}外[^。]{0,40}(?:还|也|另))")
_CAPITAL: Final = re.compile(
    rf"(?<=[{CYRILLIC}{LATIN}0-9,;:)»\"'”] )[«\"“]?([A-ZА-ЯЁ][{CYRILLIC}{LATIN}]{{2,}})"
)


_SMALL_LETTER: Final = re.compile(rf"\b[a-zа-яё][{CYRILLIC}{LATIN}]{{2,}}")
# Any of the parties: it says nothing of which.
_ANY_PARTY: Final = frozenset(("parti", "сторон"))


class Token(NamedTuple):
    """One token: what is compared, and how it was written.

    ``key`` is the same for all words of one meaning; ``part`` is the number of the comma-separated
    part of the sentence it stands in; ``bound`` says whether a value is a limit; ``other`` is the key of a number's
    other reading, where its separator is ambiguous.
    """

    kind: Kind
    key: str
    form: str
    part: int = 0
    bound: Bound = None
    other: str | None = None


def tokens(text: str, names: frozenset[str] = frozenset()) -> tuple[Token, ...]:
    """The tokens of ``text`` in order; words that say nothing alone are left out.

    >>> [(t.kind, t.key) for t in tokens("The Buyer shall not pay within 2 weeks")]
    [('party', 'buyer'), ('word', 'shall'), ('denial', 'not'), ('word', 'pay'), ('number', '336 hour')]
    """
    out: list[Token] = []
    for span in sentence_spans(text):
        part = out[-1].part + 1 if out else 0
        found = _sentence_tokens(span.of(text), names)
        out += [token._replace(part=token.part + part) for token in found] if part else found
    return tuple(out)


@lru_cache(maxsize=4096)
def sentence_spans(text: str) -> tuple[Span, ...]:
    """The sentences of ``text``, remembered."""
    return tuple(sentences(text))


def simplified_han(text: str) -> str:
    """``text`` with traditional characters as simplified ones, one for one, so that places stay.

    >>> simplified_han("違約金"), simplified_han("penalty")
    ('违约金', 'penalty')
    """
    # the table takes 0.2 s to load, and only Chinese needs it
    return simplified(text) if _HAN.search(text) else text


# Several quotations are compared with the same sentences, alone and together.
@lru_cache(maxsize=4096)
def _sentence_tokens(text: str, names: frozenset[str]) -> tuple[Token, ...]:
    plain = _ADDITIVE.sub("\u3000", _PERIOD_HYPHEN.sub(" ", text))
    return tuple(_Reader(plain, names).read())


@lru_cache(maxsize=1024)
def names(text: str) -> frozenset[str]:
    """Stems of the words with a capital within a sentence: defined terms, people, firms.

    >>> sorted(names("Rent is due. The Tenant pays Harrow Ltd."))
    ['harrow', 'ltd', 'tenant']
    """
    return frozenset(
        map(_root, normalised(" ".join(_CAPITAL.findall(text)), fold_case=True).split())
    )


@lru_cache(maxsize=1024)
def uncapitalised(text: str) -> frozenset[str]:
    """Stems of the words that ``text`` writes without a capital somewhere."""
    small = normalised(" ".join(_SMALL_LETTER.findall(text)), fold_case=True)
    return frozenset(map(_root, small.split()))


_root: Final = lru_cache(maxsize=1 << 14)(stem)


@cache
def _roles() -> frozenset[str]:
    return frozenset(map(stem, ROLES_WEST))


@lru_cache(maxsize=1 << 14)
def _han_words(run: str) -> tuple[str, ...]:
    return tuple(words(run))


class _Reader:
    """Reads a sentence from left to right; a bound waits for the number after it."""

    def __init__(self, text: str, names: frozenset[str]) -> None:
        self.text = text
        self.names = names
        self.part = 0
        self.waiting: Bound = None

    def read(self) -> Iterator[Token]:
        position = 0
        for start, end, token in self._values():
            if start >= position:
                yield from self._words(self.text[position:start])
                yield token._replace(part=self.part, bound=self.waiting or token.bound)
                position, self.waiting = end, None
        yield from self._words(self.text[position:])

    def _values(self) -> list[tuple[int, int, Token]]:
        """Dates and numbers with their units, and where they stand."""
        found = []
        for date in dates(self.text):
            form = self.text[date.start : date.end]
            found.append(
                (date.start, date.end, Token("date", date.iso, form, 0, self._after(date.end)))
            )
        for number in numbers(self.text):
            if not any(start <= number.start < end for start, end, _ in found):
                found.append(self._number(number))
        return sorted(found, key=lambda value: value[0])

    def _number(self, number: Number) -> tuple[int, int, Token]:
        start, end, factor = number.start, number.end, 1
        name = number.currency or number.unit or ""
        unit = number.unit_span
        if unit is not None:
            start, end = min(start, unit.start), max(end, unit.end)
        if not name:
            gap = re.compile(r"[\s-]*").match(self.text, end)
            match = UNIT.match(self.text.lower(), gap.end() if gap else end)
            if match:
                name, factor = unit_of(match)
                end = match.end()
        key, other = (
            None if value is None else f"{canonical(value * factor)} {name}".strip()
            for value in (number.value, number.alternative)
        )
        token = Token("number", key or "", self.text[start:end], 0, self._after(end), other)
        return start, end, token

    def _after(self, end: int) -> Bound:
        if AFTER_MOST.match(self.text, end):
            return "most"
        return "least" if AFTER_LEAST.match(self.text, end) else None

    def _words(self, piece: str) -> Iterator[Token]:
        """The tokens of a piece without numbers."""
        text = normalised(piece, fold_case=True)
        run = ""
        for match in _PART.finditer(text):
            kind = match.lastgroup or ""
            if kind == "han":
                run += match.group()
                continue
            yield from self._run(run)
            run = ""
            yield from self._token(kind, match, text)
        yield from self._run(run)

    def _run(self, run: str) -> Iterator[Token]:
        for word in _han_words(run) if run else ():
            if word in SIDE:
                yield Token("side", SIDE[word], word, self.part)
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
        elif kind in _PLAIN:
            yield Token(*_PLAIN[kind], form, self.part)
        elif kind == "digits":
            yield Token("number", form, form, self.part)
        else:
            yield from self._west(form)

    def _bound(self, bound: Bounded, match: re.Match[str], text: str) -> Iterator[Token]:
        form = match.group()
        if _TO_NUMBER.match(text, match.end()):
            self.waiting = bound
        elif form in SIDE:
            yield Token("side", SIDE[form], form, self.part)
        elif form not in PREPOSITION:
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
            yield from self._west(form)
        else:
            key = f"{canonical(Decimal(value[0]))} {value[1]}"
            yield Token("number", key, form, self.part, self.waiting)

    def _west(self, form: str) -> Iterator[Token]:
        root = _root(form)
        if root in _ANY_PARTY:
            yield Token("word", root, form, self.part)
        elif root in _roles() or root in self.names:
            yield Token("party", root, form, self.part)
        elif not is_stop(root) and not is_stop(form):
            yield Token("word", concept(root), form, self.part)
