"""Error responses: status, codes in words and ``Retry-After``; the message is always one line."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import (
    AccessRefused,
    AssayError,
    CaseError,
    Filtered,
    NoSuchModel,
    RateLimited,
    RunStopped,
    SystemFailed,
    TransientError,
    Unworkable,
    UseError,
)
from assay.models.limit import is_hopeless
from assay.models.refusal import chat_fault, error_for, error_inside, read_error, retry_after_s

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=10,
)


@given(st.integers(300, 599), st.binary(max_size=400) | JSON.map(lambda v: json.dumps(v).encode()))
def test_every_status_is_one_line(status: int, body: bytes):
    """Any error response becomes one of our errors, with a short one-line message."""
    error = read_error(status, body, None, 0.0)
    assert isinstance(error, CaseError | RunStopped)
    assert str(status) in str(error)
    assert len(str(error).splitlines()) == 1
    assert len(str(error)) < 500


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, SystemFailed),
        (401, AccessRefused),
        (402, AccessRefused),
        (403, AccessRefused),
        (404, NoSuchModel),
        (408, TransientError),
        (413, SystemFailed),
        (422, SystemFailed),
        (429, RateLimited),
        (500, TransientError),
        (503, TransientError),
        (529, TransientError),
    ],
)
def test_the_status_decides(status: int, kind: type[AssayError]):
    """The status decides the class: stop the run, retry, or fail the case."""
    assert type(error_for(status, "reason")) is kind
    assert "reason" in str(error_for(status, "reason"))


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": 401, "message": "no"}, AccessRefused),
        ({"code": "429", "message": "busy"}, RateLimited),
        ({"code": 502, "message": "gone"}, TransientError),
        ({"status": 503, "message": "closed"}, TransientError),
        ({"type": "server_error", "message": "broke"}, TransientError),
        ({"code": "server_error", "message": "broke"}, TransientError),
        ({"code": "rate_limit_exceeded", "message": "slow down"}, RateLimited),
        ({"type": "overloaded_error", "message": "much to do"}, TransientError),
        ({"code": "invalid_api_key", "message": "who?"}, AccessRefused),
        ({"code": "insufficient_quota", "message": "broke"}, AccessRefused),
        ({"code": "context_length_exceeded", "message": "long"}, SystemFailed),
        ({"code": "model_not_found", "message": "what?"}, NoSuchModel),
        ("plain words", SystemFailed),
        ({"message": "no code"}, SystemFailed),
        (["a", "list"], SystemFailed),
    ],
)
def test_an_error_inside_a_200_is_read_by_its_code(error: Any, kind: type[AssayError]):
    """An error code in words is treated like the HTTP status with that meaning."""
    assert type(error_inside(error)) is kind


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"error": {"message": "a b", "code": "x"}}', "a b"),
        (b'{"error": "plain"}', "plain"),
        (b'{"detail": "of another kind"}', "of another kind"),
        (b'{"message": "at the top"}', "at the top"),
        (b"not json at all", "not json at all"),
        (b"<html><body>nginx</body></html>", "a web page"),
        (b"two\nlines", "two lines"),
    ],
)
def test_error_bodies_of_the_usual_shapes(body: bytes, message: str):
    """The server's message is found in all common forms of error bodies."""
    assert message in str(read_error(500, body, None, 0.0))


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("0", 0.0),
        ("1.5", 1.5),
        ("-3", 0.0),
        ("Thu, 01 Jan 1970 00:01:00 GMT", 10.0),
        ("Thu, 01 Jan 1970 00:00:10 GMT", 0.0),
        ("soon", None),
        ("", None),
    ],
)
def test_retry_after(header: str | None, seconds: float | None):
    """``Retry-After`` may be seconds or a date; other text gives None, and it is never negative."""
    assert retry_after_s(header, 50.0) == seconds


@pytest.mark.parametrize(
    "error",
    [
        {"code": "server_error", "message": "broke"},
        {"code": "model_not_found", "message": "what?"},
        {"code": "rate_limit_exceeded", "message": "slow down"},
        {"message": "no code"},
        "plain words",
    ],
)
def test_no_status_is_shown_that_nobody_sent(error: Any):
    """A code in words is shown as it is, without a status number that was not sent."""
    message = str(error_inside(error))
    assert not any(letter.isdigit() for letter in message)
    assert (error["message"] if isinstance(error, dict) else error) in message


def test_the_code_says_more_than_the_type():
    """A known code takes precedence over the type; with an unknown code the type decides."""
    known_code = {"type": "invalid_request_error", "code": "model_not_found", "message": "x"}
    assert type(error_inside(known_code)) is NoSuchModel
    unknown_code = {"type": "rate_limit_error", "code": "of_this_house", "message": "x"}
    assert type(error_inside(unknown_code)) is RateLimited


@pytest.mark.parametrize("code", ["7", "1234", "²²²", "9" * 5000, True, 0, 4.5, [], {}])
def test_a_code_that_is_no_status_is_not_taken_for_one(code: Any):
    """A code that is not an HTTP status fails the case with a short message."""
    error = error_inside({"code": code, "message": "odd"})
    assert type(error) is SystemFailed
    assert "odd" in str(error)
    assert len(str(error)) < 1000


def test_a_wait_asked_for_is_kept():
    """The error of a 503 response has its ``Retry-After``; a wait of a day is hopeless."""
    soon, late = (read_error(503, b"{}", header, 0.0) for header in ("2", "86400"))
    assert isinstance(soon, TransientError)
    assert isinstance(late, TransientError)
    assert (soon.retry_after_s, is_hopeless(soon)) == (2.0, False)
    assert is_hopeless(late)
    assert TransientError("no wait stated").retry_after_s is None


def test_wrong_use_in_mid_run_stops_the_run():
    """``Unworkable`` is a ``UseError`` with exit code 2 and also stops the run."""
    error = Unworkable("no")
    assert isinstance(error, UseError)
    assert isinstance(error, RunStopped)
    assert error.exit_code == 2


@pytest.mark.parametrize(
    ("text", "reason", "is_filtered"),
    [
        ("", "content_filter", True),
        ("It is", "content_filter", True),
        ("", "SAFETY", True),
        ("", "refusal", True),
        ("I would rather not say.", "refusal", False),
        ("", "stop", False),
        ("", "length", False),
    ],
)
def test_what_a_filter_withheld_is_distinguished_from_what_a_model_refused(
    text: str, reason: str, is_filtered: bool
):
    """A refusal in words is an answer; a text that the filter cut off is none."""
    assert isinstance(chat_fault(text, reason), Filtered) == is_filtered
