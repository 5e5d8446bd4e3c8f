"""The model client against a server that can fail in every way known from real servers."""

import asyncio
import logging
import resource
import traceback
from pathlib import Path
from typing import Any

import pytest

from assay.config.system import ModelConfig
from assay.errors import (
    AccessRefused,
    AssayError,
    Filtered,
    NoSuchModel,
    RateLimited,
    SystemFailed,
    TransientError,
    Unworkable,
    UseError,
)
from assay.models.cache import CallCache
from assay.models.client import ModelClient
from assay.models.reply import ChatReply
from assay.records import Usage
from tests.support.model_client import (
    ASK,
    KEY,
    PRICE,
    PRICES,
    VARIABLE,
    make_client,
    metered,
    model_config,
    with_client,
)
from tests.support.model_fault import CHAT_ONLY, EMBEDDING_ONLY, KINDS, UNBOUNDED, plain_answer
from tests.support.model_server import Fault, ModelServer

PASSING = [
    "rate_limit", "rate_limit_bare", "error_500", "error_502", "error_503", "error_529",
    "html_200", "html_502", "error_in_200", "reset", "hang_up", "reset_midway",
    "reset_midway_chunked", "stall", "stall_midway", "truncated_json", "gzip_cut", "empty_choices",
    "too_early", "rate_limit_wild_date", "error_in_choice", "finish_error", "tool_calls",
    "no_message",
]  # fmt: skip
"""Temporary faults: the next attempt may succeed."""


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)


def fault_of(kind: str) -> Fault:
    """A fault whose ``Retry-After`` is very short."""
    return Fault(kind=kind, retry_after_s=0.01)  # type: ignore[arg-type]


async def ask(client: ModelClient) -> ChatReply:
    """Send the question that all these tests use."""
    return await client.chat(ASK)


def reply_after(kind: str, **changes: Any) -> tuple[ChatReply, Usage, ModelServer]:
    """Return the reply, its usage and the server when only the first request meets a fault."""
    with ModelServer(faults=[fault_of(kind)]) as server:
        reply, meter = metered(ask, model_config(server, **changes))
    usage = meter.usage()
    assert usage is not None
    return reply, usage, server


def error_after(kind: str, **changes: Any) -> tuple[AssayError, ModelServer]:
    """Return the error and the server when every request meets a fault."""
    with ModelServer(faults=lambda _number, _body: fault_of(kind)) as server:
        config = model_config(server, **{"retries": 1, "timeout_s": 5.0} | changes)
        with pytest.raises(AssayError) as caught:
            with_client(ask, config)
    return caught.value, server


def test_a_reply_carries_text_tokens_and_cost():
    """A call returns the server's text and tokens, and the meter has their cost."""
    with ModelServer() as server:
        reply, meter = metered(ask, model_config(server))
    assert reply.text == plain_answer(server.calls[0].body)
    assert (reply.finish_reason, reply.truncated) == ("stop", False)
    assert (reply.prompt_tokens, reply.completion_tokens) == server.answered_tokens
    usage = meter.usage()
    assert usage is not None
    assert usage.cost == usage.paid == pytest.approx(server.billed(PRICES))
    assert (usage.calls, usage.replayed_calls, usage.unmetered_calls) == (1, 0, 0)


def test_the_request_holds_model_messages_and_parameters():
    """The configured parameters are sent, and those of the call override them."""
    with ModelServer() as server:
        config = model_config(server, parameters={"temperature": 0, "seed": 7})
        with_client(lambda client: client.chat(ASK, seed=8), config)
    assert server.calls[0].body == {"model": "m", "messages": ASK, "temperature": 0, "seed": 8}
    assert server.calls[0].authorization == f"Bearer {KEY}"


def test_a_slash_at_the_end_of_the_address_does_no_harm():
    """The addresses ``…/v1/`` and ``…/v1`` reach the same endpoint."""
    with ModelServer() as server:
        with_client(ask, model_config(server, base_url=server.base_url + "/"))
    assert server.completed.calls == 1


def test_a_model_without_a_key_sends_none():
    """With ``api_key_env: null`` no Authorization header is sent."""
    with ModelServer() as server:
        with_client(ask, model_config(server, api_key_env=None))
    assert not server.calls[0].authorized


def test_an_absent_key_is_named_before_any_call(monkeypatch: pytest.MonkeyPatch):
    """If the key is not set, creating the client fails with the name of the variable."""
    monkeypatch.delenv(VARIABLE)
    with ModelServer() as server, pytest.raises(UseError, match=f"{VARIABLE} is not set"):
        ModelClient(model_config(server))
    assert server.calls == []


