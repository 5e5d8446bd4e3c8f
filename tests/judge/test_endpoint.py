"""Rerankers and models of entailment on a server, and the veto of the rules beside them."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from assay.checks.quotation import Verification
from assay.config.system import ModelConfig
from assay.errors import SystemFailed, TransientError
from assay.judge.verifier import EndpointReranker, EntailmentReranker, verify_quotation_with
from assay.models.client import ModelClient
from assay.models.limit import Backoff
from tests.support.json_server import JsonServer, Seen

CLAUSE = "The rent is 900 crowns. The tenant pays it within 30 days. Dogs are welcome."


def make_client(url: str) -> ModelClient:
    """A client that does not wait between retries."""
    client = ModelClient(ModelConfig(model="m", base_url=url, api_key_env=None, retries=1))
    client._wire._backoff = Backoff(base_s=0.0)
    return client


def check(
    quotation: str, answer: Callable[[Seen], Any], make: Callable[[ModelClient], Any]
) -> tuple[Verification, list[Seen]]:
    """Verify a quotation of ``CLAUSE`` with a server that answers this way."""

    async def verify(url: str) -> Verification:
        reranker = make(make_client(url))
        try:
            return await verify_quotation_with(quotation, CLAUSE, reranker=reranker)
        finally:
            await reranker.close()

    with JsonServer(answer) as server:
        return asyncio.run(verify(server.url)), server.seen


def ranking(score: float) -> Callable[[Seen], Any]:
    """An answer that gives every document this score, in reverse order."""

    def answer(seen: Seen) -> Any:
        count = len(seen.json["documents"])
        rows = [{"index": index, "relevance_score": score} for index in range(count)]
        return {"results": rows[::-1]}

    return answer


def test_a_reranker_on_a_server_scores_the_candidates():
    """The quotation is the query, the candidates are the documents, and the score decides."""
    result, seen = check("the tenant pays within 30 days", ranking(0.9), EndpointReranker)
    assert (result.valid, result.score, result.veto) == (True, 0.9, ())
    assert seen[0].path == "/rerank"
    assert seen[0].json["query"] == "the tenant pays within 30 days"
    assert "The tenant pays it within 30 days." in seen[0].json["documents"]


def test_the_rules_object_beside_the_score():
    """The model's verdict stays as it is; what the rules refuse is its veto."""
    result, _ = check("the tenant pays it within 20 days", ranking(0.9), EndpointReranker)
    assert result.valid
    assert result.veto == ("number changed: 30 -> 20",)
    assert not result.valid_after_veto


def test_logits_are_converted_on_request():
    """Scores out of 0..1 are refused with what to do; as logits they are converted."""
    with pytest.raises(SystemFailed, match="rerank-logits"):
        check("the tenant pays", ranking(2.0), EndpointReranker)
    result, _ = check(
        "the tenant pays", ranking(0.0), lambda client: EndpointReranker(client, logits=True)
    )
    assert result.score == 0.5


def test_a_plain_list_of_scores_is_read():
    """Some servers send the list itself, with the key ``score``."""

    def answer(seen: Seen) -> Any:
        return [{"index": index, "score": 0.25} for index in range(len(seen.json["documents"]))]

    result, _ = check("the tenant pays", answer, EndpointReranker)
    assert (result.valid, result.score) == (False, 0.25)


def test_a_missing_score_is_an_error():
    """A text without a score fails the check; it never counts as zero."""
    with pytest.raises(TransientError, match="scored 1 of 3 texts"):
        check(
            "the tenant pays",
            lambda _: {"results": [{"index": 0, "relevance_score": 1.0}]},
            EndpointReranker,
        )


def test_entailment_is_the_score():
    """The candidate is the premise, the quotation the hypothesis."""

    def answer(seen: Seen) -> Any:
        labels = [{"label": "CONTRADICTION", "score": 0.2}, {"label": "ENTAILMENT", "score": 0.8}]
        return [labels for _ in seen.json["inputs"]]

    result, seen = check("the tenant pays", answer, EntailmentReranker)
    assert (result.valid, result.score) == (True, 0.8)
    assert seen[0].path == "/predict"
    assert {pair[1] for pair in seen[0].json["inputs"]} == {"the tenant pays"}


def test_a_model_without_the_label_entailment_is_an_error():
    """Another classifier on the server is not taken for one."""
    with pytest.raises(TransientError, match="label entailment"):
        check(
            "the tenant pays",
            lambda seen: [[{"label": "positive", "score": 1.0}] for _ in seen.json["inputs"]],
            EntailmentReranker,
        )
