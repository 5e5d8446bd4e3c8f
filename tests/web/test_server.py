"""The JSON interface, asked as the page asks it."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from aiohttp.test_utils import TestClient

from assay.web import server
from assay.web.api import LARGEST_BODY
from assay.words.language import LANGUAGES
from assay.words.message import Message
from tests.support.journal import judged
from tests.support.page import BEARER, client_of, run, study_rows, write_study

RUN = quote("experiments/a", safe="")


@asynccontextmanager
async def opened(root: Path, rows: Any = None) -> AsyncIterator[TestClient[Any, Any]]:
    """A client of a server with one run."""
    write_study(root / "experiments" / "a.jsonl", rows)
    async with await client_of(root) as client:
        client.session.headers.update(BEARER)
        yield client


async def ask(client: TestClient[Any, Any], path: str, status: int = 200, **words: str) -> Any:
    """The JSON of a call, which has this status."""
    answer = await client.get(f"/api/v1/{path}", params=words)
    body = await answer.read()
    assert answer.status == status, body
    assert len(body) <= LARGEST_BODY
    return json.loads(body)


def play(
    root: Path, story: Callable[[TestClient[Any, Any]], Awaitable[None]], rows: Any = None
) -> None:
    """Run a story with a client."""

    async def whole() -> None:
        async with opened(root, rows) as client:
            await story(client)

    run(whole())


def test_every_call_answers(tmp_path: Path):
    """The list of runs, a run, its items, one item, its row and texts, a comparison."""

    async def story(client: TestClient[Any, Any]) -> None:
        workspace = await ask(client, "workspace")
        assert [run["id"] for run in workspace["runs"]] == ["experiments/a"]
        view = await ask(client, f"runs/{RUN}")
        assert (view["baseline"], view["items"]) == ("on", 11)
        page = await ask(client, f"runs/{RUN}/items", show="worse", sort="difference", limit="1")
        assert ([row["id"] for row in page["rows"]], page["total"]) == (["q2"], 2)
        assert (await ask(client, f"runs/{RUN}/count", text="q", regex="true"))["total"] > 7
        item = await ask(client, f"runs/{RUN}/items/{page['rows'][0]['item']}")
        assert [answer["mark"] for answer in item["answers"]] == ["", "worse"]
        place = f"{page['rows'][0]['item']}/off"
        row = await ask(client, f"runs/{RUN}/rows/{place}")
        assert json.loads(row["text"])["key"] == "q2::off::topk=10"
        text = await ask(client, f"runs/{RUN}/text/{place}", field="answer", offset="4")
        assert (text["text"], text["offset"], text["next"]) == ("on q2 [1].", 4, None)
        compared = await ask(client, "compare", base="experiments/a", cand="experiments/a")
        assert (compared["exit_code"], compared["reasons"]) != (0, [])

    play(tmp_path, story)


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("runs/nope", 404, {}),
        (f"runs/{RUN}/items", 400, {"show": "nope"}),
        (f"runs/{RUN}/items", 400, {"limit": "many"}),
        (f"runs/{RUN}/items", 400, {"limit": "-1"}),
        (f"runs/{RUN}/count", 400, {"offset": "-5"}),
        (f"runs/{RUN}/items", 400, {"low": "nan"}),
        (f"runs/{RUN}/count", 400, {"high": "inf"}),
        (f"runs/{RUN}/items", 400, {"text": "(", "regex": "true"}),
        (f"runs/{RUN}/items/999", 404, {}),
        (f"runs/{RUN}/items/-1", 404, {}),
        (f"runs/{RUN}/items/=nope", 404, {}),
        (f"runs/{RUN}/rows/0/nope", 404, {}),
        (f"runs/{RUN}/rows/0/on", 400, {"offset": "-1"}),
        (f"runs/{RUN}/text/0/on", 404, {"field": "passage:7"}),
        ("compare", 404, {"base": "nope", "cand": "nope"}),
    ],
)
def test_what_cannot_be_answered_says_why(
    tmp_path: Path, path: str, status: int, words: dict[str, str]
):
    """As the command line would: 404 for what is not there, 400 for what is wrong."""

    async def story(client: TestClient[Any, Any]) -> None:
        assert (await ask(client, path, status, **words))["error"]

    play(tmp_path, story)


def test_why_a_run_is_not_there_can_be_said_in_every_language(tmp_path: Path):
    """The page gets the message and its fields; secrets in them are masked."""

    async def story(client: TestClient[Any, Any]) -> None:
        error = (await ask(client, "runs/nope", 404))["error"]
        told = msgspec.convert(error, Message)
        assert str(told) == "no run 'nope' here"
        assert len({told.text_in(lang) for lang in LANGUAGES}) == 3
        error = (await ask(client, "runs/sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8t", 404))["error"]
        assert "Ab3dEf6hIj9kLm2n" not in str(error)

    play(tmp_path, story)


def test_a_question_is_found_by_its_id(tmp_path: Path):
    """Whatever its id looks like; its number changes while the run goes on, its id does not."""
    names = ["12", "0", "..", "a/b?c#d", "100%", "=x"]
    rows = [judged(name, "on", 1.0) for name in names]

    async def story(client: TestClient[Any, Any]) -> None:
        for name in names:
            encoded = quote(name, safe="")
            item = await ask(client, f"runs/{RUN}/items/={encoded}")
            assert item["id"] == name
            row = await ask(client, f"runs/{RUN}/rows/={encoded}/on")
            assert json.loads(row["text"])["question_id"] == name
        # an address of an earlier version has a number, which is no id here
        assert (await ask(client, f"runs/{RUN}/items/=1"))["item"] == 1

    play(tmp_path, story, rows)


@pytest.mark.parametrize(
    "name",
    [
        "../secret",
        "..%2fsecret",
        "%2e%2e%2fsecret",
        "..%5csecret",
        "/etc/passwd",
        "%2Fetc%2Fpasswd",
        "experiments/../../secret",
        "file:///etc/passwd",
        "link",
        "experiments/link",
        "a\0",
    ],
)
def test_no_path_leads_out_of_the_workspace(tmp_path: Path, name: str):
    """A run is found by its id only; a link in the folder that leads out is not shown."""
    outside = write_study(tmp_path / "secret.jsonl")
    root = tmp_path / "workspace"
    (root / "experiments").mkdir(parents=True)
    (root / "experiments" / "link.jsonl").symlink_to(outside)

    async def story(client: TestClient[Any, Any]) -> None:
        for encoded in (quote(name, safe=""), quote(name, safe="%")):
            answer = await client.get(f"/api/v1/runs/{encoded}")
            assert answer.status in {400, 404}, encoded
        runs = (await ask(client, "workspace"))["runs"]
        assert [run["id"] for run in runs] == ["experiments/a"]

    play(root, story)


def test_hostile_texts_arrive_as_they_are(tmp_path: Path):
    """Markup, line separators and escape sequences are data of a JSON answer, nothing else."""
    hostile = "</script><script>alert(1)</script><!-- \u2028 \x1b[31m \x07 😀"
    rows = [
        judged(hostile, "on", 1.0, question=hostile, answer=hostile, source=hostile),
        judged(hostile, hostile, 0.0, question=hostile, answer=hostile, source=hostile),
    ]

    async def story(client: TestClient[Any, Any]) -> None:
        answer = await client.get(f"/api/v1/runs/{RUN}/items/0")
        assert answer.content_type == "application/json"
        assert (await answer.json())["answers"][1]["answer"] == hostile
        place = quote(hostile, safe="")
        assert (await ask(client, f"runs/{RUN}/rows/0/{place}"))["total"] > 0

    play(tmp_path, story, rows)


def test_a_huge_row_is_cut_and_can_be_read_on(tmp_path: Path):
    """No answer is larger than 1 MB, and nothing is lost; other rows do not suffer."""
    long = "слово " * 700_000
    passages = [{"id": f"p{number}", "text": "x" * 50_000} for number in range(150)]
    rows = [
        judged("q1", "on", 1.0, answer=long, question=long, passages=passages),
        judged("q2", "on", 1.0),
    ]

    async def story(client: TestClient[Any, Any]) -> None:
        item = await ask(client, f"runs/{RUN}/items/0")
        assert item["is_cut"]
        assert item["answers"][0]["is_cut"]
        assert item["answers"][0]["passages"][0]["is_cut"]
        part, offset, parts = {"next": 0}, 0, 0
        while part["next"] is not None:
            offset = part["next"]
            path = f"runs/{RUN}/text/0/on"
            part = await ask(client, path, field="answer", offset=str(offset))
            assert part["text"] == long[offset : offset + len(part["text"])]
            parts += 1
        assert parts > 10
        assert (await ask(client, f"runs/{RUN}/rows/0/on"))["next"] is not None
        page = await ask(client, f"runs/{RUN}/items", text="СЛОВО")
        assert [row["id"] for row in page["rows"]] == ["q1"]
        assert (await ask(client, f"runs/{RUN}/items/1"))["answers"][0]["answer"] == "on on q2 [1]."

    play(tmp_path, story, rows)


def test_a_run_that_goes_on_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """New rows are shown; a last line that is not complete yet is not."""
    monkeypatch.setattr("assay.web.library.PAUSE", -1.0)
    journal = tmp_path / "experiments" / "a.jsonl"

    async def story(client: TestClient[Any, Any]) -> None:
        assert (await ask(client, f"runs/{RUN}"))["items"] == 11
        with journal.open("a", encoding="utf-8") as file:
            file.write(json.dumps(judged("new", "on", 1.0)) + "\n" + '{"key": "half')
        assert (await ask(client, f"runs/{RUN}"))["items"] == 12

    play(tmp_path, story)


def test_a_run_says_what_its_numbers_are_about(tmp_path: Path):
    """In one sentence, above the numbers; a run without documents says nothing."""
    folder = tmp_path / "experiments"
    folder.mkdir()
    for name, source in (("with", {"source": "a.md"}), ("without", {})):
        rows = [judged(f"q{n}", "on", 1.0, **source) for n in range(4)]
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))

    async def story(client: TestClient[Any, Any]) -> None:
        about = {}
        for name in ("with", "without"):
            run = quote(f"experiments/{name}", safe="")
            about[name] = (await ask(client, f"runs/{run}"))["about"]
        assert [
            (each["n"], "on this {n} document only" in each["text"]) for each in about["with"]
        ] == [(1, True)]
        assert about["without"] == []

    play(tmp_path, story)


def test_a_broken_run_is_listed_with_its_problem(tmp_path: Path):
    """The other runs are shown as ever."""
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "bad.jsonl").write_text('{"key": "x"}\nnot json\n{"key": "y"}\n')

    async def story(client: TestClient[Any, Any]) -> None:
        runs = {run["id"]: run for run in (await ask(client, "workspace"))["runs"]}
        assert runs["experiments/bad"]["state"] == "unreadable"
        assert "bad.jsonl:2" in runs["experiments/bad"]["problem"]
        bad = quote("experiments/bad", safe="")
        view = await ask(client, f"runs/{bad}")
        assert (view["items"], runs["experiments/bad"]["broken_lines"]) == (1, 1)
        assert view["reservations"][0]["fields"] == {"n": 1, "lines": "2"}

    play(tmp_path, story)


def test_a_query_ends_with_its_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The search is told that nobody waits any more."""
    begun, stopped = threading.Event(), threading.Event()

    def slow(_: Any, __: Any, is_cancelled: Callable[[], bool]) -> Any:
        begun.set()
        while not is_cancelled():
            stopped.wait(0.01)
        stopped.set()
        raise server.Cancelled

    monkeypatch.setattr(server, "item_count", slow)

    async def story(client: TestClient[Any, Any]) -> None:
        task = asyncio.create_task(client.get(f"/api/v1/runs/{RUN}/count", params={"text": "x"}))
        await asyncio.to_thread(begun.wait, 30)
        task.cancel()
        assert await asyncio.to_thread(stopped.wait, 30)

    play(tmp_path, story, study_rows())
