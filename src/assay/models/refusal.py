"""What a server's error response means: retry, fail the case, or stop the run. Pure functions.

A server reports an error with an HTTP status and a body, or with an ``error`` object inside a
200 response, whose code may be a number or a word. Both become one of our exceptions with a
one-line message.
"""

import re
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any, Final

import msgspec

from assay.errors import (
    AccessRefused,
    CaseError,
    Filtered,
    NoSuchModel,
    RateLimited,
    RunStopped,
    SystemFailed,
    TransientError,
    Unworkable,
)
from assay.records import was_cut
from assay.redact.error_text import error_line

_MESSAGE_LIMIT = 300
_TEXT_LIMIT = 200
_READ_BYTES: Final = 1 << 16
_REASON_LIMIT = 60
_REFUSES_REQUEST = frozenset({400, 403, 422, 451})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_FILTER_WORDS = (
    "content_filter", "content_policy", "contentfilter", "data_inspection", "datainspection",
    "moderation_blocked", "responsibleaipolicy", "sensitivecontent",
)  # fmt: skip
"""Parts of the codes with which providers say that their filter refused a request."""
_FILTER_CODES = frozenset({"1301"})
"""Codes without words that say it (Zhipu)."""
_CONTENT_REASON = re.compile(
    r"\b(?:content|input|output|prompt|question|text)s?\b.{0,60}?"
    r"(?:\bflagged|\bmoderat|\bsensitive|\binappropriate|\bviolat|\bunsafe|\bharmful|\bhigh risk"
    r"|\bexists risk|\bprohibited|\bblocked|\bfiltered|\bmanagement policy)"
    r"|敏感|违规|不安全",
    re.IGNORECASE,
)
"""How the message of a refusal says that it is about what was sent, not about who sent it."""
_SENDER_REASON = re.compile(
    r"\b(?:account|organi[sz]ation|permission|suspended|deactivated|terminated)", re.IGNORECASE
)

# The finish reasons of OpenAI, Anthropic, Gemini, Mistral, Cohere, DeepSeek, Zhipu, Qwen, Bedrock,
# Hugging Face TGI, vLLM, SGLang and Ollama, in lower case; those of an answer that reached the limit
# of tokens are in ``records.was_cut``.
_COMPLETE = frozenset(
    {
        "complete", "completed", "done", "end_turn", "eos", "eos_token", "finished", "normal", "stop",
        "stop_sequence", "success",
    }
)  # fmt: skip
"""The finish reasons of an answer that the model ended, even if it is empty."""
_FILTERED = frozenset(
    {
        "blocked", "blocklist", "content_filter", "content_filtered", "error_toxic",
        "guardrail_intervened", "image_safety", "prohibited_content", "recitation", "safety",
        "sensitive", "spii",
    }
)  # fmt: skip
"""The finish reasons of an answer that the provider's filter withheld or cut off."""
_INTERRUPTED = frozenset(
    {
        "abort", "aborted", "cancel", "canceled", "cancelled", "error", "failed", "incomplete",
        "insufficient_system_resource", "malformed_function_call", "network_error", "pause_turn",
        "server_error", "timeout", "unexpected_tool_call", "user_cancel",
    }
)  # fmt: skip
"""The finish reasons of an answer that broke off; another attempt may end."""
_TOOL_CALLS = frozenset({"function_call", "tool_call", "tool_calls", "tool_use"})
_MODERATION_FIELDS = frozenset({"flagged_input", "content_filter_result"})
_STATUS_OF = {
    "authentication_error": 401,
    "invalid_api_key": 401,
    "unauthenticated": 401,
    "unauthorized": 401,
    "billing_hard_limit_reached": 402,
    "insufficient_credits": 402,
    "insufficient_quota": 402,
    "forbidden": 403,
    "permission_denied": 403,
    "permission_error": 403,
    "model_not_found": 404,
    "not_found": 404,
    "not_found_error": 404,
    "timeout": 408,
    "timeout_error": 408,
    "too_early": 425,
    "rate_limit": 429,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "resource_exhausted": 429,
    "too_many_requests": 429,
    "api_error": 500,
    "internal": 500,
    "internal_error": 500,
    "internal_server_error": 500,
    "server_error": 500,
    "bad_gateway": 502,
    "service_unavailable": 503,
    "unavailable": 503,
    "gateway_timeout": 504,
    "overloaded": 529,
    "overloaded_error": 529,
}
"""The HTTP status that corresponds to an error code in words, as common providers write them."""


