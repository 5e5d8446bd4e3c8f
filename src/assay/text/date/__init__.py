"""Dates and ranges of dates in three languages."""

from assay.text.date.date import Date, dates, is_calendar_date
from assay.text.date.range import DateRange, date_ranges

__all__ = ["Date", "DateRange", "date_ranges", "dates", "is_calendar_date"]
