"""Whether an answer says that the text does not say it, or declines to answer.

A refusal is known by its words, by where they are, and by what else the answer asserts. The words
are short lists of phrases (``assay/text/lists``): "not mentioned", "无法确定", «нет информации».
An answer that opens with a refusal abstains, whatever background follows. One that opens with
statements and refuses later answers in part. Where these signs conflict, the outcome is "unsure",
and ``leans_abstaining`` says which way the signs lean.
"""

import re
import sys
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from assay.text.lexicon import word_set
from assay.text.normalise import Span
from assay.text.search_term import Token, tokens
from assay.text.sentence import sentences

# What a check is given: a text, or several; anything else is refused in one line.


def text_argument(name: str, value: object) -> str:
    """The value, if it is a text.

    >>> text_argument("answer", None)
    Traceback (most recent call last):
    TypeError: answer must be a text, not NoneType
    """
    if not isinstance(value, str):
        message = f"{name} must be a text, not {type(value).__name__}"
        raise TypeError(message)
    return value


def texts_argument(name: str, value: object) -> list[str]:
    """The text, or the texts; a number is read as its text."""
    several = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    return [
        str(each) if type(each) in {int, float} else text_argument(name, each) for each in several
    ]


# Whether an answer says yes or no: its first word decides, or nothing does.

_LONGEST_ZH: Final = 3
_END: Final = re.compile(r"[^\S\n]*(?:\Z|\n|(?!\.\s?\d|[-/]\w|['’]\w)[^\w\s\"'“”«‘’„])")
"""The end of a text, or a mark: not a word that goes on, nor a point of an abbreviation (No. 5)."""


def polarity(text: str) -> bool | None:
    """Whether ``text`` begins with yes or with no; ``None`` if it begins with neither.

    A word with which a sentence goes on decides nothing.

    >>> polarity("Yes, twice."), polarity("否（第2页）"), polarity("No problem! Yes, it is.")
    (True, False, None)
    """
    found = tokens(text[:80])[:_LONGEST_ZH]
    for size in range(len(found), 0, -1):
        if _END.match(text, found[size - 1].end):
            head = "".join(token.word for token in found[:size])
            if head in word_set("yes"):
                return True
            if head in word_set("no"):
                return False
    return None


def expected_polarity(expected: str) -> bool | None:
    """Whether an accepted answer is nothing but yes, or nothing but no.

    >>> expected_polarity("Нет."), expected_polarity("no limit") is None
    (False, True)
    """
    whole = "".join(token.word for token in tokens(expected[:80]))
    return True if whole in word_set("yes") else False if whole in word_set("no") else None


def is_denying(answer: str) -> bool:
    """Whether an answer denies anything: the way it leans where it says neither yes nor no.

    >>> is_denying("The tenant may not sublet."), is_denying("The tenant may sublet.")
    (True, False)
    """
    return any(token.word in word_set("negation") for token in tokens(answer))


AbstentionOutcome: TypeAlias = Literal["abstains", "answers", "partial", "unsure"]

_GAP: Final = 4
_GAP_ZH: Final = 10
"""A Chinese token is a character; a bare negation reaches no further than elsewhere."""
_LISTS: Final = {
    "refusal": _GAP,
    "silent": _GAP,
    "speaker": _GAP,
    **dict.fromkeys(
        ("source", "unstated", "contrast", "according", "advice", "condition", "other", "duty"), 0
    ),
}
"""The lists of phrases, and how many other tokens may be between the parts of a phrase."""
_ANY_NEGATION: Final = frozenset({"not", "не", "不"})
_FEW: Final = 4
"""A sentence of fewer tokens states nothing: "In short:"."""
_BRIEF: Final = 8
"""An answer of at most so many tokens may be one word that refuses: "unclear", "不详"."""
_OPENING: Final = 6
"""In so many tokens at its beginning, a sentence names what it speaks about."""
_START: Final = 2
"""A word of contrast among so many tokens at the beginning turns against what was said before."""
_CLAUSE: Final = 6
"""An "if" governs so many tokens after it."""
_NEAR: Final = 3
"""Somebody else is named at most so many tokens before the negation: "you may not find"."""
_LONGEST_ASIDE: Final = 200
# Citations, quotations and remarks in brackets are not what the answer itself says.
_ASIDE: Final = re.compile(
    "|".join(
        rf"{re.escape(opening)}[^{re.escape(opening + closing)}\n]{{1,{_LONGEST_ASIDE}}}"
        rf"{re.escape(closing)}"
        for opening, closing in ("[]", "【】", "“”", "«»", "「」", "《》", '""', "``")
    )
)
_LINE: Final = re.compile(r"[^\s;][^\n;]*")


class Abstention(Struct, frozen=True, kw_only=True):
    """Whether an answer abstains, and why.

    ``outcome`` is "abstains", "answers", "partial" (it answers a part and refuses another part) or
    "unsure". ``leans_abstaining`` is what a yes or no counts; a partial answer leans to answering.
    ``sentence`` is the sentence that decides, ``None`` if none refuses. ``why`` says it in words.
    """

    outcome: AbstentionOutcome
    leans_abstaining: bool
    sentence: Span | None = None
    why: str


