"""The groups of a run in the interface of the page, and in a file."""

import asyncio
from pathlib import Path

import pytest

from assay.errors import UseError
from assay.web.group_view import group_view
from assay.web.run_index import RunIndex, open_run
from assay.web.run_view import run_card, run_view
from tests.support.journal import judged
from tests.support.page import BEARER, client_of, write_study


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    rows = [
        judged(
            f"q{n:02d}",
            variant,
            0.5 + (variant == "off") * ((0.3 if n % 2 else -0.3) + 0.02 * (n % 5)),
            language=("en", "zh")[n % 2],
        )
        for n in range(24)
        for variant in ("on", "off")
    ]
    return write_study(tmp_path / "study.jsonl", rows)


@pytest.fixture(name="index")
def _index(journal: Path) -> RunIndex:
    return open_run(journal)


def test_a_run_offers_the_fields_that_make_groups(index: RunIndex, journal: Path):
    """With the number of their values."""
    view = run_view(index, run_card("study", journal), "language")
    assert [(field.name, field.values) for field in view.fields] == [("language", 2)]
    assert view.shown_field == "language"
    index.close()


def test_a_view_has_differences_by_group_and_tables_in_three_languages(index: RunIndex):
    """The sentences are above the tables and not repeated below them."""
    view = group_view(index, "language")
    assert view.metric == "avg_gold_coverage"
    (plot,) = view.plots
    assert [(each.variant, each.verdict) for each in plot.differences] == [
        ("en", "worse"),
        ("zh", "better"),
    ]
    assert "the effect differs" in str(view.sentences[0])
    assert "hides opposite effects" in str(view.sentences[-1])
    assert len(view.tables) == 2
    said = {str(sentence) for sentence in view.sentences}
    assert not said & {str(note) for table in view.tables for note in table.notes}
    assert group_view(index, "language") is view
    with pytest.raises(UseError, match="no question has this field"):
        group_view(index, "kind")
    index.close()


def test_the_server_answers_with_groups_or_says_why_not(journal: Path):
    """An unknown field or metric is a problem that the page can show."""

    async def ask() -> None:
        async with await client_of(journal.parent) as client:
            client.session.headers.update(BEARER)
            address = "/api/v1/runs/study/groups"
            found = await client.get(address, params={"field": "language"})
            assert (found.status, (await found.json())["field"]) == (200, "language")
            for words in ({"field": "kind"}, {}, {"field": "language", "metric": "none"}):
                refused = await client.get(address, params=words)
                assert refused.status == 400
                assert "error" in await refused.json()

    asyncio.run(ask())
