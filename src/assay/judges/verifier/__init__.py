"""Whether a source contains a quotation: candidates by embedding, then reranking."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.judges.verifier.cross_encoder import CrossEncoderReranker, OnnxReranker
    from assay.judges.verifier.endpoint import EndpointReranker, EntailmentReranker
    from assay.judges.verifier.prompted import PromptedReranker
    from assay.judges.verifier.quotation import verify_quotation_with
    from assay.judges.verifier.reranker import AligningReranker, Closes, Reranker
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "AligningReranker": "reranker",
            "Closes": "reranker",
            "CrossEncoderReranker": "cross_encoder",
            "EndpointReranker": "endpoint",
            "EntailmentReranker": "endpoint",
            "OnnxReranker": "cross_encoder",
            "PromptedReranker": "prompted",
            "Reranker": "reranker",
            "verify_quotation_with": "quotation",
        },
    )

__all__ = [
    "AligningReranker",
    "Closes",
    "CrossEncoderReranker",
    "EndpointReranker",
    "EntailmentReranker",
    "OnnxReranker",
    "PromptedReranker",
    "Reranker",
    "verify_quotation_with",
]
