"""The call cache: each distinct call is made once, even if several tasks need it."""

import asyncio
import itertools
import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.config.system import ModelConfig
from assay.errors import CaseTimeout, SystemFailed
from assay.models.cache import CallCache, RecordedReply, call_key
from assay.models.cache_file import cache_info
from assay.models.client import ModelClient
from assay.models.limit import Deadline, current_deadline
from assay.records import Answer, Question
from assay.runs.executor import within
from assay.runs.plan import repeated_plan
from tests.support.lab import ONE_BY_ONE, Lab
from tests.support.model_client import (
    ASK,
    KEY,
    PRICES,
    VARIABLE,
    make_client,
    metered,
    model_config,
    with_client,
)
from tests.support.model_server import ModelServer

KEY_A = call_key("chat", "http://x", {"a": 1})


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)


@pytest.fixture(name="cache")
def _cache(tmp_path: Path) -> Iterator[CallCache]:
    cache = CallCache(tmp_path / "calls.sqlite")
    yield cache
    cache.close()


REQUESTS = st.fixed_dictionaries(
    {
        "model": st.text(max_size=5),
        "messages": st.lists(
            st.fixed_dictionaries(
                {"role": st.sampled_from(["user", "system"]), "content": st.text(max_size=8)}
            ),
            max_size=3,
        ),
    },
    optional={
        "temperature": st.floats(0, 2),
        "seed": st.integers(0, 9),
        "stop": st.lists(st.text(max_size=2), max_size=2),
    },
)
CALLS = st.tuples(
    st.sampled_from(["chat", "embedding"]),
    st.sampled_from(["http://a/v1", "http://b/v1"]),
    REQUESTS,
    st.integers(0, 3),
)


@given(CALLS, CALLS)
def test_two_calls_share_a_key_only_where_all_that_shapes_the_reply_agrees(
    call_a: Any, call_b: Any
):
    """Calls have the same key only if kind, address, request and sample number are all equal."""
    assert (call_key(*call_a) == call_key(*call_b)) is (call_a == call_b)


@given(CALLS, st.sampled_from(["model", "messages", "temperature", "seed", "stop"]))
def test_changing_any_field_changes_the_key(call: Any, name: str):
    """The key depends on every field of the request, the kind, the address and the sample."""
    kind, address, request, sample = call
    changed = {**request, name: "something else"}
    assert call_key(kind, address, changed, sample) != call_key(kind, address, request, sample)
    assert call_key("other", address, request, sample) != call_key(kind, address, request, sample)
    assert call_key(kind, address + "x", request, sample) != call_key(*call)
    assert call_key(kind, address, request, sample + 1) != call_key(*call)


