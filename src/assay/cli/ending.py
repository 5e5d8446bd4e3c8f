"""How a run command ends: what was done, what was not, and how to go on."""

import shlex
import sys

import typer

from assay.runner import RunResult, duration


def resume_command(argv: list[str], *further: str) -> str:
    """The command line that goes on where this one stopped; ``further`` is what it chose itself.

    >>> resume_command(["/usr/bin/assay", "demo", "--fresh", "my folder"])
    "assay demo 'my folder'"
    """
    given = [word for word in argv[1:] if word != "--fresh"]
    return shlex.join(["assay", *given, *further])


def end_run(result: RunResult, *further: str) -> int:
    """Say on standard error how the run ended; return the exit code.

    ``further`` are words that the command line lacks to find this run's results again.

    0: every case is scored or skipped. 1: some cases failed, or a ceiling was reached.
    2 and 130: as the stop itself says.
    """
    tally = result.tally
    if result.asked == 0 and result.is_complete:
        typer.echo(f"all {result.total} cases were recorded earlier; nothing was asked", err=True)
        return 0
    facts = [f"{tally.scored} scored", f"{tally.failed} failed", f"{tally.skipped} skipped"]
    if result.total > tally.ended:
        facts.append(f"{result.total - tally.ended} not asked")
    if result.paid is not None:
        facts.append(f"{result.paid:.4f} spent")
    typer.echo(f"{', '.join(facts)} of {result.total} in {duration(result.elapsed_s)}", err=True)
    if result.stopped is not None:
        typer.echo(f"stopped: {result.stopped}", err=True)
        typer.echo(f"resume with: {resume_command(sys.argv, *further)}", err=True)
        return result.stopped.exit_code
    if tally.failed:
        typer.echo(
            f"{tally.failed} failed; ask them again with: {resume_command(sys.argv, *further)}",
            err=True,
        )
        return 1
    return 0
