"""What an exception of other people's code means: retry, fail the case, or stop the run.

A system is foreign code that may use any HTTP client, and may wrap the client's exceptions in its
own. Besides the errors of this package, this module therefore looks at the exception and at
everything it wraps: its cause and its context, the exceptions of a group, the last attempt of
``tenacity.RetryError``, and exceptions that it keeps as an argument or attribute. From each it
reads the status that common clients attach (``status_code``, ``status``, ``code`` or a
``response`` with one of them); without a status, lost connections and timeouts are recognised by
the names of their classes, so that no client library has to be imported.
"""

import math
import os
import re
import socket
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Final

from assay.errors import (
    AccessRefused,
    AssayError,
    CaseError,
    CaseSkipped,
    Filtered,
    RateLimited,
    RunStopped,
    SystemFailed,
    TransientError,
    Unworkable,
    UseError,
)
from assay.models.refusal import is_moderated, says_filtered
from assay.models.secret import Secret, scrub_secrets
from assay.redact.error_text import class_name, error_line

_MESSAGE_LIMIT = 500
_TEXT_LIMIT = 20 * _MESSAGE_LIMIT
_MOST_WRAPPED = 50
_REFUSED: Final = (401, 402, 403)
_QUOTA: Final = ("insufficient_quota", "insufficient credits", "billing_hard_limit_reached")

_PASSING: Final[Mapping[str, frozenset[str]]] = {
    "httpx": frozenset({"TransportError"}),
    "httpcore": frozenset({"NetworkError", "TimeoutException", "RemoteProtocolError"}),
    "requests": frozenset({"ConnectionError", "Timeout", "ChunkedEncodingError"}),
    "urllib3": frozenset({"ProtocolError", "TimeoutError", "NewConnectionError"}),
    "aiohttp": frozenset({"ClientConnectionError", "ClientPayloadError", "ServerTimeoutError"}),
    "openai": frozenset({"APIConnectionError"}),
    "anthropic": frozenset({"APIConnectionError"}),
    "litellm": frozenset({"APIConnectionError", "Timeout"}),
    "botocore": frozenset({"ConnectionError", "HTTPClientError"}),
}
"""For each client library, the classes of errors that may pass by themselves."""

_LASTING: Final = frozenset(
    {"UnsupportedProtocol", "LocalProtocolError", "InvalidURL", "InvalidSchema", "MissingSchema"}
)
"""Classes of errors that come again however often the call is made."""

_WRAPPED: Final = ("original_exception", "last_exception", "reason", "inner", "error", "exc")
"""Attributes in which exceptions keep the one that they stand for."""

_KEY_NAME: Final = re.compile(r"(?:API_?KEY|ACCESS_?KEY|TOKEN|SECRET|PASSWORD)$", re.IGNORECASE)
_MODEL_KEY_NAME: Final = re.compile(r"(?:API_?KEY|API_?TOKEN)$", re.IGNORECASE)
_HOSTS: Final[Mapping[str, str]] = {
    "openrouter.ai": "OPENROUTER_API_KEY",
    "api.openai.com": "OPENAI_API_KEY",
    "api.anthropic.com": "ANTHROPIC_API_KEY",
    "api.deepseek.com": "DEEPSEEK_API_KEY",
    "dashscope.aliyuncs.com": "DASHSCOPE_API_KEY",
    "api.mistral.ai": "MISTRAL_API_KEY",
}
"""The variable in which a provider's own library looks for the key."""


def classify(error: BaseException) -> CaseError | RunStopped:
    """The error of this package that corresponds to ``error``, seen through its wrapping."""
    if isinstance(error, CaseError | RunStopped):
        return error
    if isinstance(error, UseError):
        return Unworkable(str(error))
    known = list(wrapped_errors(error))
    for inner in known:
        if isinstance(inner, CaseError | RunStopped):  # our own client was used inside the system
            return inner
    if any(map(_is_filtered, known)):
        return Filtered(describe(error))
    refused = next((inner for inner in known if _is_refusal(inner)), None)
    if refused is not None:
        return _refusal(error, refused)
    for inner in known:  # the outermost one that tells something decides
        status = http_status(inner)
        if status is not None:
            return _by_status(status, inner, describe_wrapped(error, inner))
        if _may_pass(inner):
            return TransientError(describe_wrapped(error, inner))
    return SystemFailed(describe(error))


def skip_of(error: BaseException) -> CaseSkipped | None:
    """The ``CaseSkipped`` that ``error`` is or was raised from; ``None`` if there is none.

    Only the causes count (``raise … from …``): whoever raises another error while a skip is being
    handled may mean something else.
    """
    cause: BaseException | None = error
    for _ in range(_MOST_WRAPPED):
        if cause is None or isinstance(cause, AssayError):
            return None
        if isinstance(cause, CaseSkipped):
            return cause
        cause = _attribute(cause, "__cause__")
    return None


def _by_status(status: int, error: BaseException, message: str) -> CaseError:
    """What a status means that is not a refusal."""
    if status == 429:
        hint = f"{message}; ask fewer questions at once, or check {_key_hint(error)}"
        return RateLimited(hint, retry_after_s=_retry_after_s(error))
    if status >= 500 or status in (408, 425):
        return TransientError(message, retry_after_s=_retry_after_s(error))
    return SystemFailed(message)


def wrapped_errors(error: BaseException) -> Iterator[BaseException]:
    """The error and those that it wraps, the outer ones first; each once, fifty at most."""
    waiting, seen = deque([error]), {id(error)}
    yield error
    while waiting and len(seen) < _MOST_WRAPPED:
        for inner in _directly_wrapped(waiting.popleft()):
            if id(inner) not in seen:
                seen.add(id(inner))
                waiting.append(inner)
                yield inner


