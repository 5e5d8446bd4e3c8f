"""What decides who replies is in the identity and in the key of a call; secrets are in neither."""

from pathlib import Path
from typing import Any

import pytest

from assay.config.system import ModelConfig
from assay.errors import UseError
from assay.models.address import Address, shown_url, url_secrets
from assay.models.cache import CallCache, RecordedReply, call_key
from assay.models.client import ModelClient
from tests.support.model_client import ASK, KEY, VARIABLE, make_client, model_config, with_client
from tests.support.model_server import ModelServer


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)


def client_of(**config: Any) -> ModelClient:
    """A client of model ``m``, which is never asked."""
    known = {"model": "m", "base_url": "https://x.org/v1", "api_key_env": VARIABLE}
    return ModelClient(ModelConfig(**known | config))


def test_without_extras_identity_and_key_are_those_of_earlier_versions():
    """A cache of the last version serves calls that need nothing new."""
    client = client_of(parameters={"seed": 1})
    assert client.identity == 'm@https://x.org/v1{"seed":1}'
    request = {"model": "m"}
    assert client._key("chat", request) == call_key("chat", "https://x.org/v1", request)
    assert client._key("chat", request).hex() == "ac03e991b5c4f3c09094e0a97761b42a"


@pytest.mark.parametrize(
    "change",
    [
        {"headers": {"X-Route": "a"}},
        {"headers": {"x-virtual-key": "team-a"}},
        {"headers": {"anthropic-version": "2024-01-01"}},
        {"query": {"api-version": "2024-10-21"}},
        {"base_url": "https://x.org/v1?api-version=1"},
    ],
    ids=str,
)
def test_whatever_shapes_a_reply_changes_identity_and_key(change: dict[str, Any]):
    """Models that differ only in a routing header or in a query parameter share no replies."""
    plain, other = client_of(), client_of(**change)
    assert plain.identity != other.identity
    assert plain._key("chat", {}) != other._key("chat", {})


def test_a_proxy_is_part_of_both(monkeypatch: pytest.MonkeyPatch):
    """A proxy may be a gateway that routes; its user part does not matter."""
    plain = client_of()
    monkeypatch.setenv("https_proxy", "http://me:pass-word-0123@gateway:3128")
    through = client_of()
    monkeypatch.setenv("https_proxy", "http://you:pass-word-9999@gateway:3128")
    assert client_of().identity == through.identity != plain.identity
    assert plain._key("chat", {}) != through._key("chat", {})
    monkeypatch.setenv("no_proxy", "x.org")
    assert client_of().identity == plain.identity


def test_a_new_key_keeps_the_recorded_replies(monkeypatch: pytest.MonkeyPatch):
    """Headers that only say who calls are left out, as the key itself is."""
    monkeypatch.setenv("GATE_KEY", "old-0123456789")
    old = client_of(headers={"X-API-Key": "${GATE_KEY}", "X-Route": "a"})
    monkeypatch.setenv("GATE_KEY", "new-0123456789")
    new = client_of(headers={"X-API-Key": "${GATE_KEY}", "X-Route": "a"})
    assert old.identity == new.identity
    assert old._key("chat", {}) == new._key("chat", {})


def test_values_of_headers_are_hashed():
    """The identity is written to files; a value of a header is not in it."""
    assert "confidential" not in client_of(headers={"X-Tenant": "confidential"}).identity


def test_two_models_that_differ_in_a_routing_header_get_their_own_answers(tmp_path: Path):
    """They share a cache and no replies."""
    cache = CallCache(tmp_path / "calls.sqlite")
    with ModelServer() as server:
        for route in ("a", "b", "a"):
            config = model_config(server, headers={"X-Route": route})
            with_client(lambda client: client.chat(ASK), config, cache)
    cache.close()
    assert len(server.calls) == 2


def test_the_query_is_at_the_end_of_the_address():
    """A base URL with a query, and configured parameters, reach the endpoint."""
    address = Address("https://x.org/v1?a=1", {"api-version": "2 b"})
    assert address.url("/chat/completions") == (
        "https://x.org/v1/chat/completions?a=1&api-version=2+b"
    )


def test_the_user_part_of_a_url_is_sent_as_a_header():
    """It is not part of the address that is shown, and no message has it."""
    with ModelServer() as server:
        url = server.base_url.replace("://", "://someone:pass-word-0123@")
        config = model_config(server, base_url=url, api_key_env=None)
        with_client(lambda client: client.chat(ASK), config)
        identity = make_client(config).identity
    assert server.calls[0].authorization == "Basic c29tZW9uZTpwYXNzLXdvcmQtMDEyMw=="
    assert "pass-word" not in identity
    assert "someone" not in identity


def test_a_user_part_and_a_key_contradict_each_other():
    """Only one of them can be the Authorization header."""
    with pytest.raises(UseError, match="api_key_env: null"):
        client_of(base_url="https://me:pass-word-0123@x.org/v1")


@pytest.mark.parametrize(
    ("url", "shown", "secrets"),
    [
        ("https://x.org/v1?key=abc-0123&v=2", "https://x.org/v1?key=***&v=2", ["abc-0123"]),
        ("https://token-0123@x.org/v1", "https://x.org/v1", ["token-0123"]),
        ("https://x.org/v1", "https://x.org/v1", []),
        ("http://[bad", "http://[bad", []),
    ],
)
def test_keys_in_a_url_are_found(url: str, shown: str, secrets: list[str]):
    """A key may be the user part or a parameter of the query."""
    assert shown_url(url) == shown
    assert [secret.reveal() for secret in url_secrets(url)] == secrets


def test_an_address_that_is_none_is_refused():
    """The message has the option and its value."""
    with pytest.raises(UseError, match=r"'base_url' .* is not an address"):
        client_of(base_url="http://[bad")


def test_an_old_cache_serves_a_call_without_extras(tmp_path: Path):
    """The key of a plain call has not changed."""
    body = b'{"choices": [{"message": {"content": "old"}}]}'
    cache = CallCache(tmp_path / "calls.sqlite")
    with ModelServer() as server:
        request = {"model": "m", "messages": ASK}
        key = call_key("chat", server.base_url, request)
        cache.put(key, "m", "chat", RecordedReply(body, 0.5))
        reply = with_client(lambda client: client.chat(ASK), model_config(server), cache)
    assert reply.text == "old"
    assert server.calls == []
    cache.close()
