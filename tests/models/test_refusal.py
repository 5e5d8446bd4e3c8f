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


@pytest.mark.parametrize(
    ("text", "reason", "kind"),
    [
        ("42", None, None),
        ("42", "stop", None),
        ("42", "end_turn", None),
        ("42", "eos", None),
        ("42", "COMPLETE", None),
        ("42", "FinishReason.STOP", None),
        ("42", "length", None),
        ("42", "model_context_window_exceeded", None),
        ("42", "tool_calls", None),
        ("42", "of_another_time", None),
        ("", None, None),
        ("", "", None),
        ("", "end_turn", None),
        ("", "MAX_TOKENS", None),
        ("", "function_call", TransientError),
        ("", "of_another_time", TransientError),
        ("", "load", TransientError),
        ("", "OTHER", TransientError),
        ("It", "insufficient_system_resource", TransientError),
        ("It", "network_error", TransientError),
        ("It", "abort", TransientError),
        ("It", "pause_turn", TransientError),
        ("", "MALFORMED_FUNCTION_CALL", TransientError),
        ("It", "sensitive", Filtered),
        ("", "sensitive", Filtered),
        ("It", "content-filter", Filtered),
        ("", "FinishReason.SAFETY", Filtered),
        ("", "RECITATION", Filtered),
        ("", "PROHIBITED_CONTENT", Filtered),
        ("It", "guardrail_intervened", Filtered),
        ("", "ERROR_TOXIC", Filtered),
    ],
)
def test_finish_reasons_of_the_providers(text: str, reason: str | None, kind: type | None):
    """A text that broke off is no answer; without a text, only a known end is. The reason is named."""
    fault = chat_fault(text, reason)
    assert (None if fault is None else type(fault)) is kind
    if fault is not None and "tool" not in str(fault):
        assert str(reason) in str(fault)


def test_a_finish_reason_of_any_length_is_one_short_line():
    """The reason comes from the server and may be anything."""
    fault = str(chat_fault("", "over\nheated " * 5000))
    assert len(fault) < 200
    assert "\n" not in fault


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (403, {"message": "Your chosen model requires moderation and your input was flagged"}, Filtered),
        (403, {"message": "Content violates usage guidelines. Team: t, API key ID: k"}, Filtered),
        (400, {"code": "data_inspection_failed", "message": "Input data may be bad"}, Filtered),
        (400, {"code": "DataInspectionFailed", "message": "no"}, Filtered),
        (400, {"message": "Content Exists Risk"}, Filtered),
        (400, {"code": "1301", "message": "系统检测到输入或生成内容可能包含不安全或敏感内容"}, Filtered),
        (403, {"code": "InputTextSensitiveContentDetected", "message": "no"}, Filtered),
        (403, {"message": "The key is disabled"}, AccessRefused),
        (403, {"message": "Your account was suspended because its content violates the terms"},
         AccessRefused),
        (403, {"message": "You have no permission to send text prompts; blocked"}, AccessRefused),
        (403, {"message": "Country, region, or territory not supported"}, AccessRefused),
        (403, {}, AccessRefused),
        (401, {"message": "your input was flagged"}, AccessRefused),
        (429, {"message": "too many inputs were blocked"}, RateLimited),
        (400, {"message": "the input must be a string"}, SystemFailed),
    ],
)  # fmt: skip
def test_403_with_a_content_reason_fails_the_case(status: int, error: Any, kind: type):
    """What was sent was refused, and the next case may pass; a refused key stops the run."""
    assert type(read_error(status, json.dumps({"error": error}).encode(), None, 0.0)) is kind
