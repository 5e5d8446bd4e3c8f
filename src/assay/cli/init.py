"""``assay init``: create a workspace with sample documents and questions."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.next_step import say_next
from assay.cli.output import echo
from assay.jobs.corpus.new_workspace import create_empty_workspace, create_workspace
from assay.words.say import listed, say, say_n


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    *,
    force: Annotated[
        bool,
        typer.Option("--force", help="Use a folder that is not empty; existing files are renamed."),
    ] = False,
    empty: Annotated[
        bool,
        typer.Option("--empty", help="No samples, for your own documents; files in DIR stay."),
    ] = False,
) -> None:
    """Create a workspace with sample documents in three languages, chunks and questions."""
    if empty:
        created = create_empty_workspace(folder)
        echo(say("{folder}: an empty workspace", folder=created.folder))
        say_next("ingest", "FOLDER", folder=created.folder)
        return
    created = create_workspace(folder, force=force)
    for name, aside in created.moved:
        echo(say("moved your {name} to {aside}", name=name, aside=aside), err=True)
    counts = (
        say_n("{n} document", "{n} documents", created.documents),
        say_n("{n} chunk", "{n} chunks", created.chunks),
        say_n("{n} question", "{n} questions", created.questions),
    )
    echo(f"{created.folder}: {listed(counts)}")
    say_next("doctor", folder=created.folder)
