"""Vectors on disk: every text is embedded once, and only what is new is embedded at all.

``folder/SLUG-HASH/`` holds the vectors of one embedder, with its whole identity in
``identity.json``. A shard is two files: ``NAME.npy``, a row a text, and ``NAME.keys``, the
SHA-256 of each text in the same order. ``NAME`` is a hash of both, so a shard proves its own
wholeness, and two processes that write at once write either the same bytes or other names.

What a crash leaves: whole shards, and unfinished files that nobody reads and a later call
sweeps away. A shard that does not fit its name, and a folder that does not fit its identity,
are set aside as ``….bad`` and their texts embedded anew. A corpus that is one shard in order
is memory-mapped as it stands; any other is laid out once as such a shard, and shards that
hold nothing else are removed (a process that has them mapped keeps them). Only the laying
out and the setting aside happen under a lock; embedding does not.
"""

import fcntl
import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.errors import SystemFailed, UseError
from assay.rag.embed.protocol import Embedder, Vectors

SCHEMA_VERSION = 1

KEPT = 4
"""Shards of other corpora that stay as they are; older ones are merged into one."""

_KEY = 32
_BLOCK = 4096
_LARGEST_BATCH = 4096
_ABANDONED_S = 24 * 3600.0


class _Shard(Struct, frozen=True, kw_only=True):
    """Rows that have been checked, mapped into memory, and the key of each."""

    path: Path
    keys: list[bytes]
    rows: Vectors


