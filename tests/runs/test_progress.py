"""Progress: rate, time left, and the ways to show them."""

import io
import sys
from typing import Any

import pytest

from assay.records import Status
from assay.runs.progress import (
    BarReporter,
    LineReporter,
    Progress,
    SilentReporter,
    bar_facts,
    choose_reporter,
    duration,
    log_line,
)
from assay.runs.row import Row
from tests.support.clock import Clock


def progress_at(seconds: float, *, done: int, total: int = 100, before: int = 0) -> Progress:
    """Progress of a run ``seconds`` after its start."""
    clock = Clock(50.0)
    progress = Progress(total=total, done_before=before, clock=clock)
    clock.now += seconds
    progress.done = done
    return progress


class Words:
    """What a job says about a case."""

    job = "lamps"

    def __init__(self, place: str = "room=7") -> None:
        self._place = place

    def where(self, row: Row) -> str:
        """The same place for every case."""
        return self._place

    def result(self, row: Row) -> str:
        """The time of the answer."""
        return f"elapsed={row.elapsed_s}"


WORDS = Words()


def row(name: str, status: Status = "scored", **fields: Any) -> Row:
    """The row of a case."""
    return Row(question_id=name, status=status, **{"elapsed_s": 2.0, **fields})


def test_the_time_left_leaves_preparation_out():
    """Ten minutes of building an index do not make the cases slower."""
    clock = Clock(0.0)
    progress = Progress(total=10, clock=clock)
    clock.now += 600
    progress.begin_asking()
    clock.now += 10
    progress.done = 5
    assert (progress.rate, progress.eta_s, progress.elapsed_s) == (0.5, 10, 610)


def test_there_is_no_rate_before_the_first_case_ends():
    """An unknown rate is ``None``, not zero; cases of earlier runs give no rate."""
    progress = progress_at(10, done=40, before=40)
    assert progress.rate is None
    assert progress.eta_s is None
    assert progress_at(0, done=1).rate is None


def test_rate_and_time_left_count_this_run_alone():
    """Cases done by earlier runs are not counted in the rate."""
    progress = progress_at(10, done=60, before=40)
    assert progress.rate == 2.0
    assert progress.eta_s == 20.0
    assert progress.eta_min == pytest.approx(1 / 3)
    assert progress.elapsed_s == 10


def test_the_facts_beside_the_bar_are_those_there_are():
    """Failures, skips and cost are shown only once there are any."""
    progress = progress_at(10, done=50)
    assert bar_facts(progress) == "5.0/s · ETA 10 s"
    progress.failed, progress.skipped = 2, 3
    progress.paid, progress.priced = 0.5, True
    assert bar_facts(progress) == "5.0/s · ETA 10 s · 2 failed · 3 skipped · spent 0.5000"


def test_a_slow_rate_is_shown_per_minute():
    """A rate below one case per second is shown per minute."""
    assert bar_facts(progress_at(60, done=3)).startswith("3.0/min · ETA 32 min 20 s")


def test_the_facts_at_both_ends():
    """The bar says "starting" before the first case and "done" if nothing was left to ask."""
    assert bar_facts(progress_at(1, done=0)) == "starting"
    assert bar_facts(progress_at(1, done=100, before=100)) == "done"
    assert bar_facts(progress_at(10, done=100)) == "10.0/s"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min 0 s"),
        (3599, "59 min 59 s"),
        (3600, "1 h 0 min"),
        (90000, "25 h 0 min"),
    ],
)
def test_durations_are_readable(seconds: float, text: str):
    """A duration is shown in seconds, in minutes and seconds, or in hours and minutes."""
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("case", "end"),
    [
        (row("a"), "elapsed=2.0"),
        (row("a", "failed", error="timeout: late"), "elapsed=2.00s failed: timeout: late"),
        (row("a", "skipped", reason="too long"), "skipped: too long"),
        (
            row("a", "answered", judging_error="scorer: KeyError"),
            "answered, not judged: scorer: KeyError",
        ),
    ],
)
def test_a_log_line_says_which_case_it_is_and_how_it_ended(case: Row, end: str):
    """The line has the job, the counts, the place, the id, the ending and the time left."""
    progress = progress_at(60, done=50)
    assert log_line(progress, case, WORDS) == f"[lamps] 50/100 room=7 id=a {end} ETA~1.0m"


def test_a_job_may_have_nothing_to_say_about_the_place():
    """If the question's id says which case it is, the line has no gap."""
    line = log_line(progress_at(60, done=50), row("a"), Words(""))
    assert line == "[lamps] 50/100 id=a elapsed=2.0 ETA~1.0m"


