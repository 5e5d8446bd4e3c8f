"""The wire: sends an HTTP request, with retries, and reads the reply.

Every failure of a server or of the network becomes one of our exceptions, with no API key in its
message. The model client and the HTTP system both use it.
"""

import asyncio
import errno
import time
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar
from urllib.request import getproxies

from assay.config.system import ModelConfig
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
    UseError,
)
from assay.mask import add_secrets, is_credential
from assay.models.address import Address, key_problem, masking_redactor
from assay.models.cache import RecordedReply
from assay.models.limit import AdaptiveLimit, Backoff, RateGate, is_hopeless, waiting_in_line
from assay.models.meter import first_text, not_working, record_retry, stopwatch, take_out
from assay.models.refusal import read_error
from assay.models.secret import Environment, Secret, scrub_secrets
from assay.models.stream import Stream

if TYPE_CHECKING:
    import aiohttp

    from assay.models.connector import Connector

# Reading the body of a response in pieces, with a limit on its size after decompression.
#
# A few kilobytes may become gigabytes when they are decompressed, and a server may send without
# end. The pieces are therefore decompressed here, a bounded part at a time.

ACCEPTED_ENCODINGS: Final = "gzip, deflate"
"""The value of ``Accept-Encoding``: the encodings that ``read_body`` can decompress."""
_GZIP: Final = 16 + zlib.MAX_WBITS
_PIECE: Final = 2**16


async def read_body(
    pieces: AsyncIterator[bytes],
    encoding: str | None,
    limit: int,
    watch: Callable[[bytes], None] | None = None,
) -> bytes:
    """Join the pieces of a body, decompressed; ``encoding`` is that of the response.

    ``watch`` gets each piece when it is there.

    Raises:
        SystemFailed: the body is larger than ``limit`` bytes, or its encoding is not known.
        TransientError: the compressed body is damaged or cut short.
    """
    decompress = _decompressor(encoding)
    parts: list[bytes] = []
    size = 0
    async for piece in pieces:
        for part in decompress(piece) if decompress else (piece,):
            size += len(part)
            if size > limit:
                raise SystemFailed(f"the reply is larger than {limit / 2**20:g} MB")
            parts.append(part)
            if watch is not None:
                watch(part)
    if decompress is not None and not decompress.is_complete:
        raise TransientError("the compressed reply was cut short")
    return parts[0] if len(parts) == 1 else b"".join(parts)


