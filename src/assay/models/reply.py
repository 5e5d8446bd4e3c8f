"""Parsing the responses of OpenAI-compatible servers. Pure: takes bytes, returns a reply or raises.

Servers differ in detail and change over time. The result is always either a reply that contains
only what the server stated (missing token counts are ``None``, not zero) or an exception whose
class says whether a retry makes sense.
"""

import json
import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Raw, Struct

from assay.errors import SystemFailed, TransientError
from assay.models.meter import CallBill, read_bill
from assay.models.refusal import chat_fault, error_inside
from assay.records import was_cut


class ChatReply(Struct, frozen=True, kw_only=True):
    """The reply of a chat model. ``text`` is empty if the model returned no text.

    If the message has no content but a refusal, ``text`` is the refusal. ``finish_reason`` and
    ``reasoning`` are None if the provider did not state them. ``bill`` is what it stated about
    tokens and cost.
    """

    text: str
    finish_reason: str | None = None
    reasoning: str | None = None
    bill: CallBill = CallBill()

    @property
    def prompt_tokens(self) -> int | None:
        """The tokens of the prompt; None if they are not known."""
        return self.bill.prompt_tokens

    @property
    def completion_tokens(self) -> int | None:
        """The tokens of the answer; None if they are not known."""
        return self.bill.completion_tokens

    @property
    def truncated(self) -> bool:
        """Whether the reply was cut off at the token limit."""
        return was_cut(self.finish_reason)


class Vectors(Struct, frozen=True, kw_only=True):
    """The embeddings of a batch of texts, in the order of the texts."""

    vectors: tuple[tuple[float, ...], ...]
    bill: CallBill = CallBill()

    @property
    def prompt_tokens(self) -> int | None:
        """The tokens of the texts; None if they are not known."""
        return self.bill.prompt_tokens


class RerankScores(Struct, frozen=True, kw_only=True):
    """A score for each text of a request, in the order of the texts."""

    scores: tuple[float, ...]
    bill: CallBill = CallBill()

    @property
    def prompt_tokens(self) -> int | None:
        """The tokens of the texts; None if they are not known."""
        return self.bill.prompt_tokens


class _Message(Struct):
    content: str | list[Any] | None = None
    reasoning_content: Any = None
    reasoning: Any = None
    refusal: str | None = None
    tool_calls: Any = None
    function_call: Any = None


class _Choice(Struct):
    message: _Message | None = None
    text: str | None = None
    finish_reason: str | None = None
    native_finish_reason: Any = None
    error: Any = None
    index: Any = None


class _Chat(Struct):
    choices: list[_Choice] | None = None
    usage: Raw = Raw(b"null")
    error: Any = None


class _Embedding(Struct):
    embedding: tuple[float, ...]
    index: int | None = None


class _Embeddings(Struct):
    data: list[_Embedding] | None = None
    usage: Raw = Raw(b"null")
    error: Any = None


class _Ranked(Struct):
    index: int
    relevance_score: float | None = None
    score: float | None = None


class _Ranking(Struct):
    results: list[_Ranked] | None = None
    data: list[_Ranked] | None = None
    usage: Raw = Raw(b"null")
    error: Any = None


class _Label(Struct):
    label: str
    score: float


class _UsageOnly(Struct):
    usage: Raw = Raw(b"null")