def test_a_line_is_printed_for_each_case():
    """Each case gives one line."""
    stream = io.StringIO()
    reporter = LineReporter(WORDS, stream)
    progress = progress_at(60, done=0, total=2)
    reporter.begin(progress)
    for name in ("a", "b"):
        progress.done += 1
        reporter.case(progress, row(name))
    reporter.end(progress)
    assert stream.getvalue() == (
        "[lamps] 1/2 room=7 id=a elapsed=2.0 ETA~1.0m\n"
        "[lamps] 2/2 room=7 id=b elapsed=2.0 ETA~0.0m\n"
    )


def test_the_silent_reporter_says_nothing(capsys: pytest.CaptureFixture[str]):
    """The silent reporter prints nothing, neither to stdout nor to stderr."""
    reporter = SilentReporter()
    progress = Progress(total=1)
    reporter.begin(progress)
    reporter.case(progress, row("a"))
    reporter.end(progress)
    assert capsys.readouterr() == ("", "")


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        """Return true."""
        return True


def test_the_bar_ends_with_the_last_count(monkeypatch: pytest.MonkeyPatch):
    """The last state of the bar stays on the screen, with done, total and failures."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    progress = Progress(total=3)
    reporter = BarReporter()
    reporter.begin(progress)
    for _ in range(3):
        progress.done += 1
        reporter.case(progress, row("a"))
    progress.failed = 1
    reporter.end(progress)
    assert "3/3" in screen.getvalue()
    assert "1 failed" in screen.getvalue()


def test_lines_on_request_go_to_standard_output(capsys: pytest.CaptureFixture[str]):
    """``--log-lines`` prints lines to standard output even with ``quiet``."""
    choose_reporter(WORDS, log_lines=True, quiet=True).case(Progress(total=1), row("a"))
    assert capsys.readouterr() == ("[lamps] 0/1 room=7 id=a elapsed=2.0 ETA~0.0m\n", "")


def test_without_a_terminal_lines_go_to_standard_output(capsys: pytest.CaptureFixture[str]):
    """If stdout is no terminal, each case gives a line on stdout, also if stderr is one."""
    choose_reporter(WORDS, log_lines=False).case(Progress(total=1), row("a"))
    assert capsys.readouterr() == ("[lamps] 0/1 room=7 id=a elapsed=2.0 ETA~0.0m\n", "")


@pytest.mark.parametrize("log_lines", [False, True])
def test_lines_move_to_standard_error_with_json(
    capsys: pytest.CaptureFixture[str], log_lines: bool
):
    """With ``--json`` stdout belongs to the JSON, so the lines are on stderr."""
    reporter = choose_reporter(WORDS, log_lines=log_lines, as_json=True)
    reporter.case(Progress(total=1), row("a"))
    assert capsys.readouterr() == ("", "[lamps] 0/1 room=7 id=a elapsed=2.0 ETA~0.0m\n")


def test_a_terminal_gets_the_bar_and_quiet_gets_nothing(monkeypatch: pytest.MonkeyPatch):
    """On a terminal the reporter is a bar, with ``quiet`` it is silent."""
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert isinstance(choose_reporter(WORDS, log_lines=False, as_json=True), BarReporter)
    assert isinstance(choose_reporter(WORDS, log_lines=False), LineReporter)
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert isinstance(choose_reporter(WORDS, log_lines=False), BarReporter)
    assert isinstance(choose_reporter(WORDS, log_lines=True), LineReporter)
    assert isinstance(choose_reporter(WORDS, log_lines=False, quiet=True), SilentReporter)


def test_a_redirected_standard_error_gets_the_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """If only stderr is redirected, the bar cannot be drawn, and the lines go where it would."""
    monkeypatch.setattr(sys, "stdout", Terminal())
    choose_reporter(WORDS, log_lines=False).case(Progress(total=1), row("a"))
    assert capsys.readouterr().err.startswith("[lamps] 0/1")


def test_what_a_system_prints_above_the_bar_is_shown(monkeypatch: pytest.MonkeyPatch):
    """The bar steers the terminal, the system does not; afterwards the streams are the old ones."""
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setattr(sys, "stderr", terminal)
    reporter = BarReporter()
    reporter.begin(progress_at(1, done=1))
    print("\x1b[5Ahello\x1b]0;pwn\x07")  # noqa: T201 - as a system does
    reporter.end(progress_at(2, done=2))
    assert sys.stdout is terminal
    assert r"\x1b[5Ahello\x1b]0;pwn\x07" in terminal.getvalue()
    assert "\x1b[5A" not in terminal.getvalue()
    assert "\x1b]0;" not in terminal.getvalue()
