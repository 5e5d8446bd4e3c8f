"""The words, sentences and facts that the chronicle needs for each language."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

Category: TypeAlias = Literal["name", "number", "names"]
Forms: TypeAlias = Mapping[str, str]

_BY_GENDER: Final = re.compile(r"\[([^/\]]*)/([^\]]*)\]")


class Person(Struct, frozen=True, kw_only=True):
    """A person of the chronicle, with every grammatical form that a sentence may need.

    In templates, the forms of the main person of a sentence are ``p``, ``p_gen``, …; those of
    a second person are ``q``, ``q_gen``, ….
    """

    feminine: bool
    forms: Forms


class Fact(Struct, frozen=True, kw_only=True):
    """A template of a fact: its sentence, its question, and the category of its answer.

    In ``sentence`` the answer is ``{answer}``, or ``{first}``, ``{second}`` and ``{third}``.
    """

    sentence: str
    question: str
    category: Category


class ChronicleLanguage(Struct, frozen=True, kw_only=True):
    """The texts of the chronicle in one language.

    ``filler`` are sentences about ``p`` (and ``q``) at a place in a season. A word that depends
    on the gender of ``p`` is written ``[he/she]``. The names that are answers are composed of
    ``syllables``, which are used for nothing else.
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
    """The masculine and the feminine version of a template.

    >>> gendered("{p} took [his/her] hat.")
    ('{p} took his hat.', '{p} took her hat.')
    """
    return _BY_GENDER.sub(r"\1", template), _BY_GENDER.sub(r"\2", template)
