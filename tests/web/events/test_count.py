"""The state of a run, counted from its journal."""

from pathlib import Path

from assay.web.events.count import RunCount
from tests.support.journal import failed, judged, row, skipped, write_header, write_rows


def test_every_way_in_which_a_case_ends_is_counted_apart(tmp_path: Path):
    """A case that an early decision spared is neither scored nor failed."""
    rows = [
        judged("a", "on", 1.0),
        failed("b", "on"),
        skipped("c", "on"),
        row("d", "on") | {"status": "spared"},
    ]
    journal = write_rows(tmp_path / "run.jsonl", rows)
    write_header(journal, ("on",), total=4)
    count = RunCount("run", journal)
    found = count.update()
    count.close()
    assert found is not None
    counts = found[1].counts
    assert (counts.scored, counts.failed, counts.skipped, counts.spared) == (1, 1, 1, 1)
    assert counts.total == 4
