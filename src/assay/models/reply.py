"""Reading what an OpenAI-compatible server sends back. Pure: bytes in, a reply or an error out.

Servers differ and change their minds. Whatever comes, the result is either a reply with
what it really says (missing tokens are ``None``, not zero) or an error that says whether it
is worth trying again.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from assay.errors import SystemFailed, TransientError
from assay.models.refusal import error_inside


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


class _Billed(Struct):
    usage: _Usage | None = None


_billed = msgspec.json.Decoder(_Billed, strict=False)
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
    if 0 in sizes:
        raise SystemFailed("the provider sent an embedding with no numbers in it")
    wanted = {dimensions} if dimensions else sizes
    if len(sizes) > 1 or sizes != wanted:
        raise SystemFailed(
            f"the provider sent embeddings of {_listed(sizes)} dimensions"
            + (f" where {dimensions} were asked for" if dimensions else "")
        )
    return Vectors(
        vectors=tuple(row.embedding for row in rows), prompt_tokens=_tokens(answer.usage)[0]
    )


def stated_tokens(body: bytes) -> tuple[int | None, int | None]:
    """Prompt and completion tokens that a 200 states, also one that is no use otherwise.

    >>> stated_tokens(b'{"choices": [], "usage": {"prompt_tokens": 7, "total_tokens": 9}}')
    (7, 2)
    >>> stated_tokens(b"<html>")
    (None, None)
    """
    try:
        return _tokens(_billed.decode(body).usage)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None, None


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


def _listed(numbers: set[int]) -> str:
    return " and ".join(map(str, sorted(numbers)))
