"""Converting what a system returns into an ``Answer``.

A system may return a string, an ``Answer``, or a mapping. The mapping has ``answer`` (or
``text``) and optionally ``passages`` (strings, or mappings with ``id``/``chunk_id``,
``text``/``content``, ``page``, ``score``, ``rank``), ``usage`` (``prompt_tokens``,
``completion_tokens``, ``cost``), ``finish_reason`` and ``extra``. The fields of a structured answer
(``citations``, ``citation``, ``evidence``, ``amount``, ``date``, ``boolean``, ``abstained``, and
``text`` beside ``answer``) are stored unchanged in ``extra``. Without ``passages`` it is not known
what the system retrieved; an empty list means that it retrieved nothing.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from assay.errors import SystemFailed
from assay.models import chat_fault, checked_usage
from assay.records import Answer, Passage, Usage

_STRUCTURED: Final = (
    "citations", "citation", "evidence", "amount", "amount_total", "amount_breakdown", "date",
    "date_range", "count", "boolean", "boolean_answer", "text_answer", "entity", "abstained",
)  # fmt: skip
"""The fields of a structured answer that are kept in ``Answer.extra``."""


def to_answer(reply: Any) -> Answer:
    """The answer that a reply contains; raises ``SystemFailed`` if the reply is malformed.

    >>> to_answer({"answer": "42", "passages": [{"chunk_id": "c1", "page": 3}]}).passages[0].page
    3
    """
    if isinstance(reply, Answer):
        return reply
    if isinstance(reply, str):
        return Answer(text=reply)
    if not isinstance(reply, Mapping):
        raise SystemFailed(
            f"the system returned {type(reply).__name__}; expected a string or a mapping "
            "with 'answer'"
        )
    text = reply.get("text") if reply.get("answer") is None else reply["answer"]
    if not isinstance(text, str):
        raise SystemFailed("the system's reply has no 'answer' that is a string")
    try:
        answer = Answer(
            text=text,
            passages=_passages(_checked_value(reply, "passages", list | tuple)),
            usage=_usage(reply.get("usage")),
            finish_reason=_checked_value(reply, "finish_reason", str),
            extra=_extra(reply),
        )
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        raise SystemFailed(f"the system's reply cannot be read: {error}") from None
    fault = chat_fault(text, answer.finish_reason)
    if fault is not None:
        raise fault
    return answer


def _checked_value(reply: Mapping[str, Any], name: str, kind: Any) -> Any:
    value = reply.get(name)
    if value is not None and not isinstance(value, kind):
        raise TypeError(f"{name} is {type(value).__name__}")
    return value


def _extra(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """The extra fields. An empty list of citations is kept: it means that nothing is cited."""
    extra = dict(_checked_value(reply, "extra", Mapping) or {})
    extra.update({name: reply[name] for name in _STRUCTURED if reply.get(name) is not None})
    if reply.get("answer") is not None and reply.get("text") is not None:
        extra["text"] = reply["text"]
    return extra


def _passages(items: Iterable[Any] | None) -> tuple[Passage, ...] | None:
    return None if items is None else tuple(map(_passage, items))


def _passage(item: Any) -> Passage:
    if isinstance(item, Passage):
        return item
    if isinstance(item, str):
        return Passage(id=item)
    if not isinstance(item, Mapping):
        raise TypeError(f"a passage is {type(item).__name__}")
    fields = {
        "id": item.get("id", item.get("chunk_id")),
        "text": item.get("text", item.get("content")) or "",
        "page": item.get("page"),
        "score": item.get("score"),
        "rank": item.get("rank"),
    }
    return msgspec.convert(fields, Passage)


def _usage(item: Any) -> Usage | None:
    """The usage of a reply. One that cannot be right is not known; it never discards an answer."""
    return checked_usage(item)
