"""The smallest structs of the JSON interface, which the others are made of."""

from msgspec import Struct


class Text(Struct, frozen=True, kw_only=True):
    """One text in three languages."""

    en: str
    zh: str
    ru: str


class Interval(Struct, frozen=True, kw_only=True):
    """From ``low`` to ``high``."""

    low: float
    high: float
