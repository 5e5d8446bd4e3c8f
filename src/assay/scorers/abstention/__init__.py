"""Whether an answer says that the text does not tell."""

from assay.scorers.abstention.context import BREAK
from assay.scorers.abstention.context import DOCUMENT
from assay.scorers.abstention.context import HEDGE
from assay.scorers.abstention.context import QUOTATION
from assay.scorers.abstention.verdict import abstains
from assay.scorers.abstention.verdict import abstention
from assay.scorers.abstention.pattern import any_of
from assay.scorers.abstention.pattern import phrases

__all__ = [
    "BREAK",
    "DOCUMENT",
    "HEDGE",
    "QUOTATION",
    "abstains",
    "abstention",
    "any_of",
    "phrases",
]
