"""The corpus that stands where another is to be written: what would be lost, and where it goes."""

from pathlib import Path

import msgspec
from msgspec import Struct

from assay.data.corpus import MANIFEST, load_corpus
from assay.errors import DatasetError, UseError


class ExistingCorpus(Struct, frozen=True, kw_only=True):
    """A corpus in a folder: its files by name and, where assay made it (``ours``), its sources."""

    folder: Path
    files: tuple[str, ...]
    ours: bool
    sources: tuple[str, ...] = ()


class _Source(Struct):
    file: str
    source: str


class _Manifest(Struct):
    sources: list[_Source]
    made_by: str = ""


def standing_corpus(folder: Path) -> ExistingCorpus | None:
    """The corpus in ``folder``; ``None`` where there is none."""
    chunk_files = sorted(path.name for path in folder.glob("*.jsonl"))
    if not (folder / MANIFEST).exists():
        found = bool(chunk_files) and _is_corpus(folder)
        return (
            ExistingCorpus(folder=folder, files=tuple(chunk_files), ours=False) if found else None
        )
    try:
        made = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=_Manifest)
    except (OSError, msgspec.DecodeError):
        made = _Manifest(sources=[])
    if made.made_by != "assay ingest":
        return ExistingCorpus(folder=folder, files=(*chunk_files, MANIFEST), ours=False)
    own = [one.file for one in made.sources if one.file in chunk_files]
    sources = tuple(one.source for one in made.sources)
    return ExistingCorpus(folder=folder, files=(*own, MANIFEST), ours=True, sources=sources)


def _is_corpus(folder: Path) -> bool:
    """Whether the files of a folder without a manifest are chunks, not something else."""
    try:
        load_corpus(folder)
    except DatasetError:
        return False
    return True


def set_aside(standing: ExistingCorpus) -> Path:
    """Move the files of a corpus into a new folder ``old-N`` beside them; returns that folder."""
    number = 1
    while (aside := standing.folder / f"old-{number}").exists():
        number += 1
    try:
        aside.mkdir()
        for name in standing.files:
            (standing.folder / name).rename(aside / name)
    except OSError as error:
        raise UseError(
            f"{standing.folder}: cannot be set aside: {error.strerror or error}"
        ) from None
    return aside
