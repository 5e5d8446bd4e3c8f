"""Dates and ranges of dates in three languages."""

from assay.text.date.date import Date
from assay.text.date.range import DateRange
from assay.text.date.date import EN_MONTH
from assay.text.date.date import RU_MONTH
from assay.text.date.range import date_ranges
from assay.text.date.date import dates
from assay.text.date.date import is_calendar_date
from assay.text.date.date import month_number

__all__ = [
    "Date",
    "DateRange",
    "EN_MONTH",
    "RU_MONTH",
    "date_ranges",
    "dates",
    "is_calendar_date",
    "month_number",
]
