"""Connections of the server: what is no HTTP is refused quietly, with the headers of every answer."""

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import Any, Final

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from assay.web.guard import HEADERS

_SILENT: Final = logging.getLogger("assay.web.connection")
_SILENT.addHandler(logging.NullHandler())
_SILENT.propagate = False


class _Connection(RequestHandler):
    """A connection whose answer to a malformed request has the headers of the page too."""

    __slots__ = ()

    def handle_error(self, *words: Any, **named: Any) -> web.StreamResponse:
        """The refusal of a request that is no HTTP."""
        response = super().handle_error(*words, **named)
        response.headers.update(HEADERS)
        return response


async def listen(app: web.Application, listener: socket.socket) -> Callable[[], Any]:
    """Answer requests on a socket; call what it returns, and await that, to stop."""
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1)
    await runner.setup()
    loop = asyncio.get_running_loop()
    manager = runner.server
    if manager is None:
        raise AssertionError

    def connected() -> _Connection:
        return _Connection(manager, loop=loop, access_log=None, logger=_SILENT)  # type: ignore[arg-type]

    server = await loop.create_server(connected, sock=listener)

    async def stop() -> None:
        server.close()
        await runner.cleanup()

    return stop
