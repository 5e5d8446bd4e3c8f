"""What all programs in this folder share: the work to do and the figures to print.

A program is started as ``PROGRAM PORT QUESTIONS FOLDER [ARGUMENT …]``. It sends its questions to the
chat server at that port with ``CONCURRENCY`` calls in flight, writes its results to the folder, and
prints one JSON line. Imports and the creation of the questions are not measured; each program asks
one question before, because some import and read files only then. This module uses only the standard
library, because it runs in the environment of each peer.
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
"""The words that a right answer contains."""


def question_text(number: int) -> str:
    """The question with this number; all questions are different."""
    return f"What notice period does clause {number} of the berth contract give the tenant?"


class Job:
    """The arguments of the command line."""

    def __init__(self) -> None:
        port, count, folder, *self.arguments = sys.argv[1:]
        self.base_url = f"http://127.0.0.1:{port}/v1"
        self.count = int(count)
        self.folder = Path(folder)

    def request(self, number: int) -> dict[str, object]:
        """The body of the chat request for a question."""
        return {
            "model": MODEL,
            "messages": [{"role": "user", "content": question_text(number)}],
            "temperature": 0.0,
        }


@contextmanager
def measured(folder: Path) -> Iterator[None]:
    """Print the CPU and wall seconds of the block, the peak memory, and the bytes in ``folder``."""
    before, began_s = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    yield
    wall_s = time.perf_counter() - began_s
    after = resource.getrusage(resource.RUSAGE_SELF)
    bytes_left = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    figures = {
        "cpu_s": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "wall_s": wall_s,
        # bytes on macOS, kilobytes elsewhere
        "peak_mb": after.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10),
        "bytes_left": bytes_left,
    }
    print(json.dumps(figures), flush=True)
