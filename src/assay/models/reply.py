"""Parsing the responses of OpenAI-compatible servers. Pure: takes bytes, returns a reply or raises.

Servers differ in detail and change over time. The result is always either a reply that contains
only what the server stated (missing token counts are ``None``, not zero) or an exception whose
class says whether a retry makes sense.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from assay.errors import SystemFailed, TransientError
from assay.models.refusal import error_inside


class Reply(Struct, frozen=True, kw_only=True):
    """The reply of a chat model. ``text`` is empty if the model returned no text.

    If the message has no content but a refusal, ``text`` is the refusal. ``finish_reason``,
    ``reasoning`` and the token counts are None if the provider did not state them.
    """

    text: str
    finish_reason: str | None = None
    reasoning: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None

    @property
    def truncated(self) -> bool:
        """Whether the reply was cut off at the token limit."""
        return self.finish_reason == "length"


class Vectors(Struct, frozen=True, kw_only=True):
    """The embeddings of a batch of texts, in the order of the texts."""

    vectors: tuple[tuple[float, ...], ...]
    prompt_tokens: int | None = None


class Scores(Struct, frozen=True, kw_only=True):
    """A score for each text of a request, in the order of the texts."""

    scores: tuple[float, ...]
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


class _Ranked(Struct):
    index: int
    relevance_score: float | None = None
    score: float | None = None


class _Ranking(Struct):
    results: list[_Ranked] | None = None
    data: list[_Ranked] | None = None
    usage: _Usage | None = None
    error: Any = None


class _Label(Struct):
    label: str
    score: float


class _UsageOnly(Struct):
    usage: _Usage | None = None


_usage_only = msgspec.json.Decoder(_UsageOnly, strict=False)
_ranking = msgspec.json.Decoder(_Ranking | list[_Ranked], strict=False)
_labels = msgspec.json.Decoder(list[list[_Label]] | dict[str, Any], strict=False)
_chat = msgspec.json.Decoder(_Chat, strict=False)
_embeddings = msgspec.json.Decoder(_Embeddings, strict=False)


def read_chat(body: bytes) -> Reply:
    """Parse the body of a 200 response to a chat request.

    Raises:
        TransientError: the body is not JSON of the expected form, or has no choices.
        CaseError, RunStopped: the body contains an ``error`` object; its code decides which.
    """
    answer = _decode(_chat, body)
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
    """Parse the body of a 200 response to an embedding request for ``count`` texts.

    The vectors are in the order of the texts.

    Raises:
        TransientError: the body is not JSON of the expected form, or the number or the numbering
            of the vectors does not match the texts.
        SystemFailed: a vector is empty, or the vectors do not have the same dimension or not
            ``dimensions``.
        CaseError, RunStopped: the body contains an ``error`` object; its code decides which.
    """
    answer = _decode(_embeddings, body)
    if answer.error is not None:
        raise error_inside(answer.error)
    rows = answer.data or []
    if len(rows) != count:
        raise TransientError(f"the provider sent {len(rows)} embeddings for {count} texts")
    if all(row.index is not None for row in rows):
        rows = sorted(rows, key=lambda row: row.index or 0)
        if [row.index for row in rows] != list(range(count)):
            raise TransientError("the provider's embeddings are not numbered from 0 upwards")
    sizes = {len(row.embedding) for row in rows}
    if 0 in sizes:
        raise SystemFailed("the provider sent an embedding with no numbers in it")
    expected = {dimensions} if dimensions else sizes
    if len(sizes) > 1 or sizes != expected:
        raise SystemFailed(
            f"the provider sent embeddings of {_join(sizes)} dimensions"
            + (f" instead of the requested {dimensions}" if dimensions else "")
        )
    return Vectors(
        vectors=tuple(row.embedding for row in rows), prompt_tokens=_tokens(answer.usage)[0]
    )


def read_ranking(body: bytes, count: int) -> Scores:
    """Parse the body of a 200 response to a request to rerank ``count`` texts.

    It is a list of results, or an object with this list as ``results`` or ``data``. A result has
    the ``index`` of its text and a ``relevance_score`` or ``score``.

    Raises:
        TransientError: the body is not JSON of this form, or a text has no score.
        CaseError, RunStopped: the body contains an ``error`` object; its code decides which.
    """
    answer = _decode(_ranking, body)
    if isinstance(answer, list):
        answer = _Ranking(results=answer)
    if answer.error is not None:
        raise error_inside(answer.error)
    scores = {
        row.index: row.score if row.relevance_score is None else row.relevance_score
        for row in answer.results or answer.data or []
    }
    ordered = tuple(score for index in range(count) if (score := scores.get(index)) is not None)
    if len(ordered) != count or len(scores) != count:
        raise TransientError(f"the provider scored {len(ordered)} of {count} texts")
    return Scores(scores=ordered, prompt_tokens=_tokens(answer.usage)[0])


def read_entailment(body: bytes, count: int) -> Scores:
    """Parse the body of a 200 response to a request to classify ``count`` pairs of texts.

    It is a list of labels with scores for each pair; the score of *entailment* is returned.

    Raises:
        TransientError: the body is not JSON of this form, or a pair has no such label.
        CaseError, RunStopped: the body contains an ``error`` object; its code decides which.
    """
    answer = _decode(_labels, body)
    if isinstance(answer, dict):
        raise error_inside(answer.get("error", answer))
    scores = tuple(
        label.score
        for labels in answer
        for label in labels
        if label.label.casefold().startswith("entail")
    )
    if len(scores) != count or len(answer) != count:
        raise TransientError(f"the provider gave {len(scores)} of {count} pairs a label entailment")
    return Scores(scores=scores)


def stated_tokens(body: bytes) -> tuple[int | None, int | None]:
    """The prompt and completion tokens that a body states, even if it is otherwise unusable.

    >>> stated_tokens(b'{"choices": [], "usage": {"prompt_tokens": 7, "total_tokens": 9}}')
    (7, 2)
    >>> stated_tokens(b"<html>")
    (None, None)
    """
    try:
        return _tokens(_usage_only.decode(body).usage)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None, None


def _decode(decoder: "msgspec.json.Decoder[Any]", body: bytes) -> Any:
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        start = body[:200].decode("utf-8", "replace").strip()
        if start.startswith("<"):
            raise TransientError("the provider sent a web page, not JSON") from None
        raise TransientError(
            f"the provider's reply is not the expected JSON: {start[:80]!r}"
        ) from None


def _text(content: str | Sequence[Any] | None) -> str:
    """The plain text of a message, whose content may be a list of typed parts."""
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
    """Prompt and completion tokens; if one is missing, it is computed from the total if possible."""
    if usage is None:
        return None, None
    prompt, completion, total = usage.prompt_tokens, usage.completion_tokens, usage.total_tokens
    if total is not None:
        if prompt is None and completion is not None:
            prompt = max(0, total - completion)
        elif completion is None and prompt is not None:
            completion = max(0, total - prompt)
    return prompt, completion


def _join(numbers: set[int]) -> str:
    return " and ".join(map(str, sorted(numbers)))
