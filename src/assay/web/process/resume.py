"""Going on with a run: the request by which it was started, with another ceiling if need be."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from assay.errors import AssayError, UseError
from assay.runs.resume import resume_line, resumed_words
from assay.runs.summary import Summary, read_summary
from assay.runs.write import summary_path
from assay.web.library import Library
from assay.web.live_api import Resumption, Started, StartRequest
from assay.web.process.form import COMMANDS, FORMS, Option, current_fields
from assay.web.process.start import Starts, command_words, stop_run, wait_for_end
from assay.web.run_view import typed_command

# The form of a job filled in with what was typed in a terminal, to go on with a run from the page.
#
# Only what a form can say is taken over: a system that is configured or installed, and files of the
# workspace. Options that change nothing about the answers are left out.

_WITH_VALUE: Final = frozenset({"--root", "--charts"})
_WITHOUT: Final = frozenset({"--no-report", "--log-lines", "--json"})
_SHORT: Final = {"-e": "--experiment"}
Value = str | int | float | bool


def typed_request(job: str, name: str, words: Sequence[str], root: Path) -> StartRequest:
    """The request that says the same as the words of a command; ``name`` is that of the run.

    Raises ``UseError`` if the form of the job cannot say it.
    """
    rest = _after_command(job, words)
    options: dict[str, Value] = {}
    for option, value in _parsed(job, rest):
        is_more = option.kind == "settings" and option.name in options
        options[option.name] = f"{options[option.name]}\n{value}" if is_more else value
    if job == "ablation":
        options["experiment"] = name  # one command may have run several experiments
    request = StartRequest(job=job, options=options)
    command_words(request, root)
    return request


def _after_command(job: str, words: Sequence[str]) -> list[str]:
    """The words after ``assay COMMAND``."""
    rest = resumed_words(words)[1:]
    for number, part in enumerate(COMMANDS.get(job, ("?",))):
        if rest and rest[0] == part:
            rest.pop(0)
        elif number == 0:
            raise UseError(f"{job}: not a command of the page")
    return rest


def _parsed(job: str, words: list[str]) -> Iterator[tuple[Option, Value]]:
    """The options of the form that the words name, with their values."""
    by_flag = {option.flag: option for option in FORMS[job]}
    left = iter(words)
    for word in left:
        flag, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        flag = _SHORT.get(flag, flag)
        option = by_flag.get(flag.replace("_", "-"))
        is_lang = flag == "--lang" and option is None  # the language of the report
        if flag in _WITHOUT or (flag == "--all" and job == "ablation"):
            continue
        if flag in _WITH_VALUE or is_lang:
            if not equals:
                next(left, "")
            continue
        if option is not None and option.kind == "switch":
            yield option, True
        elif option is not None and flag.startswith("-"):
            yield option, value if equals else next(left, "")
        elif not word.startswith("-") and "" in by_flag:
            yield by_flag[""], word
        else:
            raise UseError(f"{flag}: not a field of the page")


STOP_S = 120.0
"""How long a run that is stopped to get another ceiling may take to end."""


def resume_run(
    starts: Starts, library: Library, run: str, max_cost: float | None = None
) -> Started:
    """Go on with a run; if it goes on already, it is stopped first to get another ceiling."""
    journal = library.journal(run)
    request = resume_request(starts, library, run, journal)
    options = current_fields(request.options)
    if options.get("resume") == "fresh":
        del options["resume"]
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