_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding raises for a body that is not JSON of the expected form."""
_THOUGHTS = ("thinking", "reasoning")
"""The types of parts that hold the thoughts of a model, not its answer."""
_LONGEST_INTEGER = 18
_usage_only = msgspec.json.Decoder(_UsageOnly, strict=False)
_ranking = msgspec.json.Decoder(_Ranking | list[_Ranked], strict=False)
_labels = msgspec.json.Decoder(list[list[_Label]] | dict[str, Any], strict=False)
_chat = msgspec.json.Decoder(_Chat, strict=False)
_embeddings = msgspec.json.Decoder(_Embeddings, strict=False)


def read_chat(body: bytes) -> ChatReply:
    """Parse the body of a 200 response to a chat request.

    Raises:
        TransientError: the body is not JSON of the expected form, has no choices, no message or
            no content, or the model called a tool instead of answering.
        Filtered: the provider's filter withheld the answer.
        CaseError, RunStopped: the body contains an ``error`` object; its code decides which.
    """
    answer = _decode(_chat, body)
    if answer.error:
        raise error_inside(answer.error)
    if not answer.choices:
        raise TransientError("the provider's reply has no choices")
    choice = _first_choice(answer.choices)
    if choice.message is None and choice.text is None and not choice.error:
        raise TransientError("the provider's reply has no message")
    message = choice.message or _Message(content=choice.text)
    text = message_text(message.content) or message.refusal or ""
    native = choice.native_finish_reason  # what the model's own server said to a gateway
    for reason in (choice.finish_reason, native if isinstance(native, str) else None):
        fault = chat_fault(text, reason, choice.error, message.tool_calls or message.function_call)
        if fault is not None:
            raise fault
    reasoning = message.reasoning_content or message.reasoning
    is_missing = message.content is None or not _has_text(message.content)
    if is_missing and not (text or reasoning or was_cut(choice.finish_reason)):
        kind = "null" if message.content is None else "a list without a text"
        kind = "an empty list" if message.content == [] else kind
        raise TransientError(f"the provider's reply has no text: its content is {kind}")
    return ChatReply(
        text=text,
        finish_reason=choice.finish_reason,
        reasoning=reasoning if isinstance(reasoning, str) else None,
        bill=_bill(answer.usage),
    )


def _first_choice(choices: Sequence[_Choice]) -> _Choice:
    """The choice with the index 0, wherever it is; without one, the first of the list."""
    return next((choice for choice in choices if choice.index in (0, "0")), choices[0])


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
    if answer.error:
        raise error_inside(answer.error)
    rows = answer.data or []
    if len(rows) != count:
        raise TransientError(f"the provider sent {len(rows)} embeddings for {count} texts")
    if all(row.index is not None for row in rows):
        rows = sorted(rows, key=lambda row: row.index or 0)
        if [row.index for row in rows] != list(range(count)):
            raise TransientError("the provider's embeddings are not numbered from 0 upwards")
    if not all(math.isfinite(sum(row.embedding)) for row in rows):
        raise TransientError("the provider sent an embedding with an infinite number in it")
    sizes = {len(row.embedding) for row in rows}
    if 0 in sizes:
        raise SystemFailed("the provider sent an embedding with no numbers in it")
    expected = {dimensions} if dimensions else sizes
    if len(sizes) > 1 or sizes != expected:
        raise SystemFailed(
            f"the provider sent embeddings of {_join(sizes)} dimensions"
            + (f" instead of the requested {dimensions}" if dimensions else "")
        )
    return Vectors(vectors=tuple(row.embedding for row in rows), bill=_bill(answer.usage))


def read_ranking(body: bytes, count: int) -> RerankScores:
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
    if answer.error:
        raise error_inside(answer.error)
    scores = {
        row.index: row.score if row.relevance_score is None else row.relevance_score
        for row in answer.results or answer.data or []
    }
    ordered = tuple(score for index in range(count) if (score := scores.get(index)) is not None)
    if len(ordered) != count or len(scores) != count:
        raise TransientError(f"the provider scored {len(ordered)} of {count} texts")
    return RerankScores(scores=_finite(ordered), bill=_bill(answer.usage))


def read_entailment(body: bytes, count: int) -> RerankScores:
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
    return RerankScores(scores=_finite(scores))


def stated_bill(body: bytes) -> CallBill:
    """The tokens and the cost that a body states, even if it is otherwise unusable.

    >>> stated_bill(b'{"choices": [], "usage": {"prompt_tokens": 7, "total_tokens": 9}}')
    CallBill(prompt_tokens=7, completion_tokens=2, cost=None)
    >>> stated_bill(b"<html>")
    CallBill(prompt_tokens=None, completion_tokens=None, cost=None)
    """
    try:
        return _bill(_usage_only.decode(body).usage)
    except _UNREADABLE:
        return CallBill()


def _bill(usage: Raw) -> CallBill:
    """The stated bill. It is decoded separately, so that a malformed one never discards an answer."""
    try:
        return read_bill(decode_json(bytes(usage)))
    except TransientError:
        return CallBill()


def decode_json(body: bytes) -> Any:
    """Decode JSON as most servers do: ``NaN`` and numbers out of range are no error.

    Half of a surrogate pair (an emoji that was cut in two) becomes U+FFFD.

    Raises:
        TransientError: the body is not JSON.

    >>> decode_json(b'{"cost": NaN, "tokens": 1e999}')
    {'cost': None, 'tokens': inf}
    """
    try:
        return msgspec.json.decode(body)
    except _UNREADABLE:
        try:
            return _whole(json.loads(body, parse_constant=lambda _: None, parse_int=_integer))
        except (ValueError, RecursionError):
            start = body[:80].decode("utf-8", "replace")
            raise TransientError(f"the reply is not JSON: {start!r}") from None


def _whole(value: Any) -> Any:
    """The value without lone surrogates, which no file can hold."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return value


def _integer(digits: str) -> float:
    """An integer; as a float if it has more digits than any count."""
    return int(digits) if len(digits) < _LONGEST_INTEGER else float(digits)


def _finite(scores: tuple[float, ...]) -> tuple[float, ...]:
    if not all(map(math.isfinite, scores)):
        raise TransientError("the provider sent an infinite score")
    return scores


def _decode(decoder: "msgspec.json.Decoder[Any]", body: bytes) -> Any:
    try:
        return decoder.decode(body)
    except _UNREADABLE:
        with suppress(*_UNREADABLE, TransientError):
            return decoder.decode(msgspec.json.encode(decode_json(body)))
        start = body[:200].decode("utf-8", "replace").strip()
        if start.startswith("<"):
            raise TransientError("the provider sent a web page, not JSON") from None
        raise TransientError(
            f"the provider's reply is not the expected JSON: {start[:80]!r}"
        ) from None


def _has_text(content: str | Sequence[Any]) -> bool:
    """Whether a message has a text at all, which may be empty."""
    return isinstance(content, str) or any(
        isinstance(part, str) or (isinstance(part, dict) and isinstance(part.get("text"), str))
        for part in content
    )


def message_text(content: str | Sequence[Any] | None) -> str:
    """The plain text of a message, whose content may be a list of typed parts."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = []
    for part in content:
        if isinstance(part, str):
            parts.append(part)
        elif (
            isinstance(part, dict)
            and isinstance(part.get("text"), str)
            and part.get("type") not in _THOUGHTS
        ):
            parts.append(part["text"])
    return "".join(parts)


def _join(numbers: set[int]) -> str:
    return " and ".join(map(str, sorted(numbers)))
