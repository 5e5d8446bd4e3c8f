"""Writing results to standard output or to a file."""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import typer

from assay.errors import UseError
from assay.journal import plan_path, summary_path, verdicts_path


def print_text(text: str) -> bool:
    """Print in any terminal encoding; return whether the reader is still there.

    A reader that closed the pipe (``| head``) is not an error.
    """
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        typer.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # the interpreter flushes stdout again at exit and would print an error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


def refuse_results(out: Path | None, *results: Path) -> None:
    """Raise ``UseError`` if ``out`` is one of the files that the ``results`` consist of."""
    if out is None:
        return
    for path in results:
        journal = path.with_suffix(".jsonl")
        files = (path, journal, summary_path(journal), plan_path(journal), verdicts_path(journal))
        if out.resolve() in {file.resolve() for file in files}:
            raise UseError(f"--out {out}: would overwrite results; name another file")


def write_parts(out: Path, parts: Iterable[str]) -> None:
    """Write a text part by part to a new file that then replaces ``out``.

    If it cannot be completed, ``out`` keeps its old content.
    """
    temporary = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("w", encoding="utf-8", newline="") as file:
            for part in parts:
                file.write(part)
        temporary.replace(out)
    except OSError as error:
        raise UseError(f"{out}: cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
