"""Whether an answer says that the text does not tell."""

from assay.scorers.abstention.context import BREAK, DOCUMENT, HEDGE, QUOTATION
from assay.scorers.abstention.phrase import phrases
from assay.scorers.abstention.question import content_words
from assay.scorers.abstention.verdict import Abstention, abstains, assess_abstention

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
