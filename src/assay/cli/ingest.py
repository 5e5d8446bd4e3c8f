"""``assay ingest``: split documents into chunks that can be searched and cited."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from assay.cli.next_step import say_next
from assay.cli.options import AllowOutsideRoot, Json, Root
from assay.cli.output import echo, echo_json, note_line
from assay.cli.progress import reading_progress
from assay.cli.redaction import redacted
from assay.config.workspace import Workspace
from assay.data.corpus.recut import Cut
from assay.jobs.corpus.ingest import Ingestion, PassedOver, chunks_folder
from assay.jobs.corpus.ingest import ingest as ingest_folder
from assay.report.description import noted, unread_note
from assay.words.say import listed, say, say_n


@redacted
def ingest(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FILE|FOLDER",
            help="A document, or a folder of them: text, Markdown, HTML, PDF, Word, Excel, CSV.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="Folder for the chunks. Default: the folder of the configured chunks_manifest, "
            "otherwise chunks/ in the workspace.",
        ),
    ] = None,
    tokens: Annotated[
        int | None,
        typer.Option(
            "--tokens",
            min=1,
            help="Maximum tokens of a chunk (estimated). Default: as the existing chunks, "
            "otherwise 300.",
        ),
    ] = None,
    overlap: Annotated[
        int | None,
        typer.Option(
            "--overlap",
            min=0,
            help="Tokens shared by adjacent chunks of a section. Default: as the existing chunks, "
            "otherwise 40.",
        ),
    ] = None,
    root: Root = None,
    *,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Move existing chunks of other documents aside."),
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if a document could not be read.")
    ] = False,
    allow_outside_root: AllowOutsideRoot = False,
    as_json: Json = False,
) -> None:
    """Split documents into chunks at articles and headings, then between sentences.

    The same documents give the same chunk ids and files. If chunks are lost because documents or
    sizes have changed, the previous ones are kept in a subfolder. Documents that cannot be read
    are named and left out.
    """
    in_workspace = out is None
    if out is None:
        out = chunks_folder(Workspace.find(root, allow_outside_root=allow_outside_root))
    with reading_progress(None if as_json else sys.stderr) as progress:
        ingestion = ingest_folder(
            folder,
            out,
            tokens=tokens,
            overlap=overlap,
            replace=replace,
            follow_links=allow_outside_root,
            progress=progress.at,
        )
    if as_json:
        echo_json(msgspec.json.encode(ingestion, enc_hook=str).decode())
    else:
        _print(ingestion, as_asked=tokens is not None and overlap is not None)
    if in_workspace:
        say_next("questions", "draft", root=root)
    if strict and any(item.failed for item in ingestion.passed):
        raise typer.Exit(1)


def _print(ingestion: Ingestion, *, as_asked: bool) -> None:
    for document in ingestion.ingested:
        counts = [say_n("{n} chunk", "{n} chunks", document.chunks)]
        if document.pages is not None:
            counts.append(say_n("{n} page", "{n} pages", document.pages))
        echo(f"{document.source}: {listed(counts)}")
        if document.encoding:
            read = say(
                "{file}: read as {encoding}", file=document.source, encoding=document.encoding
            )
            echo(note_line(read), err=True)
        if document.empty_pages:
            numbers = ", ".join(map(str, document.empty_pages[:10]))
            more = " …" if len(document.empty_pages) > 10 else ""
            empty = say_n(
                "{file}: no text on {some} of {n} page ({pages}): blank, or scanned and in need of OCR",
                "{file}: no text on {some} of {n} pages ({pages}): blank, or scanned and in need of OCR",
                document.pages or 0,
                file=document.source,
                some=len(document.empty_pages),
                pages=f"{numbers}{more}",
            )
            echo(note_line(empty), err=True)
        if document.unread:
            echo(note_line(f"{document.source}: {unread_note(document.unread)}"), err=True)
    for item in ingestion.passed:
        echo(say("skipped {what}", what=skipped_text(item)), err=True)
    for note in corpus_notes(ingestion, as_asked=as_asked):
        echo(note_line(note), err=True)
    echo(
        say(
            "{chunks} {documents} in {manifest}; {skipped}",
            chunks=say_n("{n} chunk", "{n} chunks", ingestion.chunks),
            documents=say_n("of {n} document", "of {n} documents", len(ingestion.ingested)),
            manifest=ingestion.manifest,
            skipped=say_n("{n} file skipped", "{n} files skipped", len(ingestion.passed)),
        )
    )


def corpus_notes(ingestion: Ingestion, *, as_asked: bool = False) -> Iterator[str]:
    """What became of the corpus that was there before; ``as_asked`` if the user gave both sizes."""
    cut, earlier = ingestion.cut, ingestion.earlier_cut
    if not as_asked and earlier == cut != Cut():
        yield say(
            "cut as before: {tokens} tokens, overlap {overlap}; --tokens and --overlap change it",
            tokens=cut.tokens,
            overlap=cut.overlap,
        )
    if earlier is not None and earlier != cut:
        yield say(
            "cut anew: {tokens} tokens, overlap {overlap}; before: {old_tokens}, {old_overlap}",
            tokens=cut.tokens,
            overlap=cut.overlap,
            old_tokens=earlier.tokens,
            old_overlap=earlier.overlap,
        )
    if (largest := ingestion.largest) is not None:
        yield say(
            "{file} has {n} of {total} chunks, more than all others together: most passages that are found will be from it",
            file=largest.source,
            n=f"{largest.chunks:,}",
            total=f"{ingestion.chunks:,}",
        )
    if ingestion.lost:
        yield say_n(
            "{n} previous chunk is not in the new corpus; questions that name it as gold need the old one, or gold spans",
            "{n} previous chunks are not in the new corpus; questions that name them as gold need the old one, or gold spans",
            ingestion.lost,
        )
    if ingestion.aside is not None:
        yield say("the previous chunks are now in {folder}", folder=ingestion.aside)


def skipped_text(item: PassedOver) -> str:
    """A file that was left out and why, in the language in use; errors with details stay English."""
    name, why = item.source, item.reason
    if isinstance(why, str):  # an error, which begins with the path
        name, _, why = why.partition(": ")
    return f"{name}: {noted(why)}"