@pytest.mark.parametrize("kind", PASSING)
def test_what_passes_by_itself_is_tried_again(kind: str):
    """After a temporary fault the retry gets the reply, and only answered calls are paid."""
    stalls = kind.startswith("stall")
    reply, usage, server = reply_after(kind, timeout_s=1.0 if stalls else 20.0)
    assert reply.text == plain_answer(server.calls[0].body)
    assert len(server.calls) == 2 or (stalls and len(server.calls) <= 4)
    if kind not in CHAT_ONLY:
        assert usage.paid == pytest.approx(server.billed(PRICES))
        assert usage.calls == 1


def test_a_reply_that_cannot_be_used_is_paid_for_all_the_same():
    """A 200 response without choices is paid for if it states its tokens."""
    _, usage, server = reply_after("empty_choices")
    assert server.completed.calls == 2
    assert usage.paid == pytest.approx(server.billed(PRICES))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("error_500", "the provider failed (500: Something broke in here.)"),
        ("error_502", "the provider failed (502: The model behind this gateway is gone.)"),
        ("error_503", "the provider failed (503: Closed for the moment.)"),
        ("error_529", "the provider failed (529: Too much to do.)"),
        ("html_502", "the provider failed (502: a web page)"),
        ("html_200", "the provider sent a web page, not JSON"),
        ("error_in_200", "The model failed after the headers were out."),
        ("reset", "was lost"),
        ("hang_up", "was lost"),
        ("reset_midway", "was lost"),
        ("reset_midway_chunked", "was lost"),
        ("truncated_json", "the provider's reply is not the expected JSON"),
        ("empty_choices", "the provider's reply has no choices"),
        ("no_message", "the provider's reply has no message"),
        ("error_in_choice", "the provider failed (502: The upstream provider failed.)"),
        ("finish_error", "the provider failed: the finish reason is error"),
        ("tool_calls", "the model called a tool instead of answering"),
        ("gzip_cut", "the compressed reply was cut short"),
        ("too_early", "the provider failed (425: The gateway is not ready for this.)"),
        ("rate_limit_wild_date", "rate limit (429"),
    ],
)
def test_what_does_not_pass_is_one_line_after_the_last_try(kind: str, words: str):
    """The final error is transient, marked as retried, and one line with the server's message."""
    error, server = error_after(kind)
    assert isinstance(error, TransientError)
    assert error.retried
    assert words in str(error)
    assert "\n" not in str(error)
    assert len(server.calls) == 2


@pytest.mark.parametrize("kind", ["filtered", "filtered_midway", "filter_400", "moderated"])
def test_a_refusal_by_the_filter_is_a_kind_of_its_own_and_asked_once(kind: str):
    """It fails as ``filtered``, without a retry: neither an outage nor a refused key."""
    error, server = error_after(kind)
    assert isinstance(error, Filtered)
    assert error.kind == "filtered"
    assert "filter" in str(error)
    assert len(server.calls) == 1


@pytest.mark.parametrize("kind", sorted(CHAT_ONLY))
def test_a_failure_inside_a_200_is_never_recorded(kind: str, tmp_path: Path):
    """The call cache has no reply that is not an answer, and the next call is sent."""
    usable = kind in {"list_content", "reasoning", "finish_length"}
    cache = CallCache(tmp_path / "calls.sqlite")
    with ModelServer(faults=[fault_of(kind)]) as server:
        config = model_config(server, retries=0)
        if usable:
            with_client(ask, config, cache)
        else:
            with pytest.raises(AssayError):
                with_client(ask, config, cache)
        reply = with_client(ask, config, cache)
        assert len(server.calls) == (1 if usable else 2)
    assert usable or reply.text == plain_answer(server.calls[0].body)
    cache.close()


def test_a_compressed_reply_is_read():
    """A server may compress its replies."""
    reply, _, server = reply_after("gzip")
    assert reply.text == plain_answer(server.calls[0].body)
    assert len(server.calls) == 1


