"""A corpus in the folder where another corpus will be written, and how it is kept."""

import shutil
from pathlib import Path

import msgspec
from msgspec import Struct

from assay.data.corpus import MANIFEST, load_corpus
from assay.data.jsonl import UNREADABLE
from assay.errors import DatasetError, UseError


class ExistingCorpus(Struct, frozen=True, kw_only=True):
    """A corpus in a folder, with the names of its files.

    ``sources`` are the documents it was made from; they are known only if ``assay ingest`` made
    the corpus.
    """

    folder: Path
    files: tuple[str, ...]
    is_made_by_assay: bool
    sources: tuple[str, ...] = ()


class _Source(Struct):
    file: str
    source: str


class _Manifest(Struct):
    sources: list[_Source]
    made_by: str = ""


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
        sources=tuple(entry.source for entry in manifest.sources),
    )


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
