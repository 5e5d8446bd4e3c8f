"""Services and models that stream, over real sockets: what is scored, timed, and refused."""

import asyncio
import gzip
import json
from contextlib import closing
from typing import Any

import pytest

from assay.config.system import HttpConfig, ModelConfig, StreamConfig
from assay.errors import AssayError, SystemFailed, TransientError
from assay.models.cache import CallCache
from assay.models.client import ModelClient
from assay.models.limit import Backoff
from assay.models.meter import metering, stopwatch, time_to_first_text
from assay.models.secret import Environment
from assay.records import Answer, Passage, Question
from assay.systems.http import HttpSystem, OpenAISystem
from tests.support.json_server import JsonServer, Pieces, Seen, Told

QUESTION = Question(id="q1", text="How long?")
SSE = "text/event-stream"
WAIT_S = 0.15


def event(data: Any) -> bytes:
    """One server-sent event."""
    return f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n".encode()


def told(*parts: bytes | float, kind: str = SSE, ends: bool = True, **headers: str) -> Told:
    """A response in chunks."""
    return Told(body=Pieces(parts=parts, ends=ends), headers={"Content-Type": kind, **headers})


def chat(content: str, reason: str | None = None) -> bytes:
    """A chunk of a chat completion as an event."""
    return event({"choices": [{"delta": {"content": content}, "finish_reason": reason}]})


async def timed(system: Any) -> tuple[Answer, float | None, float]:
    """The answer, the time to its first text, and the latency."""
    with metering() as meter, stopwatch() as watch:
        answer = await system.ask(QUESTION, {}, 5)
        watch.stop()
    return answer, time_to_first_text(watch, meter), watch.elapsed_s()


def answer_of(replies: list[Any], **config: Any) -> tuple[Answer, float | None, float]:
    """What a service that gives these replies in turn answers."""

    async def story(url: str) -> tuple[Answer, float | None, float]:
        settings = {"retries": len(replies) - 1, **config}
        system = HttpSystem(HttpConfig(url=url, **settings), Environment())
        system._wire._backoff = Backoff(base_s=0.0)
        try:
            return await timed(system)
        finally:
            await system.close()

    with JsonServer(lambda _: replies.pop(0)) as server:
        return asyncio.run(story(server.url))


def failure_of(reply: Any, **config: Any) -> AssayError:
    """The error that a reply causes."""
    with pytest.raises(AssayError) as caught:
        answer_of([reply], **config)
    return caught.value


def test_a_streaming_service_needs_no_configuration():
    """Tokens, then an object with the passages; the first token is timed apart from the whole."""
    passages = [{"id": "c1", "text": "Notice is thirty days."}]
    parts = (
        event("Thirty"),
        WAIT_S,
        event(" days."),
        event({"passages": passages}),
        event("[DONE]"),
    )
    answer, ttft_s, latency_s = answer_of([told(WAIT_S, *parts)])
    assert answer.text == "Thirty days."
    assert answer.passages == (Passage(**passages[0]),)
    assert ttft_s is not None
    assert WAIT_S <= ttft_s < latency_s - WAIT_S / 2


def test_a_reply_that_comes_at_once_has_no_time_to_the_first_token():
    """JSON, a JSON text, and a text with a stated length."""
    plain = Told(body=b"Thirty days.", headers={"Content-Type": "text/plain"})
    for reply in ({"answer": "Thirty days."}, "Thirty days.", plain):
        answer, ttft_s, _ = answer_of([reply])
        assert (answer.text, ttft_s) == ("Thirty days.", None)


def test_plain_text_is_no_answer_where_json_is_expected():
    """A proxy may speak in place of a service whose answer has a path."""
    error = failure_of(told(b"upstream is asleep", kind="text/plain"), answer="data.text")
    assert "the reply is not JSON" in str(error)


def test_the_paths_of_the_configuration_are_applied_to_the_events():
    """``delta`` to each, the others to the fields of all, or to those of the final event."""
    events = (
        event({"kind": "token", "out": {"t": "Thirty"}}),
        event({"kind": "token", "out": {"t": " days."}}),
        event({"type": "done", "result": {"text": "30 days", "hits": [{"id": "c9"}], "cost": 0.5}}),
    )
    config = {"passages": "result.hits", "usage": "{cost: result.cost}"}
    answer, ttft_s, _ = answer_of([told(*events)], stream=StreamConfig(delta="out.t"), **config)
    assert (answer.text, ttft_s is not None) == ("Thirty days.", True)
    assert answer.passages == (Passage(id="c9"),)
    assert answer.usage is not None
    assert answer.usage.cost == 0.5
    stream = StreamConfig(delta="out.t", final="done")
    answer, _, _ = answer_of([told(*events)], stream=stream, answer="result.text", **config)
    assert answer.text == "30 days"
    error = failure_of(told(*events))
    assert "stream: {delta: PATH}" in str(error)


def test_a_preset_for_a_chat_completion_reads_its_stream():
    """The paths are those of the reply without streaming."""
    answer, _, _ = answer_of(
        [told(chat("Thirty"), chat(" days.", "length"), event("[DONE]"))],
        answer="choices[0].message.content",
    )
    assert (answer.text, answer.finish_reason) == ("Thirty days.", "length")


