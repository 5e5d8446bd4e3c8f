"""Writing results to standard output or to a file."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TextIO, get_args, get_origin

import typer

from assay.cli.masked import masked_json, reader_is_gone
from assay.errors import UseError
from assay.mask import mask_text
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
    temporary = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("w", encoding="utf-8", newline="") as file:
            for part in parts:
                file.write(part if is_masked else mask_text(part))
        temporary.replace(out)
    except OSError as error:
        raise UseError(f"{out}: cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


# The values of options that need no validator.
#
# For every option that is no flag, typer builds a validator of pydantic, even if the option is not
# given, and pydantic takes as long to import as typer. Here texts, paths and numbers are converted
# without it. Everything else goes to typer, and so does what is wrong, so that messages are typer's.

_NUMBERS: Final = {
    int: re.compile(r"-?(?:0|[1-9][0-9]{0,14})"),
    float: re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?"),
}
_PATH_CHECKS: Final = ("exists", "writable", "resolve_path", "allow_dash", "path_type")


class PlainValues:
    """A command or a group whose parameters do without pydantic wherever they can.

    Releases of typer that do not use pydantic have nothing to avoid.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Convert the words of the command line."""
        for parameter in self.get_params(ctx):  # type: ignore[attr-defined]
            if hasattr(parameter, "get_runtime_param"):
                parameter.get_runtime_param = partial(_Converter, parameter)
        return super().parse_args(ctx, args)  # type: ignore[misc, no-any-return]


class _Converter:
    """Converts the values of one parameter; takes the place of what typer builds for it."""

    def __init__(self, parameter: Any) -> None:
        self._by_typer: Callable[[], Any] = partial(type(parameter).get_runtime_param, parameter)
        self._kind = parameter.type_descriptor.annotation
        self._info = parameter.type_descriptor.parameter_info

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value of the parameter: a list if it can be given several times."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        try:
            if get_origin(self._kind) is list and isinstance(value, list | tuple):
                (kind,) = get_args(self._kind)
                return [_converted(kind, each, self._info) for each in value]
            return _converted(self._kind, value, self._info)
        except ValueError:
            return self._by_typer().coerce(value, param=param, ctx=ctx)


def _converted(kind: Any, value: Any, info: Any) -> Any:
    """The value as ``kind``. Raises ``ValueError`` if only typer can say what it is."""
    text = str(value)
    text.encode()  # a UnicodeError, which is a ValueError, if it has bytes that are no text
    if info.parser is None:
        if kind is str:
            return text
        if kind is Path and not _is_checked(text, info):
            return Path(text)
        if kind in _NUMBERS and not info.clamp and _is_number(kind, value):
            number = kind(value)
            if _is_within(number, info.min, info.max):
                return number
    raise ValueError(text)


def _is_checked(text: str, info: Any) -> bool:
    """Whether typer has to look at the path, or refuses it."""
    if any(getattr(info, check) for check in _PATH_CHECKS) or not (
        info.file_okay and info.dir_okay
    ):
        return True
    return os.path.lexists(text) and not os.access(text, os.R_OK)


def _is_number(kind: type, value: Any) -> bool:
    """Whether the value is a number already, as a default is, or a text that only has one meaning."""
    return type(value) is kind or bool(_NUMBERS[kind].fullmatch(str(value)))


def _is_within(number: float, low: float | None, high: float | None) -> bool:
    return (low is None or number >= low) and (high is None or number <= high)
