"""What the programs that measure latencies share: their arguments and what they print.

A program is started as ``PROGRAM PORT CALLS FOLDER CONCURRENCY``. This module uses only the standard
library, because it runs in the environment of each peer.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path


class TimedJob:
    """The arguments of the command line."""

    def __init__(self) -> None:
        port, count, folder, concurrency = sys.argv[1:]
        self.base_url = f"http://127.0.0.1:{port}/v1"
        self.count = int(count)
        self.folder = Path(folder)
        self.concurrency = int(concurrency)

    def question(self, number: int) -> str:
        """The question with this number."""
        return f"What notice period does clause {number} of the berth contract give the tenant?"

    def request(self, number: int) -> dict[str, object]:
        """The body of the chat request for a question."""
        messages = [{"role": "user", "content": self.question(number)}]
        return {"model": "timed", "messages": messages}


def print_pairs(pairs: Sequence[tuple[float, float]]) -> None:
    """Print the measured time of each call and the time that the server states."""
    print(json.dumps({"pairs": pairs}), flush=True)
