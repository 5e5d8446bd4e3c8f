"""Fuzz every reader of files: ``make fuzz``, or ``python -m tests.fuzz.run --help``.

Hypothesis chooses a whole file and how it is damaged; the reader must read the result, or refuse it
with one of our errors. Anything else is a finding: another exception, a case that takes longer than
``MOST_SECONDS``, or memory beyond ``MOST_MB``. The smallest file of each finding is kept with
``--keep`` and belongs into ``tests/fuzz/seed/READER/``, which every run and the test suite read first.
"""

import argparse
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from assay.errors import AssayError
from tests.fuzz.mutation import mutated
from tests.fuzz.target import Target, targets

SEEDS: Final = Path(__file__).parent / "seed"
MOST_SECONDS: Final = 20
MOST_MB: Final = 1024
CASES: Final = 20_000


class TooSlow(BaseException):
    """A case took longer than it may."""


def read_damaged(target: Target, name: str, data: bytes, folder: Path) -> bool:
    """Let the reader read the data; return whether it refused them.

    An exception other than ours is the finding, and is raised.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for other, content in target.beside.items():
        (folder / other).write_bytes(content)
    path = folder / name
    path.write_bytes(data)
    before_mb = _peak_mb()  # the tests before these may have used more
    try:
        with at_most(MOST_SECONDS):
            target.read(path)
    except AssayError:
        return True
    used_mb = _peak_mb() - before_mb
    if used_mb > MOST_MB:
        raise MemoryError(f"{used_mb} MB")
    return False


def _peak_mb() -> int:
    """The most memory that this process has used so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raise ``TooSlow`` if what is inside takes longer."""

    def end(*_: Any) -> None:
        raise TooSlow(f"more than {seconds} s")

    previous = signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def seed_files(target: Target) -> list[Path]:
    """The files that an earlier run found."""
    return sorted((SEEDS / target.name.replace(" ", "_")).glob("*"))


def fuzz(target: Target, cases: int, start: int, folder: Path, until: float) -> Counter[str]:
    """Read damaged files; return how many were read and refused. Raises what was found."""
    counts: Counter[str] = Counter()

    @seed(start)
    @settings(
        max_examples=cases,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @given(
        name=st.sampled_from(sorted(target.files)),
        number=st.integers(0, 2**32 - 1),
    )
    def read(name: str, number: int) -> None:
        if time.monotonic() > until:
            counts["not tried"] += 1
            return
        data = mutated(target.files[name], target.kind, Random(number))
        try:
            refused = read_damaged(target, name, data, folder)
        except (Exception, TooSlow) as error:  # noqa: BLE001 - a finding
            keep_finding(target, name, data, error)
            counts["findings"] += 1
        else:
            counts["refused" if refused else "read"] += 1

    read()
    return counts


FOUND: dict[tuple[str, str], tuple[str, bytes, str]] = {}
"""The smallest file of each finding, by reader and place in the code."""


def keep_finding(target: Target, name: str, data: bytes, error: BaseException) -> None:
    """Remember a finding, if it is smaller than the one known at this place."""
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if "/assay/" in frame.filename
    ]
    place = (
        f"{type(error).__name__} {frames[-1].filename.rpartition('/assay/')[2]}:{frames[-1].lineno}"
        if frames
        else type(error).__name__
    )
    known = FOUND.get((target.name, place))
    if known is None or len(data) < len(known[1]):
        FOUND[target.name, place] = (name, data, "".join(traceback.format_exception(error))[-1500:])


def main() -> int:
    """Fuzz all readers, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="readers; all by default")
    parser.add_argument("--cases", type=int, default=CASES, help="cases over all readers")
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="write findings into this folder")
    options = parser.parse_args()
    chosen = [target for target in targets() if not options.names or target.name in options.names]
    until = time.monotonic() + 60 * options.minutes
    total: Counter[str] = Counter()
    folder = Path(tempfile.mkdtemp(prefix="assay-fuzz-"))
    try:
        for target in chosen:
            for name, content in target.files.items():
                if read_damaged(target, name, content, folder):
                    raise AssertionError(f"{target.name}: the whole file {name} is refused")
            for path in seed_files(target):
                read_damaged(target, path.name.rpartition("+")[2], path.read_bytes(), folder)
            total.update(_round(target, options, len(chosen), folder, until))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    used_mb = _peak_mb()
    for (reader, place), (name, data, trace) in FOUND.items():
        sys.stdout.write(f"\n== {reader}: {place} ({name}, {len(data)} bytes)\n{trace}\n")
        if options.keep:
            kind, _, code = place.replace("/", "-").partition(" ")
            kept = (
                options.keep / reader.replace(" ", "_") / f"{code.replace(':', '-')}-{kind}+{name}"
            )
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(data)
    counts = ", ".join(f"{count} {word}" for word, count in sorted(total.items()))
    sys.stdout.write(
        f"{sum(total.values())} cases ({counts}), {used_mb} MB, {len(FOUND)} findings\n"
    )
    return 1 if FOUND else 0


def _round(target: Target, options: Any, readers: int, folder: Path, until: float) -> Counter[str]:
    began = time.monotonic()
    cases = max(1, -(-options.cases // readers))
    counts = fuzz(target, cases, options.seed, folder, until)
    took_s = time.monotonic() - began
    sys.stdout.write(f"{target.name}: {dict(counts)} in {took_s:.0f} s\n")
    sys.stdout.flush()
    return counts


if __name__ == "__main__":
    sys.exit(main())
