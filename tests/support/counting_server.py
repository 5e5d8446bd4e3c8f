"""A server on loopback that counts connections and requests."""

import socket
import threading
from typing import Self

REPLY = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


class CountingServer:
    """A server that counts connections and requests; it answers every request with ``{}``."""

    def __init__(self) -> None:
        self.connections = 0
        self.requests = 0
        self._accepted = threading.Condition()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def wait_for_connections(self, count: int) -> None:
        """Wait until this many connections were accepted; fail after ten seconds."""
        with self._accepted:
            assert self._accepted.wait_for(lambda: self.connections >= count, timeout=60)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with self._accepted:
                self.connections += 1
                self._accepted.notify_all()
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            pending = b""
            while data := connection.recv(65536):
                pending += data
                if pending.endswith(b"\r\n\r\n{}"):
                    self.requests += 1
                    pending = b""
                    connection.sendall(REPLY)
