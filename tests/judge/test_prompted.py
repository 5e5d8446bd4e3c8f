"""The verifier that asks a chat model for grades."""

import asyncio
import json
from typing import Any

import pytest

from assay.config.system import ModelConfig
from assay.errors import TransientError
from assay.judge.verifier import PromptedReranker
from assay.models.client import ModelClient
from tests.support.json_server import JsonServer, Seen

CANDIDATES = ["The fee is 300.", "Dogs are welcome."]


def grades(reply: str, quotation: str = "the fee is 300") -> tuple[list[float], list[Seen]]:
    """The scores that a model with this reply gives, and what it was asked."""

    async def ask(url: str) -> list[float]:
        reranker = PromptedReranker(
            ModelClient(ModelConfig(model="m", base_url=url, api_key_env=None))
        )
        try:
            results = await reranker.rerank(quotation, CANDIDATES, clause=" ".join(CANDIDATES))
        finally:
            await reranker.close()
        return [result.score for result in results]

    answer: dict[str, Any] = {"choices": [{"message": {"content": reply}}]}
    with JsonServer(lambda _: answer) as server:
        return asyncio.run(ask(server.url)), server.seen


def test_the_model_grades_all_candidates_at_once():
    """One call has the quotation and the candidates between marks, and grades become scores."""
    scores, seen = grades('<think>hm</think>{"1": 10, "2": 0}')
    assert scores == [1.0, 0.0]
    system, user = (message["content"] for message in seen[0].json["messages"])
    assert "quotation" in system
    assert all(text in user for text in ("the fee is 300", *CANDIDATES))
    assert "{{" not in system + user


@pytest.mark.parametrize(("quotation", "word"), [("费用为三百", "引文"), ("плата 300", "цитат")])
def test_the_prompt_has_the_language_of_the_quotation(quotation: str, word: str):
    """A Chinese or Russian quotation is judged with a prompt in its language."""
    _, seen = grades(json.dumps({"1": 5, "2": 5}), quotation)
    assert word in seen[0].json["messages"][0]["content"]


def test_an_unreadable_reply_is_an_error():
    """A reply without grades is never a score."""
    with pytest.raises(TransientError, match="grades cannot be read"):
        grades("I think it is fine.")


def test_the_identity_changes_with_the_prompts(monkeypatch: pytest.MonkeyPatch):
    """Verdicts that were made with other prompts are recognised."""
    client = ModelClient(ModelConfig(model="m", base_url="http://127.0.0.1:1", api_key_env=None))
    before = PromptedReranker(client).identity
    monkeypatch.setattr("assay.judge.verifier._prompts_hash", lambda: "other")
    assert PromptedReranker(client).identity != before
