"""Tables as JSON: everything the table holds, cells by their column's key."""

import msgspec

from assay.records import SCHEMA_VERSION
from assay.report.table.table import Table, is_defined


def as_json(table: Table) -> str:
    """The whole table, values unrounded; undefined values are ``null``."""
    whole = {
        "schema_version": SCHEMA_VERSION,
        "title": table.title,
        "columns": table.columns,
        "rows": [
            {
                "label": row.label,
                "cells": {
                    column.key: {
                        "value": cell.value if is_defined(cell.value) else None,
                        "interval": cell.interval,
                        "mark": cell.mark,
                        "significance": cell.significance,
                    }
                    for column, cell in zip(table.columns, row.cells, strict=True)
                },
            }
            for row in table.rows
        ],
        "notes": table.notes,
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"
