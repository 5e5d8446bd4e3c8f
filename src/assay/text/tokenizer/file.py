"""The tokenizer of the user's model, read from its Hugging Face ``tokenizer.json``."""

import hashlib
from array import array
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from assay.errors import UseError
from assay.extra import optional_library


class FileTokenizer:
    """A tokenizer of the ``tokenizers`` library.

    Special tokens that a model needs around its input are not counted, because they are not part
    of the text.
    """

    def __init__(self, name: str, encoder: Any) -> None:
        self.name = name
        self._encoder = encoder

    def starts(self, text: str) -> Sequence[int]:
        """The offset of each token; an offset is never below the one of the token before it."""
        offsets = self._encoder.encode(text, add_special_tokens=False).offsets
        return array("I", accumulate((start for start, _ in offsets), max))

    def count(self, text: str) -> int:
        """The number of tokens."""
        return len(self._encoder.encode(text, add_special_tokens=False).ids)


def file_tokenizer(path: Path) -> FileTokenizer:
    """Read a ``tokenizer.json``. The name of the tokenizer contains the file name and a hash.

    Raises:
        UseError: the file cannot be read, is not a tokenizer, or the library is missing.
    """
    tokenizers = optional_library("tokenizers", "onnx", "a tokenizer.json")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UseError(f"{path}: cannot be read: {error.strerror or error}") from None
    try:
        encoder = tokenizers.Tokenizer.from_buffer(data)
    except Exception as error:  # noqa: BLE001 - the library raises nothing narrower
        raise UseError(f"{path}: not a tokenizer.json: {error}") from None
    # A file may require that every input is cut or padded to a fixed length. Then all counts
    # would be wrong.
    encoder.no_truncation()
    encoder.no_padding()
    file_hash = hashlib.blake2b(data, digest_size=4).hexdigest()
    return FileTokenizer(f"hf:{path.name}@{file_hash}", encoder)
