"""Making a corpus from a folder of documents: the work of ``assay ingest``."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from assay.config.workspace import EXPERIMENTS_FILE, Workspace
from assay.data.corpus.chunk import MANIFEST, Chunk, load_corpus
from assay.data.corpus.chunker import chunk_document
from assay.data.corpus.corpus_files import (
    Origin,
    Spool,
    has_chunks_without_manifest,
    write_corpus,
    write_manifest,
)
from assay.data.corpus.recut import Cut, file_sha256, ingested_cut
from assay.data.document.document import document_endings, is_document, read_document
from assay.data.jsonl import UNREADABLE, read_blocks
from assay.errors import DatasetError, UseError
from assay.records import digest
from assay.systems.load import load_configuration
from assay.text.width import counted
from assay.words.message import Message, message
from assay.words.say import marked

# A corpus in the folder where another corpus will be written, and how it is kept.


_EMPTY: Final = marked("the document has no text")


class ExistingCorpus(Struct, frozen=True, kw_only=True):
    """A corpus in a folder, with the names of its files.

    ``sources`` are the documents it was made from, ``documents`` the hashes of their files as far
    as they are recorded, and ``cut`` says how they were cut; these are known only if ``assay
    ingest`` made the corpus. ``is_complete`` is false if it was killed before all was written.
    """

    folder: Path
    files: tuple[str, ...]
    is_made_by_assay: bool
    is_complete: bool = True
    sources: tuple[str, ...] = ()
    documents: Mapping[str, str] = {}
    cut: Cut = Cut()
    chunk_files: Mapping[str, tuple[str, str]] = {}
    """The name and the hash of the file with the chunks of each source."""


class _Source(Struct):
    file: str
    source: str
    sha256: str = ""
    document_sha256: str = ""


class _Manifest(Struct):
    sources: list[_Source]
    made_by: str = ""
    incomplete: bool = False
    obsolete: list[str] | None = None


class _ChunkId(Struct):
    id: str = ""


def find_corpus(folder: Path) -> ExistingCorpus | None:
    """Find the corpus in ``folder``; returns None if there is none."""
    chunk_files = sorted(path.name for path in folder.glob("*.jsonl"))
    if not (folder / MANIFEST).exists():
        if not chunk_files or not _is_corpus(folder):
            return None
        return ExistingCorpus(folder=folder, files=tuple(chunk_files), is_made_by_assay=False)
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=_Manifest)
    except (OSError, *UNREADABLE):
        manifest = _Manifest(sources=[])
    if manifest.made_by != "assay ingest":
        return ExistingCorpus(folder=folder, files=(*chunk_files, MANIFEST), is_made_by_assay=False)
    files = [entry.file for entry in manifest.sources if entry.file in chunk_files]
    return ExistingCorpus(
        folder=folder,
        files=(*files, MANIFEST),
        is_made_by_assay=True,
        is_complete=not manifest.incomplete and manifest.obsolete is None,
        sources=tuple(entry.source for entry in manifest.sources),
        documents={entry.source: entry.document_sha256 for entry in manifest.sources},
        cut=ingested_cut(folder / MANIFEST),
        chunk_files={entry.source: (entry.file, entry.sha256) for entry in manifest.sources},
    )


def lost_chunks(existing: ExistingCorpus, spool: Spool) -> int:
    """How many chunks of a corpus are not in the one that will take its place.

    Questions and rows name chunks by their ids, so a chunk is lost if its id is.
    """
    before: set[str] = set()
    after: set[str] = set()
    for source, (name, sha256) in existing.chunk_files.items():
        new = spool.files.get(source)
        if new is not None and new.sha256 == sha256:
            continue
        before |= _ids(existing.folder / name)
        if new is not None and isinstance(new.content, Path):
            after |= _ids(new.content)
    return len(before - after)


def _ids(path: Path) -> set[str]:
    """The ids of the chunks of a file; none if it cannot be read."""
    try:
        blocks = read_blocks(path, _ChunkId)
        return {chunk.id for block in blocks for chunk in block}
    except (OSError, DatasetError):
        return set()


def _is_corpus(folder: Path) -> bool:
    """Whether the JSONL files of a folder without a manifest contain chunks."""
    try:
        load_corpus(folder)
    except DatasetError:
        return False
    return True


def set_aside(existing: ExistingCorpus) -> Path:
    """Copy the files of a corpus into a new subfolder ``old-N`` and return that folder.

    The originals stay until the new corpus takes their place, so that a killed program leaves
    one of the two.
    """
    number = 1
    while (aside := existing.folder / f"old-{number}").exists():
        number += 1
    unfinished = existing.folder / f".old-{number}"
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
        for name in existing.files:
            shutil.copy2(existing.folder / name, unfinished / name)
        unfinished.rename(aside)
    except OSError as error:
        raise UseError(
            f"{existing.folder}: the old chunks cannot be kept: {error.strerror or error}"
        ) from None
    return aside


IngestProgress = Callable[[int, int, str], None]
"""Called before each document with the number read so far, the total number, and its name."""


class Ingested(Struct, frozen=True, kw_only=True):
    """A document that was read. ``empty_pages`` have no text; perhaps they are scanned.

    ``encoding`` is that of a text that is not UTF-8. ``unread`` is the number of characters that
    could not be read, by the number of their page.
    """

    source: str
    chunks: int
    pages: int | None = None
    encoding: str = ""
    empty_pages: tuple[int, ...] = ()
    unread: dict[int, int] = {}


class PassedOver(Struct, frozen=True, kw_only=True):
    """A file that was left out, and the reason.

    ``failed`` is true for a document that could not be read, and false for other files.
    """

    source: str
    reason: Message | str
    failed: bool


class Ingestion(Struct, frozen=True, kw_only=True):
    """The result of ingesting a folder.

    ``passed`` are the files that were left out. ``cut`` says how the documents were cut, and
    ``earlier_cut`` how those of the corpus were that was there before. ``lost`` is the number of
    its chunks that the new one does not have, and ``aside`` the folder in which it is kept; None
    if nothing of it is lost.
    """

    manifest: Path
    ingested: tuple[Ingested, ...]
    passed: tuple[PassedOver, ...]
    cut: Cut = Cut()
    earlier_cut: Cut | None = None
    lost: int = 0
    aside: Path | None = None

    @property
    def chunks(self) -> int:
        """The number of chunks of all documents."""
        return sum(document.chunks for document in self.ingested)

    @property
    def largest(self) -> Ingested | None:
        """The document that has more chunks than all others together, if there is one."""
        largest = max(self.ingested, key=lambda document: document.chunks, default=None)
        if largest is None or len(self.ingested) == 1 or 2 * largest.chunks <= self.chunks:
            return None
        return largest


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
    tokens: int | None = None,
    overlap: int | None = None,
    replace: bool = False,
    keep_chunks: bool = False,
    follow_links: bool = False,
    progress: IngestProgress | None = None,
) -> Ingestion:
    """Cut every document below ``folder``, or the one it names, into chunks; write them to ``out``.

    The same folder always gives the same bytes. A document that cannot be read is left out and
    named in the result. If none can be read, nothing is written and ``DatasetError`` is raised.
    If ``out`` has a corpus of which documents would be lost, ``UseError`` is raised, or with
    ``replace`` that corpus is kept in a subfolder. The new corpus takes its place in one step.
    Without ``tokens`` or ``overlap``, those of the corpus in ``out`` are used, else the defaults.
    If chunks of it are lost all the same, because the sizes or documents have changed, it is kept
    in a subfolder; with ``keep_chunks``, ``UseError`` is raised instead. A symbolic link that leads out of ``folder`` is left out, unless ``follow_links`` is true.
    """
    if not folder.exists():
        raise UseError(f"{folder}: no such file or folder")
    if not folder.is_file() and not folder.is_dir():
        raise UseError(f"{folder}: neither a file nor a folder")
    folder, files, unread = _sources(folder, out)
    if not any(map(is_document, files.values())) and has_chunks_without_manifest(folder):
        return _manifest_of_chunks(folder)
    links = {} if follow_links else _links_outside(files, folder)
    documents = [source for source in files if is_document(files[source]) and source not in links]
    existing = find_corpus(out)
    if not replace and documents:  # checked first, because reading may take long
        _refuse_loss(existing, dict.fromkeys(documents), folder)
    cut = _cut(existing, tokens, overlap)
    spool = Spool(out)
    try:
        outcome = _spool(spool, {name: files[name] for name in documents}, cut, progress)
        outcomes = [
            outcome.get(source) or links.get(source) or _not_a_document(source) for source in files
        ]
        passed = (*(item for item in outcomes if isinstance(item, PassedOver)), *unread)
        if not spool.files:
            raise DatasetError(_no_documents_message(folder, passed))
        if not replace:
            _refuse_loss(existing, outcome, folder)
        lost = lost_chunks(existing, spool) if existing is not None else 0
        if lost and keep_chunks:
            raise UseError(_lost_message(lost, out, folder))
        aside = _set_aside_if_lost(existing, outcome, lost)
        manifest = write_corpus(
            out,
            spool,
            settings={"tokens": cut.tokens, "overlap": cut.overlap},
            origin=Origin(
                folder=Path(os.path.relpath(folder.resolve(), out.resolve())).as_posix(),
                sha256={source: file_sha256(files[source]) for source in spool.files},
            ),
            replaced=existing.files if aside is not None and existing is not None else (),
        )
    finally:
        spool.close()
    return Ingestion(
        manifest=manifest,
        ingested=tuple(item for item in outcomes if isinstance(item, Ingested)),
        passed=passed,
        cut=cut,
        earlier_cut=existing.cut if existing is not None and existing.is_made_by_assay else None,
        lost=lost,
        aside=aside,
    )


def is_corpus_of(path: Path, out: Path) -> bool:
    """Whether ``out`` has a corpus that ``assay ingest`` made of the documents as they are now."""
    existing = find_corpus(out)
    if existing is None or not existing.documents or not existing.is_complete or not path.exists():
        return False
    _, files, _ = _sources(path, out)
    documents = {source: file for source, file in files.items() if is_document(file)}
    if documents.keys() != existing.documents.keys():
        return False
    return all(file_sha256(file) == existing.documents[name] for name, file in documents.items())


def documents_sha256(folder: Path, out: Path) -> str:
    """A hash of the names and contents of the documents that ``ingest`` would read.

    Raises:
        UseError: the folder cannot be read.
        DatasetError: no document is there.
    """
    try:
        os.scandir(folder).close()
        _, files, _ = _sources(folder, out)
        documents = {source: file for source, file in files.items() if is_document(file)}
        if not documents:
            raise DatasetError(_no_documents_message(folder, ()))
        return digest({source: file_sha256(file) for source, file in documents.items()})
    except OSError as error:
        raise UseError(
            f"{error.filename or folder}: cannot be read: {error.strerror or error}"
        ) from None


def _cut(existing: ExistingCorpus | None, tokens: int | None, overlap: int | None) -> Cut:
    """How to cut: as asked for, otherwise as the corpus is cut that is there."""
    earlier = existing.cut if existing is not None else Cut()
    return Cut(
        tokens=earlier.tokens if tokens is None else tokens,
        overlap=earlier.overlap if overlap is None else overlap,
    )


def _lost_message(lost: int, out: Path, folder: Path) -> str:
    return (
        f"{out}: the documents have changed since they were cut, and {counted(lost, 'chunk')} that "
        f"questions may refer to would be lost; run assay ingest {folder}, which keeps a copy of "
        "the chunks, or leave out the documents to use the chunks as they are"
    )


def _spool(
    spool: Spool, files: Mapping[str, Path], cut: Cut, progress: IngestProgress | None
) -> dict[str, Ingested | PassedOver]:
    """Read one document after the other; only the chunks of one are in memory."""
    outcome: dict[str, Ingested | PassedOver] = {}
    for number, (source, path) in enumerate(files.items()):
        if progress is not None:
            progress(number, len(files), source)
        try:
            outcome[source], chunks = _read(path, source, cut)
        except DatasetError as error:
            outcome[source] = PassedOver(source=source, reason=str(error), failed=True)
        else:
            spool.add(source, chunks)
    return outcome


def _sources(path: Path, out: Path) -> tuple[Path, dict[str, Path], list[PassedOver]]:
    """The folder of the documents, its files by their names as sources, and what is no file."""
    if path.is_file():
        return path.parent, {path.name: path}, []
    found = {each.relative_to(path).as_posix(): each for each in _paths(path, out)}
    files = {source: each for source, each in found.items() if each.is_file()}
    reasons = {source: _unread_reason(each) for source, each in found.items()}
    unread = [
        PassedOver(source=source, reason=reason, failed=False)
        for source, reason in reasons.items()
        if reason
    ]
    return path, files, unread


def _manifest_of_chunks(folder: Path) -> Ingestion:
    """Make a manifest for chunks that another program wrote."""
    manifest, counts = write_manifest(folder)
    ingested = tuple(Ingested(source=source, chunks=count) for source, count in counts.items())
    return Ingestion(manifest=manifest, ingested=ingested, passed=())


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


def _set_aside_if_lost(
    existing: ExistingCorpus | None, outcome: _Outcome, lost: int
) -> Path | None:
    """Keep a corpus in a subfolder if a new one would lose some of its chunks."""
    if existing is None:
        return None
    if existing.is_made_by_assay and not lost and not _lost_sources(existing, outcome):
        return None
    return set_aside(existing)


def _lost_sources(existing: ExistingCorpus, outcome: _Outcome) -> list[str]:
    kept = {source for source, result in outcome.items() if not isinstance(result, PassedOver)}
    return [source for source in existing.sources if source not in kept]


def _links_outside(files: Mapping[str, Path], folder: Path) -> dict[str, PassedOver]:
    """The files that lie elsewhere: a link may lead to anything that the user can read."""
    root = folder.resolve()
    reason = message("a link to a file outside the folder; copy it, or pass --allow-outside-root")
    return {
        source: PassedOver(source=source, reason=reason, failed=True)
        for source, path in files.items()
        if is_document(path) and not path.resolve().is_relative_to(root)
    }


def _not_a_document(source: str) -> PassedOver:
    return PassedOver(
        source=source, reason=message("not a {a} file", a=document_endings()), failed=False
    )


def _paths(folder: Path, out: Path) -> Iterator[Path]:
    """All below the folder, sorted by name, except hidden files, the output and workspaces."""
    output = out.resolve()
    found = {path.relative_to(folder): path for path in folder.rglob("*")}
    workspaces = {
        path.parent.parent for path in found if path.parts[-2:] == EXPERIMENTS_FILE.parts
    } - {Path()}
    for relative, path in sorted(found.items(), key=lambda item: item[0].as_posix()):
        is_hidden = any(part.startswith((".", "~$")) for part in relative.parts)
        is_result = not workspaces.isdisjoint((relative, *relative.parents))
        if not (is_hidden or is_result) and not Path(os.path.realpath(path)).is_relative_to(output):
            yield path


def _unread_reason(path: Path) -> Message | str:
    """Why something is left out that is no file; empty for files and folders."""
    if path.is_symlink() and path.is_dir():
        return message("a link to a folder, which is not followed; ingest that folder, or copy it")
    if path.is_file() or path.is_dir():
        return ""
    if path.is_symlink():
        return message("a link to a file that does not exist")
    return message("not a file but a pipe, a socket or a device")


def _read(path: Path, source: str, cut: Cut) -> tuple[Ingested, list[Chunk]]:
    document = read_document(path, name=source)
    chunks = chunk_document(document, tokens=cut.tokens, overlap=cut.overlap)
    if not chunks:
        raise DatasetError(f"{path}: {_EMPTY}")
    numbers = [page.number for page in document.pages if page.number is not None]
    empty = {page.number for page in document.pages if not page.text.strip()}
    ingested = Ingested(
        source=source,
        chunks=len(chunks),
        pages=len(numbers) or None,
        encoding=document.encoding,
        empty_pages=tuple(number for number in numbers if number in empty),
        unread=document.unread,
    )
    return ingested, chunks


def _no_documents_message(folder: Path, passed: Sequence[PassedOver]) -> str:
    failed = [item for item in passed if item.failed]
    if failed:
        return f"{folder}: no document could be read; first: {failed[0].reason}"
    return f"{folder}: no {document_endings()} file is there"
