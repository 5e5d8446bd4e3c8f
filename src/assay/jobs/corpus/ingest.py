"""Making a corpus from a folder of documents: the work of ``assay ingest``."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from assay.config import Workspace
from assay.data.corpus import MANIFEST, OVERLAP, TOKENS, Chunk, chunk_document, write_corpus
from assay.data.document import is_document, read_document
from assay.errors import DatasetError, UseError
from assay.jobs.corpus.existing_corpus import ExistingCorpus, find_corpus, set_aside
from assay.jobs.setup import load_configuration

Progress = Callable[[int, int, str], None]
"""Called before each document with the number read so far, the total number, and its name."""


class Ingested(Struct, frozen=True, kw_only=True):
    """A document that was read. ``empty_pages`` have no text; perhaps they are scanned."""

    source: str
    chunks: int
    pages: int | None = None
    empty_pages: tuple[int, ...] = ()


class PassedOver(Struct, frozen=True, kw_only=True):
    """A file that was left out, and the reason.

    ``failed`` is true for a document that could not be read, and false for other files.
    """

    source: str
    reason: str
    failed: bool


class Ingestion(Struct, frozen=True, kw_only=True):
    """The result of ingesting a folder.

    ``passed`` are the files that were left out. ``aside`` is the folder in which the previous
    corpus is kept; None if it is not kept.
    """

    manifest: Path
    ingested: tuple[Ingested, ...]
    passed: tuple[PassedOver, ...]
    aside: Path | None = None

    @property
    def chunks(self) -> int:
        """The number of chunks of all documents."""
        return sum(document.chunks for document in self.ingested)


_Outcome = Mapping[str, Ingested | PassedOver | None]
"""The outcome of each document by its name; None before it is read."""


def chunks_folder(workspace: Workspace) -> Path:
    """The folder for the workspace's chunks: that of the configured manifest, else ``chunks``.

    Raises ``UseError`` if the configured manifest has another file name than ``assay ingest``
    writes.
    """
    document = load_configuration(workspace)
    configured = document.value.defaults.chunks_manifest if document is not None else None
    if document is None or configured is None:
        return workspace.root / "chunks"
    where = document.where("defaults", "chunks_manifest")
    path = workspace.resolve(configured, where)
    if path.name == MANIFEST:
        return path.parent
    if path.suffix == ".json":
        raise UseError(
            f"{where}: chunks_manifest: assay ingest writes {MANIFEST}, not {path.name}; "
            f"change the name to {MANIFEST}, or pass --out"
        )
    return path


def ingest(
    folder: Path,
    out: Path,
    *,
    tokens: int = TOKENS,
    overlap: int = OVERLAP,
    replace: bool = False,
    follow_links: bool = False,
    progress: Progress | None = None,
) -> Ingestion:
    """Cut every document below ``folder`` into chunks and write them to ``out``.

    The same folder always gives the same bytes. A document that cannot be read is left out and
    named in the result. If none can be read, nothing is written and ``DatasetError`` is raised.
    If ``out`` has a corpus of which documents would be lost, ``UseError`` is raised, or with
    ``replace`` that corpus is kept in a subfolder. The new corpus takes its place in one step.
    A symbolic link that leads out of ``folder`` is left out, unless ``follow_links`` is true.
    """
    if not folder.is_dir():
        raise UseError(f"{folder}: no such folder")
    files = {path.relative_to(folder).as_posix(): path for path in _files(folder, out)}
    links = {} if follow_links else _links_outside(files, folder)
    documents = [source for source in files if is_document(files[source]) and source not in links]
    existing = find_corpus(out)
    if not replace and documents:  # checked first, because reading may take long
        _refuse_loss(existing, dict.fromkeys(documents), folder)
    chunks: list[Chunk] = []
    outcome: dict[str, Ingested | PassedOver] = {}
    for number, source in enumerate(documents):
        if progress is not None:
            progress(number, len(documents), source)
        try:
            outcome[source], document_chunks = _read(files[source], source, tokens, overlap)
        except DatasetError as error:
            outcome[source] = PassedOver(source=source, reason=str(error), failed=True)
        else:
            chunks.extend(document_chunks)
    outcomes = [
        outcome.get(source) or links.get(source) or _not_a_document(source) for source in files
    ]
    passed = tuple(item for item in outcomes if isinstance(item, PassedOver))
    if not chunks:
        raise DatasetError(_no_documents_message(folder, passed))
    aside = None
    if replace and existing is not None:
        aside = _set_aside_if_lost(existing, outcome)
    else:
        _refuse_loss(existing, outcome, folder)
    return Ingestion(
        manifest=write_corpus(
            out,
            chunks,
            settings={"tokens": tokens, "overlap": overlap},
            replaced=existing.files if aside is not None and existing is not None else (),
        ),
        ingested=tuple(item for item in outcomes if isinstance(item, Ingested)),
        passed=passed,
        aside=aside,
    )


def _refuse_loss(existing: ExistingCorpus | None, outcome: _Outcome, folder: Path) -> None:
    """Raise ``UseError`` if writing a new corpus would lose chunks of the existing one."""
    remedy = "choose another --out, or pass --replace to keep them in a subfolder"
    if existing is None:
        return
    if not existing.is_made_by_assay:
        raise UseError(
            f"{existing.folder} contains chunks that assay ingest did not make; {remedy}"
        )
    lost = _lost_sources(existing, outcome)
    if lost:
        more = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
        document = outcome.get(lost[0])
        why = (
            f"which now fails ({document.reason})"
            if isinstance(document, PassedOver)
            else f"not in {folder}"
        )
        raise UseError(f"{existing.folder} contains chunks of {lost[0]}{more}, {why}; {remedy}")


def _set_aside_if_lost(existing: ExistingCorpus, outcome: _Outcome) -> Path | None:
    """Keep a corpus in a subfolder if a new one would lose some of its chunks."""
    if existing.is_made_by_assay and not _lost_sources(existing, outcome):
        return None
    return set_aside(existing)


def _lost_sources(existing: ExistingCorpus, outcome: _Outcome) -> list[str]:
    kept = {source for source, result in outcome.items() if not isinstance(result, PassedOver)}
    return [source for source in existing.sources if source not in kept]


def _links_outside(files: Mapping[str, Path], folder: Path) -> dict[str, PassedOver]:
    """The files that lie elsewhere: a link may lead to anything that the user can read."""
    root = folder.resolve()
    reason = "a link to a file outside the folder; copy it, or pass --allow-outside-root"
    return {
        source: PassedOver(source=source, reason=f"{source}: {reason}", failed=True)
        for source, path in files.items()
        if is_document(path) and not path.resolve().is_relative_to(root)
    }


def _not_a_document(source: str) -> PassedOver:
    return PassedOver(source=source, reason="not a .txt, .md, .pdf or .docx file", failed=False)


def _files(folder: Path, out: Path) -> Iterator[Path]:
    """All files below the folder, sorted by name, except hidden files and the output."""
    output = out.resolve()
    for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix()):
        parts = path.relative_to(folder).parts
        is_hidden = any(part.startswith((".", "~$")) for part in parts)
        if path.is_file() and not is_hidden and not path.resolve().is_relative_to(output):
            yield path


def _read(path: Path, source: str, tokens: int, overlap: int) -> tuple[Ingested, list[Chunk]]:
    document = read_document(path, name=source)
    chunks = chunk_document(document, tokens=tokens, overlap=overlap)
    if not chunks:
        raise DatasetError(f"{path}: the document has no text")
    numbers = [page.number for page in document.pages if page.number is not None]
    empty = {page.number for page in document.pages if not page.text.strip()}
    ingested = Ingested(
        source=source,
        chunks=len(chunks),
        pages=len(numbers) or None,
        empty_pages=tuple(number for number in numbers if number in empty),
    )
    return ingested, chunks


def _no_documents_message(folder: Path, passed: Sequence[PassedOver]) -> str:
    failed = [item for item in passed if item.failed]
    if failed:
        return f"{folder}: no document could be read; first: {failed[0].reason}"
    return f"{folder}: the folder has no .txt, .md, .pdf or .docx file"