def _directly_wrapped(error: BaseException) -> Iterator[BaseException]:
    candidates = [_attribute(error, name) for name in ("__cause__", "__context__")]
    candidates.append(_last_attempt(error))
    for values in (_attribute(error, "exceptions"), _attribute(error, "args")):
        candidates += values if isinstance(values, tuple | list) else ()
    candidates += [_attribute(error, name) for name in _WRAPPED]
    yield from (inner for inner in candidates if isinstance(inner, BaseException))


def _last_attempt(error: BaseException) -> Any:
    """The exception of the last attempt that ``tenacity.RetryError`` keeps, if it is done."""
    attempt = _attribute(error, "last_attempt")
    try:
        return attempt.exception(timeout=0) if attempt is not None and attempt.done() else None
    except Exception:  # noqa: BLE001 - an object of another library with the same name
        return None


def _attribute(error: object, name: str) -> Any:
    """An attribute of a foreign object; None if it is missing or cannot be read."""
    try:
        return getattr(error, name, None)
    except (Exception, SystemExit):  # noqa: BLE001 - a property may do anything, for example raise
        return None


def _is_refusal(error: BaseException) -> bool:
    status = http_status(error)
    if status in _REFUSED:
        return True
    return status == 429 and any(word in _text(error).lower() for word in _QUOTA)


def _is_filtered(error: BaseException) -> bool:
    """Whether a client's exception says that the provider's filter refused the request."""
    if class_name(error).startswith("ContentFilter"):
        return True
    code, body = _attribute(error, "code"), _attribute(error, "body")
    inner = body.get("error", body) if isinstance(body, dict) else None
    if isinstance(inner, dict) and is_moderated(inner):
        return True
    code_text = code if isinstance(code, str) else ""
    return says_filtered(http_status(error) or 0, _text(error), code_text)


def _refusal(error: BaseException, refused: BaseException) -> AccessRefused:
    message = describe_wrapped(error, refused)
    return AccessRefused(
        f"the provider refused access ({http_status(refused)}): {message}. "
        f"Check {_key_hint(refused)}"
    )


def _key_hint(error: BaseException) -> str:
    """Which variable holds the key, as far as the address or the environment tells."""
    addresses = " ".join(
        str(_attribute(source, "url") or _attribute(source, "request_info") or "")
        for source in (error, _attribute(error, "response"), _attribute(error, "request"))
    )
    named = next((variable for host, variable in _HOSTS.items() if host in addresses), None)
    present = sorted(name for name in os.environ if _MODEL_KEY_NAME.search(name))
    if named in present:
        return str(named)
    if present:  # some libraries name an address that was not called
        return f"{named or 'the API key that the system uses'} (set here: {', '.join(present)})"
    return named or "the API key that the system uses (for OpenRouter: OPENROUTER_API_KEY)"


def _may_pass(error: BaseException) -> bool:
    """Whether an error without a status is a lost connection or a timeout."""
    if isinstance(error, TimeoutError | ConnectionError | socket.gaierror):
        return True
    kinds = [
        (str(_attribute(kind, "__module__")), _attribute(kind, "__name__"))
        for kind in _attribute(type(error), "__mro__") or ()
    ]
    if any(name in _LASTING for _, name in kinds):
        return False
    return any(
        name in _PASSING.get(_library(module), frozenset())
        for module, name in kinds
        if module != "builtins"
    )


def _library(module: str) -> str:
    """The library of a module; a second generation (``httpx2``) counts as the first."""
    name = module.partition(".")[0]
    return name if name in _PASSING else name.rstrip("0123456789")


def describe(error: BaseException) -> str:
    """Type and message of an error on one line of at most 500 characters, without keys.

    >>> describe(KeyError("x"))
    "KeyError: 'x'"
    """
    text = f"{class_name(error)}: {_text(error)}"
    return error_line(text, _MESSAGE_LIMIT, _without_keys).removesuffix(":")


def describe_wrapped(error: BaseException, inner: BaseException) -> str:
    """The error and the one inside it that says what happened."""
    outer = describe(error)
    cause = describe(inner) if inner is not error else ""
    return f"{outer} (inside: {cause})" if cause and cause not in outer else outer


def _text(error: BaseException) -> str:
    """The beginning of the message, so that a very long one is neither scanned nor copied."""
    try:
        return str(error)[:_TEXT_LIMIT]
    except (Exception, SystemExit):  # noqa: BLE001 - the message of a foreign exception may raise one
        return ""


def _without_keys(text: str) -> str:
    """The text without the values of the environment variables that hold keys, by their names."""
    keys = (value for name, value in os.environ.items() if _KEY_NAME.search(name) and value)
    return scrub_secrets(text, map(Secret, keys))


def http_status(error: object) -> int | None:
    """The HTTP status that an exception carries; ``None`` if it carries none."""
    response = _attribute(error, "response")
    if isinstance(response, Mapping):  # botocore keeps the decoded response
        metadata = response.get("ResponseMetadata")
        status = metadata.get("HTTPStatusCode") if isinstance(metadata, Mapping) else None
        return status if isinstance(status, int) else None
    for source in (error, response):
        for name in ("status_code", "status", "http_status", "code"):
            status = _attribute(source, name)
            if isinstance(status, bool):
                continue
            if isinstance(status, int) and (name != "code" or 400 <= status < 600):
                return status
    return None


def _retry_after_s(error: object) -> float | None:
    headers: Any = _attribute(_attribute(error, "response") or error, "headers")
    try:
        seconds = float(headers["Retry-After"])
    except (TypeError, KeyError, ValueError):
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
