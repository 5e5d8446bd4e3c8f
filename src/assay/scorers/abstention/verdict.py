"""Whether an answer abstains: says, in whatever words, that the text does not tell.

An answer is cut into sentences, a sentence into statements (at semicolons, "but", "so"), a
statement into parts (at commas). A statement either holds a phrase that abstains ("the
contract is silent on", "из документа не следует", "材料未载明"), or only supports one (regret,
advice, what else the text is about), or is a claim. Beside a phrase, a part of the same
statement is a claim where it asserts something or guesses. The answer abstains where there is
a phrase and no claim: "I don't know, but probably 5,000" is an answer, and so is one that gives
a fact and then says that something else is not mentioned.

A rule about what is left open ("if the term is not specified…", "没有约定的，…"), a prohibition
("must not be mentioned") and a person's silence are no abstentions. What is quoted, and that
somebody in the text has forgotten, supports an abstention but is not one by itself. Two accounts
that contradict each other are claims, whether or not the answer chooses. The question is not
looked at.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct

from assay.scorers.abstention import context as wording
from assay.scorers.abstention import pattern as ignorance
from assay.scorers.abstention.pattern import Pattern
from assay.text import Span, articles, citation_spans, normalise, numbers, sentences

_NEAR: Final = 200
"""Characters around a phrase that can make it something else; nobody's clause is longer."""


class Abstention(Struct, frozen=True, kw_only=True):
    """What an answer says of its own ignorance, in offsets of the answer.

    ``claims`` are what stands beside ``phrases``; they are not looked for where there is no
    phrase, since then all of the answer is one.
    """

    is_abstention: bool
    phrases: tuple[Span, ...] = ()
    claims: tuple[Span, ...] = ()


class _Stretch(NamedTuple):
    """A piece of a sentence by its offsets in it."""

    start: int
    end: int


def abstains(text: str) -> bool:
    """Whether ``text`` as a whole says that there is no answer to be had.

    >>> abstains("The contract is silent on subletting."), abstains("Не указано, вероятно 5000.")
    (True, False)

    An empty text says nothing, so it does not abstain.
    """
    return abstention(text).is_abstention


def abstention(text: str) -> Abstention:
    """The phrases of ``text`` that abstain, and the claims beside them.

    >>> text = "租金为5000元；文中没有说明押金。"
    >>> told = abstention(text)
    >>> told.is_abstention, told.phrases[0].of(text), told.claims[0].of(text)
    (False, '文中没有说明', '租金为5000元')
    """
    phrases: list[Span] = []
    claims: list[Span] = []
    own = _unquoted(text)
    for outer in sentences(own):
        form = normalise(outer.of(own))
        # A full-width stop ends a sentence only once it is normalised.
        for inner in sentences(form.text):
            said = _plain(inner.of(form.text))
            for found, into in zip(_judged(said), (phrases, claims), strict=True):
                for start, end in found:
                    span = form.original_span(inner.start + start, inner.start + end)
                    into.append(Span(start=outer.start + span.start, end=outer.start + span.end))
    if not phrases:
        return Abstention(is_abstention=False)
    return Abstention(is_abstention=not claims, phrases=tuple(phrases), claims=tuple(claims))


def _unquoted(text: str) -> str:
    """The text with quotations blanked: they show what it rests on. One all quoted is kept."""
    own = wording.QUOTATION.sub(lambda match: " " * len(match.group()), text)
    return own if any(map(str.isalpha, _plain(own))) else text


def _plain(sentence: str) -> str:
    """The sentence with citations and references blanked: their numbers claim nothing."""
    said = sentence.translate(wording.TO_SIMPLIFIED)
    marks = [*citation_spans(said), *(Span(start=a.start, end=a.end) for a in articles(said))]
    for mark in marks:
        said = said[: mark.start] + " " * (mark.end - mark.start) + said[mark.end :]
    return said


def _judged(said: str) -> tuple[list[_Stretch], list[_Stretch]]:
    """The phrases and the claims of one sentence."""
    phrases: list[_Stretch] = []
    claims: list[_Stretch] = []
    before: _Stretch | None = None
    for start, end in _cut(said, wording.BREAK, 0, len(said)):
        found = _phrases(said, start, end)
        phrases.extend(found)
        if found:
            # "The clock had stopped, so no times are known": the claim was only the reason.
            if before and claims[-1:] == [before] and _is_reason(said, before, start):
                claims.pop()
            claims.extend(_claims_beside(said, start, end, found))
        elif not _supports(said[start:end]):
            claims.append(_Stretch(start, end))
        before = _Stretch(start, end)
    return phrases, claims


def _cut(said: str, mark: Pattern, start: int, end: int) -> Iterator[_Stretch]:
    """The stretches between the marks that hold a letter or a digit, without outer space."""
    begin = start
    for match in [*mark.finditer(said, start, end), None]:
        stop = match.start() if match else end
        piece = said[begin:stop]
        if any(map(str.isalnum, piece)):
            left = begin + len(piece) - len(piece.lstrip())
            yield _Stretch(left, left + len(piece.strip()))
        begin = match.end() if match else end


