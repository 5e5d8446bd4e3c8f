"""Answers of the JSON interface, and work that takes time."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec
from aiohttp import web

from assay.errors import UseError
from assay.web.api import Problem
from assay.web.search import Cancelled

LARGEST_BODY: Final = 1_000_000
"""No answer of the interface, and no request, is larger, in bytes."""
T = TypeVar("T")


def json_reply(value: Any, status: int = 200) -> web.Response:
    """A struct as the answer; an error if it is too large."""
    body = msgspec.json.encode(value)
    if len(body) > LARGEST_BODY:
        body = msgspec.json.encode(
            Problem(error=f"the answer would have {len(body)} bytes, {LARGEST_BODY} are allowed")
        )
        status = 500
    response = web.Response(body=body, status=status, content_type="application/json")
    if len(body) > 4096:
        response.enable_compression()
    return response


def whole(text: str) -> int:
    """The number of a parameter; raises ``UseError`` if it is none."""
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise UseError(f"{text[:40]!r} is not a whole number")
    return int(text)


async def in_thread(work: Callable[[Callable[[], bool]], T]) -> T:
    """Run ``work`` in a thread; its argument says whether the client has gone."""
    gone = threading.Event()
    try:
        return await asyncio.to_thread(work, gone.is_set)
    except asyncio.CancelledError:
        gone.set()
        raise
    except Cancelled:
        raise asyncio.CancelledError from None
