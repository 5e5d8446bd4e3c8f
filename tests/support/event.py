"""Server-sent events for tests: a client that remembers what a browser would."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientTimeout
from aiohttp.test_utils import TestClient

from tests.support.page import BEARER

EVENTS = "/api/v1/events"


@dataclass(kw_only=True)
class Event:
    """One event of a stream."""

    id: str = ""
    name: str = ""
    data: Any = None


def parse_events(text: str) -> list[Event]:
    """The events of a text, without comments and without an incomplete one at its end."""
    events = []
    for block in text.split("\n\n")[:-1]:
        event = Event()
        for line in block.split("\n"):
            name, _, value = line.partition(": ")
            if name == "id":
                event.id = value
            elif name == "event":
                event.name = value
            elif name == "data":
                event.data = json.loads(value)
        if event.name:
            events.append(event)
    return events


@dataclass(kw_only=True)
class Listener:
    """Reads a stream; ``last`` is the id of the last event that it got."""

    content: Any
    last: str = ""
    events: list[Event] = field(default_factory=list)
    rest: str = ""

    async def next(self) -> Event:
        """The next event."""
        while not self.events:
            part = await self.content.readany()
            if not part:
                raise EOFError
            self.rest += part.decode()
            whole, _, self.rest = self.rest.rpartition("\n\n")
            self.events = parse_events(f"{whole}\n\n") if whole else []
        event = self.events.pop(0)
        self.last = event.id or self.last
        return event

    async def until(self, name: str) -> list[Event]:
        """The events up to the next one of this name, which is the last of them."""
        found = [await self.next()]
        while found[-1].name != name:
            found.append(await self.next())
        return found


@asynccontextmanager
async def listening(
    client: TestClient[Any, Any], query: str = "", after: str = ""
) -> AsyncIterator[Listener]:
    """A stream of events, opened as a browser opens it again."""
    headers = BEARER | ({"Last-Event-ID": after} if after else {})
    response = await client.get(
        EVENTS + query, headers=headers, timeout=ClientTimeout(total=None, sock_read=30)
    )
    assert response.status == 200, response.status
    try:
        yield Listener(content=response.content, last=after)
    finally:
        response.close()
