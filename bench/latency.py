"""Latency: the figures that assay records, compared with the server's own, call by call.

``timed_server.py`` says in each answer how long it worked. A figure is right if it differs from that
by at most 10 %, and the target is that 95 % of all calls of a fresh process are right, the first ones
included. So the measure is the 95th percentile of the error, in percent. Bare clients of httpx and
aiohttp, which take the time around each call, do the same work in turns with assay. httpx is
installed into an environment of its own; ``BENCH_PEERS=no`` leaves it out.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec
from measure import Measure, compared

from models import Command, NotMeasured, Peer, clean_environment, install

HERE = Path(__file__).parent
CALLS = {1: 60, 8: 480, 64: 2560}
"""The number of calls for each number of calls at once."""
DELAY_MS = (100, 200)
REPEATS = 3
HTTPX = Peer(name="bare httpx client", program="time_httpx.py", packages=("httpx==0.28.1",))
ASSAY, AIOHTTP = "assay", "bare aiohttp client"

Pairs = list[tuple[float, float]]


class _Printed(msgspec.Struct, frozen=True):
    pairs: Pairs


def measures() -> Iterator[Measure]:
    """The 95th percentile of the error at each number of calls at once."""
    programs: dict[str, Command] = {
        ASSAY: (sys.executable, HERE / "peers" / "time_assay.py"),
        AIOHTTP: (sys.executable, HERE / "peers" / "time_aiohttp.py"),
    }
    if os.environ.get("BENCH_PEERS", "yes") != "no":
        try:
            programs[HTTPX.name] = (install(HTTPX), HERE / "peers" / HTTPX.program)
        except NotMeasured as reason:
            print(f"  {HTTPX.name}: {reason}", file=sys.stderr)
    with server() as port:
        for concurrency, calls in CALLS.items():
            errors = _rounds(programs, port, calls, concurrency)
            for name in programs:
                if name != ASSAY:
                    yield compared(
                        f"error of the latency, 95th percentile, {concurrency} at once",
                        [percentile(sample) for sample in errors[ASSAY]],
                        name,
                        [percentile(sample) for sample in errors[name]],
                        unit="%",
                        target=10.0,
                        bounded="value",
                    )


def percentile(errors: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(errors, n=20, method="inclusive")[-1]


def _rounds(
    programs: Mapping[str, Command], port: int, calls: int, concurrency: int
) -> dict[str, list[list[float]]]:
    """The errors of each program, in percent, for each round."""
    errors: dict[str, list[list[float]]] = {name: [] for name in programs}
    for number in range(REPEATS):
        for name, command in programs.items():
            print(
                f"  {concurrency} at once, round {number + 1}/{REPEATS}: {name}",
                file=sys.stderr,
                flush=True,
            )
            pairs = _run(command, port, calls, concurrency)
            errors[name].append([100 * abs(own_s / server_s - 1) for own_s, server_s in pairs])
    return errors


def _run(command: Command, port: int, calls: int, concurrency: int) -> Pairs:
    python, program = map(str, command)
    environment = {**clean_environment(), **_source()} if python == sys.executable else None
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        process = subprocess.run(
            [python, program, str(port), str(calls), folder, str(concurrency)],
            cwd=folder,
            env=environment or clean_environment(),
            stdout=subprocess.PIPE,
            check=True,
        )
    return msgspec.json.decode(process.stdout.splitlines()[-1], type=_Printed).pairs


def _source() -> dict[str, str]:
    """Measure the assay beside this folder, also if another one is installed."""
    return {"PYTHONPATH": str(HERE.parent / "src")}


@contextmanager
def server() -> Iterator[int]:
    """Run the timed server during the block; yields its port."""
    command = [sys.executable, str(HERE / "timed_server.py"), *map(str, DELAY_MS)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=clean_environment()
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.stdin.close()  # ends the server
            process.stdout.read()
