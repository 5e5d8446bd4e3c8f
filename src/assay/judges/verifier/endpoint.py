"""Rerankers of quotations that ask a server: a reranker or a model of entailment (NLI).

The addresses and the keys are those of a model in the configuration (``models``). Any score is
compared with the threshold as it is, so choose the threshold with labelled pairs.
"""

from collections.abc import Sequence

import numpy as np

from assay.errors import SystemFailed
from assay.judges.verifier.cross_encoder import probabilities
from assay.judges.verifier.reranker import Reranked
from assay.models import ModelClient


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
