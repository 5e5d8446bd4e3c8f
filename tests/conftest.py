"""What every test starts from: no network beyond loopback, and Hypothesis that repeats itself."""

import gc
import ipaddress
import os
import signal
import socket
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hatch_build import compile_words
from hypothesis import settings

from assay.words.language import use_language
from tests.support.command_server import close_shared, share_with_workers

# run by `make test-real-model` and `make test-real-clients`, with environments of their own
collect_ignore_glob = ["real_model/*", "real_clients/*"]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a shell starts background jobs this way, and the commands under test would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

# whatever language the shell of the person who tests has
os.environ["LC_ALL"] = "C.UTF-8"
for _language in ("ASSAY_LANG", "LANGUAGE"):
    os.environ.pop(_language, None)

# tests run side by side: threads for linear algebra would only wait for each other
for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")


MEMORY = Path("/dev/shm")
ENOUGH_BYTES = 1_500_000_000


def _memory_takes_files() -> bool:
    """Whether there is a file system in memory with room for the files of the tests and programs."""
    try:
        system = os.statvfs(MEMORY)
    except OSError:
        return False
    room = system.f_bavail * system.f_frsize
    return os.access(MEMORY, os.W_OK) and not system.f_flag & os.ST_NOEXEC and room > ENOUGH_BYTES


# tests write thousands of small files, most of which the commands under test wait for the disk to
# store; without another wish of the person who tests, they are in memory
if "TMPDIR" not in os.environ and sys.platform == "linux" and _memory_takes_files():
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


# almost nothing that collecting makes is garbage: to look for it took an eighth of the time
gc.disable()


def pytest_configure(config: pytest.Config) -> None:
    """Compile the catalogues that changed, and let all workers use one server of commands."""
    compile_words()
    if getattr(config.option, "numprocesses", None):
        share_with_workers()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slow tests first: at the end, a worker would run one while the others have nothing."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_sessionfinish() -> None:
    """End the servers of commands that this process has started."""
    close_shared()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """After a whole run in parallel, write its fifty slowest tests to ``build/slowest.txt``.

    A line has the seconds of a test with its set-up and tear-down, and its id.
    """
    options = config.option
    is_chosen = options.keyword or options.markexpr
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not is_chosen
    if not getattr(options, "numprocesses", None) or not is_whole:
        return
    seconds: defaultdict[str, float] = defaultdict(float)
    for report in chain.from_iterable(terminalreporter.stats.values()):
        if isinstance(report, pytest.TestReport):
            seconds[report.nodeid] += report.duration
    slowest = sorted(seconds.items(), key=lambda test: -test[1])[:50]
    path = config.rootpath / "build" / "slowest.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{taken:8.2f} {test}\n" for test, taken in slowest), encoding="utf-8")


def pytest_collection_finish() -> None:
    """Take what collecting left out of every later collection of garbage: it lives to the end."""
    gc.collect()
    gc.freeze()
    gc.enable()


settings.register_profile("assay", derandomize=True, deadline=None, database=None)
settings.load_profile("assay")


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """No test inherits the language of another, nor does a doctest, which has no such fixture."""
    use_language("en")
    yield
    use_language("en")


class OutsideNetworkRefused(RuntimeError):
    """A test tried to leave this machine. No ``OSError``: it must not pass for a bad line."""


@pytest.fixture(autouse=True, scope="session")
def loopback_only() -> Iterator[None]:
    """Refuse every connection, datagram and name look-up that would leave this machine."""
    connect, connect_ex, sendto = (
        socket.socket.connect,
        socket.socket.connect_ex,
        socket.socket.sendto,
    )
    look_up = socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        _refuse_outside(self.family, address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        _refuse_outside(self.family, address)
        return connect_ex(self, address)

    def guarded_sendto(self: socket.socket, data: bytes, *rest: Any) -> int:
        _refuse_outside(self.family, rest[-1])
        return sendto(self, data, *rest)

    def guarded_look_up(host: Any, *rest: Any, **named: Any) -> Any:
        _refuse_outside(socket.AF_INET, (host, None))
        return look_up(host, *rest, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        patch.setattr(socket.socket, "sendto", guarded_sendto)
        patch.setattr(socket, "getaddrinfo", guarded_look_up)
        yield


def _refuse_outside(family: int, address: Any) -> None:
    if family == socket.AF_UNIX:
        return
    host = address[0] if isinstance(address, tuple) else address
    host = host.decode() if isinstance(host, bytes) else host
    if family not in (socket.AF_INET, socket.AF_INET6) or not _is_loopback(host):
        raise OutsideNetworkRefused(
            f"tests may not reach beyond loopback: {host!r}; serve it from 127.0.0.1"
        )


def _is_loopback(host: str | None) -> bool:
    if host in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False
