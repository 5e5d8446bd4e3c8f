"""Embedding models exported to ONNX, from a folder with a ``tokenizer.json``."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.errors import UseError
from assay.rag.embed.local import BATCH, LocalEmbedder, model_identity
from assay.rag.embed.onnx_model import OnnxModel, json_object
from assay.rag.embed.protocol import Vectors

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
