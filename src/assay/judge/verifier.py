"""Rerankers of evidence that run a local cross-encoder in this process.

``CrossEncoderReranker`` loads a folder with sentence-transformers (extra
``sentence-transformers``), ``OnnxReranker`` loads a model exported to ONNX (extra ``onnx``).
Neither uses the network. The meaning of the score depends on the training of the model; often it
is relevance. So choose the threshold on labelled pairs.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, Protocol, get_args, runtime_checkable

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.checks.quotation import THRESHOLD, Candidate, Verification, verify_quotation
from assay.errors import SystemFailed, TransientError, UseError
from assay.mask import keyed_digest
from assay.models.client import ModelClient
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.embed.local import (
    BATCH,
    LocalModel,
    OnnxModel,
    clean_text,
    model_identity,
    one_line,
    require_folder,
)
from assay.rag.embed.protocol import Embedder, Vectors
from assay.rag.generate.prompted import read_grades
from assay.rag.generate.protocol import GradesUnreadable
from assay.records import digest
from assay.registry import optional_library
from assay.text.language import Language, language
from assay.text.normalise import Span
from assay.text.sentence import sentences
from assay.text.thought import without_thoughts

# The interface of rerankers, which score a quotation against candidate passages.
#
# The default compares words (``assay.checks.quotation``). It needs no model and gives the same scores on
# every machine. Rerankers that load a model from a folder are in
# ``assay.judges.verifier.cross_encoder``, those that ask a server in ``endpoint`` and ``prompted``.


class Reranked(Struct, frozen=True, kw_only=True):
    """The score of one candidate, in 0..1.

    ``reasons`` say why the candidate disagrees with the evidence; a reranker may report none.
    """

    score: float
    reasons: tuple[str, ...] = ()


class Reranker(Protocol):
    """Scores candidates."""

    @property
    def identity(self) -> str:
        """Identifies the reranker; stored with the scores.

        It must be different if the scores can be different.
        """

    async def rerank(
        self, evidence: str, candidates: Sequence[str], *, clause: str
    ) -> list[Reranked]:
        """Return a score for each candidate. Candidates are passages of ``clause``."""


@runtime_checkable
class Closes(Protocol):
    """A reranker with resources to release, for example connections."""

    async def close(self) -> None:
        """Release all resources; called once, at the end of the run."""


class AligningReranker:
    """The default reranker: the comparison of words, without a model."""

    @property
    def identity(self) -> str:
        """Name and version of the algorithm."""
        return "aligner-8"

    async def rerank(
        self, evidence: str, candidates: Sequence[str], *, clause: str
    ) -> list[Reranked]:
        """Score how much of the evidence each candidate contains, and report differences."""
        checks = [verify_quotation(evidence, candidate) for candidate in candidates]
        return [Reranked(score=check.score or 0.0, reasons=check.reasons) for check in checks]


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


# Whether a source contains a quotation, with a model: candidates by embedding, then reranking.
#
# Stage 1 embeds the quotation and the sentences of the source, and ranks passages of one or more
# sentences by their cosine with the quotation; the vector of a passage is the mean of its sentences'
# vectors. Stage 2 passes the best candidates to a reranker. The quotation is valid if its score
# reaches the threshold. Without a model, words are compared (``assay.verify_quotation``). With one,
# what the words object to is beside the score as a veto. Nothing is stored on disk, because a source is small.

TOP: Final = 3
"""How many candidates the reranker gets by default."""
MAX_SENTENCES: Final = 8
"""The largest number of sentences in a candidate, unless more of them are quoted."""
_MARGIN: Final = 1.2
"""A candidate of several sentences may be so much longer than the quotation, which may leave words out."""
_DEFAULT_EMBEDDER: Final = HashedEmbedder()
_DEFAULT_RERANKER: Final = AligningReranker()


async def verify_quotation_with(
    quotation: str,
    source: str,
    *,
    embedder: Embedder = _DEFAULT_EMBEDDER,
    reranker: Reranker = _DEFAULT_RERANKER,
    threshold: float = THRESHOLD,
    top: int = TOP,
) -> Verification:
    """Check whether ``source`` contains ``quotation``, with models of your choice.

    ``top`` is the number of candidates for the reranker, and ``threshold`` the score from which
    a quotation is valid.
    """
    compared = verify_quotation(quotation, source, threshold=threshold)
    is_offline = isinstance(embedder, HashedEmbedder) and isinstance(reranker, AligningReranker)
    if is_offline or not quotation.strip() or not source.strip():
        return compared
    parts = sentences(source)
    vectors = await embedder.embed([quotation, *(part.of(source) for part in parts)])
    spans = _best_spans(vectors, _ranges(parts, len(quotation)), parts, _place(compared), top)
    texts = [span.of(source) for span, _ in spans]
    results = await reranker.rerank(quotation, texts, clause=source)
    candidates = _candidates(source, spans, results)
    best = candidates[0]
    return replace(
        compared,
        valid=best.score >= threshold,
        score=best.score,
        embedding_score=best.embedding_score,
        candidate=best,
        reasons=best.reasons,
        candidates=tuple(candidates),
        veto=None if isinstance(reranker, AligningReranker) else compared.reasons,
    )


def _place(compared: Verification) -> Span | None:
    """The sentences that most words of the quotation are from; always one of the candidates."""
    is_found = compared.candidate is not None and compared.outcome != "absent"
    return compared.candidate.span if is_found and compared.candidate else None


def _ranges(parts: Sequence[Span], length: int) -> list[tuple[int, int]]:
    """Single sentences, pairs of neighbours, and more until they are about ``length`` long."""
    ranges = []
    for first, start in enumerate(parts):
        for last in range(first, min(first + MAX_SENTENCES, len(parts))):
            ranges.append((first, last + 1))
            if last > first and parts[last].end - start.start > _MARGIN * length:
                break
    return ranges


def _best_spans(
    vectors: Vectors,
    ranges: Sequence[tuple[int, int]],
    parts: Sequence[Span],
    place: Span | None,
    top: int,
) -> list[tuple[Span, float]]:
    """The passages that are most similar to the quotation, at most ``top``, with their cosines.

    The first vector is that of the quotation, the others are those of the sentences.
    """
    sums = np.cumsum(vectors, axis=0, dtype=np.float64)
    found = [
        (
            Span(start=parts[first].start, end=parts[last - 1].end),
            _cosine(vectors[0], sums[last] - sums[first]),
        )
        for first, last in ranges
    ]
    ranked = sorted(found, key=lambda each: -each[1])
    if place is None or place in [span for span, _ in ranked[:top]]:
        return ranked[:top]
    covered = [
        vector
        for part, vector in zip(parts, vectors[1:], strict=True)
        if place.start <= part.start and part.end <= place.end
    ]
    return [(place, _cosine(vectors[0], np.sum(covered, axis=0))), *ranked[: top - 1]]


def _candidates(
    source: str, spans: Sequence[tuple[Span, float]], results: Sequence[Reranked]
) -> list[Candidate]:
    """The candidates, best first; among equal scores, the more similar one, then the shorter one."""
    candidates = [
        Candidate(
            text=span.of(source),
            span=span,
            embedding_score=similarity,
            score=result.score,
            reasons=result.reasons,
        )
        for (span, similarity), result in zip(spans, results, strict=True)
    ]
    return sorted(
        candidates,
        key=lambda each: (-each.score, -each.embedding_score, len(each.text)),
    )


def _cosine(first: Vectors, second: Vectors) -> float:
    square = float(np.dot(first, first)) * float(np.dot(second, second))
    return max(-1.0, min(1.0, float(np.dot(first, second)) / square**0.5)) if square > 0 else 0.0


# A reranker of quotations that asks a chat model to grade the candidates.
#
# The prompt is in the language of the quotation: ``prompts/{zh,ru,en}.txt``. The text above the line
# ``---`` is the system message, the text below it the user message. The quotation and the candidates
# are enclosed in a mark that is computed from their content, and the prompt says that they are data.

_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")


class PromptedReranker:
    """Asks a chat model how far each candidate contains the quotation. ``close`` closes the client."""

    def __init__(self, client: ModelClient) -> None:
        self._client = client

    @property
    def identity(self) -> str:
        """The model's identity and a hash of all prompts."""
        return f"prompted {self._client.identity} prompts={_prompts_hash()}"

    async def rerank(
        self, evidence: str, candidates: Sequence[str], *, clause: str
    ) -> list[Reranked]:
        """Ask for all grades with one call.

        Raises:
            TransientError: the reply has no usable grade for a candidate.
        """
        if not candidates:
            return []
        content = "\0".join((evidence, *candidates))
        fence = f"data-{keyed_digest(content.encode())}"
        slots = {
            "fence": fence,
            "count": str(len(candidates)),
            "quotation": evidence,
            "passages": "\n".join(
                f"<{fence} passage={number}>\n{candidate}\n</{fence}>"
                for number, candidate in enumerate(candidates, 1)
            ),
        }
        # In one pass, so that a slot inside of the quotation is not replaced.
        system, user = (
            _SLOT.sub(lambda match: slots[match[1]], part) for part in _prompt(language(evidence))
        )
        reply = await self._client.chat(
            [{"role": "system", "content": system}, {"role": "user", "content": user}]
        )
        try:
            grades = read_grades(without_thoughts(reply.text), len(candidates))
        except GradesUnreadable as error:
            raise TransientError(f"the verifier: {error}") from None
        return [Reranked(score=grade) for grade in grades]

    async def close(self) -> None:
        """Close the client."""
        await self._client.close()


