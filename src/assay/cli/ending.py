"""The end of a run command: its counts, its exit code and the command to resume it."""

import shlex
import sys
from pathlib import Path

from assay.cli.output import echo
from assay.data.secret_field import without_secrets
from assay.jobs.run_cases import outside_line
from assay.records import Tally
from assay.runner import RunResult, duration
from assay.text import counted


def resume_command(argv: list[str], *further: str) -> str:
    """The command line that resumes this one, with ``further`` words added at the end.

    >>> resume_command(["/usr/bin/assay", "demo", "--fresh", "my folder"])
    "assay demo 'my folder'"
    """
    words = [word for word in argv[1:] if word != "--fresh"]
    return shlex.join(["assay", *words, *further])


def typed_words(argv: list[str]) -> tuple[str, ...]:
    """What was typed, without what looks like a secret; empty if it was not the command ``assay``.

    >>> typed_words(["/usr/bin/assay", "ablate", "-e", "hyde", "--system", "http://me:pw@host/ask"])
    ('assay', 'ablate', '-e', 'hyde', '--system', 'http://host/ask')
    """
    program = Path(argv[0])
    if program.stem != "assay" and program.name != "__main__.py":
        return ()  # the command was called from a program of its own
    return ("assay", *map(str, without_secrets(argv[1:])))


def end_run(result: RunResult, *further: str) -> int:
    """Print to standard error how the run ended; return the exit code.

    ``further`` are words that must be added to the command line to find these results again,
    such as a folder that the command chose itself.

    Exit code 0: every case is scored, skipped or spared. 1: some cases failed or could not be judged, or
    a limit was reached.
    A stop for another reason has its own exit code (2, 130 or 143).
    """
    tally = result.tally
    if result.judged:
        answers = counted(result.judged, "recorded answer was", "recorded answers were")
        echo(f"{answers} judged, without asking again", err=True)
    if result.outside:
        echo(outside_line(result.outside), err=True)
    if result.unjudged:
        echo(f"not all recorded answers could be judged again: {result.unjudged}", err=True)
    if result.asked == 0 and result.is_complete and result.stopped is None:
        cases = "the only case was" if result.total == 1 else f"all {result.total} cases were"
        echo(f"{cases} recorded earlier; nothing was asked", err=True)
        return 1 if result.unjudged else 0
    facts = _facts(result)
    echo(f"{', '.join(facts)} of {result.total} in {duration(result.elapsed_s)}", err=True)
    if result.stopped is not None:
        echo(f"stopped: {result.stopped}", err=True)
        echo(f"resume with: {resume_command(sys.argv, *further)}", err=True)
        return result.stopped.exit_code
    _say_what_is_left(tally, resume_command(sys.argv, *further))
    return 1 if tally.failed or tally.answered or result.unjudged else 0


def _facts(result: RunResult) -> list[str]:
    """The counts of the run and what was spent."""
    tally = result.tally
    facts = [f"{tally.scored} scored"]
    if tally.lost:
        facts.append(f"{tally.lost} of them lost to the provider's filter")
    facts += [f"{tally.answered} answered but not judged"] if tally.answered else []
    facts += [f"{tally.failed} failed", f"{tally.skipped} skipped"]
    facts += [f"{tally.spared} spared by early decisions"] if tally.spared else []
    if result.total > tally.ended:
        facts.append(f"{result.total - tally.ended} not asked")
    if result.paid is not None:
        facts.append(f"{result.paid:.4f} spent")
    return facts


def _say_what_is_left(tally: Tally, again: str) -> None:
    """Say which cases have no score, and the command that goes on with them."""
    if tally.answered:
        echo(
            f"{tally.answered} answered but not judged; judge {'it' if tally.answered == 1 else 'them'}, "
            "without asking again, with: "
            f"{again}",
            err=True,
        )
    if tally.failed:
        echo(
            f"{tally.failed} failed; ask {'it' if tally.failed == 1 else 'them'} again with: "
            f"{again}",
            err=True,
        )
    if tally.filtered:
        echo(
            f"{counted(tally.filtered, 'answer was', 'answers were')} withheld by the provider's "
            "filter; --count-filtered counts such an answer as wrong",
            err=True,
        )
