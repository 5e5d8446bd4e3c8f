"""Whether a clause contains quoted evidence: candidates by embedding, then reranking."""

from assay.judges.verifier.cross_encoder import CrossEncoderReranker, OnnxReranker
from assay.judges.verifier.evidence import verify_evidence
from assay.judges.verifier.reranker import AligningReranker, Reranker

__all__ = [
    "AligningReranker",
    "CrossEncoderReranker",
    "OnnxReranker",
    "Reranker",
    "verify_evidence",
]
