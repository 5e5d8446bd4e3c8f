"""The corpus as the pipeline reads it: ``chunks/manifest.json`` and one JSONL a source.

A row has ``id`` (or ``chunk_id``), ``text`` (or ``content``), ``source``, and may have
``page``, ``prev``, ``next`` and ``heading``; other keys are passed over. The manifest says
which files belong to the corpus and in which order. One that names no files (or a folder
without a manifest) stands for every ``*.jsonl`` beside it, by name.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.data.jsonl import BadLine
from assay.data.line import check_utf8, numbered_lines, unreadable_error
from assay.errors import DatasetError

MANIFEST: Final = "manifest.json"
_MADE_BY: Final = "assay ingest"
_MANIFEST_VERSION: Final = 1


class Chunk(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A piece of a document that can be found and cited.

    ``heading`` is the path to it (``title › chapter › section``), ``page`` the page on which
    it begins; ``prev`` and ``next`` are the ids of its neighbours in the same source.
    """

    id: str
    text: str
    source: str
    page: int | None = None
    prev: str | None = None
    next: str | None = None
    heading: str | None = None


class Corpus(Struct, frozen=True, kw_only=True):
    """All chunks in order. ``sha256`` stands for their content, not for the files' layout."""

    chunks: tuple[Chunk, ...]
    sha256: str


class _Row(Struct):
    id: str | int | None = None
    chunk_id: str | int | None = None
    text: str | None = None
    content: str | None = None
    source: str | None = None
    page: int | None = None
    prev: str | int | None = None
    next: str | int | None = None
    heading: str | None = None


def load_corpus(manifest: Path) -> Corpus:
    """The corpus that ``manifest`` (or a folder of chunk files) describes."""
    files = _corpus_files(manifest)
    places: dict[str, str] = {}
    chunks: list[Chunk] = []
    for path in files:
        for number, chunk in _chunks_of(path):
            place = f"{path}:{number}"
            if (first := places.setdefault(chunk.id, place)) != place:
                raise BadLine(
                    path, number, f"chunk {chunk.id!r} stands already at {first}; ids are unique"
                )
            chunks.append(chunk)
    if not chunks:
        raise DatasetError(f"{manifest}: the corpus has no chunks; make some with assay ingest")
    return corpus_of(chunks)


def corpus_of(chunks: Iterable[Chunk]) -> Corpus:
    """Chunks as a corpus; their ids must be distinct."""
    kept = tuple(chunks)
    encoder = msgspec.json.Encoder()
    content = hashlib.sha256()
    for chunk in kept:
        content.update(encoder.encode(chunk))
        content.update(b"\n")
    return Corpus(chunks=kept, sha256=content.hexdigest())


