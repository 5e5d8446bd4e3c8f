"""Going on with a run: the request by which it was started, with another ceiling if need be."""

from contextlib import suppress
from pathlib import Path

from assay.errors import AssayError, UseError
from assay.journal import Summary, read_summary, summary_path
from assay.web.library import Library
from assay.web.live_api import Resumption, Started, StartRequest
from assay.web.process.command import command_words
from assay.web.process.start import Starts
from assay.web.process.stop import stop_run, wait_for_end
from assay.web.process.typed import typed_request
from assay.web.setup import resume_line, typed_command

STOP_S = 120.0
"""How long a run that is stopped to get another ceiling may take to end."""


def resume_run(
    starts: Starts, library: Library, run: str, max_cost: float | None = None
) -> Started:
    """Go on with a run; if it goes on already, it is stopped first to get another ceiling."""
    journal = library.journal(run)
    request = resume_request(starts, library, run, journal)
    options = {name: value for name, value in request.options.items() if name != "fresh"}
    if max_cost is not None:
        options["max_cost"] = max_cost
    again = StartRequest(job=request.job, options=options)
    if max_cost is not None and not wait_for_end(journal, 0, starts.closing):
        stop_run(journal)
        if not wait_for_end(journal, STOP_S, starts.closing):
            raise UseError(f"{journal.stem}: has not stopped yet; try again when it has")
    return starts.start(again)


def resumption(starts: Starts, library: Library, run: str) -> Resumption:
    """Whether the page can go on with a run, and the command by which a terminal can."""
    journal = library.journal(run)
    try:
        command = resume_line(typed_command(read_summary(summary_path(journal))))
    except AssayError:
        return Resumption(is_offered=False)
    try:
        command_words(resume_request(starts, library, run, journal), library.root)
    except AssayError:
        return Resumption(is_offered=False, command=command)
    return Resumption(is_offered=True, command=command)


def resume_request(starts: Starts, library: Library, run: str, journal: Path) -> StartRequest:
    """The request that goes on with a run; raises ``UseError`` with the command if none can.

    What was typed in a terminal is repeated if the form of the job can say it: not a Python or
    command system, and not a file outside the workspace.
    """
    started = starts.request_of(run)
    if started is not None:
        return started
    summary = read_summary(summary_path(journal))
    words = typed_command(summary)
    if summary is not None and words:
        with suppress(UseError):
            return typed_request(summary.job, summary.name, words, library.root)
    if summary is not None and not words and _is_plain(summary, journal, library):
        given = {"limit": summary.limit, "top_k": summary.top_k}
        return StartRequest(
            job="ablation",
            options={
                "experiment": summary.name,
                **{name: value for name, value in given.items() if value},
            },
        )
    command = f": {resume_line(words)}" if words else ""
    raise UseError(f"{journal.stem}: was not started from the page; go on in a terminal{command}")


def _is_plain(summary: Summary, journal: Path, library: Library) -> bool:
    """Whether a run without a recorded command is wholly described by its experiment."""
    return summary.job == "ablation" and journal.parent == library.root / "experiments"
