"""Whether a source contains a quotation: candidates by embedding, then reranking."""

from assay.judges.verifier.cross_encoder import CrossEncoderReranker, OnnxReranker
from assay.judges.verifier.endpoint import EndpointReranker, EntailmentReranker
from assay.judges.verifier.prompted import PromptedReranker
from assay.judges.verifier.quotation import Verification, verify_quotation, verify_quotation_with
from assay.judges.verifier.reranker import AligningReranker, Closes, Reranker

__all__ = [
    "AligningReranker",
    "Closes",
    "CrossEncoderReranker",
    "EndpointReranker",
    "EntailmentReranker",
    "OnnxReranker",
    "PromptedReranker",
    "Reranker",
    "Verification",
    "verify_quotation",
    "verify_quotation_with",
]
