"""Dates and ranges of dates in three languages."""

from assay.text.date.calendar import Date, is_calendar_date
from assay.text.date.date import dates
from assay.text.date.month import month_number
from assay.text.date.notation import en_month, ru_month
from assay.text.date.range import DateRange, date_ranges

__all__ = [
    "Date",
    "DateRange",
    "date_ranges",
    "dates",
    "en_month",
    "is_calendar_date",
    "month_number",
    "ru_month",
]
