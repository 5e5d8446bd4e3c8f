"""Writing results to standard output or to a file."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import Final, TextIO

import typer

from assay.cli.masked import masked_json, reader_is_gone
from assay.errors import UseError
from assay.mask import mask_text, private_opener
from assay.runs.write import order_path, plan_path, summary_path, verdicts_path
from assay.text.normalise import visible, visible_line
from assay.words.say import say

_WORKFLOW_COMMAND: Final = re.compile(r"^([ \t]*):(?=:)", re.MULTILINE)


def echo(line: str = "", *, err: bool = False) -> None:
    """Print one line, in any encoding; with ``echo_text`` this is the one door to the terminal.

    Characters of data that a terminal would obey, newlines too, are shown as escapes.
    """
    echo_text(visible_line(line), err=err)


def note_line(note: str) -> str:
    """A note as a line, in the language in use.

    >>> note_line("no price is known")
    'note: no price is known'
    """
    return say("note: {note}", note=note)


def echo_text(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a text whose newlines are our own, such as a table or JSON.

    GitHub Actions obeys a line that begins with two colons: the first is shown as an escape.
    """
    stream = sys.stderr if err else sys.stdout
    shown = _WORKFLOW_COMMAND.sub(r"\g<1>\\x3a", visible(text))
    typer.echo(_encodable(shown, stream), err=err, nl=nl)


def echo_json(text: str) -> None:
    """Print JSON whose texts are masked, so that it stays JSON."""
    print_text(visible(masked_json(text)) + "\n", is_masked=True)


@contextmanager
def json_only(asked: bool) -> Iterator[TextIO]:
    """Standard output, which nothing else can write to if JSON was ``asked`` for.

    A system that is tested may print what it likes: it then goes to standard error.
    """
    stdout = sys.stdout
    with redirect_stdout(sys.stderr if asked else stdout):
        yield stdout


def print_text(text: str, *, is_masked: bool = False) -> bool:
    """Print a result as it is; return whether the reader is still there.

    Only a terminal gets escapes for the characters that it would obey: a program that reads the
    text needs the data. Values are masked, unless ``is_masked`` says that they are. A reader that closed the pipe (``| head``) is not an error.
    """
    shown = visible(text) if sys.stdout.isatty() else text
    try:
        write = getattr(sys.stdout, "write_masked" if is_masked else "write_own", None)
        # typer.echo would remove colours of data
        (write or sys.stdout.write)(_encodable(shown, sys.stdout))
        sys.stdout.flush()
    except BrokenPipeError:
        # the interpreter flushes stdout again at exit and would print an error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return not reader_is_gone()


def _encodable(text: str, stream: TextIO) -> str:
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def refuse_results(out: Path | None, *results: Path) -> None:
    """Raise ``UseError`` if ``out`` is one of the files that the ``results`` consist of."""
    if out is None:
        return
    for path in results:
        journal = path.with_suffix(".jsonl")
        beside = (summary_path, plan_path, order_path, verdicts_path)
        files = (path, journal, *(path_of(journal) for path_of in beside))
        if out.resolve() in {file.resolve() for file in files}:
            raise UseError(f"--out {out}: would overwrite results; name another file")


def write_parts(out: Path, parts: Iterable[str], *, is_masked: bool = False) -> None:
    """Write a text part by part to a new file that then replaces ``out``.

    Secrets and values are masked, unless ``is_masked`` says that nothing is to be masked any more.
    If it cannot be completed, ``out`` keeps its old content.
    """
    is_device = out.exists() and not out.is_file()  # also a pipe; it must not become a file
    temporary = out if is_device else out.with_name(f".{out.name}.{os.getpid()}")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "w", encoding="utf-8", newline="", opener=private_opener) as file:
            file.writelines(part if is_masked else mask_text(part) for part in parts)
        if not is_device:
            temporary.replace(out)
    except OSError as error:
        raise UseError(f"{out}: cannot be written: {error.strerror}") from None
    finally:
        if not is_device:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
