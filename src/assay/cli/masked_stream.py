"""Standard output and standard error, with known secrets masked.

Whatever is printed passes here: results, log lines, errors, tracebacks and warnings, and what a
library prints. Results and messages are masked by ``assay.mask``, as files are.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO, cast

from assay.mask import MaskedStream


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
