"""Runs against a model server: scores, costs, outages and resuming."""

import asyncio
import collections
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from assay.config.experiment import RunSettings
from assay.errors import CeilingReached, ProviderUnavailable, UseError
from assay.models.cache import CallCache
from assay.models.client import ModelClient
from assay.models.limit import AdaptiveLimit, RateGate
from assay.records import Question, RunHeader, Variant
from assay.runs.handler import SystemHandler
from assay.runs.plan import product_plan, top_k_placement
from assay.runs.progress import Progress, SilentReporter, bar_facts
from assay.runs.read import read_fields
from assay.runs.run import run_plan
from assay.runs.summary import RunResult
from assay.runs.write import FSYNC_EVERY_S
from assay.systems.http import OpenAISystem
from assay.systems.protocol import System
from assay.systems.python.system import PythonSystem
from tests.support.clock import Clock, stop_time
from tests.support.model_client import KEY, PRICES, VARIABLE, make_client, model_config
from tests.support.model_server import Fault, ModelServer, rough_weather

PLAIN = (Variant(name="plain"),)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    return tmp_path / "a.jsonl"


def run(
    system: System,
    journal: Path,
    *,
    count: int = 30,
    variants: Sequence[Variant] = PLAIN,
    reporter: Any = None,
    **settings: Any,
) -> RunResult:
    """Ask a system ``count`` questions with each variant."""
    plan = product_plan(
        questions=[Question(id=f"q{n}", text=f"What is {n}?") for n in range(count)],
        variants=variants,
        placements=[top_k_placement(10)],
        system=system.identity,
    )
    header = RunHeader(
        job="j", name="a", system=system.identity, variants=plan.variants, total=plan.total
    )
    options = RunSettings(**settings)
    return run_plan(
        plan, SystemHandler(system), header, journal, settings=options, reporter=reporter
    )


def last_rows(journal: Path) -> list[dict[str, Any]]:
    """The last row of each case."""
    rows = {row["key"]: row for block in read_fields(journal) for row in block}
    return list(rows.values())


def all_rows(journal: Path) -> list[dict[str, Any]]:
    """All rows, in file order."""
    return [row for block in read_fields(journal) for row in block]


def paid(rows: list[dict[str, Any]]) -> float:
    """The sum of the costs in the rows."""
    return sum(row.get("paid", 0.0) for row in rows)


def test_a_thousand_cases_in_rough_weather(journal: Path, tmp_path: Path):
    """With 429s, 500s, resets and stalls all cases are scored, and the cost is correct."""
    retries = 3
    weather = rough_weather(1, retry_after_s=0.1, at_most=2)
    cache = CallCache(tmp_path / "calls.sqlite")
    with ModelServer(faults=weather) as server:
        # a stall lasts until the timeout; a slow machine must not pass it for any other call
        client = make_client(model_config(server, timeout_s=10.0, retries=retries), cache)
        # a limit that is cut rarely keeps the stalls side by side; its pace has tests of its own
        client._wire._limit = AdaptiveLimit(64, cooldown_s=3600.0)
        variants = [Variant(name="a"), Variant(name="b", settings={"temperature": 0.5})]
        result = run(OpenAISystem(client), journal, count=500, variants=variants, concurrency=64)
        server.wait_until(lambda: "open" not in server.outcomes)
    cache.close()
    assert (result.tally.scored, result.tally.failed, result.stopped) == (1000, 0, None)
    rows = all_rows(journal)
    assert len(rows) == len({row["key"] for row in rows}) == 1000
    assert {row["status"] for row in rows} == {"scored"}
    assert server.outcomes["refused"] > 30
    assert min(server.outcomes["abandoned"], server.outcomes["broken_off"]) > 5
    assert len(server.completed_by_key) == 1000
    assert set(server.completed_by_key.values()) == {1}
    asked = collections.Counter(call.key for call in server.calls)
    assert max(asked.values()) <= 1 + retries
    bill = server.billed(PRICES)
    assert result.paid == pytest.approx(bill, rel=1e-9)
    assert paid(rows) == pytest.approx(bill, rel=1e-9)
    assert result.summary.paid == pytest.approx(bill, rel=1e-9)


class TwoStages(PythonSystem):
    """Expands the question, equally for all variants, then answers with the variant's style."""

    def __init__(self, client: ModelClient) -> None:
        super().__init__(self.answer, identity="two-stages-1")
        self._client = client

    async def answer(self, question: str, settings: Mapping[str, Any]) -> str:
        """Make one call that all variants share and one for this variant."""
        early = await self._client.chat([{"role": "user", "content": f"expand: {question}"}])
        late = f"{early.text} in style {settings['style']}"
        return (await self._client.chat([{"role": "user", "content": late}])).text

    async def close(self) -> None:
        """Close the connections as well."""
        await super().close()
        await self._client.close()