@pytest.mark.parametrize("kind", sorted(UNBOUNDED))
def test_a_body_without_measure_fails_with_flat_memory(kind: str):
    """A bomb, a gigabyte and an endless body fail the call after 32 MB, without a retry."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    error, server = error_after(kind)
    grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert isinstance(error, SystemFailed)
    assert "the reply is larger than 32 MB" in str(error)
    assert len(server.calls) == 1
    assert grown_kb < 200 * 1024  # the server's own pieces are in this process too


def test_a_redirect_says_where_to():
    """A redirect is not followed; the run stops with the address that the server names."""
    error, server = error_after("redirect")
    assert isinstance(error, Unworkable)
    assert "redirects to https://elsewhere.invalid/v2 (302)" in str(error)
    assert str(error).endswith("check 'base_url'")
    assert len(server.calls) == 1


@pytest.mark.parametrize("kind", ["stall", "stall_midway"])
def test_a_stall_names_the_timeout(kind: str):
    """A server that stops sending is given up after ``timeout_s``, which the message names."""
    error, server = error_after(kind, timeout_s=0.3)
    assert isinstance(error, TransientError)
    assert "within 0.3 s ('timeout_s')" in str(error)
    assert len(server.calls) == 2


def test_an_error_in_a_200_is_not_given_another_status():
    """The message for an error inside a 200 response names no status that was not sent."""
    error, _ = error_after("error_in_200")
    assert "400" not in str(error)


@pytest.mark.parametrize("kind", ["rate_limit", "rate_limit_bare"])
def test_an_exhausted_rate_limit_names_what_to_lower(kind: str):
    """A rate limit that does not pass names what to lower and the variable of the key."""
    error, server = error_after(kind)
    assert isinstance(error, RateLimited)
    assert VARIABLE in str(error)
    assert error.retried
    assert "429: Too many requests, slow down." in str(error)
    assert "requests_per_minute" in str(error)
    assert len(server.calls) == 2


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("quota", "the account's quota or credit is used up"),
        ("no_credit", "the account's quota or credit is used up"),
        ("invalid_key", "the provider refused the key (401: This key is not known here."),
        ("invalid_key_echoed", "the provider refused the key (401: This key is not known here:"),
        ("forbidden", "the provider refused the key (403: This key may not use the model."),
    ],
)
def test_a_refused_key_or_quota_stops_at_once(kind: str, message: str):
    """A refused key or quota is not retried, and the message names the key's variable."""
    error, server = error_after(kind)
    assert isinstance(error, AccessRefused)
    assert str(error).startswith(message)
    assert str(error).endswith(f"check {VARIABLE}")
    assert len(server.calls) == 1


def test_a_refused_key_names_the_variable_that_was_configured(monkeypatch: pytest.MonkeyPatch):
    """The message names the configured variable, not a default one."""
    monkeypatch.setenv("HOUSE_KEY", "sk-house-000000")
    error, _ = error_after("invalid_key", api_key_env="HOUSE_KEY")
    assert str(error).endswith("check HOUSE_KEY")


def test_no_such_model_names_model_and_options():
    """The message has the model, the address and the options to check."""
    error, server = error_after("no_model")
    assert isinstance(error, NoSuchModel)
    for word in ("404", "'m'", server.base_url, "check 'model' and 'base_url'"):
        assert word in str(error)
    assert len(server.calls) == 1


def test_a_context_too_long_fails_the_one_call():
    """A prompt that is too long fails one call without retries and names what to reduce."""
    error, server = error_after("context_too_long")
    assert isinstance(error, SystemFailed)
    assert "the prompt is longer than the model's context" in str(error)
    assert "The context holds 8192 tokens only." in str(error)
    assert any(option in str(error) for option in ("top_k", "max_tokens"))
    assert len(server.calls) == 1


def test_a_slow_answer_is_an_answer():
    """A slow reply within the timeout is used and not retried."""
    reply, _, server = reply_after("slow")
    assert reply.text
    assert len(server.calls) == 1


def test_an_answer_cut_short_is_marked():
    """With ``finish_reason: length`` the reply is marked as truncated and keeps its text."""
    reply, _, server = reply_after("finish_length")
    assert (reply.finish_reason, reply.truncated) == ("length", True)
    assert reply.text == plain_answer(server.calls[0].body)


def test_a_list_of_parts_is_joined():
    """Content that is a list of parts is joined into one string."""
    reply, _, server = reply_after("list_content")
    assert reply.text == plain_answer(server.calls[0].body)


def test_no_content_is_tried_again_and_then_a_failure():
    """A reply whose content is null has no answer; an empty text would be one."""
    reply, usage, server = reply_after("null_content")
    assert reply.text == plain_answer(server.calls[0].body)
    assert len(server.calls) == 2
    assert usage.paid == pytest.approx(server.billed(PRICES))


def test_reasoning_is_separate():
    """The text of ``reasoning_content`` is kept separately from the answer."""
    reply, _, server = reply_after("reasoning")
    assert reply.reasoning == "Thinking it over first."
    assert reply.text == plain_answer(server.calls[0].body)


@pytest.mark.parametrize("kind", ["no_usage", "usage_total_only", "usage_prompt_only"])
def test_withheld_usage_is_unknown_and_not_free(kind: str):
    """Tokens that are not stated are None, and the call is unmetered and has no known cost."""
    reply, usage, server = reply_after(kind)
    assert reply.completion_tokens is None
    known = kind == "usage_prompt_only"
    assert reply.prompt_tokens == (server.calls[0].prompt_tokens if known else None)
    assert usage.unmetered_calls == 1
    assert usage.cost is None
    assert usage.paid is None


