"""The wire: retries, patience, addresses that lead nowhere, and what messages may say."""

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
    """A back-off that notes what it was asked and waits no longer than that."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, float | None]] = []

    def delay_s(self, attempt: int, *, retry_after_s: float | None = None) -> float:
        """What the server asks for, or nothing."""
        self.asked.append((attempt, retry_after_s))
        return retry_after_s or 0.0


def make_wire(**changes: Any) -> Wire:
    """A wire with a key, three retries and no waiting."""
    usual = {
        "headers": {"Authorization": Secret(f"Bearer {KEY}")},
        "timeout_s": 20.0,
        "retries": 3,
        "concurrency": 8,
        "key_hint": "HOUSE_KEY",
        "address_hint": "'base_url'",
        "backoff": Backoff(base_s=0.0),
    }
    return Wire(**usual | changes)


def send(url: str, body: bytes | None = b"{}", *, wire: Wire | None = None, **how: Any) -> bytes:
    """The body of the reply to one request."""

    async def story() -> bytes:
        sender = wire or make_wire()
        try:
            return (await sender.send(url, body, bytes, **how))[1]
        finally:
            await sender.close()

    return asyncio.run(story())


def in_turn(*told: Any) -> Callable[[Seen], Any]:
    """Answers in order, the last one for ever."""
    left = list(told)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def test_a_reply_comes_with_its_latency():
    """What was sent back, and a time no shorter than the server took."""

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
    """The method is the caller's."""
    with JsonServer(in_turn({"a": 1})) as server:
        send(server.url, None, method="GET")
    assert (server.seen[0].method, server.seen[0].body) == ("GET", b"")
    assert server.seen[0].headers["Authorization"] == f"Bearer {KEY}"


def test_tries_are_counted_and_told_to_the_back_off():
    """Three retries make four requests; each wait knows the number of the try."""
    waits = Waits()
    with JsonServer(in_turn(Told(body={}, status=500))) as server, pytest.raises(TransientError):
        send(server.url, wire=make_wire(backoff=waits))
    assert len(server.seen) == 4
    assert waits.asked == [(0, None), (1, None), (2, None)]


def test_no_retries_means_one_request():
    """``retries: 0`` is obeyed."""
    with JsonServer(in_turn(Told(body={}, status=503))) as server, pytest.raises(TransientError):
        send(server.url, wire=make_wire(retries=0))
    assert len(server.seen) == 1


def test_retry_after_in_seconds_is_waited_for():
    """The second request comes no sooner than the first reply asked for."""
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
    """A date is turned into the seconds from now to then."""
    waits = Waits()
    monkeypatch.setattr("assay.models.wire.time.time", lambda: 1_000_000_000.0)
    date = "Sun, 09 Sep 2001 01:46:40 GMT"  # that very second
    later = "Sun, 09 Sep 2001 01:46:41 GMT"
    told = [Told(body={}, status=429, headers={"Retry-After": when}) for when in (date, later)]
    with JsonServer(in_turn(*told, {})) as server:
        send(server.url, wire=make_wire(backoff=waits))
    assert waits.asked == [(0, 0.0), (1, 1.0)]


def test_a_retry_after_that_says_nothing_leaves_it_to_the_back_off():
    """Neither a number nor a date: no reason to fail."""
    waits = Waits()
    told = Told(body={}, status=429, headers={"Retry-After": "in a while"})
    with JsonServer(in_turn(told, {})) as server:
        send(server.url, wire=make_wire(backoff=waits))
    assert waits.asked == [(0, None)]


def test_a_service_that_is_down_for_a_while_is_given_the_time_it_asks_for():
    """A 503 may carry Retry-After as well as a 429."""
    waits = Waits()
    told = Told(body={}, status=503, headers={"Retry-After": "0.2"})
    with JsonServer(in_turn(told, {})) as server:
        send(server.url, wire=make_wire(backoff=waits))
    assert waits.asked == [(0, 0.2)]


def test_the_last_error_carries_what_the_server_asked_for():
    """Whoever is above knows how long, and that the tries are used up."""
    told = Told(body={}, status=429, headers={"Retry-After": "0"})
    with JsonServer(in_turn(told)) as server, pytest.raises(RateLimited) as caught:
        send(server.url, wire=make_wire(retries=1))
    assert caught.value.retry_after_s == 0.0
    assert caught.value.retried


