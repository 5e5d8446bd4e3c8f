"""What shows the progress of a run that a program has started."""

import sys
import types
from typing import Any

import pytest

from assay.library.progress import NotebookReporter, is_interactive, progress_reporter
from assay.runs.progress import LineReporter, Progress, SilentReporter
from assay.runs.row import Row


class Shown:
    """A stand-in for the display of a notebook, which keeps what it is given."""

    def __init__(self) -> None:
        self.html: list[str] = []

    def display(self, value: Any, *, display_id: bool) -> "Shown":
        """Show a value."""
        assert display_id
        return self.update(value)

    def update(self, value: Any) -> "Shown":
        """Show it in the same place."""
        self.html.append(value._repr_html_())
        return self


def in_notebook(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """As if this were the kernel of a notebook."""
    shown = Shown()
    shell = types.SimpleNamespace(kernel=object())
    module = types.SimpleNamespace(get_ipython=lambda: shell, display=shown)
    monkeypatch.setitem(sys.modules, "IPython", module)
    return shown


def test_a_program_shows_nothing_unless_it_wants_to(monkeypatch: pytest.MonkeyPatch):
    """Without a terminal and a notebook; lines are shown if it asks for them."""
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    handler: Any = object()
    assert isinstance(progress_reporter(None)(handler), SilentReporter)
    assert isinstance(progress_reporter(False)(handler), SilentReporter)
    assert isinstance(progress_reporter(True)(handler), LineReporter)
    own = SilentReporter()
    assert progress_reporter(own)(handler) is own
    assert not is_interactive()


def test_a_notebook_shows_a_bar_in_one_place(monkeypatch: pytest.MonkeyPatch):
    """It is replaced a few times a second, and has its last state in the end."""
    shown = in_notebook(monkeypatch)
    reporter = progress_reporter(None)(object())  # type: ignore[arg-type]
    assert isinstance(reporter, NotebookReporter)
    assert is_interactive()
    progress = Progress(total=1000)
    reporter.begin(progress)
    for _ in range(1000):
        progress.done += 1
        reporter.case(progress, Row())
    reporter.end(progress)
    assert '<progress value="0" max="1000"' in shown.html[0]
    assert "1000/1000" in shown.html[-1]
    assert len(shown.html) < 20
