"""Fonts for the characters a chart really holds, so that none is drawn as an empty box.

DejaVu Sans comes with matplotlib and has Latin, Greek and Cyrillic. For other characters an
installed font is looked up by name, then among fonts installed since matplotlib made its list,
then among all. A character that no font has is drawn as ``?`` and a note names the package.
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

from assay.report.table import on_one_line
from assay.report.words import Lang
from assay.text import IGNORABLE

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
    "Noto Sans CJK JP",  # the one name by which older matplotlib knows the whole collection
    "Noto Serif CJK SC",
    "Source Han Serif SC",
    "Droid Sans Fallback",
    "Arial Unicode MS",
    "SimSun",
)
# Fonts that have a glyph for everything because it is a box, and those drawn in colour.
_NO_HELP = re.compile(r"Last ?Resort|Emoji|Adobe Blank|Unifont|^cm[a-z]+\d+$", re.IGNORECASE)
_MOST_FONTS_SCANNED = 150
_UNSEEN = re.compile(f"[{IGNORABLE}]")

_log = logging.getLogger("assay.report")
_told: list[str] = []


class Fonts(Struct, frozen=True, kw_only=True):
    """Families to draw with, first choice first, and the characters none of them has."""

    families: tuple[str, ...]
    missing: frozenset[str] = frozenset()

    @property
    def note(self) -> str | None:
        """What to install, where something is missing."""
        if not self.missing:
            return None
        some = " ".join(sorted(self.missing)[:5])
        return (
            f"charts show {PLACEHOLDER} for {len(self.missing)} characters that no installed font"
            f" has ({some}); for Chinese install the package {PACKAGE} (Debian, Ubuntu) or any"
            " Noto Sans CJK font, and draw again"
        )

    def legible(self, text: str) -> str:
        """Text with a placeholder for every character that cannot be drawn."""
        return "".join(
            PLACEHOLDER if character in self.missing else character for character in text
        )


def drawable(text: str) -> str:
    """Text on one line, composed, without characters that leave no mark."""
    return unicodedata.normalize("NFC", _UNSEEN.sub("", on_one_line(text)))


def fonts_for(texts: Iterable[str]) -> Fonts:
    """Fonts that together have every character of the texts, as far as any are installed."""
    needed = frozenset(drawable("".join(texts)))
    return _fonts_for(needed - _characters(BASE) - {" "})


def font_note(texts: Iterable[str]) -> str | None:
    """What must be installed to draw these texts in full; ``None`` where nothing must."""
    return fonts_for(texts).note


def speaks(lang: Lang) -> bool:
    """Whether the words of a language can be drawn on this machine."""
    sample = {"en": "a", "zh": "变体基线", "ru": "ж"}[lang]
    return not fonts_for([sample]).missing


def tell_missing(fonts: Fonts) -> None:
    """Log what must be installed, once in the life of the process."""
    if fonts.note and not _told:
        _told.append(fonts.note)
        _log.warning(fonts.note)


@functools.lru_cache(maxsize=256)
def _fonts_for(wanted: frozenset[str]) -> Fonts:
    families = [BASE]
    for names in (_by_name, _lately_installed, _all):
        if not wanted:
            break
        for name in names():
            found = wanted & _characters(name)
            if found:
                families.append(name)
                wanted -= found
    return Fonts(families=tuple(families), missing=wanted)


def _by_name() -> list[str]:
    known = {entry.name for entry in font_manager.fontManager.ttflist}
    return [name for name in PREFERRED if name in known]


@functools.cache
def _lately_installed() -> list[str]:
    """Families whose files came after matplotlib made its list, which it keeps for good."""
    manager = font_manager.fontManager
    before = len(manager.ttflist)
    files = {Path(entry.fname).resolve() for entry in manager.ttflist}
    for file in sorted(font_manager.findSystemFonts()):
        if Path(file).resolve() not in files:
            # a damaged or odd font is passed over, as matplotlib itself does
            with contextlib.suppress(OSError, RuntimeError, ValueError):
                manager.addfont(file)
    added = {entry.name for entry in manager.ttflist[before:]}
    preferred = [name for name in PREFERRED if name in added]
    return [*preferred, *sorted(added - set(preferred))]


def _all() -> list[str]:
    own = Path(mpl.get_data_path())
    names = {
        entry.name: None
        for entry in font_manager.fontManager.ttflist
        if own not in Path(entry.fname).parents and entry.style == "normal"
    }
    return sorted(names)[:_MOST_FONTS_SCANNED]


@functools.cache
def _characters(family: str) -> frozenset[str]:
    """The characters a family has; none where it cannot be read or would draw boxes."""
    if _NO_HELP.search(family):
        return frozenset()
    try:
        font = font_manager.get_font(font_manager.findfont(family, fallback_to_default=False))
        return frozenset(map(chr, font.get_charmap()))
    except (OSError, RuntimeError, ValueError):
        return frozenset()
