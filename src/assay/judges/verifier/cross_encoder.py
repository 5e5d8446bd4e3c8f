"""Cross-encoders that run in this process, from a folder of files, as rerankers of evidence.

``CrossEncoderReranker`` loads a folder with sentence-transformers (extra
``sentence-transformers``), ``OnnxReranker`` a model exported to ONNX (extra ``onnx``). Neither
reaches for the network. A model's score is what it learnt to score, often relevance: choose its
threshold on labelled pairs (``bench/verify.py`` prints the sweep).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.errors import UseError
from assay.judges.verifier.reranker import Reranked
from assay.rag.embed import (
    BATCH,
    LocalModel,
    OnnxModel,
    clean_text,
    model_identity,
    one_line,
    require_folder,
)
from assay.rag.optional_library import optional_library


class ModelReranker(LocalModel, ABC):
    """What cross-encoders in this process share.

    A subclass gives ``_logits``, which may take its time.
    """

    async def rerank(
        self, evidence: str, candidates: Sequence[str], *, clause: str
    ) -> list[Reranked]:
        """The model's score of each pair, brought to 0..1."""
        if not candidates:
            return []
        pairs = [(clean_text(evidence), clean_text(candidate)) for candidate in candidates]
        logits = await self._run(lambda: self._logits(pairs))
        return [Reranked(score=float(score)) for score in probabilities(logits)]

    @abstractmethod
    def _logits(self, pairs: list[tuple[str, str]]) -> NDArray[np.floating]:
        """A row for each pair; off the event loop, one call at a time."""


def probabilities(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Logits as numbers in 0..1: of one column by the logistic function, of two by softmax.

    Two columns are no and yes, in this order.

    >>> probabilities(np.array([[0.0], [2.0]])).round(3).tolist()
    [0.5, 0.881]
    >>> probabilities(np.array([[1.0, 3.0]])).round(3).tolist()
    [0.881]
    """
    rows = np.asarray(logits, dtype=np.float64).reshape(len(logits), -1)
    if rows.shape[1] > 2:
        raise UseError(f"a cross-encoder gives one or two numbers a pair, not {rows.shape[1]}")
    difference = rows[:, -1] - (rows[:, 0] if rows.shape[1] == 2 else 0.0)
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(difference, -500, 500))))


class CrossEncoderReranker(ModelReranker):
    """A cross-encoder folder as sentence-transformers saves it.

    Raises:
        UseError: the library is not installed, or the folder holds no model it can load.
    """

    def __init__(
        self, folder: Path, *, device: str | None = None, max_tokens: int | None = None
    ) -> None:
        library = optional_library(
            "sentence_transformers", "sentence-transformers", "this reranker"
        )
        torch = optional_library("torch", "sentence-transformers", "this reranker")
        require_folder(folder)
        try:
            self._model = library.CrossEncoder(
                str(folder), device=device, max_length=max_tokens, local_files_only=True
            )
        except (OSError, ValueError, RuntimeError, KeyError) as error:
            raise UseError(f"{folder}: no cross-encoder: {one_line(error)}") from error
        # The library may apply a sigmoid or not, as the folder says; the logits are the same.
        self._activation = torch.nn.Identity()
        files = [path for path in folder.rglob("*") if path.suffix.lower() != ".md"]
        settings = {"max_tokens": max_tokens}
        super().__init__(model_identity("cross-encoder", folder, files, settings))

    def _logits(self, pairs: list[tuple[str, str]]) -> NDArray[np.floating]:
        found = self._model.predict(
            pairs,
            batch_size=BATCH,
            show_progress_bar=False,
            activation_fn=self._activation,
            convert_to_numpy=True,
        )
        return np.asarray(found, dtype=np.float64).reshape(len(pairs), -1)


class OnnxReranker(ModelReranker):
    """A folder with a cross-encoder exported to ONNX and its ``tokenizer.json``.

    The model is ``model.onnx``, ``onnx/model.onnx`` or the only ``.onnx`` file; its inputs are
    found by name and its first output of two dimensions, or of one, is read as logits.

    Raises:
        UseError: a library is not installed, or the folder holds no model that can be run.
    """

    def __init__(
        self, folder: Path, *, max_tokens: int | None = None, threads: int | None = None
    ) -> None:
        self._model = OnnxModel(
            folder, needed_by="this reranker", max_tokens=max_tokens, threads=threads
        )
        model = self._model.path
        self._output = _output(model, self._model.output_ranks)
        settings = {"max_tokens": self._model.max_tokens}
        files = [model, *model.parent.glob("*.onnx_data"), *folder.glob("*.json")]
        super().__init__(model_identity("onnx-reranker", folder, files, settings))

    def _logits(self, pairs: list[tuple[str, str]]) -> NDArray[np.floating]:
        parts = [self._batch(pairs[at : at + BATCH]) for at in range(0, len(pairs), BATCH)]
        return np.concatenate(parts)

    def _batch(self, pairs: list[tuple[str, str]]) -> NDArray[np.floating]:
        rows, _ = self._model.run(pairs, self._output)
        return np.asarray(rows, dtype=np.float64).reshape(len(pairs), -1)


def _output(model: Path, ranks: Mapping[str, int]) -> str:
    """The output to read: ``logits``, or the first with a row or a number for each pair."""
    if ranks.get("logits") in {1, 2}:
        return "logits"
    for wanted in (2, 1):
        for name, rank in ranks.items():
            if rank == wanted:
                return name
    raise UseError(f"{model}: none of its outputs {list(ranks)} holds a score for each pair")
