"""The confusion matrix as a heatmap: counts, with each cell's share of its row."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from matplotlib.patches import Rectangle

from assay.report.chart.style import FONT_SIZE, INK, NAME_SIZE, Canvas, Width, canvas
from assay.report.chart.wrap import longest_word
from assay.report.table import MISSING
from assay.report.words import Lang

_WORDS: Final[dict[str, tuple[str, str, str]]] = {
    "true": ("true level", "实际", "на самом деле"),
    "said": ("predicted level", "预测", "предсказано"),
    "High": ("High", "高", "Высокий"),
    "Medium": ("Medium", "中", "Средний"),
    "Low": ("Low", "低", "Низкий"),
    "Unparsed": ("Unparsed", "未解析", "Не разобрано"),
}
_ORDER: Final[tuple[Lang, ...]] = ("en", "zh", "ru")
_DARK: Final = (0x00, 0x3F, 0x6B)
"""The colour of a cell that holds its whole row; white is none of it."""
_ROW_INCHES: Final = 0.52


def confusion_chart(
    matrix: Sequence[Sequence[float]],
    path: Path,
    *,
    rows: Sequence[str] = ("High", "Medium", "Low"),
    title: str = "",
    width: Width = "single",
    lang: Lang = "en",
) -> Path:
    """Draw a confusion matrix and return ``path``: rows are true, columns said.

    Each cell shows its count and, below, its share of the row; the share is also the colour. A
    row without cases has no shares. The right verdicts are framed, and a column beyond the
    classes, the unparsed, stands apart. Names of levels are translated, others stay as given.
    """
    heads = [*rows, "Unparsed"][: _width(matrix)]
    if len(matrix) != len(rows) or any(len(row) != len(heads) for row in matrix):
        raise ValueError(f"{len(rows)} rows and {len(heads)} columns do not fit the matrix")
    if not rows or len(heads) < len(rows):
        raise ValueError("there must be a row, and a column for each")
    words = [word for both in ("true", "said", *rows, *heads) for word in _WORDS.get(both, (both,))]
    with canvas([title, "0123456789%–", *words], path, lang=lang, width=width) as drawing:
        _draw(drawing, matrix)
        _name(drawing, rows, heads)
        drawing.set_title(title)
        drawing.set_height(0.95 + _ROW_INCHES * len(rows) + (0.2 if title else 0.0))
    return path


def _draw(drawing: Canvas, matrix: Sequence[Sequence[float]]) -> None:
    axes = drawing.axes
    classes = len(matrix)
    for i, row in enumerate(matrix):
        whole = sum(row)
        for j, count in enumerate(row):
            share = count / whole if whole else None
            left = _left(j, classes)
            edge = INK if i == j else "#d0d0d0"
            axes.add_patch(
                Rectangle(
                    (left, i),
                    1,
                    1,
                    facecolor=_colour(share),
                    edgecolor=edge,
                    linewidth=1.1 if i == j else 0.5,
                    zorder=2 if i == j else 1,
                )
            )
            ink = "white" if share is not None and share > 0.6 else INK
            for text, height, size in (
                (f"{count:.0f}" if count == int(count) else f"{count:g}", 0.38, FONT_SIZE + 1),
                (_percent(share), 0.72, 6.5),
            ):
                axes.text(
                    left + 0.5,
                    i + height,
                    text,
                    ha="center",
                    va="center",
                    color=ink,
                    fontsize=size,
                    zorder=3,
                )
    axes.set_xlim(-0.02, _left(len(matrix[0]) - 1, classes) + 1.02)
    axes.set_ylim(classes + 0.02, -0.02)


def _name(drawing: Canvas, rows: Sequence[str], heads: Sequence[str]) -> None:
    axes = drawing.axes
    share = 0.78 / len(heads)
    columns = [_said(drawing, name) for name in heads]
    # a word that is too wide for its column is written smaller, never cut
    widest = max(
        longest_word(name, lambda text: drawing.points(text, NAME_SIZE)) for name in columns
    )
    size = min(NAME_SIZE, NAME_SIZE * share * drawing.inches * 72 / max(widest, 1.0))
    places = [_left(j, len(rows)) + 0.5 for j in range(len(heads))]
    axes.set_xticks(places, drawing.names(columns, share, size), fontsize=size)
    lines = drawing.names([_said(drawing, name) for name in rows], 0.22)
    axes.set_yticks([i + 0.5 for i in range(len(rows))], lines)
    axes.xaxis.set_ticks_position("top")
    axes.xaxis.set_label_position("top")
    axes.tick_params(axis="both", length=0)
    axes.set_xlabel(drawing.text(_said(drawing, "said"), 0.7))
    axes.set_ylabel(drawing.text(_said(drawing, "true"), 0.5))
    for spine in axes.spines.values():
        spine.set_visible(False)


def _said(drawing: Canvas, name: str) -> str:
    known = _WORDS.get(name)
    return known[_ORDER.index(drawing.lang)] if known else name


def _left(column: int, classes: int) -> float:
    """Where a column begins; what is no class stands a little apart."""
    return column + (0.12 if column >= classes else 0.0)


def _width(matrix: Sequence[Sequence[float]]) -> int:
    return len(matrix[0]) if matrix else 0


def _percent(share: float | None) -> str:
    """A share in whole percent; what is there but rounds to nothing is said to be little."""
    if share is None:
        return MISSING
    return "<1%" if 0 < share < 0.005 else f"{100 * share:.0f}%"


def _colour(share: float | None) -> tuple[float, float, float]:
    """From white to dark blue: also without colour, more is darker."""
    part = share or 0.0
    red, green, blue = (1 - part * (1 - dark / 255) for dark in _DARK)
    return red, green, blue
