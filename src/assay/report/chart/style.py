"""The common style of all charts.

Charts have the width of one or two columns of a paper. Their colours can also be distinguished by
colour-blind readers, and the same data always give the same bytes.
"""

import contextlib
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.patheffects import AbstractPathEffect, withStroke
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, MaxNLocator, NullFormatter, ScalarFormatter

from assay.errors import UseError
from assay.mask import mask_text, private_opener
from assay.report.chart.font import Fonts, drawable, drawn_language, fonts_for, warn_missing
from assay.report.look import GRID, INK
from assay.text.width import display_width
from assay.words.language import Lang
from assay.words.message import Message, message
from assay.words.say import say_in

if TYPE_CHECKING:
    from matplotlib.typing import RcKeyType


# Breaks long names into lines at places that are easy to read.

# A line may end after a separator (but not inside 0.5), and before or after a Chinese character,
# but not before closing and not after opening punctuation.
_CLOSING = "。，、；：！？）】》」』”’)\\]%"
_CHINESE = (
    rf"|(?<=[\u2e80-\uffef])(?<![（【《「『“‘(\[])(?![{_CLOSING} ])"
    rf"|(?<![（【《「『“‘(\[])(?=[\u2e80-\uffef])(?![{_CLOSING}])"
)
_BREAK = re.compile(rf"(?<=[ _\-/:=;+])(?! )|(?<=[.,])(?![\d ]){_CHINESE}")
_WORD_BREAK = re.compile(rf"(?<= )(?! ){_CHINESE}")


def wrap_name(
    text: str,
    width: float,
    measure: Callable[[str], float] = display_width,
    *,
    whole_names: bool = False,
) -> str:
    r"""The text in lines that are at most ``width`` wide according to ``measure``.

    Lines end after separators such as spaces, underscores and hyphens, and between Chinese
    characters. A word is broken only if it is wider than a line. By default, the width of a Latin
    letter is 1 and that of a Chinese character is 2. With ``whole_names``, as in a sentence, a name
    is broken at its separators only if it is wider than a line.

    >>> wrap_name("fast_dim_128_with_rerank", 12)
    'fast_dim_\n128_with_\nrerank'
    >>> wrap_name("检索维度消融实验", 8)
    '检索维度\n消融实验'
    >>> wrap_name("difference to fast_dim", 19, whole_names=True)
    'difference to\nfast_dim'
    """
    pieces = [
        piece
        for word in (_WORD_BREAK.split(text) if whole_names else [text])
        for piece in (
            [word] if whole_names and measure(word.rstrip()) <= width else _BREAK.split(word)
        )
    ]
    lines = [""]
    for piece in pieces:
        for part in _cut(piece, width, measure):
            if lines[-1] and measure((lines[-1] + part).rstrip()) > width:
                lines.append("")
            lines[-1] += part
    return "\n".join(line.strip() for line in lines).strip("\n")


def longest_word(text: str, measure: Callable[[str], float] = display_width) -> float:
    """The width of the widest word, which is a part that ``wrap_name`` breaks only if it must."""
    return max((measure(piece.rstrip()) for piece in _BREAK.split(text)), default=0.0)


def _cut(piece: str, width: float, measure: Callable[[str], float]) -> list[str]:
    """The piece in one part if it fits, otherwise in parts of at least one character."""
    if measure(piece.rstrip()) <= width:
        return [piece]
    parts = [""]
    for character in piece:
        if parts[-1] and measure((parts[-1] + character).rstrip()) > width:
            parts.append("")
        parts[-1] += character
    return parts


Width: TypeAlias = Literal["single", "double"]

INCHES: dict[Width, float] = {"single": 3.35, "double": 7.0}
"""The widths of one column and of two columns of a paper."""