def write_corpus(
    folder: Path, chunks: Iterable[Chunk], *, settings: Mapping[str, Any] | None = None
) -> Path:
    """Write the chunks and their manifest into ``folder``; returns the manifest's path.

    Only files that an earlier call made are replaced or, where their source is gone, removed:
    anything else of the same name is refused before the first file is written.
    """
    files = corpus_files(chunks, settings=settings)
    ours = _files_made(folder / MANIFEST)
    for name in files:
        if (folder / name).exists() and name not in ours:
            raise DatasetError(
                f"{folder / name} exists and was not made by {_MADE_BY}; choose another --out"
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            _replace(folder / name, content)
        for name in ours - files.keys():
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise DatasetError(f"{folder}: cannot be written: {error.strerror or error}") from None
    return folder / MANIFEST


def corpus_files(
    chunks: Iterable[Chunk], *, settings: Mapping[str, Any] | None = None
) -> dict[str, bytes]:
    """What ``write_corpus`` writes, by file name; the manifest is the last."""
    by_source: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        by_source.setdefault(chunk.source, []).append(chunk)
    files: dict[str, bytes] = {}
    entries = []
    for source, members in by_source.items():
        name = _file_name(source, files)
        files[name] = b"".join(msgspec.json.encode(chunk) + b"\n" for chunk in members)
        entries.append({"file": name, "source": source, "chunks": len(members)})
    manifest = {
        "made_by": _MADE_BY,
        "schema_version": _MANIFEST_VERSION,
        "settings": dict(settings or {}),
        "chunks": sum(map(len, by_source.values())),
        "sources": entries,
    }
    files[MANIFEST] = msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
    return files


def _chunks_of(path: Path) -> Iterator[tuple[int, Chunk]]:
    decoder = msgspec.json.Decoder(_Row)
    for number, line in numbered_lines(path):
        try:
            row = decoder.decode(line)
        except msgspec.DecodeError as error:
            raise BadLine(path, number, f"not a chunk: {error}") from None
        yield number, _chunk(row, path, number)


def _chunk(row: _Row, path: Path, number: int) -> Chunk:
    name = row.id if row.id is not None else row.chunk_id
    if name is None or not str(name).strip():
        raise BadLine(path, number, "the chunk has no id; give it one as `id` or `chunk_id`")
    text = row.text if row.text is not None else row.content
    if text is None or not text.strip():
        raise BadLine(path, number, f"chunk {name!r} has no text; give it one as `text`")
    return Chunk(
        id=str(name),
        text=text,
        source=row.source or path.stem,
        page=row.page,
        prev=None if row.prev is None else str(row.prev),
        next=None if row.next is None else str(row.next),
        heading=row.heading,
    )


def _corpus_files(manifest: Path) -> list[Path]:
    if manifest.is_dir():
        inside = manifest / MANIFEST
        return _corpus_files(inside) if inside.exists() else sorted(manifest.glob("*.jsonl"))
    if not manifest.exists():
        raise DatasetError(f"{manifest}: no such file; make it with assay ingest FOLDER")
    names = _named_files(manifest)
    if names is None:
        return sorted(manifest.parent.glob("*.jsonl"))
    paths = [_inside(manifest, name) for name in names]
    for path in paths:
        if not path.is_file():
            raise DatasetError(f"{manifest}: names {path.name}, which is not there; ingest again")
    return paths


def _named_files(manifest: Path) -> list[str] | None:
    """The files a manifest names, under ``sources`` or ``files``; ``None`` where it does not."""
    try:
        data = manifest.read_bytes()
    except OSError as error:
        raise unreadable_error(manifest, error) from None
    try:
        content = msgspec.json.decode(check_utf8(data, manifest))
    except msgspec.DecodeError as error:
        raise DatasetError(f"{manifest}: not JSON: {error}") from None
    if not isinstance(content, dict):
        return None
    for key in ("sources", "files"):
        entries = content.get(key)
        if isinstance(entries, list):
            found = [entry.get("file") if isinstance(entry, dict) else entry for entry in entries]
            names = [name for name in found if isinstance(name, str) and name.endswith(".jsonl")]
            if len(names) == len(entries):
                return names
    return None


def _inside(manifest: Path, name: str) -> Path:
    parts = PurePosixPath(name)
    if parts.is_absolute() or ".." in parts.parts:
        raise DatasetError(f"{manifest}: {name!r} lies outside the folder of the manifest")
    return manifest.parent / parts


def _files_made(manifest: Path) -> set[str]:
    """The files of an earlier corpus that ``write_corpus`` made in this folder."""
    try:
        content = msgspec.json.decode(manifest.read_bytes())
    except (OSError, msgspec.DecodeError):
        return set()
    if not isinstance(content, dict) or content.get("made_by") != _MADE_BY:
        return set()
    names = _named_files(manifest) or []
    return {MANIFEST} | {name for name in names if name == PurePosixPath(name).name}


def _file_name(source: str, taken: Mapping[str, bytes]) -> str:
    """A flat file name for a source; a digest keeps long or clashing ones apart."""
    plain = f"{source.replace('/', '--').replace(os.sep, '--')}.jsonl"
    if len(plain.encode()) <= 200 and plain not in taken and "\0" not in plain:
        return plain
    mark = hashlib.blake2b(source.encode(), digest_size=8).hexdigest()
    return f"{plain.encode()[:120].decode(errors='ignore')}-{mark}.jsonl".replace("\0", "")


def _replace(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees the old content or the new, never half of it."""
    if path.exists() and path.read_bytes() == content:
        return
    scratch = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        scratch.write_bytes(content)
        scratch.replace(path)
    finally:
        scratch.unlink(missing_ok=True)