def test_a_429_halves_what_is_in_flight_and_success_restores_it():
    """AIMD on the wire's own limit."""
    wire = make_wire(concurrency=8)
    with JsonServer(in_turn(Told(body={}, status=429), {})) as server:
        send(server.url, wire=wire)
    assert wire._limit.limit == 4
    assert wire._limit.in_flight == 0


def test_a_cancelled_request_gives_its_place_back():
    """Nobody waits for ever behind a case that timed out."""
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
    """Neither a full rate gate nor a Retry-After is time that the case has used."""
    busy = Told(body={}, status=429, headers={"Retry-After": "0.4"})
    told = in_turn(busy, {}) if line == "retry_after" else in_turn({})
    gate = RateGate(1, window_s=0.4) if line == "gate" else None

    async def story(url: str) -> tuple[float, float, float]:
        wire = make_wire(gate=gate)
        deadline = Deadline(1000.0)
        current_deadline.set(deadline)
        began = time.monotonic()
        await wire.send(url, b"{}", bytes)
        first_s = 0.0
        if line == "gate":
            first_s = time.monotonic() - began  # the gate's window runs from the first request
            await wire.send(url, b"{}", bytes)
        await wire.close()
        return time.monotonic() - began, deadline.used_s(), first_s

    with JsonServer(told) as server:
        took_s, used_s, first_s = contextvars.copy_context().run(asyncio.run, story(server.url))
    assert took_s >= 0.4
    assert took_s - used_s >= 0.39 - first_s


def test_tokens_are_booked_by_estimate_and_put_right():
    """The gate holds what the reply says, not what the request looked like."""
    gate = RateGate(tokens=1000)
    with JsonServer(in_turn({})) as server:
        send(server.url, b"x" * 300, wire=make_wire(gate=gate), tokens=lambda _: 700)
    assert gate._booked_tokens == 700


def test_a_refused_connection_names_address_and_option():
    """Nobody listens: after the last try one line says where, and what to look at."""
    url = f"http://127.0.0.1:{unused_port()}/v1"
    with pytest.raises(TransientError) as caught:
        send(url, wire=make_wire(retries=1))
    assert f"cannot connect to {url}" in str(caught.value)
    assert "check 'base_url' and that the server is running" in str(caught.value)
    assert caught.value.retried
    assert "\n" not in str(caught.value)


def test_a_tls_failure_stops_and_names_what_to_check():
    """``https`` to a server that speaks plain HTTP will not pass by itself."""
    with JsonServer(in_turn({})) as server, pytest.raises(ProviderUnavailable) as caught:
        send(server.url.replace("http:", "https:"))
    assert "TLS failure" in str(caught.value)
    assert "check 'base_url'" in str(caught.value)
    assert "SSL_CERT_FILE" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_address_that_is_none_is_wrong_use():
    """A mistyped address is said to be one."""
    with pytest.raises(UseError, match="is not an address; check 'base_url'"):
        send("http://")


@pytest.mark.parametrize("padding", range(180, 320, 4))
def test_a_key_at_the_edge_of_a_long_message_is_not_shown_in_part(padding: int):
    """Cutting a long message must not leave the head of the key in it."""
    told = Told(body={"error": {"message": "x" * padding + KEY}}, status=401)
    with JsonServer(in_turn(told)) as server, pytest.raises(AccessRefused) as caught:
        send(server.url)
    assert KEY[:10] not in str(caught.value)


@pytest.mark.parametrize("padding", [0, 60, 70, 75])
def test_a_key_in_plain_text_is_not_shown(padding: int):
    """An error that is no JSON is shown without the key too."""
    told = Told(body=b"x" * padding + KEY.encode(), status=418)
    with JsonServer(in_turn(told)) as server, pytest.raises(AssayError) as caught:
        send(server.url)
    assert KEY[:10] not in str(caught.value)


def test_one_connection_serves_many_requests():
    """Connections are kept alive: what is sent one after the other takes one."""
    with JsonServer(in_turn({})) as server:
        addresses = set()
        whole = server._server.finish_request

        def note(request: Any, address: Any) -> None:
            addresses.add(address)
            whole(request, address)

        server._server.finish_request = note  # type: ignore[method-assign]

        async def story() -> None:
            wire = make_wire()
            for _ in range(5):
                await wire.send(server.url, b"{}", bytes)
            await wire.close()

        asyncio.run(story())
    assert len(server.seen) == 5
    assert len(addresses) == 1