def _phrases(said: str, start: int, end: int) -> list[_Stretch]:
    """The phrases of a statement that do abstain."""
    found: list[_Stretch] = []
    parts = list(_cut(said, wording.PAUSE, start, end))
    for number, part in enumerate(parts):
        clause = said[part.start : part.end]
        for match in ignorance.phrases(clause):
            before = clause[max(0, match.start() - _NEAR) : match.start()]
            after = said[part.start + match.end() : min(end, part.start + match.end() + _NEAR)]
            is_rule = number + 1 < len(parts) and wording.CONDITION_START.search(clause)
            if not is_rule and not _is_other(before, match.group(), after):
                found.append(_Stretch(part.start + match.start(), part.start + match.end()))
    across = ignorance.phrases_across(said, start, end)
    return sorted([*found, *(_Stretch(match.start(), match.end()) for match in across)])


def _is_other(before: str, phrase: str, after: str) -> bool:
    """Whether the words belong to a rule, a description or a person rather than to the answer."""
    if wording.CONDITION.search(before + phrase) or wording.RELATIVE.search(before):
        return True
    if wording.ATTRIBUTE.match(after):
        return True
    return bool(wording.PARTY.search(before)) and not wording.DOCUMENT.search(phrase)


def _claims_beside(said: str, start: int, end: int, phrases: list[_Stretch]) -> Iterator[_Stretch]:
    """The parts of a statement with a phrase that say more than that."""
    parts = list(_cut(said, wording.PAUSE, start, end))
    holding = {
        part: [phrase for phrase in phrases if part.start <= phrase.start < part.end]
        for part in parts
    }
    # "Although it is not stated, …", "…, as it is unknown": what counts is the rest.
    is_aside = any(
        inside and _is_subordinate(said[part.start : part.end]) for part, inside in holding.items()
    )
    is_reason = had_phrase = False
    for part, inside in holding.items():
        clause = said[part.start : part.end]
        # "It cannot be determined: …" is followed by the reason.
        is_reason = is_reason or (had_phrase and ":" in said[part.start - 2 : part.start])
        had_phrase = bool(inside)
        if inside:
            before, after = said[part.start : inside[0].start], said[inside[-1].end : part.end]
            if _gives_value(before) or _guesses(after):
                yield part
        elif (
            _tells_value(clause)
            or (not is_reason and _asserts(clause))
            or (is_aside and not _is_idle(clause))
        ):
            yield part


def _is_reason(said: str, before: _Stretch, start: int) -> bool:
    """Whether a statement leads, without a figure or a guess, to the one that follows."""
    clause = said[before.start : before.end]
    if wording.FIGURE.search(clause) or wording.HEDGE.search(clause):
        return False
    return wording.CONCLUSION.search(said[before.end : start]) is not None


def _is_subordinate(clause: str) -> bool:
    return bool(wording.CONCESSION.search(clause) or wording.CAUSE.search(clause))


def _is_idle(clause: str) -> bool:
    return bool(wording.LEAD.search(clause)) or _supports(clause)


def _asserts(clause: str) -> bool:
    """Whether a part of a statement, beside one that abstains, states something by itself."""
    if _is_background(clause) or _is_idle(clause):
        return False
    return wording.ASSERTION.search(clause) is not None


def _tells_value(clause: str) -> bool:
    """Whether such a part gives a number, or guesses."""
    if _is_background(clause) and not _guesses(clause):
        return False
    if wording.BARE_VALUE.fullmatch(clause) or wording.HEDGE.search(clause):
        return True
    amount = wording.AMOUNT.search(clause) and not wording.LEAD.search(clause)
    return bool(amount) or _gives_value(clause)


def _is_background(clause: str) -> bool:
    patterns = (wording.CONCESSION, wording.LIMIT, wording.QUESTION)
    return any(pattern.search(clause) for pattern in patterns)


def _gives_value(clause: str) -> bool:
    """Whether a number is told as what something is, not merely spoken of."""
    return any(
        wording.COPULA.search(clause[: number.start])
        and not wording.QUESTION.search(clause[: number.start])
        for number in numbers(clause)
    )


def _guesses(after: str) -> bool:
    hedge = wording.HEDGE.search(after)
    return hedge is not None and wording.FIGURE.search(after, hedge.start()) is not None


def _supports(statement: str) -> bool:
    """Whether a statement without a phrase leaves an abstention beside it what it is."""
    if wording.CONCESSION.search(statement) or wording.LIMIT.search(statement):
        return True
    if wording.FIGURE.search(statement):
        return False
    if wording.SUPPORT.search(statement):
        return True
    is_speaker = wording.SPEAKER.search(statement) is not None
    return is_speaker and not wording.DOCUMENT.search(statement)
