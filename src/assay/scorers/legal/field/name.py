"""Where an answer has an expected name in another form: inflected, without its title, or the surname."""

import re
from collections.abc import Iterator
from typing import Final

from assay.scorers.legal.entity import entity_spans, whole_names
from assay.scorers.value import titles
from assay.text import CYRILLIC, LATIN, Span, words
from assay.text.lexicon import alternatives, lazy_pattern

_PERSON_ASKED: Final = lazy_pattern(lambda: alternatives("form.person_asked"))
_DESCRIBED: Final = lazy_pattern(
    lambda: (
        rf"(?:[a-zа-яё-]+ ){{0,3}}(?!(?:{alternatives('form.no_description')}) )[a-zа-яё-]{{3,}} "
        rf"(?P<name>[A-ZА-ЯЁ][{CYRILLIC}{LATIN}.-]+(?: [A-ZА-ЯЁ][{CYRILLIC}{LATIN}.-]+)*)"
        r"(?<![ыиеуюё])(?<!\.)"
    ),
    re.NOFLAG,
)
"""A name after what the person is: "the architect Jane Poole"."""
_HAN_DESCRIBED: Final = lazy_pattern(
    lambda: (
        rf"(?:{alternatives('form.han_description')})?(?P<name>[\u4e00-\u9fff·]{{2,}}?)"
        rf"(?:{alternatives('name.address')}|{alternatives('form.han_title')})?"
    ),
    re.NOFLAG,
)
_CAPITALS: Final = re.compile(rf"[A-ZА-ЯЁ][{CYRILLIC}{LATIN}]+")
_SMALL: Final = re.compile(rf"\b[a-zа-яё][{CYRILLIC}{LATIN}]*")
_PLACE: Final = lazy_pattern(lambda: alternatives("form.place"), re.NOFLAG)
"""A name after the word for the kind of place: the island of Sylt."""
_PLACE_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('form.place_before')})\Z")
_WHERE_ASKED: Final = lazy_pattern(lambda: alternatives("form.where_asked"))
_REGION: Final = lazy_pattern(lambda: alternatives("form.region", "zh"))
_REGION_AFTER: Final = lazy_pattern(lambda: alternatives("form.region_after"), re.NOFLAG)
_PLACE_END: Final = lazy_pattern(
    lambda: rf"(?<=[\u4e00-\u9fff]{{2}})(?:{alternatives('form.han_suffix', 'zh')})\Z"
)
_COMPANY: Final = lazy_pattern(
    lambda: (
        rf"(?P<name>[\u4e00-\u9fff]{{4,}}?)(?:{alternatives('form.company_kind', 'zh')})?"
        rf"(?:{alternatives('form.company_end', 'zh')})"
    )
)
_INSTITUTION: Final = lazy_pattern(
    lambda: rf"[\u4e00-\u9fff]{{3,12}}(?:{alternatives('form.institution_end', 'zh')})"
)
_COMPANY_BEFORE: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('form.company_before', 'zh')})\s?\Z"
)
_FEWEST: Final = 4
"""So many characters of a company's name are enough."""
_OTHER_REGION: Final = re.compile(r",? (?:in )?[A-ZА-ЯЁ]|, (?:in|в|на) [A-ZА-ЯЁ]")
_TWO: Final = 2
_LONGEST: Final = 5
_SHORT: Final = 12
"""In a longer text a surname may be that of somebody else."""


def name_mentions(wording: str, text: str, question: str | None) -> Iterator[Span]:
    """The spans of ``text`` that name ``wording``, if that is a name.

    A part of a name is enough only if the question asks for a person.

    >>> text = "Приют был основан Беатрисой Маловой."
    >>> [span.of(text) for span in name_mentions("Беатриса Малова", text, None)]
    ['Беатрисой Маловой']
    """
    is_person = question is not None and _PERSON_ASKED.search(question) is not None
    if is_person and (described := _DESCRIBED.fullmatch(wording)):
        yield from _literal(described["name"], text)
    is_human = is_person and not is_company(wording)
    if is_human and (described := _HAN_DESCRIBED.fullmatch(wording)):
        yield from _literal(described["name"], text)
    if question is not None and _WHERE_ASKED.search(question):
        yield from _without_region(wording, text)
    if place := _PLACE.fullmatch(wording):
        for span in whole_names(text, next(filter(None, place.groups()))):
            if not _PLACE_BEFORE.search(text[: span.start]):
                yield span
    yield from _company(wording, text)
    if initials := _with_initials(wording):
        yield from (Span(start=m.start(), end=m.end()) for m in re.finditer(initials, text))
    capitals = _CAPITALS.findall(wording)
    if not capitals or len(wording.split()) > _LONGEST or any(map(str.isdigit, wording)):
        return
    whole = list(whole_names(text, wording))
    yield from whole
    small = [word for word in _SMALL.findall(wording) if word not in titles()]
    is_name = len(capitals) > len(small) and "," not in wording and len(text.split()) <= _SHORT
    if not whole and is_name and is_person:
        yield from entity_spans(text, wording, question=question)


def is_company(wording: str) -> bool:
    """Whether a text is the name of a Chinese company or institution, which has no other wording."""
    if _INSTITUTION.fullmatch(wording):
        return True
    return _COMPANY.fullmatch(wording) is not None and len(words(wording)) > _TWO


def _company(wording: str, text: str) -> Iterator[Span]:
    """Where ``text`` has the name of a Chinese company without its place and its legal form."""
    company = _COMPANY.fullmatch(wording)
    if company is None:
        return
    parts = words(company["name"])
    short = company["name"][len(parts[0]) :] if len(parts) > _TWO else ""
    if len(short) < _FEWEST:
        return
    for match in re.finditer(re.escape(short), text):
        before = text[: match.start()]
        if not before or _COMPANY_BEFORE.search(before) or before.endswith(parts[0]):
            yield Span(start=match.start(), end=match.end())


def _without_region(wording: str, text: str) -> Iterator[Span]:
    """Where ``text`` has the place alone, of a place in a region: Springfield, Illinois; 江苏苏州."""
    if (region := _REGION.match(wording)) and len(wording) - region.end() >= _TWO:
        place = _PLACE_END.sub("", wording[region.end() :])
        for match in re.finditer(re.escape(place), text):
            other = list(_REGION.finditer(text, 0, match.start()))
            if not other or other[-1].end() < match.start():
                yield Span(start=match.start(), end=match.end())
    if after := _REGION_AFTER.fullmatch(wording):
        for span in whole_names(text, next(filter(None, after.groups()))):
            if not _OTHER_REGION.match(text, span.end):
                yield span


def _with_initials(wording: str) -> str | None:
    """An expression for the surname of a full name with the initials of its other words."""
    parts = wording.split()
    if not _TWO <= len(parts) <= _TWO + 1 or not all(map(_CAPITALS.fullmatch, parts)):
        return None
    orders = ((parts[-1], parts[:-1]), (parts[0], parts[1:]))
    forms = []
    for surname, others in orders:
        dots = r"\s?".join(rf"{other[0]}\." for other in others)
        name = (
            surname if surname.isascii() else rf"{surname[: max(3, len(surname) - 1)]}[а-яё]{{0,3}}"
        )
        forms += [rf"\b{dots}\s?{name}\b", rf"\b{name} {dots}"]
    return "|".join(forms)


def _literal(name: str, text: str) -> Iterator[Span]:
    """Where ``text`` has exactly this name, and not as a part of a longer word."""
    for match in re.finditer(rf"(?<![a-zа-яё]){re.escape(name)}(?![a-zа-яё])", text, re.IGNORECASE):
        yield Span(start=match.start(), end=match.end())