def styles(count: int = 6) -> list[Variant]:
    """Variants that differ only in the last stage."""
    return [Variant(name=f"style-{n}", settings={"style": n}) for n in range(count)]


def test_six_variants_share_their_early_calls(journal: Path, tmp_path: Path):
    """Shared calls are made once, all variants cost the same, and the sum paid is the bill."""
    count = 20
    cache = CallCache(tmp_path / "calls.sqlite")
    with ModelServer(latency_s=0.01) as server:
        system = TwoStages(make_client(model_config(server), cache))
        result = run(system, journal, count=count, variants=styles(), concurrency=16)
    cache.close()
    assert result.tally.scored == 6 * count
    early = [call for call in server.calls if call.messages[0]["content"].startswith("expand")]
    assert len(early) == count
    assert len(server.calls) == count + 6 * count
    rows = all_rows(journal)
    by_variant = collections.defaultdict(float)
    for row in rows:
        by_variant[row["config"]] += row["cost"]
        assert (row["usage"]["calls"], row["usage"]["unmetered_calls"]) == (2, 0)
    costs = list(by_variant.values())
    assert costs == pytest.approx([costs[0]] * 6)
    bill = server.billed(PRICES)
    assert paid(rows) == pytest.approx(bill, rel=1e-9)
    assert result.paid == pytest.approx(bill, rel=1e-9)
    assert sum(costs) > bill
    assert sum(row.get("latency_replayed", False) for row in rows) == 5 * count


def test_an_early_call_that_fails_at_first_is_still_made_once(journal: Path, tmp_path: Path):
    """Cases that wait for a shared call do not repeat its retries."""
    cache = CallCache(tmp_path / "calls.sqlite")
    with ModelServer(faults=[Fault(kind="error_500")], latency_s=0.05) as server:
        system = TwoStages(make_client(model_config(server), cache))
        result = run(system, journal, count=1, variants=styles(), concurrency=6)
    cache.close()
    assert result.tally.scored == 6
    assert len(server.calls) == 2 + 6


