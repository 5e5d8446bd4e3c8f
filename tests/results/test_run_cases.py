"""Only the cases of a run count in its tables, charts, lists, queries and comparisons."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.config.experiment import RunSettings
from assay.gate.gate import Limits, compare
from assay.gate.run_file import read_run
from assay.jobs.prepared import run_prepared
from assay.results.run_cases import read_run_cases
from assay.runs.summary import RunResult, read_summary
from assay.runs.write import plan_path, summary_path
from assay.study.analysis import analyse_run
from assay.study.history import past_runs
from assay.study.query import query_rows
from tests.support.harbour import prepare_experiment, run_silently, write_harbour
from tests.support.program import Program, program

QUESTIONS = "questions/questions.jsonl"
OUTSIDE = "12 recorded rows are not part of this run"


@pytest.fixture(name="root")
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_harbour(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


def ask_again(_: str) -> str:
    """Another system."""
    return "It costs nothing."


def run(root: Path, **options: Any) -> RunResult:
    """Run the experiment, which has two variants."""
    return run_silently(prepare_experiment(root, **options))


def lines(path: Path) -> list[str]:
    """The lines of a file, with their ends."""
    return path.read_text(encoding="utf-8").splitlines(keepends=True)


def journal_of(root: Path) -> Path:
    """The journal of the experiment."""
    return root / "experiments/berths.jsonl"


def as_version_1(journal: Path) -> None:
    """Change a journal into what the first version left: its header has a limit, no plan."""
    summary = json.loads(summary_path(journal).read_text())
    for name in ("judging", "judge_paid"):
        summary.pop(name, None)
    summary["schema_version"] = 1
    summary_path(journal).write_text(json.dumps(summary))
    rows = [{**json.loads(line), "schema_version": 1} for line in lines(journal)]
    journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
    plan_path(journal).unlink()


def shown(root: Path, assay: Program) -> dict[str, Any]:
    """How many questions and scored cases each reader counts."""
    journal = journal_of(root)
    findings = analyse_run(journal)
    (listed,) = past_runs(journal.parent)
    tables = json.loads(assay("report", "berths", "--format", "json").out)
    with query_rows(journal, "select count(*) from rows") as result:
        queried, query_notes = next(iter(result.rows))[0], result.notes
    compared = read_run(journal, variant="lookup_on")
    return {
        "report": (findings.items, [v.tally.scored for v in findings.analysis.variants]),
        "table": [row["cells"]["scored"]["value"] for row in tables[0]["rows"]],
        "list": (listed.questions, listed.total, listed.tally.scored),
        "query": queried,
        "compare": (len(compared.items), compared.unasked),
        "outside": findings.results.outside,
        "said": {
            "report": any(OUTSIDE in note for table in tables for note in table["notes"]),
            "query": OUTSIDE in [*map(str, query_notes)],
            "compare": any(OUTSIDE in note for note in map(str, compared.notes)),
            "list": OUTSIDE in assay("list").out,
        },
    }


EXPECTED = {
    "report": (4, [4, 4]),
    "table": [4, 4],
    "list": (4, 8, 8),
    "query": 8,
    "compare": (4, 0),
    "outside": 12,
    "said": {"report": True, "query": True, "compare": True, "list": True},
}
"""What every reader counts of a run with 4 of the 10 recorded questions and two variants."""


def test_a_smaller_limit_counts_only_its_questions(root: Path, assay: Program):
    """``--limit 4`` after ``--limit 10`` covers 4 questions everywhere; 12 rows stay, counted."""
    run(root, limit=10)
    before = journal_of(root).read_bytes()
    result = run(root, limit=4)
    assert (result.asked, result.outside, result.tally.scored) == (0, 12, 8)
    assert journal_of(root).read_bytes() == before
    assert shown(root, assay) == EXPECTED
    summary = read_summary(summary_path(journal_of(root)))
    assert summary is not None
    assert (summary.limit, summary.total, summary.tally.scored) == (4, 8, 8)
    assert summary.results["questions"] == 4
    assert summary.results["outside_rows"] == 12


def test_answers_that_are_kept_although_stale_keep_their_header(root: Path):
    """With ``--resume keep`` the summary names the system that gave the answers."""
    run(root, limit=2)
    before = summary_path(journal_of(root)).read_bytes()
    result = run_prepared(
        prepare_experiment(root, limit=2, system="python:tests.results.test_run_cases:ask_again"),
        settings=RunSettings(),
        resume="keep",
    )
    assert (result.asked, result.outside) == (0, 0)
    assert summary_path(journal_of(root)).read_bytes() == before


def test_the_larger_limit_counts_all_of_them_again(root: Path):
    """The rows that were outside belong to the run again, and nothing is asked."""
    run(root, limit=10)
    run(root, limit=4)
    result = run(root, limit=10)
    assert (result.asked, result.outside, result.tally.scored) == (0, 0, 20)
    assert analyse_run(journal_of(root)).items == 10


def test_a_deleted_question_counts_no_more(root: Path):
    """Its rows stay in the journal and enter nothing."""
    run(root, limit=10)
    kept = lines(root / QUESTIONS)
    (root / QUESTIONS).write_text("".join(kept[:2] + kept[3:10]))
    result = run(root)
    assert (result.asked, result.outside) == (0, 2)
    findings = analyse_run(journal_of(root))
    assert "berth-003" not in findings.results.scores.items
    assert findings.items == 9


def test_another_file_of_questions_is_not_mixed_with_the_first(root: Path):
    """The table of the second file has its own 4 cases, and coverage is that of its questions."""
    run(root, limit=2)
    second = [json.loads(line) for line in lines(root / QUESTIONS)[10:12]]
    for question in second:
        question["gold_chunk_ids"] = ["never found"]
    (root / QUESTIONS).write_text("".join(json.dumps(question) + "\n" for question in second))
    result = run(root)
    assert (result.asked, result.total, result.outside) == (4, 4, 4)
    findings = analyse_run(journal_of(root))
    assert [variant.tally.scored for variant in findings.analysis.variants] == [2, 2]
    values = [v.cells["avg_gold_coverage"].value for v in findings.analysis.variants]
    assert values == [0.0, 0.0]


def test_rows_of_another_top_k_are_outside_for_every_reader(root: Path, assay: Program):
    """Report, list, query and comparison treat them in the same way."""
    run(root, limit=6, top_k=5)
    result = run(root, limit=4)
    assert (result.asked, result.outside) == (8, 12)
    assert shown(root, assay) == EXPECTED


def test_an_unfinished_run_is_listed_without_other_rows(root: Path):
    """The rows of an earlier plan do not make an unfinished run look complete."""
    run(root, limit=10)
    run(root, limit=4)
    summary = json.loads(summary_path(journal_of(root)).read_text())
    summary_path(journal_of(root)).write_text(json.dumps({**summary, "state": "running"}))
    kept = [line for line in lines(journal_of(root)) if '"berth-001' not in line]
    journal_of(root).write_text("".join(kept))
    (listed,) = past_runs(root / "experiments")
    assert (listed.state, listed.tally.scored, listed.outside) == ("partial 6/8", 6, 12)


def test_a_run_that_other_rows_complete_is_not_compared(root: Path):
    """Missing cases are missing, however many rows of another plan there are."""
    run(root, limit=10)
    run(root, limit=4)
    kept = [line for line in lines(journal_of(root)) if '"berth-001' not in line]
    journal_of(root).write_text("".join(kept))
    assert read_run(journal_of(root), variant="lookup_on").unasked == 2


def test_the_summary_bills_only_the_cases_of_the_run(root: Path):
    """What rows outside the run cost is no part of its bill."""
    run(root, limit=4)
    summary_path(journal_of(root)).unlink()
    rows = [json.loads(line) for line in lines(journal_of(root))]
    for row in rows:
        row["paid"] = row["cost"] = 0.5
    journal_of(root).write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run(root, limit=4).paid == 4.0
    result = run(root, limit=1)
    assert (result.paid, result.summary.paid) == (1.0, 1.0)


def test_rescored_rows_are_those_of_the_same_run(root: Path, assay: Program):
    """``assay score`` keeps the plan: the new file has the same cases outside."""
    run(root, limit=10)
    run(root, limit=4)
    assert assay("score", "berths").code == 0
    findings = analyse_run(root / "experiments/berths.rescored.jsonl")
    assert (findings.items, findings.results.outside) == (4, 12)


def test_the_report_of_a_run_says_it_in_three_languages(root: Path, assay: Program):
    """The page and the terminal have the line, and the end of a run has it too."""
    run(root, limit=10)
    ran = assay("ablate", "-e", "berths", "--limit", "4")
    assert OUTSIDE in ran.err
    assert f"{OUTSIDE}." in (root / "experiments/berths.md").read_text(encoding="utf-8")
    for lang, said in (
        ("zh", "12 行记录不属于本次运行"),
        ("ru", "не относящихся к этому прогону: 12"),
    ):
        assert said in assay("report", "berths", "--charts", "none", "--lang", lang).out


def test_a_depth_run_lists_its_questions_not_its_cases(assay: Program, root: Path):
    """5 questions at several lengths are 5 questions in the list, the summary and the report."""
    ran = assay(
        "depth", "--sample", "--context-lengths", "2000,4000", "--limit", "5",
        "--depth-mode", "uniform", "--out", "experiments/deep.jsonl",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    (listed,) = past_runs(root / "experiments")
    assert (listed.questions, listed.tally.scored) == (5, 50)
    summary = read_summary(root / "experiments/deep.json")
    assert summary is not None
    assert summary.results["questions"] == 5


def test_the_map_of_a_depth_run_shows_only_its_cases(assay: Program, root: Path):
    """Rows of a larger plan are left out of the map and counted in a note."""
    words = (
        "depth", "--sample", "--context-lengths", "2000", "--depth-mode", "uniform",
        "--out", "deep.jsonl",
    )  # fmt: skip
    assert assay(*words, "--limit", "8").code == 0
    ran = assay(*words, "--limit", "4", "--resume=keep")
    assert ran.code == 0, ran.err
    drawn = assay("heatmap", "deep.jsonl", "--json")
    content = json.loads(drawn.out)
    assert content["answers"] == 20
    assert content["outside"] > 0
    assert "not part of this run" in assay("heatmap", "deep.jsonl").out


# --- journals of the last version, whose plan was not stored ----------------------------


def test_without_a_plan_the_limit_of_the_header_decides(root: Path, assay: Program):
    """The first questions of the file, as many as the header says, are those of the run."""
    run(root, limit=10)
    run(root, limit=4)
    as_version_1(journal_of(root))
    assert shown(root, assay) == EXPECTED


def test_without_a_plan_a_changed_file_of_questions_is_said(root: Path, assay: Program):
    """The questions that are in the file now are counted, and the change is said."""
    run(root, limit=10)
    run(root, limit=4)
    as_version_1(journal_of(root))
    with (root / QUESTIONS).open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": "new", "question": "Where is the harbour?"}) + "\n")
    findings = analyse_run(journal_of(root))
    assert (findings.items, findings.results.outside) == (4, 12)
    said = f"{QUESTIONS} has changed since this run"
    assert said in assay("report", "berths", "--charts", "none").out
    assert any(
        said in note for note in map(str, read_run(journal_of(root), variant="lookup_on").notes)
    )
    with query_rows(journal_of(root), "select 1 from rows") as result:
        assert any(said in note for note in map(str, result.notes))


def test_without_a_plan_deleted_questions_cannot_be_distinguished(root: Path):
    """If the file has too few of the run's questions, all rows of its variants are counted."""
    run(root, limit=10)
    run(root, limit=4)
    as_version_1(journal_of(root))
    (root / QUESTIONS).write_text("".join(lines(root / QUESTIONS)[:2]))
    results = analyse_run(journal_of(root)).results
    assert (results.questions, results.doubt) == (10, "changed all")


