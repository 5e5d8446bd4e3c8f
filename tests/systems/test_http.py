"""Any JSON endpoint as the system under test."""

import asyncio
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from assay.config.system import HttpConfig, Price
from assay.errors import (
    AccessRefused,
    AssayError,
    RunStopped,
    SystemFailed,
    TransientError,
    UseError,
)
from assay.models.limit import Backoff
from assay.models.secret import Environment
from assay.records import Answer, Passage, Question
from assay.systems.http import HttpSystem
from tests.support.json_server import JsonServer, Seen, Told, unused_port

KEY = "sk-endpoint-0123456789"
QUESTION = Question(id="q 1", text='What of "第３条" & more?')


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_KEY", KEY)


def ask(
    url: str, settings: Mapping[str, Any] | None = None, top_k: int = 5, **config: Any
) -> Answer:
    """Ask the endpoint at ``url`` the question ``QUESTION``."""
    config.setdefault("retries", 0)

    async def scenario() -> Answer:
        system = HttpSystem(HttpConfig(url=url, **config), Environment(), name="shop")
        system._wire._backoff = Backoff(base_s=0.0)
        try:
            return await system.ask(QUESTION, settings or {}, top_k)
        finally:
            await system.close()

    return asyncio.run(scenario())


def answering(reply: Any, **config: Any) -> tuple[Answer, Seen]:
    """The answer that a reply gives, and the request that was sent."""
    with JsonServer(lambda _: reply) as server:
        answer = ask(server.url, **config)
    return answer, server.seen[0]


def failing(reply: Any, **config: Any) -> AssayError:
    """The error that a reply causes; its message is one line."""
    with JsonServer(lambda _: reply) as server, pytest.raises(AssayError) as caught:
        ask(server.url, **config)
    assert "\n" not in str(caught.value)
    return caught.value


def test_a_bare_address_gets_the_question_and_gives_the_answer():
    """Without configuration the request is ``{"question": …}`` and the reply ``{"answer": …}``."""
    answer, seen = answering({"answer": "42"})
    assert answer.text == "42"
    assert (seen.method, seen.json) == ("POST", {"question": QUESTION.text})
    assert seen.headers["Content-Type"] == "application/json"


def test_a_bare_address_may_reply_with_all_fields_of_an_answer():
    """Without paths, the fields that a Python system may return are read where they fit."""
    passage = {"id": "c17", "text": "Notice is thirty days.", "page": 4, "score": 0.8, "rank": 1}
    usage = {"prompt_tokens": 812, "completion_tokens": 40, "cost": 0.0004}
    whole = {"answer": "30", "passages": [passage], "usage": usage, "finish_reason": "stop"}
    answer, _ = answering({**whole, "extra": {"any": 1}, "citations": [{"page": 4}]})
    assert answer.passages == (Passage(**passage),)
    assert answer.usage is not None
    assert (answer.usage.cost, answer.usage.prompt_tokens) == (0.0004, 812)
    assert answer.finish_reason == "stop"
    assert answer.extra == {"any": 1, "citations": [{"page": 4}]}
    odd, _ = answering({"answer": "30", "passages": 3, "usage": usage, "stages": "two"})
    assert (odd.text, odd.passages, odd.usage) == ("30", None, answer.usage)
    chosen, _ = answering({**whole, "hits": []}, passages="hits")
    assert (chosen.passages, chosen.usage) == ((), None)


def test_the_body_is_filled():
    """The placeholders for question, id, top_k and settings are replaced."""
    body = {
        "messages": [{"role": "user", "content": "Q: {{question}}"}],
        "id": "{{question_id}}",
        "k": "{{top_k}}",
        "options": "{{settings}}",
        "mode": "{{settings.mode}}",
        "stream": False,
    }
    _, seen = answering({"answer": ""}, body=body, settings={"mode": "deep"}, top_k=7)
    assert seen.json == {
        "messages": [{"role": "user", "content": f"Q: {QUESTION.text}"}],
        "id": "q 1",
        "k": 7,
        "options": {"mode": "deep"},
        "mode": "deep",
        "stream": False,
    }


