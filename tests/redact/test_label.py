"""What people type about a redacted run is masked, and still belongs to its answers and its people."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from aiohttp.test_utils import TestClient

from assay.config.workspace import Workspace
from assay.judge.label import current
from assay.judge.label_store import labels_path, pairs_path, read_labels, read_preferences
from assay.mask import redactor
from assay.runs.redaction import RedactOptions, follow_run, redacting
from assay.web.guard import CHANGING
from assay.web.library import Library
from assay.web.live_api import StartRequest
from assay.web.process.start import StartRecord, Starts
from tests.redact.canary import CanaryWorkspace
from tests.redact.main import Program
from tests.redact.test_canary import leaks
from tests.support.page import BEARER, client_of, run

Client = TestClient[Any, Any]
RUN = f"/api/v1/runs/{quote('experiments/echo', safe='')}"
ASK = "ablate -e echo --no-report"
COUNT = 12
LABELLER = "li.wei@example.cn"


def play(root: Path, story: Callable[[Client], Awaitable[None]], mode: str | None = None) -> None:
    """Run a story with a client of the page, as ``assay view`` serves it."""

    async def whole() -> None:
        async with await client_of(root, is_read_only=False) as client:
            origin = f"http://127.0.0.1:{client.port}"
            client.session.headers.update({**BEARER, "Origin": origin, CHANGING[0]: CHANGING[1]})
            await story(client)

    with redacting(Workspace.find(root), RedactOptions(mode=mode)):
        run(whole())
    assert redactor() is None


async def say(client: Client, item: int, text: str) -> tuple[Any, Any]:
    """Label the first answer of an item with a comment; the task afterwards, and what was saved."""
    words = {"labeller": LABELLER}
    task = await (await client.get(f"{RUN}/labels/items/{item}", params=words)).json()
    if not task["answers"]:
        return task, None
    body = {"item": item, "labeller": LABELLER, "answer_hash": task["answers"][0]["hash"],
            "verdict": "wrong", "comment": f"no: {text}", "corrected_answer": text}  # fmt: skip
    answer = await client.post(f"{RUN}/labels", json=body)
    assert answer.status == 200, await answer.text()
    task = await (await client.get(f"{RUN}/labels/items/{item}", params=words)).json()
    return task, await answer.json()


def write_without_mode(program: Program, count: int | None = None) -> CanaryWorkspace:
    """A workspace whose configuration says nothing of redaction; only the command does."""
    workspace = CanaryWorkspace(program.folder, count=count)
    config = program.folder / "experiments" / "experiments.yaml"
    text = config.read_text(encoding="utf-8").replace("  mode: outputs\n", "  mode: 'off'\n")
    config.write_text(text, encoding="utf-8")
    return workspace


@pytest.mark.parametrize("key", ["", "--no-key"])
def test_labels_and_notes_of_a_redacted_run_are_masked(program: Program, key: str):
    """Also if only the command of the run said so; a person finds the own labels again."""
    workspace = write_without_mode(program)
    assert program.run(f"{ASK} --redact outputs {key}")[0] == 1

    async def story(client: Client) -> None:
        shown = []
        for item, canary in enumerate(workspace.canaries):
            task, saved = await say(client, item, canary.sentence)
            if saved is not None:
                assert saved["written"] == saved["rows"]
                assert task["answers"][0]["label"]["verdict"] == "wrong"
                assert (await say(client, item, canary.sentence))[1]["written"] == 0
            shown.append(json.dumps(task, ensure_ascii=False))
        about = {"title": workspace.canaries[0].sentence, "note": workspace.canaries[5].sentence}
        answer = await client.post(f"{RUN}/about", json=about)
        assert answer.status == 200, await answer.text()
        shown.append(await answer.text())
        shown.append(await (await client.get(f"{RUN}/labels")).text())
        place = await (await client.get(f"{RUN}/labels/next", params={"labeller": LABELLER})).json()
        assert place["done"] >= len(workspace.canaries)
        assert workspace.leaks("".join(shown).encode()) == []
        assert LABELLER not in "".join(shown)

    play(program.folder, story)
    assert leaks(workspace) == {}
    text = labels_path(program.folder / "experiments" / "echo.jsonl").read_text(encoding="utf-8")
    assert LABELLER not in text
    if not key:
        code, printed = program.run("labels export echo --format csv --out labels.csv")
        assert code == 0, printed
        assert program.run("labels agreement echo")[0] == 0
        assert leaks(workspace) == {}
        assert workspace.leaks(program.printed.encode()) == []


def test_what_a_started_command_printed_is_masked(program: Program):
    """Before it read its configuration, it could not mask anything itself."""
    workspace = CanaryWorkspace(program.folder, count=COUNT)
    folder = program.folder / ".assay" / "started"
    folder.mkdir(parents=True)
    request = StartRequest(job="ablate")
    value = workspace.canaries[0].value
    record = StartRecord(id="one", request=request, command=f"assay {value}", started_at="x")
    (folder / "one.json").write_bytes(msgspec.json.encode(record))
    (folder / "one.log").write_text(f"no such option: {value}\n", encoding="utf-8")
    with redacting(Workspace.find(program.folder), RedactOptions()):
        state = Starts(Library(program.folder)).state("one")
    assert workspace.leaks(msgspec.json.encode(state)) == []
    assert state.output == "no such option: [PHONE_1]"
    assert (folder / "one.log").read_text(encoding="utf-8") == "no such option: [PHONE_1]\n"


def test_off_on_the_command_line_is_obeyed(program: Program):
    """Who says so wants to type in plain text."""
    workspace = write_without_mode(program, COUNT)
    program.run(f"{ASK} --redact outputs")

    async def story(client: Client) -> None:
        await say(client, 0, workspace.canaries[0].sentence)

    play(program.folder, story, mode="off")
    assert [name for name in leaks(workspace) if name.startswith("labels")]


def test_labels_are_masked_with_their_run_and_still_count(program: Program):
    """The version of an answer that a label names changes with the answer."""
    workspace = write_without_mode(program, COUNT)
    assert program.run(f"{ASK} --redact off")[0] == 1
    journal = program.folder / "experiments" / "echo.jsonl"

    async def story(client: Client) -> None:
        for item, canary in enumerate(workspace.canaries):
            await say(client, item, canary.sentence)
        pair = {"pair": ["seed_1", "seed_2"], "item": 0, "labeller": LABELLER}
        words = {"labeller": LABELLER, "pair": pair["pair"]}
        task = await (await client.get(f"{RUN}/labels/items/0", params=words)).json()
        body = pair | {"chosen": task["answers"][0]["hash"], "comment": workspace.canaries[0].value}
        answer = await client.post(f"{RUN}/preferences", json=body)
        assert answer.status == 200, await answer.text()

    play(program.folder, story)
    before = json.loads(program.run("labels agreement echo --json")[1])
    assert any(name.startswith("labels/pairs") for name in leaks(workspace))
    assert program.run("redact rewrite")[0] == 0
    assert leaks(workspace) == {}
    after = json.loads(program.run("labels agreement echo --json")[1])
    assert (after["answers"], after["verdicts"]) == (before["answers"], before["verdicts"])

    async def counted(client: Client) -> None:
        board = await (await client.get(f"{RUN}/labels")).json()
        assert (board["labelled"], board["outdated"]) == (2 * (COUNT - 1), 0)
        assert len(board["preferences"]) == 1

    play(program.folder, counted)
    assert len(current(read_labels(labels_path(journal)))) == 2 * (COUNT - 1)
    assert len(read_preferences(pairs_path(labels_path(journal)))) == 1
    assert ", 0 masked" in program.run("redact rewrite")[1]


def test_a_run_that_was_not_redacted_is_not_followed(program: Program):
    """And nothing is switched on for a file without a summary."""
    write_without_mode(program, 4)
    program.run(f"{ASK} --redact off")
    follow_run(program.folder / "experiments" / "echo.jsonl", is_needed=True)
    follow_run(program.folder / "experiments" / "none.jsonl", is_needed=True)
    assert redactor() is None
