"""A journal in columns: what tables, statistics and comparisons are made from."""

from assay.jobs.results.bill import Bill
from assay.jobs.results.read import Results, read_results
from assay.jobs.results.row import item_name, row_type

__all__ = ["Bill", "Results", "item_name", "read_results", "row_type"]
