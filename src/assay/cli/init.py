"""``assay init``: a workspace with sample documents and questions to start from."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from assay.jobs.corpus import create_workspace


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    *,
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="Use a folder that is not empty; a file in the way is moved aside."
        ),
    ] = False,
) -> None:
    """Lay out a workspace: sample documents in three languages, chunks, questions, settings."""
    laid = create_workspace(folder, force=force)
    for name, aside in laid.moved:
        typer.echo(f"moved your {name} to {aside}", err=True)
    typer.echo(
        f"{laid.folder}: {laid.documents} documents, {laid.chunks} chunks, "
        f"{laid.questions} questions"
    )
    typer.echo(f"next: cd {shlex.quote(str(laid.folder))} && assay doctor")
