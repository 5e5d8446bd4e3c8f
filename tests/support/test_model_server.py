import asyncio
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.support.bare_client import CHAT, EMBED, ask, post, run
from tests.support.model_server import Fault, ModelServer

PROGRAM = [sys.executable, "-m", "tests.support.model_server"]
ROOT = Path(__file__).parents[2]


def test_answer_depends_on_the_messages_alone():
    """The same messages get the same answer, and other messages another one."""
    other = {"model": "m", "messages": [{"role": "user", "content": "And the penalty?"}]}
    with ModelServer() as server:
        first, again, third = (ask(server, body).json for body in (CHAT, CHAT, other))
    texts = [body["choices"][0]["message"]["content"] for body in (first, again, third)]
    assert texts[0] == texts[1] != texts[2]
    assert [call.attempt for call in server.calls] == [1, 2, 1]
    assert server.completed_by_key[server.calls[0].key] == 2


def test_usage_follows_from_the_text_and_is_what_the_server_counts():
    """The usage in the response, the counted tokens and the bill agree."""
    with ModelServer(respond=lambda body: "x" * 9) as server:
        usage = ask(server).json["usage"]
        embedded = ask(server, EMBED).json["usage"]
    assert usage == {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    assert embedded == {"prompt_tokens": 4, "total_tokens": 4}
    assert server.answered_tokens == (11, 3)
    assert math.isclose(server.billed({"m": (2.0, 10.0), "e": (0.5, 0.0)}), 46e-6)


def test_billing_refuses_a_model_without_a_price():
    """A model that was used and has no price is an error, not free."""
    with ModelServer() as server:
        ask(server)
    with pytest.raises(KeyError):
        server.billed({"another": (1.0, 1.0)})


def test_respond_may_overlay_the_response():
    """Keys that ``respond`` returns replace those of the default response, including usage."""
    usage = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
    with ModelServer(respond=lambda body: {"usage": usage}) as server:
        assert ask(server).json["usage"] == usage
    assert server.answered_tokens == (100, 50)


def test_embeddings_are_unit_vectors_and_nested():
    """Vectors have length 1 and an index; fewer dimensions are a prefix of more."""
    with ModelServer(dimensions=8) as server:
        data = ask(server, EMBED).json["data"]
        short = ask(server, {**EMBED, "dimensions": 4}).json["data"]
    assert [item["index"] for item in data] == [0, 1, 2]
    for item, nested in zip(data, short, strict=True):
        assert math.isclose(math.hypot(*item["embedding"]), 1.0)
        assert math.isclose(math.hypot(*nested["embedding"]), 1.0)
        norm = math.hypot(*item["embedding"][:4])
        head = [value / norm for value in item["embedding"][:4]]
        assert nested["embedding"] == pytest.approx(head)


def test_models_are_listed():
    """``/v1/models`` lists the configured models."""

    async def story(session: aiohttp.ClientSession) -> list[str]:
        async with session.get(f"{server.base_url}/models") as response:
            return [item["id"] for item in (await response.json())["data"]]

    with ModelServer(models=["a", "b"]) as server:
        assert run(story) == ["a", "b"]
    assert server.calls == []


def test_calls_are_recorded_without_showing_the_key():
    """A recorded call has the messages and the key, and its repr shows neither."""
    with ModelServer() as server:
        ask(server, headers={"Authorization": "Bearer sk-secret"})
        ask(server)
    first, second = server.calls
    assert first.path == "/v1/chat/completions"
    assert first.messages == CHAT["messages"]
    assert (first.authorized, second.authorized) == (True, False)
    assert first.authorization == "Bearer sk-secret"
    assert "sk-secret" not in repr(server.calls)
    assert first.arrived_s <= second.arrived_s
    assert (first.status, first.outcome) == (200, "completed")


def test_a_required_key_is_checked():
    """With ``api_key`` only requests with this key are answered."""
    with ModelServer(api_key="sk-right") as server:
        assert ask(server).status == 401
        assert ask(server, headers={"Authorization": "Bearer sk-wrong"}).status == 401
        assert ask(server, headers={"Authorization": "Bearer sk-right"}).status == 200


def test_a_request_of_another_kind_is_refused():
    """A body without messages is refused with 400 and is not counted as a call."""
    with ModelServer() as server:
        assert ask(server, {"model": "m"}).status == 400
    assert server.calls == []


def test_waiting_is_bounded():
    """Waiting for a condition that is never true ends with an error that lists the outcomes."""
    with ModelServer() as server, pytest.raises(TimeoutError, match="outcomes"):
        server.wait_until(lambda: False, timeout_s=0.01)


def test_a_fault_that_cannot_befall_the_request_is_told():
    """A chat fault for an embedding request raises an error when the server stops."""
    with (
        pytest.raises(RuntimeError, match="null_content does not apply to /v1/embeddings"),
        ModelServer(faults=[Fault(kind="null_content")]) as server,
    ):
        assert ask(server, EMBED).status == 500


def test_a_mistake_in_respond_is_told():
    """An exception in ``respond`` gives a 500 response and is raised when the server stops."""
    with (
        pytest.raises(RuntimeError, match="KeyError"),
        ModelServer(respond=lambda body: body["absent"]) as server,
    ):
        assert ask(server).status == 500


def test_a_function_chooses_faults_by_number_and_body():
    """A fault source gets the number of the request, counted from 1, and its body."""

    def source(number: int, body: dict[str, Any]) -> Fault | None:
        return Fault(kind="error_503") if number == 2 and body["model"] == "m" else None

    with ModelServer(faults=source) as server:
        assert [ask(server).status for _ in range(3)] == [200, 503, 200]


@pytest.mark.parametrize("limit", [1, 5])
def test_the_gauge_shows_the_greatest_number_in_flight(limit: int):
    """``greatest_in_flight`` equals the number of requests that the client sends at once."""

    async def story(session: aiohttp.ClientSession) -> None:
        bound = asyncio.Semaphore(limit)

        async def send(number: int) -> None:
            async with bound:
                await post(session, server, {**CHAT, "n": number})

        await asyncio.gather(*(send(number) for number in range(4 * limit)))

    with ModelServer(latency_s=0.02) as server:
        run(story)
    assert server.greatest_in_flight == limit
    assert server.completed.calls == 4 * limit


def test_the_server_comes_back_on_its_port():
    """After a server has stopped, another one can use the same port."""
    with ModelServer() as server:
        ask(server)
    with pytest.raises(aiohttp.ClientConnectionError):
        ask(server)
    with ModelServer(port=server.port) as again:
        assert ask(again).status == 200
    assert server.completed.calls == again.completed.calls == 1


def test_a_port_in_use_is_told_at_the_start():
    """If the port is in use, starting the server raises an error."""
    with ModelServer() as server, pytest.raises(OSError, match="address already in use"):
        ModelServer(port=server.port).start()


def test_as_a_program_it_serves_until_its_input_closes():
    """The program prints its port, returns its counts and ends when its input closes."""
    command = [*PROGRAM, "--fault", "error_500=1", "--at-most", "1"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        server = ModelServer(port=int(program.stdout.readline()))
        assert [ask(server).status for _ in range(2)] == [500, 200]

        async def story(session: aiohttp.ClientSession) -> Any:
            async with session.get(f"http://127.0.0.1:{server.port}/counted") as response:
                return await response.json()

        counted = run(story)
        program.communicate(timeout=60)
    assert program.returncode == 0
    assert (counted["calls"], counted["distinct"]) == (2, 1)
    assert counted["outcomes"] == {"refused": 1, "completed": 1}


@pytest.mark.parametrize("option", [[], ["--lifetime-s", "0"]], ids=["sigterm", "lifetime"])
def test_as_a_program_it_ends_when_told(option: list[str]):
    """The program ends without an error on SIGTERM and at the end of its lifetime."""
    with subprocess.Popen(
        [*PROGRAM, *option],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        assert int(program.stdout.readline()) > 0
        if not option:
            program.terminate()
        assert program.wait(timeout=60) == 0
