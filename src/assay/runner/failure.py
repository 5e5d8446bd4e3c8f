"""What an exception from a system means: retry, fail the case, or stop the run.

A system is foreign code that may use any HTTP client. Besides the errors of this package,
this module therefore reads the status that common clients attach to their exceptions
(``status_code``, ``status``, or a ``response`` with one of them).
"""

import math
from collections.abc import Iterator
from typing import Any

from assay.errors import (
    AccessRefused,
    CaseError,
    Filtered,
    RateLimited,
    RunStopped,
    SystemFailed,
    TransientError,
    Unworkable,
    UseError,
)

_MESSAGE_LIMIT = 500
_MOST_WRAPPED = 16


def classify(error: Exception) -> CaseError | RunStopped:
    """The error of this package that corresponds to ``error``."""
    if isinstance(error, CaseError | RunStopped):
        return error
    if isinstance(error, UseError):
        return Unworkable(str(error))
    message = describe(error)
    if _is_filtered(error):
        return Filtered(message)
    match http_status(error):
        case 401 | 402 | 403 as status:
            return AccessRefused(
                f"the provider refused access ({status}): {message}. Check the API key that the "
                "system uses (for OpenRouter: OPENROUTER_API_KEY)"
            )
        case 429:
            return RateLimited(message, retry_after_s=_retry_after_s(error))
        case int(status) if status >= 500 or status in (408, 425):
            return TransientError(message, retry_after_s=_retry_after_s(error))
        case _:
            pass
    if isinstance(error, TimeoutError | ConnectionError):
        return TransientError(message)
    return SystemFailed(message)


def describe(error: BaseException) -> str:
    """Type and message of an error on one line of at most 500 characters.

    >>> describe(KeyError("x"))
    "KeyError: 'x'"
    """
    text = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
    return text if len(text) <= _MESSAGE_LIMIT else text[: _MESSAGE_LIMIT - 1] + "…"


def http_status(error: object) -> int | None:
    """The HTTP status that an exception, or one that it wraps, carries; ``None`` if none does.

    Libraries that retry wrap the last exception in one of their own.
    """
    for wrapped in _wrapped(error):
        for source in (wrapped, getattr(wrapped, "response", None)):
            for name in ("status_code", "status"):
                status = getattr(source, name, None)
                if isinstance(status, int) and not isinstance(status, bool):
                    return status
    return None


def _wrapped(error: object) -> Iterator[object]:
    """The exception, and those that caused it or that a library has wrapped in it."""
    seen: set[int] = set()
    waiting = [error]
    while waiting and len(seen) < _MOST_WRAPPED:
        current = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        waiting += [cause for cause in _causes(current) if isinstance(cause, BaseException)]


def _causes(error: object) -> Iterator[object]:
    yield getattr(error, "__cause__", None)
    attempt = getattr(error, "last_attempt", None)
    try:
        yield attempt.exception(timeout=0) if attempt is not None else None
    except Exception:  # noqa: BLE001 - foreign code: then nothing more is known
        return


def _is_filtered(error: object) -> bool:
    """Whether a client's exception says that the provider's filter refused the request."""
    code = getattr(error, "code", None)
    name = type(error).__name__
    return (isinstance(code, str) and code.lower().startswith("content_filter")) or (
        name.startswith("ContentFilter")
    )


def _retry_after_s(error: object) -> float | None:
    headers: Any = getattr(getattr(error, "response", error), "headers", None)
    try:
        seconds = float(headers["Retry-After"])
    except (TypeError, KeyError, ValueError):
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
