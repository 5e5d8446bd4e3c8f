"""Whether a sentence has the content words of an expected text together, in other words or another order."""

import re
from collections.abc import Sequence
from math import ceil
from typing import Final

from assay.scorers.evidence import (
    THRESHOLD,
    Token,
    align,
    alignment_scores,
    names,
    passages,
    tokens,
)
from assay.scorers.legal.root import content_words
from assay.text import Span, normalised
from assay.text.lexicon import alternatives, lazy_pattern

_NAMED: Final = lazy_pattern(lambda: alternatives("clause.naming_link"))
"""Between a thing and its name: "the tower that bears the name of Orlov"."""
_FULL: Final = 0.8
"""A token with at least this credit is the same word in another form, or a synonym."""
_PARTIAL: Final = 0.4
"""A token with at least this credit is contained in part: 人民法院 in 法院."""
_MATCHED: Final = 2 / 3
"""The least share of the tokens of a reworded text that a sentence must contain in part."""
_LINK: Final = lazy_pattern(lambda: alternatives("clause.link"))
"""Between two words that are one thing: "the teapot made of silver"."""
_OTHER: Final = lazy_pattern(lambda: alternatives("form.other_adjective"))
_WITH: Final = lazy_pattern(lambda: alternatives("form.with"))
_HAD: Final = lazy_pattern(lambda: alternatives("form.had", "en"))
_WITH_LINK: Final = lazy_pattern(lambda: alternatives("form.with_link"))
_OWNER_LINK: Final = lazy_pattern(lambda: alternatives("form.owner_link", "en"))
_ADJECTIVE: Final = lazy_pattern(
    lambda: rf"[а-яё-]{{3,}}(?:{alternatives('form.adjective_ending', 'ru')})"
)
_SHORT: Final = 2
"""A text of so few tokens must be contained completely."""
_SPREAD: Final = 3
"""How many other tokens may stand between those of the text."""


def aligned(quoted: str, text: str) -> bool:
    """Whether a part of ``text`` says the same, with equal numbers, dates and denials."""
    candidates = [span.of(text) for span in passages(quoted, text)]
    scores = alignment_scores(quoted, candidates, text)
    return max((candidate.score for candidate in scores), default=0.0) >= THRESHOLD


def is_reworded(wording: str, sentence: str) -> bool:
    """Whether the sentence has the content words of ``wording`` together, in other words."""
    quoted, source = tokens(wording), tokens(sentence)
    shares = align(quoted, source).shares
    if not shares:
        return False
    full = [token for token, share in zip(quoted, shares, strict=True) if share >= _FULL]
    needed = len(quoted) if len(quoted) <= _SHORT else min(2, len(quoted))
    in_part = sum(share >= _PARTIAL for share in shares)
    if len(full) < needed or in_part < ceil(_MATCHED * len(quoted)):
        return False
    capitalised = names(f"a {wording}")
    if any(token.key in capitalised and token not in full for token in quoted):
        return False
    if len(quoted) <= _SHORT:
        return _are_linked(wording, quoted, source, sentence) and aligned(wording, sentence)
    return _stand_together(full, source, len(quoted) + _SPREAD) and aligned(wording, sentence)


def _are_linked(
    wording: str, quoted: Sequence[Token], source: Sequence[Token], sentence: str
) -> bool:
    """Whether two words stand side by side, or in the other order with a link between them.

    "A teapot made of silver" is a silver teapot; "dark blue with a green stripe" is not dark green.
    """
    if len(quoted) < _SHORT:
        return True
    keys = [token.key for token in source]
    first, second = (token.key for token in quoted)
    if not {first, second} <= set(keys):
        return True  # a synonym, which is not at its place
    is_name = not wording.islower()
    for index, key in enumerate(keys):
        near = keys[index + 1 : index + 1 + _SPREAD]
        if key == first and second in near:
            is_rate = quoted[1].kind == "unit"  # 20 days of leave a year
            return (
                near[0] == second
                or is_rate
                or _NAMED.search(sentence.lower()) is not None
                or _is_described(wording, source[index : index + _SPREAD], near, second, sentence)
            )
        if key == second and first in near:
            is_compound = near[0] == first and _LINK.search(wording) is not None
            return (
                (near[0] == first and (is_name or quoted[0].kind == "number"))
                or is_compound
                or _LINK.search(sentence.lower()) is not None
                or _has_postposed(quoted, sentence)
                or _is_genitive_first(quoted, sentence)
                or _is_shared(wording, quoted, sentence)
            )
    return False


