"""What an exception means: retry, fail the case, or stop the run."""

import os
import sys
from collections.abc import Callable
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
from assay.models.foreign_error import classify, describe, http_status, skip_of


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


def test_a_refusal_says_where_to_look(monkeypatch: pytest.MonkeyPatch):
    """The message names the status, the provider's message and the variable of the key."""
    for name in [name for name in os.environ if "KEY" in name or "TOKEN" in name]:
        monkeypatch.delenv(name)
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


def test_a_rate_limit_names_the_variable_of_the_key(monkeypatch: pytest.MonkeyPatch):
    """A key of another account may be the reason; who asks too fast is told that too."""
    monkeypatch.setenv("OPENROUTER_API_KEY", "k")
    response = SimpleNamespace(status_code=429, headers={}, url="https://openrouter.ai/api/v1")
    error = classify(ClientError("slow down", response=response))
    assert str(error).endswith("; ask fewer questions at once, or check OPENROUTER_API_KEY")


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


# --- errors inside others, by the shapes of the real libraries ---------------------------------
# ``make test-real-clients`` makes the libraries themselves fail.


class RetryError(Exception):
    """As tenacity raises it: the last attempt is a future that holds the exception."""

    def __init__(self, inner: BaseException) -> None:
        attempt: Future[None] = Future()
        attempt.set_exception(inner)
        super().__init__(attempt)
        self.last_attempt = attempt


def library_error(library: str, name: str, *bases: str) -> Exception:
    """An exception with the module, the name and the base classes of a library's own."""
    kind: type[Exception] = Exception
    for each in (*bases, name):
        kind = type(each, (kind,), {"__module__": f"{library}._exceptions"})
    return kind("lost")


def raised(error: Exception, *, cause: BaseException, hidden: bool = False) -> Exception:
    """The error as ``raise error from cause`` leaves it, or ``from None`` while handling it."""
    error.__cause__ = None if hidden else cause
    error.__context__ = cause
    error.__suppress_context__ = True
    return error


REFUSED = ClientError("bad key", response=response(401))
WRAPPINGS: list[Callable[[BaseException], BaseException]] = [
    lambda inner: raised(RuntimeError("generation failed"), cause=inner),
    lambda inner: raised(RuntimeError("generation failed"), cause=inner, hidden=True),
    RetryError,
    lambda inner: raised(RuntimeError("chain"), cause=RetryError(inner)),
    lambda inner: ExceptionGroup("tasks", [ValueError("x"), inner]),  # type: ignore[list-item]
    lambda inner: ExceptionGroup("outer", [ExceptionGroup("inner", [RetryError(inner)])]),
    lambda inner: RuntimeError("failed", inner),
    lambda inner: ClientError(original_exception=inner),
]


@pytest.mark.parametrize("wrap", WRAPPINGS)
@pytest.mark.parametrize(
    ("inner", "kind"),
    [
        (REFUSED, AccessRefused),
        (ClientError("slow down", status_code=429), RateLimited),
        (ClientError("broken", status_code=503), TransientError),
        (ClientError("bad request", status_code=400), SystemFailed),
        (ConnectionResetError("reset"), TransientError),
        (library_error("httpx", "ConnectError", "TransportError"), TransientError),
        (AccessRefused("our own client"), AccessRefused),
        (ValueError("nothing of the kind"), SystemFailed),
    ],
)
def test_an_error_is_seen_through_its_wrapping(
    wrap: Callable[[BaseException], BaseException], inner: Exception, kind: type[Exception]
):
    """Cause, context, last attempt, groups, arguments and attributes."""
    assert type(classify(wrap(inner))) is kind


@pytest.mark.parametrize(
    "error",
    [
        library_error("httpx", "ReadTimeout", "TransportError", "TimeoutException"),
        library_error("httpx2", "ConnectError", "TransportError"),
        library_error("httpcore", "ReadError", "NetworkError"),
        library_error("requests.exceptions", "ConnectTimeout", "ConnectionError"),
        library_error("requests.exceptions", "ReadTimeout", "Timeout"),
        library_error("urllib3.exceptions", "IncompleteRead", "ProtocolError"),
        library_error("aiohttp", "ServerDisconnectedError", "ClientConnectionError"),
        library_error("aiohttp", "ClientPayloadError"),
        library_error("openai", "APITimeoutError", "APIConnectionError"),
        library_error("litellm.exceptions", "Timeout"),
    ],
)
def test_lost_connections_of_the_usual_clients_may_pass(error: Exception):
    """They are recognised by the library and the names of their classes."""
    assert type(classify(error)) is TransientError


