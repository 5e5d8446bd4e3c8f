"""Whether an answer gives the expected value of a field."""

from assay.scorers.legal.field.verdict import FieldVerdict
from assay.scorers.legal.field.verdict import amount_verdict
from assay.scorers.legal.field.verdict import asserted_candidates
from assay.scorers.legal.field.verdict import breakdown_verdict
from assay.scorers.legal.field.verdict import count_verdict
from assay.scorers.legal.field.date import date_range_verdict
from assay.scorers.legal.field.date import date_verdict
from assay.scorers.legal.field.verdict import money_of
from assay.scorers.legal.field.text import text_verdict

__all__ = [
    "FieldVerdict",
    "amount_verdict",
    "asserted_candidates",
    "breakdown_verdict",
    "count_verdict",
    "date_range_verdict",
    "date_verdict",
    "money_of",
    "text_verdict",
]
