"""The progress of a run, and the three ways to show it.

These are a live bar on a terminal, one log line for each case, or nothing.
"""

import sys
import time
from collections.abc import Callable
from typing import Any, Protocol, TextIO

from assay.records import Tally
from assay.runs.row import Row
from assay.text.normalise import visible_line, visible_print
from assay.words.say import say


class Progress:
    """Counts of a run in progress. ``done`` includes the cases that earlier runs finished."""

    def __init__(
        self,
        *,
        total: int,
        done_before: int = 0,
        paid_before: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.total = total
        self.done_before = done_before
        self.done = done_before
        self.failed = 0
        self.skipped = 0
        self.spared = 0
        self.paid_before = paid_before
        self.paid = paid_before
        self.priced = paid_before > 0
        self._clock = clock
        self._started = self._asking = clock()

    def reopen(self, cases: int) -> None:
        """So many cases that were done before are not done any more."""
        self.done_before -= cases
        self.done -= cases

    def begin_asking(self) -> None:
        """The system is prepared: from now on time is spent on cases."""
        self._asking = self._clock()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start of this run."""
        return self._clock() - self._started

    @property
    def rate(self) -> float | None:
        """Cases per second since the system is prepared; ``None`` before the first case has ended."""
        asked = self.done - self.done_before - self.spared
        asking_s = self._clock() - self._asking
        return asked / asking_s if asked and asking_s > 0 else None

    @property
    def eta_s(self) -> float | None:
        """Estimated seconds until the end at the current rate; ``None`` while there is no rate."""
        rate = self.rate
        return (self.total - self.done) / rate if rate else None

    @property
    def eta_min(self) -> float:
        """``eta_s`` in minutes, for log lines; 0 while it is unknown."""
        return (self.eta_s or 0.0) / 60


class CaseLine(Protocol):
    """What a job says about a case in its log line (see ``assay.runs.handler``)."""

    @property
    def job(self) -> str:
        """The name of the job."""

    def where(self, row: Row) -> str:
        """Which case it is, besides the question's id."""

    def result(self, row: Row) -> str:
        """The scores of a scored case."""


def log_line(progress: Progress, row: Row, parts: CaseLine) -> str:
    """The log line of a case: done and total, which case, how it ended, and the time left."""
    where = " ".join(part for part in (parts.where(row), f"id={row.question_id}") if part)
    match row.status:
        case "scored":
            end = parts.result(row)
        case "answered":
            problem = row.judging_error or "the run ended"
            end = f"answered, not judged: {problem}"
        case "failed":
            end = f"elapsed={row.elapsed_s:.2f}s failed: {row.error}"
        case "skipped":
            end = f"skipped: {row.reason}"
        case "spared":
            end = f"spared: {row.reason}"
    return visible_line(
        f"[{parts.job}] {progress.done}/{progress.total} {where} {end} ETA~{progress.eta_min:.1f}m"
    )


class Reporter(Protocol):
    """Shows progress. Its methods are called from the event loop and must not block."""

    def begin(self, progress: Progress) -> None:
        """Called when the run starts."""

    def case(self, progress: Progress, row: Row) -> None:
        """Called after a case has ended and its row is written."""

    def end(self, progress: Progress) -> None:
        """Called when the run has ended, for whatever reason."""


class SilentReporter:
    """Shows nothing."""

    def begin(self, progress: Progress) -> None:
        """Do nothing."""

    def case(self, progress: Progress, row: Row) -> None:
        """Do nothing."""

    def end(self, progress: Progress) -> None:
        """Do nothing."""


class LineReporter:
    """Prints the log line of each case."""

    def __init__(self, parts: CaseLine, stream: TextIO | None = None) -> None:
        self._parts = parts
        self._stream = stream or sys.stderr

    def begin(self, progress: Progress) -> None:
        """Do nothing: the command has already printed what it runs."""

    def case(self, progress: Progress, row: Row) -> None:
        """Print the log line of the case."""
        self._stream.write(log_line(progress, row, self._parts) + "\n")
        self._stream.flush()

    def end(self, progress: Progress) -> None:
        """Do nothing: the command prints the summary."""


class BarReporter:
    """A live bar on standard error: done/total, rate, time left, failures and cost."""

    def __init__(self) -> None:
        # rich takes 40 ms to import and is needed only on a terminal
        from rich.console import Console  # noqa: PLC0415
        from rich.progress import BarColumn, TextColumn  # noqa: PLC0415
        from rich.progress import Progress as Bar  # noqa: PLC0415

        self._bar = Bar(
            BarColumn(bar_width=30),
            TextColumn("{task.completed}/{task.total}"),
            TextColumn("{task.fields[facts]}"),
            console=Console(file=getattr(sys.stderr, "own", sys.stderr)),
            transient=False,
            refresh_per_second=5,
        )
        self._task: Any = None

    def begin(self, progress: Progress) -> None:
        """Start to draw the bar."""
        self._task = self._bar.add_task(
            "", total=progress.total, completed=progress.done, facts=bar_facts(progress)
        )
        self._bar.start()
        self._show_controls()
        # imported here because only a bar shows it
        from assay.rag.embed.progress import EMBEDDING_PROGRESS  # noqa: PLC0415

        EMBEDDING_PROGRESS.set(self._embedding)

    def _embedding(self, done: int, total: int) -> None:
        facts = say("{done} of {total} passages embedded", done=f"{done:,}", total=f"{total:,}")
        self._bar.update(self._task, facts=facts)

    def _show_controls(self) -> None:
        """Show control characters of what a system prints; above the bar, they would be obeyed."""
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if hasattr(stream, "rich_proxied_file"):  # rich prints it above the bar
                setattr(sys, name, _VisibleStream(stream))

    def case(self, progress: Progress, row: Row) -> None:
        """Update the bar."""
        self._bar.update(self._task, completed=progress.done, facts=bar_facts(progress))

    def end(self, progress: Progress) -> None:
        """Stop the bar and leave its last state on the screen."""
        self._bar.update(self._task, completed=progress.done, facts=bar_facts(progress))
        self._bar.stop()


class _VisibleStream:
    """A stream that shows control characters instead of passing them on."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(visible_print(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def bar_facts(progress: Progress) -> str:
    """The text to the right of the bar.

    >>> bar_facts(Progress(total=10))
    'starting'
    """
    if progress.rate is None:
        return say("starting" if progress.done < progress.total else "done")
    facts = [
        say("{rate:.1f}/s", rate=progress.rate)
        if progress.rate >= 1
        else say("{rate:.1f}/min", rate=60 * progress.rate)
    ]
    if progress.eta_s:
        facts.append(say("ETA {time}", time=duration(progress.eta_s)))
    if progress.failed:
        facts.append(say("{n} failed", n=progress.failed))
    if progress.skipped:
        facts.append(say("{n} skipped", n=progress.skipped))
    if progress.spared:
        facts.append(say("{n} spared", n=progress.spared))
    if progress.priced:
        facts.append(say("spent {cost:.4f}", cost=progress.paid))
    return " · ".join(facts)


def tally_facts(tally: Tally, total: int) -> list[str]:
    """How the cases of a run ended."""
    facts = [say("{n} scored", n=tally.scored)]
    if tally.lost:
        facts.append(say("{n} of them lost to the provider's filter", n=tally.lost))
    if tally.answered:
        facts.append(say("{n} answered but not judged", n=tally.answered))
    facts += [say("{n} failed", n=tally.failed), say("{n} skipped", n=tally.skipped)]
    if tally.spared:
        facts.append(say("{n} spared by early decisions", n=tally.spared))
    if total > tally.ended:
        facts.append(say("{n} not asked", n=total - tally.ended))
    return facts


def duration(seconds: float) -> str:
    """A number of seconds as text, rounded to seconds, or to minutes from one hour on.

    >>> duration(7.6), duration(75), duration(7300)
    ('8 s', '1 min 15 s', '2 h 1 min')
    """
    total_s = round(seconds)
    if total_s < 60:
        return say("{s} s", s=total_s)
    if total_s < 3600:
        return say("{m} min {s} s", m=total_s // 60, s=total_s % 60)
    return say("{h} h {m} min", h=total_s // 3600, m=total_s % 3600 // 60)


def choose_reporter(
    parts: CaseLine, *, log_lines: bool, as_json: bool = False, quiet: bool = False
) -> Reporter:
    """The reporter that fits the options and the terminal.

    Lines go to standard output with ``log_lines``, or if it is no terminal. With ``as_json`` it
    belongs to the JSON, and lines go to standard error. A terminal gets a bar. ``quiet`` shows
    nothing except lines that were asked for.
    """
    if log_lines:
        return LineReporter(parts, sys.stderr if as_json else sys.stdout)
    if quiet:
        return SilentReporter()
    if not as_json and not sys.stdout.isatty():
        return LineReporter(parts, sys.stdout)
    return BarReporter() if sys.stderr.isatty() else LineReporter(parts, sys.stderr)
