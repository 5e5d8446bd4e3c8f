"""The model clients that people use, made to fail for real against the fault server.

The file is not named ``test_…`` because the ordinary suite does not have the libraries.
``make test-real-clients`` installs them into an environment of its own and runs it.
``tests/models/test_foreign_error.py`` holds the same shapes without them.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import aiohttp
import httpx
import litellm
import openai
import pytest
import requests
import tenacity
from langchain_core.runnables import RunnableLambda
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, Field
from pydantic_settings import BaseSettings

from assay.errors import AccessRefused, RateLimited, SystemFailed, TransientError
from assay.models.foreign_error import classify
from assay.records import Question
from assay.systems.python.system import PythonSystem
from tests.support.model_fault import Fault
from tests.support.model_server import ModelServer

BODY = {"model": "test-model", "messages": [{"role": "user", "content": "why?"}]}
TIMEOUT_S = 0.3
DEAD = "http://127.0.0.1:9/v1"


def by_httpx(base_url: str) -> str:
    """httpx, with an exception for a bad status."""
    response = httpx.post(f"{base_url}/chat/completions", json=BODY, timeout=TIMEOUT_S)
    response.raise_for_status()
    return response.text


def by_requests(base_url: str) -> str:
    """Requests."""
    response = requests.post(f"{base_url}/chat/completions", json=BODY, timeout=TIMEOUT_S)
    response.raise_for_status()
    return response.text


async def by_aiohttp(base_url: str) -> str:
    """Aiohttp."""
    limit = aiohttp.ClientTimeout(total=TIMEOUT_S)
    async with (
        aiohttp.ClientSession(timeout=limit, raise_for_status=True) as session,
        session.post(f"{base_url}/chat/completions", json=BODY) as response,
    ):
        return await response.text()


def by_openai(base_url: str) -> str:
    """openai, without retries of its own."""
    with openai.OpenAI(
        base_url=base_url, api_key="sk-wrong-key-1", max_retries=0, timeout=TIMEOUT_S
    ) as client:
        return str(client.chat.completions.create(**BODY))  # type: ignore[call-overload]


async def by_async_openai(base_url: str) -> str:
    """openai, asynchronous."""
    async with openai.AsyncOpenAI(
        base_url=base_url, api_key="sk-wrong-key-1", max_retries=0, timeout=TIMEOUT_S
    ) as client:
        return str(await client.chat.completions.create(**BODY))  # type: ignore[call-overload]


def by_langchain(base_url: str) -> str:
    """LangChain's chat model inside a chain."""
    model = ChatOpenAI(
        base_url=base_url,
        api_key="sk-wrong-key-1",  # type: ignore[arg-type]
        model="test-model",
        max_retries=0,
        timeout=TIMEOUT_S,
    )
    return str((RunnableLambda(lambda question: question) | model).invoke("why?"))


def by_litellm(base_url: str) -> str:
    """Litellm."""
    return str(
        litellm.completion(
            model="openai/test-model",
            messages=BODY["messages"],  # type: ignore[arg-type]
            base_url=base_url,
            api_key="sk-wrong-key-1",
            timeout=TIMEOUT_S,
            max_retries=0,
        )
    )


@tenacity.retry(stop=tenacity.stop_after_attempt(2), wait=tenacity.wait_none())
def by_tenacity(base_url: str) -> str:
    """Tenacity around httpx: ``RetryError`` with the last attempt inside."""
    return by_httpx(base_url)


@tenacity.retry(stop=tenacity.stop_after_attempt(2), wait=tenacity.wait_none())
async def by_async_tenacity(base_url: str) -> str:
    """The same, asynchronous, around openai."""
    return await by_async_openai(base_url)


async def by_group(base_url: str) -> str:
    """A task group, whose exceptions come as a group."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(by_async_openai(base_url)) for _ in range(2)]
    return tasks[0].result()


def by_wrapper(base_url: str) -> str:
    """A backend's own exception, raised from that of the client."""
    try:
        return by_tenacity(base_url)
    except Exception as error:
        raise RuntimeError("generation failed") from error