@pytest.fixture(name="clock")
def _clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Waits of the client and the server let the time of this clock pass, and last no time."""
    clock = stop_time(monkeypatch)
    sleep = asyncio.sleep

    async def wait(seconds: float) -> None:
        await (sleep if seconds == FSYNC_EVERY_S else clock.sleep)(seconds)

    monkeypatch.setattr(asyncio, "sleep", wait)
    return clock


@pytest.mark.usefixtures("clock")
def test_waiting_for_anothers_call_is_not_counted_twice(journal: Path, tmp_path: Path):
    """A shared call adds the same latency to each row: made, awaited or replayed."""
    cache = CallCache(tmp_path / "calls.sqlite")
    same = [Variant(name=f"v{n}") for n in range(4)]
    with ModelServer(latency_s=1.2) as server:
        client = make_client(model_config(server), cache)
        run(OpenAISystem(client), journal, count=1, variants=same, concurrency=4)
    cache.close()
    assert len(server.calls) == 1
    elapsed = [row["elapsed_s"] for row in all_rows(journal)]
    assert 0.0 < elapsed[0] <= 1.2
    assert elapsed == pytest.approx([elapsed[0]] * 4, abs=1e-5)


@pytest.mark.usefixtures("clock")
def test_a_replayed_row_has_the_latency_that_was_recorded(journal: Path, tmp_path: Path):
    """A run from the cache is fast and free, and reports the recorded latency."""
    with ModelServer(latency_s=0.2) as server:
        for name in ("first", "second"):
            cache = CallCache(tmp_path / "calls.sqlite")
            client = make_client(model_config(server), cache)
            run(OpenAISystem(client), journal.with_name(f"{name}.jsonl"), count=3, concurrency=1)
            cache.close()
    rows = all_rows(journal.with_name("second.jsonl"))
    assert len(server.calls) == 3
    recorded = [row["elapsed_s"] for row in all_rows(journal.with_name("first.jsonl"))]
    assert 0.0 < min(recorded) <= max(recorded) <= 0.2
    assert [row["elapsed_s"] for row in rows] == pytest.approx(recorded, abs=1e-5)
    assert all(row["latency_replayed"] for row in rows)
    assert paid(rows) == 0.0
    assert sum(row["cost"] for row in rows) == pytest.approx(server.billed(PRICES))


CHECKED_S = 0.1
"""A deadline that has passed is noticed so long after, by the clock of the machine."""


def slowly(*faults: Fault) -> Callable[[int, Mapping[str, Any]], Fault | None]:
    """These faults at first; a deadline that has passed is noticed before any reply."""

    def fault(number: int, _: Mapping[str, Any]) -> Fault | None:
        time.sleep(3 * CHECKED_S)
        return faults[number - 1] if number <= len(faults) else None

    return fault


def test_waiting_at_the_rate_gate_does_not_eat_the_deadline(journal: Path, clock: Clock):
    """Time in the queue for a call does not count against the deadline."""
    with ModelServer(faults=slowly()) as server:
        client = make_client(model_config(server))
        client._wire._gate = RateGate(1, window_s=0.8, clock=clock)
        result = run(OpenAISystem(client), journal, count=3, concurrency=1, timeout_s=CHECKED_S)
    assert result.tally.scored == 3
    assert clock.now >= 1.6


def test_waiting_for_retry_after_does_not_eat_the_deadline(journal: Path, clock: Clock):
    """A ``Retry-After`` longer than the deadline of a case is respected."""
    with ModelServer(faults=slowly(Fault(kind="rate_limit", retry_after_s=3.0))) as server:
        client = make_client(model_config(server))
        result = run(OpenAISystem(client), journal, count=1, timeout_s=CHECKED_S)
    assert result.tally.scored == 1
    assert len(server.calls) == 2
    assert clock.now >= 3.0


def test_waiting_for_one_who_waits_does_not_eat_the_deadline(
    journal: Path, tmp_path: Path, clock: Clock
):
    """Waiting for a shared call that is queued does not count against the deadline."""
    cache = CallCache(tmp_path / "calls.sqlite")
    same = [Variant(name=f"v{n}") for n in range(4)]
    with ModelServer(faults=slowly(Fault(kind="rate_limit", retry_after_s=3.0))) as server:
        client = make_client(model_config(server), cache)
        system = OpenAISystem(client)
        result = run(system, journal, count=1, variants=same, concurrency=4, timeout_s=CHECKED_S)
    cache.close()
    assert (result.tally.scored, result.tally.failed) == (4, 0)
    assert clock.now >= 3.0


def test_a_provider_that_is_down_from_the_start_stops_the_run(journal: Path):
    """An outage gives few failures and one line; the next run asks the rest."""
    with ModelServer() as server:
        config = model_config(server, retries=1)
    down = run(OpenAISystem(make_client(config)), journal, count=200)
    assert isinstance(down.stopped, ProviderUnavailable)
    assert down.stopped.exit_code == 2
    assert str(down.stopped).startswith("provider unavailable: ")
    assert "cannot connect to" in str(down.stopped)
    assert down.tally.scored == 0
    assert 0 < len(all_rows(journal)) <= 12 + 8
    with ModelServer(port=server.port) as again:
        back = run(OpenAISystem(make_client(config)), journal, count=200)
    assert (back.tally.scored, back.tally.failed, back.stopped) == (200, 0, None)
    assert set(again.completed_by_key.values()) == {1}


class StopsServer(SilentReporter):
    """Stops the server after a number of cases."""

    def __init__(self, server: ModelServer, after: int) -> None:
        self._server = server
        self._after = after

    def case(self, progress: Progress, row: Mapping[str, Any]) -> None:
        """Count the case; stop the server at the limit."""
        if progress.done == self._after:
            self._server.stop()


def test_a_provider_that_goes_down_half_way_stops_the_run(journal: Path):
    """If the server goes away, answers are kept, few cases fail, and the run can be resumed."""
    with ModelServer(latency_s=0.005) as server:
        config = model_config(server, retries=1)
        reporter = StopsServer(server, 60)
        down = run(OpenAISystem(make_client(config)), journal, count=200, reporter=reporter)
    assert isinstance(down.stopped, ProviderUnavailable)
    assert 60 <= down.tally.scored <= 68
    assert down.tally.failed <= 12 + 8
    before = len(all_rows(journal))
    with ModelServer(port=server.port) as again:
        back = run(OpenAISystem(make_client(config)), journal, count=200)
    assert (back.tally.scored, back.stopped) == (200, None)
    assert back.asked == 200 - down.tally.scored
    assert len(all_rows(journal)) == before + back.asked
    assert {row["status"] for row in last_rows(journal)} == {"scored"}
    assert again.completed.calls == back.asked


def test_a_provider_that_only_refuses_stops_the_run(journal: Path):
    """Endless rate limits stop the run instead of failing every case."""
    with ModelServer(faults=lambda *_: Fault(kind="rate_limit", retry_after_s=0.01)) as server:
        client = make_client(model_config(server, retries=1))
        result = run(OpenAISystem(client), journal, count=200)
    assert isinstance(result.stopped, ProviderUnavailable)
    assert "429" in str(result.stopped)
    assert len(all_rows(journal)) <= 12 + 8


def test_a_bad_part_is_no_outage(journal: Path):
    """Failures with answers in between do not stop a run."""

    def every_other(_: int, body: Mapping[str, Any]) -> Fault | None:
        number = int(body["messages"][0]["content"].split()[2].rstrip("?"))
        return Fault(kind="error_500") if number % 2 else None

    with ModelServer(faults=every_other) as server:
        client = make_client(model_config(server, retries=0))
        result = run(OpenAISystem(client), journal, count=60, concurrency=1)
    assert (result.tally.scored, result.tally.failed, result.stopped) == (30, 30, None)


class Facts(SilentReporter):
    """Records the text next to the bar after every case."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.paid: list[float] = []

    def case(self, progress: Progress, row: Mapping[str, Any]) -> None:
        """Record the text."""
        self.texts.append(bar_facts(progress))
        self.paid.append(progress.paid)


