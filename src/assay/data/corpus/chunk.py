"""Corpus files: ``chunks/manifest.json`` and one JSONL file per source.

A row has ``id`` (or ``chunk_id``), ``text`` (or ``content``) and ``source``, and may have
``page``, ``prev``, ``next`` and ``heading``; other keys are ignored. The manifest lists the
files of the corpus in order. If it lists none, or if there is no manifest, the corpus is all
``*.jsonl`` files of the folder, sorted by name.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.data.jsonl import (
    UNREADABLE,
    BadLine,
    check_utf8,
    decode_problem,
    numbered_lines,
    unreadable_error,
)
from assay.errors import DatasetError

MANIFEST: Final = "manifest.json"
MADE_BY: Final = "assay ingest"


class Chunk(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A piece of a document that a search can return and an answer can cite.

    ``heading`` is the path of headings above the chunk (``title › chapter › section``),
    ``page`` is the page on which its text begins, below a heading at the end of a page, and ``prev``
    and ``next`` are the ids of its neighbours in the same source. ``start`` and ``end`` are its
    offsets in the document's text.
    """

    id: str
    text: str
    source: str
    page: int | None = None
    prev: str | None = None
    next: str | None = None
    heading: str | None = None
    start: int | None = None
    end: int | None = None


class Corpus(Struct, frozen=True, kw_only=True):
    """All chunks in order. ``sha256`` depends on the chunks, not on how files divide them.

    ``files`` are the files they were read from, without their ending, and the number of chunks in
    each.
    """

    chunks: tuple[Chunk, ...]
    sha256: str
    files: tuple[tuple[str, int], ...] = ()


class _Row(Struct):
    id: str | int | None = None
    chunk_id: str | int | None = None
    text: str | None = None
    content: str | None = None
    source: str | None = None
    page: int | str | None = None
    prev: str | int | None = None
    next: str | int | None = None
    heading: str | None = None
    start: Any = None
    end: Any = None


def load_corpus(manifest: Path, bounds: Path | None = None) -> Corpus:
    """Read the corpus of ``manifest``, which is a manifest or a folder of chunk files.

    With ``bounds``, its files must lie in that folder or in that of the manifest, wherever
    symbolic links lead.

    Raises:
        BadLine: a line is not a valid chunk, or repeats an id; the message gives the line.
        DatasetError: a file is missing or cannot be read, or the corpus has no chunks.
    """
    files = _find_corpus_files(manifest)
    if bounds is not None:
        _refuse_outside(files, bounds, manifest if manifest.is_dir() else manifest.parent)
    locations: dict[str, str] = {}
    chunks: list[Chunk] = []
    counts: list[tuple[str, int]] = []
    for path in files:
        before = len(chunks)
        for number, chunk in _read_chunks(path):
            location = f"{path}:{number}"
            if (first := locations.setdefault(chunk.id, location)) != location:
                raise BadLine(
                    path, number, f"chunk {chunk.id!r} is already at {first}; ids are unique"
                )
            chunks.append(chunk)
        counts.append((path.stem, len(chunks) - before))
    if not chunks:
        raise DatasetError(f"{manifest}: the corpus has no chunks; create them with assay ingest")
    return replace(corpus_of(chunks), files=tuple(counts))


def corpus_path(manifest: Path) -> Path:
    """The manifest or, if it does not exist but chunk files do, the folder of these."""
    has_chunks = not manifest.exists() and any(manifest.parent.glob("*.jsonl"))
    return manifest.parent if has_chunks else manifest


def corpus_of(chunks: Iterable[Chunk]) -> Corpus:
    """A corpus of the given chunks, whose ids must be distinct."""
    all_chunks = tuple(chunks)
    encoder = msgspec.json.Encoder()
    digest = hashlib.sha256()
    for chunk in all_chunks:
        # what is searched; where it lies in its document changes no answer
        digest.update(encoder.encode(replace(chunk, start=None, end=None)))
        digest.update(b"\n")
    return Corpus(chunks=all_chunks, sha256=digest.hexdigest())


