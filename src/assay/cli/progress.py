"""The progress of work that is not asking: reading documents, embedding passages."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Final, Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from assay.questions.check.passage import Tell
from assay.rag.embed.progress import EMBEDDING_PROGRESS
from assay.text.normalise import visible_line
from assay.words.say import say, say_n

QUIET_S: Final = 1.5
"""Seconds before progress is shown for the first time."""
LINE_S: Final = 5.0
"""Seconds between two progress lines if there is no terminal."""


class WorkProgress:
    """Shows the progress of work: a bar on a terminal, otherwise a line every few seconds.

    It runs in a thread, so that it is updated even while one long document is read. ``line`` makes
    a line of the number done, the total number, what is worked on, and the seconds since the start.
    Without a stream nothing is shown.
    """

    def __init__(self, stream: TextIO | None, line: Callable[[int, int, str, float], str]) -> None:
        self._stream = stream
        self._line = line
        self._state = (0, 0, "")
        self._began = time.monotonic()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def at(self, done: int, total: int, what: str) -> None:
        """Set how much is done, and what is next."""
        self._state = (done, total, visible_line(what))

    def __enter__(self) -> Self:
        if self._stream is not None:
            show = self._bar if self._stream.isatty() else self._lines
            self._thread = threading.Thread(
                target=show, args=(self._stream,), name="assay-progress", daemon=True
            )
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _lines(self, stream: TextIO) -> None:
        wait_s = QUIET_S
        while not self._ended.wait(wait_s):
            if self._state[1]:
                line = self._line(*self._state, time.monotonic() - self._began)
                stream.write(f"{line}\n")
                stream.flush()
            wait_s = LINE_S

    def _bar(self, stream: TextIO) -> None:
        if self._ended.wait(QUIET_S):
            return
        columns: tuple[Any, ...] = (
            BarColumn(bar_width=30),
            TextColumn("{task.completed}/{task.total}"),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
        )
        with Bar(
            *columns, console=Console(file=getattr(stream, "own", stream)), transient=True
        ) as bar:
            task = bar.add_task("", total=None)
            while not self._ended.wait(0.2):
                done, total, what = self._state
                bar.update(task, completed=done, total=total or None, description=what)


def reading_progress(stream: TextIO | None) -> WorkProgress:
    """The progress of reading documents."""

    def line(done: int, total: int, source: str, took: float) -> str:
        return say_n("{done} of {n} document read in {took:.0f} s; now {source}", "{done} of {n} documents read in {took:.0f} s; now {source}", total, done=done, took=took, source=source)  # fmt: skip

    return WorkProgress(stream, line)


@contextmanager
def checking_progress(stream: TextIO | None) -> Iterator[Tell]:
    """What to tell while questions are checked: passages are indexed, then questions looked at."""
    titles = {"passages": say("passages indexed"), "questions": say("questions checked")}

    def line(done: int, total: int, what: str, _took: float) -> str:
        return say("{what}: {done} of {total}", what=what, done=f"{done:,}", total=f"{total:,}")

    with WorkProgress(stream, line) as progress:
        yield lambda done, total, what: progress.at(done, total, titles[what])


@contextmanager
def embedding_progress(stream: TextIO | None) -> Iterator[None]:
    """Show the progress of embedding passages inside of the ``with`` block."""

    def line(done: int, total: int, _: str, _took: float) -> str:
        return say("{done} of {total} passages embedded", done=f"{done:,}", total=f"{total:,}")

    with WorkProgress(stream, line) as progress:
        token = EMBEDDING_PROGRESS.set(
            lambda done, total: progress.at(done, total, say("passages embedded"))
        )
        try:
            yield
        finally:
            EMBEDDING_PROGRESS.reset(token)
