"""Replies that come in pieces, joined into the reply that would have come at once. Pure.

Pieces are server-sent events, lines of JSON, or plain text. A stream that broke off is no answer, and
neither is one of which it is not clear which part is the answer: text in two places of the events is
refused, with the line of configuration that decides.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.config.system import StreamConfig
from assay.errors import SystemFailed, TransientError
from assay.models.refusal import error_inside
from assay.models.reply import decode_json, message_text

_SHOWN: Final = 80
_LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_DONE: Final = "[DONE]"
_SSE: Final = "text/event-stream"
_LINES: Final = frozenset(
    f"application/{name}"
    for name in (
        "x-ndjson",
        "ndjson",
        "jsonl",
        "x-jsonlines",
        "jsonlines",
        "json-lines",
        "stream+json",
    )
)
_TEXTS: Final = frozenset({"", "application/octet-stream", "text/plain", "text/markdown"})
"""The content types of services that only send what their model says, also by default."""
_ENOUGH: Final = 9
"""So many bytes tell the format, if the content type leaves it open."""
_SSE_START: Final = (b"data:", b"event:", b"id:", b"retry:")
_FIELDS: Final = frozenset({"data", "event", "id", "retry"})
_CHOICE: Final = ("choices", 0)
_TEXT: Final[tuple[tuple[str | int, ...], ...]] = (
    (*_CHOICE, "delta", "content"),
    (*_CHOICE, "text"),
    (*_CHOICE, "message", "content"),
    ("delta", "text"),
    ("delta", "content"),
    ("delta",),
    ("message", "content"),
    ("token", "text"),
    ("token",),
    ("chunk",),
    ("response",),
    ("text",),
    ("content",),
    ("answer",),
    ("output",),
)
"""Where the events of model servers and frameworks have the next piece of text; the first counts."""
_REASONS: Final[tuple[tuple[str | int, ...], ...]] = (
    (*_CHOICE, "finish_reason"),
    ("delta", "stop_reason"),
    ("finish_reason",),
    ("stop_reason",),
    ("done_reason",),
)
_FEWEST: Final = 3
"""So many pieces are no coincidence if each of them repeats the text so far."""


class Joined(Struct, frozen=True, kw_only=True):
    """A stream as one reply. ``text`` is None if no event has any.

    ``reply`` has the fields of all events, of later ones in place of earlier ones, or those of the
    event that the configuration names.
    """

    text: str | None
    reply: Mapping[str, Any] = {}


class Event(Struct, frozen=True, kw_only=True):
    """One event: its name, and its data, a text or an object."""

    name: str = ""
    data: Any = ""

    @property
    def kind(self) -> str:
        """The name, also if it is in the data."""
        named = (self.data.get(name) for name in ("type", "event")) if self.fields else ()
        return self.name or next((name for name in named if isinstance(name, str)), "")

    @property
    def fields(self) -> Mapping[str, Any]:
        """The data if it is an object; otherwise nothing."""
        return self.data if isinstance(self.data, Mapping) else {}


class Stream:
    """The body of a response while it arrives.

    ``headers`` are those of the response, ``delta`` finds the text in an event, and ``encode`` gives the
    body for a stream that was joined. ``takes_text`` says whether a plain text may be the answer.
    ``first_text_at`` is when the first text was there, by ``time.perf_counter``; None before that, and
    for a body that came as a whole.
    """

    def __init__(
        self,
        headers: Mapping[str, str],
        config: StreamConfig | None = None,
        delta: Callable[[Any], Any] | None = None,
        encode: "Callable[[Joined], bytes] | None" = None,
        *,
        takes_text: bool = True,
    ) -> None:
        self._encode = encode or chat_body
        self._takes_text = takes_text
        self._config = config or StreamConfig()
        self._delta = delta
        self._type = headers.get("Content-Type", "").partition(";")[0].strip().lower()
        self._has_length = "Content-Length" in headers
        self._has_end = (
            self._has_length or "chunked" in headers.get("Transfer-Encoding", "").lower()
        )
        self._format = self._stated_format()
        self._start: bytes | None = b""  # what came before the format was known
        self._parser = _Parser(is_sse=True)
        self._events: list[Event] = []
        self.first_text_at: float | None = None
        self.is_joined = False

    def feed(self, piece: bytes) -> None:
        """Take the next piece of the body, decompressed."""
        if self._start is None:
            self._parse(piece)
            return
        self._start += piece
        length = len(self._start.lstrip())
        if length:
            self._note_text()  # which counts if it turns out to be plain text
        if self._format or length >= _ENOUGH:
            self._begin()

    def _begin(self) -> None:
        """Decide what the format is, and parse what has come so far."""
        start, self._start = self._start or b"", None
        self._format = self._format or self._format_of(start.lstrip())
        if self._format != "text":
            self.first_text_at = None
        self._parser = _Parser(is_sse=self._format == "sse")
        self._parse(start)

    def _parse(self, piece: bytes) -> None:
        if self._format in {"sse", "lines"}:
            for event in self._parser.feed(piece):
                self._add(event)

    def joined_body(self, body: bytes) -> bytes:
        """The body of the reply that would have come without streaming; see ``joined``."""
        joined = self.joined(body)
        self.is_joined = joined is not None
        return body if joined is None else self._encode(joined)

    def joined(self, body: bytes) -> Joined | None:
        """The joined stream; None if the body is no stream but one reply.

        Raises:
            CaseError, RunStopped: the stream broke off, reports an error, or is not clear.
        """
        if self._start is not None:
            self._begin()
        if self._format == "none" or self._is_one_reply(body):
            self.first_text_at = None
            return None
        for event in self._parser.end():
            self._add(event)
        if self._has_length:
            self.first_text_at = None  # it was complete before it was sent
        if self._format == "text":
            return self._whole_text(body)
        if self._format == "lines":
            self._refuse_text()
        if self._parser.fault:
            raise SystemFailed(self._parser.fault)
        return join_events(self._events, self._config, self._delta, has_end=self._has_end)

    def _refuse_text(self) -> None:
        for event in self._events:
            if _value(event.data) is None:
                raise TransientError(f"a line of the reply is not JSON: {event.data[:_SHOWN]!r}")

    def _stated_format(self) -> str:
        if self._config.format != "auto":
            return self._config.format
        if self._type == _SSE:
            return "sse"
        if self._type in _LINES:
            return "lines"
        # a JSON reply of the usual kind is not looked at twice
        is_json = self._type.endswith("json") and not self._has_length
        is_text = self._type in _TEXTS
        return "" if is_json or is_text else "none"

    def _format_of(self, start: bytes) -> str:
        """The format by the first bytes, if the content type leaves it open."""
        if start.startswith(_SSE_START):
            return "sse"
        if start.startswith(b"{") or self._type.endswith("json"):
            return "lines"
        is_page = start[:_ENOUGH].lower().startswith((b"<html", b"<!doctype"))
        return "text" if start and self._takes_text and not is_page else "none"

    def _is_one_reply(self, body: bytes) -> bool:
        """Whether the body is one JSON value: a reply of the usual kind."""
        if self._format == "sse" or self._config.format != "auto" or self._type in _LINES:
            return False
        try:
            value = decode_json(body)
        except TransientError:
            return self._type.endswith("json") and not self._has_lines()
        is_value = isinstance(value, dict) or (isinstance(value, str) and not self._type)
        return is_value or self._type.endswith("json")

    def _has_lines(self) -> bool:
        return len(self._events) > 1 and all(
            _value(event.data) is not None for event in self._events
        )

    def _whole_text(self, body: bytes) -> Joined:
        if not self._has_end and self._config.format == "auto":
            raise SystemFailed(
                "the service says neither how long its text is nor sends it in chunks, so half a text "
                "cannot be told from a whole one; if that never happens, write stream: {format: text}"
            )
        try:
            return Joined(text=body.decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise SystemFailed("the text of the reply is not UTF-8") from None

    def _note_text(self) -> None:
        if self.first_text_at is None:
            self.first_text_at = time.perf_counter()

    def _add(self, event: Event) -> None:
        self._events.append(event)
        if self.first_text_at is None and _is_text(event, self._config, self._delta):
            self._note_text()


class _Parser:
    """Events from the bytes of a stream, however they are cut. ``fault`` says what cannot be read."""

    def __init__(self, *, is_sse: bool) -> None:
        self._is_sse = is_sse
        self._rest: list[bytes] = []  # a line so far; joined once, because it may be long
        self._held = b""
        self._is_first = True
        self._name = ""
        self._data: list[str] = []
        self.fault = ""

    def feed(self, piece: bytes, *, at_end: bool = False) -> Iterator[Event]:
        """The events that are complete with this piece."""
        data = self._held + piece
        # a carriage return may be the first half of an end of line
        known = len(data) if at_end or not data.endswith(b"\r") else len(data) - 1
        place = 0
        for match in _LINE_END.finditer(data, 0, known):
            self._rest.append(data[place : match.start()])
            line = b"".join(self._rest)
            self._rest.clear()
            yield from self._line(line)
            place = match.end()
        self._rest.append(data[place:known])
        self._held = data[known:]

    def end(self) -> Iterator[Event]:
        """The events that the end of the body completes."""
        yield from self.feed(b"\n" if self._held or any(self._rest) else b"", at_end=True)
        if self._data:
            yield self._event()

    def _line(self, line: bytes) -> Iterator[Event]:
        try:
            text = line.decode()
        except UnicodeDecodeError:
            self.fault = self.fault or "the stream is not UTF-8"
            return
        if self._is_first:
            text, self._is_first = text.removeprefix("\ufeff"), False
        if not self._is_sse:
            if text.strip():
                yield Event(data=text)
            return
        if not text:
            if self._data:
                yield self._event()
            self._name = ""
            return
        field, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
        elif field not in _FIELDS and field:  # without a name it is a comment, which keeps it alive
            self.fault = self.fault or (
                f"a line of the stream is no field of an event: {text[:_SHOWN]!r}; write 'data:' before "
                "each line of a text"
            )

    def _event(self) -> Event:
        event = Event(name=self._name, data="\n".join(self._data))
        self._data.clear()
        self._name = ""
        return event


def join_events(
    events: Sequence[Event],
    config: StreamConfig | None = None,
    delta: Callable[[Any], Any] | None = None,
    *,
    has_end: bool = True,
) -> Joined:
    """One reply from the events of a stream, whose data are texts or objects.

    ``has_end`` says whether the transport tells a complete stream from one that was cut. ``delta``
    finds the text in an object; without it the usual places are looked at.

    >>> join_events([Event(data='{"delta": "Thirty"}'), Event(data='{"delta": " days."}')]).text
    'Thirty days.'
    >>> join_events([Event(data="Thirty"), Event(data=" days."), Event(data="[DONE]")]).text
    'Thirty days.'
    """
    config = config or StreamConfig()
    is_ended, events = _until_end(events, config)
    return join_values(_decoded(events), config, delta, is_ended=is_ended, has_end=has_end)


def join_values(
    events: Sequence[Event],
    config: StreamConfig | None = None,
    delta: Callable[[Any], Any] | None = None,
    *,
    is_ended: bool = False,
    has_end: bool = True,
) -> Joined:
    """One reply from events whose data are the texts and objects themselves.

    ``is_ended`` says whether a mark at the end said that the stream is complete.
    """
    config = config or StreamConfig()
    for event in events:
        _refuse_error(event)
    objects = [event for event in events if event.fields]
    _refuse_half(objects, config, is_ended=is_ended, has_end=has_end)
    if not events:
        raise TransientError("the stream is empty")
    if config.final:
        final = _final(objects, config)
        # what the final event has is for 'answer' to find: it may repeat the text
        others = [] if has_text(final, config, delta) else _pieces(events, config, delta)
        text = _joined_text(list(others))
        return Joined(text=text, reply=final.fields)
    text = _joined_text(list(_pieces(events, config, delta)))
    return Joined(text=text, reply=_as_chat(_merged(objects), objects, text))


def _until_end(events: Sequence[Event], config: StreamConfig) -> tuple[bool, Sequence[Event]]:
    """Whether a mark says that the stream is complete, and the events before it."""
    for place, event in enumerate(events):
        mark = event.data.strip() if isinstance(event.data, str) else ""
        if mark == (config.end or _DONE):
            return True, events[:place]
        if config.end and config.end in {event.name, Event(data=_value(event.data)).kind}:
            return True, events[: place + 1]
    return False, events


def _decoded(events: Sequence[Event]) -> list[Event]:
    """The events with their data as objects and texts; texts may be written as JSON."""
    values = [_value(event.data) for event in events]
    others = [value for value in values if not isinstance(value, Mapping)]
    has_objects = len(others) < len(values)
    are_json = None not in others
    decoded = []
    for event, value in zip(events, values, strict=True):
        if value is None and has_objects and event.data.lstrip().startswith("{"):
            raise TransientError(f"an event of the stream is not JSON: {event.data[:_SHOWN]!r}")
        is_text = not (are_json or isinstance(value, Mapping))
        decoded.append(Event(name=event.name, data=event.data if is_text else value))
    return decoded


def _value(data: Any) -> Mapping[str, Any] | str | None:
    """The object or the text that is written as JSON; None if it is anything else."""
    if isinstance(data, Mapping):
        return data
    if not data.lstrip().startswith(("{", '"')):
        return None
    try:
        value = decode_json(data.encode())
    except TransientError:
        return None
    return value if isinstance(value, dict | str) else None


def _refuse_error(event: Event) -> None:
    """Raise if the event says that the service failed."""
    error = event.fields.get("error")
    if error or event.kind == "error":
        raise error_inside(error or event.data)


def _pieces(
    events: Iterable[Event], config: StreamConfig, delta: Callable[[Any], Any] | None
) -> Iterator[tuple[str, str]]:
    """The pieces of the text, each with where it was found."""
    for event in events:
        is_other = _at(event.data, (*_CHOICE, "index")) not in (None, 0)
        if is_other or config.event not in {None, event.kind}:
            continue
        where, text = _piece(event, delta)
        if text:
            yield (f"{where} of {event.kind!r}" if event.kind else where), text


def _piece(event: Event, delta: Callable[[Any], Any] | None) -> tuple[str, str]:
    if isinstance(event.data, str):
        return "data", event.data
    if delta is not None:
        return "delta", _text(delta(event.data))
    for path in _TEXT:
        if text := _text(_at(event.data, path)):
            return ".".join(map(str, path)).replace(".0", "[0]"), text
    return "", ""


def _text(value: Any) -> str:
    return message_text(value) if isinstance(value, str | list) else ""


def _at(value: Any, path: Iterable[str | int]) -> Any:
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and len(value) > step else None
        else:
            value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _is_text(event: Event, config: StreamConfig, delta: Callable[[Any], Any] | None) -> bool:
    """Whether an event, as it came, has some of the answer's text."""
    if isinstance(event.data, str) and event.data.strip() in {"", config.end or _DONE}:
        return False
    return has_text(_decoded([event])[0], config, delta)