def abstains(answer: str, question: str | None = None) -> bool:
    """Whether ``answer`` says that there is no answer, or declines; unsure ones as they lean.

    >>> abstains("The report discusses the rent, but does not mention the deposit.")
    True
    >>> abstains("不知道。"), abstains("错误"), abstains("Срок — 30 дней, [2].")
    (True, False, False)

    An empty answer says nothing, so it does not abstain.
    """
    return assess_abstention(answer, question).leans_abstaining


def assess_abstention(answer: str, question: str | None = None) -> Abstention:
    """Whether ``answer`` abstains, and the sentence that decides.

    The question is used for one thing: what it denies itself ("which issues are *not mentioned*
    in it?") is no refusal when the answer repeats it.

    >>> answer = "Rent is 5,000 euros a month. It is paid yearly. The deposit is not mentioned."
    >>> result = assess_abstention(answer)
    >>> result.outcome, result.leans_abstaining, result.sentence.of(answer)
    ('partial', False, 'The deposit is not mentioned.')
    """
    statements = list(_statements(text_argument("answer", answer), question or ""))
    refusing = [index for index, statement in enumerate(statements) if statement.refusal]
    if not refusing:
        return _verdict("answers", None, "nothing in it refuses")
    claims = [index for index, statement in enumerate(statements) if statement.claims]
    if claims and claims[0] < refusing[0]:
        return _refuses_late(statements, claims, refusing[-1])
    return _refuses_first(statements, claims, refusing)


def is_refusal(text: str) -> bool:
    """Whether a text is a refusal and nothing else: a word that refuses may also describe a thing.

    >>> is_refusal("unknown"), is_refusal("an unknown recipient"), is_refusal("not stated there")
    (True, False, True)
    """
    piece = tokens(text)
    found = _found(piece)
    said = {
        index
        for kind, place, phrase in found
        for index in range(place, place + len(tokens(phrase)))
        if kind == "unstated"
    }
    is_plain = any(kind in {"refusal", "silent", "speaker"} for kind, _, _ in found)
    is_whole = all(index in said or token.is_small for index, token in enumerate(piece))
    return abstains(text) and (is_plain or is_whole)


class _Statement(NamedTuple):
    """A sentence, or a line of it, and the signs in it."""

    span: Span
    refusal: Literal["", "plain", "caveat"]
    """A caveat only says what the speaker is or has not: "I have no access to news"."""
    claims: bool
    has_contrast: bool
    """It begins with "however"."""
    is_polar: bool
    """It begins with yes or no: "No, there is no such clause"."""
    has_other_side: bool
    """It refuses and also states something: "not specified, but believed to be 1945"."""


def _refuses_first(
    statements: Sequence[_Statement], claims: Sequence[int], refusing: Sequence[int]
) -> Abstention:
    """The answer refuses before it states anything."""
    first, last = statements[refusing[0]], statements[refusing[-1]]
    if not claims and not first.has_other_side and not first.is_polar:
        return _verdict("abstains", first, "it refuses and states nothing")
    if len(refusing) > 1 and last is statements[-1] and first.refusal == last.refusal == "plain":
        return _verdict("abstains", last, "it begins and ends with a refusal")
    if first.is_polar:
        return _verdict("unsure", first, "it begins with yes or no, and refuses")
    turns = first.has_contrast or any(statements[index].has_contrast for index in claims)
    if first.refusal == "caveat":
        if turns or first.has_other_side:
            return _verdict("answers", first, "it says what the speaker lacks, and then answers")
        return _verdict("unsure", first, "it says what the speaker lacks, and goes on", leans=True)
    if turns or first.has_other_side:
        return _verdict("unsure", first, "it refuses, and then turns to a statement")
    return _verdict("abstains", first, "it begins with a refusal; what follows does not answer")


def _refuses_late(
    statements: Sequence[_Statement], claims: Sequence[int], refusing: int
) -> Abstention:
    """The answer states something before it refuses."""
    last = statements[refusing]
    if claims[-1] < refusing and last.refusal == "plain":
        if last.has_contrast:
            return _verdict("unsure", last, "its last sentence takes the rest back", leans=True)
        if len(claims) == 1:
            return _verdict("unsure", last, "it makes one statement and refuses")
    return _verdict("partial", last, "it makes statements and refuses something besides")


def _verdict(
    outcome: AbstentionOutcome, statement: _Statement | None, why: str, *, leans: bool = False
) -> Abstention:
    return Abstention(
        outcome=outcome,
        leans_abstaining=leans or outcome == "abstains",
        sentence=statement and statement.span,
        why=why,
    )


