"""A corpus in the folder where another corpus will be written, and how it is kept."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from assay.data.corpus import MANIFEST, Cut, Spool, ingested_cut, load_corpus
from assay.data.jsonl import UNREADABLE, read_blocks
from assay.errors import DatasetError, UseError


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
