"""The sentence-transformers extra with the real library and a tiny random BERT model.

The file is not named ``test_…`` because PyTorch is too large for the ordinary suite. To run it::

    pip install --editable '.[sentence-transformers]' pytest
    python -m pytest --noconftest tests/real_model/check_sentence_transformers.py

The vectors of a random model mean nothing; the checks compare them with the library's own vectors.
"""

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from assay.errors import UseError
from assay.rag.embed.local import SentenceTransformersEmbedder
from assay.rag.embed.store import VectorStore

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "gold", "silver", "tin", "query:"]
TEXTS = [f"gold {'silver ' * (number % 5)}{'tin ' * (number // 5)}".strip() for number in range(20)]


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save a model with a prompt for questions as the library does, and return its folder."""
    bert, saved = tmp_path_factory.mktemp("bert"), tmp_path_factory.mktemp("saved") / "tiny"
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(bert)
    words = models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]")
    tokenizer = Tokenizer(words)
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", model_max_length=64
    ).save_pretrained(bert)
    word_vectors = Transformer(str(bert))
    model = SentenceTransformer(
        modules=[word_vectors, Pooling(16)], prompts={"query": "query: "}, device="cpu"
    )
    model.save(str(saved))
    return saved


def embed_all(embedder: SentenceTransformersEmbedder, folder: Path) -> tuple[Any, Any, Any]:
    """Return the vectors from the store, the matrix of the space, and the vector of a question."""

    async def story() -> tuple[Any, Any, Any]:
        vectors = await VectorStore(folder).vectors(TEXTS, embedder)
        space = embedder.space(TEXTS, vectors)
        return vectors, space.matrix, await space.query(TEXTS[7])

    return asyncio.run(story())


def test_the_vectors_are_the_library_s_own(folder: Path, tmp_path: Path):
    """Vectors of documents and questions equal the library's, with the model's prompt."""
    model = SentenceTransformer(str(folder), device="cpu")
    embedder = SentenceTransformersEmbedder(folder, nested=True, device="cpu")
    vectors, matrix, query = embed_all(embedder, tmp_path)
    assert embedder.size == 16
    assert matrix is vectors
    assert np.allclose(vectors, model.encode(TEXTS, normalize_embeddings=True), atol=1e-5)
    expected = model.encode("query: " + TEXTS[7], normalize_embeddings=True)
    assert np.allclose(query, expected, atol=1e-5)
    assert not np.allclose(query, vectors[7], atol=1e-3)


def test_a_prompt_given_takes_the_place_of_the_model_s(folder: Path, tmp_path: Path):
    """With an empty prompt the vector of a question equals that of the same document."""
    embedder = SentenceTransformersEmbedder(folder, query_prompt="", nested=True, device="cpu")
    vectors, _, query = embed_all(embedder, tmp_path)
    assert np.allclose(query, vectors[7], atol=1e-5)


def test_a_model_not_nested_is_rotated(folder: Path, tmp_path: Path):
    """Without ``nested`` the matrix is rotated, and questions are rotated in the same way."""
    embedder = SentenceTransformersEmbedder(folder, query_prompt="", device="cpu")
    vectors, matrix, query = embed_all(embedder, tmp_path)
    assert not np.allclose(vectors, matrix, atol=1e-3)
    assert np.allclose(query, matrix[7], atol=1e-5)


def test_the_identity_holds_the_weights(folder: Path):
    """The identity is the same for the same folder, and changes if one bit of the weights does."""
    first = SentenceTransformersEmbedder(folder, device="cpu").identity
    assert SentenceTransformersEmbedder(folder, device="cpu").identity == first
    (weights,) = folder.rglob("*.safetensors")
    before = weights.read_bytes()
    weights.write_bytes(before[:-1] + bytes([before[-1] ^ 1]))
    try:
        assert SentenceTransformersEmbedder(folder, device="cpu").identity != first
    finally:
        weights.write_bytes(before)


def test_a_folder_without_a_model_is_one_line(tmp_path: Path):
    """A folder without a model is a ``UseError`` that says so."""
    with pytest.raises(UseError, match="no sentence-transformers model"):
        SentenceTransformersEmbedder(tmp_path, device="cpu")
