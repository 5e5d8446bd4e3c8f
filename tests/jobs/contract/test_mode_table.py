"""Tables of results that a contract-risk reviewer wrote by itself."""

from typing import Any

from assay.jobs.contract.mode_result import mode_results, mode_tables
from assay.report.table.table import Table


def cells(table: Table, row: int = 0) -> dict[str, Any]:
    """The values of a row by the keys of the columns."""
    values = (cell.value for cell in table.rows[row].cells)
    return dict(zip((column.key for column in table.columns), values, strict=True))


def test_computed_and_recorded_figures_are_in_tables_of_their_own():
    """A number that the results do not give is noted; what only the file knows is kept."""
    results = [
        {"id": 1, "prediction": "high", "ground_truth": "high"},
        {"id": 2, "prediction": "?", "ground_truth": "low"},
    ]
    metrics = {"accuracy": 0.75, "parse_rate": 0.5, "avg_latency": 2.0}
    content = {"mode_1": {"mode_name": "完整", "metrics": metrics, "results": results}}
    computed, recorded, confusion = mode_tables(mode_results(content, "r.json"))
    assert cells(computed)["accuracy"] == 0.5
    assert (cells(computed)["clauses"], cells(computed)["unparsed"]) == (2, 1)
    assert computed.notes[1:] == ("mode_1 完整: accuracy is 0.75 in the file, 0.5 by its results.",)
    assert cells(recorded) == metrics
    assert [cells(confusion, row)["Unparsed"] for row in range(3)] == [0, 0, 1]


def test_a_file_with_recorded_numbers_only_has_one_table():
    """Without results and without a matrix, the recorded numbers are all there is."""
    (table,) = mode_tables(mode_results({"mode_1": {"metrics": {"accuracy": 0.5}}}, "r.json"))
    assert cells(table) == {"accuracy": 0.5}


def test_a_verdict_that_the_levels_do_not_give_is_noted():
    """Figures are computed from the levels, and the note says so."""
    results = [{"id": 1, "prediction": "high", "ground_truth": "low", "correct_risk": True}]
    computed, _ = mode_tables(mode_results({"mode_1": {"metrics": {}, "results": results}}, "r"))
    assert cells(computed)["accuracy"] == 0
    assert computed.notes[1:] == (
        "mode_1: 1 result has another verdict in correct_risk than in its levels; the levels are used.",
    )