@pytest.mark.parametrize(
    "error",
    [
        library_error("httpx", "UnsupportedProtocol", "TransportError"),
        library_error("requests.exceptions", "InvalidURL"),
        library_error("mylab", "ConnectionError"),
    ],
)
def test_what_no_retry_repairs_fails_the_case(error: Exception):
    """A wrong address, and a class that only has a familiar name."""
    assert type(classify(error)) is SystemFailed


def test_a_used_up_quota_stops_the_run():
    """Although its status is that of a rate limit."""
    error = ClientError("Error code: 429 - {'code': 'insufficient_quota'}", status_code=429)
    assert type(classify(RetryError(error))) is AccessRefused


def test_a_refusal_names_the_variable(monkeypatch: pytest.MonkeyPatch):
    """By the address that was called, or by the keys that are set; their values stay secret."""
    for name in [name for name in os.environ if "KEY" in name or "TOKEN" in name]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("LAB_API_KEY", "sk-lab-12345678")
    message = str(classify(RetryError(ClientError("bad key sk-lab-12345678", status_code=401))))
    assert "LAB_API_KEY" in message
    assert "sk-lab-12345678" not in message
    assert "inside: ClientError: bad key ***" in message
    there = ClientError(
        "no", status_code=401, request=SimpleNamespace(url="https://openrouter.ai/api")
    )
    assert str(classify(there)).endswith("Check OPENROUTER_API_KEY (set here: LAB_API_KEY)")


def test_the_outermost_error_that_tells_something_decides():
    """Aiohttp reports a connection that was lost midway around an error with the code 400."""
    lost = library_error("aiohttp", "ClientPayloadError")
    assert type(classify(raised(lost, cause=ClientError(code=400)))) is TransientError


def test_a_circle_of_errors_ends():
    """Foreign code may link exceptions in any way, and its properties may raise."""
    first, second = RuntimeError("a"), RuntimeError("b")
    first.__cause__, second.__cause__ = second, first

    class Odd(Exception):
        @property
        def response(self) -> Any:
            raise RuntimeError("no response")

        def __str__(self) -> str:
            raise RuntimeError("no text")

    class Worse(Exception):
        __cause__ = args = property(lambda _: sys.exit("no cause"))  # type: ignore[assignment]

        def __str__(self) -> str:
            raise SystemExit("no text")

    class Nameless(type):
        def __getattribute__(cls, name: str) -> Any:
            raise RuntimeError(f"no {name}")

    class Hidden(Exception, metaclass=Nameless):
        pass

    assert type(classify(first)) is SystemFailed
    assert str(classify(Hidden("x"))) == "Hidden: x"
    assert str(classify(Odd())) == "Odd"
    assert str(classify(Worse())) == "Worse"
    assert skip_of(Worse()) is None


def test_an_exception_of_a_client_about_the_filter_is_filtered():
    """Clients name the filter in the code or in the class."""

    class BadRequestError(Exception):
        status_code = 400
        code = "content_filter"

    class ContentFilterFinishReasonError(Exception):
        pass

    class PermissionDeniedError(Exception):
        status_code = 403
        body: Any = None

    flagged = PermissionDeniedError("Error code: 403")
    flagged.body = {"message": "no", "metadata": {"flagged_input": "the words"}}
    worded = PermissionDeniedError("Error code: 403 - {'message': 'your input was flagged'}")
    for error in (BadRequestError("no"), ContentFilterFinishReasonError("no"), flagged, worded):
        assert isinstance(classify(error), Filtered)
    assert isinstance(classify(PermissionDeniedError("Error code: 403 - wrong key")), AccessRefused)


def test_too_early_may_pass():
    """Status 425 asks for another attempt."""

    class TooEarly(Exception):
        status = 425

    assert isinstance(classify(TooEarly("not yet")), TransientError)