def test_the_spend_is_live(journal: Path):
    """The text next to the bar has the cost so far."""
    facts = Facts()
    with ModelServer() as server:
        client = make_client(model_config(server))
        result = run(OpenAISystem(client), journal, count=10, concurrency=1, reporter=facts)
        each = server.billed(PRICES) / 10
    assert facts.paid == pytest.approx([each * (n + 1) for n in range(10)])
    assert all("spent 0.00" in text for text in facts.texts)
    assert result.paid == pytest.approx(10 * each)


def test_a_cost_ceiling_stops_and_a_higher_one_goes_on(journal: Path):
    """The cost limit covers the whole file and is exceeded only by calls in flight."""
    with ModelServer() as server:
        config = model_config(server)

        def go(ceiling: float | None) -> RunResult:
            return run(
                OpenAISystem(make_client(config)),
                journal,
                count=40,
                concurrency=4,
                max_cost=ceiling,
            )

        each = 0.000054
        stopped = go(10 * each)
        assert isinstance(stopped.stopped, CeilingReached)
        assert "--max-cost" in str(stopped.stopped)
        assert 10 <= stopped.tally.scored <= 10 + 4
        again = go(10 * each)
        assert again.asked == 0
        done = go(1.0)
        assert (done.tally.scored, done.stopped) == (40, None)
        assert done.paid == pytest.approx(server.billed(PRICES), rel=1e-9)
    assert len(server.calls) == 40


def test_a_context_too_long_fails_only_that_case(journal: Path):
    """One failed case has its reason, and the other cases are scored."""

    def too_long(_: int, body: Mapping[str, Any]) -> Fault | None:
        long = body["messages"][0]["content"] == "What is 7?"
        return Fault(kind="context_too_long") if long else None

    with ModelServer(faults=too_long) as server:
        result = run(OpenAISystem(make_client(model_config(server))), journal, count=20)
    assert (result.tally.scored, result.tally.failed, result.stopped) == (19, 1, None)
    failed = [row for row in all_rows(journal) if row["status"] == "failed"]
    assert [row["question_id"] for row in failed] == ["q7"]
    assert "longer than the model's context" in failed[0]["error"]


def test_unknown_usage_makes_no_cost_in_the_row(journal: Path):
    """A call without token counts has no cost and is counted as unmetered."""
    with ModelServer(faults=[Fault(kind="no_usage")] * 2) as server:
        result = run(OpenAISystem(make_client(model_config(server))), journal, count=2)
    assert result.tally.scored == 2
    for row in all_rows(journal):
        assert row["usage"]["unmetered_calls"] == 1
        assert row.get("cost") is None
    assert result.paid is None


def test_a_cache_that_breaks_in_mid_run_stops_the_run(journal: Path, tmp_path: Path):
    """An error of the cache stops the run with exit code 2, and no case fails."""
    cache = CallCache(tmp_path / "calls.sqlite")
    cache._reader.execute("DROP TABLE calls")
    with ModelServer() as server:
        client = make_client(model_config(server), cache)
        result = run(OpenAISystem(client), journal, count=200)
    cache.close()
    assert isinstance(result.stopped, UseError)
    assert result.stopped.exit_code == 2
    assert "--no-call-cache" in str(result.stopped)
    assert result.tally.failed == 0


def test_an_address_that_is_none_stops_the_run(journal: Path):
    """An invalid base URL stops the run at once instead of failing every case."""
    with ModelServer() as server:
        config = model_config(server, base_url="http://")
    result = run(OpenAISystem(make_client(config)), journal, count=200)
    assert isinstance(result.stopped, UseError)
    assert "check 'base_url'" in str(result.stopped)
    assert all_rows(journal) == []


def test_a_setting_the_model_does_not_know_stops_the_run(journal: Path):
    """A setting that the model does not know stops the run before any call."""
    with ModelServer() as server:
        variants = [Variant(name="v", settings={"lookup": True})]
        system = OpenAISystem(make_client(model_config(server)))
        result = run(system, journal, count=20, variants=variants)
    assert isinstance(result.stopped, UseError)
    assert server.calls == []
    assert all_rows(journal) == []
