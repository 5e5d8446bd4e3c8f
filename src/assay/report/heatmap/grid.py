"""A heatmap as data: tiles with their values and texts.

A job fills these structs, and ``as_html`` and ``heatmap_chart`` draw them. The texts are not
escaped; the function that writes them to a page does that.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from assay.report.words import Lang

View: TypeAlias = Literal["all", "parsed"]
Mean: TypeAlias = Literal["cells", "questions"]
PaletteName: TypeAlias = Literal["green-red", "safe"]
Scale: TypeAlias = Literal["recall", "difference", "count"]
Rgb: TypeAlias = tuple[int, int, int]

PALETTES: Final[Mapping[str, tuple[str, ...]]] = {
    "green-red": ("#c22f2b", "#f0793f", "#f6d55f", "#97c95c", "#1d9150"),
    # the colours only become lighter, so their order is visible in grey and to the colour-blind
    "safe": ("#00224e", "#434e6c", "#7d7c78", "#bcae6c", "#fee838"),
    "difference": ("#b35806", "#f0b26b", "#f4f4f2", "#8fb9dc", "#1f5fa8"),
    "count": ("#eef3f8", "#b9d2e8", "#74abd3", "#3279b5", "#0b3c70"),
}
"""Colours at equal steps from the lowest to the highest value; others are interpolated."""


class Tile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A cell of a heatmap. ``value`` is ``None`` if there are no data.

    ``text`` is shown in the tile, and ``tip`` has the names and values of its tooltip.
    ``listing`` is the index of its questions in ``Heatmap.listings``. ``marked`` says that the
    value is significant.
    """

    value: float | None = None
    text: str = ""
    tip: tuple[tuple[str, str], ...] = ()
    listing: int | None = None
    marked: bool = False


class Margin(Struct, frozen=True, kw_only=True):
    """The means of each row and of each column, and the mean of all cells (``corner``)."""

    rows: tuple[Tile, ...]
    columns: tuple[Tile, ...]
    corner: Tile


class Grid(Struct, frozen=True, kw_only=True):
    """Tiles by row and column, and a margin for each kind of mean; there may be no margins."""

    tiles: tuple[tuple[Tile, ...], ...]
    margins: Mapping[Mean, Margin] = {}


class Axes(Struct, frozen=True, kw_only=True):
    """The rows and columns of a single map; ``dense`` as in ``Heatmap``."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_title: str
    column_title: str
    dense: bool = False


class Panel(Struct, frozen=True, kw_only=True):
    """A single map with a grid for each view. ``reach`` is the value at the end of its scale.

    ``axes`` are its own rows and columns, if they are not those of the heatmap.
    """

    name: str
    scale: Scale = "recall"
    reach: float = 1.0
    grids: Mapping[View, Grid]
    note: str = ""
    axes: Axes | UnsetType = UNSET


class ListedQuestion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question in a list of the page; ``right`` has the letters of the correct choices."""

    text: str
    choices: tuple[tuple[str, str], ...] = ()
    correct: str = ""
    right: tuple[str, ...] = ()
    facts: str = ""


class ListedReply(Struct, frozen=True, kw_only=True, array_like=True):
    """An answer of a model; ``score`` is a number from 0 to 1."""

    answer: str
    score: float
    parsed: bool
    facts: str = ""


class Entry(Struct, frozen=True, kw_only=True, array_like=True):
    """The index of a question in ``Heatmap.questions``, and the answers to the question."""

    question: int
    replies: tuple[ListedReply, ...]


class Listing(Struct, frozen=True, kw_only=True):
    """The questions of a tile. ``more`` summarises those that are not listed, for each view."""

    title: str
    models: tuple[str, ...]
    entries: tuple[Entry, ...]
    more: Mapping[View, str] = {}


class Heatmap(Struct, frozen=True, kw_only=True):
    """All data of a page or a chart.

    ``summary`` is a table: a row of column titles, then a row for each model. ``dense`` says that
    the grids have many columns, so that column names are rotated and texts are short.
    ``view``, ``mean`` and ``palette`` are what a chart shows and a page shows first.
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
    """The colour of a value, which is limited to the range of its scale.

    Recall and counts range from 0 to ``reach``, and differences from ``-reach`` to ``reach``.
    ``palette`` applies to recall; the other scales have their own colours.

    >>> colour(1.0, "recall", "green-red"), colour(0.0, "difference", "safe")
    ((29, 145, 80), (244, 244, 242))
    """
    share = (value / reach + 1) / 2 if scale == "difference" else value / reach
    stops = [_rgb(stop) for stop in PALETTES[palette if scale == "recall" else scale]]
    position = min(max(share, 0.0), 1.0) * (len(stops) - 1)
    below = min(int(position), len(stops) - 2)
    red, green, blue = (
        round(low + (high - low) * (position - below))
        for low, high in zip(stops[below], stops[below + 1], strict=True)
    )
    return red, green, blue


def ink(background: Rgb) -> str:
    """The colour of text on a background: black or white, whichever has the higher contrast.

    >>> ink((0, 34, 78)), ink((246, 213, 95))
    ('#ffffff', '#000000')
    """
    luminance = _luminance(background)
    return "#ffffff" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 else "#000000"


def _rgb(text: str) -> Rgb:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def _luminance(colour: Rgb) -> float:
    """The relative luminance as the Web Content Accessibility Guidelines (WCAG) define it."""
    parts = [channel / 255 for channel in colour]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