def _is_described(
    wording: str, found: Sequence[Token], near: Sequence[str], second: str, sentence: str
) -> bool:
    """Whether only an adjective of the second word stands between both: the head of *your* department.

    >>> is_reworded("the cellar of the inn", "It was in the cellar of the old inn.")
    True
    >>> is_reworded("the cellar of the inn", "It was in the cellar of the next inn.")
    False
    """
    if near[1:_SHORT] != [second]:
        return False
    thing, between, other = (re.escape(token.form) for token in found)
    if _OTHER.match(between):
        return False
    if _WITH.search(wording) and _WITH_LINK.match(between):
        return True
    if _ADJECTIVE.fullmatch(between):
        return re.search(rf"{thing}\s(?:\w{{1,3}}\s)?{between}\s{other}", sentence) is not None
    pattern = rf"\b{thing} (?:{_OWNER_LINK.pattern}){between} {other}\b"
    return bool(_LINK.search(wording)) and re.search(pattern, sentence) is not None


def _is_genitive_first(quoted: Sequence[Token], sentence: str) -> bool:
    """Whether a Russian sentence has the second word in its form and then the first: «сырья нехватка»."""
    thing, owner = (token.form for token in quoted)
    if owner.isascii() or _ADJECTIVE.fullmatch(thing):
        return False
    pattern = rf"\b{re.escape(owner)} (?:[а-яё]+[оие] )?{re.escape(thing)}\b"
    return re.search(pattern, sentence, re.IGNORECASE) is not None


def _is_shared(wording: str, quoted: Sequence[Token], sentence: str) -> bool:
    """Whether somebody had with another what ``wording`` names: "he and his partner had a quarrel"."""
    deed, other = (re.escape(token.form) for token in quoted)
    pattern = rf"\band (?:\w+ )?{other} (?:{_HAD.pattern}) (?:an? |the )?(?:\w+ )?{deed}\b"
    return bool(_WITH.search(wording)) and re.search(pattern, sentence, re.IGNORECASE) is not None


def _has_postposed(quoted: Sequence[Token], sentence: str) -> bool:
    """Whether the sentence has the second word and then, between commas, the first one."""
    quality, thing = (re.escape(token.form[:_SPREAD]) for token in quoted)
    pattern = rf"\b{thing}\w*, (?:\w+ ){{0,2}}{quality}\w*\s*(?:[,.;!]|\Z)"
    return re.search(pattern, sentence, re.IGNORECASE) is not None


def _stand_together(full: Sequence[Token], source: Sequence[Token], width: int) -> bool:
    """Whether ``width`` tokens in a row contain all those that are fully matched."""
    keys = {token.key for token in full} & {token.key for token in source}
    return any(
        keys <= {token.key for token in source[start : start + width]}
        for start in range(max(1, len(source) - width + 1))
    )


def core_of(wording: str, text: str, sentence: Span) -> Span:
    """The stretch of ``sentence`` from the first to the last content word of ``wording``."""
    keys = {token.key for token in tokens(wording)}
    whole = sentence.of(text)
    lower = whole.lower().replace("ё", "е")
    position, found = 0, []
    for token in tokens(whole):
        start = lower.find(token.form.lower().replace("ё", "е"), position)
        if start >= 0:
            position = start + len(token.form)
            if token.key in keys or _is_form(token, wording):
                found.append(Span(start=sentence.start + start, end=sentence.start + position))
    return Span(start=found[0].start, end=found[-1].end) if found else sentence


def _is_form(token: Token, wording: str) -> bool:
    """Whether a token is a word of ``wording`` in another case, which the stemmer may not know."""
    form = normalised(token.form, fold_case=True)
    if content_words(form) & content_words(wording):
        return True
    return any(
        len(word) > _SPREAD
        and abs(len(word) - len(form)) <= 1
        and word[:-1] == form[: len(word) - 1]
        for word in normalised(wording, fold_case=True).split()
    )
