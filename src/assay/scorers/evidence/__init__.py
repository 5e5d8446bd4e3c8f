"""How well a quotation agrees with the sentence it is taken from."""

from assay.scorers.evidence.alignment import align
from assay.scorers.evidence.score import THRESHOLD, alignment_scores, is_verbatim, windows
from assay.scorers.evidence.token import Token, names, sentence_spans, simplified_han, tokens

__all__ = [
    "THRESHOLD",
    "Token",
    "align",
    "alignment_scores",
    "is_verbatim",
    "names",
    "sentence_spans",
    "simplified_han",
    "tokens",
    "windows",
]
