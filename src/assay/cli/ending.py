"""The end of a run command: its counts, its exit code and the command to resume it."""

import shlex
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

from assay.cli.output import echo
from assay.data.secret_field import without_secrets
from assay.errors import CeilingReached, Interrupted, RunStopped
from assay.jobs.run_cases import OUTSIDE
from assay.records import Tally
from assay.redact import masked_error
from assay.runner import RunResult, duration
from assay.scorers import ruler
from assay.words import listed, say


def resume_command(argv: list[str], *further: str) -> str:
    """The command line that resumes this one, with ``further`` words added at the end.

    >>> resume_command(["/usr/bin/assay", "demo", "--fresh", "my folder"])
    "assay demo 'my folder'"
    """
    words = [word for word in argv[1:] if word != "--fresh"]
    return shlex.join(["assay", *words, *further])


def continuing_command(argv: list[str], stopped: RunStopped, *further: str) -> str:
    """The command line that goes on after this stop: with a higher cost limit if it was that.

    >>> reached = CeilingReached("spent 1 of 1", raised=2.0)
    >>> continuing_command(["assay", "ablate", "--max-cost", "1", "-e", "hyde"], reached)
    'assay ablate -e hyde --max-cost 2'
    >>> continuing_command(["assay", "ablate", "--max-cost=1"], reached)
    'assay ablate --max-cost 2'
    """
    raised = stopped.raised if isinstance(stopped, CeilingReached) else None
    if raised is None:
        return resume_command(argv, *further)
    words = [
        word
        for before, word in pairwise(argv)
        if "--max-cost" not in {before, word} and not word.startswith("--max-cost=")
    ]
    return resume_command([argv[0], *words], *further, "--max-cost", f"{raised:g}")


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
    if result.earlier_ruler is not None:
        _tell(
            "the recorded answers were scored by other rules ({was}); they were scored again by {now} "
            "without asking: {n} {n:answer|answers} changed",
            was=result.earlier_ruler or say("those of an earlier version"),
            now=ruler.RULER,
            n=result.judged,
        )
    elif result.judged:
        _tell(
            "{n} recorded {n:answer was|answers were} judged, without asking again",
            n=result.judged,
        )
    if result.outside:
        _tell(OUTSIDE, n=result.outside)
    if result.unjudged:
        _tell("not all recorded answers could be judged again: {why}", why=result.unjudged)
    if result.asked == 0 and result.is_complete and result.stopped is None:
        _tell(
            "{n:the only case was|all {n} cases were} recorded earlier; nothing was asked",
            n=result.total,
        )
        return 1 if result.unjudged else 0
    _tell(
        "{facts} of {total} in {time}",
        facts=listed(_facts(result)),
        total=result.total,
        time=duration(result.elapsed_s),
    )
    if result.stopped is not None:
        _tell("stopped: {why}", why=_why(result.stopped))
        command = continuing_command(sys.argv, result.stopped, *further)
        _tell("resume with: {command}", command=command)
        return result.stopped.exit_code
    _say_what_is_left(tally, resume_command(sys.argv, *further))
    return 1 if tally.failed or tally.answered or result.unjudged else 0


def _why(stopped: RunStopped) -> str:
    """Why a run stopped: errors are English, a stop by the user is not one."""
    if not isinstance(stopped, Interrupted):
        return masked_error(str(stopped))
    return say(
        "interrupted" if stopped.exit_code == Interrupted.exit_code else "terminated (SIGTERM)"
    )


def _facts(result: RunResult) -> list[str]:
    """The counts of the run and what was spent."""
    tally = result.tally
    facts = [say("{n} scored", n=tally.scored)]
    if tally.lost:
        facts.append(say("{n} of them lost to the provider's filter", n=tally.lost))
    if tally.answered:
        facts.append(say("{n} answered but not judged", n=tally.answered))
    facts += [say("{n} failed", n=tally.failed), say("{n} skipped", n=tally.skipped)]
    if tally.spared:
        facts.append(say("{n} spared by early decisions", n=tally.spared))
    if result.total > tally.ended:
        facts.append(say("{n} not asked", n=result.total - tally.ended))
    if result.paid is not None:
        facts.append(say("{cost:.4f} spent", cost=result.paid))
    return facts


def _say_what_is_left(tally: Tally, again: str) -> None:
    """Say which cases have no score, and the command that goes on with them."""
    if tally.answered:
        _tell(
            "{n} answered but not judged; judge {n:it|them}, without asking again, with: {command}",
            n=tally.answered,
            command=again,
        )
    if tally.failed:
        _tell("{n} failed; ask {n:it|them} again with: {command}", n=tally.failed, command=again)
    if tally.filtered:
        _tell(
            "{n} {n:answer was|answers were} withheld by the provider's filter; "
            "--count-filtered counts such an answer as wrong",
            n=tally.filtered,
        )


def _tell(message: str, **fields: Any) -> None:
    """Print a line to standard error, in the language in use."""
    echo(say(message, **fields), err=True)
