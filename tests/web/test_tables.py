"""The tables of a run on the page."""

from pathlib import Path

from assay.web.run_index import open_run
from assay.web.run_view import run_card, run_view
from assay.words.message import text_of
from tests.support.journal import judged
from tests.support.page import write_study


def test_metrics_have_their_titles_in_every_table(tmp_path: Path):
    """Their names for programs stand in a note, as below the other tables."""
    journal = write_study(tmp_path / "a.jsonl")
    index = open_run(journal)
    names = {metric.name for metric in index.findings.metrics}
    listed = run_view(index, run_card("a", journal)).tables
    assert not names & {str(column) for table in listed for column in table.columns}
    first = listed[0]
    assert {"Valid citations", "Recall@k"} <= {str(column) for column in first.columns}
    assert "верные ссылки" in {text_of(column, "ru") for column in first.columns}
    assert any("Recall@k = avg_gold_coverage" in str(note) for note in first.notes)


def test_negative_numbers_have_the_minus_sign_of_the_page(tmp_path: Path):
    """A table writes a difference as the overview does, with U+2212 and not with a hyphen."""
    journal = write_study(tmp_path / "a.jsonl")
    listed = run_view(open_run(journal), run_card("a", journal)).tables
    cells = [
        cell for table in listed for row in table.rows for cell in row if isinstance(cell, str)
    ]
    assert any("\N{MINUS SIGN}0." in cell for cell in cells)
    assert not any("-0." in cell for cell in cells)


def test_a_value_has_the_band_that_unsure_answers_leave(tmp_path: Path):
    """As the tables have it: how many they are, and the value if all were wrong or all were right."""
    rows = [judged(f"q{number}", "on", 1.0) for number in range(4)]
    rows[2]["at_least"], rows[2]["at_most"] = {"gold_coverage": 0.0}, {"gold_coverage": 1.0}
    journal = write_study(tmp_path / "a.jsonl", rows)
    view = run_view(open_run(journal), run_card("a", journal))
    assert view.unsure == 1
    (variant,) = view.variants
    cell = variant.cells["avg_gold_coverage"]
    assert (cell.value, cell.unsure) == (1.0, 1)
    assert cell.band is not None
    assert (cell.band.low, cell.band.high) == (0.75, 1.0)
