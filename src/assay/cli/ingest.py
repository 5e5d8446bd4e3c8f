"""``assay ingest``: documents cut into chunks that can be searched and cited."""

import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, Self, TextIO

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from assay.cli.options import AllowOutsideRoot, Json, Root
from assay.config import Workspace
from assay.jobs.corpus import Ingestion, chunks_folder
from assay.jobs.corpus import ingest as ingest_folder

QUIET_S = 1.5
"""Work that takes no longer than this shows no progress."""
LINE_S = 5.0
"""Seconds between two lines of progress where there is no terminal."""


def ingest(
    folder: Annotated[Path, typer.Argument(help="Folder of .txt, .md, .pdf and .docx files.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="Where the chunks go. Default: the folder of the configured chunks_manifest, "
            "else chunks/ in the workspace.",
        ),
    ] = None,
    tokens: Annotated[
        int, typer.Option("--tokens", min=1, help="Tokens of a chunk at most, estimated.")
    ] = 300,
    overlap: Annotated[
        int, typer.Option("--overlap", min=0, help="Tokens that two chunks of a section share.")
    ] = 40,
    root: Root = None,
    *,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Set chunks of other documents aside that stand there."),
    ] = False,
    allow_outside_root: AllowOutsideRoot = False,
    as_json: Json = False,
) -> None:
    """Cut documents into chunks: at articles and headings, then between sentences.

    The same documents give the same chunk ids and files. Ends with 1 if a document could
    not be read.
    """
    if out is None:
        out = chunks_folder(Workspace.find(root, allow_outside_root=allow_outside_root))
    with _Progress(sys.stderr) as progress:
        done = ingest_folder(
            folder, out, tokens=tokens, overlap=overlap, replace=replace, progress=progress.at
        )
    if as_json:
        typer.echo(msgspec.json.encode(done, enc_hook=str).decode())
    else:
        _print(done)
    if any(item.failed for item in done.passed):
        raise typer.Exit(1)


def _print(done: Ingestion) -> None:
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
    if done.aside is not None:
        typer.echo(f"note: the chunks that stood there are now in {done.aside}", err=True)
    typer.echo(
        f"{done.chunks} chunks of {len(done.ingested)} documents in {done.manifest}; "
        f"{len(done.passed)} files skipped"
    )


class _Progress:
    """How far the reading is: a bar on a terminal, else a line every few seconds.

    A thread shows it, so that one long document does not look like a standstill.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._state = (0, 0, "")
        self._began = time.monotonic()
        self._ended = threading.Event()
        show = self._bar if stream.isatty() else self._lines
        self._thread = threading.Thread(target=show, name="assay-progress", daemon=True)

    def at(self, done: int, total: int, source: str) -> None:
        """Take note of the document about to be read."""
        self._state = (done, total, source)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _lines(self) -> None:
        wait_s = QUIET_S
        while not self._ended.wait(wait_s):
            done, total, source = self._state
            took = time.monotonic() - self._began
            self._stream.write(f"{done} of {total} documents read in {took:.0f} s; now {source}\n")
            self._stream.flush()
            wait_s = LINE_S

    def _bar(self) -> None:
        if self._ended.wait(QUIET_S):
            return
        # rich takes 40 ms to import and only a long wait at a terminal needs it

        columns: tuple[Any, ...] = (
            BarColumn(bar_width=30),
            TextColumn("{task.completed}/{task.total}"),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
        )
        with Bar(*columns, console=Console(file=self._stream), transient=True) as bar:
            task = bar.add_task("", total=None)
            while not self._ended.wait(0.2):
                done, total, source = self._state
                bar.update(task, completed=done, total=total, description=source)
