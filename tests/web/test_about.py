"""What a person writes about a run, and setting a run aside."""

from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient

from assay.errors import UseError
from assay.runs.write import find_journals
from assay.web.about import change_about, read_about, set_run_aside
from assay.web.live_api import AboutChange
from tests.support.page import BEARER, client_of, run, write_study


def test_a_change_leaves_the_rest(tmp_path: Path):
    """Tags are trimmed and each is there once; a file that is no note is none."""
    journal = write_study(tmp_path / "a.jsonl")
    assert read_about(journal) is None
    change_about(journal, AboutChange(title=" My run ", tags=(" x ", "y", "x", "")))
    about = change_about(journal, AboutChange(note="看一看", is_archived=True))
    assert about == read_about(journal)
    assert (about.title, about.tags, about.note) == ("My run", ("x", "y"), "看一看")
    assert not change_about(journal, AboutChange(is_archived=False)).is_archived
    journal.with_suffix(".about.json").write_text("[]")
    assert read_about(journal) is None


@pytest.mark.parametrize(
    "change",
    [
        AboutChange(title="x" * 201),
        AboutChange(note="x" * 20_001),
        AboutChange(tags=("x" * 61,)),
        AboutChange(tags=tuple(map(str, range(31)))),
    ],
)
def test_a_text_without_end_is_refused(tmp_path: Path, change: AboutChange):
    """Nothing is written."""
    with pytest.raises(UseError, match="are allowed"):
        change_about(tmp_path / "a.jsonl", change)
    assert list(tmp_path.iterdir()) == []


def test_a_run_is_set_aside_and_not_erased(tmp_path: Path):
    """Its files are all there under other names, its notes too."""
    journal = write_study(tmp_path / "a.jsonl")
    change_about(journal, AboutChange(title="one"))
    before = journal.read_bytes()
    names = set_run_aside(journal)
    assert find_journals(tmp_path) == []
    assert len(names) == 3
    assert {name.partition(".2")[0] for name in names} == {"a.jsonl", "a.json", "a.about.json"}
    assert (tmp_path / names[0]).read_bytes() == before


def test_notes_come_with_the_list(tmp_path: Path):
    """By the interface of the page; the run's own files stay as they are."""
    journal = write_study(tmp_path / "experiments" / "a.jsonl")

    async def post(client: TestClient[Any, Any], path: str, body: Any) -> Any:
        origin = {"Origin": f"http://127.0.0.1:{client.port}", "X-Assay-Request": "1"}
        answer = await client.post(
            f"/api/v1/runs/experiments%2Fa/{path}", headers={**BEARER, **origin}, json=body
        )
        return answer.status, await answer.json()

    async def story() -> None:
        async with await client_of(tmp_path, is_read_only=False) as client:
            before = journal.read_bytes()
            assert (await post(client, "about", {"tags": ["x"], "is_archived": True}))[0] == 200
            status, refused = await post(client, "about", {"name": "x"})
            assert (status, "name" in refused["error"]) == (400, True)
            listed = await (await client.get("/api/v1/workspace", headers=BEARER)).json()
            (card,) = listed["runs"]
            assert not listed["is_read_only"]
            assert card["about"]["tags"] == ["x"]
            assert card["about"]["is_archived"]
            assert journal.read_bytes() == before
            status, done = await post(client, "delete", {})
            assert (status, len(done["names"])) == (200, 3)
            listed = await (await client.get("/api/v1/workspace", headers=BEARER)).json()
            assert listed["runs"] == []

    run(story())
