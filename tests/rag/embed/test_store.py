"""Vectors on disk: each text is embedded once, also after crashes and damage to files."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.errors import SystemFailed, UseError
from assay.rag.embed import store as store_module
from assay.rag.embed.hashed import NestedSpace
from assay.rag.embed.progress import EMBEDDING_PROGRESS
from assay.rag.embed.protocol import Space
from assay.rag.embed.store import VectorStore, folder_name
from tests.support.path import ROOT

TEXTS = [f"Article {number}" for number in range(10)]
Rows = NDArray[np.float32]


class CountingEmbedder:
    """An embedder whose vectors depend on the text only, and that records its batches."""

    def __init__(self, identity: str = "counting-1", size: int = 8) -> None:
        self.identity = identity
        self.size = size
        self.batches: list[list[str]] = []
        self.fails_at: int | None = None
        self.spoil: Callable[[Rows], Rows] = lambda rows: rows

    @property
    def texts(self) -> list[str]:
        """All texts that were embedded, in order."""
        return [text for batch in self.batches for text in batch]

    async def embed(self, texts: Sequence[str]) -> Rows:
        """Return the expected rows, changed by ``spoil``; or fail at batch ``fails_at``."""
        if len(self.batches) == self.fails_at:
            raise ConnectionError("the connection was lost")
        self.batches.append(list(texts))
        return self.spoil(expected(texts, self.size))

    def space(self, texts: Sequence[str], vectors: Rows) -> Space:
        """The space of the unchanged rows."""

        async def embed_query(text: str) -> Rows:
            return expected([text], self.size)[0]

        return NestedSpace(vectors, embed_query)

    async def close(self) -> None:
        """Do nothing."""


def expected(texts: Sequence[str], size: int = 8) -> Rows:
    """The rows that the embedder returns for these texts."""
    seeds = [int.from_bytes(text.encode("utf-8", "surrogatepass")[-6:]) for text in texts]
    rows = [np.random.default_rng(seed).normal(size=size) for seed in seeds]
    return np.array(rows, dtype=np.float32).reshape(len(texts), size)


def read_vectors(
    folder: Path, texts: Sequence[str], embedder: CountingEmbedder, first_batch: int = 4
) -> Rows:
    """Read vectors with a new store. Its clock does not move, so each batch is twice the last."""
    store = VectorStore(folder, first_batch=first_batch, clock=lambda: 0.0)
    return asyncio.run(store.vectors(texts, embedder))


def own_folder(folder: Path, embedder: CountingEmbedder) -> Path:
    """The folder with the vectors of an embedder."""
    return folder / folder_name(embedder.identity)


def shards(folder: Path, embedder: CountingEmbedder) -> list[Path]:
    """The files with the rows of an embedder."""
    return sorted(own_folder(folder, embedder).glob("*.npy"))


def is_mapped(rows: Rows) -> bool:
    """Whether an array is memory-mapped."""
    base: object = rows
    while isinstance(base, np.ndarray) and not isinstance(base, np.memmap):
        base = base.base
    return isinstance(base, np.memmap)


def test_each_text_gets_its_row_in_order(tmp_path: Path):
    """Rows are in the order of the texts, and a repeated text is embedded once."""
    embedder = CountingEmbedder()
    texts = [*TEXTS, TEXTS[3], "第三条", "\ud800"]
    rows = read_vectors(tmp_path, texts, embedder)
    assert (rows == expected(texts)).all()
    assert embedder.texts == [*TEXTS, "第三条", "\ud800"]


def test_the_second_time_nothing_is_embedded_and_the_file_is_mapped(tmp_path: Path):
    """A stored corpus is one file that is mapped read-only, and nothing is embedded."""
    read_vectors(tmp_path, TEXTS, CountingEmbedder())
    embedder = CountingEmbedder()
    before = shards(tmp_path, embedder)
    rows = read_vectors(tmp_path, TEXTS, embedder)
    assert embedder.batches == []
    assert (rows == expected(TEXTS)).all()
    assert is_mapped(rows)
    assert not rows.flags.writeable
    assert shards(tmp_path, embedder) == before
    assert len(before) == 1


def test_a_changed_chunk_embeds_only_itself(tmp_path: Path):
    """If one text of a corpus changes, only that text is embedded."""
    read_vectors(tmp_path, TEXTS, CountingEmbedder())
    edited = [*TEXTS[:4], "Article 4, as amended", *TEXTS[5:]]
    embedder = CountingEmbedder()
    rows = read_vectors(tmp_path, edited, embedder)
    assert embedder.batches == [["Article 4, as amended"]]
    assert (rows == expected(edited)).all()
    assert is_mapped(rows)


def test_another_order_embeds_nothing_and_is_laid_out_once(tmp_path: Path):
    """A corpus in another order gets its own file, which is written once and then reused."""
    embedder = CountingEmbedder()
    read_vectors(tmp_path, TEXTS, embedder)
    reversed_texts = TEXTS[::-1]
    assert (read_vectors(tmp_path, reversed_texts, embedder) == expected(reversed_texts)).all()
    names = shards(tmp_path, embedder)
    assert (read_vectors(tmp_path, reversed_texts, embedder) == expected(reversed_texts)).all()
    assert shards(tmp_path, embedder) == names
    assert len(embedder.texts) == len(TEXTS)


def test_each_embedder_has_vectors_of_its_own(tmp_path: Path):
    """Embedders with different identities have separate folders, which name the identity."""
    first, second = CountingEmbedder("model a"), CountingEmbedder("model b", size=5)
    read_vectors(tmp_path, TEXTS, first)
    assert read_vectors(tmp_path, TEXTS, second).shape == (10, 5)
    assert len(second.texts) == len(TEXTS)
    path = own_folder(tmp_path, first) / "identity.json"
    assert path.read_text() == '{"schema_version":1,"identity":"model a"}\n'


def test_a_failure_half_way_keeps_the_batches_that_were_finished(tmp_path: Path):
    """After a failure in the second batch, the texts of the first are not embedded again."""
    embedder = CountingEmbedder()
    embedder.fails_at = 1
    with pytest.raises(ConnectionError):
        read_vectors(tmp_path, TEXTS, embedder)
    assert embedder.batches == [TEXTS[:4]]
    second_embedder = CountingEmbedder()
    assert (read_vectors(tmp_path, TEXTS, second_embedder) == expected(TEXTS)).all()
    assert second_embedder.texts == TEXTS[4:]
    assert len(shards(tmp_path, second_embedder)) == 1


def test_slow_batches_stay_small_and_quick_ones_grow(tmp_path: Path):
    """The size of a batch depends on how long the previous one took."""
    times = iter([0.0, 0.1, 1.0, 21.0, 30.0, 35.0, 40.0, 45.0])
    store = VectorStore(tmp_path, first_batch=2, clock=lambda: next(times))
    embedder = CountingEmbedder()
    asyncio.run(store.vectors(TEXTS, embedder))
    assert [len(batch) for batch in embedder.batches] == [2, 4, 2, 2]


@pytest.mark.parametrize("suffix", [".npy", ".keys"])
@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: b"",
    ],
    ids=["truncated", "one bit", "empty"],
)
def test_a_spoiled_file_is_set_aside_and_its_texts_embedded_again(
    tmp_path: Path, suffix: str, spoil: Callable[[bytes], bytes]
):
    """A file that is truncated, empty or changed by one bit is renamed to ``.bad`` and replaced."""
    embedder = CountingEmbedder()
    read_vectors(tmp_path, TEXTS, embedder)
    (shard,) = shards(tmp_path, embedder)
    path = shard.with_suffix(suffix)
    path.write_bytes(spoil(path.read_bytes()))
    second_embedder = CountingEmbedder()
    assert (read_vectors(tmp_path, TEXTS, second_embedder) == expected(TEXTS)).all()
    assert second_embedder.texts == TEXTS
    assert path.with_name(f"{path.name}.bad").exists()
    assert (read_vectors(tmp_path, TEXTS, second_embedder) == expected(TEXTS)).all()
    assert second_embedder.texts == TEXTS


def test_keys_without_rows_are_no_vectors(tmp_path: Path):
    """If the rows of a shard were deleted, its texts are embedded again."""
    embedder = CountingEmbedder()
    read_vectors(tmp_path, TEXTS, embedder)
    shards(tmp_path, embedder)[0].unlink()
    second_embedder = CountingEmbedder()
    assert (read_vectors(tmp_path, TEXTS, second_embedder) == expected(TEXTS)).all()
    assert second_embedder.texts == TEXTS


@pytest.mark.parametrize("content", ['{"schema_version":1,"identity":"another"}\n', "", None])
def test_a_folder_of_another_identity_is_set_aside(tmp_path: Path, content: str | None):
    """A folder without the embedder's identity is not used, and not deleted either."""
    embedder = CountingEmbedder()
    read_vectors(tmp_path, TEXTS, embedder)
    folder = own_folder(tmp_path, embedder)
    if content is None:
        (folder / "identity.json").unlink()
    else:
        (folder / "identity.json").write_text(content)
    second_embedder = CountingEmbedder()
    read_vectors(tmp_path, TEXTS, second_embedder)
    assert second_embedder.texts == TEXTS
    assert list((tmp_path / f"{folder.name}.bad").glob("*.npy"))


