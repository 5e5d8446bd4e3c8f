"""Embedding models that run in this process, from a folder of files.

``SentenceTransformersEmbedder`` loads a folder with sentence-transformers (extra
``sentence-transformers``), ``OnnxEmbedder`` a model exported to ONNX with its
``tokenizer.json`` (extra ``onnx``; no PyTorch). Neither reaches for the network. The identity
of both holds a hash of the model's files, weights included, so that another model in the
same folder never meets the vectors of this one.
"""

import asyncio
import hashlib
import importlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.errors import UseError
from assay.pipeline.embedder import Space, Vectors
from assay.pipeline.rotation import Nested, Rotated, unit_rows

_BATCH = 32
_TOKENS = 512
_MOST_TOKENS = 32_768
_POOLINGS = ("mean", "cls")


class LocalEmbedder(ABC):
    """What models in this process share: a thread for the work, one call at a time.

    A subclass gives ``_documents`` and ``_query``, which may take their time.

    Args:
        name: the identity.
        size: the model's dimension.
        nested: whether the model was trained so that prefixes are embeddings. If not, the
            space is rotated (``assay.pipeline.rotation``) to make them so.
    """

    def __init__(self, *, name: str, size: int, nested: bool) -> None:
        self._name = name
        self._size = size
        self._nested = nested
        # Not every engine may be entered twice at once.
        self._turn = threading.Lock()

    @property
    def identity(self) -> str:
        """The kind, the folder's name, a hash of its files, and the settings."""
        return self._name

    @property
    def size(self) -> int:
        """The model's dimension."""
        return self._size

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 for each document."""
        if not texts:
            return np.empty((0, self._size), dtype=np.float32)
        clean = [clean_text(text) for text in texts]
        return await self._run(lambda: self._documents(clean))

    def space(self, texts: Sequence[str], vectors: Vectors) -> Space:
        """The vectors as they are if the model is nested, rotated if not."""
        return (Nested if self._nested else Rotated)(vectors, self._embed_query)

    async def close(self) -> None:  # noqa: B027 - most hold nothing to release
        """Nothing to do: the model goes with the object."""

    async def _embed_query(self, text: str) -> Vectors:
        clean = clean_text(text)
        row: Vectors = (await self._run(lambda: self._query(clean)))[0]
        return row

    async def _run(self, work: Callable[[], NDArray[np.floating]]) -> Vectors:
        def alone() -> Vectors:
            with self._turn:
                return unit_rows(work())

        return await asyncio.to_thread(alone)

    @abstractmethod
    def _documents(self, texts: list[str]) -> NDArray[np.floating]:
        """A row for each document; off the event loop, one call at a time."""

    @abstractmethod
    def _query(self, text: str) -> NDArray[np.floating]:
        """The vector of a query; as above."""


class SentenceTransformersEmbedder(LocalEmbedder):
    """A model folder as sentence-transformers saves it.

    A prompt of ``None`` leaves the model its own, if it has any. ``device`` is what PyTorch
    calls it (``"cpu"``, ``"cuda"``); ``None`` lets it choose.

    Raises:
        UseError: the library is not installed, or the folder holds no model it can load.
    """

    def __init__(
        self,
        folder: Path,
        *,
        nested: bool = False,
        query_prompt: str | None = None,
        document_prompt: str | None = None,
        device: str | None = None,
    ) -> None:
        library = optional_library("sentence_transformers", "sentence-transformers")
        _require_folder(folder)
        try:
            self._model = library.SentenceTransformer(
                str(folder), device=device, local_files_only=True
            )
        except (OSError, ValueError, RuntimeError, KeyError) as error:
            raise UseError(f"{folder}: no sentence-transformers model: {_line(error)}") from error
        self._query_prompt = query_prompt
        self._document_prompt = document_prompt
        settings = {"nested": nested, "prompts": [query_prompt, document_prompt]}
        super().__init__(
            name=_identity("sentence-transformers", folder, _model_files(folder), settings),
            size=int(self._documents(["size"]).shape[1]),
            nested=nested,
        )

    def _documents(self, texts: list[str]) -> NDArray[np.floating]:
        return self._encoded(self._model.encode_document, texts, self._document_prompt)

    def _query(self, text: str) -> NDArray[np.floating]:
        return self._encoded(self._model.encode_query, [text], self._query_prompt)

    def _encoded(
        self, encode: Callable[..., Any], texts: list[str], prompt: str | None
    ) -> NDArray[np.floating]:
        vectors = encode(
            texts,
            prompt=prompt,
            batch_size=_BATCH,
            show_progress_bar=False,
            convert_to_numpy=True,
            normalize_embeddings=True,
        )
        return np.asarray(vectors, dtype=np.float32)


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
        runtime = optional_library("onnxruntime", "onnx")
        tokenizers = optional_library("tokenizers", "onnx")
        _require_folder(folder)
        model = _onnx_file(folder)
        self._pooling = pooling or _pooling(folder)
        if self._pooling not in _POOLINGS:
            raise UseError(f"{folder}: pooling {self._pooling!r} is not known; mean and cls are")
        self._tokenizer = _tokenizer(tokenizers, folder, max_tokens)
        self._session = _session(runtime, model, threads)
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
            name=_identity("onnx", folder, files, settings),
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
            self._batch([texts[number] for number in order[start : start + _BATCH]])
            for start in range(0, len(order), _BATCH)
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


def optional_library(module: str, extra: str) -> Any:
    """A library that only an extra installs.

    Raises:
        UseError: it is not there or does not load; the message names the extra.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise UseError(
            f"this embedder needs {module} ({error}): pip install 'assay[{extra}]'"
        ) from error


