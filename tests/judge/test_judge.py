"""Judges against a server: one repair, both orders of a pair, and what is never a score."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from assay.judge.rubric import RUBRICS, JudgeInput, StoredVerdict
from assay.judge.rubric_judge import PairJudge, RubricJudge
from tests.support.model_client import KEY, VARIABLE, model_config, with_client
from tests.support.model_server import ModelServer

SUBJECT = JudgeInput(question="How long?", answer="Thirty days.", expected=("30 days",))
RIGHT = json.dumps({"reason": "same", "verdict": "right"})
PROSE = "The answer is right."


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)


def replies(*texts: str) -> Callable[[dict[str, Any]], str]:
    """Replies one after the other."""
    left: Iterator[str] = iter(texts)
    return lambda _body: next(left)


def judge(server: ModelServer, rubric: str = "correctness") -> StoredVerdict:
    """The finding of a judge about the subject."""
    return with_client(
        lambda client: RubricJudge("j", RUBRICS[rubric], client).judge(SUBJECT),
        model_config(server, model="test-model"),
    )


def test_a_readable_reply_needs_one_call():
    """The verdict and its reason are kept."""
    with ModelServer(respond=replies(RIGHT)) as server:
        found = judge(server)
        assert server.completed.calls == 1
    assert (found.label, found.score, found.reason, found.repaired) == ("right", 1.0, "same", False)


def test_prose_is_repaired_once():
    """After a reply that cannot be read, the judge is told why and asked once more."""
    bodies: list[dict[str, Any]] = []

    def respond(body: dict[str, Any]) -> str:
        bodies.append(body)
        return PROSE if len(bodies) == 1 else RIGHT

    with ModelServer(respond=respond) as server:
        found = judge(server)
    assert found.repaired
    assert found.score == 1.0
    roles = [message["role"] for message in bodies[1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert "not a JSON object" in bodies[1]["messages"][-1]["content"]


@pytest.mark.parametrize(
    "text",
    [PROSE, '{"reason": "the sa', '{"verdict": "7"}', "I cannot help with that.", "```\n```"],
)
def test_unparsed_stays_unparsed(text: str):
    """If the second reply cannot be read either, there is no score, and no third call."""
    with ModelServer(respond=replies(text, text)) as server:
        found = judge(server)
        assert server.completed.calls == 2
    assert found.score is None
    assert found.unparsed
    assert found.reply == text


def preference(*verdicts: str) -> StoredVerdict:
    """The finding about a pair; the judge gives these verdicts one after the other."""
    texts = [json.dumps({"verdict": verdict}) for verdict in verdicts]
    pair = JudgeInput(question="How long?", answer="Thirty days.", other="Ten days.")
    with ModelServer(respond=replies(*texts)) as server:
        return with_client(
            lambda client: PairJudge("j", client).judge(pair),
            model_config(server, model="test-model"),
        )


@pytest.mark.parametrize(
    ("verdicts", "label", "score"),
    [
        (("first", "second"), "first", 1.0),
        (("second", "first"), "second", 0.0),
        (("equal", "equal"), "equal", 0.5),
        (("first", "first"), "tie", 0.5),
        (("second", "second"), "tie", 0.5),
        (("first", "equal"), "tie", 0.5),
    ],
)
def test_a_pair_is_judged_in_both_orders(verdicts: tuple[str, str], label: str, score: float):
    """A verdict that depends on the order is a tie; both verdicts are kept."""
    found = preference(*verdicts)
    assert (found.label, found.score) == (label, score)
    assert len(found.orders) == 2
    assert (found.orders[0] != found.orders[1]) == (label == "tie")


def test_a_pair_with_an_unreadable_reply_has_no_score():
    """One unreadable order is enough."""
    texts = [json.dumps({"verdict": "first"}), PROSE, PROSE]
    pair = JudgeInput(question="How long?", answer="Thirty days.", other="Ten days.")
    with ModelServer(respond=replies(*texts)) as server:
        found = with_client(
            lambda client: PairJudge("j", client).judge(pair),
            model_config(server, model="test-model"),
        )
    assert found.score is None
    assert found.unparsed
