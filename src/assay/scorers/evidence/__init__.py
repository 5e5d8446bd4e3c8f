"""How well a quotation agrees with the sentence it is taken from."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.scorers.evidence.alignment import align
    from assay.scorers.evidence.han import simplified_han
    from assay.scorers.evidence.passage import MAX_SENTENCES, passages, quoted_passage
    from assay.scorers.evidence.score import THRESHOLD, alignment_scores
    from assay.scorers.evidence.token import Token, names, sentence_spans, tokens
    from assay.scorers.evidence.verbatim import is_verbatim
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "MAX_SENTENCES": "passage",
            "THRESHOLD": "score",
            "Token": "token",
            "align": "alignment",
            "alignment_scores": "score",
            "is_verbatim": "verbatim",
            "names": "token",
            "passages": "passage",
            "quoted_passage": "passage",
            "sentence_spans": "token",
            "simplified_han": "han",
            "tokens": "token",
        },
    )

__all__ = [
    "MAX_SENTENCES",
    "THRESHOLD",
    "Token",
    "align",
    "alignment_scores",
    "is_verbatim",
    "names",
    "passages",
    "quoted_passage",
    "sentence_spans",
    "simplified_han",
    "tokens",
]
