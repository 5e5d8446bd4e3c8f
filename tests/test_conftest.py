"""The guard that keeps tests on this machine."""

import socket
from pathlib import Path

import pytest

REFUSED = "beyond loopback"


@pytest.mark.parametrize(
    ("family", "host"),
    [
        (socket.AF_INET, "192.0.2.1"),
        (socket.AF_INET, "example.org"),
        (socket.AF_INET, "128.0.0.1"),
        (socket.AF_INET6, "2001:db8::1"),
    ],
)
def test_a_connection_beyond_loopback_is_refused(family: int, host: str):
    """No test can open a connection that leaves this machine, by either call."""
    with socket.socket(family) as outward:
        outward.settimeout(0.1)
        with pytest.raises(RuntimeError, match=REFUSED):
            outward.connect((host, 9))
        with pytest.raises(RuntimeError, match=REFUSED):
            outward.connect_ex((host, 9))


def test_a_datagram_beyond_loopback_is_refused():
    """Not even a datagram leaves this machine."""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outward,
        pytest.raises(RuntimeError, match=REFUSED),
    ):
        outward.sendto(b"hello", ("192.0.2.1", 9))


def test_a_name_beyond_loopback_is_not_looked_up():
    """Names are not resolved, so that no query leaves this machine either."""
    with pytest.raises(RuntimeError, match=REFUSED):
        socket.getaddrinfo("example.org", 80)
    assert socket.getaddrinfo("localhost", 80)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "localhost"])
def test_loopback_is_allowed(host: str):
    """A server of this machine can be reached by its addresses and by name."""
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1" if host == "localhost" else host, 0))
        server.listen(1)
        client.connect((host, server.getsockname()[1]))


def test_local_sockets_are_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A socket in the file system never leaves this machine."""
    monkeypatch.chdir(tmp_path)  # a socket's path may not be long
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind("s")
        server.listen(1)
        client.connect("s")


def test_slow_tests_start_first(request: pytest.FixtureRequest):
    """No slow test comes after another one, where a worker would run it while the others wait."""
    is_slow = [item.get_closest_marker("slow") is not None for item in request.session.items]
    assert is_slow == sorted(is_slow, reverse=True)
