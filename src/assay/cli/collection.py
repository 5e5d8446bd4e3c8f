"""The search for cycles of unused objects: not while a command starts.

What is imported is used until the end, but Python looks through it again and again while it grows,
and once more when the process ends. This was a tenth of the time of a short command.
"""

import gc


def pause_collection() -> None:
    """Do not search until ``resume_collection``."""
    gc.disable()


def resume_collection() -> None:
    """Search again, but not in what there is now; nothing happens if the search is not paused."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def end_collection(*, is_free: bool) -> None:
    """Say before the process ends whether objects may be left to the system without a search.

    Some libraries complain if their objects are not freed.
    """
    (gc.freeze if is_free else gc.unfreeze)()
