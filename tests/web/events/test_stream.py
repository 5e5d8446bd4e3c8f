"""The streams of the server: rows of a run that goes on, progress of all runs, coming back."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from assay.runs.summary import set_aside
from assay.runs.write import Journal, encode_row
from assay.web.events import stream
from tests.support.event import EVENTS, listening
from tests.support.journal import failed, judged, write_header
from tests.support.page import BEARER, client_of, run, write_study


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "LOOK_S", 0.005)
    monkeypatch.setattr("assay.web.events.stream.TURN_S", 0.02)
    monkeypatch.setattr("assay.web.events.stream.SEARCH_S", 0.02)


def begin(root: Path, name: str = "a", total: int = 100, **extra: Any) -> Journal:
    """A run that goes on: a header, and a journal that is locked."""
    journal = root / "experiments" / f"{name}.jsonl"
    journal.parent.mkdir(parents=True, exist_ok=True)
    write_header(journal, ["on", "off"], total=total, **extra)
    return Journal.open(journal)


def record(journal: Journal, first: int, last: int, **fields: Any) -> None:
    """Record some rows."""
    rows = [
        judged(f"q{number}", "on", 1.0, ts=1.8e9 + number, **fields)
        for number in range(first, last)
    ]
    journal.write([encode_row(row) for row in rows])


def ids(events: list[Any]) -> list[str]:
    """The questions of the rows, and the names of other events."""
    return [event.data["question_id"] if event.name == "row" else event.name for event in events]


def test_rows_come_as_they_are_recorded_and_then_the_end(tmp_path: Path):
    """Each row is the JSON of the journal; the end says how many there were."""

    async def story() -> None:
        journal = begin(tmp_path)
        record(journal, 0, 3)
        async with (
            await client_of(tmp_path) as client,
            listening(client, "?run=experiments/a") as seen,
        ):
            assert ids([await seen.next() for _ in range(3)]) == ["q0", "q1", "q2"]
            record(journal, 3, 4)
            row = await seen.next()
            assert row.data == json.loads(journal.path.read_text().splitlines()[-1])
            journal.close()
            end = await seen.next()
            assert (end.name, end.data) == ("end", {"run": "experiments/a", "rows": 4})
            with pytest.raises(EOFError):
                await seen.next()
            again = await client.get(
                f"{EVENTS}?run=experiments/a", headers={**BEARER, "Last-Event-ID": seen.last}
            )
            assert again.status == 204  # a browser does not come back after this

    run(story())


def test_a_reader_that_comes_back_gets_the_rest(tmp_path: Path):
    """After any row, after the end if the run goes on again, and across ``--resume fresh``."""

    async def story() -> None:
        journal = begin(tmp_path)
        record(journal, 0, 6)
        async with await client_of(tmp_path) as client:
            query, last, got = "?run=experiments/a", "", []
            for _ in range(6):
                async with listening(client, query, last) as seen:
                    got.append(await seen.next())
                    last = seen.last
            assert ids(got) == [f"q{number}" for number in range(6)]
            journal.close()
            async with listening(client, f"{query}&after={last}") as seen:
                assert ids(await seen.until("end")) == ["end"]
                last = seen.last
            set_aside(journal.path)
            journal = begin(tmp_path)
            record(journal, 10, 12)
            async with listening(client, query, last) as seen:
                assert ids([await seen.next() for _ in range(3)]) == ["fresh", "q10", "q11"]
                journal.close()
                assert (await seen.next()).name == "end"

    run(story())


def test_two_readers_and_one_that_sleeps(tmp_path: Path):
    """A reader that takes nothing holds up neither the run nor another reader, and catches up."""

    async def story() -> None:
        journal = begin(tmp_path)
        async with await client_of(tmp_path) as client:
            query = "?run=experiments/a"
            async with listening(client, query) as asleep, listening(client, query) as awake:
                taken = []
                for first in range(0, 2000, 100):  # far more than the sockets can hold
                    record(journal, first, first + 100, note="x" * 4000)
                    if first % 500 == 0:
                        taken.append(await awake.next())
                journal.close()
                expected = [f"q{number}" for number in range(2000)]
                assert ids(taken + await awake.until("end"))[:-1] == expected
                assert ids(await asleep.until("end"))[:-1] == expected

    run(story())


def test_progress_has_what_a_page_shows(tmp_path: Path):
    """Counts, failures by kind, spending and its ceiling, value with interval, last answers."""

    async def story() -> None:
        write_study(tmp_path / "experiments" / "old.jsonl")
        journal = begin(tmp_path, total=20, baseline="on")
        record(journal, 0, 8, paid=0.25)
        journal.write([encode_row(failed("q8", "on", error_kind="timeout", ts=1.8e9 + 8))])
        async with await client_of(tmp_path) as client, listening(client) as seen:
            first = await seen.until("progress")
            assert [event.name for event in first] == ["runs", "progress"]
            assert first[0].data == {"runs": ["experiments/a"]}
            state = first[1].data
            assert (state["done"], state["left"], state["total"]) == (9, 11, 20)
            assert state["failures"] == [["timeout", 1]]
            assert state["paid"] == 2.0
            assert state["counts"]["scored"] == 8
            (value,) = state["values"]
            assert (value["variant"], value["value"], value["n"]) == ("on", 1.0, 8)
            assert 0 < value["interval"]["low"] < 1
            assert state["rate"] == pytest.approx(1.0)
            assert [row["question_id"] for row in state["last"]] == ["q8", "q7", "q6", "q5", "q4"]
            assert state["last"][0]["answer"] == "system: no"
            record(journal, 9, 10)
            assert (await seen.next()).data["done"] == 10
            journal.close()
            ended = (await seen.until("progress"))[-1]
            assert not ended.data["is_running"]

    run(story())


def test_a_page_sees_runs_begin_and_end(tmp_path: Path):
    """Also several at once; a page that comes back is told which go on."""

    async def story() -> None:
        one = begin(tmp_path, "one")
        record(one, 0, 1)
        async with await client_of(tmp_path) as client:
            async with listening(client) as seen:
                assert (await seen.next()).data == {"runs": ["experiments/one"]}
                two = begin(tmp_path, "two")
                record(two, 0, 2)
                assert (await seen.until("runs"))[-1].data["runs"] == [
                    "experiments/one",
                    "experiments/two",
                ]
                one.close()
                assert (await seen.until("runs"))[-1].data == {"runs": ["experiments/two"]}
            async with listening(client, after=seen.last) as again:
                assert (await again.next()).data == {"runs": ["experiments/two"]}
            two.close()

    run(story())


def test_progress_begins_again_with_fresh(tmp_path: Path):
    """The counts are those of the new journal, not of both."""

    async def story() -> None:
        journal = begin(tmp_path)
        record(journal, 0, 5)
        async with await client_of(tmp_path) as client, listening(client) as seen:
            assert (await seen.until("progress"))[-1].data["done"] == 5
            journal.close()
            set_aside(journal.path)
            journal = begin(tmp_path)
            record(journal, 0, 2)
            while (event := (await seen.until("progress"))[-1]).data["done"] != 2:
                assert event.data["done"] in {5, 0}
            journal.close()

    run(story())


def test_a_quiet_stream_says_that_it_is_alive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """By a comment, which no client takes for an event."""
    monkeypatch.setattr(stream, "BEAT_S", 0.01)

    async def story() -> None:
        journal = begin(tmp_path)
        record(journal, 0, 1)
        async with await client_of(tmp_path) as client:
            for query in ("?run=experiments/a", ""):
                async with listening(client, query) as seen:
                    text = b""
                    while b"\n: \n\n" not in text:
                        text += await seen.content.readany()
        journal.close()

    run(story())


def test_many_rows_reach_ten_readers_in_order(tmp_path: Path):
    """A small version of ``bench/live.py``: ten readers beside a run that records quickly."""

    async def story() -> None:
        journal = begin(tmp_path)
        async with await client_of(tmp_path) as client:

            async def read() -> list[str]:
                async with listening(client, "?run=experiments/a") as seen:
                    return ids(await seen.until("end"))[:-1]

            readers = [asyncio.create_task(read()) for _ in range(10)]
            for first in range(0, 600, 20):
                record(journal, first, first + 20)
                await asyncio.sleep(0)
            journal.close()
            expected = [f"q{number}" for number in range(600)]
            assert [await reader for reader in readers] == [expected] * 10

    run(story())


@pytest.mark.parametrize("query", ["?run=nothing", "?run=../../etc/passwd"])
def test_only_runs_of_the_workspace_can_be_read(tmp_path: Path, query: str):
    """A run is looked up in the table of ids; no path is made from a request."""

    async def story() -> None:
        async with await client_of(tmp_path) as client:
            answer = await client.get(EVENTS + query, headers=BEARER)
            assert answer.status == 404
            assert (await client.get(EVENTS)).status == 401

    run(story())


def test_a_bad_line_ends_the_stream_with_its_reason(tmp_path: Path):
    """Instead of rows that nobody can read."""

    async def story() -> None:
        journal = begin(tmp_path)
        record(journal, 0, 1)
        journal.close()
        with journal.path.open("a") as file:
            file.write("no row\n")
        async with (
            await client_of(tmp_path) as client,
            listening(client, "?run=experiments/a") as seen,
        ):
            assert "not a row" in (await seen.until("problem"))[-1].data["error"]

    run(story())
