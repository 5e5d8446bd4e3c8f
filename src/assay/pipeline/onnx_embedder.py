"""A model exported to ONNX, from a folder with its ``tokenizer.json``: the extra ``onnx``.

No PyTorch and no network.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.errors import UseError
from assay.pipeline.embedder import Vectors
from assay.pipeline.extra import optional_library
from assay.pipeline.local_embedder import (
    BATCH,
    LocalEmbedder,
    model_identity,
    one_line,
    require_folder,
)

_TOKENS = 512
_MOST_TOKENS = 32_768
_POOLINGS = ("mean", "cls")


class OnnxEmbedder(LocalEmbedder):
    """A folder with a model exported to ONNX and its ``tokenizer.json``.

    The model is ``model.onnx``, ``onnx/model.onnx`` or the only ``.onnx`` file. Its inputs are
    found by name. A ``sentence_embedding`` output is taken as it is; token vectors are pooled
    over the attention mask, by the mean unless ``1_Pooling/config.json`` or ``pooling`` says
    ``cls``. ``max_tokens`` cuts longer texts; ``None`` takes the tokenizer's own limit, then
    that of ``tokenizer_config.json``, then 512.

    Raises:
        UseError: a library is not installed, or the folder holds no model that can be run.
    """

    def __init__(
        self,
        folder: Path,
        *,
        nested: bool = False,
        query_prompt: str = "",
        document_prompt: str = "",
        pooling: str | None = None,
        max_tokens: int | None = None,
        threads: int | None = None,
    ) -> None:
        runtime = optional_library("onnxruntime", "onnx", "this embedder")
        tokenizers = optional_library("tokenizers", "onnx", "this embedder")
        require_folder(folder)
        model = onnx_file(folder)
        self._pooling = pooling or _pooling(folder)
        if self._pooling not in _POOLINGS:
            raise UseError(f"{folder}: pooling {self._pooling!r} is not known; mean and cls are")
        self._tokenizer = onnx_tokenizer(tokenizers, folder, max_tokens)
        self._session = onnx_session(runtime, model, threads)
        self._inputs = {part.name: part.type for part in self._session.get_inputs()}
        self._output, self._pooled = _output(model, self._session.get_outputs())
        self._prompts = (query_prompt, document_prompt)
        _refuse_unknown_inputs(model, self._inputs)
        settings = {
            "nested": nested,
            "prompts": self._prompts,
            "pooling": None if self._pooled else self._pooling,
            "max_tokens": self._tokenizer.truncation["max_length"],
        }
        files = [model, *_beside(model), *folder.glob("*.json")]
        super().__init__(
            name=model_identity("onnx", folder, files, settings),
            size=int(self._documents(["size"]).shape[1]),
            nested=nested,
        )

    def _documents(self, texts: list[str]) -> NDArray[np.floating]:
        return self._encoded([self._prompts[1] + text for text in texts])

    def _query(self, text: str) -> NDArray[np.floating]:
        return self._encoded([self._prompts[0] + text])

    def _encoded(self, texts: list[str]) -> NDArray[np.floating]:
        """Texts of like length together, so that little is padded; rows in the order given."""
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        parts = [
            self._batch([texts[number] for number in order[start : start + BATCH]])
            for start in range(0, len(order), BATCH)
        ]
        found = np.concatenate(parts)
        out = np.empty_like(found)
        out[order] = found
        return out

    def _batch(self, texts: list[str]) -> NDArray[np.floating]:
        encoded = self._tokenizer.encode_batch(texts)
        mask = np.array([one.attention_mask for one in encoded], dtype=np.int64)
        offered = {
            "input_ids": np.array([one.ids for one in encoded], dtype=np.int64),
            "attention_mask": mask,
            "token_type_ids": np.array([one.type_ids for one in encoded], dtype=np.int64),
            "position_ids": np.maximum(mask.cumsum(axis=1) - 1, 0),
        }
        feed = {
            name: offered[name].astype(np.int32 if kind == "tensor(int32)" else np.int64)
            for name, kind in self._inputs.items()
        }
        (found,) = self._session.run([self._output], feed)
        found = np.asarray(found, dtype=np.float32)
        return found if self._pooled else pooled(found, mask, self._pooling)


def pooled(tokens: Vectors, mask: NDArray[np.int64], pooling: str) -> Vectors:
    """One vector a text from its tokens': the mean of those not padded, or the first.

    >>> tokens = np.array([[[1.0], [3.0], [99.0]]], dtype=np.float32)
    >>> mask = np.array([[1, 1, 0]])
    >>> pooled(tokens, mask, "mean").tolist(), pooled(tokens, mask, "cls").tolist()
    ([[2.0]], [[1.0]])
    """
    if pooling == "cls":
        # The first that is not padding: some tokenizers pad on the left.
        return np.asarray(tokens[np.arange(len(tokens)), mask.argmax(axis=1)])
    weights = mask[:, :, None].astype(np.float32)
    counts = np.maximum(weights.sum(axis=1), 1)
    return np.asarray((tokens * weights).sum(axis=1) / counts)


def _beside(model: Path) -> list[Path]:
    """Files in the model's folder that may hold its weights: all but other models."""
    return [
        path
        for path in model.parent.iterdir()
        if path.suffix.lower() not in (".onnx", ".md") and not path.name.startswith(".")
    ]


