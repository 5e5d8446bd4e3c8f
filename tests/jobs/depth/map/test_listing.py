"""The questions behind the tiles of a map."""

from pathlib import Path

import pytest

from assay.jobs.depth.map import listing as cell_listing
from assay.jobs.depth.map.listing import Listings
from assay.jobs.depth.map.results import read_cells
from tests.support.depth_results import UNPARSED, published_row, small


@pytest.fixture(name="scores")
def _scores(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Six right answers, one that cannot be read and a wrong one, of which three are listed."""
    monkeypatch.setattr(cell_listing, "MOST_IN_TILE", 3)
    monkeypatch.setattr(cell_listing, "FEWEST_IN_TILE", 1)
    return [1.0] * 6 + [UNPARSED, 0.0]


def test_wrong_answers_are_listed_first_and_the_rest_is_counted(
    tmp_path: Path, scores: list[float]
):
    """Answers beyond the limit are counted by view, with those that are right."""
    rows = [published_row(n, 1000, "0%", score) for n, score in enumerate(scores)]
    (model,) = read_cells([small(tmp_path / "r.jsonl", rows)])
    listings = Listings(1)
    listings.add_cell(model, model.replies)
    (listing,) = listings.listings
    assert [entry.replies[0].score for entry in listing.entries] == [0.0, 0.0, 1.0]
    assert listing.more == {"all": (5, 5), "parsed": (5, 5)}
    assert listings.questions[0].right == ("b",)


def test_changed_pairs_are_listed_first_and_questions_are_stored_once(
    tmp_path: Path, scores: list[float]
):
    """Two models answered the same questions; those beyond the limit did not change."""
    files = [
        small(
            tmp_path / f"{name}.jsonl",
            [published_row(n, 1000, "0%", score) for n, score in enumerate(each)],
            model=name,
        )
        for name, each in (("base", scores), ("new", [0.0, *scores[1:]]))
    ]
    base, new = read_cells(files)
    listings = Listings(1)
    listings.add_cell(base, base.replies)
    listings.add_pairs(new, base, list(zip(new.replies, base.replies, strict=True)))
    listing = listings.listings[1]
    assert listing.models == ("new", "base")
    assert [reply.score for reply in listing.entries[0].replies] == [0.0, 1.0]
    assert listing.more["all"] == (5, 0)
    texts = [question.text for question in listings.questions]
    assert len(set(texts)) == len(texts)
