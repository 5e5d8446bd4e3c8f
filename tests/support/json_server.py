"""An HTTP server on loopback that calls a function of the test and records every request."""

import json
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A request that the server received."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, decoded as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True, kw_only=True)
class Told:
    """A response to send; a body that is not bytes is sent as JSON. ``then`` is called at its end."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    then: Callable[[], None] = lambda: None


@dataclass(frozen=True, kw_only=True)
class Pieces:
    """A body that is sent in chunks; a number is a wait in seconds, and ``ends`` says whether it ends."""

    parts: Sequence[bytes | float]
    ends: bool = True


class JsonServer:
    """A context manager that runs the server.

    ``answer`` is called for each request, in the thread of its connection. It returns a ``Told``, or
    only the body of a response with status 200.
    """

    def __init__(self, answer: Callable[[Seen], Any]) -> None:
        self.seen: list[Seen] = []
        seen = self.seen

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = (
                True  # else each body waits until its headers are acknowledged
            )

            def _serve(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                request = Seen(
                    method=self.command,
                    path=self.path,
                    headers=dict(self.headers.items()),
                    body=self.rfile.read(length),
                )
                seen.append(request)
                result = answer(request)
                response = result if isinstance(result, Told) else Told(body=result)
                body = response.body
                if isinstance(body, Pieces):
                    self._stream(response, body)
                    return
                content = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(response.status)
                self.send_header("Content-Length", str(len(content)))
                for name, value in response.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)
                if self.close_connection:
                    self.connection.shutdown(socket.SHUT_WR)
                response.then()

            def _stream(self, response: Told, body: Pieces) -> None:
                self.send_response(response.status)
                self.send_header("Transfer-Encoding", "chunked")
                for name, value in response.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                for part in body.parts:
                    if isinstance(part, bytes):
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
                    else:
                        time.sleep(part)
                self.wfile.write(b"0\r\n\r\n" if body.ends else b"")
                self.close_connection = not body.ends

            do_GET = do_POST = do_PUT = _serve  # noqa: N815 - http.server requires these names

            def log_message(self, *_: Any) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def unused_port() -> int:
    """A port on loopback on which no server listens."""
    with JsonServer(lambda _: None) as server:
        return int(server.url.rpartition(":")[2])
