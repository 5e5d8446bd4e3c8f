"""What an exception means: retry, fail the case, or stop the run."""

from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any
from urllib.error import HTTPError

import pytest

from assay.errors import (
    AccessRefused,
    AssayError,
    CaseTimeout,
    CeilingReached,
    Filtered,
    ProviderUnavailable,
    RateLimited,
    SystemFailed,
    TransientError,
    Unworkable,
    UseError,
)
from assay.runner.failure import classify, describe, http_status


class ClientError(Exception):
    """An error of some HTTP client, with the attributes that the client attaches."""

    def __init__(self, message: str = "no luck", **attached: Any) -> None:
        super().__init__(message)
        vars(self).update(attached)


def response(status: int, **headers: str) -> SimpleNamespace:
    """A response object as HTTP clients attach it to their errors."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return SimpleNamespace(status_code=status, headers=named)


@pytest.mark.parametrize(
    "error",
    [
        AccessRefused("key"),
        ProviderUnavailable("down"),
        CeilingReached("spent"),
        CaseTimeout("late"),
        TransientError("again", retried=True),
        RateLimited("slow", retry_after_s=3),
        SystemFailed("bad"),
    ],
)
def test_our_own_errors_are_taken_as_they_are(error: AssayError):
    """An error of this package is returned unchanged."""
    assert classify(error) is error


STATUS_MEANS = [
    (401, AccessRefused),
    (402, AccessRefused),
    (403, AccessRefused),
    (404, SystemFailed),
    (400, SystemFailed),
    (408, TransientError),
    (429, RateLimited),
    (500, TransientError),
    (502, TransientError),
    (503, TransientError),
    (529, TransientError),
]


@pytest.mark.parametrize(("status", "kind"), STATUS_MEANS)
@pytest.mark.parametrize("form", ["status_code", "status", "response"])
def test_an_http_status_is_read_wherever_clients_put_it(
    status: int, kind: type[Exception], form: str
):
    """``status_code``, ``status`` and ``response.status_code`` mean the same."""
    attached = {form: response(status) if form == "response" else status}
    assert type(classify(ClientError(**attached))) is kind


@pytest.mark.parametrize(("status", "kind"), STATUS_MEANS)
def test_errors_of_the_standard_library_are_read(status: int, kind: type[Exception]):
    """The status of an error of ``urllib`` is read like that of any other client."""
    with HTTPError("http://127.0.0.1/", status, "no", {}, None) as error:  # type: ignore[arg-type]
        assert type(classify(error)) is kind


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (TimeoutError("slow"), TransientError),
        (ConnectionResetError("reset"), TransientError),
        (ConnectionRefusedError("nobody"), TransientError),
        (BrokenPipeError("gone"), TransientError),
        (ValueError("bad"), SystemFailed),
        (KeyError("x"), SystemFailed),
        (OSError("disk"), SystemFailed),
        (UseError("not so"), Unworkable),
        (ClientError(status_code="503"), SystemFailed),
        (ClientError(status_code=None, response=None), SystemFailed),
    ],
)
def test_errors_without_a_status_are_read_by_their_kind(error: Exception, kind: type[Exception]):
    """Timeouts and lost connections are transient; any other error fails the case."""
    assert type(classify(error)) is kind


def test_a_refusal_says_where_to_look():
    """The message names the status, the provider's message and the variable of the key."""
    message = str(classify(ClientError("invalid key", status_code=401)))
    assert "(401)" in message
    assert "invalid key" in message
    assert "OPENROUTER_API_KEY" in message


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"Retry-After": "-3"}, 0.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({}, None),
        (None, None),
    ],
)
def test_retry_after_is_read_from_the_response_or_the_error(headers: Any, seconds: float | None):
    """The header is read from the response or the error and ignored unless it is a number."""
    for error in (
        ClientError(response=SimpleNamespace(status_code=429, headers=headers)),
        ClientError(status_code=429, headers=headers),
    ):
        failure = classify(error)
        assert isinstance(failure, RateLimited)
        assert failure.retry_after_s == seconds


def test_a_description_is_one_line_of_bounded_length():
    """Long or multi-line messages are joined into one line of at most 500 characters."""
    text = describe(ValueError("first\n  second\t" + "x" * 2000))
    assert text.startswith("ValueError: first second xxx")
    assert len(text) == 500
    assert text.endswith("…")
    assert describe(ValueError()) == "ValueError"


def test_a_status_that_is_no_number_is_none():
    """A status that is not a number is ignored, and the status of the response is used."""
    assert http_status(ClientError(status="open")) is None
    assert http_status(ClientError(status_code=None, response=response(503))) == 503


class Refused(Exception):
    """An exception of a client, with a status."""

    status_code = 401


class RetryError(Exception):
    """Wraps the last exception, as libraries that retry do."""

    def __init__(self, last: Exception) -> None:
        super().__init__("RetryError[<Future raised Refused>]")
        self.last_attempt: Future[None] = Future()
        self.last_attempt.set_exception(last)


def test_a_refused_key_inside_a_wrapped_exception_stops_the_run():
    """Forty more questions would be refused in the same way."""
    assert isinstance(classify(RetryError(Refused("no"))), AccessRefused)
    wrapped = ValueError("the chain failed")
    wrapped.__cause__ = Refused("no")
    assert isinstance(classify(wrapped), AccessRefused)


def test_exceptions_that_wrap_each_other_end():
    """A cycle of causes is no endless loop."""
    first, second = ValueError("a"), ValueError("b")
    first.__cause__, second.__cause__ = second, first
    assert isinstance(classify(first), SystemFailed)


def test_an_exception_of_a_client_about_the_filter_is_filtered():
    """Clients name the filter in the code or in the class."""

    class BadRequestError(Exception):
        status_code = 400
        code = "content_filter"

    class ContentFilterFinishReasonError(Exception):
        pass

    for error in (BadRequestError("no"), ContentFilterFinishReasonError("no")):
        assert isinstance(classify(error), Filtered)


def test_too_early_may_pass():
    """Status 425 asks for another attempt."""

    class TooEarly(Exception):
        status = 425

    assert isinstance(classify(TooEarly("not yet")), TransientError)
