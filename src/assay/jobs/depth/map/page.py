"""A heatmap as a single HTML file that needs no network and no other file.

The page contains its data as JSON in which every ``<``, ``>`` and ``&`` is escaped, and the
script inserts them as text, never as markup. A content security policy allows only the script and
the style of the page, identified by their hashes, and forbids all requests. A script inside an
answer is therefore shown as text and never runs.
"""

import base64
import hashlib
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from assay.jobs.depth.map.words import heat_word, shown_decimal
from assay.mask import mask_json, mask_text
from assay.words.language import Lang

# A heatmap as data: tiles with their values and texts.
#
# A job fills these structs, and ``as_html`` and ``heatmap_chart`` draw them. The texts are not
# escaped; the function that writes them to a page does that.

GridView: TypeAlias = Literal["all", "parsed"]
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
    grids: Mapping[GridView, Grid]
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
    more: Mapping[GridView, str] = {}


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
    view: GridView = "all"
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


_SCRIPT_WORDS: Final = (
    "all",
    "answers counted",
    "changed only",
    "close",
    "colon",
    "colours",
    "correct answer",
    "framed",
    "green-red",
    "mean of cells",
    "mean of questions",
    "means",
    "no answer",
    "no data",
    "none listed",
    "of cells",
    "of questions",
    "parsed",
    "safe",
    "score",
    "unparsed",
    "view all",
    "view parsed",
    "wrong only",
)
"""The keys of the words that heatmap.js uses."""

_ESCAPES: Final = ((b"&", b"\\u0026"), (b"<", b"\\u003c"), (b">", b"\\u003e"))
_HTML_LANG: Final[dict[Lang, str]] = {"en": "en", "zh": "zh-Hans", "ru": "ru"}


def as_html(heatmap: Heatmap) -> str:
    """The heatmap as a complete HTML page."""
    lang = heatmap.lang
    style, script = _asset("heatmap.css"), _asset("heatmap.js")
    return Template(_asset("heatmap.html")).substitute(
        lang=_HTML_LANG[lang],
        title=mask_text(escape(heatmap.title)),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        needs_script=escape(heat_word("needs script", lang)),
        keys=escape(heat_word("keys", lang)),
        summary=mask_text(_summary(heatmap)),
        notes=mask_text(_notes(heatmap)),
        data=_data(heatmap),
    )


def _asset(name: str) -> str:
    return (files("assay.jobs.depth.map") / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _data(heatmap: Heatmap) -> str:
    content: dict[str, Any] = {
        "heatmap": {
            name: getattr(heatmap, name)
            for name in heatmap.__struct_fields__
            if name not in {"title", "summary", "notes"}  # they are in the HTML
        },
        "words": {key: heat_word(key, heatmap.lang) for key in _SCRIPT_WORDS},
        "palettes": PALETTES,
        "legends": {
            panel.scale: legend_ends(panel.scale, panel.reach, heatmap.lang)
            for panel in heatmap.panels
        },
    }
    encoded = mask_json(msgspec.json.encode(content))
    for character, code in _ESCAPES:
        encoded = encoded.replace(character, code)
    return encoded.decode()


def legend_ends(scale: Scale, reach: float, lang: Lang) -> tuple[str, str]:
    """The labels at the two ends of a scale.

    >>> legend_ends("recall", 1.0, "en"), legend_ends("difference", 0.4, "en")
    (('accuracy 0%', '100%'), ('lower −40', '+40 higher'))
    """
    if scale == "recall":
        space = "\u00a0" if lang == "ru" else ""
        return f"{heat_word('accuracy', lang)} 0{space}%", f"100{space}%"
    end = shown_decimal(100 * reach, 0)
    if scale == "difference":
        return f"{heat_word('lower', lang)} −{end}", f"+{end} {heat_word('higher', lang)}"
    return f"{heat_word('questions', lang)} 0", f"{reach:.0f}"


def _summary(heatmap: Heatmap) -> str:
    if not heatmap.summary:
        return ""
    titles = "".join(f'<th scope="col">{escape(text)}</th>' for text in heatmap.summary[0])
    rows = "\n".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(text)}</td>" for text in row[1:])
        + "</tr>"
        for row in heatmap.summary[1:]
    )
    return (
        f'<div class="wide"><table id="summary"><thead><tr>{titles}</tr></thead>\n'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _notes(heatmap: Heatmap) -> str:
    if not heatmap.notes:
        return ""
    items = "\n".join(f"<li>{escape(note)}</li>" for note in heatmap.notes)
    return f'<ul id="notes">{items}</ul>'