def read_error(
    status: int,
    body: bytes,
    retry_after: str | None,
    now: float,
    *,
    location: str | None = None,
) -> CaseError | RunStopped:
    """The exception for a response whose status is an error; ``now`` is the current Unix time.

    ``location`` is the address to which a redirect points.
    """
    if status in _REDIRECTS:
        target = _line(location) if location else "an address that it does not name"
        return Unworkable(
            f"the server redirects to {target} ({status}); redirects are not followed, because "
            "another server would get the key"
        )
    message, code = _error_text(body)
    return error_for(status, message, code, retry_after_s=retry_after_s(retry_after, now))


def error_inside(error: Any) -> CaseError | RunStopped:
    """The exception for an ``error`` object inside a 200 response.

    A code without a known status is treated as 400: the provider refused the request.

    >>> error_inside({"type": "server_error", "message": "it broke"})
    TransientError('the provider failed (server_error: it broke)')
    """
    if not isinstance(error, dict):
        return _exception(400, _line(error), "", None)
    codes = list(_codes(error))
    if is_moderated(error):
        codes.append("content_filter")
    status = next((status for code in codes if (status := _status(code)) is not None), 400)
    message = _line(error.get("message") or error)
    reason = f"{codes[0]}: {message}" if codes else message
    return _exception(status, reason, " ".join(codes), None)


def chat_fault(
    text: str, finish_reason: str | None, error: Any = None, tool_calls: Any = None
) -> CaseError | RunStopped | None:
    """Why the choice of a chat completion is no answer; None if it is one.

    Some providers report a failure of the model inside a 200 response: an ``error`` beside the
    message, or only the finish reason. A text that broke off or that the filter cut off is no answer
    either. A reason that is not known is a failure if there is no text; with a text it is not known
    that anything is wrong.

    >>> chat_fault("It is", "error")
    TransientError('the provider failed: the finish reason is error')
    >>> chat_fault("", "overheated")
    TransientError('the provider failed: there is no text, and the finish reason is overheated')
    >>> chat_fault("42", "stop") is None
    True
    """
    shown = _line(finish_reason or "")[:_REASON_LIMIT]
    reason = shown.lower().replace("-", "_").rpartition(".")[2]
    has_text = bool(text.strip())
    if error:
        return error_inside(error)
    if reason in _INTERRUPTED:
        return TransientError(f"the provider failed: the finish reason is {shown}")
    if reason in _FILTERED or (reason == "refusal" and not has_text):
        cut = "cut the answer off" if has_text else "withheld the answer"
        return Filtered(f"the provider's filter {cut} (finish reason {shown})")
    if has_text:
        return None
    if tool_calls or reason in _TOOL_CALLS:
        return TransientError("the model called a tool instead of answering")
    if reason and reason not in _COMPLETE and not was_cut(reason):
        return TransientError(
            f"the provider failed: there is no text, and the finish reason is {shown}"
        )
    return None


def says_filtered(status: int, message: str, code: str) -> bool:
    """Whether a refusal is about the content of the request; ``message`` and ``code`` are its own.

    Providers use the status of a refused key for it, so the words decide.

    >>> says_filtered(403, "Your input was flagged", ""), says_filtered(403, "Invalid key", "")
    (True, False)
    """
    code = code.lower()
    if any(word in code for word in _FILTER_WORDS) or not _FILTER_CODES.isdisjoint(code.split()):
        return True
    return (
        status in _REFUSES_REQUEST
        and _CONTENT_REASON.search(message) is not None
        and _SENDER_REASON.search(message) is None
    )