def onnx_file(folder: Path) -> Path:
    """The one model in ``folder``."""
    for usual in (folder / "model.onnx", folder / "onnx" / "model.onnx"):
        if usual.is_file():
            return usual
    found = sorted(folder.rglob("*.onnx"))
    if len(found) != 1:
        said = "no .onnx file" if not found else f"{len(found)} .onnx files, none model.onnx"
        raise UseError(f"{folder}: {said}; name the one to use model.onnx")
    return found[0]


def _pooling(folder: Path) -> str:
    """What the model's own configuration says, in its old form or its new one."""
    config = _json(folder / "1_Pooling" / "config.json")
    if "pooling_mode" in config:
        return str(config["pooling_mode"])
    old = [name for name, on in config.items() if name.startswith("pooling_mode_") and on is True]
    names = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
    return "+".join(names.get(name, name) for name in old) or "mean"


def onnx_tokenizer(library: Any, folder: Path, max_tokens: int | None) -> Any:
    """The tokenizer beside the model, cutting at ``max_tokens`` or at what the model says."""
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise UseError(f"{path}: no such file; export the model together with its tokenizer")
    try:
        tokenizer = library.Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises the bare class
        raise UseError(f"{path}: not a tokenizer: {one_line(error)}") from error
    limit = max_tokens
    if limit is None and tokenizer.truncation:
        limit = tokenizer.truncation["max_length"]
    if limit is None:
        said = _json(folder / "tokenizer_config.json").get("model_max_length")
        # A tokenizer without a limit of its own says so with an absurdly large number.
        limit = said if isinstance(said, int) and 0 < said <= _MOST_TOKENS else _TOKENS
    tokenizer.enable_truncation(max_length=limit)
    if not tokenizer.padding:
        tokenizer.enable_padding()
    return tokenizer


def onnx_session(runtime: Any, model: Path, threads: int | None) -> Any:
    """The model loaded for the processor."""
    options = runtime.SessionOptions()
    options.log_severity_level = 3
    if threads:
        options.intra_op_num_threads = threads
    try:
        return runtime.InferenceSession(
            str(model), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # the library has a dozen classes of its own, none of them public
        raise UseError(f"{model}: cannot be loaded: {one_line(error)}") from error


def _refuse_unknown_inputs(model: Path, inputs: Iterable[str]) -> None:
    known = {"input_ids", "attention_mask", "token_type_ids", "position_ids"}
    if unknown := sorted(set(inputs) - known):
        raise UseError(f"{model}: it wants the inputs {unknown}, which a text does not give")


def _output(model: Path, outputs: Sequence[Any]) -> tuple[str, bool]:
    """The output to read, and whether it holds a vector a text already."""
    ranks = {one.name: len(one.shape or ()) for one in outputs}
    if ranks.get("sentence_embedding") == 2:
        return "sentence_embedding", True
    for wanted in (3, 2):
        for name, rank in ranks.items():
            if rank == wanted:
                return name, wanted == 2
    raise UseError(f"{model}: none of its outputs {list(ranks)} holds vectors")


def _json(path: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except FileNotFoundError:
        return {}
    except msgspec.DecodeError as error:
        raise UseError(f"{path}: not a JSON object ({error})") from None
