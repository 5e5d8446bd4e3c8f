"""A page's server that is killed while it is used."""

import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path


def serve_and_kill(
    words: Sequence[str], folder: Path, use: Callable[[int], None], *, after_s: float
) -> None:
    """Start ``assay view`` in a folder, let ``use`` send requests to its port, and kill it."""
    with subprocess.Popen(
        [sys.executable, "-m", "assay", "view", "--no-open", "--port", "0", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        lines = (re.search(r":(\d+)/\?token", line) for line in server.stdout)
        port = int(next(found[1] for found in lines if found))
        page = threading.Thread(target=use, args=(port,))
        page.start()
        time.sleep(after_s)
        server.kill()
        page.join()
