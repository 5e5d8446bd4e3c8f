"""What an exception from a system means: retry, fail the case, or stop the run.

A system is foreign code that may use any HTTP client. Besides the errors of this package,
this module therefore reads the status that common clients attach to their exceptions
(``status_code``, ``status``, or a ``response`` with one of them).
"""

import math
from typing import Any

from assay.errors import (
    AccessRefused,
    CaseError,
    RateLimited,
    RunStopped,
    SystemFailed,
    TransientError,
    Unworkable,
    UseError,
)

_MESSAGE_LIMIT = 500


def classify(error: Exception) -> CaseError | RunStopped:
    """The error of this package that corresponds to ``error``."""
    if isinstance(error, CaseError | RunStopped):
        return error
    if isinstance(error, UseError):
        return Unworkable(str(error))
    message = describe(error)
    match http_status(error):
        case 401 | 402 | 403 as status:
            return AccessRefused(
                f"the provider refused access ({status}): {message}. Check the API key that the "
                "system uses (for OpenRouter: OPENROUTER_API_KEY)"
            )
        case 429:
            return RateLimited(message, retry_after_s=_retry_after_s(error))
        case int(status) if status >= 500 or status == 408:
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
    """The HTTP status that an exception carries; ``None`` if it carries none."""
    for source in (error, getattr(error, "response", None)):
        for name in ("status_code", "status"):
            status = getattr(source, name, None)
            if isinstance(status, int):
                return status
    return None


def _retry_after_s(error: object) -> float | None:
    headers: Any = getattr(getattr(error, "response", error), "headers", None)
    try:
        seconds = float(headers["Retry-After"])
    except (TypeError, KeyError, ValueError):
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
