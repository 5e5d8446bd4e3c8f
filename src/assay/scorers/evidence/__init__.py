"""How well a quotation agrees with the sentence it is taken from."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.scorers.evidence.alignment import align
    from assay.scorers.evidence.han import simplified_han
    from assay.scorers.evidence.score import THRESHOLD, alignment_scores, windows
    from assay.scorers.evidence.token import Token, names, sentence_spans, tokens
    from assay.scorers.evidence.verbatim import is_verbatim
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "THRESHOLD": "score",
            "Token": "token",
            "align": "alignment",
            "alignment_scores": "score",
            "is_verbatim": "verbatim",
            "names": "token",
            "sentence_spans": "token",
            "simplified_han": "han",
            "tokens": "token",
            "windows": "score",
        },
    )

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
