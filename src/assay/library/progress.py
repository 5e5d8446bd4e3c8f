"""Progress in a notebook: one line that is replaced, with a bar."""

import sys
import time
from collections.abc import Callable
from html import escape
from typing import Any, Final

from assay.runs.handler import CaseHandler
from assay.runs.progress import (
    BarReporter,
    LineReporter,
    Progress,
    Reporter,
    SilentReporter,
    bar_facts,
)
from assay.runs.row import Row

_EVERY_S: Final = 0.25


def is_interactive() -> bool:
    """Whether a person types at this program: a notebook, or Python's or IPython's prompt."""
    return hasattr(sys, "ps1") or bool(sys.flags.interactive) or _shell() is not None


def _shell() -> Any:
    """The shell of IPython, if this program runs in one; it is never imported for that."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module is not None else None


def progress_reporter(progress: bool | Reporter | None) -> Callable[[CaseHandler], Reporter]:
    """What shows the progress of a run.

    ``None`` is a bar in a notebook and on a terminal, and nothing elsewhere. ``True`` shows lines
    where there is no bar, and ``False`` nothing anywhere.
    """

    def choose(handler: CaseHandler) -> Reporter:
        if progress is False:
            return SilentReporter()
        if progress is not None and progress is not True:
            return progress
        if hasattr(_shell(), "kernel"):
            return NotebookReporter()
        if sys.stderr is not None and sys.stderr.isatty():
            return BarReporter()
        return LineReporter(handler, sys.stderr) if progress else SilentReporter()

    return choose


class NotebookReporter:
    """A bar in the output of a cell."""

    def __init__(self) -> None:
        self._display: Any = None
        self._shown_s = 0.0

    def begin(self, progress: Progress) -> None:
        """Show the bar."""
        self._display = sys.modules["IPython"].display.display(_Bar(progress), display_id=True)

    def case(self, progress: Progress, row: Row) -> None:
        """Show the bar again, a few times a second."""
        now_s = time.monotonic()
        if now_s - self._shown_s >= _EVERY_S:
            self._shown_s = now_s
            self._display.update(_Bar(progress))

    def end(self, progress: Progress) -> None:
        """Show the last state."""
        self._display.update(_Bar(progress))


class _Bar:
    """The bar as HTML, and as text for what cannot show it."""

    def __init__(self, progress: Progress) -> None:
        self._done, self._total = progress.done, progress.total
        self._facts = bar_facts(progress)

    def _repr_html_(self) -> str:
        return (
            f'<progress value="{self._done}" max="{self._total}" '
            'style="width:14em;vertical-align:middle"></progress> '
            f'<span style="font-size:.9em;opacity:.8">{self._done}/{self._total} '
            f"{escape(self._facts)}</span>"
        )

    def __repr__(self) -> str:
        return f"{self._done}/{self._total} {self._facts}"
