"""The ``assay`` program: its commands, and its exit on an error.

The module of a command is imported only when the command is used, so that a command loads only
what it needs. The list of commands is printed without importing the parser of the command line.

Python does not search for cycles of unused objects while a command starts. What is imported is used
until the end, but Python would look through it again and again while it grows, and once more when
the process ends. This was a tenth of the time of a short command.
"""

import errno
import os
import sys
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn

from assay.cli.masked import masked_output, stdout_problem, take_closed_descriptors
from assay.cli.overview import help_page, start_page
from assay.errors import INTERRUPTED, AssayError
from assay.registry import NameNote, RegistrationWarning, load_object
from assay.words.language import LANGUAGES, chosen_language, use_language

if TYPE_CHECKING:
    import typer

    app: typer.Typer

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


COMMANDS: Final = {
    "ablate": ("ablate:ablate", "Run ablation experiments that compare variants of a system."),
    "baseline": ("baseline:baseline", "Write the scores of a run without its texts, for git."),
    "bench": (
        "bench:app",
        "Run the legal benchmark: facts, sets of evidence, and gaps.",
    ),
    "cache": ("cache:app", "Show or prune the call cache of recorded model calls."),
    "compare": (
        "compare:compare",
        "Compare two runs: exit 0 as good or better, 1 worse, 2 invalid.",
    ),
    "demo": ("demo:demo", "Run all five jobs on the samples, offline."),
    "depth": (
        "depth:depth",
        "Test at which depths of long contexts a model finds evidence.",
    ),
    "doctor": ("doctor:doctor", "Check the installation, the workspace and a system."),
    "export": (
        "export:export",
        "Write one row a case, for tools that count lines.",
    ),
    "heatmap": ("heatmap:heatmap", "Draw a heatmap of recorded depth results."),
    "ingest": ("ingest:ingest", "Split documents into chunks that can be searched and cited."),
    "init": ("init:init", "Create a workspace with sample documents in three languages."),
    "judge": ("judge:app", "Ask models about recorded answers; check them against labels."),
    "labels": ("labels:app", "Draw answers to label; agreement of people; export and import."),
    "list": ("list_runs:list_runs", "List past runs with their counts and their state."),
    "merge": ("merge:merge", "Merge the parts of a run that were asked with --shard."),
    "questions": ("questions:app", "Draft and check sets of questions; spans, versions, power."),
    "quality": (
        "quality:quality",
        "Ask questions about PDFs and score the answers.",
    ),
    "query": ("query:query", "Run SQL over the recorded rows of a run."),
    "redact": ("redact:app", "List, mask and reveal values in files that must not leak."),
    "report": ("report:report", "Write tables, findings and charts of a recorded run."),
    "review": ("review:review", "Review contract clauses; score risk levels, evidence and laws."),
    "evaluate": ("evaluate:evaluate", "Score answers that exist already: a log, a table."),
    "run": ("run:run", "Ask one or several systems questions, and score the answers."),
    "search": ("search:search", "Find the passages of the corpus for some words."),
    "schema": ("schema:schema", "Print the JSON Schema of experiments.yaml, for editors."),
    "score": ("score:score", "Score recorded answers again with the current rules."),
    "start": ("start:start", "Go from your documents to a first table of results, step by step."),
    "view": ("view:view", "Show runs, answers and differences in the browser."),
}
"""The module and function of each command, and its line in the list of commands."""

_ONE_THREAD: Final = frozenset({"compare", "labels", "report"})
"""Commands that compute with NumPy but multiply no matrices of size: starting the threads of its
algebra would be a third of the time of importing it."""
_READING: Final = frozenset({"compare", "list", "report"})
"""Commands that only read results: no library that they use has to free its objects."""
_NO_PATH: Final = (errno.ENAMETOOLONG, errno.ELOOP)
"""The errors of a path that no command can read or write, whatever it is for."""
_LONGEST_PATH: Final = 200
_python_show_warning: Final = warnings.showwarning


