"""Run the server until it is interrupted."""

import asyncio
import errno
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from typing import Final

from msgspec import Struct

from assay.errors import UseError
from assay.web.embedded import REMEDY, is_built
from assay.web.guard import SHORTEST, Access
from assay.web.library import Library
from assay.web.server import listen, make_app

DEFAULT_PORT: Final = 8321
_TRIED_PORTS: Final = 20
"""How many ports after the default one are tried if it is taken."""


LONGEST_END_S: Final = 5.0
"""A server that was told to end is gone after this time, whatever its threads do."""


class ServeOptions(Struct, frozen=True, kw_only=True):
    """Where the server listens; ``port`` is ``None`` if the user does not care.

    ``is_read_only`` is ``None`` if the user does not say: then only the user's own computer may
    change something.
    """

    host: str = "127.0.0.1"
    port: int | None = None
    token: str
    password: str = ""
    allowed_hosts: tuple[str, ...] = ()
    is_read_only: bool | None = None

    @property
    def only_reads(self) -> bool:
        """Whether the page refuses changes; by default it does if others can open it."""
        if self.is_read_only is not None:
            return self.is_read_only
        return bool(self.allowed_hosts) or not is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach the address.

    >>> is_loopback("127.0.0.1"), is_loopback("0.0.0.0"), is_loopback("localhost")
    (True, False, True)
    """
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return False


def check_options(options: ServeOptions) -> None:
    """Raise ``UseError`` if the server would be open to others without a password and a name."""
    if any(not name or "/" in name or "*" in name for name in options.allowed_hosts):
        raise UseError("--allow-host takes the name of a host, without scheme or wildcard")
    if is_loopback(options.host):
        return
    if not options.password:
        raise UseError(
            f"--host {options.host}: other computers can reach this address; set a password in an "
            "environment variable and name it with --password-env"
        )
    if len(options.password) < SHORTEST:
        raise UseError(f"the password has fewer than {SHORTEST} characters; choose a longer one")
    if not options.allowed_hosts:
        raise UseError(
            f"--host {options.host}: say by which name others call this computer with "
            "--allow-host NAME; requests with any other name are refused"
        )


def serve(library: Library, options: ServeOptions, announce: Callable[[str, int], None]) -> None:
    """Serve until Ctrl+C or SIGTERM; ``announce`` is called with the address once it is ready."""
    check_options(options)
    if not is_built():
        raise UseError(REMEDY)
    ending = asyncio.run(_serve(library, options, announce))
    ending.cancel()


async def _serve(
    library: Library, options: ServeOptions, announce: Callable[[str, int], None]
) -> threading.Timer:
    listener = _listen(options)
    port = listener.getsockname()[1]
    access = Access(
        port=port,
        token=options.token,
        password=options.password,
        hosts=options.allowed_hosts,
        is_read_only=options.only_reads,
    )
    close = await listen(make_app(library, access), listener)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    host = "127.0.0.1" if options.host in {"0.0.0.0", "::", "localhost"} else options.host  # noqa: S104
    shown = f"[{host}]" if ":" in host else host
    announce(f"http://{shown}:{port}/?token={options.token}", port)
    await stop.wait()
    ending = end_surely(LONGEST_END_S)
    await close()
    return ending


def end_surely(seconds: float) -> threading.Timer:
    """End the process after this time, unless the timer is cancelled before.

    Python waits for threads before it ends, and a thread cannot be ended from outside. Nothing is
    lost: files are written so that a process may be killed at any moment.
    """
    timer = threading.Timer(seconds, os._exit, (0,))
    timer.daemon = True
    timer.start()
    return timer


def _listen(options: ServeOptions) -> socket.socket:
    """A socket on the chosen port, or on the first free one from the default port on."""
    first = DEFAULT_PORT if options.port is None else options.port
    last = first + (_TRIED_PORTS if options.port is None else 0)
    for port in range(first, last + 1):
        try:
            return _bound(options.host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or port == last:
                raise UseError(
                    f"--host {options.host} --port {port}: {error.strerror or error}"
                ) from None
    raise AssertionError


def _bound(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


def open_browser(address: str) -> bool:
    """Open the user's browser, if there is a screen to open it on."""
    return has_screen() and webbrowser.open(address)


def has_screen() -> bool:
    """Whether there is a screen on which a browser can be opened."""
    has_display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return not sys.platform.startswith("linux") or bool(has_display)
