"""The wire: sends an HTTP request, with retries, and reads the reply.

Every failure of a server or of the network becomes one of our exceptions, with no API key in its
message. The model client and the HTTP system both use it.
"""

import asyncio
import errno
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar
from urllib.request import getproxies

from assay.errors import (
    AccessRefused,
    CaseError,
    NoSuchModel,
    ProviderUnavailable,
    RateLimited,
    RunStopped,
    SystemFailed,
    TransientError,
    Unworkable,
)
from assay.models.address import masking_redactor
from assay.models.body import ACCEPTED_ENCODINGS, read_body
from assay.models.cache import RecordedReply
from assay.models.limit import (
    AdaptiveLimit,
    Backoff,
    RateGate,
    is_hopeless,
    waiting_in_line,
)
from assay.models.meter import record_retry
from assay.models.refusal import read_error
from assay.models.secret import Secret, scrub_secrets
from assay.models.work_time import not_working, stopwatch, take_out

if TYPE_CHECKING:
    import aiohttp

    from assay.models.connector import Connector

T = TypeVar("T")

_CHARACTERS_PER_TOKEN = 3  # a rough estimate for the token limit, corrected after the call


LARGEST_REPLY = 32 * 2**20
"""The largest body of a reply in bytes, after decompression."""


class Wire:
    """The connections to one server, with its headers, limits and retries.

    The hints name what the user should check: ``key_hint`` is for a refused key,
    ``address_hint`` for a server that cannot be reached, ``missing_hint`` for a 404 response and
    ``pace_hint`` for a rate limit. ``secrets`` are removed from all messages, as are the headers
    that are secrets.
    """

    def __init__(
        self,
        *,
        headers: Mapping[str, str | Secret],
        timeout_s: float,
        retries: int,
        concurrency: int,
        key_hint: str,
        address_hint: str,
        missing_hint: str | None = None,
        pace_hint: str = "--concurrency",
        secrets: Sequence[Secret] = (),
        gate: RateGate | None = None,
        backoff: Backoff | None = None,
        largest_reply: int = LARGEST_REPLY,
    ) -> None:
        self._headers = headers
        self._timeout_s = timeout_s
        self._retries = retries
        self._key_hint = key_hint
        self._address_hint = address_hint
        self._missing_hint = missing_hint or address_hint
        self._pace_hint = pace_hint
        self._secrets = [
            *(value for value in headers.values() if isinstance(value, Secret)),
            *secrets,
        ]
        self._limit = AdaptiveLimit(concurrency)
        self._gate = gate or RateGate()
        self._backoff = backoff or Backoff()
        self._largest_reply = largest_reply
        self._session: aiohttp.ClientSession | None = None
        self._connector: Connector  # of the session

    async def send(
        self,
        url: str,
        body: bytes | None,
        read: Callable[[bytes], T],
        *,
        method: str = "POST",
        tokens: Callable[[T], int | None] | None = None,
    ) -> tuple[RecordedReply, T]:
        """Send a request, with retries, and return the recorded reply and the result of ``read``.

        ``read`` parses the body and raises if the body is not a usable reply. ``tokens`` returns
        the number of tokens that the call used, for the token limit.

        Raises:
            CaseError: this request failed.
            RunStopped: every other request would fail as well.
        """
        masking = masking_redactor(url)
        if masking is not None and body is not None:
            with not_working():
                body = masking.outgoing(body)
        attempt = 0
        while True:
            started_at = time.perf_counter()
            try:
                return await self._send_once(method, url, body, read, tokens)
            except TransientError as error:
                if isinstance(error, RateLimited):
                    self._limit.cut()
                if attempt == self._retries or is_hopeless(error):
                    error.retried = True
                    raise
                delay_s = self._backoff.delay_s(attempt, retry_after_s=error.retry_after_s)
                with waiting_in_line():
                    await asyncio.sleep(delay_s)
                # the latency is that of the attempt that succeeds
                take_out(started_at, time.perf_counter())
                attempt += 1
                record_retry()

    async def open_connections(self, url: str, count: int) -> None:
        """Open up to ``count`` connections to the server of ``url``, so that no call has to.

        Nothing is sent. If connections cannot be opened, the first call reports it.
        """
        session = self._session or self._open()
        await self._connector.open_connections(session, url, min(count, self._limit.ceiling))

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _send_once(
        self,
        method: str,
        url: str,
        body: bytes | None,
        read: Callable[[bytes], T],
        tokens: Callable[[T], int | None] | None,
    ) -> tuple[RecordedReply, T]:
        estimate = len(body or b"") // _CHARACTERS_PER_TOKEN
        booking = None
        if not (self._gate.is_open and self._limit.take()):
            with waiting_in_line():
                booking = await self._gate.book(estimate)
                await self._limit.acquire()
        try:
            with stopwatch() as watch:
                status, headers, reply_body = await self._exchange(method, url, body)
                latency_s = round(watch.elapsed_s(), 6)
        finally:
            self._limit.release()
        masking = masking_redactor(url)
        if masking is not None:
            with not_working():
                reply_body = masking.incoming(reply_body)
        try:
            if status >= 300:
                raise read_error(
                    status,
                    reply_body,
                    headers.get("Retry-After"),
                    time.time(),
                    location=headers.get("Location"),
                )
            reply = read(reply_body)
        except (CaseError, RunStopped) as error:
            raise self._with_hint(error) from None
        self._limit.grow()
        if tokens is not None and booking is not None:
            self._gate.settle(booking, tokens(reply) or estimate)
        return RecordedReply(reply_body, latency_s), reply

    async def _exchange(
        self, method: str, url: str, body: bytes | None
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Send one request and return the status, the headers and the body of the response."""
        session = self._session or self._open()
        started_at = time.perf_counter()
        try:
            # A redirect would send the keys in our headers to another host.
            async with session.request(method, url, data=body, allow_redirects=False) as response:
                # closing it, not reading to the end, is what an exception here does
                reply_body = await read_body(
                    response.content.iter_any(),
                    response.headers.get("Content-Encoding"),
                    self._largest_reply,
                )
        except Exception as error:
            failure = self._failure(url, error)
            if failure is error:
                raise
            raise failure from None
        self._connector.take_out_own_time(started_at)
        return response.status, response.headers, reply_body

    def _failure(self, url: str, error: Exception) -> Exception:
        """What a failed exchange means, without secrets; ``error`` itself if it says so already."""
        import aiohttp  # noqa: PLC0415 - takes 0.2 s, and only calls need it

        match error:
            case SystemFailed() | TransientError():
                error.args = (self._scrub(f"{url}: {error}"),)
                return error
            case aiohttp.InvalidURL():
                message = f"{url} is not an address; check {self._address_hint}"
                return Unworkable(self._scrub(message))
            case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientConnectorSSLError():
                message = (
                    f"TLS failure at {url}: {error}; check {self._address_hint} and the "
                    "certificates this machine trusts (SSL_CERT_FILE)"
                )
                return ProviderUnavailable(self._scrub(message))
            case aiohttp.ClientConnectorError():
                message = self._unreachable(url, error.os_error)
            case TimeoutError():
                message = f"no reply from {url} within {self._timeout_s:g} s ('timeout_s')"
            case aiohttp.ClientError() | ConnectionError():
                message = f"the connection to {url} was lost: {str(error) or type(error).__name__}"
            case _:
                return error
        return TransientError(self._scrub(message))

    def _unreachable(self, url: str, error: OSError) -> str:
        if error.errno in (errno.EMFILE, errno.ENFILE):
            return (
                f"cannot connect to {url}: {error.strerror} on this machine; raise "
                f"the limit (ulimit -n) or lower {self._pace_hint}"
            )
        return (
            f"cannot connect to {url}: {error}; "
            f"check {self._address_hint} and that the server is running"
        )

    def _open(self) -> "aiohttp.ClientSession":
        import aiohttp  # noqa: PLC0415 - takes 0.2 s, and only calls need it

        from assay.models.connector import Connector  # noqa: PLC0415 - it imports aiohttp

        self._connector = Connector()
        self._session = aiohttp.ClientSession(
            headers={
                "Accept-Encoding": ACCEPTED_ENCODINGS,
                **{name: _header_text(value) for name, value in self._headers.items()},
            },
            auto_decompress=False,  # our own decompression has a limit
            connector=self._connector,
            cookie_jar=aiohttp.DummyCookieJar(),  # calls must not affect each other
            timeout=aiohttp.ClientTimeout(total=self._timeout_s),
            trust_env=bool(getproxies()),  # otherwise every call would look for a proxy
        )
        return self._session

    def _with_hint(self, error: CaseError | RunStopped) -> CaseError | RunStopped:
        """The same error, with a hint what to check and without the key."""
        text = self._scrub(str(error))
        match error:
            case AccessRefused():
                text = f"{text}: check {self._key_hint}"
            case NoSuchModel():
                text = f"{text}; check {self._missing_hint}"
            case RateLimited():
                text = f"{text}; lower {self._pace_hint}, or check {self._key_hint}"
            case Unworkable():
                text = f"{text}; check {self._address_hint}"
            case _:
                pass
        error.args = (text,)
        return error

    def _scrub(self, text: str) -> str:
        return scrub_secrets(text, self._secrets)


def _header_text(value: str | Secret) -> str:
    return value.reveal() if isinstance(value, Secret) else value