def has_text(
    event: Event,
    config: StreamConfig | None = None,
    delta: Callable[[Any], Any] | None = None,
) -> bool:
    """Whether an event has some of the answer's text."""
    return any(_pieces([event], config or StreamConfig(), delta))


def _joined_text(pieces: Sequence[tuple[str, str]]) -> str | None:
    """The text of all pieces, if it is clear that they follow each other."""
    if not pieces:
        return None
    places = list(dict.fromkeys(where for where, _ in pieces))
    texts = [text for _, text in pieces]
    before, last = "".join(texts[:-1]), texts[-1]
    if len(places) > 1:
        if len(places) == 2 and pieces[-1][0] == places[1] and before.strip() == last.strip():
            return last  # the whole text once more, as many services end
        listed = " and in ".join(places[:_FEWEST])
        raise SystemFailed(
            f"the stream has text in {listed}: write which one is the answer, as stream: {{event: NAME}}, "
            "stream: {delta: PATH} or stream: {final: NAME}"
        )
    grows = all(later.startswith(text) for text, later in pairwise(texts))
    if len(texts) >= _FEWEST and last != texts[0] and (grows or before == last):
        raise SystemFailed(
            "each event of the stream, or the last one, repeats the text so far: write stream: "
            "{final: last} and where the text is as 'answer'"
        )
    return "".join(texts)