def test_a_model_that_changed_its_size_is_embedded_afresh(tmp_path: Path):
    """If the dimension of the vectors has changed, the older rows are set aside and made again."""
    read_vectors(tmp_path, TEXTS, CountingEmbedder(size=8))
    grown = CountingEmbedder(size=16)
    texts = [*TEXTS, "Article 10"]
    assert (read_vectors(tmp_path, texts, grown) == expected(texts, 16)).all()
    assert sorted(grown.texts) == sorted(texts)


def test_a_size_that_changes_at_every_call_is_refused(tmp_path: Path):
    """An embedder whose dimension changes at every call is an error, not an endless loop."""
    read_vectors(tmp_path, TEXTS, CountingEmbedder())
    embedder = CountingEmbedder()
    embedder.spoil = lambda rows: rows[:, : 7 - len(embedder.batches)]
    with pytest.raises(SystemFailed, match="dimension of its vectors changes at every call"):
        read_vectors(tmp_path, [*TEXTS, "Article 10"], embedder, first_batch=100)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda rows: rows[:-1], r"shape \(3, 8\) for 4 texts"),
        (lambda rows: rows[0], r"shape \(8,\) for 4 texts"),
        (lambda rows: rows * np.float32("nan"), "not finite"),
    ],
)
def test_vectors_that_cannot_be_are_refused_and_not_kept(
    tmp_path: Path, spoil: Callable[[Rows], Rows], message: str
):
    """Rows of a wrong number or shape, or with NaN, are refused and not stored."""
    embedder = CountingEmbedder()
    embedder.spoil = spoil
    with pytest.raises(SystemFailed, match=message):
        read_vectors(tmp_path, TEXTS, embedder)
    assert shards(tmp_path, embedder) == []