class VectorStore:
    """Vectors of texts by content, for any number of embedders.

    Args:
        folder: where they are kept; made when first needed.
        first_batch: texts embedded before the first shard is written. Later batches follow
            the embedder's pace, so that a crash costs seconds of work, not hours.
        clock: what that pace is measured with.
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
        """Where the vectors are kept."""
        return self._folder

    async def vectors(self, texts: Sequence[str], embedder: Embedder) -> Vectors:
        """A row for each text, in order: memory-mapped, not to be written to.

        Raises:
            UseError: the folder cannot be written.
            SystemFailed: the embedder gave something else than a finite row a text, all of
                one size.
        """
        if not texts:
            return np.empty((0, embedder.size), dtype=np.float32)
        keys = [text_key(text) for text in texts]
        wanted = dict(zip(keys, texts, strict=True))
        with self._locked():
            folder = self._open(embedder.identity)
            shards = _found(folder, keys)
        if shards and shards[0].keys == keys:
            return shards[0].rows
        for _ in range(2):
            fresh = await self._embedded(folder, _without(wanted, shards), embedder)
            stale = _of_another_size(fresh, shards)
            if not stale:
                break
            with self._locked():
                _set_aside(*stale, *(path.with_suffix(".keys") for path in stale))
            shards = [shard for shard in [*fresh, *shards] if shard.path not in stale]
        else:
            raise SystemFailed(f"{embedder.identity}: vectors of another size at every call")
        if len(fresh) == 1 and fresh[0].keys == keys:
            return fresh[0].rows
        with self._locked():
            return _compacted(folder, [*fresh, *shards], keys).rows

    async def _embedded(
        self, folder: Path, texts: Mapping[bytes, str], embedder: Embedder
    ) -> list[_Shard]:
        """Shards of texts that have no vector yet, each on disk before the next is begun."""
        shards: list[_Shard] = []
        pending = list(texts.items())
        size = self._first_batch
        while pending:
            batch, pending = pending[:size], pending[size:]
            began = self._clock()
            rows = np.asarray(await embedder.embed([text for _, text in batch]), dtype="<f4")
            size = next_batch(size, self._clock() - began)
            _refuse_unusable(rows, len(batch), shards, embedder.identity)
            with _storing(self._folder):
                shards.append(_write(folder, [key for key, _ in batch], [rows], rows.shape[1]))
        return shards

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Alone among the processes that use this folder; never held while embedding."""
        with _storing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(self._folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
                yield
            finally:
                os.close(lock)

    def _open(self, identity: str) -> Path:
        """The embedder's own folder; one that holds another's vectors is set aside."""
        folder = self._folder / folder_name(identity)
        card = folder / "identity.json"
        text = msgspec.json.encode({"schema_version": SCHEMA_VERSION, "identity": identity}) + b"\n"
        if folder.exists() and not (card.is_file() and card.read_bytes() == text):
            _set_aside(folder)
        if not folder.exists():
            folder.mkdir()
            _write_file(card, [text])
        return folder


def text_key(text: str) -> bytes:
    """What a text is known by: its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def folder_name(identity: str) -> str:
    """A name a person can read, made unique by a hash.

    >>> folder_name("hashed-1:2048:ab12")
    'hashed-1-2048-ab12-a78464c9814e'
    """
    slug = re.sub(r"[^a-z0-9]+", "-", identity.lower())[:40].strip("-")
    return f"{slug}-{hashlib.sha256(identity.encode()).hexdigest()[:12]}"


def next_batch(size: int, seconds: float) -> int:
    """How many texts to embed next, after ``size`` of them took so long.

    >>> next_batch(32, 0.1), next_batch(32, 5.0), next_batch(32, 60.0), next_batch(4096, 0.1)
    (64, 32, 16, 4096)
    """
    if seconds < 1:
        return max(size, min(2 * size, _LARGEST_BATCH))
    return max(1, size // 2) if seconds > 10 else size


def _without(texts: Mapping[bytes, str], shards: Iterable[_Shard]) -> dict[bytes, str]:
    known = {key for shard in shards for key in shard.keys}
    return {key: text for key, text in texts.items() if key not in known}


def _of_another_size(fresh: list[_Shard], shards: list[_Shard]) -> set[Path]:
    """Shards from before the model changed its size under the same name; no use any more."""
    newest = (fresh or sorted(shards, key=_last_written))[-1]
    return {shard.path for shard in shards if shard.rows.shape[1] != newest.rows.shape[1]}


def _refuse_unusable(rows: Vectors, count: int, before: list[_Shard], identity: str) -> None:
    if (
        rows.ndim != 2
        or len(rows) != count
        or (before and before[0].rows.shape[1:] != rows.shape[1:])
    ):
        raise SystemFailed(f"{identity}: vectors of shape {rows.shape} for {count} texts")
    if not np.isfinite(rows).all():
        raise SystemFailed(f"{identity}: vectors with numbers that are not finite")


def _found(folder: Path, keys: list[bytes]) -> list[_Shard]:
    """The shard that is the corpus, alone; failing that, every whole shard."""
    paths = sorted(folder.glob("*.keys"))
    corpus = b"".join(keys)
    for path in paths:
        same = path.stat().st_size == len(corpus) and path.read_bytes() == corpus
        if same and (shard := _checked(path)):
            with suppress(OSError):
                os.utime(shard.path)  # last used now: it is the last to be merged away
            return [shard]
    return [shard for path in paths if path.exists() and (shard := _checked(path))]


def _checked(keys_path: Path) -> _Shard | None:
    """A shard whose bytes are those it was named for; any other is set aside."""
    path = keys_path.with_suffix(".npy")
    try:
        whole = _name(path, keys_path) == path.stem
    except OSError:
        whole = False
    if not whole:
        _set_aside(path, keys_path)
        return None
    return _mapped(path)


def _mapped(path: Path) -> _Shard:
    raw = path.with_suffix(".keys").read_bytes()
    # A plain array over the mapping: the products of a ``memmap`` would be one too.
    rows = np.load(path, mmap_mode="r", allow_pickle=False).view(np.ndarray)
    keys = [raw[start : start + _KEY] for start in range(0, len(raw), _KEY)]
    return _Shard(path=path, keys=keys, rows=rows)


def _name(path: Path, keys_path: Path) -> str:
    """A hash of both files, read in pieces."""
    whole = hashlib.sha256()
    for part in (keys_path, path):
        with part.open("rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()[:32]


def _write(folder: Path, keys: list[bytes], blocks: Iterable[Vectors], size: int) -> _Shard:
    """A new shard, its keys last: without them it is not there."""
    header = {"descr": "<f4", "fortran_order": False, "shape": (len(keys), size)}
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder) as name:
        rows_path, keys_path = Path(name) / "rows", Path(name) / "keys"
        with rows_path.open("wb") as file:
            np.lib.format.write_array_header_1_0(file, header)
            for block in blocks:
                # Not through a mapping: a full disk must be an error, not a signal.
                file.write(np.ascontiguousarray(block, dtype="<f4").data)
            file.flush()
            os.fsync(file.fileno())
        _write_file(keys_path, keys)
        path = folder / f"{_name(rows_path, keys_path)}.npy"
        rows_path.replace(path)
        keys_path.replace(path.with_suffix(".keys"))
    return _mapped(path)


def _write_file(path: Path, parts: Iterable[bytes]) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with beside.open("wb") as file:
        file.writelines(parts)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def _compacted(folder: Path, shards: list[_Shard], keys: list[bytes]) -> _Shard:
    """The corpus as one shard in order, and the folder rid of what that makes needless."""
    corpus = _gathered(folder, shards, keys)
    held = set(keys)
    others = [s for s in shards if s.path != corpus.path and not held.issuperset(s.keys)]
    others.sort(key=_last_written, reverse=True)
    recent, old = others[:KEPT], others[KEPT:]
    kept = [corpus, *recent]
    if len(old) == 1:
        kept += old
    elif old:
        held.update(key for shard in recent for key in shard.keys)
        rest = dict.fromkeys(key for shard in old for key in shard.keys if key not in held)
        kept += [_gathered(folder, old, list(rest))] if rest else []
    _remove(folder, {shard.path for shard in shards} - {shard.path for shard in kept})
    return corpus


def _gathered(folder: Path, shards: list[_Shard], keys: list[bytes]) -> _Shard:
    """A shard with these keys in this order, its rows taken from shards that have them."""
    places = {
        key: (number, row)
        for number, shard in reversed(list(enumerate(shards)))
        for row, key in enumerate(shard.keys)
    }
    where = np.array([places[key] for key in keys], dtype=np.intp)
    size = shards[0].rows.shape[1]

    def blocks() -> Iterator[Vectors]:
        for start in range(0, len(where), _BLOCK):
            sources, rows = where[start : start + _BLOCK].T
            block = np.empty((len(rows), size), dtype=np.float32)
            for number in np.unique(sources):
                mine: NDArray[np.bool_] = sources == number
                block[mine] = shards[number].rows[rows[mine]]
            yield block

    return _write(folder, keys, blocks(), size)


def _last_written(shard: _Shard) -> float:
    try:
        return shard.path.stat().st_mtime
    except FileNotFoundError:
        return 0.0  # another process has merged it; it is still mapped here


def _remove(folder: Path, paths: Iterable[Path]) -> None:
    """Remove shards, and what processes that died left unfinished long ago."""
    for path in paths:
        path.with_suffix(".keys").unlink(missing_ok=True)
        path.unlink(missing_ok=True)
    abandoned = time.time() - _ABANDONED_S
    for path in folder.iterdir():
        unfinished = path.name.startswith(".") or (
            path.suffix == ".npy" and not path.with_suffix(".keys").exists()
        )
        with suppress(FileNotFoundError):
            if unfinished and path.stat().st_mtime < abandoned:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _set_aside(*paths: Path) -> None:
    """Rename to ``….bad``, or the first free number after it; nothing is deleted."""
    for path in paths:
        target = path.with_name(f"{path.name}.bad")
        number = 1
        while target.exists():
            number += 1
            target = path.with_name(f"{path.name}.bad-{number}")
        with suppress(FileNotFoundError):
            path.rename(target)


@contextmanager
def _storing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UseError(
            f"{folder}: vectors cannot be kept here: {error.strerror or error}; "
            "make it writable or choose another folder"
        ) from error
