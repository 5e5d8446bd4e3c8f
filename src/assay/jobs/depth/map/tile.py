"""A heatmap as data for pictures: tiles with their value, their text and the facts of their hover text."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from assay.jobs.depth.map.difference import CellDifference
from assay.jobs.depth.map.mean import DepthCell, MeanRecall
from assay.jobs.depth.map.position import Stretch
from assay.jobs.depth.map.words import heat_word
from assay.report.look import (
    PaletteName,
    Scale,
    short_percent,
    shown_count,
    shown_p,
    shown_points,
    shown_share,
    whole_percent,
)
from assay.stats.interval import Interval
from assay.words.language import Lang

GridView: TypeAlias = Literal["all", "parsed"]
Mean: TypeAlias = Literal["cells", "questions"]


class Tile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A cell of a heatmap. ``value`` is ``None`` if there are no data.

    ``text`` is shown in the tile, and ``tip`` has the names and values of its hover text.
    ``marked`` says that the value is significant.
    """

    value: float | None = None
    text: str = ""
    tip: tuple[tuple[str, str], ...] = ()
    marked: bool = False


class Margin(Struct, frozen=True, kw_only=True):
    """The means of each row and of each column, and the mean of all cells (``corner``)."""

    rows: tuple[Tile, ...]
    columns: tuple[Tile, ...]
    corner: Tile


class Panel(Struct, frozen=True, kw_only=True):
    """A single map: tiles by row and column. ``reach`` is the value at the end of its scale."""

    name: str
    scale: Scale = "recall"
    reach: float = 1.0
    tiles: tuple[tuple[Tile, ...], ...]
    margin: Margin | None = None
    note: str = ""

    @property
    def all_tiles(self) -> list[Tile]:
        """All tiles, also those of the margin."""
        tiles = [tile for row in self.tiles for tile in row]
        if self.margin is not None:
            tiles += [*self.margin.rows, *self.margin.columns, self.margin.corner]
        return tiles


