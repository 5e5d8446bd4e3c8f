"""Answers of readers who had not seen the rules: all of them are tuned by now."""

import json
from collections import Counter
from typing import Any

import pytest

from assay import abstains
from tests.support.path import DOCS, ROOT

DATA = ROOT / "bench" / "detectors" / "data"
KNOWN_ERRORS = {
    "second author": 7,
    "third author": 5,
    "fourth author": 24,
    "seventh author": 5,
    "ninth author": 1,
    "tenth author": 2,
    "eleventh author": 0,
    "thirteenth author": 0,
}
"""Most of them need to be understood."""


def answers(author: str) -> list[dict[str, Any]]:
    """The answers of an author."""
    path = DATA / f"abstention_{author.replace(' ', '_')}.jsonl"
    return list(map(json.loads, path.read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("author", KNOWN_ERRORS)
def test_answers_are_judged_right_but_for_a_few(author: str):
    """The number of errors on the answers of an author does not grow."""
    errors = [
        item["text"]
        for item in answers(author)
        if abstains(item["text"], item.get("question")) != item["abstains"]
    ]
    assert len(errors) <= KNOWN_ERRORS[author], errors


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_the_page_reports_the_figures_as_they_are(language: str):
    """docs/detectors.md has the recall and precision on the answers of all authors."""
    counts: Counter[tuple[bool, bool]] = Counter()
    for path in sorted(DATA.glob("abstention_*_author.jsonl")):
        for item in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if item["lang"] == language:
                counts[item["abstains"], abstains(item["text"], item.get("question"))] += 1
    hits, missed, wrong = counts[True, True], counts[True, False], counts[False, True]
    figure = f"{hits} of {hits + missed} / {hits} of {hits + wrong}"
    assert figure in (DOCS / "detectors.md").read_text(encoding="utf-8")
