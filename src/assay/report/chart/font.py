"""Finds fonts for the characters of a chart, so that none of them is drawn as an empty box.

DejaVu Sans comes with matplotlib and has Latin, Greek and Cyrillic letters, and the font for
Chinese comes with the extra ``fonts`` (the package ``zhplot``, of which only the font file is
used: importing it would change the settings of matplotlib), so that a chart looks the same on every
machine that has it. Other characters are searched for in the preferred fonts, then in fonts that
were installed after matplotlib built its list of fonts, then in all fonts. A character that no font
has is drawn as ``?``, and a warning says what to install.
"""

import contextlib
import functools
import logging
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

import matplotlib as mpl
from matplotlib import font_manager
from msgspec import Struct

from assay.registry import install_command
from assay.report.chart.bundled_font import BUNDLED, bundled_font
from assay.report.table.table import on_one_line
from assay.text.character import HAN, IGNORABLE
from assay.words.language import Lang
from assay.words.say import say_n

BASE = "DejaVu Sans"
PLACEHOLDER = "?"
PACKAGE = "fonts-noto-cjk"

PREFERRED = (
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Noto Sans SC",
    "PingFang SC",
    "Hiragino Sans GB",
    "Heiti SC",
    "STHeiti",
    "Microsoft YaHei",
    "SimHei",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Noto Sans CJK TC",
    "Noto Sans CJK HK",
    "Noto Sans CJK KR",
    "Noto Sans CJK JP",  # older versions of matplotlib know the collection by this name only
    "Noto Serif CJK SC",
    "Source Han Serif SC",
    "Droid Sans Fallback",
    "Arial Unicode MS",
    "SimSun",
)
# Fonts that draw boxes, blanks, coarse pixels or coloured pictures, and the mathematical fonts of
# matplotlib (cmr10 and others).
_UNUSABLE = re.compile(r"Last ?Resort|Emoji|Adobe Blank|Unifont|^cm[a-z]+\d+$", re.IGNORECASE)
_MAX_FONTS_SEARCHED = 150
_INVISIBLE = re.compile(f"[{IGNORABLE}]")
_HAN = re.compile(f"[{HAN}]")

_log = logging.getLogger("assay.report")
_warnings: list[str] = []
"""The warning that was logged, if any."""


class Fonts(Struct, frozen=True, kw_only=True):
    """Font families in order of preference, and the characters that none of them has."""

    families: tuple[str, ...]
    missing: frozenset[str] = frozenset()

    @property
    def note(self) -> str | None:
        """Says what to install; ``None`` if no character is missing."""
        if not self.missing:
            return None
        some = " ".join(sorted(self.missing)[:5])
        if bundled_font() is None and _HAN.search("".join(self.missing)):
            return say_n("charts show {mark} for {n} character that no installed font has ({some}), and English words in place of Chinese ones; {command}, and draw again", "charts show {mark} for {n} characters that no installed font has ({some}), and English words in place of Chinese ones; {command}, and draw again", len(self.missing), mark=PLACEHOLDER, some=some, command=install_command("fonts"))  # fmt: skip
        return (
            f"charts show {PLACEHOLDER} for {len(self.missing)} characters that no installed font"
            f" has ({some}); install a font that has them, such as the package {PACKAGE}"
            " (Debian, Ubuntu), and draw again"
        )

    def legible(self, text: str) -> str:
        """The text with a placeholder for every character that cannot be drawn."""
        return "".join(
            PLACEHOLDER if character in self.missing else character for character in text
        )


def drawable(text: str) -> str:
    """The text on one line, in normal form NFC, without invisible characters."""
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", on_one_line(text)))


def fonts_for(texts: Iterable[str]) -> Fonts:
    """The fonts needed for all characters of the texts, as far as such fonts are installed."""
    needed = frozenset(drawable("".join(texts)))
    return _fonts_for(needed - _characters(BASE) - {" "})


def can_draw(lang: Lang) -> bool:
    """Whether the words of a language can be drawn on this machine."""
    sample = {"en": "a", "zh": "变体基线", "ru": "ж"}[lang]
    return not fonts_for([sample]).missing


def drawn_language(lang: Lang) -> Lang:
    """The language in which charts are labelled: English where this machine cannot draw another."""
    return lang if can_draw(lang) else "en"


def warn_missing(fonts: Fonts) -> None:
    """Log a warning if characters are missing, at most once in a process."""
    if fonts.note and not _warnings:
        _warnings.append(fonts.note)
        _log.warning(fonts.note)


@functools.lru_cache(maxsize=256)
def _fonts_for(missing: frozenset[str]) -> Fonts:
    families = [BASE]
    for candidates in (_bundled_families, _preferred_families, _new_families, _all_families):
        if not missing:
            break
        for family in candidates():
            available = missing & _characters(family)
            if available:
                families.append(family)
                missing -= available
    return Fonts(families=tuple(families), missing=missing)


@functools.cache
def _bundled_families() -> list[str]:
    """The font for Chinese that comes with the installation, added to matplotlib's list."""
    file = bundled_font()
    if file is None:
        return []
    manager = font_manager.fontManager
    if not any(Path(entry.fname) == file for entry in manager.ttflist):
        manager.addfont(file)
    return [BUNDLED]


def _preferred_families() -> list[str]:
    known = {entry.name for entry in font_manager.fontManager.ttflist}
    return [name for name in PREFERRED if name in known]


@functools.cache
def _new_families() -> list[str]:
    """Families that were installed after matplotlib built its list of fonts.

    Matplotlib never updates this list by itself, so the files are added to it here.
    """
    manager = font_manager.fontManager
    before = len(manager.ttflist)
    files = {Path(entry.fname).resolve() for entry in manager.ttflist}
    for file in sorted(font_manager.findSystemFonts()):
        if Path(file).resolve() not in files:
            # a font that cannot be read is skipped, as matplotlib does too
            with contextlib.suppress(OSError, RuntimeError, ValueError):
                manager.addfont(file)
    added = {entry.name for entry in manager.ttflist[before:]}
    preferred = [name for name in PREFERRED if name in added]
    return [*preferred, *sorted(added - set(preferred))]


def _all_families() -> list[str]:
    matplotlib_data = Path(mpl.get_data_path())
    names = {
        entry.name: None
        for entry in font_manager.fontManager.ttflist
        if matplotlib_data not in Path(entry.fname).parents and entry.style == "normal"
    }
    return sorted(names)[:_MAX_FONTS_SEARCHED]


@functools.cache
def _characters(family: str) -> frozenset[str]:
    """The characters of a font family; empty if it cannot be read or would not be legible."""
    if _UNUSABLE.search(family):
        return frozenset()
    noise = logging.getLogger(font_manager.__name__)  # a family without a normal weight is no fault
    noise.addFilter(_nothing)
    try:
        font = font_manager.get_font(font_manager.findfont(family, fallback_to_default=False))
        return frozenset(map(chr, font.get_charmap()))
    except (OSError, RuntimeError, ValueError):
        return frozenset()
    finally:
        noise.removeFilter(_nothing)


def _nothing(_: logging.LogRecord) -> bool:
    return False
