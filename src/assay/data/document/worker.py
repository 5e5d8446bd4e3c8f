"""The other side of ``reading_process``: reads one document after the other, within its limits.

Each request is a line ``{"path": …}``, each reply a line ``{"pages": [[number, text, unread], …]}`` or
``{"error": …}``; JSON in ASCII, so that paths which are not UTF-8 pass. It ends with its input.
"""

import json
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

from assay.errors import UseError

_SET_DEATH_SIGNAL: Final = 1  # PR_SET_PDEATHSIG in linux/prctl.h
_PAGE_BYTES: Final = resource.getpagesize()
Reader = Callable[[Path], list[tuple[int | None, str, int]]]
"""The number of each page, its text, and how many of its characters could not be read."""


def needs_memory(most_mb: int) -> str:
    """What is said of a document that needs more memory than it may have."""
    return f"reading it needs more than {most_mb} MB of memory"


def serve(requests: BinaryIO, replies: BinaryIO, readers: dict[str, Reader], most_mb: int) -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends Ctrl+C to this process too
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - only here

        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
    _limit_memory(most_mb << 20)
    for line in requests:
        reply = _reply(Path(json.loads(line)["path"]), readers, most_mb)
        replies.write(reply + b"\n")
        replies.flush()


def _reply(path: Path, readers: dict[str, Reader], most_mb: int) -> bytes:
    try:
        pages = readers[path.suffix.lower()](path)
        return json.dumps({"pages": pages}).encode()
    except UseError as error:
        answer: dict[str, Any] = {"error": str(error)}
    except OSError as error:
        answer = {"error": f"{path}: cannot be read: {error.strerror or error}"}
    except MemoryError:
        answer = {"error": f"{path}: {needs_memory(most_mb)}"}
    except Exception as error:  # noqa: BLE001 - a file can break a library in any way
        answer = {"error": f"{path}: damaged: {type(error).__name__} {error}".rstrip()}
    return json.dumps(answer).encode()


def _limit_memory(most_bytes: int) -> None:
    """Allow this many bytes besides what the program itself needs."""
    with suppress(OSError, ValueError, IndexError):
        own_bytes = int(Path("/proc/self/statm").read_text().split()[0]) * _PAGE_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (own_bytes + most_bytes, resource.RLIM_INFINITY))
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