def test_the_cost_of_metered_calls_is_beside_an_unmetered_one():
    """If one of three calls states no tokens, the cost of the other two is still counted."""

    async def thrice(client: ModelClient) -> None:
        for number in range(3):
            await client.chat([{"role": "user", "content": f"question {number}"}])

    with ModelServer(faults=[None, Fault(kind="no_usage")]) as server:
        _, meter = metered(thrice, model_config(server))
    usage = meter.usage()
    assert usage is not None
    assert (usage.calls, usage.unmetered_calls) == (3, 1)
    assert usage.cost == pytest.approx(
        server.billed(PRICES)
        - PRICE.prompt * server.unstated.prompt_tokens / 1e6
        - PRICE.completion * server.unstated.completion_tokens / 1e6
    )


def test_without_a_price_there_is_no_cost():
    """Without a price tokens are counted, and the cost is None rather than zero."""
    with ModelServer() as server:
        _, meter = metered(ask, model_config(server, price=None))
    usage = meter.usage()
    assert usage is not None
    assert (usage.cost, usage.paid) == (None, None)
    assert (usage.prompt_tokens, usage.completion_tokens) == server.answered_tokens


def test_calls_in_flight_keep_to_the_configured_number():
    """The server never sees more than ``concurrency`` requests at once."""

    async def many(client: ModelClient) -> None:
        await asyncio.gather(
            *(client.chat([{"role": "user", "content": str(n)}]) for n in range(20))
        )

    with ModelServer(latency_s=0.1) as server:
        with_client(many, model_config(server, concurrency=3))
    assert server.greatest_in_flight == 3
    assert server.completed.calls == 20


def test_a_client_may_be_closed_twice_and_unused():
    """Closing an unused client twice does nothing and raises nothing."""

    async def story() -> None:
        client = make_client(model_config(server))
        await client.close()
        await client.close()

    with ModelServer() as server:
        asyncio.run(story())


def written_bytes(folder: Path) -> bytes:
    """Return the contents of all files below a folder, joined."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_the_key_shows_nowhere(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """With every fault the key is in no message, repr, traceback, log or file.

    The question names the fault, so that one server meets all of them at the same time.
    """
    caplog.set_level(logging.DEBUG)
    kinds = [kind for kind in KINDS if kind not in EMBEDDING_ONLY]
    cache = CallCache(tmp_path / "calls.sqlite")

    async def story(client: ModelClient, kind: str) -> str:
        try:
            reply = await client.chat([{"role": "user", "content": kind}])
            return repr(reply) + repr(client) + client.identity
        except AssayError as error:
            # If the server echoes the key, it is in a local variable, and only there.
            trace = traceback.TracebackException.from_exception(
                error, capture_locals=kind != "invalid_key_echoed"
            )
            return f"{error} {error!r} {''.join(trace.format())} {client!r}"
        finally:
            await client.close()

    async def stories(configs: list[ModelConfig]) -> list[str]:
        clients = [make_client(config, cache) for config in configs]
        return await asyncio.gather(*map(story, clients, kinds))

    with ModelServer(faults=lambda _, body: fault_of(body["messages"][0]["content"])) as server:
        waits = [1.0 if kind in {"slow", "stall", "stall_midway"} else 20.0 for kind in kinds]
        configs = [model_config(server, retries=0, timeout_s=wait) for wait in waits]
        outputs = asyncio.run(stories(configs))
        assert sorted(call.body["messages"][0]["content"] for call in server.calls) == sorted(kinds)
        assert {call.authorization for call in server.calls} == {f"Bearer {KEY}"}
    cache.close()
    assert [kind for kind, output in zip(kinds, outputs, strict=True) if KEY in output] == []
    assert KEY not in caplog.text
    assert KEY.encode() not in written_bytes(tmp_path)
    assert KEY not in repr(configs)


def test_every_chat_fault_is_held():
    """Every chat fault of the test server is used by a test in this file."""
    tested = {*PASSING, "quota", "no_credit", "invalid_key", "invalid_key_echoed", "forbidden"}
    tested |= {"no_model", "context_too_long", "slow", "rate_limit_date", "moderated", "filter_400"}
    tested |= {"no_usage", "usage_total_only", "usage_prompt_only", "redirect", "gzip"}
    tested |= UNBOUNDED
    assert set(KINDS) - EMBEDDING_ONLY - CHAT_ONLY <= tested