DOTS_PER_INCH = 300
TITLE_SEPARATOR: Final = " · "
"""What is between the parts of a title."""
FONT_SIZE = 8.0
NAME_SIZE = 7.5
"""The font size of names at ticks and in legends, in points."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
"""One marker for each colour, so that series also differ when printed in grey."""

_OPTIONS: dict[str, dict[str, Any]] = {
    # no date and no version, so that the same data give the same bytes
    ".png": {
        "metadata": {"Software": None},
        # charts are mostly runs of one colour: half the time, for files that are 3 % larger
        "pil_kwargs": {"compress_type": zlib.Z_RLE},
    },
    ".svg": {"metadata": {"Date": None, "Creator": None}},
    ".pdf": {"metadata": {"CreationDate": None, "Creator": None, "Producer": None}},
}


DIFFERENCE: Final = message("difference to {baseline}")
INTERVAL: Final = message("{percent}% interval")
BASELINE: Final = message("baseline")
BETTER: Final = message("better")
SIGNIFICANT: Final = message("p < 0.05")
NOT_SIGNIFICANT: Final = message("not significant")
FRONT: Final = message("Pareto front")
DOMINATED: Final = message("dominated")
NOT_SHOWN: Final = message("no value: {names}")
NO_DATA: Final = message("no values")
WORDS: Final = (
    BASELINE, INTERVAL, BETTER, SIGNIFICANT, NOT_SIGNIFICANT, FRONT, DOMINATED, NOT_SHOWN, NO_DATA, DIFFERENCE,
)  # fmt: skip
"""What charts say themselves, so that a font can be chosen that has all the letters."""


class Canvas:
    """A figure and its axes, with methods that measure, wrap and translate texts."""

    def __init__(self, fonts: Fonts, lang: Lang, width: Width) -> None:
        self.fonts = fonts
        self.lang = drawn_language(lang)
        self.inches = INCHES[width]
        self.axes_inches = 2.0
        self._layout = ConstrainedLayoutEngine()
        self.figure = Figure(layout=self._layout)
        # matplotlib has no type annotations for its renderer
        self._renderer: RendererAgg = FigureCanvasAgg(self.figure).get_renderer()  # type: ignore[no-untyped-call]
        self._labels: list[tuple[Axis, list[str]]] = []
        self._widths: dict[tuple[str, float], float] = {}
        self._is_laid_out = False
        self.axes: Axes = self.figure.add_subplot()

    def points(self, text: str, size: float = FONT_SIZE) -> float:
        """The width of a line of text, in points."""
        points = self._widths.get((text, size))
        if points is None:
            width, _, _ = self._renderer.get_text_width_height_descent(  # type: ignore[no-untyped-call]
                text, FontProperties(size=size), ismath=False
            )
            points = self._widths[text, size] = float(width) * 72 / self.figure.dpi
        return points

    def text(
        self,
        text: str,
        share: float = 1.0,
        size: float = FONT_SIZE,
        *,
        whole_names: bool = False,
    ) -> str:
        """Text that the fonts can draw, in lines no wider than ``share`` of the figure's width."""

        def measure(line: str) -> float:
            return self.points(line, size)

        shown, width = self.fonts.legible(drawable(text)), share * self.inches * 72
        return wrap_name(shown, width, measure, whole_names=whole_names)

    def names(self, names: Sequence[str], share: float, size: float = NAME_SIZE) -> list[str]:
        """Names that the fonts can draw, wrapped; names that look equal have their number added."""
        texts = [self.fonts.legible(drawable(name)) for name in names]
        repeated = {text for text in texts if texts.count(text) > 1}
        return [
            self.text(f"{text} ({number})" if text in repeated else text, share, size)
            for number, text in enumerate(texts, 1)
        ]

    def say(self, text: Message, **fields: str) -> str:
        """A text in the language of the chart, with its fields filled."""
        return say_in(self.lang, text.text, text.context, **fields)

    def label_axis(
        self, axis: Axis, label: str, levels: Iterable[float] = (), below: str = ""
    ) -> None:
        """Set the label of an axis; ``below`` is written on a new line.

        If all intervals have the same confidence level, the label states it.
        """
        distinct = set(levels)
        if len(distinct) == 1:
            note = self.say(INTERVAL, percent=f"{100 * distinct.pop():g}")
            label = f"{label} ({note})" if label else note
        self._labels.append((axis, [text for text in (label, below) if text]))

    def _label_text(self, parts: Sequence[str], share: float) -> str:
        """The label of an axis in lines; brackets that do not fit on a line begin a new one."""
        lines: list[str] = []
        for part in parts:
            first, *brackets = part.split(" (")
            lines.append(first)
            for bracket in brackets:
                line = f"{lines[-1]} ({bracket}"
                if "\n" in self.text(line, share):
                    lines.append(f"({bracket}")
                else:
                    lines[-1] = line
        return "\n".join(self.text(line, share, whole_names=True) for line in lines)

    def lay_out(self) -> None:
        """Wrap the labels of the axes to the available space, and set the height of the axes.

        A chart that places texts in the laid out axes calls this itself, and again if it adds
        anything that takes space.
        """
        self._is_laid_out = True
        figure = self.figure
        for axis, parts in self._labels:
            axis.set_label_text(self._label_text(parts, 0.5))
        for _ in range(2):  # labels and height influence each other, by at most one line
            self._layout.execute(figure)
            missing = self.axes_inches - self.axes.get_window_extent().height / figure.dpi
            if not self._wrap_labels() and abs(missing) < 0.5 / figure.dpi:
                return
            figure.set_size_inches(self.inches, figure.get_figheight() + missing)
        self._layout.execute(figure)

    def finish(self) -> None:
        """Lay the figure out if the chart has not done so."""
        if not self._is_laid_out:
            self.lay_out()
        # with an engine, matplotlib would lay it out again, and draw everything twice
        self.figure.set_layout_engine(None)

    def _wrap_labels(self) -> bool:
        """Wrap the labels of the axes to the space beside them; whether a label changed."""
        page, frame = self.figure.bbox, self.axes.get_window_extent()
        # a label is centred on its axis, so it has twice the distance to the nearer edge
        horizontal = min(frame.x0 + frame.x1, 2 * page.width - frame.x0 - frame.x1)
        vertical = min(frame.y0 + frame.y1, 2 * page.height - frame.y0 - frame.y1)
        before = [axis.get_label_text() for axis, _ in self._labels]
        for axis, parts in self._labels:
            space = horizontal if axis is self.axes.xaxis else vertical
            share = 0.97 * space / page.width
            axis.set_label_text(self._label_text(parts, share))
        return before != [axis.get_label_text() for axis, _ in self._labels]

    def set_title(self, title: str) -> None:
        """Set the title of the figure; an empty one is not drawn.

        A long one is wrapped between its parts, and within a part only if this is wider than a line.
        """
        if not title:
            return
        size, share = FONT_SIZE + 1, 0.94
        lines: list[str] = []
        for part in title.split(TITLE_SEPARATOR):
            longer = TITLE_SEPARATOR.join([*lines[-1:], part])
            if lines and "\n" not in self.text(longer, share, size):
                lines[-1] = longer
            else:
                lines.append(part)
        texts = [self.text(line, share, size, whole_names=True) for line in lines]
        self.figure.suptitle("\n".join(texts), fontsize=size)

    def set_height(self, inches: float, legend_lines: int = 0) -> None:
        """Set the height of the axes; the figure is higher by the labels and legends around them."""
        self.axes_inches = inches
        # more than enough: the first layout fails if no space is left for the axes
        surroundings = 5.0 + legend_lines * 2 * NAME_SIZE / 72
        self.figure.set_size_inches(self.inches, inches + surroundings)

    def write_no_data(self) -> None:
        """Write into the empty axes that there are no data."""
        text = self.text(self.say(NO_DATA))
        self.axes.text(0.5, 0.5, text, transform=self.axes.transAxes, ha="center", va="center")

    def columns(self, texts: Sequence[str], *, beside: float) -> int:
        """The number of legend columns that fit if each has ``beside`` points beside its text."""
        lines = [line for text in texts for line in text.split("\n")]
        widest = max((self.points(line, NAME_SIZE) for line in lines), default=0.0)
        return max(1, min(len(texts), int(0.98 * self.inches * 72 / (widest + beside))))


