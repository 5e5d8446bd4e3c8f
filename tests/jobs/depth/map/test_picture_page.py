"""The page of a heatmap where the page of ``assay view`` was not built."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from assay.jobs.depth.map.heatmap import depth_heatmap
from assay.jobs.depth.map.novel import combined_heatmaps
from assay.jobs.depth.map.picture_page import picture_page
from assay.jobs.depth.map.results import ModelResults, read_cells
from assay.jobs.depth.map.tile import Heatmap
from tests.support.depth_results import published_row, published_rows, small, write_results

EVIL = '</title><script>alert(1)</script><img src=x onerror="alert(2)">&amp;'


class Elements(HTMLParser):
    """Collects the names of the elements of a page, its attributes, and the titles of tiles."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.titles: list[str] = []
        self._is_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add a start tag."""
        self.names.append(tag)
        self.attributes += attrs
        self._is_title = tag == "title"

    def handle_data(self, data: str) -> None:
        """Add the text of a title."""
        if self._is_title:
            self.titles.append(data)
            self._is_title = False


def elements(page: str) -> Elements:
    """What is on a page."""
    parser = Elements()
    parser.feed(page)
    return parser


@pytest.fixture(name="models", scope="module")
def _models(tmp_path_factory: pytest.TempPathFactory) -> list[ModelResults]:
    return read_cells([write_results(tmp_path_factory.mktemp("r") / "r.jsonl", published_rows())])


@pytest.fixture(name="heatmap", scope="module")
def _heatmap(models: list[ModelResults]) -> Heatmap:
    return depth_heatmap(models)


def test_each_tile_says_its_facts_when_one_points_at_it(heatmap: Heatmap):
    """Every tile, also those of the margin, has a hover text with the facts of the tile."""
    titles = elements(picture_page([heatmap], "Title")).titles
    tiles = heatmap.panels[0].all_tiles
    assert len(titles) == 1 + len(tiles)  # the first one is that of the page
    assert titles[1].splitlines()[0] == "accuracy: 100.00%"
    assert "depth: 100%" in titles[5]


def test_the_numbers_are_a_table_for_those_who_cannot_see_the_picture(heatmap: Heatmap):
    """A row for each tile, and a table of the models."""
    page = picture_page([heatmap], "Title")
    assert page.count("<table>") == 2
    assert page.count('<th scope="row">') == len(heatmap.panels[0].all_tiles) + 1
    assert '<th scope="row">4,000 tokens</th><td>0%</td><td>100.00%</td>' in page


def test_several_maps_are_below_each_other(models: list[ModelResults]):
    """Each has its picture and its numbers; notes are at the end, each once."""
    page = picture_page(combined_heatmaps(models, "combined_depth", number=4), "Title")
    assert elements(page).names.count("svg") == 3


def test_markup_in_the_data_stays_text(tmp_path: Path):
    """Markup in names adds no element to the page."""
    pages = []
    for name in ("fine", EVIL):
        path = small(tmp_path / "r.jsonl", [published_row(1, 1000, "0%", 1.0)], model=name)
        pages.append(elements(picture_page([depth_heatmap(read_cells([path]))], name)))
    assert pages[1].names.count("script") == 0
    assert pages[1].names.count("img") == pages[0].names.count("img") == 0


def test_the_page_asks_for_nothing_from_outside(heatmap: Heatmap):
    """It has no script and no address but those inside it, and its policy allows no others."""
    page = picture_page([heatmap], "Title")
    found = elements(page)
    assert "script" not in found.names
    addresses = [value for name, value in found.attributes if name.endswith(("href", "src"))]
    assert all(value and value.startswith(("#", "data:")) for value in addresses)
    assert not re.search(r"@import|url\((?!#)", page)
    assert "default-src 'none'" in page


def test_the_page_names_its_language(models: list[ModelResults]):
    """Screen readers need it for the pronunciation."""
    assert '<html lang="zh-Hans">' in picture_page([depth_heatmap(models, lang="zh")], "x")


def test_the_same_data_make_the_same_page(heatmap: Heatmap):
    """The page contains no date and nothing random."""
    assert picture_page([heatmap], "x") == picture_page([heatmap], "x")
