"""Who may ask the server: exact ``Host`` and ``Origin``, a secret, and strict headers.

A web site that a user visits can send requests to this computer, and by DNS rebinding even read
the answers. So a request must name a host of ours exactly, must not come from another origin, and
must bring the token: in the address once, then as a cookie, or as ``Authorization: Bearer``.

A browser sends a cookie to every port of a host, so that other services of this computer may get
it: the cookie only reads. A request that changes something is a ``POST`` with the token, or with the
key that the page got when the token was entered, as ``Authorization: Bearer``. The page keeps this
key in storage that belongs to the port. Such a request also names its origin, has a header that a
form or a link of another site cannot set, and has JSON as its body. A page that only reads refuses
all of them.
"""

import asyncio
import hashlib
import hmac
import os
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from aiohttp import web
from aiohttp.typedefs import Middleware
from msgspec import Struct

from assay.errors import UseError
from assay.web.api import Problem

# The token of the page: random, kept in a file that only the user can read.
#
# It stays the same after a restart of the server, so that an address and a cookie stay good.

SHORTEST: Final = 16
"""The shortest token or password, in characters."""


def default_token_file() -> Path:
    """Where the token is kept: in the user's folder for state."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "assay" / "page-token"


def user_token() -> str:
    """The token of this user; its folder is made if need be."""
    path = default_token_file()
    with suppress(OSError):  # read_token says why it cannot be kept there
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    return read_token(path)


def read_token(path: Path) -> str:
    """The token in a file; a new one is written if there is no file yet.

    Raises ``UseError`` if others can read the file, or if it has no proper token.
    """
    try:
        token = _read(path)
        if token is None:
            token = secrets.token_urlsafe(24)
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(fd, "w", encoding="ascii") as file:
                file.write(f"{token}\n")
    except FileExistsError:  # another server was a moment faster
        return read_token(path)
    except OSError as error:
        raise UseError(
            f"{path}: the token of the page cannot be kept there: {error.strerror}; "
            "choose another file with --token-file"
        ) from None
    return token


def _read(path: Path) -> str | None:
    with suppress(FileNotFoundError):
        if path.stat().st_mode & 0o077:
            raise UseError(f"{path}: others can read this token; chmod 600 it, or delete it")
        token = path.read_text(encoding="utf-8").strip()
        if len(token) < SHORTEST:
            raise UseError(f"{path}: has no token of {SHORTEST} characters; delete the file")
        return token
    return None


def cookie_value(token: str) -> str:
    """What the cookie has instead of the token itself."""
    return hmac.new(token.encode(), b"assay page cookie", hashlib.sha256).hexdigest()


def change_key(token: str) -> str:
    """What the page sends with a change; it does not follow from the cookie."""
    return hmac.new(token.encode(), b"assay page change", hashlib.sha256).hexdigest()


def equal(given: str, wanted: str) -> bool:
    """Whether two secrets are equal, in a time that does not depend on where they differ."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode("utf-8", "replace"))


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Server": "assay",
}
LOGIN: Final = "/login"
CHANGING: Final = ("X-Assay-Request", "1")
"""The header of a request that changes something: other sites would have to ask before sending it."""
WRONG_SECRET_DELAY_S: Final = 1.0
"""All wrong guesses together are answered at this pace."""
MOST_GUESSES: Final = 10
"""How many guesses wait for their answer; further ones are refused unseen."""
_YEAR_S: Final = 365 * 24 * 3600
_OPEN: Final = frozenset({"/app.css"})
"""Paths that need no secret, besides that of the form."""
_ASKING: Final = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>assay</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/app.css"></head>
<body><main class="asking"><h1>assay</h1>
<p>assay view prints an address with a token. Open that address, or enter the token or the password
here.</p>
<p lang="zh-Hans">assay view 会打印带令牌的地址。请打开该地址，或在此输入令牌或密码。</p>
<p lang="ru">assay view печатает адрес с токеном. Откройте этот адрес или введите здесь токен или
пароль.</p>
<form method="post" action="/login"><label>token or password · 令牌或密码 · токен или пароль
<input type="password" name="secret" autocomplete="current-password" required></label>
<button type="submit">→</button></form></main></body>
</html>
"""


class Access(Struct, frozen=True, kw_only=True):
    """What opens the server: its port, the hosts by which it is called, its secrets.

    ``hosts`` are the names besides those of loopback; behind a proxy with TLS the port is not
    part of them. ``is_read_only`` refuses every request that changes something.
    """

    port: int
    token: str
    password: str = ""
    hosts: tuple[str, ...] = ()
    is_read_only: bool = True

    @property
    def cookie(self) -> str:
        """The name of the cookie; two servers on one computer must not share one."""
        return f"assay-{self.port}"

    @property
    def cookie_value(self) -> str:
        """What the cookie holds: it changes with the token and with the password."""
        return cookie_value(f"{self.token} {self.password}")

    @property
    def change_key(self) -> str:
        """What the page sends with a change; it changes as the cookie does."""
        return change_key(f"{self.token} {self.password}")

    def host_names(self) -> frozenset[str]:
        """Every value of ``Host`` that is ours."""
        loopback = [f"{name}:{self.port}" for name in ("127.0.0.1", "localhost", "[::1]")]
        others = [each for name in self.hosts for each in (name, f"{name}:{self.port}")]
        return frozenset(name.lower() for name in [*loopback, *others])

    def origins(self) -> frozenset[str]:
        """Every value of ``Origin`` that is ours; only a host of the user's may have TLS."""
        plain = [f"http://{host}" for host in self.host_names()]
        secure = [
            f"https://{each}" for name in self.hosts for each in (name, f"{name}:{self.port}")
        ]
        return frozenset(origin.lower() for origin in [*plain, *secure])

    def is_secret(self, given: str) -> bool:
        """Whether this is the token or the password."""
        is_token = equal(given, self.token)
        return is_token or (bool(self.password) and equal(given, self.password))


