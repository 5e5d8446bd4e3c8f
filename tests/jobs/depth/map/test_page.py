"""The HTML page of a heatmap: self-contained, and safe for any data."""

import json
import re
from html.parser import HTMLParser

from assay.jobs.depth.map.page import (
    _SCRIPT_WORDS,
    Entry,
    Grid,
    Heatmap,
    ListedQuestion,
    ListedReply,
    Listing,
    Margin,
    Panel,
    Tile,
    _asset,
    as_html,
)

EVIL = '</script><script>alert(1)</script><img src=x onerror="alert(2)">&amp;\u2028$title'


def heatmap(text: str = "fine", lang: str = "en") -> Heatmap:
    """A heatmap with one tile and one question, in which every text is ``text``."""
    tile = Tile(value=0.5, text=text, tip=((text, text),), listing=0)
    margin = Margin(rows=(tile,), columns=(tile,), corner=tile)
    grid = Grid(tiles=((tile,),), margins={"cells": margin, "questions": margin})
    reply = ListedReply(answer=text, score=0.5, parsed=False)
    entry = Entry(question=0, replies=(reply,))
    return Heatmap(
        title=text,
        lang=lang,
        rows=(text,),
        columns=(text,),
        row_title=text,
        column_title=text,
        panels=(Panel(name=text, grids={"all": grid, "parsed": grid}, note=text),),
        summary=((text, text), (text, text)),
        notes=(text,),
        questions=(ListedQuestion(text=text, choices=(("a", text),)),),
        listings=(Listing(title=text, models=(text,), entries=(entry,)),),
    )


class Tags(HTMLParser):
    """Collects the start tags of a page with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.start_tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add a start tag."""
        self.start_tags.append((tag, dict(attrs)))


def tags(page: str) -> list[tuple[str, dict[str, str | None]]]:
    """The start tags of a page with their attributes."""
    parser = Tags()
    parser.feed(page)
    return parser.start_tags


def test_markup_in_the_data_stays_text():
    """Markup in the data adds no tag to the page."""
    assert tags(as_html(heatmap(EVIL))) == tags(as_html(heatmap("fine")))


def test_the_data_survive_their_escaping():
    """The JSON in the page has no ``<`` and gives back the original data."""
    page = as_html(heatmap(EVIL))
    data = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    assert "<" not in data[1]
    assert json.loads(data[1])["heatmap"]["panels"][0]["name"] == EVIL


def test_the_page_asks_for_nothing_from_outside():
    """The page has no external address, and its policy allows only its own script and style."""
    page = as_html(heatmap())
    assert not re.search(r"https?:|@import|url\(", page)
    sources = [
        value
        for _, attributes in tags(page)
        for name, value in attributes.items()
        if name in {"src", "href", "action"}
    ]
    assert sources == ["data:,"]
    policy = next(
        attributes["content"] for _, attributes in tags(page) if attributes.get("http-equiv")
    )
    assert policy is not None
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy


def test_the_page_names_its_language():
    """The page declares its language, which a screen reader needs for the pronunciation."""
    assert ("html", {"lang": "zh-Hans"}) in tags(as_html(heatmap(lang="zh")))


def test_the_same_data_make_the_same_page():
    """The page contains no date and nothing random, so it can be compared with an older page."""
    assert as_html(heatmap()) == as_html(heatmap())


def test_the_page_has_the_words_that_its_script_uses():
    """The script finds every word it asks for, and the page has no word that it never uses."""
    script = _asset("heatmap.js")
    keys = set(re.findall(r'\bwords\["([^"]+)"\]', script))
    for prefix in re.findall(r"\bwords\[`([^`$]+)\$", script):
        keys |= {key for key in _SCRIPT_WORDS if key.startswith(prefix)}
    assert keys == set(_SCRIPT_WORDS)
