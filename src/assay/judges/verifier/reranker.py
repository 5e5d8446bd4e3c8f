"""The interface of rerankers, which score a quotation against candidate passages.

The default compares words (``assay.checks.quotation``). It needs no model and gives the same scores on
every machine. Rerankers that load a model from a folder are in
``assay.judges.verifier.cross_encoder``, those that ask a server in ``endpoint`` and ``prompted``.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct

from assay.checks import verify_quotation


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
