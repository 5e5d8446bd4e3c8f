"""SQL over the recorded rows of one run: read-only, and confined to these rows."""

from assay.jobs.query.column import QueryColumn
from assay.jobs.query.query import QueryLimits, QueryResult, QueryStuck, query_rows, row_fields

__all__ = ["QueryColumn", "QueryLimits", "QueryResult", "QueryStuck", "query_rows", "row_fields"]
