"""A heatmap before it is drawn: tiles with their texts, ready for a page or a chart.

The job that made the numbers fills these structs; ``heatmap_page`` and ``heatmap_chart`` only
show them. Nothing here is escaped: whoever writes it out does that.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from assay.report.words import Lang

View: TypeAlias = Literal["all", "parsed"]
Mean: TypeAlias = Literal["cells", "questions"]
PaletteName: TypeAlias = Literal["green-red", "safe"]
Scale: TypeAlias = Literal["recall", "difference", "count"]
Rgb: TypeAlias = tuple[int, int, int]

PALETTES: Final[Mapping[str, tuple[str, ...]]] = {
    "green-red": ("#c22f2b", "#f0793f", "#f6d55f", "#97c95c", "#1d9150"),
    # lightness alone tells the order: also in grey, and to the colour-blind
    "safe": ("#00224e", "#434e6c", "#7d7c78", "#bcae6c", "#fee838"),
    "difference": ("#b35806", "#f0b26b", "#f4f4f2", "#8fb9dc", "#1f5fa8"),
    "count": ("#eef3f8", "#b9d2e8", "#74abd3", "#3279b5", "#0b3c70"),
}
"""Colours at equal steps from the lowest value to the highest, mixed in between."""


class Tile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One square. ``value`` is ``None`` where there are no data.

    ``text`` is printed in it, ``tip`` are names with values shown beside it, ``listing`` is the
    place of its questions in ``Heatmap.listings``. ``marked`` says significant.
    """

    value: float | None = None
    text: str = ""
    tip: tuple[tuple[str, str], ...] = ()
    listing: int | None = None
    marked: bool = False


class Margin(Struct, frozen=True, kw_only=True):
    """Means beside the rows, below the columns, and of the whole."""

    rows: tuple[Tile, ...]
    columns: tuple[Tile, ...]
    corner: Tile


class Grid(Struct, frozen=True, kw_only=True):
    """Tiles by row and column, and the margins for each kind of mean (none: no margins)."""

    tiles: tuple[tuple[Tile, ...], ...]
    margins: Mapping[Mean, Margin] = {}


class Panel(Struct, frozen=True, kw_only=True):
    """One map: a grid for each view. ``reach`` is the value at the scale's end."""

    name: str
    scale: Scale = "recall"
    reach: float = 1.0
    grids: Mapping[View, Grid]
    note: str = ""


class ListedQuestion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question as the page lists it; ``right`` are the letters of the right choices."""

    text: str
    choices: tuple[tuple[str, str], ...] = ()
    correct: str = ""
    right: tuple[str, ...] = ()
    facts: str = ""


class ListedReply(Struct, frozen=True, kw_only=True, array_like=True):
    """An answer of one model; ``score`` is a number from 0 to 1."""

    answer: str
    score: float
    parsed: bool
    facts: str = ""


class Entry(Struct, frozen=True, kw_only=True, array_like=True):
    """A question (its place in ``Heatmap.questions``) and the answers to it."""

    question: int
    replies: tuple[ListedReply, ...]


class Listing(Struct, frozen=True, kw_only=True):
    """The questions of a tile. ``more`` sums up what is left out, by view."""

    title: str
    models: tuple[str, ...]
    entries: tuple[Entry, ...]
    more: Mapping[View, str] = {}


class Heatmap(Struct, frozen=True, kw_only=True):
    """Everything a page or a chart shows. ``summary`` is a table: heads first, a row a model.

    ``dense`` grids have many columns: texts are short and names of columns stand upright.
    """

    title: str
    lang: Lang
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_title: str
    column_title: str
    panels: tuple[Panel, ...]
    summary: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()
    questions: tuple[ListedQuestion, ...] = ()
    listings: tuple[Listing, ...] = ()
    view: View = "all"
    mean: Mean = "cells"
    palette: PaletteName = "green-red"
    dense: bool = False


def colour(value: float, scale: Scale, palette: PaletteName, reach: float = 1.0) -> Rgb:
    """The colour of a value: recall and counts from 0 to ``reach``, differences to both sides.

    >>> colour(1.0, "recall", "green-red"), colour(0.0, "difference", "safe")
    ((29, 145, 80), (244, 244, 242))
    """
    share = (value / reach + 1) / 2 if scale == "difference" else value / reach
    stops = [_rgb(stop) for stop in PALETTES[palette if scale == "recall" else scale]]
    place = min(max(share, 0.0), 1.0) * (len(stops) - 1)
    below = min(int(place), len(stops) - 2)
    part = place - below
    mixed = [
        round(low + (high - low) * part)
        for low, high in zip(stops[below], stops[below + 1], strict=True)
    ]
    return mixed[0], mixed[1], mixed[2]


def ink(background: Rgb) -> str:
    """Black or white, whichever is easier to read on a colour.

    >>> ink((0, 34, 78)), ink((246, 213, 95))
    ('#ffffff', '#000000')
    """
    light = _luminance(background)
    return "#ffffff" if 1.05 / (light + 0.05) > (light + 0.05) / 0.05 else "#000000"


def _rgb(text: str) -> Rgb:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def _luminance(colour: Rgb) -> float:
    """The relative luminance of the Web Content Accessibility Guidelines."""
    parts = [channel / 255 for channel in colour]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
