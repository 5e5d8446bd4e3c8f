"""Embeddings from an endpoint: shortened, scaled, with prompts, and with an identity."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import numpy as np
import pytest

from assay.errors import AccessRefused, SystemFailed, UseError
from assay.models.client import ModelClient
from assay.rag.embed.endpoint import ModelEmbedder
from tests.support.model_client import KEY, VARIABLE, make_client, model_config
from tests.support.model_fault import unit_vector
from tests.support.model_server import Fault, ModelServer

TEXTS = [f"clause {number}" for number in range(10)]
T = TypeVar("T")


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)


def run(
    server: ModelServer,
    story: Callable[[ModelEmbedder], Coroutine[Any, Any, T]],
    changes: dict[str, Any] | None = None,
    **options: Any,
) -> T:
    """Run a coroutine with an embedder that uses this server, and close the embedder."""

    async def run_and_close() -> T:
        embedder = ModelEmbedder(make_client(model_config(server, **(changes or {}))), **options)
        try:
            return await story(embedder)
        finally:
            await embedder.close()

    return asyncio.run(run_and_close())


def identity(*, model: str = "m", parameters: dict[str, Any] | None = None, **options: Any) -> str:
    """The identity of an embedder with these settings."""
    config = model_config(ModelServer(port=9), model=model, parameters=parameters or {})
    return ModelEmbedder(ModelClient(config), **options).identity


def test_rows_are_the_model_s_in_order_and_batches_go_at_once():
    """Ten texts in batches of four make three concurrent requests and one matrix in order."""
    with ModelServer(dimensions=16, latency_s=0.4) as server:
        vectors = run(server, lambda e: e.embed(TEXTS), {"embedding_batch": 4})
    assert vectors.dtype == np.float32
    assert np.allclose(vectors, [unit_vector(text, 16) for text in TEXTS], atol=1e-6)
    assert sorted(len(call.body["input"]) for call in server.calls) == [2, 4, 4]
    assert server.greatest_in_flight > 1


def test_a_nested_model_is_cut_and_scaled_to_length_one():
    """The first dimensions are kept and scaled to length 1 without the help of the server."""
    with ModelServer(dimensions=64) as server:
        vectors = run(server, lambda e: e.embed(TEXTS), dimensions=16, nested=True)
    heads = np.array([unit_vector(text, 64)[:16] for text in TEXTS])
    assert np.allclose(vectors, heads / np.linalg.norm(heads, axis=1, keepdims=True), atol=1e-6)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert "dimensions" not in server.calls[0].body


def test_a_server_that_can_cut_is_asked_to_by_the_model_s_parameters():
    """``dimensions`` in the model's parameters is sent to the server."""
    with ModelServer(dimensions=64) as server:
        vectors = run(server, lambda e: e.embed(TEXTS), {"parameters": {"dimensions": 8}})
    assert vectors.shape == (10, 8)


def test_prompts_are_before_documents_and_questions():
    """Documents and questions are sent with their own prompts."""

    async def story(embedder: ModelEmbedder) -> None:
        vectors = await embedder.embed(["a clause"])
        await embedder.space(["a clause"], vectors).query("a question")

    with ModelServer() as server:
        run(server, story, query_prompt="query: ", document_prompt="passage: ")
    assert [call.body["input"] for call in server.calls] == [
        ["passage: a clause"],
        ["query: a question"],
    ]


@pytest.mark.parametrize("nested", [True, False])
def test_a_question_equal_to_a_document_finds_it(nested: bool):
    """A question equal to a document has the same vector, in a nested or a rotated space."""
    texts = [f"clause {number}" for number in range(40)]

    async def story(embedder: ModelEmbedder) -> tuple[Any, Any]:
        vectors = await embedder.embed(texts)
        space = embedder.space(texts, vectors)
        return space.matrix, await space.query("clause 7")

    with ModelServer(dimensions=32) as server:
        matrix, query = run(server, story, nested=nested)
    assert np.allclose(matrix[7], query, atol=1e-5)
    assert np.argmax(matrix @ query / np.linalg.norm(matrix, axis=1)) == 7
    rotated = not np.allclose(matrix, [unit_vector(text, 32) for text in texts], atol=1e-3)
    assert rotated is not nested


