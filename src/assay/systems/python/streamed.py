"""What a generator yields, joined into one reply: pieces of text, and objects with further fields.

The last object may hold passages and usage. Pieces of other libraries are read by their shape.
"""

import time
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

import msgspec

from assay.errors import SystemFailed
from assay.models.meter import first_text
from assay.models.stream import Event, has_text, join_values
from assay.models.wire import LARGEST_REPLY
from assay.records import Answer
from assay.systems.framework import pieces_of, plain_reply
from assay.systems.plain import plain_fields


def pieces_in(reply: Any) -> Iterator[Any] | None:
    """What a reply yields; None if it is no stream."""
    return reply if isinstance(reply, Iterator) else pieces_of(reply)


def join(pieces: Iterator[Any]) -> Mapping[str, Any]:
    """The reply that the pieces make together."""
    joining = _Joining()
    try:
        for piece in pieces:
            joining.add(piece)
    finally:
        if (close := getattr(pieces, "close", None)) is not None:
            close()
    return joining.reply()


async def join_async(pieces: AsyncIterator[Any]) -> Mapping[str, Any]:
    """The reply that the pieces of an asynchronous generator make together."""
    joining = _Joining()
    try:
        async for piece in pieces:
            joining.add(piece)
    finally:
        if (close := getattr(pieces, "aclose", None)) is not None:
            await close()
    return joining.reply()


class _Joining:
    def __init__(self) -> None:
        self._events: list[Event] = []
        self._size = 0
        self._first_text_at: float | None = None

    def add(self, piece: Any) -> None:
        event = Event(data=_data(piece))
        self._events.append(event)
        if isinstance(event.data, str):
            self._size += len(event.data)
            if self._size > LARGEST_REPLY:
                raise SystemFailed(f"what it yields is larger than {LARGEST_REPLY / 2**20:g} MB")
        if self._first_text_at is None and has_text(event):
            self._first_text_at = time.perf_counter()

    def reply(self) -> Mapping[str, Any]:
        if not self._events:
            raise SystemFailed("it yielded nothing")
        joined = join_values(self._events)
        first_text(self._first_text_at)
        return {**joined.reply, "answer": joined.text}


def _data(piece: Any) -> str | Mapping[str, Any]:
    """A piece as a text or as the mapping of its fields."""
    if isinstance(piece, str):
        return str.__str__(piece)
    if isinstance(piece, Answer):
        fields = {**msgspec.structs.asdict(piece), "answer": piece.text}
        fields.pop("text")
        return {name: value for name, value in fields.items() if value not in (None, (), {})}
    found = plain_fields(piece if isinstance(piece, Mapping) else plain_reply(piece))
    if found is None:
        raise SystemFailed(
            f"it yielded {type(piece).__name__}; expected texts, or objects with fields"
        )
    inner = plain_reply(found.get("answer"))  # a message inside of an object
    return {**found, **inner} if isinstance(inner, Mapping) else found
