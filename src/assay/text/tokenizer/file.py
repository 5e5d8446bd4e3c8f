"""The tokenizer of a user's own model, from its Hugging Face ``tokenizer.json``."""

import hashlib
from array import array
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from assay.errors import UseError


class FileTokenizer:
    """A tokenizer of the ``tokenizers`` library.

    Marks that a model wants around its input are not counted: they are no part of the text.
    """

    def __init__(self, name: str, encoder: Any) -> None:
        self.name = name
        self._encoder = encoder

    def starts(self, text: str) -> Sequence[int]:
        """Where each token begins; a token that stands for nothing begins where the last did."""
        offsets = self._encoder.encode(text, add_special_tokens=False).offsets
        return array("I", accumulate((start for start, _ in offsets), max))

    def count(self, text: str) -> int:
        """The number of tokens."""
        return len(self._encoder.encode(text, add_special_tokens=False).ids)


def file_tokenizer(path: Path) -> FileTokenizer:
    """Read a ``tokenizer.json``; its name carries a hash of the file, not the whole path.

    Raises:
        UseError: the file cannot be read, is no tokenizer, or the library is missing.
    """
    # Loaded here because it is optional.
    try:
        import tokenizers  # noqa: PLC0415
    except ImportError as error:
        raise UseError(
            "a tokenizer.json needs the tokenizers library: pip install 'assay[onnx]'"
        ) from error
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UseError(f"{path}: cannot be read: {error.strerror or error}") from None
    try:
        encoder = tokenizers.Tokenizer.from_buffer(data)
    except Exception as error:  # noqa: BLE001 - the library raises nothing narrower
        raise UseError(f"{path}: not a tokenizer.json: {error}") from None
    # A file may ask to cut or fill every input to one length, which would end every count.
    encoder.no_truncation()
    encoder.no_padding()
    mark = hashlib.blake2b(data, digest_size=4).hexdigest()
    return FileTokenizer(f"hf:{path.name}@{mark}", encoder)