class Guard:
    """Lets a request pass, or says why not."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._hosts = access.host_names()
        self._origins = access.origins()
        self._cookie = access.cookie_value
        self._key = access.change_key
        self._guessing = asyncio.Lock()
        self._guesses = 0

    async def answer(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """The answer to a request that may come from anywhere."""
        refused = self._foreign(request)
        if refused is not None:
            return refused
        is_document = request.method == "GET" and request.path == "/"
        if request.method == "POST" and request.path == LOGIN:
            form = await request.post()
            return await self._enter(request, str(form.get("secret", "")))
        if request.method not in {"GET", "HEAD"}:
            return self._refused_change(request) or await handler(request)
        if is_document and "token" in request.query:
            return await self._enter(request, request.query["token"])
        if request.path == LOGIN:
            return asking_page(200)
        if request.path not in _OPEN and not self._may_read(request):
            return asking_page(401) if is_document else refusal(401, "the token is missing")
        if is_document and not equal(request.query.get("key", self._key), self._key):
            return web.Response(status=303, headers={"Location": "/"})
        return await handler(request)

    def _foreign(self, request: web.Request) -> web.Response | None:
        """The refusal of a request that was sent by another site or to another host."""
        if _header(request, "Host").lower() not in self._hosts:
            return refusal(421, "this address does not belong to the page of assay")
        origins = request.headers.getall("Origin", [])
        if any(origin.lower() not in self._origins for origin in origins):
            return refusal(403, "requests of other sites are refused")
        if request.method == "POST" and not origins:
            return refusal(403, "the request does not say where it comes from")
        is_own = _header(request, "Sec-Fetch-Site", "none") in {"none", "same-origin"}
        is_link = request.path == "/" and _header(request, "Sec-Fetch-Dest") == "document"
        if not is_own and not is_link:
            return refusal(403, "requests of other sites are refused")
        return None

    def _refused_change(self, request: web.Request) -> web.Response | None:
        """The refusal of a request that may not change anything; its origin has been checked."""
        if request.method != "POST":
            return refusal(405, "changes are sent with POST")
        if not self._may_change(request):
            return refusal(
                401,
                "a change needs the token; open the address that assay view printed again, "
                f"or enter the token or the password at {LOGIN}",
            )
        if self._access.is_read_only:
            return refusal(405, "the page only reads; start assay view with --allow-changes")
        name, value = CHANGING
        if _header(request, name) != value:
            return refusal(
                403, f"a request that changes something needs the header {name}: {value}"
            )
        if request.content_type != "application/json":
            return refusal(415, "a request that changes something has JSON as its body")
        return None

    def _may_read(self, request: web.Request) -> bool:
        given = request.cookies.get(self._access.cookie, "")
        return equal(given, self._cookie) or self._may_change(request)

    def _may_change(self, request: web.Request) -> bool:
        kind, _, given = _header(request, "Authorization").partition(" ")
        is_bearer = kind.lower() == "bearer"
        secrets = (self._access.token, self._key)
        return is_bearer and any(equal(given.strip(), secret) for secret in secrets)

    async def _enter(self, request: web.Request, given: str) -> web.StreamResponse:
        """Set the cookie and go to the page, with the key instead of the token in its address.

        The page takes the key out of its address at once. It is not in the fragment, because a
        browser then drops the fragment of the address that was opened, which names a view.
        """
        if not equal(
            given, self._access.token
        ):  # random: it needs no delay, and is never locked out
            refused = await self._refused_guess(given)
            if refused is not None:
                return refused
        response = web.Response(status=303, headers={"Location": f"/?key={self._key}"})
        response.set_cookie(
            self._access.cookie,
            self._cookie,
            max_age=_YEAR_S,
            httponly=True,
            samesite="Strict",
            path="/",
            secure=self._is_secure(request),
        )
        return response

    async def _refused_guess(self, given: str) -> web.Response | None:
        """The refusal of a wrong password, one after the other, whoever sends them."""
        if self._guesses >= MOST_GUESSES:
            return asking_page(429)
        self._guesses += 1
        try:
            async with self._guessing:
                if self._access.is_secret(given):
                    return None
                await asyncio.sleep(WRONG_SECRET_DELAY_S)
        finally:
            self._guesses -= 1
        return asking_page(403)

    def _is_secure(self, request: web.Request) -> bool:
        """Whether the browser came by TLS, as a proxy says; only a named host has a proxy."""
        host = _header(request, "Host").lower()
        is_named = any(host == name.lower() for name in self._access.hosts)
        return is_named and _header(request, "X-Forwarded-Proto").lower() == "https"


def make_guard(access: Access) -> Middleware:
    """The middleware that every request passes."""
    guard = Guard(access)

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        response = await guard.answer(request, handler)
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    return guarded


def _header(request: web.Request, name: str, default: str = "") -> str:
    """The value of a header; a header that is sent twice has none of the expected values."""
    values = request.headers.getall(name, [default])
    return values[0] if len(values) == 1 else "\0"


def refusal(status: int, reason: str) -> web.Response:
    """An answer that says why it is none."""
    return web.Response(
        status=status,
        body=msgspec.json.encode(Problem(error=reason)),
        content_type="application/json",
    )


def asking_page(status: int) -> web.Response:
    """A page that asks for the token or the password; it needs no script."""
    return web.Response(status=status, text=_ASKING, content_type="text/html")