def error_for(
    status: int, message: str, code: str = "", *, retry_after_s: float | None = None
) -> CaseError | RunStopped:
    """The exception for a status: a class that the runner can act on and a one-line message."""
    reason = f"{status}: {message}" if message else str(status)
    return _exception(status, reason, code, retry_after_s)


def retry_after_s(header: str | None, now: float) -> float | None:
    """Seconds that a ``Retry-After`` header asks for, as a number or as a date.

    Returns None if there is no header or it cannot be parsed. ``now`` is the current Unix time.

    >>> retry_after_s("7", 50.0), retry_after_s("Thu, 01 Jan 1970 00:01:00 GMT", 50.0)
    (7.0, 10.0)
    >>> retry_after_s("soon", 50.0) is None
    True
    """
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - now)
    except (ValueError, OverflowError, OSError, IndexError, TypeError):
        return None  # also for a date with an impossible offset or year


def _exception(
    status: int, reason: str, code: str, retry_after_s: float | None
) -> CaseError | RunStopped:
    """The exception for ``status``; ``reason`` is the part of the response shown to the user."""
    lower = f"{reason} {code}".lower()
    if status == 402 or "insufficient_quota" in lower or "insufficient credits" in lower:
        return AccessRefused(f"the account's quota or credit is used up ({reason})")
    if says_filtered(status, reason, code):
        return Filtered(f"the provider's filter refused the request ({reason})")
    if status in (401, 403):
        return AccessRefused(f"the provider refused the key ({reason})")
    if "context_length" in lower or "context length" in lower or "maximum context" in lower:
        return SystemFailed(
            f"the prompt is longer than the model's context ({reason}); lower top_k or max_tokens"
        )
    if status == 429:
        return RateLimited(f"rate limit ({reason})", retry_after_s=retry_after_s)
    if status == 404:
        return NoSuchModel(f"no such model or address ({reason})")
    if status >= 500 or status in (408, 425):
        message = f"the provider failed ({reason})"
        if retry_after_s is None:
            return TransientError(message)
        return TransientError(message, retry_after_s=retry_after_s)
    return SystemFailed(f"the provider refused the request ({reason})")


def _codes(error: dict[Any, Any]) -> Iterator[str]:
    """The codes in an error object, the most specific first."""
    for name in ("code", "status", "type"):
        value = error.get(name)
        if isinstance(value, int | str) and value:
            yield _line(value)


def _status(code: str) -> int | None:
    """The HTTP status for a code, which is a number or a word; None if the code is not known.

    >>> _status("502"), _status("RESOURCE_EXHAUSTED"), _status("7")
    (502, 429, None)
    """
    if len(code) == 3 and code.isascii() and code.isdigit():
        return int(code)
    return _STATUS_OF.get(code.lower())


def _error_text(body: bytes) -> tuple[str, str]:
    """The message and code in an error body: JSON in common forms, a web page, or plain text."""
    try:
        data = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        text = error_line(body[:_READ_BYTES].decode("utf-8", "replace"), _TEXT_LIMIT)
        return ("a web page" if text.startswith("<") else text), ""
    error = data.get("error", data) if isinstance(data, dict) else data
    if isinstance(error, dict):
        message = error.get("message") or error.get("detail") or ""
        codes = [str(error.get("code") or error.get("type") or "")]
        if is_moderated(error):
            codes.append("content_filter")
        return _line(message), " ".join(codes)
    return _line(error), ""


def is_moderated(error: dict[Any, Any]) -> bool:
    """Whether an error says that the input was flagged, as providers with moderation do.

    They use the status of a refused key for it, and say more in another object.
    """
    further = [error.get("metadata"), error.get("innererror"), error.get("content_filter_result")]
    return any(
        isinstance(value, dict) and not value.keys().isdisjoint(_MODERATION_FIELDS)
        for value in further
    )


def _line(value: Any) -> str:
    return error_line(str(value), _MESSAGE_LIMIT)
