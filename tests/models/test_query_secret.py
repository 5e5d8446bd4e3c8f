"""Secrets in the query of a URL are known by the name of the parameter or the form of the value."""

import pytest

from assay.models.address import (
    hidden_parameters,
    is_formed_secret,
    is_named_secret,
    shown_url,
    url_secrets,
)

AZURE = "k3Jx9_vT7bRwQ2mLd03Zp-FhN8sY5aCe1UgO6iBtXqVrWyAzFu4Mwg=="


@pytest.mark.parametrize(
    "name",
    ["token", "sig", "key", "auth", "api_key", "subscription-key", "Ocp-Apim-Subscription-Key",
     "x-api-key", "apikey", "accesstoken", "x%2Dapi%2Dkey", "password", "authorization",
     "X-Amz-Signature"],
)  # fmt: skip
def test_a_name_that_says_who_calls_makes_a_secret_of_any_value(name: str):
    """Such a value may be exchanged without any change to what is replied."""
    assert is_named_secret(name, "abc")
    assert shown_url(f"https://x.org/ask?{name}=abc&k=5") == f"https://x.org/ask?{name}=***&k=5"


@pytest.mark.parametrize("value", [AZURE, "Zx9Secret8877QQ", "mainLand1"])
def test_a_code_is_a_secret_if_its_value_is_no_word(value: str):
    """Azure sends the key of a function as ``code``; others name a language so."""
    assert is_named_secret("code", value)
    assert not is_named_secret("code", "en")
    assert not is_named_secret("code", "20240501")


@pytest.mark.parametrize(
    "value",
    ["sk-" + "a" * 24, "9f86d081884c7d659a2feaa0c55ad015", AZURE, "x9Kd03LmQ2vT7bRw",
     "Zm9vYmFyOmh1bnRlcjI3NzQ4OQ%3D%3D"],
)  # fmt: skip
def test_the_form_of_a_value_makes_it_a_secret_under_any_name(value: str):
    """Nobody can list all names of keys."""
    assert is_formed_secret(value)
    assert value not in shown_url(f"https://x.org/ask?who={value}")


@pytest.mark.parametrize(
    "value",
    ["2024-05-01-preview", "gpt-4o-mini-2024-07-18", "harbour2024contracts", "north", "5", "",
     "GetAnswersFromTheIndex2", "text-embedding-3-large", "{{question}}", "${RAG_TENANT_NAME_01}",
     "3f2b8c1e-77aa-4c7e-9f10-2b6d8e5a9c31", "2024-05-01T10:00:00Z", "contracts/2024/harbour"],
)  # fmt: skip
def test_plain_values_are_shown(value: str):
    """Versions, models, dates, identifiers and words decide what is replied, and hide nothing."""
    assert not is_formed_secret(value)
    url = f"https://x.org/ask?who={value}"
    assert shown_url(url) == url


def test_what_is_hidden_by_its_form_alone_still_decides_who_replies():
    """It may be a revision: its hash is part of the identity; that of a named key is not."""
    url = "https://x.org/ask?revision=9f86d081884c7d659a2feaa0c55ad015&token=abc"
    other = url.replace("9f86", "0f86")
    assert shown_url(url) == shown_url(other)
    assert hidden_parameters(url) != hidden_parameters(other)
    assert hidden_parameters(url).keys() == {"query revision"}


def test_all_spellings_of_a_secret_in_a_url_are_known():
    """A server may repeat it as it was sent or as it understood it."""
    found = {secret.reveal() for secret in url_secrets("https://x.org/?code=ab%2Bcd%2F1234+X")}
    assert {"ab%2Bcd%2F1234+X", "ab+cd/1234 X"} <= found
