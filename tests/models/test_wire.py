"""The wire: retries, waiting, unreachable addresses and the content of messages."""

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from assay.errors import (
    AccessRefused,
    AssayError,
    ProviderUnavailable,
    RateLimited,
    TransientError,
    UseError,
)
from assay.models.limit import Backoff, Deadline, RateGate, current_deadline
from assay.models.secret import Secret
from assay.models.wire import Wire
from tests.support.json_server import JsonServer, Seen, Told, unused_port

KEY = "sk-wire-0123456789abcdef"


class Waits:
    """A back-off without jitter that records its arguments."""

    def __init__(self) -> None:
        self.requested: list[tuple[int, float | None]] = []

    def delay_s(self, attempt: int, *, retry_after_s: float | None = None) -> float:
        """Return the wait that the server asked for, or 0."""
        self.requested.append((attempt, retry_after_s))
        return retry_after_s or 0.0


def make_wire(**changes: Any) -> Wire:
    """Make a wire with a key, three retries and no waiting between them."""
    defaults = {
        "headers": {"Authorization": Secret(f"Bearer {KEY}")},
        "timeout_s": 20.0,
        "retries": 3,
        "concurrency": 8,
        "key_hint": "HOUSE_KEY",
        "address_hint": "'base_url'",
        "backoff": Backoff(base_s=0.0),
    }
    return Wire(**defaults | changes)


def send(url: str, body: bytes | None = b"{}", *, wire: Wire | None = None, **how: Any) -> bytes:
    """Send one request and return the body of the reply."""

    async def story() -> bytes:
        sender = wire or make_wire()
        try:
            return (await sender.send(url, body, bytes, **how))[1]
        finally:
            await sender.close()

    return asyncio.run(story())


def in_turn(*answers: Any) -> Callable[[Seen], Any]:
    """A server function that returns the answers in order, and then the last one again."""
    remaining = list(answers)
    return lambda _: remaining.pop(0) if len(remaining) > 1 else remaining[0]


def test_a_reply_comes_with_its_latency():
    """``send`` returns the body, and a latency that is at least the server's."""

    def answer(_: Seen) -> Any:
        time.sleep(0.05)
        return {"a": 1}

    async def story(url: str) -> float:
        wire = make_wire()
        recorded, reply = await wire.send(url, b"{}", bytes)
        assert recorded.body == reply == b'{"a": 1}'
        await wire.close()
        return recorded.latency_s

    with JsonServer(answer) as server:
        assert asyncio.run(story(server.url)) >= 0.05


def test_a_get_sends_no_body():
    """The request uses the given method, and a GET request has no body."""
    with JsonServer(in_turn({"a": 1})) as server:
        send(server.url, None, method="GET")
    assert (server.seen[0].method, server.seen[0].body) == ("GET", b"")
    assert server.seen[0].headers["Authorization"] == f"Bearer {KEY}"


def test_tries_are_counted_and_passed_to_the_back_off():
    """Three retries make four requests, and each wait gets the number of the attempt."""
    waits = Waits()
    with JsonServer(in_turn(Told(body={}, status=500))) as server, pytest.raises(TransientError):
        send(server.url, wire=make_wire(backoff=waits))
    assert len(server.seen) == 4
    assert waits.requested == [(0, None), (1, None), (2, None)]


def test_no_retries_means_one_request():
    """With ``retries=0`` a failed request is not repeated."""
    with JsonServer(in_turn(Told(body={}, status=503))) as server, pytest.raises(TransientError):
        send(server.url, wire=make_wire(retries=0))
    assert len(server.seen) == 1


def test_retry_after_in_seconds_is_waited_for():
    """The second request is sent only after the wait that ``Retry-After`` asked for."""
    busy = Told(body={}, status=429, headers={"Retry-After": "0.4"})
    arrived = []

    def answer(_: Seen) -> Any:
        arrived.append(time.monotonic())
        return busy if len(arrived) == 1 else {}

    with JsonServer(answer) as server:
        send(server.url)
    assert len(arrived) == 2
    assert arrived[1] - arrived[0] >= 0.4


def test_retry_after_as_a_date_is_waited_for(monkeypatch: pytest.MonkeyPatch):
    """A date in ``Retry-After`` is converted to the seconds until then."""
    waits = Waits()
    monkeypatch.setattr("assay.models.wire.time.time", lambda: 1_000_000_000.0)
    now = "Sun, 09 Sep 2001 01:46:40 GMT"
    later = "Sun, 09 Sep 2001 01:46:41 GMT"
    busy = [Told(body={}, status=429, headers={"Retry-After": date}) for date in (now, later)]
    with JsonServer(in_turn(*busy, {})) as server:
        send(server.url, wire=make_wire(backoff=waits))
    assert waits.requested == [(0, 0.0), (1, 1.0)]


def test_a_retry_after_that_says_nothing_leaves_it_to_the_back_off():
    """A ``Retry-After`` that is neither a number nor a date is ignored."""
    waits = Waits()
    busy = Told(body={}, status=429, headers={"Retry-After": "in a while"})
    with JsonServer(in_turn(busy, {})) as server:
        send(server.url, wire=make_wire(backoff=waits))
    assert waits.requested == [(0, None)]


def test_a_service_that_is_down_for_a_while_is_given_the_time_it_asks_for():
    """``Retry-After`` is used for a 503 response as well as for a 429."""
    waits = Waits()
    unavailable = Told(body={}, status=503, headers={"Retry-After": "0.2"})
    with JsonServer(in_turn(unavailable, {})) as server:
        send(server.url, wire=make_wire(backoff=waits))
    assert waits.requested == [(0, 0.2)]