@cache
def _prompt(name: Language) -> tuple[str, str]:
    path = files("assay.judge") / "verifier_prompts" / f"{name}.txt"
    system, _, user = path.read_text(encoding="utf-8").partition("\n---\n")
    return system.strip(), user.strip()


@cache
def _prompts_hash() -> str:
    return digest([_prompt(name) for name in get_args(Language)])


# Rerankers of quotations that ask a server: a reranker or a model of entailment (NLI).
#
# The addresses and the keys are those of a model in the configuration (``models``). Any score is
# compared with the threshold as it is, so choose the threshold with labelled pairs.


class EndpointReranker:
    """A reranker on a server with the path ``/rerank``, as many servers and providers have it.

    Args:
        client: the client of the model; ``close`` closes it.
        logits: whether the server sends logits, which are then converted to 0..1.
    """

    def __init__(self, client: ModelClient, *, logits: bool = False) -> None:
        self._client = client
        self._logits = logits

    @property
    def identity(self) -> str:
        """The model's identity, and whether its scores are converted."""
        return f"rerank{'-logits' if self._logits else ''} {self._client.identity}"

    async def rerank(
        self, evidence: str, candidates: Sequence[str], *, clause: str
    ) -> list[Reranked]:
        """Ask the server for the relevance of each candidate.

        Raises:
            SystemFailed: a score is not in 0..1.
        """
        scores = await self._client.rerank(evidence, candidates) if candidates else []
        if self._logits:
            scores = probabilities(np.array(scores)).tolist()
        if not all(0 <= score <= 1 for score in scores):
            raise SystemFailed(
                f"{self._client.config.model}: its scores {scores} are not in 0..1; if they are "
                "logits, use --verifier rerank-logits:…"
            )
        return [Reranked(score=score) for score in scores]

    async def close(self) -> None:
        """Close the client."""
        await self._client.close()


class EntailmentReranker:
    """A model of entailment (NLI) on a server with the path ``/predict``.

    The score is how far a candidate, the premise, entails the quotation, the hypothesis.
    """

    def __init__(self, client: ModelClient) -> None:
        self._client = client

    @property
    def identity(self) -> str:
        """The model's identity."""
        return f"nli {self._client.identity}"

    async def rerank(
        self, evidence: str, candidates: Sequence[str], *, clause: str
    ) -> list[Reranked]:
        """Ask the server how far each candidate entails the quotation."""
        if not candidates:
            return []
        scores = await self._client.entailment([(candidate, evidence) for candidate in candidates])
        return [Reranked(score=score) for score in scores]

    async def close(self) -> None:
        """Close the client."""
        await self._client.close()
