"""Writing a corpus: its files change in one step, whenever the program is killed."""

import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from secrets import token_hex
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from assay.config.workspace import make_folder
from assay.data.corpus.chunk import MADE_BY, MANIFEST, Chunk, file_names, load_corpus
from assay.data.jsonl import UNREADABLE
from assay.errors import DatasetError

# The chunks of a corpus to be, in a folder that is removed afterwards, by a later one if need be.
#
# The folder has a file ``owner`` with an ``flock``, which the operating system releases when the
# process ends, also by ``kill -9``. The next spool beside it removes folders that nobody owns. Folders
# of earlier versions have no such file; they are removed when they are a day old.

PREFIX: Final = ".assay-ingest-"
_OWNER: Final = "owner"
_DAY_S: Final = 86_400


class SourceFile(NamedTuple):
    """The content of the file of a source: its lines, or a file that has them."""

    content: bytes | Path
    chunks: int
    sha256: str


class Spool:
    """The chunks of a corpus to be, one file a source, so that they need not be in memory.

    The files lie beside the future corpus until it is written; ``close`` removes them.
    """

    def __init__(self, folder: Path) -> None:
        beside = folder.resolve().parent
        while not beside.is_dir():
            beside = beside.parent
        try:
            with _alone_in(beside):
                _remove_leftovers(beside)
                self._folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=beside))
                self._owner = os.open(self._folder / _OWNER, os.O_RDWR | os.O_CREAT, 0o600)
                with suppress(OSError):  # a file system without locks
                    fcntl.flock(self._owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise DatasetError(f"{beside}: cannot be written: {error.strerror or error}") from None
        self.files: dict[str, SourceFile] = {}

    def add(self, source: str, chunks: Iterable[Chunk]) -> None:
        """Write the chunks of a source."""
        path = self._folder / f"{len(self.files)}.jsonl"
        digest, count = hashlib.sha256(), 0
        try:
            with path.open("wb") as file:
                for chunk in chunks:
                    line = msgspec.json.encode(chunk) + b"\n"
                    digest.update(line)
                    file.write(line)
                    count += 1
        except OSError as error:
            raise DatasetError(f"{path}: cannot be written: {error.strerror or error}") from None
        self.files[source] = SourceFile(path, count, digest.hexdigest())

    def close(self) -> None:
        """Remove the files."""
        shutil.rmtree(self._folder, ignore_errors=True)
        with suppress(OSError):
            os.close(self._owner)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Nobody else makes or removes such a folder at the same time."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _remove_leftovers(beside: Path) -> None:
    for path in beside.glob(f"{PREFIX}*"):
        if path.is_dir() and not path.is_symlink() and _is_left(path):
            shutil.rmtree(path, ignore_errors=True)


def _is_left(folder: Path) -> bool:
    """Whether the process that made a folder is gone."""
    try:
        handle = os.open(folder / _OWNER, os.O_RDWR)
    except FileNotFoundError:
        with suppress(OSError):
            return time.time() - folder.stat().st_mtime > _DAY_S
        return False
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


_MANIFEST_VERSION: Final = 1
_STAGED: Final = ".staged-"
"""The start of the names of files that wait for their place."""


class Origin(Struct, frozen=True, kw_only=True):
    """Where the documents of a corpus are, and what they contained.

    ``folder`` is their folder as seen from that of the chunks; ``sha256`` are the hashes of their
    files by source.
    """

    folder: str
    sha256: Mapping[str, str]


def write_corpus(
    folder: Path,
    chunks: Iterable[Chunk] | Spool,
    *,
    settings: Mapping[str, Any] | None = None,
    origin: Origin | None = None,
    replaced: Collection[str] = (),
) -> Path:
    """Write the chunks and their manifest into ``folder`` and return the path of the manifest.

    Only files written by an earlier call and those named in ``replaced`` are replaced, or removed
    if their source no longer exists. Whenever the program is killed, the manifest names the files
    of the old corpus or those of the new one, and all of them are there.

    Raises:
        DatasetError: another file has one of the names, in which case nothing is written; or
            writing fails.
    """
    sources = chunks.files if isinstance(chunks, Spool) else _source_files(chunks)
    files = _corpus_files(sources, settings, origin)
    earlier_files = _read_earlier_files(folder / MANIFEST) | set(replaced)
    for name in files:
        if (folder / name).exists() and name not in earlier_files:
            raise DatasetError(
                f"{folder / name} exists and was not written by {MADE_BY}; choose another --out"
            )
    try:
        make_folder(folder)
        # files that an interrupted swap staged are removed at the end, when no manifest names them
        obsolete = {name for name in earlier_files if not name.startswith(_STAGED)} - files.keys()
        _swap_files(folder, files, obsolete)
        for path in [path for path in folder.iterdir() if path.name.startswith(_STAGED)]:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise DatasetError(f"{folder}: cannot be written: {error.strerror or error}") from None
    return folder / MANIFEST


def _swap_files(folder: Path, files: Mapping[str, bytes | Path], obsolete: Collection[str]) -> None:
    """Put ``files`` in the place of the old ones; each manifest names only complete files.

    A file that is new or changes is first written under another name, so that the old manifest
    stays true until the new one takes its place, and only then under its own name. The first
    corpus of a folder needs no such names: until it is complete, its manifest says so.
    """
    manifest = _bytes(files[MANIFEST])
    content = {name: data for name, data in files.items() if name != MANIFEST}
    changed = [name for name in content if not _is_same(folder / name, _bytes(content[name]))]
    if not (folder / MANIFEST).exists():
        _replace_file(folder / MANIFEST, _renamed(manifest, {}, incomplete=True))
        changed = []
    # never the names of an interrupted swap, whose manifest is in force until the new one is
    swap = token_hex(4)
    staged = {name: f"{_STAGED}{swap}-{number}.jsonl" for number, name in enumerate(changed)}
    for name, data in content.items():
        _replace_file(folder / staged.get(name, name), _bytes(data))
    if staged or obsolete:
        _replace_file(folder / MANIFEST, _renamed(manifest, staged, obsolete=sorted(obsolete)))
        for name in staged:
            _replace_file(folder / name, _bytes(content[name]))
        for name in obsolete:
            (folder / name).unlink(missing_ok=True)
    _replace_file(folder / MANIFEST, manifest)


def _renamed(manifest: bytes, names: Mapping[str, str], **more: object) -> bytes:
    """A manifest for a time, in which files have other names."""
    content = msgspec.json.decode(manifest) | more
    for entry in content["sources"]:
        if entry["file"] in names:
            entry.update(file=names[entry["file"]], becomes=entry["file"])
    return msgspec.json.encode(content)


def _replace_file(path: Path, content: bytes) -> None:
    """Write a file atomically: a reader sees either the old content or the new."""
    if _is_same(path, content):
        return
    temporary = path.with_name(f"{_STAGED}{os.getpid()}.new")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _is_same(path: Path, content: bytes) -> bool:
    return path.exists() and path.read_bytes() == content


def _bytes(content: bytes | Path) -> bytes:
    """The content of a file; those of a spool are read one at a time."""
    return content.read_bytes() if isinstance(content, Path) else content


def corpus_files(
    chunks: Iterable[Chunk],
    *,
    settings: Mapping[str, Any] | None = None,
    origin: Origin | None = None,
) -> dict[str, bytes]:
    """The content of each file that ``write_corpus`` writes, by name; the manifest is last."""
    files = _corpus_files(_source_files(chunks), settings, origin)
    return {name: _bytes(content) for name, content in files.items()}


def _source_files(chunks: Iterable[Chunk]) -> dict[str, SourceFile]:
    by_source: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        by_source.setdefault(chunk.source, []).append(chunk)
    files = {}
    for source, members in by_source.items():
        content = b"".join(msgspec.json.encode(chunk) + b"\n" for chunk in members)
        files[source] = SourceFile(content, len(members), _sha256(content))
    return files


def _corpus_files(
    sources: Mapping[str, SourceFile], settings: Mapping[str, Any] | None, origin: Origin | None
) -> dict[str, bytes | Path]:
    files: dict[str, bytes | Path] = {}
    entries = []
    for source, file in sources.items():
        name = _file_name(source, files)
        files[name] = file.content
        entries.append(
            {
                "file": name,
                "source": source,
                "chunks": file.chunks,
                "sha256": file.sha256,
                **({"document_sha256": origin.sha256[source]} if origin is not None else {}),
            }
        )
    manifest = {
        "made_by": MADE_BY,
        "schema_version": _MANIFEST_VERSION,
        "settings": dict(settings or {}),
        **({"documents": origin.folder} if origin is not None else {}),
        "chunks": sum(file.chunks for file in sources.values()),
        "sources": entries,
    }
    files[MANIFEST] = msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
    return files


def _file_name(source: str, taken: Mapping[str, Any]) -> str:
    """A file name without folders for a source; a digest is added if it is too long or taken."""
    plain = f"{source.replace('/', '--').replace(os.sep, '--')}.jsonl"
    if len(plain.encode()) <= 200 and plain not in taken and "\0" not in plain:
        return plain
    digest = hashlib.blake2b(source.encode(), digest_size=8).hexdigest()
    return f"{plain.encode()[:120].decode(errors='ignore')}-{digest}.jsonl".replace("\0", "")


def _read_earlier_files(manifest: Path) -> set[str]:
    """Read the names of the files that an earlier ``write_corpus`` wrote to this folder."""
    try:
        content = msgspec.json.decode(manifest.read_bytes())
    except (OSError, *UNREADABLE):
        return set()
    if not isinstance(content, dict) or content.get("made_by") != MADE_BY:
        return set()
    names = file_names(content) or []
    for entry in content.get("sources") or ():
        if isinstance(entry, dict) and "becomes" in entry:
            names.append(str(entry["becomes"]))
    names += map(str, content.get("obsolete") or ())
    return {MANIFEST} | {name for name in names if name == PurePosixPath(name).name}


def has_chunks_without_manifest(folder: Path) -> bool:
    """Whether a folder has chunk files and no manifest."""
    return not (folder / MANIFEST).exists() and any(folder.glob("*.jsonl"))


def write_manifest(folder: Path) -> tuple[Path, dict[str, int]]:
    """Write a manifest for the chunk files that another program wrote into a folder.

    Returns its path, and the number of chunks of each source. The files stay as they are, and
    assay does not take them for its own. Raises ``DatasetError`` if a line is no chunk.
    """
    corpus = load_corpus(folder)
    entries = [
        {"file": f"{stem}.jsonl", "source": stem, "chunks": count} for stem, count in corpus.files
    ]
    manifest = {
        "made_by": f"{MADE_BY}, of existing chunks",
        "schema_version": _MANIFEST_VERSION,
        "chunks": len(corpus.chunks),
        "sources": entries,
    }
    content = msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
    try:
        _replace_file(folder / MANIFEST, content)
    except OSError as error:
        raise DatasetError(f"{folder}: cannot be written: {error.strerror or error}") from None
    return folder / MANIFEST, dict(Counter(chunk.source for chunk in corpus.chunks))


def altered_files(manifest: Path) -> list[str]:
    """The files of a corpus whose content is not what ``assay ingest`` wrote.

    Empty for a manifest without hashes, as other programs and earlier versions write it.
    """
    folder = manifest if manifest.is_dir() else manifest.parent
    try:
        content = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=_HashedManifest)
        return [
            entry.file
            for entry in content.sources
            if entry.sha256 and entry.sha256 != _sha256((folder / entry.file).read_bytes())
        ]
    except (OSError, *UNREADABLE):
        return []


class _HashedFile(Struct):
    file: str
    sha256: str = ""


class _HashedManifest(Struct):
    sources: list[_HashedFile]


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
