"""A journal in columns: what tables, statistics and comparisons are made from."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.jobs.results.bill import Bill, paired_bills
    from assay.jobs.results.column import NO_TIME, ROUNDING, TIME
    from assay.jobs.results.read import Results, read_results
    from assay.jobs.results.row import item_name, row_type
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "Bill": "bill",
            "NO_TIME": "column",
            "ROUNDING": "column",
            "Results": "read",
            "TIME": "column",
            "item_name": "row",
            "paired_bills": "bill",
            "read_results": "read",
            "row_type": "row",
        },
    )

__all__ = [
    "NO_TIME",
    "ROUNDING",
    "TIME",
    "Bill",
    "Results",
    "item_name",
    "paired_bills",
    "read_results",
    "row_type",
]
