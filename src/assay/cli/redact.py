"""``assay redact``: list the values in files that must not leak, mask a file, turn tags back."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from assay.cli.options import Json, Root
from assay.cli.output import echo, echo_json, print_text, write_parts
from assay.cli.overwrite import Output
from assay.cli.redaction import Key, NoKey
from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.jobs.redaction.rewrite import Rewritten, masked_file, revealed_file, rewrite_results
from assay.jobs.redaction.scan import FoundValue, Scan, scan_files
from assay.redact.finding import Finder
from assay.redact.pseudonym import Forgotten, KeyFile
from assay.report.description import file_line
from assay.runs.make_redaction import further_finders, key_path
from assay.runs.redaction import RedactOptions, redact_settings, redacting
from assay.words.say import say, say_n

app = typer.Typer(
    help="Values that must not leak: list them, mask a file, turn its tags back.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
Out = Annotated[Path | None, typer.Option("--out", help="Write the result to this file.")]


@app.command("scan")
def scan(
    path: Annotated[Path, typer.Argument(help="A file, or a folder with files.")],
    root: Root = None,
    *,
    as_json: Json = False,
) -> None:
    """List what would be masked: file and line, kind, and the ends of the value.

    Text, JSON, PDF and Word files are searched, and the names of all files. The exit code is 1
    if a file could not be read. Needs the extra redact.
    """
    result = scan_files(path, _finders(root))
    if as_json:
        echo_json(msgspec.json.encode(result).decode())
    else:
        _print(result)
    if result.unread:
        raise typer.Exit(1)


def _print(result: Scan) -> None:
    for found in result.found:
        echo(f"{_place(found)}: {found.kind} {found.shortened}")
    for message in result.unread:
        echo(say("not read: {why}", why=message), err=True)
    if result.skipped:
        echo(
            say_n(
                "{n} file of other formats not searched",
                "{n} files of other formats not searched",
                len(result.skipped),
            ),
            err=True,
        )
    kinds = Counter(found.kind for found in result.found)
    counts = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    total = say(
        "{values} {files}",
        values=say_n("{n} value", "{n} values", len(result.found)),
        files=say_n("in {n} file", "in {n} files", result.files),
    )
    echo(f"{total}{counts and ': '}{counts}")


def _place(found: FoundValue) -> str:
    if not found.line:
        return say("{file} (its name)", file=found.source)
    page = "" if found.page is None else say("page {n}:", n=found.page)
    return f"{found.source}:{page}{found.line}"


@app.command("mask")
def mask(
    path: Annotated[Path, typer.Argument(help="A text or JSON file.")],
    out: Out = None,
    key: Key = None,
    root: Root = None,
    *,
    no_key: NoKey = False,
) -> None:
    """Print a file with a tag in place of each value, or write it to another file.

    With a key, a value has the same tag in every file. Needs the extra redact.
    """
    if no_key and key is not None:
        raise UseError("give --key or --no-key, not both")
    output = _output("assay redact mask", path, out, root)
    pseudonyms = Forgotten() if no_key else KeyFile(_key_path(key, root))
    _write(masked_file(path, pseudonyms, _finders(root)), output)


@app.command("reveal")
def reveal(
    path: Annotated[Path, typer.Argument(help="A masked text or JSON file.")],
    out: Out = None,
    key: Key = None,
    root: Root = None,
) -> None:
    """Print a masked file with its values, or write it to another file. Needs its key.

    Tags that the key does not know stay.
    """
    output = _output("assay redact reveal", path, out, root)
    _write(revealed_file(path, _key_path(key, root)), output)


@app.command("rewrite")
def rewrite(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH]...", help="Results. Default: all of the workspace."),
    ] = None,
    key: Key = None,
    root: Root = None,
    *,
    no_key: NoKey = False,
) -> None:
    """Mask what earlier runs recorded without redaction: rows, summaries, reports, the call cache.

    The numbers stay as they are. Needs the extra redact.
    """
    workspace = Workspace.find(root)
    with redacting(workspace, RedactOptions(mode="outputs", key=key, no_key=no_key)):
        _print_rewritten(rewrite_results(workspace, paths or []), no_key=no_key)


def _print_rewritten(result: Rewritten, *, no_key: bool) -> None:
    echo(
        say_n(
            "{n} file searched, {masked} masked",
            "{n} files searched, {masked} masked",
            result.files,
            masked=result.changed,
        )
    )
    if result.calls:
        if no_key:
            echo(say_n("{n} recorded call deleted", "{n} recorded calls deleted", result.calls))
        else:
            echo(say_n("{n} recorded call encrypted", "{n} recorded calls encrypted", result.calls))
    for folder in result.removed:
        echo(
            file_line(
                "removed",
                say("{folder} (text of documents; made again in a private folder)", folder=folder),
            )
        )
    for path in result.left:
        echo(say("not masked: {file}; write it again or delete it", file=path), err=True)


def _finders(root: Path | None) -> list[Finder]:
    """The finders of the user's own words and patterns."""
    return further_finders(redact_settings(Workspace.find(root), RedactOptions()))


def _key_path(key: Path | None, root: Path | None) -> Path:
    if key is not None:
        return key
    workspace = Workspace.find(root)
    return key_path(workspace, redact_settings(workspace, RedactOptions()).key)


def _output(command: str, path: Path, out: Path | None, root: Path | None) -> Output:
    if out is not None and out.resolve() == path.resolve():
        raise UseError(f"--out {out}: is the file itself; name another file")
    return Output(out, command, root=root)


def _write(parts: Iterator[str], output: Output) -> None:
    if (out := output.path) is not None:
        write_parts(out, parts, is_masked=True)
        output.record()
        echo(file_line("written", out), err=True)
        return
    for part in parts:
        if not print_text(part):
            return