def rows(names: Sequence[str]) -> tuple[list[float], float]:
    """The centres of names below each other, in inches from the top, and their total height."""
    centres, top = [], 0.0
    for name in names:
        height = (1 + name.count("\n")) * 1.22 * NAME_SIZE / 72 + 0.08
        centres.append(top + height / 2)
        top += height
    return centres, top or 0.2


def halo() -> list[AbstractPathEffect]:
    """A white outline that keeps text readable over lines."""
    return [withStroke(linewidth=1.6, foreground="white")]


_kept: ContextVar[list[Figure] | None] = ContextVar("kept_figures", default=None)


@contextlib.contextmanager
def kept_figures() -> Iterator[list[Figure]]:
    """Inside, charts are not written: their figures are put into this list."""
    figures: list[Figure] = []
    token = _kept.set(figures)
    try:
        yield figures
    finally:
        _kept.reset(token)


@contextlib.contextmanager
def canvas(texts: Iterable[str], path: Path, *, lang: Lang, width: Width) -> Iterator[Canvas]:
    """A canvas in the common style; it is saved to ``path`` when the context ends.

    ``texts`` are all names and labels that will be drawn. They decide which fonts are used.
    Raises ``UseError`` if the suffix of ``path`` is not .png, .svg or .pdf.
    """
    if path.suffix.lower() not in _OPTIONS:
        raise UseError(f"{path}: charts are written as .png, .svg or .pdf; change the suffix")
    fonts = fonts_for([*texts, *_words(lang)])
    warn_missing(fonts)
    with mpl.rc_context():
        mpl.rcdefaults()  # the user's own style would change the bytes
        for name, setting in _settings().items():
            mpl.rcParams[name] = setting
        mpl.rcParams["font.family"] = list(fonts.families)
        # fonts in CFF format must not be embedded as Type 42; the base font is TrueType
        mpl.rcParams["pdf.fonttype"] = 42 if len(fonts.families) == 1 else 3
        drawing = Canvas(fonts, lang, width)
        yield drawing
        drawing.finish()
        for label in drawing.figure.findobj(Text):
            masked = mask_text(label.get_text())
            if masked != label.get_text():
                label.set_text(masked)
        if (kept := _kept.get()) is not None:
            # whoever saves it chooses the resolution, and text has another width then
            drawing.figure.set_layout_engine(ConstrainedLayoutEngine())
            kept.append(drawing.figure)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(
            OSError
        ):  # the library writes to what is there, and says what is wrong
            os.close(private_opener(str(path), os.O_WRONLY | os.O_CREAT))
        drawing.figure.savefig(path, dpi=DOTS_PER_INCH, **_OPTIONS[path.suffix.lower()])