def __getattr__(name: str) -> Any:
    """``app``, the parser of the command line, which is made when it is first needed."""
    if name != "app":
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    globals()["app"] = load_object("assay.cli.application:make_app")(COMMANDS)
    return globals()["app"]


def main() -> None:
    """Run the program. An ``AssayError`` is printed as one line, without a traceback."""
    pause_collection()
    warnings.showwarning = _show_warning
    take_closed_descriptors()
    with masked_output():
        try:
            _run(sys.argv[1:])
            _exit(0)
        except AssayError as error:
            _show_error(error.lines)
            _exit(error.exit_code)
        except SystemExit as end:
            _exit(end.code)
        except OSError as error:
            if error.errno not in _NO_PATH:
                _show_bug()
                _exit(1)
            _show_error((f"{str(error.filename)[:_LONGEST_PATH]}: {error.strerror}",))
            _exit(2)
        except Exception:  # noqa: BLE001 - a bug
            _show_bug()
            _exit(1)


def _show_bug() -> None:
    """Print the traceback of the error that is handled; what it shows is masked too."""
    import traceback  # noqa: PLC0415 - only a bug needs it

    from assay.redact.error_text import masked_error  # noqa: PLC0415 - as above

    sys.stderr.write(masked_error(traceback.format_exc()))


def _run(words: Sequence[str]) -> None:
    """Print a page that needs no parser, or run the command that the words name."""
    use_language(chosen_language(words, os.environ, sys.stdout.encoding or "utf-8"))
    is_completing = "_ASSAY_COMPLETE" in os.environ  # the shell asks what can be typed
    page = _without_lang(words)
    if not page and not is_completing:
        sys.stdout.write(start_page())
    elif page in (["--help"], ["-h"]):
        sys.stdout.write(help_page(COMMANDS))
    else:
        if not _ONE_THREAD.isdisjoint(page[:1]):
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        sys.modules[__name__].app(prog_name="assay")  # also as python -m assay


def _without_lang(words: Sequence[str]) -> list[str]:
    """The words without a leading ``--lang`` and a language that is known."""
    is_lang = len(words) > 1 and words[0] == "--lang" and words[1] in LANGUAGES
    return list(words[2:] if is_lang else words)


def _show_error(lines: Sequence[str]) -> None:
    """Print the lines of a message, each on one line of the terminal."""
    # imports half of the package, which assay --help does not need
    from assay.cli.output import echo  # noqa: PLC0415
    from assay.redact.error_text import masked_error  # noqa: PLC0415

    for line in (f"assay: {lines[0] if lines else ''}", *lines[1:]):
        echo(masked_error(line), err=True)


def _show_warning(message: Any, category: Any, *place: Any, **more: Any) -> None:
    """Print a ``RegistrationWarning`` and a ``NameNote`` as one line; any other warning as Python does."""
    if issubclass(category, NameNote):
        # imported here as above
        from assay.cli.output import echo, note_line  # noqa: PLC0415

        echo(note_line(str(message)), err=True)
    elif issubclass(category, RegistrationWarning):
        _show_error((str(message),))
    else:
        _python_show_warning(message, category, *place, **more)


def _exit(code: int | str | None) -> NoReturn:
    """Exit; at once if a system under test has left tasks that do not end, or after Ctrl+C.

    After Ctrl+C everything is written, and another Ctrl+C must not change the exit code. If the
    result could not be printed, the exit code is never 0.
    """
    if problem := stdout_problem():
        _show_error(problem.lines)
        code = code or problem.exit_code
    loop = sys.modules.get("assay.runs.executor")
    if code in INTERRUPTED or (loop is not None and loop.left_behind):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)
    end_collection(is_free=not _READING.isdisjoint(_without_lang(sys.argv[1:])[:1]))
    sys.exit(code)
