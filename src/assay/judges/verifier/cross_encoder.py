"""Rerankers of evidence that run a local cross-encoder in this process.

``CrossEncoderReranker`` loads a folder with sentence-transformers (extra
``sentence-transformers``), ``OnnxReranker`` loads a model exported to ONNX (extra ``onnx``).
Neither uses the network. The meaning of the score depends on the training of the model; often it
is relevance. So choose the threshold on labelled pairs: ``bench/verify.py --sweep`` prints the
results for several thresholds.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.errors import UseError
from assay.extra import optional_library
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


class ModelReranker(LocalModel, ABC):
    """Base class of rerankers that run a cross-encoder in this process.

    A subclass implements ``_logits``, which may be slow.
    """

    async def rerank(
        self, evidence: str, candidates: Sequence[str], *, clause: str
    ) -> list[Reranked]:
        """Score each pair of evidence and candidate with the model, in 0..1."""
        if not candidates:
            return []
        pairs = [(clean_text(evidence), clean_text(candidate)) for candidate in candidates]
        logits = await self._run(lambda: self._logits(pairs))
        return [Reranked(score=float(score)) for score in probabilities(logits)]

    @abstractmethod
    def _logits(self, pairs: list[tuple[str, str]]) -> NDArray[np.floating]:
        """Return a row of logits for each pair.

        Called outside the event loop, never twice at the same time.
        """


def probabilities(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Convert logits to probabilities in 0..1.

    One column is converted by the logistic function. Two columns are the logits of "no" and
    "yes", in this order; they are converted by softmax.

    Raises:
        UseError: the logits have more than two columns.

    >>> probabilities(np.array([[0.0], [2.0]])).round(3).tolist()
    [0.5, 0.881]
    >>> probabilities(np.array([[1.0, 3.0]])).round(3).tolist()
    [0.881]
    """
    rows = np.asarray(logits, dtype=np.float64).reshape(len(logits), -1)
    if rows.shape[1] > 2:
        raise UseError(
            f"a cross-encoder must return one or two numbers for each pair, not {rows.shape[1]}"
        )
    difference = rows[:, -1] - (rows[:, 0] if rows.shape[1] == 2 else 0.0)
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(difference, -500, 500))))


class CrossEncoderReranker(ModelReranker):
    """A cross-encoder from a folder that was saved by sentence-transformers.

    Raises:
        UseError: the library is not installed, or it cannot load a model from the folder.
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
            raise UseError(f"{folder}: cannot load a cross-encoder: {one_line(error)}") from error
        # Depending on the folder's settings, the library applies a sigmoid. We want the logits.
        self._activation = torch.nn.Identity()
        files = [path for path in folder.rglob("*") if path.suffix.lower() != ".md"]
        settings = {"max_tokens": max_tokens}
        super().__init__(model_identity("cross-encoder", folder, files, settings))

    def _logits(self, pairs: list[tuple[str, str]]) -> NDArray[np.floating]:
        logits = self._model.predict(
            pairs,
            batch_size=BATCH,
            show_progress_bar=False,
            activation_fn=self._activation,
            convert_to_numpy=True,
        )
        return np.asarray(logits, dtype=np.float64).reshape(len(pairs), -1)


class OnnxReranker(ModelReranker):
    """A cross-encoder exported to ONNX, from a folder that also has its ``tokenizer.json``.

    The model is ``model.onnx``, ``onnx/model.onnx`` or the only ``.onnx`` file. Its inputs are
    identified by name. The logits are the output named ``logits``, otherwise the first output
    with two dimensions, otherwise the first output with one dimension.

    Raises:
        UseError: a library is not installed, or the folder has no model that can be run.
    """

    def __init__(
        self, folder: Path, *, max_tokens: int | None = None, threads: int | None = None
    ) -> None:
        self._model = OnnxModel(
            folder, needed_by="this reranker", max_tokens=max_tokens, threads=threads
        )
        model = self._model.path
        self._output = _logits_output(model, self._model.output_ranks)
        settings = {"max_tokens": self._model.max_tokens}
        files = [model, *model.parent.glob("*.onnx_data"), *folder.glob("*.json")]
        super().__init__(model_identity("onnx-reranker", folder, files, settings))

    def _logits(self, pairs: list[tuple[str, str]]) -> NDArray[np.floating]:
        batches = [
            self._run_batch(pairs[start : start + BATCH]) for start in range(0, len(pairs), BATCH)
        ]
        return np.concatenate(batches)

    def _run_batch(self, pairs: list[tuple[str, str]]) -> NDArray[np.floating]:
        rows, _ = self._model.run(pairs, self._output)
        return np.asarray(rows, dtype=np.float64).reshape(len(pairs), -1)


def _logits_output(model: Path, ranks: Mapping[str, int]) -> str:
    """The name of the output with the logits: a row or a number for each pair."""
    if ranks.get("logits") in {1, 2}:
        return "logits"
    for expected_rank in (2, 1):
        for name, rank in ranks.items():
            if rank == expected_rank:
                return name
    raise UseError(f"{model}: none of its outputs {list(ranks)} has a score for each pair")
