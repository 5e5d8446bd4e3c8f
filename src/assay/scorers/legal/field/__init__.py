"""Whether an answer gives the expected value of a field."""

from assay.scorers.legal.field.date import date_range_verdict, date_verdict
from assay.scorers.legal.field.text import text_verdict
from assay.scorers.legal.field.verdict import (
    FieldVerdict,
    amount_verdict,
    asserted_candidates,
    breakdown_verdict,
    count_verdict,
    money_of,
)

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
