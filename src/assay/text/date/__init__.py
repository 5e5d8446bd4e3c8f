"""Dates and ranges of dates in three languages."""

from assay.text.date.date import EN_MONTH, RU_MONTH, Date, dates, is_calendar_date, month_number
from assay.text.date.range import DateRange, date_ranges

__all__ = [
    "EN_MONTH",
    "RU_MONTH",
    "Date",
    "DateRange",
    "date_ranges",
    "dates",
    "is_calendar_date",
    "month_number",
]
