"""The questions of a benchmark, and what is said about the files that they come from."""

from pathlib import Path

from assay.jobs.legal.benchmark import read_benchmark_data
from tests.jobs.legal.small import write_small


def test_notes_are_those_of_the_chosen_files(tmp_path: Path):
    """A type or a question has the remarks of its own files only."""
    folder = write_small(tmp_path / "small", colour="red")
    gap = folder / "conflict_gap.json"
    gap.write_text(gap.read_text(encoding="utf-8").replace("sale.txt", "gone.txt"))
    data = read_benchmark_data(folder)
    assert len(data.notes) == 2
    (ignored,) = data.of_type("fact_exact").notes
    assert str(ignored) == "ignored 1 field: questions.colour"
    (missing,) = data.of_type("conflict_gap").notes
    assert missing.startswith("conflict_gap.json: ")
    assert data.of_type("evidence_set").notes == ()
    assert data.of_question("evidence").notes == ()