def test_without_a_plan_and_questions_a_complete_run_is_certain(root: Path):
    """If the rows are as many as the run had cases, they are those of the run."""
    run(root, limit=4)
    as_version_1(journal_of(root))
    (root / QUESTIONS).unlink()
    results = analyse_run(journal_of(root)).results
    assert (results.questions, results.doubt, results.outside) == (4, "", 0)
    run_more = lines(journal_of(root))[0].replace("berth-001", "berth-099")
    with journal_of(root).open("a", encoding="utf-8") as file:
        file.write(run_more)
    assert analyse_run(journal_of(root)).results.doubt == "gone"


def test_results_of_the_last_version_are_listed_as_they_should_be(root: Path):
    """A headline that was computed from all rows of the journal is computed again."""
    run(root, limit=10)
    full = past_runs(root / "experiments")[0].headline
    run(root, limit=3)
    right = past_runs(root / "experiments")[0].headline
    assert right != full
    summary = json.loads(summary_path(journal_of(root)).read_text())
    variants = summary["results"]["variants"]
    for name, value in full.items():
        variants[name] |= {"avg_gold_coverage": value, "scored": 10}
    summary_path(journal_of(root)).write_text(json.dumps(summary))
    as_version_1(journal_of(root))
    (listed,) = past_runs(root / "experiments")
    assert listed.headline == right
    assert (listed.outside, listed.questions) == (14, 3)


def test_rows_without_a_summary_all_belong_to_the_run(root: Path):
    """Nothing is known about the rows of other programs."""
    path = root / "foreign.jsonl"
    path.write_text('{"key": "a"}\n', encoding="utf-8")
    cases = read_run_cases(path, None, None)
    assert "a" in cases
    assert "q::v::p" in cases


def test_two_runs_with_other_rows_are_compared_on_their_own(root: Path):
    """A comparison has the questions of the runs that are named, and says what it left out."""
    run(root, limit=10)
    run(root, limit=4)
    base = read_run(journal_of(root), variant="lookup_on")
    result = compare(base, read_run(journal_of(root), variant="lookup_off"), Limits())
    assert len(result.items) == 4
    assert any(OUTSIDE in note for note in map(str, result.notes))
