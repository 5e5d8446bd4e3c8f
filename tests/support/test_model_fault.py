import asyncio
import json
import socket
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import pytest

from tests.support import model_fault
from tests.support.bare_client import CHAT, EMBED, ask, faulty, post, run
from tests.support.model_server import Fault, ModelServer, RandomFaults


@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        ("rate_limit", 429, "rate_limit_exceeded"),
        ("rate_limit_date", 429, "rate_limit_exceeded"),
        ("rate_limit_bare", 429, "rate_limit_exceeded"),
        ("quota", 429, "insufficient_quota"),
        ("no_credit", 402, "insufficient_quota"),
        ("error_500", 500, "server_error"),
        ("error_502", 502, "bad_gateway"),
        ("error_503", 503, "unavailable"),
        ("error_529", 529, "overloaded"),
        ("invalid_key", 401, "invalid_api_key"),
        ("invalid_key_echoed", 401, "invalid_api_key"),
        ("forbidden", 403, "forbidden"),
        ("no_model", 404, "model_not_found"),
        ("context_too_long", 400, "context_length_exceeded"),
        ("error_in_200", 200, "server_error"),
    ],
)
def test_refusals_carry_status_and_code(kind: str, status: int, code: str):
    """Each refusal sends its status and an error object, and the next request is answered."""
    with ModelServer(faults=[Fault(kind=kind)]) as server:
        reply, after = ask(server), ask(server)
    assert (reply.status, reply.json["error"]["code"]) == (status, code)
    assert [call.status for call in server.calls] == [status, 200]
    assert server.outcomes == {"refused": 1, "completed": 1}
    assert after.status == 200


def test_retry_after_in_seconds_as_a_date_and_absent():
    """The three kinds of 429 have ``Retry-After`` in seconds, as a date, or not at all."""
    faults = [
        Fault(kind="rate_limit", retry_after_s=0.5),
        Fault(kind="rate_limit_date", retry_after_s=60),
        Fault(kind="rate_limit_bare"),
    ]
    with ModelServer(faults=faults) as server:
        before = datetime.now(UTC)
        seconds, date, bare = (ask(server).headers.get("Retry-After") for _ in faults)
    assert seconds == "0.5"
    assert date is not None
    assert (parsedate_to_datetime(date) - before).total_seconds() >= 60
    assert bare is None


def test_the_echoing_refusal_holds_the_key():
    """The fault ``invalid_key_echoed`` sends the key back in its message."""
    with ModelServer(faults=[Fault(kind="invalid_key_echoed")]) as server:
        reply = ask(server, headers={"Authorization": "Bearer sk-secret"})
    assert "sk-secret" in reply.text


@pytest.mark.parametrize(("kind", "status"), [("html_200", 200), ("html_502", 502)])
def test_html_pages(kind: str, status: int):
    """An HTML page with either status counts as a refused call."""
    reply, server = faulty(kind)
    assert reply.status == status
    assert reply.headers["Content-Type"].startswith("text/html")
    assert reply.text.startswith("<!DOCTYPE html>")
    assert server.outcomes == {"refused": 1}


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("reset", ConnectionResetError),
        ("hang_up", aiohttp.ServerDisconnectedError),
        ("reset_midway", aiohttp.ClientPayloadError),
        ("reset_midway_chunked", aiohttp.ClientPayloadError),
    ],
)
def test_cut_connections(kind: str, error: type[Exception]):
    """A closed connection is an error at the client; only a started answer has tokens."""
    with ModelServer(faults=[Fault(kind=kind)]) as server:
        with pytest.raises((error, aiohttp.ClientOSError) if kind == "reset" else error):
            ask(server)
        assert ask(server).status == 200
    midway = kind.startswith("reset_midway")
    assert server.outcomes == {"broken_off" if midway else "dropped": 1, "completed": 1}
    assert server.broken_off.calls == int(midway)
    assert (server.broken_off.prompt_tokens > 0) is midway
    prices = {"m": (1.0, 1.0)}
    assert (server.billed(prices, with_broken_off=True) > server.billed(prices)) is midway


