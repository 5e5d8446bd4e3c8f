"""A metadata line at the beginning of a journal."""

from pathlib import Path

from assay.records import RunHeader
from assay.runs.handler import SystemHandler
from assay.runs.read import index_journal
from assay.runs.resume import Resume
from assay.runs.run import run_plan
from assay.runs.summary import RunResult
from assay.systems.scripted import ScriptedSystem
from tests.support.plans import make_plan

LINE = b'{"metadata":{"novel":"n"}}'


def run(journal: Path, *, resume: Resume = "ask") -> RunResult:
    """Run a plan of four cases whose journal begins with a line of metadata."""
    plan = make_plan()
    header = RunHeader(
        job="j", name="a", system=plan.system, variants=plan.variants, total=plan.total
    )
    handler = SystemHandler(ScriptedSystem(lambda *_: "because"))
    return run_plan(plan, handler, header, journal, preamble=LINE, resume=resume)


def test_metadata_begins_an_empty_journal_only(tmp_path: Path):
    """The line is written once, before the first row, and is not counted as a row."""
    journal = tmp_path / "a.jsonl"
    assert run(journal).asked == 4
    written = journal.read_bytes()
    assert written.startswith(LINE + b"\n")
    assert written.count(b"metadata") == 1
    assert run(journal).asked == 0
    assert journal.read_bytes() == written
    assert index_journal(journal).tally().scored == 4


def test_a_torn_line_of_metadata_is_set_aside_and_written_anew(tmp_path: Path):
    """After a run was killed while writing its first line, the next run writes it again."""
    journal = tmp_path / "a.jsonl"
    journal.write_bytes(LINE[:10])
    assert run(journal).asked == 4
    assert journal.read_bytes().startswith(LINE + b"\n")
    assert (tmp_path / "a.jsonl.torn").read_bytes() == LINE[:10] + b"\n"


def test_rows_without_metadata_go_on_without(tmp_path: Path):
    """No metadata is added to a journal that has rows; a fresh journal gets it."""
    journal = tmp_path / "a.jsonl"
    run(journal)
    rows = journal.read_bytes().removeprefix(LINE + b"\n")
    first = rows.splitlines(keepends=True)[0]
    journal.write_bytes(first)
    assert run(journal).asked == 3
    assert b"metadata" not in journal.read_bytes()
    run(journal, resume="fresh")
    assert journal.read_bytes().startswith(LINE + b"\n")
