"""Vectors on disk: every text is embedded only once.

``folder/SLUG-HASH/`` contains the vectors of one embedder, and its identity in ``identity.json``.
A shard consists of two files: ``NAME.npy`` has one row per text, and ``NAME.keys`` the SHA-256 of
each text in the same order. ``NAME`` is a hash of both files, so a damaged shard is detected, and
two processes that write at the same time write either the same bytes or different names.

After a crash there are only complete shards, and temporary files that are never read and that a
later call removes. If a shard does not match its name, or a folder its identity, it is renamed to
``….bad`` and the texts are embedded again.

If one shard contains exactly the texts of a corpus in their order, it is memory-mapped. Otherwise
such a shard is written, and the shards that contain nothing else are removed; a process that has
them mapped can still read them. The lock is held while shards are merged or renamed, but not
while texts are embedded.
"""

import fcntl
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.config.workspace import make_folder
from assay.errors import SystemFailed, UseError
from assay.mask import file_mode, private_opener
from assay.rag.embed.progress import EMBEDDING_PROGRESS
from assay.rag.embed.protocol import Embedder, Vectors
from assay.words.say import say

SCHEMA_VERSION = 1

KEPT_SHARDS = 4
"""The number of shards of other corpora that are kept unchanged; older ones are merged."""

_KEY = 32
_BLOCK = 4096
_LARGEST_BATCH = 4096
_ABANDONED_S = 24 * 3600.0
_TELL_S = 5.0


class _Shard(Struct, frozen=True, kw_only=True):
    """Memory-mapped rows whose files have been checked, and the key of each row."""

    path: Path
    keys: list[bytes]
    rows: Vectors


