"""Where an answer says an expected value: in any notation, not denied, and decided on."""

from assay.scorers.mention.denial import is_beyond, is_denied, is_undecided
from assay.scorers.mention.find import answer_span, is_other
from assay.scorers.mention.inflection import inflected_span
from assay.scorers.mention.kind import is_section
from assay.scorers.mention.notation import notation_spans, value_spans
from assay.scorers.mention.order import is_reordered
from assay.scorers.mention.short_date import short_dates

__all__ = [
    "answer_span",
    "inflected_span",
    "is_beyond",
    "is_denied",
    "is_other",
    "is_reordered",
    "is_section",
    "is_undecided",
    "notation_spans",
    "short_dates",
    "value_spans",
]