def test_a_get_quotes_what_it_puts_into_the_address():
    """A GET request has no body, and the server decodes the question unchanged."""
    with JsonServer(lambda _: {"answer": "42"}) as server:
        ask(server.url + "/ask/{{question_id}}?q={{question}}&k={{top_k}}", method="GET")
    seen = server.seen[0]
    assert (seen.method, seen.body) == ("GET", b"")
    assert urlsplit(seen.path).path == "/ask/q%201"
    assert parse_qs(urlsplit(seen.path).query) == {"q": [QUESTION.text], "k": ["5"]}


def test_a_put_is_a_put():
    """The configured method is used."""
    assert answering({"answer": ""}, method="PUT")[1].method == "PUT"


def test_answer_passages_and_usage_are_found_by_expression():
    """JMESPath selects them from any structure, and the price gives the cost."""
    reply = {
        "data": {
            "choices": [{"text": "42"}],
            "docs": [
                {"meta": {"id": "c1", "page": 3}, "content": "one", "score": 0.5},
                {"meta": {"id": "c2"}, "content": "two"},
            ],
            "tokens": {"in": 1000, "out": 500},
        }
    }
    answer, _ = answering(
        reply,
        answer="data.choices[0].text",
        passages="data.docs[].{id: meta.id, text: content, page: meta.page, score: score}",
        usage="{prompt_tokens: data.tokens.in, completion_tokens: data.tokens.out}",
        price=Price(prompt=2.0, completion=8.0),
    )
    assert answer.text == "42"
    assert [(item.id, item.text, item.page, item.score) for item in answer.passages] == [
        ("c1", "one", 3, 0.5),
        ("c2", "two", None, None),
    ]
    assert answer.usage is not None
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (1000, 500)
    assert answer.usage.cost == answer.usage.paid == pytest.approx(0.006)


def test_citations_are_found_by_expression():
    """Selected citations are kept in ``extra``; if there are none, nothing is added."""
    reply = {"answer": "42", "sources": [{"p": 2, "quote": "in all"}]}
    answer, _ = answering(reply, citations="sources[].{page: p, text: quote}")
    assert answer.extra == {"citations": [{"page": 2, "text": "in all"}]}
    assert answering({"answer": "42"}, citations="sources")[0].extra == {}
    assert answering(reply)[0].extra == {}


def test_usage_that_is_not_there_is_unknown():
    """Without reported usage the cost is unknown, not zero."""
    answer, _ = answering({"answer": "42"}, usage="usage", price=Price(prompt=2.0))
    assert answer.usage is None or answer.usage.cost is None


def test_usage_that_tells_no_tokens_costs_an_unknown_amount():
    """Usage without token counts has an unknown cost, not a cost of zero."""
    answer, _ = answering({"answer": "a", "usage": {}}, usage="usage", price=Price(prompt=2.0))
    assert answer.usage is None or answer.usage.cost is None


def test_a_cost_that_the_endpoint_states_is_taken():
    """The endpoint's own cost is preferred to the configured price."""
    reply = {"answer": "a", "usage": {"prompt_tokens": 10, "cost": 0.5}}
    answer, _ = answering(reply, usage="usage", price=Price(prompt=2.0))
    assert answer.usage is not None
    assert answer.usage.cost == 0.5


def test_a_cost_of_null_leaves_it_to_the_price():
    """A cost of null counts as missing, and the configured price is used."""
    usage = {"prompt_tokens": 10, "completion_tokens": 0, "cost": None}
    answer, _ = answering({"answer": "a", "usage": usage}, usage="usage", price=Price(prompt=2.0))
    assert answer.usage is not None
    assert answer.usage.cost == pytest.approx(20e-6)


def test_an_answer_that_is_not_there_shows_the_reply():
    """The message has the expression and the beginning of the reply."""
    error = failing({"reply": "42"}, answer="data.answer")
    assert isinstance(error, SystemFailed)
    assert "no text at 'data.answer'" in str(error)
    assert '{"reply":"42"}' in str(error)


def test_an_error_that_the_endpoint_reports_fails_the_case():
    """A value at the configured error expression fails the case, even with status 200."""
    error = failing({"answer": "", "code": 102, "message": "no such chat"}, error="message")
    assert isinstance(error, SystemFailed)
    assert "the endpoint reports an error: no such chat" in str(error)
    answer, _ = answering({"answer": "42", "message": None}, error="message")
    assert answer.text == "42"