BROKEN: dict[str, tuple[Any, type[Exception], str]] = {
    "cut": (told(event("Thirty"), ends=False), TransientError, "was lost"),
    "cut text": (told(b"Thirty", kind="text/plain", ends=False), TransientError, "was lost"),
    "error event": (told(event("Thirty"), event({"error": "boom"})), SystemFailed, "boom"),
    "no end": (told(chat("Thirty")), TransientError, "neither a finish_reason nor"),
    "filter": (told(chat("Thi"), chat("", "content_filter")), AssayError, "cut the answer off"),
    "aborted": (told(chat("Thi"), chat("", "abort")), TransientError, "finish reason is abort"),
    "no text": (told(event({"seen": 1})), SystemFailed, "no text"),
    "gzip cut": (
        told(gzip.compress(event("Thirty"))[:-9], **{"Content-Encoding": "gzip"}),
        TransientError,
        "compressed reply was cut short",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_stream_is_a_failure(name: str):
    """Half an answer is never scored as a whole one."""
    reply, kind, expected = BROKEN[name]
    error = failure_of(reply)
    assert isinstance(error, kind)
    assert expected in str(error)


def test_a_stream_may_be_compressed():
    """It is timed by what is decompressed."""
    body = gzip.compress(event("Thirty") + event(" days."))
    answer, ttft_s, _ = answer_of([told(body[:20], body[20:], **{"Content-Encoding": "gzip"})])
    assert (answer.text, ttft_s is not None) == ("Thirty days.", True)


def test_a_stream_without_end_is_stopped():
    """By its size, and by its deadline while it trickles."""
    parts = [event("x" * 1000) for _ in range(100)]

    async def story(url: str) -> None:
        system = HttpSystem(HttpConfig(url=url, retries=0), Environment())
        system._wire._largest_reply = 2**16
        try:
            await system.ask(QUESTION, {}, 5)
        finally:
            await system.close()

    with (
        JsonServer(lambda _: told(*parts)) as server,
        pytest.raises(SystemFailed, match="larger than"),
    ):
        asyncio.run(story(server.url))
    slow = [each for _ in range(40) for each in (event("x"), 0.05)]
    assert "within 0.3 s" in str(failure_of(told(*slow), timeout_s=0.3))


def test_the_first_token_is_that_of_the_attempt_that_succeeds():
    """An attempt that broke off is in neither time."""
    replies = [
        told(event("Thi"), 3 * WAIT_S, ends=False),
        told(WAIT_S, event("Thirty"), WAIT_S, event(" days.")),
    ]
    answer, ttft_s, latency_s = answer_of(replies)
    assert answer.text == "Thirty days."
    assert ttft_s is not None
    assert WAIT_S <= ttft_s < latency_s < 3 * WAIT_S + WAIT_S


def test_the_identity_is_as_before_there_were_streams():
    """A run that was begun goes on; what joins a stream belongs to what is asked."""
    plain, chosen = (
        HttpSystem(HttpConfig(url="http://localhost/ask", stream=stream), Environment()).identity
        for stream in (None, StreamConfig(final="last"))
    )
    assert plain == "http:http://localhost/ask#0e660e8d"
    assert chosen != plain


def test_a_model_that_streams_is_timed_once_and_replayed_untimed(tmp_path: Any):
    """Its recorded call is the completion that would have come at once."""
    usage = event({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}})

    def reply(seen: Seen) -> Told:
        assert seen.json["stream"] is True
        return told(WAIT_S, chat("Thirty"), WAIT_S, chat(" days.", "stop"), usage, event("[DONE]"))

    async def story(url: str, cache: CallCache) -> list[tuple[Answer, float | None, float]]:
        config = ModelConfig(model="m", base_url=url, api_key_env=None, parameters={"stream": True})
        system = OpenAISystem(ModelClient(config, cache=cache))
        try:
            return [await timed(system), await timed(system)]
        finally:
            await system.close()

    cache = CallCache(tmp_path / "calls.sqlite")
    with closing(cache), JsonServer(reply) as server:
        (fresh, ttft_s, latency_s), (again, none, _) = asyncio.run(story(server.url, cache))
    assert len(server.seen) == 1
    assert fresh == again
    assert (fresh.text, fresh.finish_reason) == ("Thirty days.", "stop")
    assert ttft_s is not None
    assert WAIT_S <= ttft_s < latency_s - WAIT_S / 2
    assert none is None


def test_half_a_stream_of_a_model_is_not_recorded(tmp_path: Any):
    """The call is made again."""
    replies = [told(chat("Thirty")), told(chat("Thirty days.", "stop"))]

    async def story(url: str, cache: CallCache) -> Answer:
        config = ModelConfig(
            model="m", base_url=url, api_key_env=None, parameters={"stream": True}, retries=0
        )
        system = OpenAISystem(ModelClient(config, cache=cache))
        try:
            with pytest.raises(TransientError, match="broke off"):
                await system.ask(QUESTION, {}, 5)
            return await system.ask(QUESTION, {}, 5)
        finally:
            await system.close()

    cache = CallCache(tmp_path / "calls.sqlite")
    with closing(cache), JsonServer(lambda _: replies.pop(0)) as server:
        assert asyncio.run(story(server.url, cache)).text == "Thirty days."
