"""Real runs, started and stopped through the interface of the page."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient

from assay.runs.summary import read_summary
from assay.runs.write import is_being_written, summary_path, writer_of
from tests.support.event import listening
from tests.support.live_workspace import RUN, live_workspace
from tests.support.model_fault import Fault
from tests.support.model_server import ModelServer
from tests.support.page import BEARER, client_of, run

CHANGE = {**BEARER, "X-Assay-Request": "1"}


@pytest.fixture(name="server")
def _server() -> Iterator[ModelServer]:
    """A model that needs a moment for each answer, and fails now and then."""
    with ModelServer(latency_s=0.05, faults=[None, None, Fault(kind="error_500")]) as server:
        yield server


@pytest.fixture(name="root")
def _root(tmp_path: Path, server: ModelServer) -> Iterator[Path]:
    root = live_workspace(tmp_path / "w", server.base_url, questions=60)
    yield root
    owner = writer_of(root / f"{RUN}.jsonl")
    if owner is not None:
        os.kill(owner.process, signal.SIGKILL)


async def post(client: TestClient[Any, Any], path: str, body: Any = None) -> tuple[int, Any]:
    """Send a change; returns its status and what came back."""
    headers = {**CHANGE, "Origin": f"http://127.0.0.1:{client.port}"}
    answer = await client.post(f"/api/v1/{path}", headers=headers, json=body or {})
    return answer.status, await answer.json()


def request(**options: Any) -> dict[str, Any]:
    """Start the experiment."""
    return {"job": "ablation", "options": {"experiment": "tone", "concurrency": 2, **options}}


PATH = f"runs/{RUN.replace('/', '%2F')}"


async def settled(client: TestClient[Any, Any], started: dict[str, Any], state: str) -> Any:
    """Wait until a start is in this state."""
    while started["state"] != state:
        assert started["state"] != "ended", started
        answer = await client.get(f"/api/v1/start/{started['id']}", headers=BEARER)
        started = await answer.json()
    return started


def test_start_watch_stop_and_go_on(root: Path, server: ModelServer):
    """Stopping loses nothing; another server finds the run; a second start is refused."""
    journal = root / f"{RUN}.jsonl"
    latency_s, server.latency_s = server.latency_s, 2.0  # it still runs when a second one starts

    async def story() -> None:
        async with await client_of(root, is_read_only=False) as client:
            status, started = await post(client, "start", request())
            assert status == 200
            assert started["command"] == "assay ablate --experiment=tone --concurrency=2"
            started = await settled(client, started, "running")
            assert started["run"] == RUN
            owner = writer_of(journal)
            assert owner is not None
            assert os.getsid(owner.process) == owner.process  # it outlives the server
            _, second = await post(client, "start", request())
            while second["state"] == "starting":
                answer = await client.get(f"/api/v1/start/{second['id']}", headers=BEARER)
                second = await answer.json()
            assert second["state"] == "ended"
            assert second["code"] == 2
            assert "another run is writing to it" in second["output"]
            status, refused = await post(client, f"{PATH}/delete")
            assert status == 400
            assert "another run is writing" in refused["error"]
        server.latency_s = latency_s
        async with await client_of(root, is_read_only=False) as client:  # the server, again
            async with listening(client) as seen:
                event = (await seen.until("progress"))[-1]
                while event.data["done"] < 5:
                    event = (await seen.until("progress"))[-1]
                assert event.data["is_running"]
                assert event.data["total"] == 120
                assert (await post(client, f"{PATH}/stop"))[0] == 200
                while event.data["is_running"]:
                    event = (await seen.until("progress"))[-1]
            rows = len(journal.read_bytes().splitlines())
            assert rows == event.data["done"]
            status, refused = await post(client, f"{PATH}/stop")
            assert (status, "does not go on" in refused["error"]) == (400, True)
            summary = read_summary(journal.with_suffix(".json"))
            assert summary is not None
            assert summary.state in {"running", "partial"}
            _, again = await post(client, f"{PATH}/resume", {"max_cost": 1000})
            assert again["command"].endswith("--max-cost=1000 --concurrency=2")
            await settled(client, again, "running")
            async with listening(client, f"?run={RUN}") as rows_seen:
                assert len(await rows_seen.until("end")) > rows

    run(story())
    keys = [line.split(b'"', 4)[3] for line in journal.read_bytes().splitlines()]
    assert len(keys) == len(set(keys)) == 120


def test_a_ceiling_is_raised_while_a_run_goes_on(root: Path):
    """The run is stopped and goes on with the new ceiling, which its progress shows."""

    async def story() -> None:
        async with await client_of(root, is_read_only=False) as client, listening(client) as seen:
            await post(client, "start", request(max_cost=500))
            event = (await seen.until("progress"))[-1]
            while event.data["ceiling"] != 500:
                event = (await seen.until("progress"))[-1]
            _, again = await post(client, f"{PATH}/resume", {"max_cost": 900})
            assert "--max-cost=900" in again["command"]
            while event.data["ceiling"] != 900:
                event = (await seen.until("progress"))[-1]
            await post(client, f"{PATH}/stop")
            while event.data["is_running"]:
                event = (await seen.until("progress"))[-1]

    run(story())


def test_a_run_of_a_terminal_can_be_stopped_and_goes_on_from_the_page(
    root: Path, server: ModelServer
):
    """Its lock names its process; its header says which experiment it is."""
    journal = root / f"{RUN}.jsonl"
    latency_s, server.latency_s = server.latency_s, 2.0  # it is not done before it is stopped

    async def story(terminal: "subprocess.Popen[bytes]") -> None:
        async with await client_of(root, is_read_only=False) as client:
            async with listening(client) as seen:
                await seen.until("progress")
                while not summary_path(journal).exists():  # before that it has no header
                    await seen.until("progress")
                assert (await post(client, f"{PATH}/stop"))[0] == 200
            assert await asyncio.to_thread(terminal.wait) == 130
            assert not is_being_written(journal)
            server.latency_s = latency_s
            _, again = await post(client, f"{PATH}/resume", {})
            assert again["command"] == "assay ablate --experiment=tone --limit=30"
            await settled(client, again, "running")
            async with listening(client, f"?run={RUN}") as rows:
                await rows.until("end")

    words = [sys.executable, "-m", "assay", "ablate", "-e", "tone", "--limit", "30"]
    with subprocess.Popen(words, cwd=root, stdout=subprocess.DEVNULL) as terminal:
        run(story(terminal))
    assert len(journal.read_bytes().splitlines()) == 60


def test_an_estimate_is_what_the_command_prints(root: Path):
    """Nothing is asked and nothing written."""

    async def story() -> None:
        async with await client_of(root, is_read_only=False) as client:
            _, dry = await post(client, "start", {**request(limit=3), "is_dry": True})
            assert (dry["state"], dry["code"]) == ("ended", 0)
            assert "6 cases" in dry["output"]
            words = {**request(limit=3), "is_dry": True, "lang": "ru"}
            _, dry = await post(client, "start", words)
            assert "пробный запуск" in dry["output"]
            assert "dry run" not in dry["output"]

    run(story())
    assert not (root / f"{RUN}.jsonl").exists()


def test_a_wrong_start_says_what_the_command_line_says(root: Path):
    """Wrong values are refused before a process is started; the rest by the command itself."""

    async def story() -> None:
        async with await client_of(root, is_read_only=False) as client:
            status, refused = await post(client, "start", request(limit="many"))
            assert (status, "not a whole number" in refused["error"]) == (400, True)
            status, refused = await post(client, "start", {"job": "ablation", "command": "rm"})
            assert (status, "command" in refused["error"]) == (400, True)
            (root / "questions.jsonl").write_text('{"id": "a"}\n')
            _, started = await post(client, "start", request())
            while started["state"] == "starting":
                answer = await client.get(f"/api/v1/start/{started['id']}", headers=BEARER)
                started = await answer.json()
            assert started["code"] == 2
            assert "questions.jsonl:1" in started["output"]
            for wrong in ("nothing", "..%2F..%2Fetc"):
                answer = await client.get(f"/api/v1/start/{wrong}", headers=BEARER)
                assert answer.status == 400

    run(story())


def test_a_page_that_only_reads_starts_nothing(root: Path):
    """Not even with everything else right."""

    async def story() -> None:
        async with await client_of(root) as client:
            for path in ("start", f"{PATH}/stop", f"{PATH}/resume", f"{PATH}/about"):
                assert (await post(client, path, request()))[0] == 405

    run(story())
    assert not (root / ".assay").exists()
