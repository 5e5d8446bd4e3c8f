"""Whether a clause contains quoted evidence: candidates by embedding, then reranking."""

from assay.judges.verifier.cross_encoder import CrossEncoderReranker, OnnxReranker
from assay.judges.verifier.evidence import EvidenceCheck, verify_evidence, verify_offline
from assay.judges.verifier.reranker import AligningReranker, Reranker

__all__ = [
    "AligningReranker",
    "CrossEncoderReranker",
    "EvidenceCheck",
    "OnnxReranker",
    "Reranker",
    "verify_evidence",
    "verify_offline",
]
