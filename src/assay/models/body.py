"""Reading the body of a response in pieces, with a limit on its size after decompression.

A few kilobytes may become gigabytes when they are decompressed, and a server may send without
end. The pieces are therefore decompressed here, a bounded part at a time.
"""

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Final

from assay.errors import SystemFailed, TransientError

ACCEPTED_ENCODINGS: Final = "gzip, deflate"
"""The value of ``Accept-Encoding``: the encodings that ``read_body`` can decompress."""
_GZIP: Final = 16 + zlib.MAX_WBITS
_PIECE: Final = 2**16


async def read_body(pieces: AsyncIterator[bytes], encoding: str | None, limit: int) -> bytes:
    """Join the pieces of a body, decompressed; ``encoding`` is that of the response.

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
