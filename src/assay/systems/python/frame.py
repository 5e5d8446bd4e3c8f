"""Messages between a run and the process of a system: pickled objects, each with its length.

Both sides are the same installation of this package. What the user's code returns is turned into
plain JSON before it is sent, so that the run never imports the user's modules.
"""

import os
import pickle
import struct
from typing import Any, Final

_LENGTH: Final = struct.Struct(">Q")
_READ_AT_ONCE: Final = 1 << 20


def write_frame(descriptor: int, content: bytes) -> None:
    """Write one message; raises ``OSError`` if the other side is gone."""
    view = memoryview(_LENGTH.pack(len(content)) + content)
    while view:
        view = view[os.write(descriptor, view) :]


def read_frame(descriptor: int) -> bytes | None:
    """Read one message; None if the other side has ended."""
    header = _read_exactly(descriptor, _LENGTH.size)
    return None if header is None else _read_exactly(descriptor, _LENGTH.unpack(header)[0])


def pack(message: Any) -> bytes:
    """The bytes of a message.

    Raises:
        TypeError: a part of the message cannot be pickled; the message of the error names it.
    """
    try:
        return pickle.dumps(message)
    except Exception as error:
        raise TypeError(f"{_unpicklable_part(message, 'it')} ({error})") from error


def unpack(content: bytes) -> Any:
    """The message in these bytes; they come from a process that this package has started."""
    return pickle.loads(content)  # noqa: S301 - see above


def _unpicklable_part(message: Any, name: str) -> str:
    """The innermost part of a message that cannot be pickled, by its name and type."""
    if isinstance(message, dict | list | tuple):
        items = message.items() if isinstance(message, dict) else enumerate(message)
        for key, part in items:
            try:
                pickle.dumps(part)
            except Exception:  # noqa: BLE001 - pickling runs foreign code, which may raise anything
                return _unpicklable_part(part, repr(key))
    return f"{name} is a {type(message).__name__}, which cannot be pickled"


def _read_exactly(descriptor: int, size: int) -> bytes | None:
    parts = []
    while size:
        part = os.read(descriptor, min(size, _READ_AT_ONCE))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
