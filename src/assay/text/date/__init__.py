"""Dates in three languages."""

from assay.text.date.date import Date, dates, is_calendar_date

__all__ = ["Date", "dates", "is_calendar_date"]
