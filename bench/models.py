"""Model calls: the cost of assay's whole path, compared with a bare loop and with other tools.

Every program in ``peers/`` does the same work with ``fast_server.py``: the same number of questions,
one chat call for each, 64 in flight. assay plans, calls, scores and writes the journal; the bare
loop only sends and parses. The other tools (peers) are installed into separate environments in the
user's cache folder, never as dependencies. ``make bench BENCH_PEERS=no`` leaves them out.
"""

import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from measure import Measure, compared

HERE = Path(__file__).parent
QUESTIONS = 5_000
DELAYED_QUESTIONS = 20_000
REPEATS = 9
DELAYED_REPEATS = 5
LATENCY_MS = 50
PEER_ROUNDS = (0, 4)
"""The rounds in which peers take part: they need minutes where assay needs seconds."""
TIMEOUT_S = 1800
BARE, CACHED, UNCACHED = "bare loop", "assay, call cache on", "assay, call cache off"
TARGETS = {CACHED: 2.0, UNCACHED: 1.5}


class Peer(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that does the same work, and the packages that its environment needs."""

    name: str
    program: str
    packages: tuple[str, ...]


PEERS = (
    Peer(
        name="pydantic-evals",
        program="ask_pydantic.py",
        packages=("pydantic-evals==2.62.0", "aiohttp==3.14.5"),
    ),
    Peer(
        name="inspect_ai",
        program="ask_inspect.py",
        packages=("inspect_ai==0.3.285", "openai==3.49.0"),
    ),
)


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures that a program prints; see ``peers/figures.py``."""

    cpu_s: float
    wall_s: float
    peak_mb: float
    bytes_left: int


class NotMeasured(Exception):
    """A program could not be installed or failed; the message is one line."""


Command = Sequence[str | Path]
Samples = dict[str, list[Figures | None]]


def measures() -> Iterator[Measure]:
    """Measure CPU and memory without latency, then wall time with latency."""
    own = {
        BARE: (sys.executable, HERE / "peers" / "ask_bare.py"),
        CACHED: (sys.executable, HERE / "peers" / "ask_assay.py"),
        UNCACHED: (sys.executable, HERE / "peers" / "ask_assay.py", "nocache"),
    }
    peers: dict[str, Command] = {}
    absent: dict[str, str] = {}
    for peer in PEERS if os.environ.get("BENCH_PEERS", "yes") != "no" else ():
        try:
            peers[peer.name] = (install(peer), HERE / "peers" / peer.program)
        except NotMeasured as reason:
            absent[peer.name] = str(reason)
    with server(0) as port:
        samples = rounds({**own, **peers}, port, absent)
    yield from cpu(samples, absent)
    yield from memory(samples)
    with server(LATENCY_MS) as port:
        samples = rounds(own, port, absent, DELAYED_QUESTIONS, DELAYED_REPEATS)
    yield from wall(samples)


def cpu(samples: Samples, absent: Mapping[str, str]) -> Iterator[Measure]:
    """CPU per question of each program, compared with the bare loop."""
    for name in samples:
        if name != BARE and any(samples[name]):
            values, references = paired(samples, name)
            yield compared(
                f"CPU per question, {name}",
                [each.cpu_s / QUESTIONS * 1e3 for each in values],
                BARE,
                [each.cpu_s / QUESTIONS * 1e3 for each in references],
                unit="ms",
                target=TARGETS.get(name),
            )
    for name, reason in absent.items():
        yield unmeasured(f"CPU per question, {name}: {reason}", "ms")


def memory(samples: Samples) -> Iterator[Measure]:
    """Peak memory of each program, compared with the bare loop."""
    for name in samples:
        if name != BARE and any(samples[name]):
            values, references = paired(samples, name)
            yield compared(
                f"peak memory, {name}",
                [each.peak_mb for each in values],
                BARE,
                [each.peak_mb for each in references],
                unit="MB",
            )


def wall(samples: Samples) -> Iterator[Measure]:
    """Wall time of a run if the server delays every call."""
    for name in (CACHED, UNCACHED):
        values, references = paired(samples, name)
        yield compared(
            f"wall time, {DELAYED_QUESTIONS:,} calls of {LATENCY_MS} ms, {name}",
            [each.wall_s for each in values],
            BARE,
            [each.wall_s for each in references],
            unit="s",
            target=1.05,
        )


def paired(samples: Samples, name: str) -> tuple[list[Figures], list[Figures]]:
    """The figures of a program and those of the bare loop in the same rounds."""
    pairs = [
        (value, reference)
        for value, reference in zip(samples[name], samples[BARE], strict=True)
        if value is not None and reference is not None
    ]
    return [value for value, _ in pairs], [reference for _, reference in pairs]


def unmeasured(name: str, unit: str) -> Measure:
    """A measure without numbers, for a program that has no figures."""
    return Measure(
        name=name,
        unit=unit,
        value=math.nan,
        reference_name=BARE,
        reference=math.nan,
        ratio=math.nan,
        ratio_low=math.nan,
        ratio_high=math.nan,
        values=[],
        references=[],
    )


def rounds(
    programs: Mapping[str, Command],
    port: int,
    absent: dict[str, str],
    questions: int = QUESTIONS,
    repeats: int = REPEATS,
) -> Samples:
    """Run the programs in turns.

    A peer that fails once is left out of later rounds, and the reason is added to ``absent``.
    """
    samples: Samples = {name: [] for name in programs}
    peers = {peer.name for peer in PEERS}
    for number in range(repeats):
        for name, command in programs.items():
            figures = None
            if name not in peers or (number in PEER_ROUNDS and name not in absent):
                print(f"  round {number + 1}/{repeats}: {name}", file=sys.stderr, flush=True)
                try:
                    figures = run(command, port, questions)
                except NotMeasured as reason:
                    if name not in peers:
                        raise SystemExit(f"{name}: {reason}") from None
                    absent[name] = str(reason)
            samples[name].append(figures)
    return samples


def run(command: Command, port: int, questions: int) -> Figures:
    """Run a program in a temporary folder and in a separate process."""
    python, program, *arguments = map(str, command)
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        try:
            process = subprocess.run(
                [python, program, str(port), str(questions), folder, *arguments],
                cwd=folder,
                env=clean_environment(),
                capture_output=True,
                timeout=TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NotMeasured(f"not finished within {TIMEOUT_S / 60:g} min") from None
    if process.returncode:
        lines = process.stderr.decode(errors="replace").strip().splitlines()
        message = lines[-1] if lines else "no message"
        raise NotMeasured(f"ended with {process.returncode}: {message}")
    return msgspec.json.decode(process.stdout.splitlines()[-1], type=Figures)


def install(peer: Peer) -> Path:
    """Create the environment of a peer, unless it exists, and return its Python."""
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "assay-bench"
    folder = root / peer.program.removesuffix(".py").removeprefix("ask_")
    stamp = folder / "packages"
    python = folder / "bin" / "python"
    packages = " ".join(peer.packages)
    if stamp.exists() and stamp.read_text() == packages:
        return python
    print(f"  installing {packages} into {folder}", file=sys.stderr, flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    for command in (
        (sys.executable, "-m", "venv", folder),
        (python, "-m", "pip", "install", "--quiet", *peer.packages),
    ):
        process = subprocess.run(
            [*map(str, command)], env=clean_environment(), capture_output=True, check=False
        )
        if process.returncode:
            raise NotMeasured("could not be installed")
    stamp.write_text(packages)
    return python


def clean_environment() -> dict[str, str]:
    """The environment without the variables that would change another Python interpreter."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


@contextmanager
def server(latency_ms: float) -> Iterator[int]:
    """Run the fast server during the block; yields its port."""
    command = [sys.executable, str(HERE / "fast_server.py"), "--latency-ms", str(latency_ms)]
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