def test_an_error_beside_a_text_fails_the_case():
    """The text often says the same; a configured expression for errors decides in its place."""
    reply = {"answer": "Error: upstream request failed with status 500", "error": "upstream"}
    assert "upstream" in str(failing(reply))
    answer, _ = answering({"answer": "42", "error": "", "code": 0})
    assert answer.text == "42"
    answer, _ = answering({**reply, "answer": "42"}, error="problem")
    assert answer.text == "42"


def test_a_reply_that_is_no_json_may_pass():
    """A web page or a truncated reply is tried again."""
    replies = [Told(body=b"<html>"), Told(body=b'{"answer": '), {"answer": "42"}]
    with JsonServer(lambda _: replies.pop(0)) as server:
        assert ask(server.url, retries=3).text == "42"
    error = failing(Told(body=b"<html>sorry</html>"))
    assert isinstance(error, TransientError)
    assert "not JSON: '<html>sorry</html>'" in str(error)


@pytest.mark.parametrize("name", ["answer", "passages", "usage", "error"])
@pytest.mark.parametrize("text", ["data[", "a..b", "", "lenght(data)"])
def test_a_wrong_expression_is_refused_before_the_first_call(name: str, text: str):
    """The message names the system, the field and the expression, also for an unknown function."""
    with pytest.raises(UseError) as caught:
        HttpSystem(HttpConfig(url="http://127.0.0.1:1", **{name: text}), name="shop")
    assert str(caught.value).startswith(f"shop: {name}: {text!r} is not a JMESPath expression")
    assert "\n" not in str(caught.value)


def test_an_expression_that_does_not_fit_the_reply_fails_the_case():
    """A JMESPath function that gets the wrong type fails the case with a message."""
    error = failing({"answer": "a", "docs": 5}, passages="sort(docs)")
    assert isinstance(error, SystemFailed)
    assert "passages" in str(error)


@pytest.mark.parametrize("value", ["a text", {"id": "c1"}, 7, [7], [None]])
def test_passages_of_another_shape_are_reported(value: Any):
    """A string is not read as a list of characters, nor an object as a list of keys."""
    error = failing({"answer": "a", "docs": value}, passages="docs")
    assert isinstance(error, SystemFailed)


@pytest.mark.parametrize("value", ["a text", 7, [1], {"prompt_tokens": "many"}])
def test_usage_of_another_shape_does_not_discard_the_answer(value: Any):
    """If the usage is not an object with counts, the answer is kept and its bill is unknown."""
    answer, _ = answering({"answer": "a", "usage": value}, usage="usage", price=Price(prompt=1.0))
    assert answer.text == "a"
    assert answer.usage is not None
    assert (answer.usage.cost, answer.usage.unmetered_calls) == (None, 1)
    assert not answer.usage.is_counted


def test_an_unknown_placeholder_is_refused_before_the_first_call():
    """An unknown placeholder is refused in the address and in the body."""
    for config in ({"body": {"q": "{{qestion}}"}}, {"url": "http://x/{{qestion}}"}):
        with pytest.raises(UseError, match=r"shop: there is no \{\{qestion\}\}"):
            HttpSystem(HttpConfig(**{"url": "http://x"} | config), name="shop")


def test_headers_are_taken_from_the_environment():
    """``${NAME}`` in a header is replaced by the environment variable."""
    config: dict[str, Any] = {"headers": {"Authorization": "Bearer ${SHOP_KEY}", "X-Team": "a"}}
    _, seen = answering({"answer": "42"}, **config)
    assert seen.headers["Authorization"] == f"Bearer {KEY}"
    assert seen.headers["X-Team"] == "a"


def test_an_absent_variable_is_refused_before_the_first_call(monkeypatch: pytest.MonkeyPatch):
    """The message names the system, the header and the variable."""
    monkeypatch.delenv("SHOP_KEY")
    config = HttpConfig(url="http://x", headers={"X-Key": "${SHOP_KEY}"})
    with pytest.raises(UseError, match="shop: header X-Key: SHOP_KEY is not set"):
        HttpSystem(config, name="shop")