class VectorStore:
    """Stores the vectors of texts by content, for any number of embedders.

    Args:
        folder: where the vectors are stored; it is created when needed.
        first_batch: the number of texts in the first shard that is written. The size of later
            batches depends on the embedder's speed, so that a crash loses only seconds of work.
        clock: returns the time in seconds, to measure the embedder's speed.
    """

    def __init__(
        self,
        folder: Path,
        *,
        first_batch: int = 32,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._folder = folder
        self._first_batch = first_batch
        self._clock = clock

    @property
    def folder(self) -> Path:
        """Where the vectors are stored."""
        return self._folder

    async def vectors(self, texts: Sequence[str], embedder: Embedder) -> Vectors:
        """Return the vectors of the texts, one per row, in order.

        Texts without a stored vector are embedded first. The result is memory-mapped and must not
        be written to.

        Raises:
            UseError: the folder cannot be written.
            SystemFailed: the embedder did not return one row of finite numbers per text, all of
                the same size.
        """
        if not texts:
            return np.empty((0, embedder.size), dtype=np.float32)
        keys = [text_key(text) for text in texts]
        texts_by_key = dict(zip(keys, texts, strict=True))
        with self._lock():
            folder = self._open(embedder.identity)
            shards = _read_shards(folder, keys)
        if shards and shards[0].keys == keys:
            return shards[0].rows
        for _ in range(2):
            fresh = await self._embed_new(folder, _missing(texts_by_key, shards), embedder)
            stale = _stale_shards(fresh, shards)
            if not stale:
                break
            with self._lock():
                _set_aside(*stale, *(path.with_suffix(".keys") for path in stale))
            shards = [shard for shard in [*fresh, *shards] if shard.path not in stale]
        else:
            raise SystemFailed(
                f"{embedder.identity}: the dimension of its vectors changes at every call"
            )
        if len(fresh) == 1 and fresh[0].keys == keys:
            return fresh[0].rows
        with self._lock():
            return _compact(folder, [*fresh, *shards], keys).rows

    async def _embed_new(
        self, folder: Path, texts: Mapping[bytes, str], embedder: Embedder
    ) -> list[_Shard]:
        """Embed texts in batches; each batch is written to disk before the next one starts."""
        shards: list[_Shard] = []
        pending = list(texts.items())
        size = self._first_batch
        tell = EMBEDDING_PROGRESS.get()
        told_at: float | None = None
        while pending:
            started, done = self._clock(), len(texts) - len(pending)
            told_at = started if told_at is None else told_at
            if tell is not None:
                tell(done, len(texts))
            elif started - told_at >= _TELL_S:
                _say_embedded(done, len(texts))
                told_at = started
            batch, pending = pending[:size], pending[size:]
            rows = np.asarray(await embedder.embed([text for _, text in batch]), dtype="<f4")
            size = next_batch(size, self._clock() - started)
            _refuse_unusable(rows, len(batch), shards, embedder.identity)
            with _storage_errors(self._folder):
                keys = [key for key, _ in batch]
                shards.append(_write_shard(folder, keys, [rows], rows.shape[1]))
        if tell is not None:
            tell(len(texts), len(texts))
        return shards

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Lock the folder against other processes; never held while texts are embedded."""
        with _storage_errors(self._folder):
            make_folder(self._folder)
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
            lock = os.open(self._folder / ".lock", flags, file_mode())
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
                yield
            finally:
                os.close(lock)

    def _open(self, identity: str) -> Path:
        """Return the folder of the embedder; a folder with another identity is set aside."""
        folder = self._folder / folder_name(identity)
        path = folder / "identity.json"
        text = msgspec.json.encode({"schema_version": SCHEMA_VERSION, "identity": identity}) + b"\n"
        if folder.exists() and not (path.is_file() and path.read_bytes() == text):
            _set_aside(folder)
        if not folder.exists():
            folder.mkdir()
            _write_file(path, [text])
        return folder


def _say_embedded(done: int, total: int) -> None:
    """Say how far the first reading of a large corpus is."""
    line = say("{done} of {total} passages embedded", done=f"{done:,}", total=f"{total:,}")
    sys.stderr.write(f"{line}\n")


def text_key(text: str) -> bytes:
    """The key of a text: its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def folder_name(identity: str) -> str:
    """The folder name for an identity: readable, and made unique by a hash.

    >>> folder_name("hashed-1:2048:ab12")
    'hashed-1-2048-ab12-a78464c9814e'
    """
    slug = re.sub(r"[^a-z0-9]+", "-", identity.lower())[:40].strip("-")
    return f"{slug}-{hashlib.sha256(identity.encode()).hexdigest()[:12]}"


def next_batch(size: int, seconds: float) -> int:
    """The size of the next batch, after a batch of ``size`` texts took ``seconds``.

    It doubles if the batch took less than 1 s, and halves if it took more than 10 s.

    >>> next_batch(32, 0.1), next_batch(32, 5.0), next_batch(32, 60.0), next_batch(4096, 0.1)
    (64, 32, 16, 4096)
    """
    if seconds < 1:
        return max(size, min(2 * size, _LARGEST_BATCH))
    return max(1, size // 2) if seconds > 10 else size


def _missing(texts: Mapping[bytes, str], shards: Iterable[_Shard]) -> dict[bytes, str]:
    """The texts that have no vector in the shards."""
    stored = {key for shard in shards for key in shard.keys}
    return {key: text for key, text in texts.items() if key not in stored}


def _stale_shards(fresh: list[_Shard], shards: list[_Shard]) -> set[Path]:
    """Shards whose dimension differs from the newest one: the model has changed since then."""
    newest = (fresh or sorted(shards, key=_last_written))[-1]
    return {shard.path for shard in shards if shard.rows.shape[1] != newest.rows.shape[1]}


def _refuse_unusable(rows: Vectors, count: int, before: list[_Shard], identity: str) -> None:
    if (
        rows.ndim != 2
        or len(rows) != count
        or (before and before[0].rows.shape[1:] != rows.shape[1:])
    ):
        raise SystemFailed(
            f"{identity}: it returned an array of shape {rows.shape} for {count} texts"
        )
    if not np.isfinite(rows).all():
        raise SystemFailed(f"{identity}: it returned numbers that are not finite")


def _read_shards(folder: Path, keys: list[bytes]) -> list[_Shard]:
    """Read only the shard that is exactly the corpus; if there is none, every intact shard."""
    paths = sorted(folder.glob("*.keys"))
    corpus = b"".join(keys)
    for path in paths:
        is_corpus = path.stat().st_size == len(corpus) and path.read_bytes() == corpus
        if is_corpus and (shard := _read_intact(path)):
            with suppress(OSError):
                os.utime(shard.path)  # marks it as recently used, so that it is merged last
            return [shard]
    return [shard for path in paths if path.exists() and (shard := _read_intact(path))]


def _read_intact(keys_path: Path) -> _Shard | None:
    """Read a shard if its content matches its name; otherwise set it aside and return None."""
    path = keys_path.with_suffix(".npy")
    try:
        intact = _shard_name(path, keys_path) == path.stem
    except OSError:
        intact = False
    if not intact:
        _set_aside(path, keys_path)
        return None
    return _map_shard(path)


def _map_shard(path: Path) -> _Shard:
    raw = path.with_suffix(".keys").read_bytes()
    keys = [raw[start : start + _KEY] for start in range(0, len(raw), _KEY)]
    return _Shard(path=path, keys=keys, rows=_map_rows(path))


def _map_rows(path: Path) -> Vectors:
    # Viewed as a plain array, because results computed from a ``memmap`` would be one too.
    rows: Vectors = np.load(path, mmap_mode="r", allow_pickle=False).view(np.ndarray)
    return rows


def _shard_name(path: Path, keys_path: Path) -> str:
    """A hash of both files, which are read in pieces."""
    combined = hashlib.sha256()
    for part in (keys_path, path):
        with part.open("rb") as file:
            combined.update(hashlib.file_digest(file, "sha256").digest())
    return combined.hexdigest()[:32]


def _write_shard(folder: Path, keys: list[bytes], blocks: Iterable[Vectors], size: int) -> _Shard:
    """Write a new shard. The keys are put in place last: a shard without keys is ignored."""
    header = {"descr": "<f4", "fortran_order": False, "shape": (len(keys), size)}
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder) as name:
        rows_path, keys_path = Path(name) / "rows", Path(name) / "keys"
        with open(rows_path, "wb", opener=private_opener) as file:
            np.lib.format.write_array_header_1_0(file, header)
            # Written to the file and not to a mapping, where a full disk would be a signal.
            file.writelines(np.ascontiguousarray(block, dtype="<f4").data for block in blocks)
            file.flush()
            os.fsync(file.fileno())
        _write_file(keys_path, keys)
        path = folder / f"{_shard_name(rows_path, keys_path)}.npy"
        # Mapped before it is in place, because another process may merge and remove it from then on.
        shard = _Shard(path=path, keys=keys, rows=_map_rows(rows_path))
        rows_path.replace(path)
        keys_path.replace(path.with_suffix(".keys"))
    return shard


def _write_file(path: Path, parts: Iterable[bytes]) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    with open(temporary, "wb", opener=private_opener) as file:
        file.writelines(parts)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def _compact(folder: Path, shards: list[_Shard], keys: list[bytes]) -> _Shard:
    """Write the corpus as one shard in order, and remove the shards that this makes redundant."""
    corpus = _write_merged(folder, shards, keys)
    covered = set(keys)
    others = [s for s in shards if s.path != corpus.path and not covered.issuperset(s.keys)]
    others.sort(key=_last_written, reverse=True)
    recent, old = others[:KEPT_SHARDS], others[KEPT_SHARDS:]
    kept = [corpus, *recent]
    if len(old) == 1:
        kept += old
    elif old:
        covered.update(key for shard in recent for key in shard.keys)
        rest = dict.fromkeys(key for shard in old for key in shard.keys if key not in covered)
        kept += [_write_merged(folder, old, list(rest))] if rest else []
    _remove(folder, {shard.path for shard in shards} - {shard.path for shard in kept})
    return corpus


def _write_merged(folder: Path, shards: list[_Shard], keys: list[bytes]) -> _Shard:
    """Write a shard with these keys in this order; its rows are copied from other shards."""
    locations = {
        key: (number, row)
        for number, shard in reversed(list(enumerate(shards)))
        for row, key in enumerate(shard.keys)
    }
    sources = np.array([locations[key] for key in keys], dtype=np.intp)
    size = shards[0].rows.shape[1]

    def blocks() -> Iterator[Vectors]:
        for start in range(0, len(sources), _BLOCK):
            numbers, rows = sources[start : start + _BLOCK].T
            block = np.empty((len(rows), size), dtype=np.float32)
            for number in np.unique(numbers):
                from_shard: NDArray[np.bool_] = numbers == number
                block[from_shard] = shards[number].rows[rows[from_shard]]
            yield block

    return _write_shard(folder, keys, blocks(), size)


def _last_written(shard: _Shard) -> float:
    try:
        return shard.path.stat().st_mtime
    except FileNotFoundError:
        return 0.0  # another process has removed the file; this process still has it mapped


def _remove(folder: Path, paths: Iterable[Path]) -> None:
    """Remove shards, and temporary files of crashed processes that are older than a day."""
    for path in paths:
        path.with_suffix(".keys").unlink(missing_ok=True)
        path.unlink(missing_ok=True)
    oldest = time.time() - _ABANDONED_S
    for path in folder.iterdir():
        unfinished = path.name.startswith(".") or (
            path.suffix == ".npy" and not path.with_suffix(".keys").exists()
        )
        with suppress(FileNotFoundError):
            if unfinished and path.stat().st_mtime < oldest:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _set_aside(*paths: Path) -> None:
    """Rename to ``….bad``, or ``….bad-2`` and so on if the name is taken; nothing is deleted."""
    for path in paths:
        target = path.with_name(f"{path.name}.bad")
        number = 1
        while target.exists():
            number += 1
            target = path.with_name(f"{path.name}.bad-{number}")
        with suppress(FileNotFoundError):
            path.rename(target)


@contextmanager
def _storage_errors(folder: Path) -> Iterator[None]:
    """Turn an ``OSError`` in the ``with`` block into a one-line ``UseError``."""
    try:
        yield
    except OSError as error:
        raise UseError(
            f"{folder}: vectors cannot be stored here: {error.strerror or error}; "
            "make the folder writable or choose another one"
        ) from error


# Vectors that another program made: ``STEM.npy`` beside the chunk file ``STEM.jsonl``.
#
# Such a file has one vector for each chunk, in the order of the chunk file. It is used as it is if it
# fits; otherwise a line says why not, and the chunks are embedded.


class GivenVectors(Struct, frozen=True, kw_only=True):
    """Vectors of a part of a corpus; ``starts`` are the numbers of their first chunks.

    ``problems`` says which files do not fit, ``sha256`` identifies those that do.
    """

    starts: tuple[int, ...] = ()
    parts: tuple[Vectors, ...] = ()
    problems: tuple[str, ...] = ()
    sha256: str = ""

    @property
    def size(self) -> int | None:
        """The dimension of the vectors; None if there are none."""
        return self.parts[0].shape[1] if self.parts else None

    def missing(self, count: int) -> list[int]:
        """The numbers of the chunks, of ``count``, that have no vector here."""
        covered = np.zeros(count, dtype=bool)
        for start, part in zip(self.starts, self.parts, strict=True):
            covered[start : start + len(part)] = True
        return [int(number) for number in np.flatnonzero(~covered)]

    def complete(self, count: int, missing: Sequence[int], vectors: Vectors) -> Vectors:
        """All ``count`` vectors in order, where ``vectors`` are those that are missing here."""
        whole = np.empty((count, self.size or vectors.shape[1]), dtype=np.float32)
        for start, part in zip(self.starts, self.parts, strict=True):
            whole[start : start + len(part)] = part
        if len(missing):
            whole[list(missing)] = vectors
        return whole


def vector_files(folder: Path, files: Sequence[tuple[str, int]]) -> list[Path]:
    """The files of vectors in ``folder`` that have the names of chunk files."""
    paths = (folder / f"{stem}.npy" for stem, _ in files)
    return [path for path in paths if path.is_file()]


def read_given_vectors(
    folder: Path, files: Sequence[tuple[str, int]], size: int | None
) -> GivenVectors:
    """Read the vectors for these chunk files, given by name and number of chunks.

    ``size`` is the dimension that the embedder makes; None if that is not known.
    """
    starts, parts, problems = list[int](), list[Vectors](), list[str]()
    content = hashlib.sha256()
    first = 0
    for stem, count in files:
        path, start = folder / f"{stem}.npy", first
        first += count
        if not path.is_file():
            continue
        read = _read(path, count, size)
        if isinstance(read, str):
            problems.append(f"{path} is not used: {read}")
            continue
        size = read.shape[1]
        starts.append(start)
        parts.append(read)
        content.update(hashlib.sha256(path.read_bytes()).digest())
    return GivenVectors(
        starts=tuple(starts),
        parts=tuple(parts),
        problems=tuple(problems),
        sha256=content.hexdigest() if parts else "",
    )


def _read(path: Path, count: int, size: int | None) -> Vectors | str:
    """The vectors of a file, or why they cannot be used."""
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        return f"it cannot be read ({error})"
    if array.ndim != 2 or not np.issubdtype(array.dtype, np.floating):
        return f"it is an array of {array.dtype} and shape {array.shape}, not one vector a chunk"
    if len(array) != count:
        return f"it has {len(array)} vectors for {count} chunks"
    if size is not None and array.shape[1] != size:
        return f"its vectors have {array.shape[1]} dimensions, the others or the embedder {size}"
    if not np.isfinite(array).all():
        return "it has values that are not finite numbers"
    return np.asarray(array)