def receive_until_end(port: int) -> tuple[bytes, bool]:
    """Send a request over a socket; return what it receives and whether a reset ended it."""
    content = json.dumps(CHAT).encode()
    head = (
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(head.encode() + content)
        try:
            while piece := client.recv(65536):
                received += piece
        except ConnectionResetError:
            return received, True
    return received, False


def test_resets_on_the_wire():
    """A reset is a TCP RST, before any byte or after a part of the body."""
    kinds = ["reset", "hang_up", "reset_midway", "reset_midway_chunked"]
    with ModelServer(faults=[Fault(kind=kind) for kind in kinds]) as server:
        results = {kind: receive_until_end(server.port) for kind in kinds}
    assert results["reset"] == (b"", True)
    assert results["hang_up"] == (b"", False)
    received, was_reset = results["reset_midway"]
    assert was_reset
    head, _, part = received.partition(b"\r\n\r\n")
    announced = int(head.lower().partition(b"content-length: ")[2].split()[0])
    assert 0 < len(part) < announced
    received, was_reset = results["reset_midway_chunked"]
    assert was_reset
    assert b"chunked" in received
    assert not received.endswith(b"0\r\n\r\n")


def leave_early(server: ModelServer) -> None:
    """Send a request, cancel it when it has arrived, and wait until the server has noticed."""

    async def story(session: aiohttp.ClientSession) -> None:
        waiting = asyncio.create_task(post(session, server, CHAT))
        await asyncio.to_thread(server.wait_until, lambda: bool(server.calls))
        assert not waiting.done()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    run(story)
    server.wait_until(lambda: server.calls[0].outcome is not None)


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        (Fault(kind="stall"), "abandoned"),
        (Fault(kind="stall_midway"), "broken_off"),
        (Fault(kind="slow", delay_s=60), "abandoned"),
    ],
    ids=lambda value: getattr(value, "kind", None),
)
def test_stalls_last_until_the_client_gives_up(fault: Fault, outcome: str):
    """A stalled or slow request ends when its client leaves, and the next request is answered."""
    with ModelServer(faults=[fault]) as server:
        leave_early(server)
        assert server.outcomes == {outcome: 1}
        assert ask(server).status == 200
    assert server.outcomes == {outcome: 1, "completed": 1}


@pytest.mark.parametrize("kind", ["stall", "stall_midway"])
def test_stopping_ends_a_stall(kind: str):
    """When the server stops, a client that is still waiting gets an error."""

    async def story(session: aiohttp.ClientSession) -> None:
        waiting = asyncio.create_task(post(session, server, CHAT))
        await asyncio.to_thread(server.wait_until, lambda: bool(server.calls))
        await asyncio.to_thread(server.stop)
        with pytest.raises(aiohttp.ClientError):
            await waiting

    with ModelServer(faults=[Fault(kind=kind)]) as server:
        run(story)
    assert server.outcomes == {"abandoned" if kind == "stall" else "broken_off": 1}


def test_slow_answers_come_late():
    """A slow request is answered completely, after its delay."""
    with ModelServer(faults=[Fault(kind="slow", delay_s=0.1)]) as server:
        reply = ask(server)
    assert time.monotonic() - server.calls[0].arrived_s >= 0.1
    assert reply.status == 200
    assert server.outcomes == {"completed": 1}


def test_truncated_json():
    """With ``truncated_json`` the body is not valid JSON, and the call counts as broken off."""
    reply, server = faulty("truncated_json")
    assert reply.status == 200
    assert reply.text.startswith('{"id"')
    with pytest.raises(json.JSONDecodeError):
        _ = reply.json
    assert server.completed.calls == 0
    assert server.broken_off.completion_tokens > 0


