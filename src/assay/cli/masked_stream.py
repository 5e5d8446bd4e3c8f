"""Standard output and standard error, with known secrets masked.

Whatever is printed passes here: results, log lines, errors, tracebacks and warnings, and what a
library prints. Results and messages are masked by ``assay.mask``, as files are. Characters that a
terminal would obey are shown as escapes, unless they are our own: those of a bar (``own``), and of
results that another program reads (``write_own``).

A stream that cannot be written to (a full disk, a closed descriptor, a reader that is gone) ends no
command: a run still writes its rows. ``stdout_problem`` says at the end that a result was not printed.
"""

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

from assay.errors import UseError
from assay.mask import MaskedStream


class OutputStream(MaskedStream):
    """A masked stream that drops what cannot be written; ``failure`` is the first reason.

    ``None`` in place of a stream is a descriptor that was closed before the program began.
    """

    def __init__(self, stream: TextIO | None) -> None:
        super().__init__(stream or io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
        is_closed = stream is None
        self.failure = OSError(errno.EBADF, os.strerror(errno.EBADF)) if is_closed else None

    def write(self, text: str) -> int:
        """Write a text, unless an earlier one could not be written; return its length."""
        self._try(super().write, _shown(text))
        return len(text)

    def write_own(self, text: str) -> int:
        """The same for a text whose control characters are meant."""
        return self._try(super().write_own, text)

    @property
    def own(self) -> "OwnStream":
        """The stream for what this program draws itself."""
        return OwnStream(self)

    def write_masked(self, text: str) -> int:
        """The same for a text whose values are masked already."""
        return self._try(super().write_masked, text)

    def _try(self, write: Callable[[str], object], text: str) -> int:
        if self.failure is None:
            try:
                write(text)
            except OSError as error:
                self._fail(error)
        return len(text)

    def flush(self) -> None:
        """Write what is buffered."""
        if self.failure is None:
            try:
                self._stream.flush()
            except OSError as error:
                self._fail(error)

    def _fail(self, error: OSError) -> None:
        self.failure = error
        # the interpreter flushes the stream again at exit and would print an error
        with suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())


def _shown(text: str) -> str:
    """The text with escapes in place of characters that a terminal would obey."""
    if text.replace("\n", "").isprintable():
        return text
    # takes longer to import than this room, and most texts have no such character
    from assay.text import visible_print  # noqa: PLC0415

    return visible_print(text)


class OwnStream:
    """A stream whose texts keep their control characters."""

    def __init__(self, stream: OutputStream) -> None:
        self._output = stream

    def write(self, text: str) -> int:
        """Write a text of this program."""
        return self._output.write_own(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._output, name)


@contextmanager
def masked_output() -> Iterator[None]:
    """Mask what this process prints inside the ``with`` block."""
    plain = sys.stdout, sys.stderr
    sys.stdout = cast("TextIO", OutputStream(sys.stdout))
    sys.stderr = cast("TextIO", OutputStream(sys.stderr))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = plain


def take_closed_descriptors() -> None:
    """Open what was closed of the first three descriptors, so that no file of ours gets its number.

    What a library or another program prints would be written into that file.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


def reader_is_gone() -> bool:
    """Whether whoever read standard output has closed the pipe (``| head``)."""
    return isinstance(getattr(sys.stdout, "failure", None), BrokenPipeError)


def stdout_problem() -> UseError | None:
    """Why not everything could be printed; ``None`` if it could, or if nobody reads it any more."""
    sys.stdout.flush()
    failure = getattr(sys.stdout, "failure", None)
    if not isinstance(failure, OSError) or reader_is_gone():
        return None
    return UseError(f"standard output cannot be written: {failure.strerror or failure}")
