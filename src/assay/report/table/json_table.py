"""Tables as JSON, with the cells of a row under the keys of their columns."""

import msgspec

from assay.records import OUTPUT_VERSION
from assay.report.table.table import Table, is_defined


def as_json(table: Table) -> str:
    """The complete table as JSON; values are not rounded, and undefined values are ``null``.

    Metrics have their names for programs, as keys and as values.
    """
    content = {
        "schema_version": OUTPUT_VERSION,
        "title": table.title,
        "columns": table.columns,
        "rows": [
            {
                "label": row.label,
                "cells": {
                    column.key: {
                        "value": (cell.name or cell.value) if is_defined(cell.value) else None,
                        "interval": cell.interval,
                        **({"unsure": cell.unsure, "band": cell.band} if cell.band else {}),
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
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode() + "\n"
