"""Reading what an OpenAI-compatible server sends back. Pure: bytes in, a reply or an error out.

Servers differ and change their minds. Whatever comes, the result is either a reply with
what it really says (missing tokens are ``None``, not zero) or an error that says whether it
is worth trying again.
"""

from collections.abc import Sequence
from email.utils import parsedate_to_datetime
from typing import Any

import msgspec
from msgspec import Struct

from assay.errors import (
    AccessRefused,
    CaseError,
    NoSuchModel,
    RateLimited,
    RunStopped,
    SystemFailed,
    TransientError,
)


class Reply(Struct, frozen=True, kw_only=True):
    """What a chat model said. ``text`` is empty where it said nothing."""

    text: str
    finish_reason: str | None = None
    reasoning: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None

    @property
    def truncated(self) -> bool:
        """Whether the provider cut the answer short."""
        return self.finish_reason == "length"


class Vectors(Struct, frozen=True, kw_only=True):
    """Embeddings in the order of the texts."""

    vectors: tuple[tuple[float, ...], ...]
    prompt_tokens: int | None = None


class _Usage(Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None


class _Message(Struct):
    content: str | list[Any] | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    refusal: str | None = None


class _Choice(Struct):
    message: _Message | None = None
    text: str | None = None
    finish_reason: str | None = None


class _Chat(Struct):
    choices: list[_Choice] | None = None
    usage: _Usage | None = None
    error: Any = None


class _Embedding(Struct):
    embedding: tuple[float, ...]
    index: int | None = None


class _Embeddings(Struct):
    data: list[_Embedding] | None = None
    usage: _Usage | None = None
    error: Any = None


_chat = msgspec.json.Decoder(_Chat, strict=False)
_embeddings = msgspec.json.Decoder(_Embeddings, strict=False)


def read_chat(body: bytes) -> Reply:
    """The reply in a 200 response."""
    answer = _decoded(_chat, body)
    if answer.error is not None:
        raise error_inside(answer.error)
    if not answer.choices:
        raise TransientError("the provider's reply has no choices")
    choice = answer.choices[0]
    message = choice.message or _Message(content=choice.text)
    text = _text(message.content) or message.refusal or ""
    prompt, completion = _tokens(answer.usage)
    return Reply(
        text=text,
        finish_reason=choice.finish_reason,
        reasoning=message.reasoning_content or message.reasoning,
        prompt_tokens=prompt,
        completion_tokens=completion,
    )


def read_embeddings(body: bytes, count: int, dimensions: int | None) -> Vectors:
    """The vectors in a 200 response, in the order asked, each of the dimension asked."""
    answer = _decoded(_embeddings, body)
    if answer.error is not None:
        raise error_inside(answer.error)
    rows = answer.data or []
    if len(rows) != count:
        raise TransientError(f"the provider sent {len(rows)} embeddings for {count} texts")
    if all(row.index is not None for row in rows):
        rows = sorted(rows, key=lambda row: row.index or 0)
        if [row.index for row in rows] != list(range(count)):
            raise TransientError("the provider's embeddings are not numbered from 0 on")
    sizes = {len(row.embedding) for row in rows}
    wanted = {dimensions} if dimensions else sizes
    if len(sizes) > 1 or sizes != wanted:
        raise SystemFailed(
            f"the provider sent embeddings of {_listed(sizes)} dimensions"
            + (f" where {dimensions} were asked for" if dimensions else "")
        )
    return Vectors(
        vectors=tuple(row.embedding for row in rows), prompt_tokens=_tokens(answer.usage)[0]
    )


def error_inside(error: Any) -> CaseError | RunStopped:
    """The error that an ``error`` object inside a 200 amounts to."""
    if isinstance(error, dict):
        code = error.get("code") or error.get("status") or error.get("type")
        message = str(error.get("message") or error)
    else:
        code, message = None, str(error)
    status = int(str(code)) if str(code).isdigit() else None
    return error_for(status or 400, message, str(code or ""))


def read_error(
    status: int, body: bytes, retry_after: str | None, now: float
) -> CaseError | RunStopped:
    """The error for a response whose status is not 200; ``now`` is Unix time."""
    message, code = _error_text(body)
    return error_for(status, message, code, retry_after_s=retry_after_s(retry_after, now))


def error_for(
    status: int, message: str, code: str = "", *, retry_after_s: float | None = None
) -> CaseError | RunStopped:
    """One line for a user to act on, and the right class for the runner."""
    said = f"{status}: {message}" if message else str(status)
    lower = f"{message} {code}".lower()
    if status == 402 or "insufficient_quota" in lower or "insufficient credits" in lower:
        return AccessRefused(f"the account's quota or credit is used up ({said})")
    if status in (401, 403):
        return AccessRefused(f"the provider refused the key ({said})")
    if "context_length" in lower or "context length" in lower or "maximum context" in lower:
        return SystemFailed(f"the prompt is longer than the model's context ({said})")
    if status == 429:
        return RateLimited(f"rate limit ({said})", retry_after_s=retry_after_s)
    if status == 404:
        return NoSuchModel(f"no such model or address ({said}); check 'model' and 'base_url'")
    if status >= 500 or status == 408:
        return TransientError(f"the provider failed ({said})")
    return SystemFailed(f"the provider refused the request ({said})")


def retry_after_s(header: str | None, now: float) -> float | None:
    """Seconds that a ``Retry-After`` header asks for, given as a number or as a date.

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
    except ValueError:
        return None


def _decoded(decoder: "msgspec.json.Decoder[Any]", body: bytes) -> Any:
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        start = body[:200].decode("utf-8", "replace").strip()
        if start.startswith("<"):
            raise TransientError("the provider sent a web page, not JSON") from None
        raise TransientError(
            f"the provider's reply is not the JSON expected: {start[:80]!r}"
        ) from None


def _text(content: str | Sequence[Any] | None) -> str:
    """Plain text of a message whose content may be a list of typed parts."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = []
    for part in content:
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            parts.append(part["text"])
    return "".join(parts)


def _tokens(usage: _Usage | None) -> tuple[int | None, int | None]:
    """Prompt and completion tokens, the one missing made up from the total where there is one."""
    if usage is None:
        return None, None
    prompt, completion, total = usage.prompt_tokens, usage.completion_tokens, usage.total_tokens
    if total is not None:
        if prompt is None and completion is not None:
            prompt = max(0, total - completion)
        elif completion is None and prompt is not None:
            completion = max(0, total - prompt)
    return prompt, completion


def _error_text(body: bytes) -> tuple[str, str]:
    """Message and code of an error body: JSON of the usual shapes, a web page, or plain text."""
    try:
        data = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        text = " ".join(body[:300].decode("utf-8", "replace").split())
        return ("a web page" if text.startswith("<") else text[:200]), ""
    error = data.get("error", data) if isinstance(data, dict) else data
    if isinstance(error, dict):
        message = error.get("message") or error.get("detail") or ""
        code = error.get("code") or error.get("type") or ""
        return " ".join(str(message).split())[:300], str(code)
    return " ".join(str(error).split())[:300], ""


def _listed(numbers: set[int]) -> str:
    return " and ".join(map(str, sorted(numbers)))