def _statements(answer: str, question: str) -> Iterator[_Statement]:
    body = _ASIDE.sub(lambda aside: " " * len(aside.group()), answer)
    if not any(map(str.isalnum, body)):
        body = answer
    pieces = [(span, tokens(span.of(body))) for span in _lines(body)]
    is_brief = sum(len(piece) for _, piece in pieces) <= _BRIEF
    asked = {text for kind, _, text in _found(tokens(question)) if kind == "refusal"}
    for span, piece in pieces:
        if not piece:
            continue
        signs = _Signs(piece, frozenset() if is_brief else asked)
        refusal = signs.refusal(0, len(piece))
        if (is_brief or len(piece) <= _FEW) and signs.has("unstated"):
            refusal = "plain"
        turn = min(signs.places["contrast"], default=len(piece))
        yield _Statement(
            span=span,
            refusal=refusal,
            claims=signs.claims(0, len(piece)) and body[span.end - 1] not in "?？",
            has_contrast=turn < _START,
            is_polar=polarity(span.of(body)) is not None,
            has_other_side=refusal != ""
            and turn < len(piece)
            and (
                signs.claims(0, turn)
                or signs.claims(turn + 1, len(piece))
                or any(token.is_digits for token in piece[turn + 1 :])
            ),
        )


def _lines(text: str) -> Iterator[Span]:
    for sentence in sentences(text):
        for line in _LINE.finditer(text, sentence.start, sentence.end):
            yield Span(start=line.start(), end=line.end())


class _Signs:
    """Where the phrases of the lists are in a sentence."""

    def __init__(self, piece: Sequence[Token], asked: AbstractSet[str]) -> None:
        self.places: dict[str, list[int]] = defaultdict(list)
        for kind, place, text in _found(piece):
            if text not in asked:
                self.places[kind].append(place)
        for kind in ("refusal", "silent"):
            self.places[kind] = [
                place for place in self.places[kind] if not self._is_foreign(place)
            ]

    def has(self, kind: str, start: int = 0, end: int = sys.maxsize) -> bool:
        """Whether a phrase of the list begins in this part of the sentence."""
        places = self.places[kind]
        first = bisect_left(places, start)
        return first < len(places) and places[first] < end

    def refusal(self, start: int, end: int) -> Literal["", "plain", "caveat"]:
        """How this part refuses: by its words, by what it says of a source, or as a caveat."""
        if self.has("refusal", start, end):
            return "plain"
        if self.has("silent", start, end) and self.has("source", start, end):
            return "plain"
        return "caveat" if self.has("speaker", start, end) else ""

    def claims(self, start: int, end: int) -> bool:
        """Whether this part can answer: it speaks of the matter, not of a source, nor advises."""
        opening = start + _OPENING
        return (
            end - start >= _FEW
            and not self.refusal(start, end)
            and not self.has("advice", start, end)
            and (
                not self.has("source", start, opening)
                or self.has("according", start, opening)
                or self.has("contrast", start, start + _START)
            )
        )

    def _is_foreign(self, place: int) -> bool:
        """Whether it is said of a condition, of somebody else, or of a duty: "if you cannot find one"."""
        if self.has("condition", place - _CLAUSE, place) or self.has("duty", place, place + _GAP):
            return True
        others = self.places["other"]
        near = others[bisect_left(others, place - _NEAR) : bisect_left(others, place)]
        return any(not self.has("source", other - 1, other) for other in near)


def _found(piece: Sequence[Token]) -> list[tuple[str, int, str]]:
    """The list, the place and the text of each phrase in the tokens, in order of places."""
    keys = [token.key for token in piece]
    denials = word_set("negation")
    denies = [token.word in denials for token in piece]
    return [
        (kind, place, text)
        for place in range(len(keys))
        for kind, text in _ending(_phrases(), place, keys, denies)
    ]


class _Node:
    """What may follow a part of a phrase: the next key, after at most so many other tokens.

    The key ``None`` stands for any negation.
    """

    def __init__(self) -> None:
        self.ends: list[tuple[str, str]] = []
        self.steps: dict[int, dict[str | None, _Node]] = {}


def _ending(
    node: _Node, place: int, keys: Sequence[str], denies: Sequence[bool]
) -> Iterator[tuple[str, str]]:
    """The phrases that go on from ``node`` with the token at ``place``."""
    yield from node.ends
    for gap, following in node.steps.items():
        for start in range(place, min(len(keys), place + gap + 1)):
            if (step := following.get(keys[start])) is not None:
                yield from _ending(step, start + 1, keys, denies)
            if denies[start] and (step := following.get(None)) is not None:
                yield from _ending(step, start + 1, keys, denies)


@cache
def _phrases() -> _Node:
    """The phrases of all lists as a tree of their tokens."""
    root = _Node()
    for kind, gap in _LISTS.items():
        for text in word_set(kind):
            node = root
            for number, part in enumerate(text.split()):
                in_part: list[str | None] = [token.key for token in tokens(part)]
                for index, key in enumerate([None] if part in _ANY_NEGATION else in_part):
                    is_long = gap and text >= "\u3400" and text[0] not in _ANY_NEGATION
                    between = _GAP_ZH if is_long else gap
                    steps = node.steps.setdefault(between if number and not index else 0, {})
                    node = steps.setdefault(key, _Node())
            node.ends.append((kind, text))
    return root