def _read_chunks(path: Path) -> Iterator[tuple[int, Chunk]]:
    decoder = msgspec.json.Decoder(_Row)
    for number, line in numbered_lines(path):
        try:
            row = decoder.decode(line)
        except UNREADABLE as error:
            raise BadLine(path, number, f"not a chunk: {decode_problem(line, error)}") from None
        yield number, _chunk(row, path, number)


def _chunk(row: _Row, path: Path, number: int) -> Chunk:
    chunk_id = row.id if row.id is not None else row.chunk_id
    if chunk_id is None or not str(chunk_id).strip():
        raise BadLine(path, number, "the chunk has no id; write it as `id` or `chunk_id`")
    text = row.text if row.text is not None else row.content
    if text is None or not text.strip():
        raise BadLine(path, number, f"chunk {chunk_id!r} has no text; write it as `text`")
    return Chunk(
        id=str(chunk_id),
        text=text,
        source=row.source or path.stem,
        page=_page(row.page, path, number),
        prev=None if row.prev is None else str(row.prev),
        next=None if row.next is None else str(row.next),
        heading=row.heading,
        **_offsets(row),
    )


def _offsets(row: _Row) -> dict[str, int]:
    """The offsets in the document; those that other programs mean differently are left out."""
    if type(row.start) is int and type(row.end) is int and 0 <= row.start < row.end:
        return {"start": row.start, "end": row.end}
    return {}


def _page(written: int | str | None, path: Path, number: int) -> int | None:
    """The number of a page, which may be written as text."""
    if not isinstance(written, str):
        return written
    if not written.strip().isdecimal():
        raise BadLine(path, number, f"not a chunk: `page` {written!r} is not a number")
    return int(written)


def _find_corpus_files(manifest: Path) -> list[Path]:
    if manifest.is_dir():
        inner = manifest / MANIFEST
        return _find_corpus_files(inner) if inner.exists() else sorted(manifest.glob("*.jsonl"))
    if not manifest.exists():
        if corpus_path(manifest) == manifest:
            raise DatasetError(f"{manifest}: no such file; create it with assay ingest FOLDER")
        return sorted(manifest.parent.glob("*.jsonl"))
    names = _read_file_names(manifest)
    if names is None:
        return sorted(manifest.parent.glob("*.jsonl"))
    paths = [_path_beside(manifest, name) for name in names]
    for path in paths:
        if not path.is_file():
            raise DatasetError(
                f"{manifest}: the listed file {path.name} does not exist; run assay ingest again"
            )
    return paths


def _refuse_outside(files: Iterable[Path], *folders: Path) -> None:
    roots = [folder.resolve() for folder in folders]
    for path in files:
        if not any(path.resolve().is_relative_to(root) for root in roots):
            raise DatasetError(
                f"{path}: a link to {path.resolve()}, outside {roots[0]}; copy the file, or pass "
                "--allow-outside-root"
            )


def _read_file_names(manifest: Path) -> list[str] | None:
    """Read the file names under ``sources`` or ``files``; None if the manifest lists none."""
    try:
        data = manifest.read_bytes()
    except OSError as error:
        raise unreadable_error(manifest, error) from None
    try:
        content = msgspec.json.decode(check_utf8(data, manifest))
    except UNREADABLE as error:
        raise DatasetError(f"{manifest}: not JSON: {error}") from None
    if not isinstance(content, dict):
        return None
    if content.get("incomplete") is True:
        raise DatasetError(f"{manifest}: {MADE_BY} was interrupted; run it again")
    return file_names(content)


def file_names(content: Mapping[str, Any]) -> list[str] | None:
    """The file names in a manifest; None if it lists none."""
    for key in ("sources", "files"):
        entries = content.get(key)
        if isinstance(entries, list):
            values = [entry.get("file") if isinstance(entry, dict) else entry for entry in entries]
            names = [name for name in values if isinstance(name, str) and name.endswith(".jsonl")]
            if len(names) == len(entries):
                return names
    return None


def _path_beside(manifest: Path, name: str) -> Path:
    parts = PurePosixPath(name)
    if parts.is_absolute() or ".." in parts.parts:
        raise DatasetError(f"{manifest}: {name!r} is outside the manifest's folder")
    return manifest.parent / parts
