"""Reviewing drafts by the JSON interface, as the page does it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from aiohttp.test_utils import TestClient

from assay.judge.label_store import decisions_path, read_decisions
from assay.web.guard import CHANGING
from tests.support.drafts import write_drafts
from tests.support.page import BEARER, client_of, run

Client = TestClient[Any, Any]
API = "/api/v1/drafts"


def play(
    root: Path, story: Callable[[Client], Awaitable[None]], *, is_read_only: bool = False
) -> None:
    """Run a story with a client of a server of a workspace with drafts."""
    write_drafts(root)

    async def whole() -> None:
        async with await client_of(root, is_read_only=is_read_only) as client:
            origin = f"http://127.0.0.1:{client.port}"
            client.session.headers.update({**BEARER, "Origin": origin, CHANGING[0]: CHANGING[1]})
            await story(client)

    run(whole())


async def get(client: Client, path: str, status: int = 200) -> Any:
    """The JSON of a call."""
    answer = await client.get(f"{API}{path}")
    assert answer.status == status, await answer.text()
    return await answer.json()


async def post(client: Client, path: str, body: dict[str, Any], status: int = 200) -> Any:
    """The JSON of a request that changes something."""
    answer = await client.post(f"{API}{path}", json=body)
    assert answer.status == status, await answer.text()
    return await answer.json()


def test_drafts_are_shown_decided_and_written(tmp_path: Path):
    """With their evidence in context and what the check says; then the next version."""

    async def story(client: Client) -> None:
        (file,) = (await get(client, ""))["files"]
        assert (file["name"], file["total"], file["last"]) == ("law.draft", 4, "")
        assert (await (await client.get("/api/v1/workspace")).json())["has_drafts"] is True
        assert (await get(client, "/law.draft/next"))["item"] == 0
        task = await get(client, "/law.draft/items/0")
        (evidence,) = task["evidence"]
        assert evidence["text"].startswith("The tenant pays")
        assert "The deposit of" in evidence["after"]
        assert task["findings"] == []
        wrong = await get(client, "/law.draft/items/2")
        assert [each["kind"] for each in wrong["findings"]] == ["answer_not_in_evidence"]
        body = {"item": 0, "hash": task["hash"], "reviewer": "Анна", "verdict": "accepted"}
        place = await post(client, "/law.draft/decisions", body | {"question": "How much a month?"})
        assert (place["item"], place["accepted"]) == (1, 1)
        again = await get(client, "/law.draft/items/0")
        assert (again["edited_question"], again["verdict"]) == ("How much a month?", "accepted")
        written = await post(client, "/law.draft/version", {})
        assert (written["file"], written["questions"]) == ("questions/law.v1.jsonl", 1)
        assert (await get(client, "/law.draft/next"))["last"] == "questions/law.v1.jsonl"

    play(tmp_path, story)
    (row,) = read_decisions(decisions_path(tmp_path, "law.draft"))
    assert (row.reviewer, row.question, row.answer) == ("Анна", "How much a month?", None)


def test_wrong_requests_are_refused(tmp_path: Path):
    """A draft that changed, a person without a name, files that do not exist."""

    async def story(client: Client) -> None:
        task = await get(client, "/law.draft/items/1")
        body = {"item": 1, "hash": task["hash"], "reviewer": "Анна", "verdict": "accepted"}
        for change in ({"hash": "0"}, {"reviewer": " "}, {"verdict": "perhaps"}, {"item": "1"}):
            assert "error" in await post(client, "/law.draft/decisions", body | change, 400)
        await post(client, "/law.draft/decisions", body | {"item": 9}, 404)
        await get(client, "/law.draft/items/9", 404)
        await get(client, "/..%2Fsecret/next", 404)
        assert "nothing to write" in (await post(client, "/law.draft/version", {}, 400))["error"]

    play(tmp_path, story)
    assert not decisions_path(tmp_path, "law.draft").exists()


def test_a_page_that_only_reads_decides_nothing(tmp_path: Path):
    """Drafts are shown, and a decision is refused."""

    async def story(client: Client) -> None:
        task = await get(client, "/law.draft/items/1")
        body = {"item": 1, "hash": task["hash"], "reviewer": "Анна", "verdict": "accepted"}
        await post(client, "/law.draft/decisions", body, 405)

    play(tmp_path, story, is_read_only=True)
