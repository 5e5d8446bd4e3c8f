"""The README in three languages: the same commands, figures and links; only the words differ."""

import re
from pathlib import Path

import pytest

from tests.support.docs import TRANSLATED, blocks, links, shown_lines
from tests.support.path import ROOT

README = ROOT / "README.md"
OTHERS = [ROOT / name for name in TRANSLATED]


def code(page: Path) -> list[tuple[str, str]]:
    """The blocks that a reader types or copies."""
    return [(block.language, block.text) for block in blocks(page) if block.language != "text"]


def cells(page: Path) -> list[list[str]]:
    """The tables, without spaces and separators inside numbers, where they have digits or code."""
    text = re.sub(r"(?<=\d)[, .\u00a0](?=\d)", "", page.read_text(encoding="utf-8"))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return [sorted(re.findall(r"`[^`]+`|\d+", row)) for row in rows]


@pytest.mark.parametrize("page", OTHERS, ids=lambda page: page.name)
def test_a_translation_has_the_same_commands(page: Path):
    """Only README.md is run, so what it says to type is what the others say, to the letter."""
    assert code(page) == code(README)


@pytest.mark.parametrize("page", OTHERS, ids=lambda page: page.name)
def test_a_translation_has_the_same_figures_and_sections(page: Path):
    """The tables have the same numbers and commands, and no section is missing."""
    assert cells(page) == cells(README)
    assert page.read_text(encoding="utf-8").count("\n## ") == README.read_text(
        encoding="utf-8"
    ).count("\n## ")
    assert len(shown_lines(page)) == len(shown_lines(README))


@pytest.mark.parametrize("page", OTHERS, ids=lambda page: page.name)
def test_a_translation_links_to_the_same_pages(page: Path):
    """Whoever reads a translation finds the way to the same pages, and to the other languages."""

    def targets(each: Path) -> set[str]:
        return {
            target
            for target in links(each)
            if target.partition("#")[0].endswith(".md") and not target.startswith("README")
        }

    assert targets(page) == targets(README)
    text = page.read_text(encoding="utf-8")
    other = next(each.name for each in OTHERS if each != page)
    assert "(README.md)" in text
    assert f"({other})" in text
    assert f"({page.name})" in README.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [README, *OTHERS], ids=lambda page: page.name)
def test_the_pictures_exist(page: Path):
    """Every picture of the page is in the repository."""
    pictures = re.findall(r'<img src="([^"]+)"', page.read_text(encoding="utf-8"))
    assert len(pictures) == 2
    assert [name for name in pictures if not (ROOT / name).is_file()] == []