def test_the_last_error_carries_what_the_server_asked_for():
    """The final error has the ``Retry-After`` of the response and is marked as retried."""
    busy = Told(body={}, status=429, headers={"Retry-After": "0"})
    with JsonServer(in_turn(busy)) as server, pytest.raises(RateLimited) as caught:
        send(server.url, wire=make_wire(retries=1))
    assert caught.value.retry_after_s == 0.0
    assert caught.value.retried


def test_a_429_halves_the_limit_and_gives_every_slot_back():
    """A 429 response halves the wire's concurrency limit, and no slot stays taken."""
    wire = make_wire(concurrency=8)
    with JsonServer(in_turn(Told(body={}, status=429), {})) as server:
        send(server.url, wire=wire)
    assert wire._limit.limit == 4
    assert wire._limit.in_flight == 0


def test_a_cancelled_request_gives_its_place_back():
    """After a request is cancelled, the next request can use its slot."""
    arrived = threading.Event()

    async def story(url: str) -> None:
        wire = make_wire(concurrency=1)
        stuck = asyncio.create_task(wire.send(f"{url}/stuck", b"{}", bytes))
        await asyncio.to_thread(arrived.wait, 20)
        stuck.cancel()
        await asyncio.gather(stuck, return_exceptions=True)
        assert (await wire.send(url, b"{}", bytes))[1] == b"{}"
        await wire.close()

    def answer(request: Seen) -> Any:
        if request.path == "/stuck":
            arrived.set()
            time.sleep(0.5)
        return {}

    with JsonServer(answer) as server:
        asyncio.run(story(server.url))


@pytest.mark.parametrize("line", ["gate", "retry_after"])
def test_waiting_in_a_line_stops_the_clock_of_the_case(line: str):
    """Waiting for the rate gate or for ``Retry-After`` does not use up the case's deadline."""
    busy = Told(body={}, status=429, headers={"Retry-After": "0.4"})
    answer = in_turn(busy, {}) if line == "retry_after" else in_turn({})
    gate = RateGate(1, window_s=0.4) if line == "gate" else None

    async def story(url: str) -> tuple[float, float, float]:
        wire = make_wire(gate=gate)
        deadline = Deadline(1000.0)
        current_deadline.set(deadline)
        started = time.monotonic()
        await wire.send(url, b"{}", bytes)
        first_s = 0.0
        if line == "gate":
            first_s = time.monotonic() - started  # the gate's window starts at the first request
            await wire.send(url, b"{}", bytes)
        await wire.close()
        return time.monotonic() - started, deadline.used_s(), first_s

    with JsonServer(answer) as server:
        took_s, used_s, first_s = contextvars.copy_context().run(asyncio.run, story(server.url))
    assert took_s >= 0.4
    assert took_s - used_s >= 0.39 - first_s


def test_tokens_are_booked_by_estimate_and_put_right():
    """After the call the gate has counted the actual tokens, not the estimate."""
    gate = RateGate(tokens=1000)
    with JsonServer(in_turn({})) as server:
        send(server.url, b"x" * 300, wire=make_wire(gate=gate), tokens=lambda _: 700)
    assert gate._booked_tokens == 700


def test_a_refused_connection_names_address_and_option():
    """If no server listens, the final message names the address and what to check."""
    url = f"http://127.0.0.1:{unused_port()}/v1"
    with pytest.raises(TransientError) as caught:
        send(url, wire=make_wire(retries=1))
    assert f"cannot connect to {url}" in str(caught.value)
    assert "check 'base_url' and that the server is running" in str(caught.value)
    assert caught.value.retried
    assert "\n" not in str(caught.value)


def test_a_tls_failure_stops_and_names_what_to_check():
    """An ``https`` address of a plain HTTP server stops the run and names what to check."""
    with JsonServer(in_turn({})) as server, pytest.raises(ProviderUnavailable) as caught:
        send(server.url.replace("http:", "https:"))
    assert "TLS failure" in str(caught.value)
    assert "check 'base_url'" in str(caught.value)
    assert "SSL_CERT_FILE" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_address_that_is_none_is_wrong_use():
    """A URL without a host is a ``UseError`` that says so."""
    with pytest.raises(UseError, match="is not an address; check 'base_url'"):
        send("http://")


@pytest.mark.parametrize("padding", range(180, 320, 4))
def test_a_key_at_the_edge_of_a_long_message_is_not_shown_in_part(padding: int):
    """If a long message is cut in the middle of the key, no part of the key is shown."""
    refusal = Told(body={"error": {"message": "x" * padding + KEY}}, status=401)
    with JsonServer(in_turn(refusal)) as server, pytest.raises(AccessRefused) as caught:
        send(server.url)
    assert KEY[:10] not in str(caught.value)


@pytest.mark.parametrize("padding", [0, 60, 70, 75])
def test_a_key_in_plain_text_is_not_shown(padding: int):
    """The key is removed from an error body that is not JSON, too."""
    refusal = Told(body=b"x" * padding + KEY.encode(), status=418)
    with JsonServer(in_turn(refusal)) as server, pytest.raises(AssayError) as caught:
        send(server.url)
    assert KEY[:10] not in str(caught.value)


def test_one_connection_serves_many_requests():
    """Five requests in a row use one connection."""
    with JsonServer(in_turn({})) as server:
        addresses = set()
        finish_request = server._server.finish_request

        def record_address(request: Any, address: Any) -> None:
            addresses.add(address)
            finish_request(request, address)

        server._server.finish_request = record_address  # type: ignore[method-assign]

        async def story() -> None:
            wire = make_wire()
            for _ in range(5):
                await wire.send(server.url, b"{}", bytes)
            await wire.close()

        asyncio.run(story())
    assert len(server.seen) == 5
    assert len(addresses) == 1
