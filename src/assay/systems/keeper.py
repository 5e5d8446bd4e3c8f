"""Stand between assay and a program, so that the program ends when assay is killed.

Run as a script: ``python keeper.py PARENT_PID PROGRAM ARGUMENTS``. It is started as the leader of a
session of its own, starts the program in the same process group, and exits as the program does.
The kernel tells it with a signal when its parent dies, even by SIGKILL; it then kills the whole
group: itself, the program, and what the program has started. Only Linux has this signal.
"""

import os
import signal
import sys
from typing import Final, NoReturn

_SET_DEATH_SIGNAL: Final = 1  # PR_SET_PDEATHSIG in linux/prctl.h
_CANNOT_START: Final = 126


def keep(parent: int, command: list[str]) -> NoReturn:
    """Run ``command`` and exit as it does; end the process group if ``parent`` dies before."""
    death_signal = signal.SIGRTMIN  # a program that signals its own group does not use this one
    signal.signal(death_signal, lambda *_: os.killpg(0, signal.SIGKILL))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _ask_for_death_signal(death_signal)
    if os.getppid() != parent:  # it died before the signal was asked for
        os.killpg(0, signal.SIGKILL)
    keeper = os.getpid()
    child = os.fork()
    if child == 0:
        _become(command, keeper)
    for stream in (0, 1, 2):  # only the program holds the pipes, so their end is its end
        os.close(stream)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(keeper, -code)
    os._exit(code)


def _become(command: list[str], keeper: int) -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _ask_for_death_signal(signal.SIGKILL)
    if os.getppid() != keeper:
        os._exit(_CANNOT_START)
    try:
        os.execvp(command[0], command)  # noqa: S606 - no shell, as the user configured it
    except OSError as error:
        os.write(2, f"{command[0]} cannot be started: {error.strerror}\n".encode())
        os._exit(_CANNOT_START)


def _ask_for_death_signal(number: int) -> None:
    import ctypes  # noqa: PLC0415 - this file is imported where there is no such function

    ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, number)


if __name__ == "__main__":
    keep(int(sys.argv[1]), sys.argv[2:])
