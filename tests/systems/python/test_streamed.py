"""Generators as systems: what they yield is joined, and the first text is timed."""

import asyncio
import dataclasses
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from assay.errors import AssayError, SystemFailed, TransientError
from assay.models.meter import metering, stopwatch, time_to_first_text
from assay.records import Answer, Passage, Question, Usage
from assay.systems.python.system import PythonSystem

WAIT_S = 0.1
PASSAGE = {"id": "c1", "text": "Notice is thirty days."}


def asked(target: Any) -> tuple[Answer, float | None, float]:
    """The answer of a system, the time to its first text, and its latency."""

    async def story() -> tuple[Answer, float | None, float]:
        system = PythonSystem(target)
        with metering() as meter, stopwatch() as watch:
            answer = await system.ask(Question(id="q", text="How long?"), {}, 5)
            watch.stop()
        await system.close()
        return answer, time_to_first_text(watch, meter), watch.elapsed_s()

    return asyncio.run(story())


def generator(question: str) -> Iterator[Any]:
    """A generator function."""
    time.sleep(WAIT_S)
    yield "Thirty"
    time.sleep(WAIT_S)
    yield " days."
    yield {"passages": [PASSAGE], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}


async def async_generator(question: str) -> AsyncIterator[Any]:
    """An asynchronous generator function."""
    await asyncio.sleep(WAIT_S)
    yield "Thirty"
    await asyncio.sleep(WAIT_S)
    yield " days."
    yield {"passages": [PASSAGE], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}


def returns_generator(question: str) -> Iterator[Any]:
    """A function that returns one."""
    return generator(question)


async def returns_from_loop(question: str) -> Iterator[Any]:
    """An asynchronous function that returns a generator, which must not block the event loop."""
    return generator(question)


def returns_async(question: str) -> AsyncIterator[Any]:
    """A function that returns an asynchronous generator."""
    return async_generator(question)


@pytest.mark.parametrize(
    "target", [generator, async_generator, returns_generator, returns_from_loop, returns_async]
)
def test_what_a_generator_yields_is_joined_and_timed(target: Any):
    """Texts, and an object with the rest at the end."""
    answer, ttft_s, latency_s = asked(target)
    assert answer.text == "Thirty days."
    assert answer.passages == (Passage(**PASSAGE),)
    assert answer.usage is not None
    assert answer.usage.prompt_tokens == 7
    assert ttft_s is not None
    assert WAIT_S <= ttft_s < latency_s - WAIT_S / 2


def test_a_text_that_is_returned_has_no_time_to_the_first_token():
    """It came as a whole."""
    answer, ttft_s, _ = asked(lambda question: "Thirty days.")
    assert (answer.text, ttft_s) == ("Thirty days.", None)


@dataclasses.dataclass
class Chunk:
    """A piece as libraries of model servers yield it."""

    choices: list[Any]


def test_pieces_of_libraries_are_read_by_their_shape():
    """Also marks that look like JSON stay texts here, and the last object may repeat the whole."""
    chunks = [
        Chunk(choices=[{"delta": {"content": "30"}, "finish_reason": None}]),
        Chunk(choices=[{"delta": {"content": " days"}, "finish_reason": "length"}]),
    ]
    answer, _, _ = asked(lambda question: iter(chunks))
    assert (answer.text, answer.finish_reason) == ("30 days", "length")
    assert asked(lambda question: iter(['{"a"', ": 1}", "[DONE]"]))[0].text == '{"a": 1}[DONE]'
    whole = Answer(text="30 days", passages=(Passage(id="c1"),), usage=Usage(cost=0.5))
    answer, _, _ = asked(lambda question: iter(["30", " days", whole]))
    assert (answer.text, answer.passages, answer.usage) == ("30 days", whole.passages, whole.usage)


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([], "it yielded nothing"),
        ([{"passages": []}], "no 'answer'"),
        (["30", 7], "it yielded int"),
        (["30", {"answer": "40"}], "text in"),
        ([{"error": "boom"}], "boom"),
        ([{"choices": [{"delta": {"content": "30"}}]}], "broke off"),
    ],
)
def test_half_an_answer_is_a_failure(pieces: list[Any], expected: str):
    """Nor is one made of parts that do not belong together."""
    with pytest.raises(AssayError, match=expected):
        asked(lambda question: iter(pieces))


def test_an_error_in_the_middle_is_the_error_of_the_case():
    """The generator is closed, also if it yields without end."""
    closed = []

    def breaks(question: str) -> Iterator[str]:
        yield "Thirty"
        raise ConnectionError("gone")

    def endless(question: str) -> Iterator[str]:
        try:
            while True:
                yield "x" * 2**20
        finally:
            closed.append(True)

    with pytest.raises(ConnectionError, match="gone"):
        asked(breaks)
    with pytest.raises(SystemFailed, match="larger than 32 MB"):
        asked(endless)
    assert closed == [True]
    assert not isinstance(TransientError("x"), SystemFailed)
