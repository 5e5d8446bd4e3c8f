"""Models exported to ONNX, from a folder with a ``tokenizer.json``: the extra ``onnx``.

It needs neither PyTorch nor the network. The embedder (``assay.rag.embed.onnx``) and the reranker
(``assay.judges.verifier.cross_encoder``) both run their models with ``OnnxModel``.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.data.jsonl import UNREADABLE
from assay.errors import UseError
from assay.extra import optional_library
from assay.rag.embed.local import one_line, require_folder

_TOKENS = 512
_MOST_TOKENS = 32_768
_KNOWN_INPUTS = {"input_ids", "attention_mask", "token_type_ids", "position_ids"}


class OnnxModel:
    """A model and its tokenizer, loaded from a folder and run on the CPU.

    The model is ``model.onnx``, ``onnx/model.onnx`` or the only ``.onnx`` file. Texts of more than
    ``max_tokens`` tokens are cut off; with ``None`` the limit is the tokenizer's own, or that of
    ``tokenizer_config.json``, or 512. ``needed_by`` is the beginning of the message if a library
    is not installed.

    Raises:
        UseError: a library is not installed, or the folder has no usable model.
    """

    def __init__(
        self, folder: Path, *, needed_by: str, max_tokens: int | None, threads: int | None
    ) -> None:
        runtime = optional_library("onnxruntime", "onnx", needed_by)
        tokenizers = optional_library("tokenizers", "onnx", needed_by)
        require_folder(folder)
        self.path = _model_file(folder)
        self._tokenizer = _tokenizer(tokenizers, folder, max_tokens)
        self._session = _session(runtime, self.path, threads)
        self._inputs = {part.name: part.type for part in self._session.get_inputs()}
        if unknown := sorted(set(self._inputs) - _KNOWN_INPUTS):
            raise UseError(
                f"{self.path}: it needs the inputs {unknown}, which cannot be computed from a text"
            )

    @property
    def max_tokens(self) -> int:
        """The number of tokens at which longer texts are cut off."""
        limit: int = self._tokenizer.truncation["max_length"]
        return limit

    @property
    def output_ranks(self) -> dict[str, int]:
        """The number of dimensions of each output, by its name."""
        return {part.name: len(part.shape or ()) for part in self._session.get_outputs()}

    def run(
        self, texts: Sequence[str] | Sequence[tuple[str, str]], output: str
    ) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Run the model on a batch of texts or pairs of texts.

        Returns one output of the model and the attention mask of the tokens.
        """
        encodings = self._tokenizer.encode_batch(texts)
        mask = np.array([encoding.attention_mask for encoding in encodings], dtype=np.int64)
        available = {
            "input_ids": np.array([encoding.ids for encoding in encodings], dtype=np.int64),
            "attention_mask": mask,
            "token_type_ids": np.array(
                [encoding.type_ids for encoding in encodings], dtype=np.int64
            ),
            "position_ids": np.maximum(mask.cumsum(axis=1) - 1, 0),
        }
        feed = {
            name: available[name].astype(np.int32 if kind == "tensor(int32)" else np.int64)
            for name, kind in self._inputs.items()
        }
        (rows,) = self._session.run([output], feed)
        return rows, mask


def _model_file(folder: Path) -> Path:
    """The model file in ``folder``: ``model.onnx``, ``onnx/model.onnx``, or the only ``.onnx``."""
    for path in (folder / "model.onnx", folder / "onnx" / "model.onnx"):
        if path.is_file():
            return path
    models = sorted(folder.rglob("*.onnx"))
    if len(models) != 1:
        problem = "no .onnx file" if not models else f"{len(models)} .onnx files, none model.onnx"
        raise UseError(f"{folder}: {problem}; name the file to use model.onnx")
    return models[0]


def _tokenizer(library: Any, folder: Path, max_tokens: int | None) -> Any:
    """Load the tokenizer, which cuts texts off at ``max_tokens`` or at the model's own limit."""
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise UseError(f"{path}: no such file; export the model together with its tokenizer")
    try:
        tokenizer = library.Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises plain ``Exception``
        raise UseError(f"{path}: not a tokenizer: {one_line(error)}") from error
    limit = max_tokens
    if limit is None and tokenizer.truncation:
        limit = tokenizer.truncation["max_length"]
    if limit is None:
        stated = json_object(folder / "tokenizer_config.json").get("model_max_length")
        # A tokenizer without a limit has an extremely large number here.
        limit = stated if isinstance(stated, int) and 0 < stated <= _MOST_TOKENS else _TOKENS
    tokenizer.enable_truncation(max_length=limit)
    if not tokenizer.padding:
        tokenizer.enable_padding()
    return tokenizer


def _session(runtime: Any, model: Path, threads: int | None) -> Any:
    """Load the model for the CPU."""
    options = runtime.SessionOptions()
    options.log_severity_level = 3
    if threads:
        options.intra_op_num_threads = threads
    try:
        return runtime.InferenceSession(
            str(model), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # the library has many exception classes, and none is public
        raise UseError(f"{model}: cannot be loaded: {one_line(error)}") from error


def json_object(path: Path) -> dict[str, Any]:
    """Read the object in a JSON file; return an empty dict if the file does not exist.

    Raises:
        UseError: the file does not contain a JSON object.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except FileNotFoundError:
        return {}
    except UNREADABLE as error:
        raise UseError(f"{path}: not a JSON object ({error})") from None
