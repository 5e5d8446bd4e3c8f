"""Converting what a system returns into an ``Answer``.

A system may return a string, an ``Answer``, or a mapping. The mapping has ``answer`` (or
``text``) and optionally ``passages`` (strings, or mappings with ``id``/``chunk_id``,
``text``/``content``, ``page``, ``score``, ``rank``), ``usage`` (``prompt_tokens``,
``completion_tokens``, ``cost``), ``stages`` (names with seconds or details, or mappings with
``name``, ``elapsed_s``, ``skipped``, ``detail``), ``evaluation`` (a mapping of whatever the system
measured), ``dim``, ``finish_reason`` and ``extra``. A pydantic model, a dataclass, an attrs object or
a struct is read like the mapping of its fields, as the reply and inside it; the replies and documents
of LangChain, LlamaIndex, Haystack and DSPy are read by their shapes (``assay.systems.framework``). The fields of a structured answer
(``citations``, ``citation``, ``evidence``, ``amount``, ``date``, ``boolean``, ``abstained``, and
``text`` beside ``answer``) are stored unchanged in ``extra``. Without ``passages`` it is not known
what the system retrieved; an empty list means that it retrieved nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from assay.errors import SystemFailed
from assay.models.meter import checked_usage
from assay.models.refusal import chat_fault
from assay.records import Answer, Passage, Stage, Usage
from assay.redact.error_text import error_line
from assay.systems.framework import document_fields, plain_reply
from assay.systems.plain import plain, plain_fields

_LONGEST_ERROR: Final = 500
_STRUCTURED: Final = (
    "citations", "citation", "evidence", "amount", "amount_total", "amount_breakdown", "date",
    "date_range", "count", "boolean", "boolean_answer", "text_answer", "entity", "abstained",
)  # fmt: skip
"""The fields of a structured answer that are kept in ``Answer.extra``."""
_FURTHER: Final = ("passages", "usage", "stages", "evaluation", "dim", "extra", *_STRUCTURED)
"""The fields of a reply besides the answer and the reason for which it ended."""


def to_answer(reply: Any) -> Answer:
    """The answer that a reply contains; raises ``SystemFailed`` if the reply is malformed.

    >>> to_answer({"answer": "42", "passages": [{"chunk_id": "c1", "page": 3}]}).passages[0].page
    3
    """
    if isinstance(reply, Answer):
        return plain_answer(reply)
    if isinstance(reply, str):
        return Answer(text=plain(reply))
    reply = _as_mapping(plain_reply(reply))
    text = plain(reply.get("text") if reply.get("answer") is None else reply["answer"])
    if reply.get("error") and isinstance(text, str | None):
        raise SystemFailed(f"the system reports an error: {_line(reply['error'])}")
    if not isinstance(text, str):
        raise SystemFailed("the system's reply has no 'answer' that is a string")
    try:
        answer = Answer(
            text=text,
            passages=_passages(_checked_value(reply, "passages", list | tuple)),
            usage=_usage(reply.get("usage")),
            stages=tuple(
                _stages(plain(_checked_value(reply, "stages", Mapping | list | tuple) or ()))
            ),
            finish_reason=plain(_checked_value(reply, "finish_reason", str)),
            extra=_extra(reply),
        )
    except (msgspec.ValidationError, TypeError, ValueError, RecursionError) as error:
        raise SystemFailed(f"the system's reply cannot be read: {error}") from None
    fault = chat_fault(text, answer.finish_reason)
    if fault is not None:
        raise fault
    return answer


def plain_answer(answer: Answer) -> Answer:
    """The answer without classes of others in its text and its extra fields, which JSON cannot hold."""
    changes: dict[str, Any] = {}
    if type(answer.text) is not str:
        changes["text"] = plain(answer.text)
    if answer.extra:
        changes["extra"] = plain(answer.extra)
    return replace(answer, **changes) if changes else answer


def readable_fields(reply: Mapping[str, Any]) -> dict[str, Any]:
    """The further fields of a reply that have the form which ``to_answer`` reads.

    A service may use one of the names for something else; such a field is left out.

    >>> readable_fields({"answer": "42", "passages": 3, "usage": {"cost": 0.1}, "took": 5})
    {'usage': {'cost': 0.1}}
    """
    present = {name: reply[name] for name in _FURTHER if reply.get(name) is not None}
    return {name: value for name, value in present.items() if _is_readable(name, value)}


def _is_readable(name: str, value: Any) -> bool:
    try:
        to_answer({"answer": "any", name: value})
    except SystemFailed:
        return False
    return True


def _line(error: Any) -> str:
    """What an error in a reply says, on one line: a text, or the ``message`` of an object."""
    message = error.get("message", error) if isinstance(error, Mapping) else error
    return error_line(str(message), _LONGEST_ERROR)


def _as_mapping(reply: Any) -> Mapping[str, Any]:
    """The reply as a mapping; raises ``SystemFailed`` if it is nothing like one."""
    fields = plain_fields(reply)
    if fields is not None:
        return fields
    raise SystemFailed(
        f"the system returned {type(reply).__name__}; expected a string or a mapping with 'answer'"
    )


def _checked_value(reply: Mapping[str, Any], name: str, kind: Any) -> Any:
    value = reply.get(name)
    if value is not None and not isinstance(value, kind):
        raise TypeError(f"{name} is {type(value).__name__}")
    return value


def _extra(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """The extra fields. An empty list of citations is kept: it means that nothing is cited."""
    extra = dict(_fields_value(reply, "extra") or {})
    if (evaluation := _fields_value(reply, "evaluation")) is not None:
        extra["evaluation"] = evaluation
    if (dim := _checked_value(reply, "dim", int)) is not None:
        extra["dim"] = dim
    extra.update({name: reply[name] for name in _STRUCTURED if reply.get(name) is not None})
    if reply.get("answer") is not None and reply.get("text") is not None:
        extra["text"] = reply["text"]
    fields: Mapping[str, Any] = plain(extra)
    return fields


def _fields_value(reply: Mapping[str, Any], name: str) -> Mapping[Any, Any] | None:
    """A field that is a mapping, or an object with fields."""
    value = reply.get(name)
    fields = None if value is None else plain_fields(value)
    if fields is None and value is not None:
        raise TypeError(f"{name} is {type(value).__name__}")
    return fields


def _stages(items: Any) -> Iterator[Stage]:
    """The stages: a list of them, or by name their seconds, their details or both."""
    if not isinstance(items, Mapping):
        for item in items:
            yield item if isinstance(item, Stage) else _stage(dict(item))
        return
    for name, stated in items.items():
        if isinstance(stated, int | float):
            yield Stage(name=str(name), elapsed_s=float(stated))
        else:
            yield _stage({"name": str(name), **dict(stated or {})})


def _stage(item: dict[str, Any]) -> Stage:
    """A stage; what is not a field of it is a detail. ``seconds`` is another name of its time."""
    detail = dict(item.pop("detail", None) or {})
    elapsed_s = item.pop("elapsed_s", item.pop("seconds", 0.0))
    fields = {
        "name": item.pop("name", None),
        "elapsed_s": elapsed_s,
        "skipped": item.pop("skipped", None),
    }
    return msgspec.convert({**fields, "detail": {**item, **detail}}, Stage)


def _passages(items: Iterable[Any] | None) -> tuple[Passage, ...] | None:
    return None if items is None else tuple(map(_passage, items))


def _passage(item: Any) -> Passage:
    if isinstance(item, Passage):
        return item
    document = document_fields(item)
    item = plain(item) if document is None else document
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
        **_place(item),
    }
    return msgspec.convert(fields, Passage)


def _place(item: Mapping[str, Any]) -> dict[str, Any]:
    """Where a passage lies in its document, as far as the reply says so in this form."""
    source = item.get("source")
    place: dict[str, Any] = {"source": source if isinstance(source, str) else None}
    offsets = {name: item.get(name) for name in ("start", "end")}
    if all(type(value) is int for value in offsets.values()):
        place |= offsets
    return place


def _usage(item: Any) -> Usage | None:
    """The usage of a reply. One that cannot be right is not known; it never discards an answer."""
    return checked_usage(item)
