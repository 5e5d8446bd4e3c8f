"""A chat model as the system under test."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from assay.errors import RunStopped, UseError
from assay.records import Answer, Question
from assay.systems.http import OpenAISystem
from assay.systems.protocol import check_settings
from tests.support.model_client import KEY, VARIABLE, make_client, model_config
from tests.support.model_fault import plain_answer
from tests.support.model_server import Fault, ModelServer

QUESTION = Question(id="q1", text="What is the notice period?")


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)


def ask(
    server: ModelServer, settings: Mapping[str, Any] | None = None, prompt: str | None = None
) -> Answer:
    """Ask ``QUESTION`` and return the answer."""

    async def scenario() -> Answer:
        system = OpenAISystem(make_client(model_config(server)), system_prompt=prompt)
        try:
            return await system.ask(QUESTION, settings or {}, 10)
        finally:
            await system.close()

    return asyncio.run(scenario())


def test_the_question_is_the_user_message():
    """Without other settings only the model and the question are sent."""
    with ModelServer() as server:
        answer = ask(server)
    assert server.calls[0].body == {
        "model": "m",
        "messages": [{"role": "user", "content": QUESTION.text}],
    }
    assert answer.text == plain_answer(server.calls[0].body)
    assert answer.finish_reason == "stop"
    assert answer.extra == {}


def test_a_system_prompt_goes_first_and_a_variant_may_change_it():
    """The variant's system prompt is preferred to the configured one."""
    with ModelServer() as server:
        ask(server, prompt="Be brief.")
        ask(server, {"system_prompt": "Be long."}, prompt="Be brief.")
    firsts = [call.messages[0] for call in server.calls]
    assert firsts == [
        {"role": "system", "content": "Be brief."},
        {"role": "system", "content": "Be long."},
    ]
    assert all(len(call.messages) == 2 for call in server.calls)


def test_sampling_parameters_are_sent_and_the_sample_number_is_not():
    """The number of the draw is part of the cache key only and is not sent."""
    with ModelServer() as server:
        ask(server, {"temperature": 0.5, "max_tokens": 9, "sample": 3})
    body = server.calls[0].body
    assert (body["temperature"], body["max_tokens"]) == (0.5, 9)
    assert "sample" not in body


def test_an_answer_cut_short_is_marked_in_the_row():
    """A truncated answer has ``finish_reason`` "length" and the field ``truncated``."""
    with ModelServer(faults=[Fault(kind="finish_length")]) as server:
        answer = ask(server)
    assert answer.finish_reason == "length"
    assert answer.extra == {"truncated": True}


def test_reasoning_is_kept_beside_the_answer():
    """The reasoning is stored in ``extra`` and is not part of the answer."""
    with ModelServer(faults=[Fault(kind="reasoning")]) as server:
        answer = ask(server)
    assert answer.extra == {"reasoning": "Thinking it over first."}
    assert "Thinking" not in answer.text


def test_its_settings_are_known():
    """Sampling parameters are accepted; a misspelt name is refused with a suggestion."""
    with ModelServer() as server:
        system = OpenAISystem(make_client(model_config(server, concurrency=5)))
    check_settings(system, {"temperature": 1, "seed": 3, "stop": ["x"]}, "v")
    with pytest.raises(Exception, match="temperature"):
        check_settings(system, {"temprature": 1}, "v")
    assert system.max_concurrency == 5


def test_the_identity_holds_what_shapes_the_answer_and_no_key():
    """Model, address, parameters and prompt count; price, timeout and key do not."""
    with ModelServer() as server:
        identities = [
            OpenAISystem(
                make_client(model_config(server, **changes)), system_prompt=prompt
            ).identity
            for changes, prompt in [
                ({}, None),
                ({"model": "n"}, None),
                ({"parameters": {"seed": 1}}, None),
                ({}, "Be brief."),
                ({"price": None, "timeout_s": 9.0, "concurrency": 2}, None),
            ]
        ]
    assert len(set(identities[:4])) == 4
    assert identities[4] == identities[0]
    assert KEY not in "".join(identities)


def test_variants_of_the_same_settings_share_their_call():
    """Equal settings give the same signature, other settings another one."""
    with ModelServer() as server:
        system = OpenAISystem(make_client(model_config(server)))
    first, same, other = (
        system.calls(settings) for settings in ({"seed": 1}, {"seed": 1}, {"seed": 2})
    )
    assert first == same != other
    assert len(first) == 1


def test_a_setting_it_does_not_know_is_not_sent():
    """An unknown setting is not sent, and the run stops."""
    with ModelServer() as server:
        with pytest.raises(UseError, match="unknown setting 'lookup'") as caught:
            ask(server, {"lookup": True, "seed": 1})
        assert server.calls == []
    assert isinstance(caught.value, RunStopped)