class Heatmap(Struct, frozen=True, kw_only=True):
    """All that a picture shows.

    ``summary`` is a table: a row of column titles, then a row for each model. ``dense`` says that
    the grids have many columns, so that column names are rotated and texts are short.
    ``view``, ``mean`` and ``palette`` say what is shown.
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
    view: GridView = "all"
    mean: Mean = "cells"
    palette: PaletteName = "green-red"
    dense: bool = False


Facts = list[tuple[str, str]]


def position_facts(lang: Lang, length: int | None = None, depth_bin: str | None = None) -> Facts:
    """The context length and the depth of a tile, as far as it has them."""
    facts: Facts = []
    if length is not None:
        tokens = heat_word("tokens", lang, n=shown_count(length, lang))
        facts.append((heat_word("length", lang), tokens))
    if depth_bin is not None:
        facts.append((heat_word("tip depth", lang), depth_bin))
    return facts


def cell_tile(cell: DepthCell, lang: Lang) -> Tile:
    """The tile of one cell of a depth map."""
    facts = _recall_facts(cell.accuracy, cell.interval, cell.n, cell.unparsed, lang)
    facts += _counts(lang, answered=cell.answered, failed=cell.failed, skipped=cell.skipped)
    facts += position_facts(lang, cell.context_length, cell.depth_bin)
    return _tile(cell.accuracy, facts, lang)


def mean_tile(mean: MeanRecall, kind: Mean, position: Facts, lang: Lang) -> Tile:
    """The tile of the mean of a row, a column or the whole map; it names the kind of mean."""
    value = mean.of_cells if kind == "cells" else mean.of_questions
    facts: Facts = [(heat_word(f"mean of {kind}", lang), _percent(value, lang))]
    if kind == "questions":
        facts += _interval_facts(mean.interval, lang)
    else:
        facts.append((heat_word("cells", lang), shown_count(mean.cells, lang)))
    facts.append((heat_word("answers", lang), shown_count(mean.n, lang)))
    facts.append((heat_word("unparsed", lang), shown_count(mean.unparsed, lang)))
    return _tile(value, [*facts, *position], lang)


def difference_tile(cell: CellDifference, position: Facts, lang: Lang) -> Tile:
    """The tile of a difference in percentage points, marked if it is significant."""
    if cell.difference is None:
        no_data = (heat_word("difference", lang), heat_word("no data", lang))
        return Tile(text=heat_word("no data tile", lang), tip=(no_data, *position))
    points = shown_points(cell.difference)
    verdict = "significant" if cell.significant else "not significant"
    facts: Facts = [
        (heat_word("difference", lang), heat_word("points", lang, n=points)),
        (heat_word("pairs", lang), shown_count(cell.pairs, lang)),
        (heat_word("gained", lang), shown_count(cell.gained, lang)),
        (heat_word("lost", lang), shown_count(cell.lost, lang)),
        (heat_word("p", lang), shown_p(cell.p_adjusted)),
        (heat_word("verdict", lang), heat_word(verdict, lang)),
    ]
    return Tile(
        value=cell.difference,
        text=points + ("*" if cell.significant else ""),
        tip=(*facts, *position),
        marked=cell.significant,
    )


def coverage_tile(stretch: Stretch, lang: Lang) -> Tile:
    """The tile of the number of questions in a stretch of the novel; without any, no data."""
    facts: Facts = [
        (heat_word("questions", lang), shown_count(stretch.questions, lang)),
        (heat_word("covered", lang), shown_share(stretch.covered, lang, digits=1)),
        (heat_word("coverage", lang), _percent(stretch.coverage, lang)),
        *_stretch_facts(stretch, lang),
    ]
    if not stretch.questions:
        return Tile(text=heat_word("no data short", lang), tip=tuple(facts))
    return Tile(
        value=float(stretch.questions),
        text=str(stretch.questions),
        tip=tuple(facts),
    )


def accuracy_tile(stretch: Stretch, lang: Lang) -> Tile:
    """The tile of the recall for the questions in a stretch of the novel."""
    facts = _recall_facts(stretch.accuracy, stretch.interval, stretch.n, stretch.unparsed, lang)
    facts += _stretch_facts(stretch, lang)
    if stretch.accuracy is None:
        return Tile(text=heat_word("no data short", lang), tip=tuple(facts))
    return Tile(
        value=stretch.accuracy,
        text=whole_percent(stretch.accuracy),
        tip=tuple(facts),
    )


def shown_recall(value: float | None, interval: Interval | None, lang: Lang) -> str:
    """A mean with its interval as text, for the table below the maps."""
    text = _percent(value, lang)
    if interval is None:
        return text
    low, high = (short_percent(end) for end in (interval.low, interval.high))
    return f"{text} [{low}; {high}]"


def _tile(value: float | None, facts: Facts, lang: Lang) -> Tile:
    text = heat_word("no data tile", lang) if value is None else short_percent(value)
    return Tile(value=value, text=text, tip=tuple(facts))


def _recall_facts(
    value: float | None, interval: Interval | None, n: int, unparsed: int, lang: Lang
) -> Facts:
    facts: Facts = [(heat_word("accuracy", lang), _percent(value, lang))]
    facts += _interval_facts(interval, lang)
    facts.append((heat_word("questions", lang), shown_count(n, lang)))
    facts.append((heat_word("unparsed", lang), shown_count(unparsed, lang)))
    return facts


def _interval_facts(interval: Interval | None, lang: Lang) -> Facts:
    if interval is None:
        return []
    name = heat_word("interval", lang, percent=f"{100 * interval.level:g}")
    ends = [shown_share(end, lang, digits=1) for end in (interval.low, interval.high)]
    return [(name, " – ".join(ends))]


def _stretch_facts(stretch: Stretch, lang: Lang) -> Facts:
    ends = (shown_count(stretch.start, lang), shown_count(stretch.end, lang))
    return [(heat_word("stretch", lang), "–".join(ends))]


def _counts(lang: Lang, **counts: int) -> Sequence[tuple[str, str]]:
    """The counts that are not zero."""
    return [(heat_word(name, lang), shown_count(n, lang)) for name, n in counts.items() if n]


def _percent(value: float | None, lang: Lang) -> str:
    return heat_word("no data", lang) if value is None else shown_share(value, lang)
