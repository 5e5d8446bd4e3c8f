"""How well a quotation agrees with the sentence it is taken from."""

from assay.scorers.evidence.score import THRESHOLD
from assay.scorers.evidence.alignment import align
from assay.scorers.evidence.score import alignment_scores
from assay.scorers.evidence.score import is_verbatim
from assay.scorers.evidence.token import sentence_spans
from assay.scorers.evidence.token import simplified_han
from assay.scorers.evidence.token import tokens
from assay.scorers.evidence.score import windows

__all__ = [
    "THRESHOLD",
    "align",
    "alignment_scores",
    "is_verbatim",
    "sentence_spans",
    "simplified_han",
    "tokens",
    "windows",
]