def test_a_refused_key_stops_and_names_the_headers():
    """The message names the headers with the key, but does not contain the key."""
    refusal = Told(body={"error": {"message": f"unknown key {KEY}"}}, status=401)
    error = failing(refusal, headers={"X-Key": "${SHOP_KEY}"})
    assert isinstance(error, AccessRefused)
    assert "check the headers of system 'shop'" in str(error)
    assert KEY not in str(error)


def test_an_address_that_is_not_there_names_the_url():
    """Status 404 stops the run, and the message names the option ``url``."""
    error = failing(Told(body={}, status=404))
    assert isinstance(error, RunStopped)
    assert "'url'" in str(error)
    assert "base_url" not in str(error)


def test_a_rate_limit_names_an_option_that_there_is():
    """The message names ``--concurrency``, because endpoints have no ``requests_per_minute``."""
    error = failing(Told(body={}, status=429))
    assert "lower --concurrency" in str(error)
    assert "requests_per_minute" not in str(error)


def test_a_refused_connection_names_the_url_of_the_system():
    """If the connection is refused, the message names the option ``url``."""
    with pytest.raises(TransientError, match="check 'url' of system 'shop'"):
        ask(f"http://127.0.0.1:{unused_port()}")


def test_a_key_in_the_address_is_not_shown():
    """A key that is part of the address appears in no message."""
    port = unused_port()
    with pytest.raises(TransientError) as caught:
        ask(f"http://127.0.0.1:{port}/ask?key=${{SHOP_KEY}}")
    assert f"127.0.0.1:{port}" in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_variable_in_the_body_is_filled_in():
    """``${NAME}`` is replaced in the body too, as the documentation says."""
    _, seen = answering({"answer": "42"}, body={"q": "{{question}}", "token": "${SHOP_KEY}"})
    assert seen.json == {"q": QUESTION.text, "token": KEY}


def test_a_dollar_in_the_question_is_not_a_variable():
    """Variables are replaced in the configuration only, not in questions."""
    with JsonServer(lambda _: {"answer": "42"}) as server:
        system = HttpSystem(HttpConfig(url=server.url), Environment(), name="shop")

        async def scenario() -> None:
            await system.ask(Question(id="q", text="what is ${SHOP_KEY}?"), {}, 5)
            await system.close()

        asyncio.run(scenario())
    assert server.seen[0].json == {"question": "what is ${SHOP_KEY}?"}


def identity(**config: Any) -> str:
    """The identity of a system with this configuration."""
    return HttpSystem(HttpConfig(**{"url": "http://x/?k=${SHOP_KEY}"} | config)).identity


def test_the_identity_holds_what_shapes_the_answer_and_no_key():
    """Body, expressions, method, address and version are part of the identity; the key is not."""
    plain = identity(headers={"X-Key": "${SHOP_KEY}"})
    assert KEY not in plain
    assert plain == identity(headers={"X-Key": "another"})
    for change in (
        {"body": {"q": "{{question}}"}},
        {"answer": "text"},
        {"method": "PUT"},
        {"version": "2"},
        {"url": "http://y"},
    ):
        assert identity(**change) != identity()


def test_the_identity_leaves_out_what_does_not_shape_the_answer():
    """A new price or a longer timeout does not make recorded answers stale."""
    assert identity(price=Price(prompt=1.0), timeout_s=5.0, retries=9) == identity()
    assert identity(settings=["mode"]) == identity()


def test_settings_are_those_configured():
    """The configured setting names are declared; without them any is accepted."""
    assert HttpSystem(HttpConfig(url="http://x")).settings is None
    known = HttpSystem(HttpConfig(url="http://x", settings=["mode"])).settings
    assert known is not None
    assert list(known) == ["mode"]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ({"choices": [{"message": {"content": "42"}, "finish_reason": "length"}]}, "length"),
        ({"answer": "42", "stop_reason": "max_tokens"}, "max_tokens"),
        ({"answer": "42", "done_reason": "stop"}, "stop"),
        ({"answer": "42", "finish_reason": 7}, None),
        ({"answer": "42"}, None),
    ],
)
def test_a_reply_says_why_the_answer_ended(reply: dict[str, Any], reason: str | None):
    """An answer that was cut off at the limit of tokens is counted as such."""
    answer, _ = answering(reply, answer="choices[0].message.content || answer")
    assert (answer.text, answer.finish_reason) == ("42", reason)