def test_the_size_is_known_when_the_vectors_are():
    """Without ``dimensions`` the size is known after the first vectors, and an error before."""

    async def story(embedder: ModelEmbedder) -> tuple[int, int]:
        with pytest.raises(UseError, match="m: its dimension is not known before"):
            _ = embedder.size
        await embedder.embed(["one"])
        first = embedder.size
        embedder.space(["one"], np.zeros((1, 5), dtype=np.float32))
        return first, embedder.size

    with ModelServer(dimensions=24) as server:
        assert run(server, story) == (24, 5)
        assert run(server, _size, dimensions=12, nested=True) == 12


async def _size(embedder: ModelEmbedder) -> int:
    return embedder.size


def test_no_texts_make_no_call():
    """An empty list gives an empty matrix of the right width, without a call."""
    with ModelServer() as server:
        vectors = run(server, lambda e: e.embed([]), dimensions=12, nested=True)
    assert vectors.shape == (0, 12)
    assert server.calls == []


def test_vectors_shorter_than_the_cut_are_refused():
    """If the vectors are shorter than ``dimensions``, the message has the model and both numbers."""
    with (
        ModelServer(dimensions=16) as server,
        pytest.raises(
            SystemFailed, match="m: its vectors have 16 dimensions, but 'dimensions' is 32"
        ),
    ):
        run(server, lambda e: e.embed(TEXTS), dimensions=32, nested=True)


def test_a_model_that_changed_since_its_corpus_was_embedded_is_told():
    """If a question's vector has another size than the corpus, the message says so."""

    async def story(embedder: ModelEmbedder) -> None:
        space = embedder.space(["one"], np.ones((1, 5), dtype=np.float32))
        await space.query("question")

    with (
        ModelServer(dimensions=24) as server,
        pytest.raises(SystemFailed, match="now have 24 dimensions, those of the corpus 5"),
    ):
        run(server, story)


def test_a_failed_batch_ends_the_others():
    """After a batch has failed, the waiting batches are not sent."""
    with ModelServer(api_key="another") as server:
        with pytest.raises(AccessRefused):
            run(server, lambda e: e.embed(TEXTS), {"embedding_batch": 1, "concurrency": 1})
        assert len(server.calls) < len(TEXTS)


def test_a_passing_failure_is_tried_again():
    """A batch that failed with 503 is sent again, and no row is missing."""
    with ModelServer(dimensions=16, faults=[Fault(kind="error_503")]) as server:
        vectors = run(server, lambda e: e.embed(TEXTS))
    assert np.allclose(vectors, [unit_vector(text, 16) for text in TEXTS], atol=1e-6)
    assert len(server.calls) == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"model": "n"},
        {"parameters": {"dimensions": 8}},
        {"dimensions": 8},
        {"nested": False},
        {"query_prompt": "query: "},
        {"document_prompt": "query: "},
    ],
)
def test_whatever_shapes_the_vectors_is_in_the_identity(changes: dict[str, Any]):
    """The identity depends on every setting that affects the vectors, and not on the key."""
    base: dict[str, Any] = {"nested": True}
    assert identity(**base) == identity(**base)
    assert identity(**(base | changes)) != identity(**base)
    assert KEY not in identity(**base)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dimensions": 8}, "only vectors of a nested .* model can be shortened"),
        ({"dimensions": 0, "nested": True}, "at least 1"),
    ],
)
def test_a_cut_that_makes_no_sense_is_refused_before_any_call(
    options: dict[str, Any], message: str
):
    """Invalid ``dimensions`` are refused when the embedder is created."""
    with pytest.raises(UseError, match=message):
        identity(**options)