@given(REQUESTS, st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter(request: dict[str, Any], random: Any):
    """Requests that differ only in the order of their keys have the same cache key."""
    names = list(request)
    random.shuffle(names)
    shuffled = {name: request[name] for name in names}
    assert call_key("chat", "http://x", shuffled) == call_key("chat", "http://x", request)


def test_the_order_of_messages_does_matter():
    """The same messages in another order have another cache key."""
    first, second = ({"role": "user", "content": text} for text in "ab")
    key = call_key("chat", "u", {"messages": [first, second]})
    assert key != call_key("chat", "u", {"messages": [second, first]})


def test_a_reply_is_readable_at_once_and_after_reopening(cache: CallCache):
    """A recorded reply can be read at once and after reopening the file, byte for byte."""
    recorded = RecordedReply(b'{"x": "\xe6\xb3\x95"}', 1.25)
    assert cache.get(KEY_A) is None
    cache.put(KEY_A, "m", "chat", recorded)
    assert cache.get(KEY_A) == recorded
    cache.close()
    reopened = CallCache(cache.path)
    assert reopened.get(KEY_A) == recorded
    reopened.close()


def test_many_calls_are_written_in_several_statements(tmp_path: Path):
    """Calls that are recorded together are all on disk, the last reply of each."""
    cache = CallCache(tmp_path / "calls.sqlite")
    keys = [call_key("chat", "http://x", {"a": number}) for number in range(250)]
    for body in (b"old", b"new"):
        for key in keys:
            cache.put(key, "m", "chat", RecordedReply(body, 0.5))
    cache.close()
    with closing(CallCache(tmp_path / "calls.sqlite")) as opened:
        assert [opened.get(key) for key in keys] == [RecordedReply(b"new", 0.5)] * 250


def test_closing_twice_does_no_harm(cache: CallCache):
    """Closing writes the remaining calls to disk, and closing again does nothing."""
    cache.put(KEY_A, "m", "chat", RecordedReply(b"x", 0.1))
    cache.close()
    cache.close()
    assert cache_info(cache.path).calls == 1


def test_fifty_askers_make_one_call(cache: CallCache):
    """Fifty equal calls at once make one request, are paid once and get the same reply."""

    async def fifty(client: ModelClient) -> set[str]:
        replies = await asyncio.gather(*(client.chat(ASK) for _ in range(50)))
        return {reply.text for reply in replies}

    with ModelServer(latency_s=0.1) as server:
        texts, meter = metered(fifty, model_config(server), cache)
    assert len(server.calls) == 1
    assert len(texts) == 1
    assert (meter.calls, meter.replayed_calls) == (50, 49)
    assert meter.paid == pytest.approx(server.billed(PRICES))
    assert meter.cost == pytest.approx(50 * server.billed(PRICES))


def test_another_sample_is_another_call(cache: CallCache):
    """Each sample number of one prompt is a separate call with its own cache entry."""

    async def draws(client: ModelClient) -> None:
        for sample in (0, 1, 0, 1):
            await client.chat(ASK, sample=sample)

    with ModelServer() as server:
        with_client(draws, model_config(server), cache)
    assert len(server.calls) == 2


def test_draws_of_a_question_are_calls_of_their_own(cache: CallCache, tmp_path: Path):
    """Draw 1 finds the call of a run without draws, each later draw asks once and is replayed too."""

    class Asking:
        """Asks the model, as a system does."""

        identity = "asking"
        settings = None
        max_concurrency = None

        def __init__(self, config: ModelConfig) -> None:
            self.client = make_client(config, cache)

        async def ask(self, question: Question, _settings: Any, _top_k: int) -> Answer:
            reply = await self.client.chat([{"role": "user", "content": question.text}])
            return Answer(text=reply.text)

        async def close(self) -> None:
            await self.client.close()

    numbers = itertools.count(1)
    with ModelServer(respond=lambda _: f"reply {next(numbers)}") as server:
        for name, runs, calls in (("once", 1, 1), ("thrice", 3, 3), ("again", 3, 3)):
            folder = tmp_path / name
            folder.mkdir()
            lab, system = Lab(folder), Asking(model_config(server))
            lab.run(system, plan=repeated_plan(lab.plan(system, 1), runs), settings=ONE_BY_ONE)
            texts = [row["answer"] for row in lab.rows()]
            assert texts == [f"reply {number}" for number in range(1, runs + 1)]
            assert len(server.calls) == calls


def test_a_leader_that_gives_up_leaves_the_call_to_a_follower(cache: CallCache):
    """If the task that makes a call is cancelled, one of the waiting tasks makes it for all."""
    callers: list[str] = []

    async def story() -> None:
        started, go = asyncio.Event(), asyncio.Event()

        async def make(name: str) -> RecordedReply:
            callers.append(name)
            started.set()
            await go.wait()
            await asyncio.sleep(0.01)
            return RecordedReply(name.encode(), 0.5)

        def ask(name: str) -> asyncio.Task[tuple[RecordedReply, bool]]:
            return asyncio.create_task(cache.call(KEY_A, "m", "chat", lambda: make(name)))

        leader = ask("leader")
        await started.wait()
        followers = [ask(f"follower {number}") for number in range(3)]
        await asyncio.sleep(0)
        leader.cancel()
        go.set()
        results = await asyncio.gather(*followers)
        assert leader.cancelled()
        assert {recorded.body for recorded, _ in results} == {callers[1].encode()}
        assert sorted(replayed for _, replayed in results) == [False, True, True]

    asyncio.run(story())
    assert len(callers) == 2


def test_followers_get_the_error_of_their_leader(cache: CallCache):
    """Waiting tasks get the error of the failed call; only a later task tries it again."""
    attempts = 0

    async def story() -> None:
        async def fail() -> RecordedReply:
            nonlocal attempts
            attempts += 1
            await asyncio.sleep(0.01)
            raise SystemFailed("no")

        calls = (cache.call(KEY_A, "m", "chat", fail) for _ in range(5))
        errors = await asyncio.gather(*calls, return_exceptions=True)
        assert [str(error) for error in errors] == ["no"] * 5
        with pytest.raises(SystemFailed):
            await cache.call(KEY_A, "m", "chat", fail)

    asyncio.run(story())
    assert attempts == 2
    assert cache.get(KEY_A) is None


def test_a_follower_that_gives_up_harms_nobody(cache: CallCache):
    """If a waiting task is cancelled, all other tasks still get the reply."""

    async def story() -> None:
        go = asyncio.Event()

        async def make() -> RecordedReply:
            await go.wait()
            return RecordedReply(b"x", 0.5)

        tasks = [asyncio.create_task(cache.call(KEY_A, "m", "chat", make)) for _ in range(3)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.sleep(0)
        go.set()
        assert (await tasks[0])[0] == (await tasks[2])[0] == RecordedReply(b"x", 0.5)
        assert tasks[1].cancelled()

    asyncio.run(story())


def test_a_replay_carries_text_tokens_latency_and_no_payment(tmp_path: Path):
    """A replayed call is free now, and keeps its text, tokens, cost and latency."""
    with ModelServer(latency_s=0.05) as server:
        runs = []
        for _ in range(2):
            cache = CallCache(tmp_path / "calls.sqlite")
            reply, meter = metered(lambda client: client.chat(ASK), model_config(server), cache)
            runs.append((reply, meter))
            cache.close()
    (first, fresh), (second, replayed) = runs
    assert len(server.calls) == 1
    assert second == first
    assert (replayed.calls, replayed.replayed_calls, replayed.paid) == (1, 1, 0.0)
    assert replayed.cost == fresh.cost == fresh.paid == pytest.approx(server.billed(PRICES))
    assert replayed.prompt_tokens == fresh.prompt_tokens > 0
    assert replayed.replayed_s > 0.04  # a timer of the server may end a tick early
    assert fresh.replayed_s == 0.0


def test_without_a_cache_each_call_is_made_afresh():
    """Without a cache (``--no-call-cache``) two equal calls are two requests, both paid."""

    async def twice(client: ModelClient) -> None:
        await client.chat(ASK)
        await client.chat(ASK)

    with ModelServer() as server:
        _, meter = metered(twice, model_config(server))
    assert len(server.calls) == 2
    assert meter.replayed_calls == 0
    assert meter.paid == pytest.approx(server.billed(PRICES))


def test_two_clients_of_one_model_share_what_is_recorded(cache: CallCache):
    """Price, timeout and limits do not affect a reply, so they are not part of the key."""
    with ModelServer() as server:
        for changes in ({}, {"price": None, "timeout_s": 9.0, "concurrency": 1, "retries": 0}):
            config = model_config(server, **changes)
            with_client(lambda client: client.chat(ASK), config, cache)
    assert len(server.calls) == 1


def test_closing_one_client_leaves_the_cache_to_the_others(tmp_path: Path):
    """Closing a client does not close the cache that it shares with another client."""
    cache = CallCache(tmp_path / "calls.sqlite")

    async def story() -> None:
        first, second = make_client(config, cache), make_client(config, cache)
        await first.chat(ASK)
        await first.close()
        await second.chat(ASK)
        await second.close()

    with ModelServer() as server:
        config = model_config(server)
        asyncio.run(story())
    cache.close()
    assert len(server.calls) == 1


def test_a_hanging_shared_call_delays_its_waiters_once(tmp_path: Path):
    """Five cases share a call that hangs: they end after two time-outs or, on a busy machine, a few more; not five."""
    makers: list[float] = []

    async def make() -> RecordedReply:
        makers.append(time.monotonic())
        await asyncio.sleep(3600)
        raise AssertionError

    async def case(cache: CallCache) -> None:
        deadline = Deadline(0.4)
        current_deadline.set(deadline)
        with pytest.raises(CaseTimeout):
            await within(deadline, cache.call(b"k", "m", "chat", make))

    async def story() -> float:
        cache = CallCache(tmp_path / "calls.sqlite")
        started_at = time.monotonic()
        await asyncio.gather(*(case(cache) for _ in range(5)))
        cache.close()
        return time.monotonic() - started_at

    elapsed_s = asyncio.run(story())
    assert 2 <= len(makers) < 5
    assert elapsed_s >= 0.8


def test_those_who_wait_for_a_hanging_call_get_the_next_reply(tmp_path: Path):
    """The next task makes the call once for all that wait."""
    calls = 0

    async def make() -> RecordedReply:
        nonlocal calls
        calls += 1
        if calls == 1:
            await asyncio.sleep(3600)
        return RecordedReply(b"{}", 0.1)

    async def story() -> list[Any]:
        cache = CallCache(tmp_path / "calls.sqlite")
        first = asyncio.ensure_future(cache.call(b"k", "m", "chat", make))
        others = [asyncio.ensure_future(cache.call(b"k", "m", "chat", make)) for _ in range(4)]
        await asyncio.sleep(0)
        first.cancel()
        replies = await asyncio.gather(*others)
        cache.close()
        return replies

    replies = asyncio.run(story())
    assert calls == 2
    assert sorted(replayed for _, replayed in replies) == [False, True, True, True]


FAILURES = (
    {"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]},
    {"choices": [{"message": {"content": ""}, "finish_reason": "error"}]},
    {"choices": [{"message": {"content": ""}, "error": {"code": 502, "message": "down"}}]},
    {"choices": [{"message": {"content": None, "tool_calls": [{"id": "a"}]}}]},
    {"choices": [{"message": {"content": []}, "finish_reason": "stop"}]},
    {"choices": [{"message": {"content": "It"}, "finish_reason": "insufficient_system_resource"}]},
    {"choices": [{"message": {"content": ""}, "finish_reason": "of_another_time"}]},
)
ANSWERS = (
    {"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]},
    {"choices": [{"message": {"content": ""}, "finish_reason": "stop"}]},
)


def old_cache(path: Path) -> None:
    """A cache of an earlier version that holds failures as answers."""
    cache = CallCache(path)
    for number, body in enumerate((*FAILURES, *ANSWERS)):
        content = json.dumps(body).encode()
        cache.put(bytes([number]), "m", "chat", RecordedReply(content, 0.1))
    cache.put(b"vector", "m", "embedding", RecordedReply(b"{}", 0.1))
    cache.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 0")


def test_an_old_cache_is_cleaned_when_it_is_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Replies that are failures are removed once, and it says how many; the others stay."""
    path = tmp_path / "calls.sqlite"
    old_cache(path)
    CallCache(path).close()
    assert (
        f"{len(FAILURES)} recorded replies were failures of the provider and removed"
        in capsys.readouterr().err
    )
    assert cache_info(path).calls == len(ANSWERS) + 1
    CallCache(path).close()
    assert capsys.readouterr().err == ""


def test_a_recorded_failure_is_not_replayed(tmp_path: Path):
    """Another process of an earlier version may still write to the file: the call is made."""
    cache = CallCache(tmp_path / "calls.sqlite")
    with ModelServer() as server:
        key = call_key("chat", server.base_url, {"model": "m", "messages": ASK})
        body = json.dumps(FAILURES[0]).encode()
        cache.put(key, "m", "chat", RecordedReply(body, 0.1))
        replies = [
            with_client(lambda client: client.chat(ASK), model_config(server), cache)
            for _ in range(2)
        ]
    cache.close()
    assert replies[0].text == replies[1].text != ""
    assert len(server.calls) == 1


def test_a_key_that_a_reply_repeats_is_not_recorded(tmp_path: Path):
    """The file of the cache does not have the key, and the reply can still be read."""
    path = tmp_path / "calls.sqlite"
    cache = CallCache(path)
    with ModelServer(respond=lambda _: f"your key is {KEY}, I think") as server:
        with_client(lambda client: client.chat(ASK), model_config(server), cache)
        replayed = with_client(lambda client: client.chat(ASK), model_config(server), cache)
    cache.close()
    assert replayed.text == "your key is ***, I think"
    assert len(server.calls) == 1
    assert KEY.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
