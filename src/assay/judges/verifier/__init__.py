"""Whether quoted evidence stands in a clause: candidates by embedding, then a closer look."""

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
