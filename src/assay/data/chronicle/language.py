"""What the chronicle needs to know of a language: its words, sentences and facts."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

Category: TypeAlias = Literal["name", "number", "names"]
Forms: TypeAlias = Mapping[str, str]

_BY_GENDER: Final = re.compile(r"\[([^/\]]*)/([^\]]*)\]")


class Person(Struct, frozen=True, kw_only=True):
    """Someone in the chronicle, in every form that a sentence may want.

    The forms of the one whom a sentence is about are ``p``, ``p_gen``, … in templates; those
    of another person are ``q``, ``q_gen``, ….
    """

    feminine: bool
    forms: Forms


class Fact(Struct, frozen=True, kw_only=True):
    """A kind of event told once: its sentence, the question, and what kind of answer it has.

    In ``sentence`` the answer is ``{answer}``, or ``{first}``, ``{second}``, ``{third}``.
    """

    sentence: str
    question: str
    category: Category


class ChronicleLanguage(Struct, frozen=True, kw_only=True):
    """A language of the chronicle.

    ``filler`` are sentences about ``p`` (and ``q``) at a place in a season; a word that
    depends on the gender of ``p`` is written ``[he/she]``. ``syllables`` make the names that
    are answers; nothing else in the chronicle is made of them.
    """

    title: str
    heading: str
    space: str
    people: Sequence[Person]
    places: Sequence[Forms]
    seasons: Sequence[Forms]
    things: Sequence[Forms]
    filler: Sequence[str]
    facts: Sequence[Fact]
    syllables: tuple[Sequence[str], Sequence[str], Sequence[str]]


def gendered(template: str) -> tuple[str, str]:
    """A template for a man and for a woman.

    >>> gendered("{p} took [his/her] hat.")
    ('{p} took his hat.', '{p} took her hat.')
    """
    return _BY_GENDER.sub(r"\1", template), _BY_GENDER.sub(r"\2", template)
