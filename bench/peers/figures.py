"""What every program of this folder shares: the work, and the figures it prints. Plain Python.

A program is started as ``PROGRAM PORT QUESTIONS FOLDER [ARGUMENT …]``, puts its questions to
the chat server at that port with ``CONCURRENCY`` in flight, leaves its results in the folder
and prints one JSON line. Imports and the making of the questions are not counted.
"""

import json
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CONCURRENCY = 64
MODEL = "fast"
EXPECTED = "thirty days"
"""What the answer must hold for the scorers to call it right."""


def question_text(number: int) -> str:
    """The question of that number; no two are alike."""
    return f"What notice period does clause {number} of the berth contract give the tenant?"


class Job:
    """What the command line asks for."""

    def __init__(self) -> None:
        port, count, folder, *self.arguments = sys.argv[1:]
        self.base_url = f"http://127.0.0.1:{port}/v1"
        self.count = int(count)
        self.folder = Path(folder)

    def request(self, number: int) -> dict[str, object]:
        """The body of one chat call."""
        return {
            "model": MODEL,
            "messages": [{"role": "user", "content": question_text(number)}],
            "temperature": 0.0,
        }


@contextmanager
def counted(folder: Path) -> Iterator[None]:
    """Print the CPU and wall seconds spent inside, the peak memory and the bytes left behind."""
    before, began_s = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    yield
    wall_s = time.perf_counter() - began_s
    after = resource.getrusage(resource.RUSAGE_SELF)
    left = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    figures = {
        "cpu_s": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "wall_s": wall_s,
        # bytes on macOS, kilobytes elsewhere
        "peak_mb": after.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10),
        "bytes_left": left,
    }
    print(json.dumps(figures), flush=True)