def _refuse_half(
    objects: Sequence[Event], config: StreamConfig, *, is_ended: bool, has_end: bool
) -> None:
    """Raise if the stream does not say that it is complete."""
    is_chat = any("choices" in event.fields for event in objects)
    stated = [event.fields["done"] for event in objects if type(event.fields.get("done")) is bool]
    says_so = is_ended or _reason(objects) is not None or (bool(stated) and stated[-1])
    if config.end:
        if not is_ended:
            raise TransientError(f"the stream broke off: it ended without {config.end!r}")
    elif (is_chat or stated) and not says_so:
        what = "neither a finish_reason nor [DONE]" if is_chat else "no event says that it is done"
        raise TransientError(f"the stream broke off: {what}")
    elif not (has_end or says_so or config.final):
        raise TransientError(
            "the stream ended with the connection, and nothing says that it was complete; write what "
            "its last event is, as stream: {end: NAME}"
        )


def _reason(objects: Sequence[Event]) -> str | None:
    """Why the answer ended, as the last event says that does."""
    reasons = (_at(event.data, path) for event in reversed(objects) for path in _REASONS)
    return next((reason for reason in reasons if isinstance(reason, str) and reason), None)


def _final(objects: Sequence[Event], config: StreamConfig) -> Event:
    """The event that holds the reply."""
    chosen = [event for event in objects if config.final in {"last", event.kind}]
    if not chosen:
        raise TransientError(
            f"the stream broke off: it has no event {config.final!r} with an object"
        )
    return chosen[-1]


