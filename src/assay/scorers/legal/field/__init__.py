"""Whether an answer gives the expected value of a field."""

from assay.scorers.legal.field.date import date_range_verdict, date_verdict
from assay.scorers.legal.field.text import text_verdict
from assay.scorers.legal.field.verdict import (
    amount_verdict,
    breakdown_verdict,
    count_verdict,
    money_of,
)
from assay.scorers.legal.verdict import FieldVerdict, asserted_candidates

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
