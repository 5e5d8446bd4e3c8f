"""Whether quoted evidence stands in a clause: candidates by embedding, then a closer look."""

from assay.judges.verifier.reranker import AligningReranker
from assay.judges.verifier.cross_encoder import CrossEncoderReranker
from assay.judges.verifier.cross_encoder import OnnxReranker
from assay.judges.verifier.reranker import Reranker
from assay.judges.verifier.evidence import verify_evidence

__all__ = [
    "AligningReranker",
    "CrossEncoderReranker",
    "OnnxReranker",
    "Reranker",
    "verify_evidence",
]
