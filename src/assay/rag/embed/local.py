"""Embedding models that run in this process, from a folder of files.

``LocalEmbedder`` is what they share; ``SentenceTransformersEmbedder`` loads a folder with
sentence-transformers (extra ``sentence-transformers``), ``assay.rag.embed.onnx`` a
model exported to ONNX. Neither reaches for the network. The identity of both holds a hash of
the model's files, weights included, so that another model in the same folder never meets the
vectors of this one.
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
from assay.rag.embed.protocol import Space, Vectors
from assay.rag.embed.rotation import Nested, Rotated, unit_rows
from assay.rag.optional_library import optional_library

BATCH = 32
"""Texts that a model is given at once."""


class LocalModel:
    """What models in this process share: a thread for the work, one call at a time."""

    def __init__(self, name: str) -> None:
        self._name = name
        # Not every engine may be entered twice at once.
        self._turn = threading.Lock()

    @property
    def identity(self) -> str:
        """The kind, the folder's name, a hash of its files, and the settings."""
        return self._name

    async def _run(self, work: Callable[[], NDArray[np.floating]]) -> NDArray[np.floating]:
        def alone() -> NDArray[np.floating]:
            with self._turn:
                return work()

        return await asyncio.to_thread(alone)


class LocalEmbedder(LocalModel, ABC):
    """What embedding models in this process share.

    A subclass gives ``_documents`` and ``_query``, which may take their time.

    Args:
        name: the identity.
        size: the model's dimension.
        nested: whether the model was trained so that prefixes are embeddings. If not, the
            space is rotated (``assay.rag.embed.rotation``) to make them so.
    """

    def __init__(self, *, name: str, size: int, nested: bool) -> None:
        super().__init__(name)
        self._size = size
        self._nested = nested

    @property
    def size(self) -> int:
        """The model's dimension."""
        return self._size

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 for each document."""
        if not texts:
            return np.empty((0, self._size), dtype=np.float32)
        clean = [clean_text(text) for text in texts]
        return unit_rows(await self._run(lambda: self._documents(clean)))

    def space(self, texts: Sequence[str], vectors: Vectors) -> Space:
        """The vectors as they are if the model is nested, rotated if not."""
        return (Nested if self._nested else Rotated)(vectors, self._embed_query)

    async def close(self) -> None:
        """Nothing to do: the model goes with the object."""

    async def _embed_query(self, text: str) -> Vectors:
        clean = clean_text(text)
        row: Vectors = unit_rows(await self._run(lambda: self._query(clean)))[0]
        return row

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
        return self._encoded(self._model.encode_document, texts, self._document_prompt)

    def _query(self, text: str) -> NDArray[np.floating]:
        return self._encoded(self._model.encode_query, [text], self._query_prompt)

    def _encoded(
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


def model_identity(kind: str, folder: Path, files: Iterable[Path], settings: dict[str, Any]) -> str:
    """The kind, the folder's name, a hash of its files, and the settings."""
    digest = files_digest(folder, files)
    return f"{kind}:{folder.resolve().name}#{digest}{msgspec.json.encode(settings).decode()}"


def require_folder(folder: Path) -> None:
    """Refuse what is not a folder."""
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


def one_line(error: Exception) -> str:
    """What a library said, as one line that is not too long."""
    return " ".join(str(error).split())[:200] or type(error).__name__
