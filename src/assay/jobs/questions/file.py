"""Writing files of questions."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from assay.errors import UseError


def write_lines(path: Path, lines: Iterable[Any]) -> None:
    """Write one JSON object a line into a new file; raises ``UseError`` if it exists."""
    if path.exists():
        raise UseError(f"{path} exists; choose another --out, or delete it")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    except OSError as error:
        raise UseError(f"{path}: cannot be written: {error.strerror or error}") from None
