"""Stopping a run as Ctrl+C does, whoever started it: its lock names its process."""

import os
import signal
import time
from pathlib import Path
from threading import Event

from assay.errors import UseError
from assay.journal import LockOwner, is_being_written, writer_of


def stop_run(journal: Path) -> None:
    """Ask the run that writes to a journal to stop; its rows are kept, and it can go on later."""
    owner = writer_of(journal)
    if owner is None:
        raise UseError(f"{journal.stem}: this run does not go on, so it cannot be stopped")
    if owner.host != os.uname().nodename:
        raise UseError(
            f"{journal.stem}: this run goes on at another computer ({owner.host}, process "
            f"{owner.process}); stop it there"
        )
    if owner.process == os.getpid() or owner.process < 2:
        raise UseError(f"{journal.stem}: its files are being moved; try again")
    _interrupt(owner, journal)


def _interrupt(owner: LockOwner, journal: Path) -> None:
    """Send SIGINT to exactly this process: a number may belong to another one a moment later."""
    try:
        if not hasattr(os, "pidfd_open"):
            os.kill(owner.process, signal.SIGINT)
            return
        handle = os.pidfd_open(owner.process)
        try:
            if writer_of(journal) == owner:
                signal.pidfd_send_signal(handle, signal.SIGINT)
        finally:
            os.close(handle)
    except ProcessLookupError:
        return  # it has ended by itself
    except PermissionError:
        raise UseError(
            f"{journal.stem}: process {owner.process} belongs to another user; only they can stop it"
        ) from None


def wait_for_end(journal: Path, seconds: float, closing: Event) -> bool:
    """Wait until nobody writes to a journal; false if somebody still does, or on ``closing``."""
    until = time.monotonic() + seconds
    while is_being_written(journal):
        if time.monotonic() > until or closing.wait(0.05):
            return False
    return True