def test_no_texts_make_no_file(tmp_path: Path):
    """An empty corpus gives an empty matrix of the right width, and no folder is created."""
    assert read_vectors(tmp_path / "embeddings", [], CountingEmbedder()).shape == (0, 8)
    assert not (tmp_path / "embeddings").exists()


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path):
    """If the folder cannot be created, the message names it and says what to do."""
    (tmp_path / "embeddings").write_text("not a folder")
    with pytest.raises(
        UseError, match=r"embeddings: vectors cannot be stored here: .*; make the folder"
    ):
        read_vectors(tmp_path / "embeddings", TEXTS, CountingEmbedder())


def test_a_folder_that_cannot_be_written_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A read-only file system is a ``UseError``, not a traceback."""

    def refuse(*_: object, **__: object) -> int:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(store_module.os, "open", refuse)
    with pytest.raises(UseError, match="cannot be stored here: Read-only file system"):
        read_vectors(tmp_path, TEXTS, CountingEmbedder())


def test_a_full_disk_loses_nothing_that_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """If the disk is full, the incomplete shard is not used, and earlier shards are kept."""
    real, calls = os.fsync, iter(range(100))

    def full_later(descriptor: int) -> None:
        if next(calls) >= 4:
            raise OSError(28, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(store_module.os, "fsync", full_later)
    with pytest.raises(UseError, match="No space left on device"):
        read_vectors(tmp_path, TEXTS, CountingEmbedder())
    monkeypatch.undo()
    second_embedder = CountingEmbedder()
    read_vectors(tmp_path, TEXTS, second_embedder)
    assert second_embedder.texts == TEXTS[4:]
    assert not list(own_folder(tmp_path, second_embedder).glob(".*"))


def test_many_corpora_leave_few_files_and_lose_no_vector(tmp_path: Path):
    """Old shards are merged, so there are few files, and no text is embedded twice."""
    embedder = CountingEmbedder()
    for edition in range(9):
        read_vectors(tmp_path, [*TEXTS, f"edition {edition}"], embedder)
    assert len(shards(tmp_path, embedder)) <= store_module.KEPT_SHARDS + 2
    count = len(embedder.texts)
    everything = [*TEXTS, *(f"edition {edition}" for edition in range(9))]
    assert count == len(everything)
    assert (read_vectors(tmp_path, everything, embedder) == expected(everything)).all()
    assert len(embedder.texts) == count
    assert len(shards(tmp_path, embedder)) == 1


def test_corpora_used_in_turn_are_not_laid_out_again(tmp_path: Path):
    """If two corpora are used in turn, their shards are not written again and again."""
    embedder = CountingEmbedder()
    for _ in range(2):
        read_vectors(tmp_path, TEXTS, embedder)
        read_vectors(tmp_path, TEXTS[:5], embedder)
    names = shards(tmp_path, embedder)
    read_vectors(tmp_path, TEXTS, embedder)
    read_vectors(tmp_path, TEXTS[:5], embedder)
    assert shards(tmp_path, embedder) == names
    assert len(embedder.texts) == len(TEXTS)


def test_what_a_dead_process_left_is_swept_after_a_day(tmp_path: Path):
    """Temporary files older than a day are removed; newer ones may still be in use and stay."""
    embedder = CountingEmbedder()
    read_vectors(tmp_path, TEXTS, embedder)
    folder = own_folder(tmp_path, embedder)
    for name in ("old", "young"):
        (folder / f".new-{name}").mkdir()
        (folder / f".new-{name}" / "rows").write_bytes(b"half")
        (folder / f"{name}.npy").write_bytes(b"rows without keys")
    long_ago = time.time() - 2 * 24 * 3600
    for path in (folder / ".new-old", folder / "old.npy"):
        os.utime(path, (long_ago, long_ago))
    read_vectors(tmp_path, TEXTS[::-1], embedder)
    assert not (folder / ".new-old").exists()
    assert not (folder / "old.npy").exists()
    assert (folder / ".new-young").exists()
    assert (folder / "young.npy").exists()


def test_a_large_corpus_says_every_few_seconds_how_far_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Whoever wants to know is told before each batch; otherwise a line is said every 5 s."""
    told: list[tuple[int, int]] = []
    token = EMBEDDING_PROGRESS.set(lambda *numbers: told.append(numbers))
    try:
        store = VectorStore(tmp_path / "told", first_batch=4, clock=lambda: 0.0)
        asyncio.run(store.vectors(TEXTS, CountingEmbedder()))
    finally:
        EMBEDDING_PROGRESS.reset(token)
    assert told == [(0, 10), (4, 10), (10, 10)]
    seconds = count(0.0, 1.0)
    store = VectorStore(tmp_path / "said", first_batch=1, clock=lambda: 2 * next(seconds))
    asyncio.run(store.vectors(TEXTS, CountingEmbedder()))
    said = capsys.readouterr().err.splitlines()
    assert said == [f"{number} of 10 passages embedded" for number in (2, 4, 6, 8)]