def _merged(objects: Sequence[Event]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for event in objects:
        merged |= {name: value for name, value in event.fields.items() if value is not None}
    return merged


def _as_chat(
    reply: Mapping[str, Any], objects: Sequence[Event], text: str | None
) -> Mapping[str, Any]:
    """The reply with the message that the pieces of a chat completion make together."""
    found = (_at(event.data, _CHOICE) for event in objects)
    choices = [choice for choice in found if choice and isinstance(choice, Mapping)]
    reason = _reason(objects)
    reply = reply if reason is None else {**reply, "finish_reason": reason}
    if not choices:
        return reply
    said = (choice.get("delta") or choice.get("message") for choice in choices)
    deltas = [each for each in said if isinstance(each, Mapping)]
    is_stated = any(isinstance(delta.get("content"), str) for delta in deltas)
    message: dict[str, Any] = {"content": text if text or not is_stated else ""}
    for name in ("reasoning_content", "reasoning", "refusal"):
        parts = [part for delta in deltas if isinstance(part := delta.get(name), str)]
        if parts:
            message[name] = "".join(parts)
    message["tool_calls"] = next(
        (calls for each in deltas if (calls := each.get("tool_calls"))), None
    )
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": reason,
        "error": next((error for each in choices if (error := each.get("error"))), None),
    }
    return {**reply, "choices": [choice]}


def chat_body(joined: Joined) -> bytes:
    """The body of the chat completion that would have come without streaming."""
    return msgspec.json.encode(joined.reply)