CLIENTS: list[Callable[[str], Any]] = [
    by_httpx, by_requests, by_aiohttp, by_openai, by_async_openai, by_langchain, by_litellm,
    by_tenacity, by_async_tenacity, by_group, by_wrapper,
]  # fmt: skip
FAULTS: dict[str, type[Exception]] = {
    "invalid_key": AccessRefused,
    "forbidden": AccessRefused,
    "error_500": TransientError,
    "error_529": TransientError,
    "reset": TransientError,
    "reset_midway_chunked": TransientError,
    "stall": TransientError,
}


@pytest.fixture(params=CLIENTS, ids=lambda client: client.__name__, name="client")
def _client(request: pytest.FixtureRequest) -> Any:
    return request.param


def error_of(client: Callable[[str], Any], base_url: str) -> Exception:
    """What the client raises inside a Python system, as the run gets it."""

    async def ask(question: str) -> str:
        reply = client(base_url)
        return await reply if asyncio.iscoroutine(reply) else reply

    def ask_in_thread(question: str) -> str:
        return client(base_url)

    is_async = asyncio.iscoroutinefunction(client) or client is by_async_tenacity
    system = PythonSystem(ask if is_async else ask_in_thread)
    with pytest.raises(Exception) as caught:  # noqa: PT011 - which one is the question
        asyncio.run(system.ask(Question(id="q", text="why?"), {}, 5))
    return caught.value


@pytest.mark.parametrize("fault", FAULTS)
def test_a_real_failure_is_understood(client: Callable[[str], Any], fault: str):
    """A refused key stops the run, everything that may pass is tried again."""
    with ModelServer(faults=lambda _number, _body: Fault(kind=fault)) as server:  # type: ignore[arg-type]
        error = error_of(client, server.base_url)
        assert server.outcomes  # the client really called
    assert type(classify(error)) is FAULTS[fault], f"{error!r}"


def test_a_rate_limit_is_understood(client: Callable[[str], Any]):
    """The number of questions at once is lowered."""
    with ModelServer(faults=lambda _number, _body: Fault(kind="rate_limit")) as server:
        error = error_of(client, server.base_url)
    assert type(classify(error)) is RateLimited, f"{error!r}"


def test_a_server_that_is_not_there_is_understood(client: Callable[[str], Any]):
    """A refused connection may pass."""
    error = error_of(client, DEAD)
    assert type(classify(error)) is TransientError, f"{error!r}"


def test_no_key_is_in_the_message(client: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch):
    """Whatever the client prints about the refused key."""
    monkeypatch.setenv("MY_API_KEY", "sk-wrong-key-1")
    with ModelServer(faults=lambda _number, _body: Fault(kind="invalid_key")) as server:
        failure = classify(error_of(client, server.base_url))
    assert "sk-wrong-key-1" not in str(failure)
    assert "MY_API_KEY" in str(failure)


def test_a_mistake_of_the_backend_is_no_outage():
    """An error that has nothing to do with a client fails the case."""

    def ask(question: str) -> str:
        raise KeyError(question)

    with pytest.raises(KeyError) as caught:
        asyncio.run(PythonSystem(ask).ask(Question(id="q", text="why?"), {}, 5))
    assert type(classify(caught.value)) is SystemFailed


class Model(BaseModel):
    """Settings as a pydantic model."""

    fast_mode: bool = False
    size: int = Field(64, json_schema_extra={"only_when": {"fast_mode": True}})


class Environment(BaseSettings):
    """Settings as a class of pydantic-settings."""

    fast_mode: bool = False
    size: int = Field(64, json_schema_extra={"only_when": {"fast_mode": True}})
    api_key: str = ""


def test_real_pydantic_settings_are_read(monkeypatch: pytest.MonkeyPatch):
    """Classes and objects; an object's values come from the environment."""
    monkeypatch.setenv("SIZE", "128")
    for declared, size in ((Model, 64), (Model(), 64), (Environment, 64), (Environment(), 128)):
        known = PythonSystem(lambda question: question, settings=declared).settings
        assert known is not None
        assert known["fast_mode"].kind is bool
        assert known["size"].only_when == {"fast_mode": True}
        assert known["size"].initial == size
