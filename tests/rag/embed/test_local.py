"""Models in this process: how sentence-transformers is called."""

import asyncio
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.errors import UseError
from assay.rag.embed.local import SentenceTransformersEmbedder

SIZE = 6


def vector_of(text: str) -> NDArray[np.float32]:
    """A vector of length 1 that depends on the text only."""
    row = np.random.default_rng(list(text.encode())).normal(size=SIZE).astype(np.float32)
    return row / np.linalg.norm(row)


def test_without_the_library_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """If the library is missing, the message says which extra to install."""
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    message = r"needs sentence_transformers .*: pip install 'assay-eval\[sentence-transformers\]'$"
    with pytest.raises(UseError, match=message):
        SentenceTransformersEmbedder(tmp_path)


class FakeSentenceTransformer:
    """The methods of sentence-transformers that assay uses, with their names and defaults."""

    instances: list[dict[str, Any]]
    calls: list[tuple[str, list[str], str | None]]

    def __init__(
        self,
        model_name_or_path: str | None = None,
        *,
        device: str | None = None,
        local_files_only: bool = False,
    ) -> None:
        if not Path(model_name_or_path or "", "modules.json").exists():
            raise ValueError("Unrecognized model\nin that folder")
        self.instances.append({"device": device, "local_files_only": local_files_only})

    def encode_query(self, inputs: list[str], **options: Any) -> NDArray[np.float32]:
        """Return the vectors of questions."""
        return self._encode("query", inputs, **options)

    def encode_document(self, inputs: list[str], **options: Any) -> NDArray[np.float32]:
        """Return the vectors of documents."""
        return self._encode("document", inputs, **options)

    def _encode(
        self,
        role: str,
        inputs: list[str],
        *,
        prompt: str | None = None,
        batch_size: int = 32,
        show_progress_bar: bool | None = None,
        convert_to_numpy: bool = True,
        normalize_embeddings: bool = False,
    ) -> NDArray[np.float32]:
        assert show_progress_bar is False
        assert convert_to_numpy
        assert normalize_embeddings
        self.calls.append((role, inputs, prompt))
        return np.array([vector_of(text) for text in inputs], dtype=np.float32)


@pytest.fixture(name="saved")
def _saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder like those that sentence-transformers saves, and a fake library."""
    module = types.ModuleType("sentence_transformers")
    vars(module)["SentenceTransformer"] = FakeSentenceTransformer
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    monkeypatch.setattr(FakeSentenceTransformer, "instances", [], raising=False)
    monkeypatch.setattr(FakeSentenceTransformer, "calls", [], raising=False)
    folder = tmp_path / "saved"
    (folder / "0_Model").mkdir(parents=True)
    (folder / "modules.json").write_text("[]")
    (folder / "0_Model" / "model.safetensors").write_bytes(b"weights")
    return folder


def test_sentence_transformers_is_called_as_it_wants(saved: Path):
    """Documents and questions use separate methods, offline, with the configured prompts."""
    embedder = SentenceTransformersEmbedder(saved, query_prompt="query: ", device="cpu")
    FakeSentenceTransformer.calls.clear()

    async def story() -> Any:
        vectors = await embedder.embed(["gold", "tin"])
        await embedder.space(["gold", "tin"], vectors).query("silver")
        return vectors

    assert np.allclose(asyncio.run(story()), [vector_of("gold"), vector_of("tin")], atol=1e-6)
    assert FakeSentenceTransformer.instances == [{"device": "cpu", "local_files_only": True}]
    assert FakeSentenceTransformer.calls == [
        ("document", ["gold", "tin"], None),
        ("query", ["silver"], "query: "),
    ]
    assert embedder.size == SIZE


def test_a_saved_model_is_known_by_its_files(saved: Path):
    """The identity depends on weights in subfolders and on settings, not on hidden files."""
    first = SentenceTransformersEmbedder(saved).identity
    assert first.startswith("sentence-transformers:saved#")
    (saved / ".cache").mkdir()
    (saved / ".cache" / "note").write_text("x")
    (saved / "README.md").write_text("x")
    assert SentenceTransformersEmbedder(saved, device="cpu").identity == first
    assert SentenceTransformersEmbedder(saved, document_prompt="passage: ").identity != first
    (saved / "0_Model" / "model.safetensors").write_bytes(b"other weights")
    assert SentenceTransformersEmbedder(saved).identity != first


def test_a_folder_that_is_no_saved_model_is_one_line(saved: Path):
    """The library's message is shown as one line, and a missing folder is named."""
    (saved / "modules.json").unlink()
    with pytest.raises(
        UseError, match="saved: no sentence-transformers model: Unrecognized model in"
    ):
        SentenceTransformersEmbedder(saved)
    with pytest.raises(UseError, match="elsewhere: no such model folder"):
        SentenceTransformersEmbedder(saved / "elsewhere")