class _Decompressor:
    """Decompresses gzip or deflate, at most 64 kB at a time."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._stream = zlib.decompressobj(window)
        self._has_begun = False

    @property
    def is_complete(self) -> bool:
        """Whether the end of the compressed data has arrived, or there was none at all."""
        return self._stream.eof or not self._has_begun

    def __call__(self, piece: bytes) -> Iterator[bytes]:
        self._has_begun = self._has_begun or bool(piece)
        while piece:
            if self._stream.eof:  # gzip may consist of several members
                self._stream = zlib.decompressobj(self._window)
            try:
                part = self._stream.decompress(piece, _PIECE)
            except zlib.error:
                if self._window != zlib.MAX_WBITS:
                    raise TransientError("the compressed reply is damaged") from None
                self._window = -zlib.MAX_WBITS  # deflate without its header, as some servers send
                self._stream = zlib.decompressobj(self._window)
                continue
            if part:
                yield part
            piece = self._stream.unconsumed_tail or self._stream.unused_data
            if not part and not self._stream.eof and piece:
                raise TransientError("the compressed reply is damaged")


def _decompressor(encoding: str | None) -> _Decompressor | None:
    match (encoding or "identity").strip().lower():
        case "" | "identity":
            return None
        case "gzip" | "x-gzip":
            return _Decompressor(_GZIP)
        case "deflate":
            return _Decompressor(zlib.MAX_WBITS)
        case other:
            raise SystemFailed(f"the reply is encoded as {other!r}, which was not asked for")


T = TypeVar("T")
Streaming: TypeAlias = Callable[[Mapping[str, str]], Stream]

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
        streaming: Streaming | None = None,
    ) -> tuple[RecordedReply, T]:
        """Send a request, with retries, and return the recorded reply and the result of ``read``.

        ``read`` parses the body and raises if the body is not a usable reply. ``tokens`` returns
        the number of tokens that the call used, for the token limit. ``streaming`` makes, from the
        headers of a response, what joins the pieces of its body if it is a stream: what is read and
        recorded is the body that would have come without streaming.

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
                return await self._send_once(method, url, body, read, tokens, streaming)
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
        streaming: Streaming | None,
    ) -> tuple[RecordedReply, T]:
        estimate = len(body or b"") // _CHARACTERS_PER_TOKEN
        booking = None
        if not (self._gate.is_open and self._limit.take()):
            with waiting_in_line():
                booking = await self._gate.book(estimate)
                await self._limit.acquire()
        try:
            with stopwatch() as watch:
                response, reply_body, stream = await self._exchange(method, url, body, streaming)
                latency_s = round(watch.elapsed_s(), 6)
        finally:
            self._limit.release()
        masking = masking_redactor(url)
        is_error = response.status >= 300
        try:
            if stream is not None and not is_error:  # joined first: a tag may be cut by two pieces
                reply_body = stream.joined_body(reply_body)
                first_text(stream.first_text_at)
            if masking is not None:
                with not_working():
                    reply_body = masking.incoming(reply_body)
            if is_error:
                raise read_error(
                    response.status,
                    reply_body,
                    response.headers.get("Retry-After"),
                    time.time(),
                    location=response.headers.get("Location"),
                )
            reply = read(reply_body)
        except (CaseError, RunStopped) as error:
            raise self._with_hint(error) from None
        self._limit.grow()
        if tokens is not None and booking is not None:
            self._gate.settle(booking, tokens(reply) or estimate)
        return RecordedReply(reply_body, latency_s), reply

    async def _exchange(
        self, method: str, url: str, body: bytes | None, streaming: Streaming | None
    ) -> "tuple[aiohttp.ClientResponse, bytes, Stream | None]":
        """Send one request and return the response, its body, and what joins this if it is a stream."""
        session = self._session or self._open()
        stream = None
        started_at = time.perf_counter()
        try:
            # A redirect would send the keys in our headers to another host.
            async with session.request(method, url, data=body, allow_redirects=False) as response:
                if streaming is not None:
                    stream = streaming(response.headers)
                # closing it, not reading to the end, is what an exception here does
                reply_body = await read_body(
                    response.content.iter_any(),
                    response.headers.get("Content-Encoding"),
                    self._largest_reply,
                    stream.feed if stream is not None else None,
                )
        except Exception as error:
            failure = self._failure(url, error)
            if failure is error:
                raise
            raise failure from None
        self._connector.take_out_own_time(started_at)
        return response, reply_body, stream

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


# What a client of a model sends with every request, and the wire that it sends it on.


def request_headers(
    config: ModelConfig, environment: Environment, address: Address
) -> dict[str, str | Secret]:
    """The headers of every request, with the key.

    Raises:
        UseError: the key has two sources, or an environment variable is not set.
    """
    headers: dict[str, str | Secret] = {"Content-Type": "application/json"}
    if problem := key_problem(config):
        raise UseError(problem)
    if config.key_variable and address.authorization is not None:
        raise UseError(
            f"'base_url' of {config.model} has a user or password and 'api_key_env' names a key: "
            "only one of them can be sent; use 'api_key_env: null' or remove the user"
        )
    if config.key_variable:
        key = environment.secret(config.key_variable)
        headers["Authorization"] = Secret(f"Bearer {key.reveal()}", [key])
    elif address.authorization is not None:
        headers["Authorization"] = address.authorization
    for name, value in config.headers.items():
        headers[name] = expanded = environment.expand(value, f"header {name}")
        if is_credential(name):
            add_secrets(expanded.reveal().split()[-1:])
    return headers


def make_wire(
    config: ModelConfig, headers: Mapping[str, str | Secret], secrets: Sequence[Secret]
) -> Wire:
    """The wire to the server of a model, with its limits."""
    return Wire(
        headers=headers,
        secrets=secrets,
        timeout_s=config.timeout_s,
        retries=config.retries,
        concurrency=config.concurrency,
        key_hint=config.key_variable or "the server's access rules",
        address_hint="'base_url'",
        missing_hint="'model' and 'base_url'",
        pace_hint="'requests_per_minute' or 'concurrency'",
        gate=RateGate(config.requests_per_minute, config.tokens_per_minute),
    )
