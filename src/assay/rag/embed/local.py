"""Embedding models that run in this process, from a folder of files.

``LocalEmbedder`` is their base class. ``SentenceTransformersEmbedder`` loads a folder with
sentence-transformers (extra ``sentence-transformers``); ``assay.rag.embed.onnx`` loads a model
exported to ONNX. Neither uses the network. The identity of both contains a hash of the model's
files, including the weights, so that vectors of different models in the same folder are never
mixed.
"""

import asyncio
import hashlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.errors import UseError
from assay.extra import optional_library
from assay.rag.embed.protocol import Space, Vectors
from assay.rag.embed.rotation import NestedSpace, RotatedSpace, unit_rows

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
            (Matryoshka). If not, the space is rotated (``assay.rag.embed.rotation``) so that
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
