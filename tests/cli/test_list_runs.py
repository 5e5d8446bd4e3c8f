"""``assay list``: past runs and their state."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import AccessRefused
from assay.jobs.answers.handler import AblationHandler
from assay.records import RunHeader, Tally
from assay.runs.summary import Summary, write_summary
from assay.systems.protocol import System
from assay.systems.scripted import ScriptedSystem
from assay.text.width import display_width
from tests.support.harbour import CLERK, prepare_experiment, run_silently, write_harbour
from tests.support.journal import answered, failed, judged, write_rows
from tests.support.program import Program, program


def list_output(root: Path, *words: str) -> str:
    """The output of ``assay list`` for a workspace."""
    ran = CliRunner().invoke(app, ["list", "--root", str(root), *words])
    assert ran.exit_code == 0
    assert ran.stderr == ""
    return ran.stdout


def record(root: Path, name: str, system: System | None = None) -> None:
    """Record a run of three questions with the default system or another one."""
    run = prepare_experiment(root)
    run = replace(
        run,
        handler=AblationHandler(system) if system else run.handler,
        header=replace(run.header, name=name),
        journal=run.journal.with_name(f"{name}.jsonl"),
    )
    run_silently(run, concurrency=1, retries=0)


@pytest.fixture(name="workspace", scope="module")
def _workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four runs: complete, partial, failed, unreadable."""
    root = tmp_path_factory.mktemp("runs")
    write_harbour(root, questions=3)
    record(root, "whole")
    found_nothing = {"answer": "40", "passages": []}
    answers = iter([found_nothing, found_nothing, AccessRefused("no")])
    record(root, "cut", ScriptedSystem(lambda *_: next(answers)))
    record(root, "bad", ScriptedSystem(lambda *_: ValueError("no")))
    (root / "experiments" / "garbage.jsonl").write_text("not a row\n")
    return root


def test_a_new_folder_has_no_runs(tmp_path: Path):
    """Without runs the output is one line, and an empty list with ``--json``."""
    assert list_output(tmp_path) == f"no runs in {tmp_path.resolve() / 'experiments'}\n"
    assert json.loads(list_output(tmp_path, "--json")) == []


def test_runs_are_listed_with_their_three_counts(workspace: Path):
    """Each run has a line with its counts, its state and its main metric."""
    head, *lines = list_output(workspace).splitlines()
    names = ["name", "job", "started", "scored", "failed", "skipped", "state"]
    assert head.split() == names
    at = {line.split()[0]: number for number, line in enumerate(lines) if line[0] != " "}
    assert at.keys() == {"whole", "cut", "bad", "garbage"}

    def shown(name: str) -> list[str]:
        return lines[at[name]].split()[4:] + lines[at[name] + 1].split()

    of = ["questions,", "2", "variants"]
    recall = ["Recall@3", "(avg_gold_coverage)"]
    assert shown("whole") == [
        "6",
        "0",
        "0",
        "complete",
        "3",
        *of[:-1],
        "variants,",
        *recall,
        "0.667–1.000",
    ]
    assert shown("cut") == [
        "2",
        "0",
        "0",
        "partial",
        "2/6",
        "3",
        "questions,",
        "2",
        "variants,",
        *recall,
        "0.000",
    ]
    assert shown("bad") == ["0", "6", "0", "failed", "3", *of]
    assert "garbage.jsonl:1: not a row of results" in lines[at["garbage"] + 1]


@pytest.mark.parametrize("lang", ["en", "zh", "ru"])
def test_the_list_fits_into_a_terminal(workspace: Path, lang: str):
    """No line about a run is wider than 80 columns, in any language."""
    lines = list_output(workspace, "--lang", lang).splitlines()
    assert max(display_width(line) for line in lines if "garbage.jsonl" not in line) <= 80


def test_runs_are_listed_for_programs(workspace: Path):
    """``--json`` has the same data; missing values are null."""
    runs = {run["name"]: run for run in json.loads(list_output(workspace, "--json"))}
    assert runs["whole"]["state"] == "complete"
    assert runs["whole"]["variants"] == ["lookup_on", "lookup_off"]
    assert runs["whole"]["metric"] == "avg_gold_coverage"
    assert runs["whole"]["headline"] == {"lookup_on": 1.0, "lookup_off": pytest.approx(2 / 3)}
    assert runs["bad"]["headline"] == {"lookup_on": None, "lookup_off": None}
    assert (runs["cut"]["scored"], runs["cut"]["total"]) == (2, 6)
    assert (runs["bad"]["failed"], runs["bad"]["paid"]) == (6, None)
    assert runs["garbage"]["state"] == "unreadable"
    assert runs["garbage"]["started_at"] is None
    assert "not a row" in runs["garbage"]["problem"]


