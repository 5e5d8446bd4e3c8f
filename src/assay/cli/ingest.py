"""``assay ingest``: split documents into chunks that can be searched and cited."""

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
from assay.cli.output import echo, echo_text
from assay.cli.redaction import redacted
from assay.config import Workspace
from assay.jobs.corpus import Ingestion, chunks_folder
from assay.jobs.corpus import ingest as ingest_folder
from assay.text import counted, visible_line

QUIET_S = 1.5
"""Seconds before progress is shown for the first time."""
LINE_S = 5.0
"""Seconds between two progress lines if there is no terminal."""


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
        int, typer.Option("--tokens", min=1, help="Maximum tokens of a chunk (estimated).")
    ] = 300,
    overlap: Annotated[
        int, typer.Option("--overlap", min=0, help="Tokens shared by adjacent chunks of a section.")
    ] = 40,
    root: Root = None,
    *,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Move existing chunks of other documents aside."),
    ] = False,
    allow_outside_root: AllowOutsideRoot = False,
    as_json: Json = False,
) -> None:
    """Split documents into chunks at articles and headings, then between sentences.

    The same documents give the same chunk ids and files. The exit code is 1 if a document
    could not be read.
    """
    if out is None:
        out = chunks_folder(Workspace.find(root, allow_outside_root=allow_outside_root))
    with _Progress(sys.stderr) as progress:
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
        echo_text(msgspec.json.encode(ingestion, enc_hook=str).decode())
    else:
        _print(ingestion)
    if any(item.failed for item in ingestion.passed):
        raise typer.Exit(1)


def _print(ingestion: Ingestion) -> None:
    for document in ingestion.ingested:
        pages = "" if document.pages is None else f", {counted(document.pages, 'page')}"
        echo(f"{document.source}: {counted(document.chunks, 'chunk')}{pages}")
        if document.encoding:
            echo(
                f"note: {document.source}: read as {document.encoding}; if its text looks wrong, "
                "save it as UTF-8",
                err=True,
            )
        if document.empty_pages:
            numbers = ", ".join(map(str, document.empty_pages[:10]))
            more = " …" if len(document.empty_pages) > 10 else ""
            count = len(document.empty_pages)
            pages = counted(document.pages or 0, "page")
            verb = "has" if count == 1 else "have"
            echo(
                f"note: {document.source}: {count} of {pages} {verb} no text "
                f"({numbers}{more}): blank, or scanned and in need of OCR",
                err=True,
            )
    for item in ingestion.passed:
        reason = item.reason if item.failed else f"{item.source}: {item.reason}"
        echo(f"skipped {reason}", err=True)
    if ingestion.aside is not None:
        echo(f"note: the previous chunks are now in {ingestion.aside}", err=True)
    echo(
        f"{counted(ingestion.chunks, 'chunk')} of {counted(len(ingestion.ingested), 'document')} "
        f"in {ingestion.manifest}; {counted(len(ingestion.passed), 'file')} skipped"
    )


class _Progress:
    """Shows the progress of reading: a bar on a terminal, otherwise a line every few seconds.

    It runs in a thread, so that it is updated even while one long document is read.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._state = (0, 0, "")
        self._began = time.monotonic()
        self._ended = threading.Event()
        show = self._bar if stream.isatty() else self._lines
        self._thread = threading.Thread(target=show, name="assay-progress", daemon=True)

    def at(self, done: int, total: int, source: str) -> None:
        """Set the document that is about to be read."""
        self._state = (done, total, visible_line(source))

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
            self._stream.write(
                f"{done} of {counted(total, 'document')} read in {took:.0f} s; now {source}\n"
            )
            self._stream.flush()
            wait_s = LINE_S

    def _bar(self) -> None:
        if self._ended.wait(QUIET_S):
            return
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
