"""A confusion matrix drawn as a heatmap; each cell shows its count and its share of the row."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from matplotlib.patches import Rectangle

from assay.report.chart.style import FONT_SIZE, INK, NAME_SIZE, Canvas, Width, canvas
from assay.report.chart.wrap import longest_word
from assay.report.table import MISSING
from assay.report.words import Lang, word

_LEVELS: Final = ("High", "Medium", "Low")
_UNPARSED: Final = "Unparsed"
_AXES: Final = ("axis true level", "axis predicted level")

_DARK: Final = (0x00, 0x3F, 0x6B)
"""The colour of a cell with all cases of its row; a cell without cases is white."""

_ROW_INCHES: Final = 0.52


def confusion_chart(
    matrix: Sequence[Sequence[float]],
    path: Path,
    *,
    rows: Sequence[str] = _LEVELS,
    title: str = "",
    width: Width = "single",
    lang: Lang = "en",
) -> Path:
    """Draw a confusion matrix with a row for each true class, and return ``path``.

    The columns are the predicted classes in the same order. One more column is allowed for the
    replies that could not be parsed; it has a gap before it. Each cell shows its count and its
    share of the row, which is also its colour. A row without cases has no shares. The cells of
    correct predictions have a frame. The names of risk levels are translated, other names of
    classes are not.

    Raises ``ValueError`` if the matrix does not have this shape.
    """
    columns = [*rows, _UNPARSED][: _width(matrix)]
    if len(matrix) != len(rows) or any(len(row) != len(columns) for row in matrix):
        raise ValueError(f"{len(rows)} rows and {len(columns)} columns do not fit the matrix")
    if not rows or len(columns) < len(rows):
        raise ValueError("the matrix needs at least one row, and a column for each row")
    texts = [*(word(key, lang) for key in _AXES), *(_class_name(name, lang) for name in columns)]
    with canvas([title, "0123456789%–", *texts], path, lang=lang, width=width) as drawing:
        _draw(drawing, matrix)
        _label(drawing, rows, columns)
        drawing.set_title(title)
        drawing.set_height(0.95 + _ROW_INCHES * len(rows) + (0.2 if title else 0.0))
    return path


def _draw(drawing: Canvas, matrix: Sequence[Sequence[float]]) -> None:
    axes = drawing.axes
    classes = len(matrix)
    for i, row in enumerate(matrix):
        total = sum(row)
        for j, count in enumerate(row):
            share = count / total if total else None
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
                    in_layout=False,  # it is inside its cell
                )
    axes.set_xlim(-0.02, _left(len(matrix[0]) - 1, classes) + 1.02)
    axes.set_ylim(classes + 0.02, -0.02)


def _label(drawing: Canvas, rows: Sequence[str], columns: Sequence[str]) -> None:
    axes = drawing.axes
    share = 0.78 / len(columns)
    column_names = [_class_name(name, drawing.lang) for name in columns]
    # if a word is too wide for its column, all column names are smaller, and no word is cut
    widest = max(
        longest_word(name, lambda text: drawing.points(text, NAME_SIZE)) for name in column_names
    )
    size = min(NAME_SIZE, NAME_SIZE * share * drawing.inches * 72 / max(widest, 1.0))
    centres = [_left(j, len(rows)) + 0.5 for j in range(len(columns))]
    axes.set_xticks(centres, drawing.names(column_names, share, size), fontsize=size)
    row_names = drawing.names([_class_name(name, drawing.lang) for name in rows], 0.22)
    axes.set_yticks([i + 0.5 for i in range(len(rows))], row_names)
    axes.xaxis.set_ticks_position("top")
    axes.xaxis.set_label_position("top")
    axes.tick_params(axis="both", length=0)
    axes.set_xlabel(drawing.text(drawing.word("axis predicted level"), 0.7))
    axes.set_ylabel(drawing.text(drawing.word("axis true level"), 0.5))
    for spine in axes.spines.values():
        spine.set_visible(False)


def _class_name(name: str, lang: Lang) -> str:
    """The translated name of a risk level; other names are returned unchanged."""
    return word(f"level {name}", lang) if name in {*_LEVELS, _UNPARSED} else name


def _left(column: int, classes: int) -> float:
    """The left edge of a column; a column that is not a class has a gap before it."""
    return column + (0.12 if column >= classes else 0.0)


def _width(matrix: Sequence[Sequence[float]]) -> int:
    return len(matrix[0]) if matrix else 0


def _percent(share: float | None) -> str:
    """A share as a whole percentage; a positive share that rounds to zero is shown as ``<1%``."""
    if share is None:
        return MISSING
    return "<1%" if 0 < share < 0.005 else f"{100 * share:.0f}%"


def _colour(share: float | None) -> tuple[float, float, float]:
    """A colour from white to dark blue; a larger share is also darker when printed in grey."""
    part = share or 0.0
    red, green, blue = (1 - part * (1 - dark / 255) for dark in _DARK)
    return red, green, blue
