"""What every test starts from: a guard that keeps it on this machine, order, and durations."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.path import ROOT

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


def test_a_whole_run_writes_its_slowest_tests(tmp_path: Path):
    """The slowest is first, with its set-up; a run of chosen tests leaves the file alone."""
    (tmp_path / "trial").mkdir()
    shutil.copy2(ROOT / "tests" / "conftest.py", tmp_path / "trial")
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\ntestpaths = trial\naddopts = --import-mode=importlib\n"
    )
    (tmp_path / "trial" / "test_speed.py").write_text(
        "import time\nimport pytest\n\n"
        "@pytest.fixture\ndef late():\n    time.sleep(0.4)\n\n"
        "def test_a():\n    pass\n\n"
        "def test_b(late):\n    pass\n\n"
        "def test_c():\n    time.sleep(0.2)\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT / "src", ROOT)))}
    slowest = tmp_path / "build" / "slowest.txt"
    for options in (["-k", "test_a"], []):
        assert not slowest.exists()
        begun = time.monotonic()
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-n", "1", *options],
            cwd=tmp_path, env=environment, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
    lines = [line.split() for line in slowest.read_text(encoding="utf-8").splitlines()]
    names = [name for _, name in lines]
    assert names == [f"trial/test_speed.py::test_{letter}" for letter in "bca"]
    assert 0.4 <= float(lines[0][0]) < time.monotonic() - begun
