"""``assay ingest``: documents cut into chunks that can be searched and cited."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Json, Root

if TYPE_CHECKING:
    from assay.jobs.ingest import Ingestion


def ingest(
    folder: Annotated[Path, typer.Argument(help="Folder of .txt, .md, .pdf and .docx files.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Where the chunks go. Default: chunks/ in the workspace."),
    ] = None,
    tokens: Annotated[
        int, typer.Option("--tokens", min=1, help="Tokens of a chunk at most, estimated.")
    ] = 300,
    overlap: Annotated[
        int, typer.Option("--overlap", min=0, help="Tokens that two chunks of a section share.")
    ] = 40,
    root: Root = None,
    *,
    as_json: Json = False,
) -> None:
    """Cut documents into chunks: at articles and headings, then between sentences.

    The same documents give the same chunk ids and files. Ends with 1 if a document could
    not be read.
    """
    # imported here so that `assay --help` stays quick
    from assay.config import Workspace  # noqa: PLC0415
    from assay.jobs.ingest import ingest as ingest_folder  # noqa: PLC0415

    target = out if out is not None else Workspace.find(root).root / "chunks"
    done = ingest_folder(folder, target, tokens=tokens, overlap=overlap)
    if as_json:
        import msgspec  # noqa: PLC0415 - only here

        typer.echo(msgspec.json.encode(done, enc_hook=str).decode())
    else:
        _print(done)
    if any(item.failed for item in done.passed):
        raise typer.Exit(1)


def _print(done: "Ingestion") -> None:
    for document in done.ingested:
        pages = "" if document.pages is None else f", {document.pages} pages"
        typer.echo(f"{document.source}: {document.chunks} chunks{pages}")
        if document.empty_pages:
            numbers = ", ".join(map(str, document.empty_pages[:10]))
            more = " …" if len(document.empty_pages) > 10 else ""
            count = len(document.empty_pages)
            typer.echo(
                f"note: {document.source}: {count} of {document.pages} pages have no text "
                f"({numbers}{more}): blank, or scanned and in need of OCR",
                err=True,
            )
    for item in done.passed:
        reason = item.reason if item.failed else f"{item.source}: {item.reason}"
        typer.echo(f"skipped {reason}", err=True)
    typer.echo(
        f"{done.chunks} chunks of {len(done.ingested)} documents in {done.manifest}; "
        f"{len(done.passed)} files skipped"
    )