def value_axis(axis: Axis, axes: Axes, *, ticks: int = 6) -> None:
    """Give the axis of a metric a few round ticks and a light grid."""
    axis.set_major_locator(MaxNLocator(nbins=ticks, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(_plain_numbers())
    axis.set_minor_formatter(NullFormatter())
    axes.grid(visible=True, axis="x" if axis is axes.xaxis else "y")
    axes.set_axisbelow(True)


def end_at_one(axis: Axis, axes: Axes) -> None:
    """Let the axis of a share end at 0 and 1 although marks and numbers need space beyond."""
    is_x = axis is axes.xaxis
    low, high = axes.get_xlim() if is_x else axes.get_ylim()
    ends = max(low, 0.0), min(high, 1.0)
    axis.set_major_locator(
        # a tick may be at 1.0000000000000002
        FixedLocator(
            [tick for tick in axis.get_majorticklocs() if ends[0] <= round(tick, 9) <= ends[1]]
        )
    )
    axes.spines["bottom" if is_x else "left"].set_bounds(*ends)


class _PlainNumbers(ScalarFormatter):
    """Numbers with their own power of ten; written once, it would lie over the label of the axis."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        """The number of a tick."""
        if not super().get_offset():
            return str(super().__call__(x, pos))
        digits, _, power = f"{x:g}".partition("e")
        return str(self.fix_minus(f"{digits}e{int(power)}" if power else digits))

    def get_offset(self) -> str:
        """Nothing: every tick has its power."""
        return ""


def _plain_numbers() -> ScalarFormatter:
    numbers = _PlainNumbers(useOffset=False, useMathText=False)
    numbers.set_powerlimits((-5, 7))
    return numbers


def _words(lang: Lang) -> list[str]:
    return [text.text_in(lang) for text in WORDS]


def _settings() -> "dict[RcKeyType, Any]":
    return {
        "font.size": FONT_SIZE,
        "axes.titlesize": FONT_SIZE,
        "axes.labelsize": FONT_SIZE,
        "xtick.labelsize": NAME_SIZE,
        "ytick.labelsize": NAME_SIZE,
        "legend.fontsize": NAME_SIZE,
        "legend.frameon": False,
        "axes.linewidth": 0.6,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": INK,
        "axes.labelcolor": INK,
        "text.color": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "xtick.major.width": 0.6,
        "ytick.major.width": 0.6,
        "xtick.major.size": 2.5,
        "ytick.major.size": 2.5,
        "grid.color": GRID,
        "grid.linewidth": 0.5,
        "lines.linewidth": 1.3,
        "lines.markersize": 4,
        "figure.dpi": DOTS_PER_INCH,
        "text.hinting": "none",  # at some resolutions, hinted text is wider than the layout assumed
        "savefig.bbox": None,
        "svg.hashsalt": "assay",
        "svg.fonttype": "path",
        "text.parse_math": False,
        "text.usetex": False,
        "axes.formatter.use_mathtext": False,
        "axes.unicode_minus": True,
    }


# The legend of several lines, under the axes.


def add_legend(drawing: Canvas, names: Sequence[str], handles: Sequence[Line2D]) -> None:
    """Add a legend with as many columns as fit."""
    texts = drawing.names(list(names), 0.8)
    columns = drawing.columns(texts, beside=40)
    legend = drawing.figure.legend(
        handles, ["x"] * len(handles), loc="outside lower center", ncols=columns
    )
    # the names are set afterwards: matplotlib omits a name that begins with an underscore
    for entry, text in zip(legend.get_texts(), texts, strict=True):
        entry.set_text(text)
    lines = sum(1 + text.count("\n") for text in texts)
    drawing.set_height(drawing.axes_inches, legend_lines=lines)
