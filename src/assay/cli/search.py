"""``assay search``: find the passages of the corpus for some words, for example gold."""

import sys
from typing import Annotated

import msgspec
import typer

from assay.cli.options import AllowOutsideRoot, Json, Root
from assay.cli.output import echo, echo_json
from assay.cli.progress import embedding_progress
from assay.cli.redaction import redacted
from assay.config.workspace import Workspace
from assay.jobs.corpus.passage_search import Found, search_corpus
from assay.words.say import say


@redacted
def search(
    words: Annotated[str, typer.Argument(help="Words, a phrase or a question.")],
    source: Annotated[
        str | None,
        typer.Option("--source", help="Only this document: a name, a part of it, or a pattern."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Number of passages.")] = 5,
    root: Root = None,
    *,
    allow_outside_root: AllowOutsideRoot = False,
    as_json: Json = False,
) -> None:
    """Print the best passages of the corpus, with the ids that questions name as gold."""
    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    with embedding_progress(None if as_json else sys.stderr):
        found = search_corpus(workspace, words, source=source, limit=limit)
    if as_json:
        echo_json(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
        return
    if not found:
        echo(say("no passage"))
    for number, passage in enumerate(found, 1):
        _print(number, passage)


def _print(number: int, passage: Found) -> None:
    page = say(", page {n}", n=passage.page) if passage.page is not None else ""
    echo(f"{number}. {passage.id}  {passage.source}{page}  ({passage.score:.3f})")
    for line in passage.text.splitlines():
        if line.strip():
            echo(f"   {line}")