def clean_text(text: str) -> str:
    """``text`` without what native libraries trip over: NUL ends a C string, half a pair is no text.

    >>> clean_text("before" + chr(0) + "after" + chr(0xD800))
    'before after?'
    """
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def files_digest(root: Path, files: Iterable[Path]) -> str:
    """A short hash of files, names and contents, read in pieces."""
    whole = hashlib.sha256()
    for path in sorted({file for file in files if file.is_file()}):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        whole.update(f"{path.relative_to(root).as_posix()}\0{digest}\n".encode())
    return whole.hexdigest()[:16]


def _identity(kind: str, folder: Path, files: Iterable[Path], settings: dict[str, Any]) -> str:
    digest = files_digest(folder, files)
    return f"{kind}:{folder.resolve().name}#{digest}{msgspec.json.encode(settings).decode()}"


def _require_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise UseError(f"{folder}: no such model folder")


def _model_files(folder: Path) -> list[Path]:
    """Every file but hidden ones and what is only meant to be read."""
    return [
        path
        for path in folder.rglob("*")
        if path.suffix.lower() != ".md"
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]


def _beside(model: Path) -> list[Path]:
    """Files in the model's folder that may hold its weights: all but other models."""
    return [
        path
        for path in model.parent.iterdir()
        if path.suffix.lower() not in (".onnx", ".md") and not path.name.startswith(".")
    ]


def _onnx_file(folder: Path) -> Path:
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


def _tokenizer(library: Any, folder: Path, max_tokens: int | None) -> Any:
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise UseError(f"{path}: no such file; export the model together with its tokenizer")
    try:
        tokenizer = library.Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises the bare class
        raise UseError(f"{path}: not a tokenizer: {_line(error)}") from error
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


def _session(runtime: Any, model: Path, threads: int | None) -> Any:
    options = runtime.SessionOptions()
    options.log_severity_level = 3
    if threads:
        options.intra_op_num_threads = threads
    try:
        return runtime.InferenceSession(
            str(model), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # the library has a dozen classes of its own, none of them public
        raise UseError(f"{model}: cannot be loaded: {_line(error)}") from error


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


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
