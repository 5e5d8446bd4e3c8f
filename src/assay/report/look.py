"""Colours and number formats: one table for charts in files, for the page, and for its generated files.

``tools/generate_types.py`` writes ``web/src/look.ts`` and ``web/src/style/look.css`` from the
constants of this module, so that a colour or a sign is changed here only.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from assay.words.language import Lang

# Colours.

Rgb: TypeAlias = tuple[int, int, int]
PaletteName: TypeAlias = Literal["green-red", "safe"]
Scale: TypeAlias = Literal["recall", "difference", "count"]

HEAT: Final[Mapping[str, tuple[str, ...]]] = {
    "green-red": ("#c22f2b", "#f0793f", "#f6d55f", "#97c95c", "#1d9150"),
    # the colours only become lighter, so their order is visible in grey and to the colour-blind
    "safe": ("#00224e", "#434e6c", "#7d7c78", "#bcae6c", "#fee838"),
    "difference": ("#b35806", "#f0b26b", "#f4f4f2", "#8fb9dc", "#1f5fa8"),
    "count": ("#eef3f8", "#b9d2e8", "#74abd3", "#3279b5", "#0b3c70"),
}
"""Colours at equal steps from the lowest to the highest value; others are interpolated."""

NO_DATA: Final = {"fill": "#dee0e3", "hatch": "#b8bcc2"}
"""A tile without data on white paper; it is also hatched."""

BLUE, VERMILLION, GREY, INK = "#0072B2", "#D55E00", "#999999", "#222222"
GRID: Final = "#e4e4e4"
FRAME: Final = "#d0d0d0"
ALL_OF_A_ROW: Final = "#003f6b"
"""A cell of a confusion matrix with all cases of its row; one without cases is white."""
PALETTE = (BLUE, "#E69F00", "#009E73", "#CC79A7", VERMILLION, "#56B4E9", "#000000", "#F0E442")
"""The eight colours of Okabe and Ito, beginning with the most visible on white: charts in files."""

VARIANTS: Final[Mapping[str, tuple[str, ...]]] = {
    "light": (
        "#2f6fb5",
        "#c8741a",
        "#2e8b74",
        "#9c5bb0",
        "#8a6d2b",
        "#c2517b",
        "#4a8fc7",
        "#6f7f34",
        "#a04a3c",
        "#5d6b7e",
    ),
    "dark": (
        "#6aa9ea",
        "#eda24f",
        "#5cc0a4",
        "#c994dc",
        "#c9ab62",
        "#ee8bb0",
        "#8cc4f0",
        "#a9ba62",
        "#e08a78",
        "#9aa8bb",
    ),
}
"""The colours of variants on the page, which need contrast on light and on dark paper."""

PAGE: Final[Mapping[str, Mapping[str, str]]] = {
    "light": {
        "paper": "#ffffff",
        "ground": "#f6f7f9",
        "sunken": "#eef0f3",
        "ink": "#1d2129",
        "faint": "#5b6472",
        "line": "#dfe3e8",
        "line-strong": "#8a93a1",
        "neutral": "#6b7482",
        "accent": "#0f6d66",
        "accent-ink": "#ffffff",
        "accent-soft": "#e0f2ef",
        "better": "#1a5fae",
        "better-soft": "#e4eefa",
        "worse": "#a34b00",
        "worse-soft": "#fdeedd",
        "failed": "#b3261e",
        "failed-soft": "#fbe9e7",
        "gold": "#7a5600",
        "gold-soft": "#fdf3d2",
        "mark": "#ffe9a3",
    },
    "dark": {
        "paper": "#171b21",
        "ground": "#101318",
        "sunken": "#20252d",
        "ink": "#e6e9ee",
        "faint": "#a2abb8",
        "line": "#2f3641",
        "line-strong": "#6d7786",
        "neutral": "#98a2b0",
        "accent": "#5ac8ba",
        "accent-ink": "#0b1614",
        "accent-soft": "#14332f",
        "better": "#82b8f5",
        "better-soft": "#16293f",
        "worse": "#f2aa62",
        "worse-soft": "#3a2713",
        "failed": "#ff8a80",
        "failed-soft": "#3d1c1a",
        "gold": "#e6c068",
        "gold-soft": "#33290f",
        "mark": "#5a4a12",
    },
    "print": {
        "paper": "#ffffff",
        "ground": "#ffffff",
        "sunken": "#f3f4f6",
        "ink": "#000000",
        "faint": "#444b55",
        "line": "#c8cdd4",
        "line-strong": "#8a93a1",
        "accent": "#0b524d",
        "accent-soft": "#ffffff",
        "better": "#174f8f",
        "better-soft": "#ffffff",
        "worse": "#8a3f00",
        "worse-soft": "#ffffff",
        "failed": "#951d17",
        "gold": "#6b4a00",
        "gold-soft": "#ffffff",
        "mark": "#fff3c4",
    },
}
"""The colours of the page by what they mean; each is also a property of its style, ``--ink``."""


def colour(value: float, scale: Scale, palette: PaletteName, reach: float = 1.0) -> Rgb:
    """The colour of a value, which is limited to the range of its scale.

    Recall and counts range from 0 to ``reach``, and differences from ``-reach`` to ``reach``.
    ``palette`` applies to recall; the other scales have their own colours.

    >>> colour(1.0, "recall", "green-red"), colour(0.0, "difference", "safe")
    ((29, 145, 80), (244, 244, 242))
    """
    share = (value / reach + 1) / 2 if scale == "difference" else value / reach
    stops = [rgb(stop) for stop in HEAT[palette if scale == "recall" else scale]]
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


def rgb(text: str) -> Rgb:
    """The channels of a colour such as ``#1d9150``.

    >>> rgb("#1d9150")
    (29, 145, 80)
    """
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def _luminance(colour: Rgb) -> float:
    """The relative luminance as the Web Content Accessibility Guidelines (WCAG) define it."""
    parts = [channel / 255 for channel in colour]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# Numbers. A decimal point in every language, as in CSV files; a real minus sign; a dash for what is
# undefined.

MINUS: Final = "−"
MISSING: Final = "–"
THOUSANDS: Final[Mapping[Lang, str]] = {"en": ",", "zh": ",", "ru": "\u00a0"}
GROUPED_FROM: Final[Mapping[Lang, int]] = {"en": 4, "zh": 4, "ru": 5}
"""How many digits a whole number has at least if its thousands are separated."""
PERCENT: Final[Mapping[Lang, str]] = {"en": "%", "zh": "%", "ru": "\u00a0%"}
NO_DATA_TEXT: Final = "无数据"
"""What a tile without data says in every language, as published maps do."""
SMALLEST_P: Final = 0.001
"""Smaller values are shown as less than this one."""


def real_minus(number: str) -> str:
    """A number with a real minus sign; one that rounds to zero has no sign.

    >>> real_minus("-0.25"), real_minus("+0.0"), real_minus("+1.5")
    ('−0.25', '0.0', '+1.5')
    """
    return number.lstrip("+-") if float(number) == 0 else number.replace("-", MINUS)


def shown_count(number: int, lang: Lang) -> str:
    r"""A whole number with a separator between groups of three digits.

    >>> shown_count(163840, "en"), shown_count(163840, "ru"), shown_count(4000, "ru")
    ('163,840', '163\xa0840', '4000')
    """
    is_grouped = len(str(abs(number))) >= GROUPED_FROM[lang]
    text = f"{number:,}".replace(",", THOUSANDS[lang]) if is_grouped else str(number)
    return text.replace("-", MINUS)


def shown_decimal(value: float, digits: int) -> str:
    """A number rounded to ``digits`` decimals.

    >>> shown_decimal(-0.25, 1), shown_decimal(-0.04, 1)
    ('−0.2', '0.0')
    """
    return real_minus(f"{value:.{digits}f}")


def shown_share(value: float, lang: Lang, digits: int = 2) -> str:
    r"""A share from 0 to 1 as a percentage with its sign.

    >>> shown_share(0.890909, "en"), shown_share(0.5, "ru", 1)
    ('89.09%', '50.0\xa0%')
    """
    return shown_decimal(100 * value, digits) + PERCENT[lang]


def short_percent(value: float) -> str:
    """A share from 0 to 1 as a percentage for a tile, with one decimal unless it is whole.

    It reads 0 or 100 only if the share is exactly 0 or 1.

    >>> short_percent(1.0), short_percent(0.9963), short_percent(0.9999)
    ('100', '99.6', '99.9')
    """
    tenths = _inside(round(1000 * value), 1000, value)
    return shown_decimal(tenths / 10, 0 if tenths % 10 == 0 else 1)


def whole_percent(value: float) -> str:
    """A share from 0 to 1 as a whole percentage for a narrow tile.

    It reads 0 or 100 only if the share is exactly 0 or 1.

    >>> whole_percent(0.996), whole_percent(1.0), whole_percent(0.001)
    ('99', '100', '1')
    """
    return str(_inside(round(100 * value), 100, value))


def _inside(rounded: int, most: int, value: float) -> int:
    """The rounded share, but neither end of the scale unless the share is there."""
    if rounded == most and value < 1:
        return most - 1
    return 1 if rounded == 0 and value > 0 else rounded


def shown_points(value: float) -> str:
    """A difference of shares in points with its sign, with one decimal unless it is whole.

    >>> shown_points(-1.0), shown_points(0.125), shown_points(0.0)
    ('−100', '+12.5', '0')
    """
    points = 100 * value
    digits = 0 if abs(points - round(points)) < 0.05 else 1
    return real_minus(f"{points:+.{digits}f}")


def shown_p(value: float | None) -> str:
    """A p-value with three decimals; a very small one as less than 0.001.

    >>> shown_p(0.0371), shown_p(1e-9), shown_p(None)
    ('0.037', '< 0.001', '–')
    """
    if value is None:
        return MISSING
    return f"< {SMALLEST_P}" if value < SMALLEST_P else f"{value:.3f}"


def shown_length(tokens: int) -> str:
    """A number of tokens in thousands (K) or millions (M), rounded to 100 or 10,000 tokens.

    A number below 1,000 is written in full.

    >>> shown_length(32000), shown_length(163840), shown_length(1_000_000), shown_length(512)
    ('32K', '163.8K', '1M', '512')
    """
    if tokens < 1000:
        return str(tokens)
    if tokens < 999_950:
        return shown_decimal(tokens / 1000, 1).removesuffix("0").rstrip(".") + "K"
    return shown_decimal(tokens / 1_000_000, 2).rstrip("0").rstrip(".") + "M"


def length_labels(lengths: tuple[int, ...]) -> tuple[str, ...]:
    """Labels of context lengths; those whose short labels are equal are written in full.

    >>> length_labels((32000, 32010, 64000))
    ('32000', '32010', '64K')
    """
    labels = [shown_length(length) for length in lengths]
    return tuple(
        str(length) if labels.count(label) > 1 else label
        for length, label in zip(lengths, labels, strict=True)
    )