def test_listing_changes_nothing(workspace: Path):
    """Listing runs does not change any file."""
    folder = workspace / "experiments"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    list_output(workspace)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_answers_that_are_not_judged_are_listed(tmp_path: Path):
    """They have a column where a run has any, and are not taken for failures."""
    (tmp_path / "experiments").mkdir()
    journal = write_rows(
        tmp_path / "experiments" / "a.jsonl",
        [judged("q", "on", 1.0), answered("r", "on"), failed("s", "on")],
    )
    header = RunHeader(job="ablation", name="a", system="s", variants=(), total=3)
    fields = {name: getattr(header, name) for name in RunHeader.__struct_fields__}
    summary = Summary(**fields, state="complete", tally=Tally(scored=1, answered=1, failed=1))
    write_summary(journal.with_suffix(".json"), summary)
    head, line = list_output(tmp_path).splitlines()
    assert "scored  not judged  failed" in head
    assert line.split()[3:] == ["1", "1", "1", "0", "finished"]
    (run,) = json.loads(list_output(tmp_path, "--json"))
    assert (run["scored"], run["answered"], run["failed"]) == (1, 1, 1)


def test_chinese_names_are_aligned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A Chinese character takes two columns of a terminal, so all columns begin at one place."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "experiments"
    folder.mkdir()
    for name in ("检索消融", "hyde"):
        (folder / f"{name}.jsonl").write_text("", encoding="utf-8")
    lines = CliRunner().invoke(app, ["list"]).stdout.splitlines()
    starts = {display_width(line[: line.index("no summary")]) for line in lines[1:]}
    assert len(lines) == 3
    assert len(starts) == 1


def test_a_plain_run_is_called_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Only what ``assay ablate`` made is an ablation; the job in the JSON stays that of the files."""
    assay = program(capsys)
    monkeypatch.chdir(tmp_path)
    write_harbour(tmp_path, questions=3)
    plain = assay(
        "run", "--system", CLERK, "--questions", "questions/questions.jsonl", "--no-report"
    )
    assert plain.code == 0, plain.err
    assert assay("ablate", "-e", "berths", "--no-report").code == 0
    lines = {line.split()[0]: line.split()[1] for line in assay("list").out.splitlines()}
    assert (lines["run-questions"], lines["berths"]) == ("run", "ablation")
    listed = {run["name"]: run for run in json.loads(assay("list", "--json").out)}
    assert [listed[name]["command"] for name in ("run-questions", "berths")] == ["run", "ablate"]
    assert listed["run-questions"]["job"] == "ablation"


ANSWERS = "id,question,answer,response\n" + "".join(
    f"{line}\n"
    for line in (
        "q1,What is the capital of France?,Paris,The capital is Paris.",
        "q2,Where is the seat?,Paris,The seat is not in Paris.",
        "q3,When did he die?,12 May 1950,He died in 1950.",
        "q4,Who is he?,John Smith,I do not know.",
    )
)
BAND = "between 0.250 and 0.750 by 2 unsure answers"


@pytest.fixture(name="unsure")
def _unsure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Program:
    """The program in a folder with a run of which the check is unsure of two answers."""
    monkeypatch.chdir(tmp_path)
    Path("q.csv").write_text(ANSWERS)
    assay = program(capsys)
    assert assay("run", "--questions", "q.csv", "--system", "replay:q.csv").code == 0
    return assay


def test_the_list_shows_what_unsure_answers_leave_open(unsure: Program):
    """The rate of a run is shown with its band, for people and for programs."""
    listed = " ".join(unsure("list").out.split())
    assert f"Answer right (answer_contained) 0.500 {BAND}" in listed
    (run,) = json.loads(unsure("list", "--json").out)
    assert run["unsure"] == {"replay.q.csv": {"n": 2, "low": 0.25, "high": 0.75}}


def test_every_table_of_a_report_shows_what_unsure_answers_leave_open(unsure: Program):
    """The table of the terminal, the overview of the page and the table for programs."""
    report = unsure("report", "run-q", "--charts", "none").out
    assert f"0.500 {BAND}: Answer right." in report.split("answered_rate")[1]
    page = Path("experiments/run-q.md").read_text(encoding="utf-8")
    overview = page.split("### Overview")[1].split("### Quality")[0]
    assert f"{BAND}: Answer right." in overview
    head, values = unsure("report", "run-q", "--format", "csv").out.splitlines()
    cells = dict(zip(head.replace('"', "").split(","), values.split(","), strict=True))
    assert cells["answer_contained_unsure"] == "2"
    assert cells["answer_contained_unsure_low"] == "0.25"
