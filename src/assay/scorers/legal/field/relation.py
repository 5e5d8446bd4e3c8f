"""Where a Russian answer has an adjective for an expected noun: «венозный тромбоз» for «тромбоз вен»."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from assay.scorers.legal.root import content_words
from assay.text import Span
from assay.text.lexicon import alternatives, entry, lazy_pattern

_PAIR: Final = 2
_LEAST: Final = 2
"""So many letters has the root of a noun at least: «ива», «лён»."""
_WORD: Final = re.compile(r"[а-яё-]{3,}", re.IGNORECASE)
_ADJECTIVE: Final = lazy_pattern(
    lambda: rf"(?P<base>[а-яё-]{{3,}}?)(?:{alternatives('form.adjective_ending', 'ru')})"
)
_NOUN: Final = lazy_pattern(
    lambda: rf"(?P<root>[а-яё-]{{2,}}?)(?:{alternatives('form.noun_ending', 'ru')})?"
)
_LINK: Final = lazy_pattern(lambda: rf"\s(?:(?:{alternatives('form.relation_link', 'ru')})\s)?")
_LEAD: Final = lazy_pattern(lambda: alternatives("form.lead", "ru"))
_MATERIAL_ASKED: Final = lazy_pattern(lambda: alternatives("form.material_asked", "ru"))
_GROWTH_ASKED: Final = lazy_pattern(lambda: alternatives("form.growth_asked", "ru"))
_GROWTH: Final = lazy_pattern(lambda: alternatives("form.growth", "ru"))
_SUFFIX: Final = lazy_pattern(lambda: alternatives("form.adjective_suffix", "ru"))


def relation_mentions(wording: str, text: str) -> Iterator[Span]:
    """The spans of ``text`` with both nouns of ``wording``, one of them as an adjective, or the reverse.

    >>> text = "У больных развивался венозный тромбоз."
    >>> [span.of(text) for span in relation_mentions("тромбоз вен", text)]
    ['венозный тромбоз']
    """
    lead = _LEAD.match(wording)
    wording = wording[lead.end() :] if lead else wording
    parts = [part.lower() for part in _WORD.findall(wording)]
    if len(parts) != _PAIR or len(wording.split()) != _PAIR:
        return
    found = list(_WORD.finditer(text))
    for first, second in pairwise(found):
        if not _LINK.fullmatch(text, first.end(), second.start()):
            continue
        words = first[0].lower(), second[0].lower()
        if any(
            _are_one(parts, order, words, others)
            for order in ((0, 1), (1, 0))
            for others in ((0, 1), (1, 0))
        ):
            yield Span(start=first.start(), end=second.end())


def material_mentions(wording: str, text: str, question: str | None) -> Iterator[Span]:
    """Where ``text`` has the adjective of an expected material, or of the plants that grow somewhere.

    >>> text = "Стол дубовый."
    >>> [span.of(text) for span in material_mentions("из дуба", text, "Из чего сделан стол?")]
    ['дубовый']
    """
    lead = _LEAD.match(wording)
    noun = wording[lead.end() :].lower() if lead else wording.lower()
    if question is None or not _WORD.fullmatch(noun):
        return
    is_material = _MATERIAL_ASKED.search(question) is not None
    if not is_material and not _GROWTH_ASKED.search(question):
        return
    for found in _WORD.finditer(text):
        is_made = is_relation(noun, found[0].lower())
        if is_made and (is_material or _GROWTH.match(text, found.end())):
            yield Span(start=found.start(), end=found.end())


def _are_one(
    parts: list[str], order: tuple[int, int], words: tuple[str, str], others: tuple[int, int]
) -> bool:
    """Whether the heads of two pairs are the same, and the other word of one is made of the other's."""
    head, side = parts[order[0]], parts[order[1]]
    told, beside = words[others[0]], words[others[1]]
    if not content_words(head) or content_words(head) != content_words(told):
        return False
    if content_words(side) == content_words(beside) and order != others:
        return _ADJECTIVE.fullmatch(side) is not None  # «коляски детские»
    return is_relation(side, beside) or is_relation(beside, side)


def is_relation(noun: str, adjective: str) -> bool:
    """Whether an adjective is made of a noun: «ива», «ивовой»; «почек», «почечная».

    >>> is_relation("вен", "венозный"), is_relation("вен", "весенний")
    (True, False)
    """
    found, stem = _ADJECTIVE.fullmatch(adjective), _NOUN.fullmatch(noun)
    if found is None or stem is None:
        return False
    base = found["base"].replace("ё", "е")
    return any(
        base.startswith(root) and _SUFFIX.fullmatch(base, len(root)) is not None
        for root in _roots(stem["root"].replace("ё", "е"))
        if len(root) >= _LEAST
    )


def _roots(root: str) -> Iterator[str]:
    """The root with the last sound as it is before a suffix: «рук», «руч»; «почк», «почеч»."""
    yield root
    for line in entry("ru", "form.root_changes"):
        end, _, other = str(line).partition(" ")
        if root.endswith(end):
            yield root.removesuffix(end) + other
