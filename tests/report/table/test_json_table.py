import json

from assay.report.table.format import as_json
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn
from assay.stats.interval import Interval


def test_json_holds_the_whole_table():
    """JSON has unrounded values, intervals, marks and notes; undefined is null, text unescaped."""
    table = Table(
        title="消融",
        columns=(TableColumn(key="cov", title="coverage", better="higher"), TableColumn(key="n")),
        rows=(
            LabelledRow(
                label="вариант",
                cells=(
                    TableCell(
                        value=0.82312345,
                        interval=Interval(low=0.7, high=0.9, method="bca"),
                        mark="best",
                        significance="*",
                    ),
                    TableCell(value=float("nan")),
                ),
            ),
        ),
        notes=("a note",),
    )
    text = as_json(table)
    assert "消融" in text
    content = json.loads(text)
    assert content["schema_version"] == 1
    assert [column["key"] for column in content["columns"]] == ["cov", "n"]
    assert content["rows"] == [
        {
            "label": "вариант",
            "cells": {
                "cov": {
                    "value": 0.82312345,
                    "interval": {"low": 0.7, "high": 0.9, "level": 0.95, "method": "bca"},
                    "mark": "best",
                    "significance": "*",
                },
                "n": {"value": None, "interval": None, "mark": None, "significance": ""},
            },
        }
    ]
    assert content["notes"] == ["a note"]
