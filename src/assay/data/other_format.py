"""Refuse files in a format that is not read, instead of calling them malformed JSON."""

from pathlib import Path
from typing import Final

from assay.data.line import open_data_file
from assay.errors import DatasetError

_JSON_ENDINGS: Final = frozenset({".json", ".jsonl", ".ndjson"})
_BEFORE: Final = b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n"
"""Byte-order marks and white space, also of UTF-16."""
_BEGINNING: Final = 1024


def refuse_other_format(path: Path, known: str) -> None:
    """Refuse a file that neither begins as JSON nor has an ending of it; ``known`` names the formats.

    Raises:
        DatasetError: it does not, or cannot be opened.
    """
    if path.suffix.lower() in _JSON_ENDINGS or not path.is_file():  # a pipe can be read only once
        return
    with open_data_file(path) as file:
        beginning = file.read(_BEGINNING).lstrip(_BEFORE)
    if beginning and beginning[:1] not in {b"{", b"["}:
        raise DatasetError(f"{path}: this format is not read; {known}")
