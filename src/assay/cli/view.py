"""``assay view``: show all runs of a workspace in the browser."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import Root
from assay.cli.output import echo, echo_text
from assay.cli.redaction import redacted
from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.results.find_results import find_parts
from assay.web.guard import read_token, user_token
from assay.web.library import Library
from assay.web.serve import ServeOptions, check_options, open_browser
from assay.web.serve import serve as serve_page
from assay.words.language import language, speaking
from assay.words.say import say


@redacted
def view(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FOLDER|RESULTS]...",
            help="Folder with runs, or result files. Default: the workspace.",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="Port. Default: the first free from 8321."),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file", help="File of the token, for scripts; written if it does not exist."
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option("--host", help="Address to listen on. Beyond 127.0.0.1: see docs/page.md."),
    ] = "127.0.0.1",
    password_env: Annotated[
        str | None,
        typer.Option("--password-env", metavar="NAME", help="Variable that holds a password."),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host", metavar="NAME", help="Name by which browsers may call the server."
        ),
    ] = None,
    root: Root = None,
    *,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Do not open the browser, only print the address.")
    ] = False,
    read_only: Annotated[
        bool | None,
        typer.Option(
            "--read-only/--allow-changes",
            show_default=False,
            help="Whether runs can be started, stopped and changed. Default: only read if others "
            "can open the page.",
        ),
    ] = None,
) -> None:
    """Show runs, answers and differences in the browser, and start, watch and stop runs."""
    library = _library(paths or [], root)
    options = ServeOptions(
        host=host,
        port=port,
        token=read_token(token_file) if token_file else user_token(),
        password=_password(password_env),
        allowed_hosts=tuple(allow_host or ()),
        is_read_only=read_only,
    )
    check_options(options)
    if allow_host:
        warning = say(
            (
                "browsers on other computers can open this page as {names}. "
                "Without TLS in front of it, everything on the way can be read and changed."
            ),
            names=", ".join(allow_host),
        )
        echo(say("warning: {warning}", warning=warning), err=True)

    lang = language()

    def announce(address: str, _: int) -> None:
        with speaking(lang):
            show(address)

    def show(address: str) -> None:
        runs = len(library.journals())
        echo(say("runs of {folder}: {n}", folder=library.root, n=runs))
        echo_text(f"\n  {address}\n")
        echo(say("Ctrl+C ends the server."))
        sys.stdout.flush()
        if not no_open:
            open_browser(address)

    with speaking("en"):  # the page chooses its own language
        serve_page(library, options, announce)


def _library(paths: list[str], root: Path | None) -> Library:
    """The runs of a folder, or of the workspace with the files that are named."""
    folders = [Path(path) for path in paths if Path(path).is_dir()]
    if len(folders) > 1 or (folders and len(paths) > 1):
        raise UseError("give one folder, or files of results")
    if folders:
        return Library(folders[0])
    workspace = Workspace.find(root)
    journals = [journal for path in paths for journal in find_parts(workspace, path).values()]
    return Library(workspace.root, journals)


def _password(name: str | None) -> str:
    if name is None:
        return ""
    password = os.environ.get(name, "")
    if not password:
        raise UseError(f"--password-env {name}: this variable is not set")
    return password
