"""What an exception from a system means: try again, fail the case, or stop the run.

Systems are other people's code on other people's HTTP clients, so besides our own errors
this reads the status that the usual clients attach (``status_code``, ``status``, or a
``response`` that has one).
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
    """The error of ours that ``error`` amounts to."""
    if isinstance(error, CaseError | RunStopped):
        return error
    if isinstance(error, UseError):
        return Unworkable(str(error))
    said = describe(error)
    match http_status(error):
        case 401 | 402 | 403 as status:
            return AccessRefused(
                f"the provider refused access ({status}): {said}. Check the API key that the "
                "system uses (for OpenRouter: OPENROUTER_API_KEY)"
            )
        case 429:
            return RateLimited(said, retry_after_s=_retry_after_s(error))
        case int(status) if status >= 500 or status == 408:
            return TransientError(said, retry_after_s=_retry_after_s(error))
        case _:
            pass
    if isinstance(error, TimeoutError | ConnectionError):
        return TransientError(said)
    return SystemFailed(said)


def describe(error: BaseException) -> str:
    """Type and message on one line, cut to a length fit for a row.

    >>> describe(KeyError("x"))
    "KeyError: 'x'"
    """
    text = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
    return text if len(text) <= _MESSAGE_LIMIT else text[: _MESSAGE_LIMIT - 1] + "…"


def http_status(error: object) -> int | None:
    """The HTTP status an exception carries, if it is of an HTTP client."""
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "status"):
            status = getattr(holder, name, None)
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
