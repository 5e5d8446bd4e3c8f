"""Standard output and standard error, with known secrets masked.

Whatever is printed passes here: results, log lines, errors, tracebacks and warnings, and what a
library prints. Results and messages are masked by ``assay.mask``, as files are.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from assay.mask import mask_text


class MaskedStream:
    r"""A text stream that masks secrets in everything that is written to it.

    >>> import io
    >>> stream = MaskedStream(io.StringIO())
    >>> stream.write("42\n")
    3
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text; return its length, as any stream does."""
        self._stream.write(mask_text(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def masked_output() -> Iterator[None]:
    """Mask what this process prints inside the ``with`` block."""
    plain = sys.stdout, sys.stderr
    sys.stdout = cast("TextIO", MaskedStream(sys.stdout))
    sys.stderr = cast("TextIO", MaskedStream(sys.stderr))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = plain
