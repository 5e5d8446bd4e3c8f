"""A command that is killed by SIGKILL at a chosen change of the files of its folder.

A moment between two changes may be too short for a kill from outside. The variable ``KILL_AT`` says at
which change the process kills itself: before a file is opened for writing, renamed, removed or cut, a
folder is made or removed, or after a half of what ``os.write`` writes. Changes elsewhere do not count.

``python -m tests.support.killed WORDS`` runs ``assay WORDS`` so.
"""

import os
import signal
import stat
import sys
from pathlib import Path
from typing import Any, Final

KILL_AT: Final = "TESTS_KILL_AT"
_CHANGES: Final = frozenset({"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate"})
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def die_at_change() -> None:
    """Make this process kill itself at the change that the environment names, if it names one."""
    left = int(os.environ.pop(KILL_AT, "0"))
    if not left:
        return
    folder = str(Path.cwd())
    write = os.write

    def is_last() -> bool:
        nonlocal left
        left -= 1
        return left == 0

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        is_change = event in _CHANGES or (event == "open" and arguments[2] & _WRITING)
        if is_change and _is_inside(arguments[0], folder) and is_last():
            os.kill(os.getpid(), signal.SIGKILL)

    def half(fd: int, data: Any) -> int:
        if stat.S_ISREG(os.fstat(fd).st_mode) and is_last():
            write(fd, bytes(data)[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return write(fd, data)

    os.write = half
    sys.addaudithook(note)


def _is_inside(path: Any, folder: str) -> bool:
    """Whether a file is in the folder; one that is open and a relative path are."""
    return (
        isinstance(path, int)
        or not (text := os.fsdecode(path)).startswith("/")
        or text.startswith(folder)
    )


if __name__ == "__main__":
    from assay.cli.main import main

    die_at_change()
    sys.exit(main())
