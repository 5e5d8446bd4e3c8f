"""Texts of errors have no secrets, whoever knows these."""

from collections.abc import Iterator

import pytest

from assay.mask import set_redactor
from assay.models.foreign_error import describe
from assay.redact.error_text import error_line, masked_error
from assay.redact.pseudonym import Forgotten
from assay.redact.redaction import Redaction

TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"


@pytest.fixture(autouse=True)
def _no_redactor() -> Iterator[None]:
    yield
    set_redactor(None)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("401 with key sk-proj-abcdef0123456789abcdef0123456789abcdef", "sk-proj-abcdef"),
        (f"Authorization: Bearer {TOKEN} was refused", TOKEN),
        ("{'Authorization': 'Bearer abcd1234efgh'}", "abcd1234efgh"),
        ("got 403 for https://user:hunter2secret@example.com/x", "hunter2secret"),
        ("GET https://host/x?api_key=topsecret&x=1 failed", "topsecret"),
        ("GET /x?api_key=topsecret failed", "topsecret"),
        ("invalid api_key=topsecret123456", "topsecret123456"),
        ("{'x-api-key': 'abcd1234'}", "abcd1234"),
        ("could not connect: host=db password=hunter2 user=sa", "hunter2"),
        ("认证失败，密码：abc12345", "abc12345"),
        ("доступ закрыт, пароль: Qwerty123", "Qwerty123"),
        ("Cookie: session=abcdef; path=/", "abcdef"),
    ],
)
def test_a_secret_is_masked_by_its_form(text: str, secret: str):
    """The rest of the message stays, so that the fault is still named."""
    masked = masked_error(text)
    assert secret not in masked
    assert "***" in masked
    assert masked[:3] == text[:3]


@pytest.mark.parametrize(
    "text",
    [
        "max_tokens: 4096 is more than 2048",
        "unexpected token < in JSON at position 0",
        "KeyError: 'answer'",
        "the password is missing",
        "invalid key: user_name",
        "https://host:8080/v1/chat/completions answered 500",
        "запрос отклонён: нет ключа",
        "请求失败：没有密钥",
    ],
)
def test_an_error_without_a_secret_is_not_changed(text: str):
    """Words for secrets, addresses and numbers are no secrets."""
    assert masked_error(text) == text


def test_a_key_is_masked_before_the_message_is_cut():
    """No beginning of a key is left at the end of a long message."""
    error = RuntimeError("x" * 470 + " sk-proj-abcdef0123456789abcdef0123456789abcdef")
    assert "sk-proj" not in describe(error)


def test_with_redaction_the_tags_stay():
    """A tag can be turned back, three asterisks cannot."""
    set_redactor(Redaction("outputs", Forgotten()))
    text = "invalid api_key=topsecret123456"
    assert masked_error(text) == text


@pytest.mark.parametrize(
    "before", ["x" * 470 + " ", " " * 9_980, f"{TOKEN}/ " * 110, f"{'word ' * 1_990}"], ids=len
)
@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcdef0123456789abcdef0123456789abcdef",
        "password = 'harbour sk-pro lantern twelve'",
        f"token {TOKEN}",
    ],
)
@pytest.mark.parametrize("after", ["", " more" * 5_000])
def test_nothing_is_left_of_a_secret_that_is_cut(before: str, secret: str, after: str):
    """A message is cut where it is too long to be searched, and where it is too long to be shown."""
    shown = describe(RuntimeError(before + secret + after))
    assert "sk-pro" not in shown
    assert "eyJ" not in shown
    assert len(shown) <= 500


@pytest.mark.parametrize("length", range(470, 500, 3))
def test_with_redaction_nothing_is_left_of_a_value_that_is_cut(length: int):
    """An address without its end is none, so it is masked before."""
    set_redactor(Redaction("outputs", Forgotten()))
    shown = describe(RuntimeError("x" * length + " of ivan.petrov@example.com and others"))
    assert "ivan" not in shown


def test_an_error_of_any_length_has_its_beginning():
    """What is said first is shown, on one line."""
    assert error_line("not\nfound", 20) == "not found"
    assert error_line("not found " * 10_000_000, 20) == "not found not found…"
    assert describe(RuntimeError("x" * 50_000_000)) == f"RuntimeError: {'x' * 485}…"
