"""Whether an answer says that the text does not tell."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.scorers.abstention.answer import abstains
    from assay.scorers.abstention.context import BREAK, DOCUMENT, HEDGE, QUOTATION
    from assay.scorers.abstention.phrase import phrases
    from assay.scorers.abstention.question import content_words
    from assay.scorers.abstention.verdict import Abstention, assess_abstention
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "Abstention": "verdict",
            "BREAK": "context",
            "DOCUMENT": "context",
            "HEDGE": "context",
            "QUOTATION": "context",
            "abstains": "answer",
            "assess_abstention": "verdict",
            "content_words": "question",
            "phrases": "phrase",
        },
    )

__all__ = [
    "BREAK",
    "DOCUMENT",
    "HEDGE",
    "QUOTATION",
    "Abstention",
    "abstains",
    "assess_abstention",
    "content_words",
    "phrases",
]
