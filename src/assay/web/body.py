"""The body of a request that changes something, as a struct."""

from typing import TypeVar

import msgspec
from aiohttp import web

from assay.errors import UseError

T = TypeVar("T")


async def read_body(request: web.Request, as_type: type[T]) -> T:
    """The JSON body of a request; raises ``UseError`` if it is not of this type."""
    try:
        return msgspec.json.decode(await request.read(), type=as_type)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UseError(f"the request is wrong: {error}") from None
