"""Embeddings: order, dimensions and batches, and each text is paid for once."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assay.errors import SystemFailed, TransientError
from assay.models.cache import CallCache
from assay.models.client import ModelClient
from tests.support.model_client import KEY, PRICE, VARIABLE, metered, model_config, with_client
from tests.support.model_fault import unit_vector
from tests.support.model_server import Fault, ModelServer

TEXTS = ["gold", "silver", "copper", "tin"]
PRICES = {"m": (PRICE.prompt, PRICE.completion)}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)


@pytest.fixture(name="cache")
def _cache(tmp_path: Path) -> Iterator[CallCache]:
    cache = CallCache(tmp_path / "calls.sqlite")
    yield cache
    cache.close()


def vectors(texts: list[str], dimensions: int = 64) -> list[Any]:
    """The vectors that the test server returns for these texts, in order."""
    return [pytest.approx(unit_vector(text, dimensions)) for text in texts]


def sent(server: ModelServer) -> list[list[str]]:
    """The texts of each request that the server received."""
    return [call.body["input"] for call in server.calls]


def embed(
    server: ModelServer,
    texts: list[str],
    cache: CallCache | None = None,
    dimensions: int | None = None,
    **changes: Any,
) -> list[tuple[float, ...]]:
    """Embed texts with a new client."""
    return with_client(
        lambda client: client.embed(texts, dimensions=dimensions),
        model_config(server, **changes),
        cache,
    )


def test_each_text_gets_its_vector_in_order():
    """The vectors are in the order of the texts, and repeated texts are sent once."""
    with ModelServer() as server:
        embeddings = embed(server, ["tin", "gold", "tin"])
    assert embeddings == vectors(["tin", "gold", "tin"])
    assert sent(server) == [["tin", "gold"]]


def test_no_texts_make_no_call():
    """Without texts no request is sent."""
    with ModelServer() as server:
        assert embed(server, []) == []
    assert server.calls == []


def test_a_shuffled_reply_is_put_in_order():
    """Vectors are matched to texts by their index, not by their position in the list."""
    with ModelServer(faults=[Fault(kind="shuffled")]) as server:
        assert embed(server, TEXTS) == vectors(TEXTS)
    assert len(server.calls) == 1


@pytest.mark.parametrize("kind", ["missing_one", "one_too_many"])
def test_a_wrong_number_is_asked_for_again(kind: str):
    """If a reply has one vector too few or too many, the request is retried."""
    with ModelServer(faults=[Fault(kind=kind)]) as server:  # type: ignore[arg-type]
        assert embed(server, TEXTS) == vectors(TEXTS)
    assert len(server.calls) == 2


def test_a_number_that_stays_wrong_is_told():
    """After the last attempt the message has the number of vectors and of texts."""
    with (
        ModelServer(faults=[Fault(kind="missing_one")] * 2) as server,
        pytest.raises(TransientError, match="the provider sent 3 embeddings for 4 texts"),
    ):
        embed(server, TEXTS, retries=1)


def test_vectors_of_different_lengths_are_refused():
    """A reply whose vectors have different dimensions fails without a retry."""
    with (
        ModelServer(faults=[Fault(kind="wrong_dimension")]) as server,
        pytest.raises(SystemFailed, match="63 and 64 dimensions"),
    ):
        embed(server, TEXTS)
    assert len(server.calls) == 1


def test_a_dimension_other_than_asked_is_refused():
    """A vector that does not have the requested dimension is refused."""
    with (
        ModelServer(faults=[Fault(kind="wrong_dimension")]) as server,
        pytest.raises(SystemFailed, match="31 dimensions instead of the requested 32"),
    ):
        embed(server, ["gold"], dimensions=32)


def test_dimensions_are_sent_and_kept_separate(cache: CallCache):
    """``dimensions`` is sent to the server and is part of the cache key."""
    with ModelServer() as server:
        assert embed(server, TEXTS, cache, dimensions=16) == vectors(TEXTS, 16)
        assert embed(server, TEXTS, cache) == vectors(TEXTS)
        assert embed(server, TEXTS, cache, dimensions=16) == vectors(TEXTS, 16)
    assert [call.body.get("dimensions") for call in server.calls] == [16, None]


def test_many_texts_go_in_batches():
    """No request has more than ``embedding_batch`` texts."""
    texts = [f"text {number}" for number in range(25)]
    with ModelServer() as server:
        assert embed(server, texts, embedding_batch=10) == vectors(texts)
    assert [len(batch) for batch in sent(server)] == [10, 10, 5]


def test_only_new_texts_are_sent(cache: CallCache):
    """Only texts that are not in the cache are sent, whatever the batches were."""
    with ModelServer() as server:
        embed(server, ["gold", "silver"], cache)
        assert embed(server, TEXTS, cache, embedding_batch=1) == vectors(TEXTS)
        assert embed(server, ["silver"], cache) == vectors(["silver"])
        assert embed(server, TEXTS[::-1], cache) == vectors(TEXTS[::-1])
    assert sent(server) == [["gold", "silver"], ["copper"], ["tin"]]


def test_a_text_embedded_alone_is_known_in_a_batch(cache: CallCache):
    """A text that was embedded alone is not sent again in a batch."""
    with ModelServer() as server:
        embed(server, ["gold"], cache)
        embed(server, TEXTS, cache)
    assert sent(server) == [["gold"], ["silver", "copper", "tin"]]


def test_recorded_texts_are_not_paid_again(cache: CallCache):
    """Replayed vectors keep their cost and tokens, and nothing is paid for them."""
    with ModelServer() as server:
        _, first = metered(embed_all, model_config(server), cache)
        bill = server.billed(PRICES)
        _, second = metered(embed_all, model_config(server), cache)
        assert server.billed(PRICES) == bill
    assert first.paid == pytest.approx(bill)
    assert second.cost == pytest.approx(bill)
    assert second.paid == 0.0
    assert second.prompt_tokens == first.prompt_tokens
    assert second.replayed_calls == second.calls


def test_records_outlive_the_process_that_made_them(tmp_path: Path):
    """A reopened cache has the vectors, so no second request is made."""
    with ModelServer() as server:
        for _ in range(2):
            cache = CallCache(tmp_path / "again.sqlite")
            assert embed(server, TEXTS, cache) == vectors(TEXTS)
            cache.close()
    assert len(server.calls) == 1


async def embed_all(client: ModelClient) -> None:
    """Embed all of ``TEXTS``."""
    await client.embed(TEXTS)


def test_embedding_usage_that_is_withheld_is_unknown(cache: CallCache):
    """If usage is not stated, the call is unmetered, both when it is made and when replayed."""
    with ModelServer(faults=[Fault(kind="no_usage")]) as server:
        for _ in range(2):
            _, meter = metered(embed_all, model_config(server), cache)
            assert meter.unmetered_calls == meter.calls > 0
            assert (meter.cost, meter.paid) == (None, None)
    assert len(server.calls) == 1


def test_embeddings_that_tell_their_prompt_tokens_are_fully_metered():
    """Embeddings have no completion, so prompt tokens alone make the call metered."""
    with ModelServer(faults=[Fault(kind="usage_prompt_only")]) as server:
        _, meter = metered(embed_all, model_config(server))
    assert meter.unmetered_calls == 0
    assert meter.paid == pytest.approx(server.billed(PRICES))


@pytest.mark.parametrize("kind", ["rate_limit", "error_500", "reset_midway", "html_200"])
def test_faults_that_pass_do_so_for_embeddings_too(kind: str):
    """Temporary faults of an embedding request are retried as for chat."""
    fault = Fault(kind=kind, retry_after_s=0.01)  # type: ignore[arg-type]
    with ModelServer(faults=[fault]) as server:
        assert embed(server, TEXTS) == vectors(TEXTS)
    assert len(server.calls) == 2


def test_one_text_needed_by_many_at_once_is_sent_once(cache: CallCache):
    """Twenty tasks that embed the same text at once make one request."""

    async def many(client: ModelClient) -> None:
        embeddings = await asyncio.gather(*(client.embed(["gold"]) for _ in range(20)))
        assert all(embedding == embeddings[0] for embedding in embeddings)

    with ModelServer(latency_s=0.05) as server:
        with_client(many, model_config(server), cache)
    assert len(server.calls) == 1


def test_overlapping_batches_at_once_send_each_text_once(cache: CallCache):
    """Tasks that need some of the same texts at the same time send each text once."""
    batches = [TEXTS, TEXTS[::-1], TEXTS[1:], ["gold", "iron"], ["iron", "zinc"]]

    async def many(client: ModelClient) -> list[list[tuple[float, ...]]]:
        return await asyncio.gather(*map(client.embed, batches))

    with ModelServer(latency_s=0.05) as server:
        embeddings, meter = metered(many, model_config(server, embedding_batch=3), cache)
        assert meter.paid == pytest.approx(server.billed(PRICES))
    assert embeddings == [vectors(texts) for texts in batches]
    assert sorted(text for batch in sent(server) for text in batch) == sorted(
        {*TEXTS, "iron", "zinc"}
    )


def test_texts_of_a_caller_that_gives_up_are_sent_by_the_one_who_waits(cache: CallCache):
    """If the task that sent texts is cancelled, the waiting task sends the ones it needs."""

    async def story(client: ModelClient) -> list[tuple[float, ...]]:
        first = asyncio.create_task(client.embed(TEXTS))
        while not server.calls:  # noqa: ASYNC110 - the server lives in another thread
            await asyncio.sleep(0.005)
        second = asyncio.create_task(client.embed(TEXTS[:2]))
        await asyncio.sleep(0.02)
        first.cancel()
        return await second

    with ModelServer(latency_s=0.3) as server:
        assert with_client(story, model_config(server), cache) == vectors(TEXTS[:2])
    assert sent(server) == [TEXTS, TEXTS[:2]]


def test_without_a_cache_every_batch_is_measured_afresh():
    """Without a cache two tasks that embed the same texts send two requests."""

    async def both(client: ModelClient) -> None:
        await asyncio.gather(client.embed(TEXTS), client.embed(TEXTS))

    with ModelServer(latency_s=0.05) as server:
        with_client(both, model_config(server))
    assert sent(server) == [TEXTS, TEXTS]
