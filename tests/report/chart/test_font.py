import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from matplotlib import font_manager

from assay.report.chart import font
from assay.report.chart.bundled_font import BUNDLED, font_note

RARE = "\ua000\ua001"  # Yi syllables: DejaVu has none


@pytest.fixture(autouse=True)
def empty_caches(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Clear the caches of the module, and restore matplotlib's list of fonts after the test."""
    manager = font_manager.fontManager
    monkeypatch.setattr(manager, "ttflist", list(manager.ttflist))
    monkeypatch.setattr(font, "_warnings", [])
    caches = (font._fonts_for, font._bundled_families, font._new_families, font._characters)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.fixture
def fresh_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has only the fonts that come with the installation."""
    matplotlib_data = Path(font.mpl.get_data_path())
    manager = font_manager.fontManager
    bundled = [e for e in manager.ttflist if matplotlib_data in Path(e.fname).parents]
    monkeypatch.setattr(manager, "ttflist", bundled)
    monkeypatch.setattr(font_manager, "findSystemFonts", list)


@pytest.fixture
def bare_machine(fresh_machine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has only the fonts of matplotlib, without the one for Chinese."""
    monkeypatch.setattr(font, "bundled_font", lambda: None)


def write_font(path: Path, family: str, characters: str) -> Path:
    """Write a font file in which every glyph is a filled square."""
    names = [".notdef", *(f"u{ord(character):04X}" for character in characters)]
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for corner in ((0, 700), (700, 700), (700, 0)):
        pen.lineTo(corner)
    pen.closePath()
    square = pen.glyph()
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap(dict(zip(map(ord, characters), names[1:], strict=True)))
    builder.setupGlyf(dict.fromkeys(names, square))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (800, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)
    return path


def test_latin_and_cyrillic_need_no_other_font():
    """The font that comes with matplotlib has all English and Russian letters."""
    fonts = font.fonts_for(["Gold coverage", "Покрытие эталона, ё"])
    assert fonts.families == (font.BASE,)
    assert fonts.note is None


@pytest.mark.usefixtures("fresh_machine")
def test_the_installation_has_a_font_for_chinese_and_russian():
    """All characters of GB 2312 and Cyrillic are drawn on a machine without any other font."""
    gb2312 = "".join(
        bytes((row, cell)).decode("gb2312", errors="ignore")
        for row in range(0xA1, 0xF8)
        for cell in range(0xA1, 0xFF)
    )
    assert len(gb2312) > 7000
    fonts = font.fonts_for([gb2312, "Базовый вариант, ё"])
    assert fonts.families == (font.BASE, BUNDLED)
    assert fonts.missing == frozenset()
    assert font.can_draw("zh")
    assert font_note() is None


def test_the_font_is_used_without_importing_its_package():
    """Importing the package that contains the font would change the settings of matplotlib."""
    font.fonts_for(["覆盖率"])
    assert "zhplot" not in sys.modules


@pytest.mark.usefixtures("bare_machine")
def test_missing_characters_are_named_and_replaced():
    """Without a Chinese font, a question mark replaces each character and a note says why."""
    fonts = font.fonts_for(["覆盖率 ok"])
    assert fonts.families == (font.BASE,)
    assert fonts.missing == set("覆盖率")
    assert fonts.legible("覆盖率 ok") == "??? ok"
    assert fonts.note is not None
    assert fonts.note.endswith("; pip install 'assay-eval[fonts]', and draw again")
    yi = font.fonts_for([RARE]).note
    assert yi is not None
    assert "fonts-noto-cjk" in yi
    assert not font.can_draw("zh")
    assert font.can_draw("ru")


@pytest.mark.usefixtures("bare_machine")
def test_the_note_is_logged_once(caplog: pytest.LogCaptureFixture):
    """Several charts with missing characters log a single warning."""
    with caplog.at_level(logging.WARNING):
        for text in ("覆盖率", "变体", "覆盖率"):
            font.warn_missing(font.fonts_for([text]))
        font.warn_missing(font.fonts_for(["fine"]))
    assert len(caplog.records) == 1


@pytest.mark.usefixtures("bare_machine")
def test_a_font_installed_since_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A font is used although matplotlib built its list of fonts before it was installed."""
    file = write_font(tmp_path / "late.ttf", "Assay Late", RARE)
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [str(file)])
    fonts = font.fonts_for([f"a {RARE}"])
    assert fonts.families == (font.BASE, "Assay Late")
    assert not fonts.missing


@pytest.mark.usefixtures("bare_machine")
def test_a_preferred_font_is_found_by_name(tmp_path: Path):
    """A font with a preferred name is used before any other font."""
    for family in ("Assay Other", "Noto Sans CJK SC"):
        file = write_font(tmp_path / f"{family}.ttf", family, "覆盖率")
        font_manager.fontManager.addfont(file)
    assert font.fonts_for(["覆盖率"]).families == (font.BASE, "Noto Sans CJK SC")


@pytest.mark.usefixtures("bare_machine")
def test_two_fonts_may_be_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Several fonts may be combined, and a character that none of them has is missing."""
    files = [
        str(write_font(tmp_path / "one.ttf", "Assay One", RARE[0])),
        str(write_font(tmp_path / "two.ttf", "Assay Two", RARE[1])),
    ]
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: files)
    fonts = font.fonts_for([RARE, "\ua002"])
    assert fonts.families == (font.BASE, "Assay One", "Assay Two")
    assert fonts.missing == {"\ua002"}


@pytest.mark.usefixtures("bare_machine")
def test_fonts_of_boxes_and_damaged_files_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A font that draws boxes and a file that cannot be read are not used."""
    boxes = write_font(tmp_path / "boxes.ttf", "Last Resort", RARE)
    damaged = tmp_path / "damaged.ttf"
    damaged.write_bytes(b"not a font")
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [str(boxes), str(damaged)])
    assert font.fonts_for([RARE]).missing == set(RARE)


def test_a_second_look_reads_no_font(monkeypatch: pytest.MonkeyPatch):
    """The fonts for a set of characters are searched for once in a process."""
    first = font.fonts_for(["覆盖率 Покрытие"])

    def refuse(*_: object) -> None:
        raise AssertionError("a font was opened again")

    monkeypatch.setattr(font_manager, "get_font", refuse)
    assert font.fonts_for(["Покрытие 覆盖率"]) == first


def test_unseen_characters_are_dropped_and_accents_composed():
    """Invisible characters are removed, and a letter and its accent become one character."""
    assert font.drawable("a\ufe0fи\u0306\u200b\nb") == "aй b"
