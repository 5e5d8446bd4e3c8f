"""Which key a model gets: that of the default provider goes to the default address only."""

from typing import Any

import pytest

from assay.config.system import ModelConfig
from assay.errors import UseError
from assay.models.address import key_problem
from assay.models.client import ModelClient
from tests.support.model_client import ASK, KEY, VARIABLE, with_client
from tests.support.model_server import ModelServer


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    monkeypatch.setenv("HOUSE_KEY", "sk-house-0123456789")


def authorization(config: ModelConfig) -> str:
    """The header that the client would send; empty if there is none."""
    header = ModelClient(config)._wire._headers.get("Authorization", "")
    return header if isinstance(header, str) else header.reveal()


def test_a_server_on_this_computer_gets_no_key():
    """A local server does not see the key of the provider that happens to be set."""

    async def ask(client: ModelClient) -> Any:
        return await client.chat(ASK)

    with ModelServer() as server:
        with_client(ask, ModelConfig(model="m", base_url=server.base_url))
        assert [call.authorization for call in server.calls] == [None]


@pytest.mark.parametrize(
    "url", ["https://openrouter.ai/api/v1", "https://OpenRouter.ai:443/api/v1/"]
)
def test_the_default_address_gets_the_default_key(url: str):
    """Without a word in the configuration, the default provider gets its key as before."""
    assert authorization(ModelConfig(model="m", base_url=url)) == f"Bearer {KEY}"
    assert authorization(ModelConfig(model="m")) == f"Bearer {KEY}"


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.com/v1",
        "http://openrouter.ai/api/v1",
        "https://openrouter.ai.example.com/v1",
        "https://openrouter.ai:8443/v1",
        "http://192.168.0.7:8000/v1",
    ],
)
def test_another_server_needs_a_word_about_its_key(url: str):
    """One line names the field; nothing is sent."""
    with pytest.raises(
        UseError, match=r"'api_key_env' of m is missing: .*'api_key_env: null'"
    ) as error:
        ModelClient(ModelConfig(model="m", base_url=url))
    assert "\n" not in str(error.value)
    assert KEY not in str(error.value)


@pytest.mark.parametrize(
    ("changes", "sent"),
    [
        ({"api_key_env": None}, ""),
        ({"api_key_env": "HOUSE_KEY"}, "Bearer sk-house-0123456789"),
        ({"api_key_env": VARIABLE}, f"Bearer {KEY}"),
        ({"headers": {"Authorization": "Bearer ${HOUSE_KEY}"}}, "Bearer sk-house-0123456789"),
        ({"headers": {"X-API-Key": "${HOUSE_KEY}"}}, ""),
        ({"query": {"key": "${HOUSE_KEY}"}}, ""),
        ({"base_url": "https://me:word@api.example.com/v1"}, "Basic bWU6d29yZA=="),
    ],
)
def test_what_the_configuration_says_is_sent(changes: dict[str, Any], sent: str):
    """A named key, none, or other credentials: the default key is not added to them."""
    config = ModelConfig(**{"model": "m", "base_url": "https://api.example.com/v1"} | changes)
    assert key_problem(config) == ""
    assert authorization(config) == sent