def test_odd_chat_bodies():
    """Each chat fault changes only the part of the response that it names."""
    kinds = ["empty_choices", "null_content", "list_content", "reasoning", "finish_length"]
    bodies = {kind: faulty(kind)[0].json for kind in kinds}
    plain = model_fault.plain_answer(CHAT)
    assert bodies.pop("empty_choices")["choices"] == []
    choices = {kind: body["choices"][0] for kind, body in bodies.items()}
    assert choices["null_content"]["message"]["content"] is None
    assert choices["list_content"]["message"]["content"] == [{"type": "text", "text": plain}]
    assert choices["reasoning"]["message"]["reasoning_content"]
    assert choices["reasoning"]["message"]["content"] == plain
    assert choices["finish_length"]["finish_reason"] == "length"
    assert choices["finish_length"]["message"]["content"] == plain


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("no_usage", None),
        ("usage_total_only", ["total_tokens"]),
        ("usage_prompt_only", ["prompt_tokens"]),
    ],
)
@pytest.mark.parametrize("body", [CHAT, EMBED], ids=["chat", "embeddings"])
def test_withheld_usage_is_counted_all_the_same(
    kind: str, keys: list[str] | None, body: dict[str, Any]
):
    """If usage is missing or incomplete, the server counts the call as unstated."""
    reply, server = faulty(kind, body)
    assert (list(reply.json["usage"]) if "usage" in reply.json else None) == keys
    assert server.unstated == server.completed
    assert server.completed.prompt_tokens > 0


def test_odd_embeddings():
    """Each embedding fault changes the order, dimension or number of the vectors."""
    kinds = ["shuffled", "wrong_dimension", "missing_one", "one_too_many"]
    data = {kind: faulty(kind, EMBED)[0].json["data"] for kind in kinds}
    index = {kind: [item["index"] for item in items] for kind, items in data.items()}
    assert index["shuffled"] == [2, 1, 0]
    assert data["shuffled"][0]["embedding"] == model_fault.unit_vector("three", 64)
    assert [len(item["embedding"]) for item in data["wrong_dimension"]] == [64, 64, 63]
    assert index["missing_one"] == [1, 2]
    assert index["one_too_many"] == [0, 1, 2, 3]


def draws(faults: RandomFaults, numbers: Iterator[int] | range) -> dict[int, str | None]:
    """The kind of fault of each of many requests."""
    drawn = {number: faults(0, {"messages": [], "n": number}) for number in numbers}
    return {number: fault.kind if fault else None for number, fault in drawn.items()}


def test_random_faults_keep_their_rates_whatever_the_order():
    """Faults depend on the seed and not on the order of requests, and have the given rates."""
    forward = draws(model_fault.rough_weather(3), range(4000))
    backward = draws(model_fault.rough_weather(3), reversed(range(4000)))
    assert forward == backward
    assert forward != draws(model_fault.rough_weather(4), range(4000))
    shares = {kind: list(forward.values()).count(kind) / 4000 for kind in set(forward.values())}
    assert shares["rate_limit"] == pytest.approx(0.05, abs=0.015)
    assert shares["error_500"] == pytest.approx(0.02, abs=0.01)
    assert shares["reset_midway"] == pytest.approx(0.01, abs=0.007)
    assert shares["stall"] == pytest.approx(0.01, abs=0.007)


def test_random_faults_can_be_bounded_for_each_request():
    """After ``at_most`` faults a repeated request is answered."""
    faults = RandomFaults([(Fault(kind="error_500"), 1.0)], at_most=2)
    assert [faults(0, CHAT) is None for _ in range(4)] == [False, False, True, True]


def test_random_faults_refuse_impossible_rates():
    """Probabilities with a sum above 1 are an error."""
    with pytest.raises(ValueError, match="at most 1"):
        RandomFaults([(Fault(kind="reset"), 0.7), (Fault(kind="stall"), 0.7)])


def test_every_kind_is_a_fault_some_request_can_meet():
    """Every kind of fault applies to chat or to embedding requests."""
    for kind in model_fault.KINDS:
        assert Fault(kind=kind).fits(CHAT) or Fault(kind=kind).fits(EMBED)