def test_rows_already_mapped_survive_their_file(tmp_path: Path):
    """A mapped matrix stays readable after its file is removed."""
    embedder = CountingEmbedder()
    rows = read_vectors(tmp_path, TEXTS[:5], embedder)
    read_vectors(tmp_path, TEXTS, embedder)
    assert len(shards(tmp_path, embedder)) == 1
    assert (rows == expected(TEXTS[:5])).all()


WORKER = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tests.rag.embed.test_store import CountingEmbedder, TEXTS, expected, read_vectors
folder, seed = Path(sys.argv[2]), int(sys.argv[3])
texts = [*TEXTS, *(f"of both {n}" for n in range(40)), *(f"of {seed} {n}" for n in range(20))]
for turn in range(6):
    corpus = texts[turn * seed % 7 :] + texts[: turn * seed % 7]
    assert (read_vectors(folder, corpus, CountingEmbedder(), first_batch=3) == expected(corpus)).all()
"""


def test_a_shard_that_another_process_removes_at_once_is_still_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Another process may merge and remove a shard as soon as it is in place."""
    replace = Path.replace

    def replace_and_remove(self: Path, target: Path) -> Path:
        placed = replace(self, target)
        if placed.suffix == ".keys":
            placed.unlink()
            placed.with_suffix(".npy").unlink()
        return placed

    monkeypatch.setattr(Path, "replace", replace_and_remove)
    store = VectorStore(tmp_path)
    vectors = asyncio.run(store.vectors(TEXTS, CountingEmbedder()))
    assert np.array_equal(vectors, expected(TEXTS))


def test_processes_at_once_lose_nothing_and_spoil_nothing(tmp_path: Path):
    """Three processes that embed overlapping corpora at once all read the right rows."""
    root = str(ROOT)
    workers = [
        subprocess.Popen([sys.executable, "-c", WORKER, root, str(tmp_path), str(seed)])
        for seed in (1, 2, 3)
    ]
    assert [worker.wait() for worker in workers] == [0, 0, 0]
    assert not list(tmp_path.rglob("*.bad*"))
    texts = [f"of {seed} {n}" for seed in (1, 2, 3) for n in range(20)]
    embedder = CountingEmbedder()
    assert (read_vectors(tmp_path, texts, embedder) == expected(texts)).all()
    assert embedder.batches == []
