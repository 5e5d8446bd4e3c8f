"""What scores a quotation against candidate sentences, behind one interface.

The embedded default is the aligner of ``assay.scorers.evidence.score``: no model, the same on
every machine. Models from a folder are in ``assay.judges.verifier.cross_encoder``.
"""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from assay.scorers.evidence import alignment_scores


class Reranked(Struct, frozen=True, kw_only=True):
    """The score of one candidate, 0..1, and what speaks against it, where the reranker says."""

    score: float
    reasons: tuple[str, ...] = ()


class Reranker(Protocol):
    """Scores candidates. ``identity`` changes whenever the scores would."""

    @property
    def identity(self) -> str:
        """Stored with the scores."""

    async def rerank(
        self, evidence: str, candidates: Sequence[str], *, clause: str
    ) -> list[Reranked]:
        """A score for each candidate, which are stretches of ``clause``."""


class AligningReranker:
    """The embedded default: a deterministic alignment of words and values."""

    @property
    def identity(self) -> str:
        """Version of the recipe."""
        return "aligner-2"

    async def rerank(
        self, evidence: str, candidates: Sequence[str], *, clause: str
    ) -> list[Reranked]:
        """How much of the evidence each candidate carries, and what disagrees."""
        return [
            Reranked(score=one.score, reasons=one.reasons)
            for one in alignment_scores(evidence, candidates, clause)
        ]
