"""What is next: a line at the end of a command, at a terminal only."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from assay.words.language import Lang
from assay.words.say import say_in
from tests.support.harbour import write_harbour
from tests.support.program import Program, ProgramResult, program

QUESTIONS = "question,answer\nHow long is the notice period?,thirty days\nWho pays for travel?,the council\n"
BROKEN = """
import os

def ask(question):
    if os.path.exists("broken"):
        raise RuntimeError("the index is gone")
    return "The notice period is thirty days, and the council pays."
"""
DOCUMENT = """# Harbour

The Harlow Bridge was opened by Queen Anne in 1874. The Owl Society employed 42 keepers in Harlow.
Nicholas Barrow moved to Port Mellin in 1861. A tide table is a list of the hours of high water.
"""


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    """The program as a person at a terminal starts it."""
    run = program(capsys)

    def at_terminal(*words: object) -> ProgramResult:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys.stderr, "isatty", lambda: True)
            return run(*words)

    return at_terminal


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.csv").write_text(QUESTIONS)
    (tmp_path / "said.py").write_text(BROKEN)
    return tmp_path


RUN = ("run", "--questions", "q.csv", "--system", "python:said:ask", "--charts", "none")


def steps(ran: ProgramResult) -> list[str]:
    """The commands that are named as next; there is at most one, in the last line."""
    lines = [line for line in ran.err.splitlines() if line.startswith("next: ")]
    assert lines in ([], ran.err.splitlines()[-1:]), ran.err
    assert "next: " not in ran.out
    return [line.removeprefix("next: ") for line in lines]


def test_documents_lead_to_questions_and_these_to_a_run_that_can_be_seen(
    assay: Program, folder: Path
):
    """Each step names the next, and its words can be typed as they are."""
    (folder / "said.py").unlink()
    (folder / "docs").mkdir()
    (folder / "docs/harbour.md").write_text(DOCUMENT)
    words = "ingest docs"
    for expected in (
        "questions draft",
        "questions check questions/corpus.draft.jsonl",
        "run --questions questions/corpus.draft.jsonl",
        "view run-corpus.draft",
    ):
        ran = assay(*shlex.split(words))
        assert steps(ran) == [f"assay {expected}"], ran.err
        words = expected


def test_a_set_with_errors_is_mended_first(assay: Program, folder: Path):
    """A check that finds errors names the command without them, and that asks the copy."""
    rows = [{"id": "a", "question": "Who?", "answer": "Anne"}] * 2
    (folder / "twice.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (step,) = steps(assay("questions", "check", "twice.jsonl"))
    assert step == "assay questions check twice.jsonl --fix"
    (step,) = steps(assay(*shlex.split(step)[1:]))
    assert step.startswith("assay run --questions twice")


def test_failed_cases_are_asked_again(assay: Program, folder: Path):
    """The same command is next; when all have answered, the results are."""
    (folder / "broken").touch()
    failed = assay(*RUN, "--retries", "0")
    assert failed.code == 1
    (step,) = steps(failed)
    assert step == shlex.join(["assay", *RUN, "--retries", "0"])
    (folder / "broken").unlink()
    assert steps(assay(*shlex.split(step)[1:])) == ["assay view run-q"]


def test_a_second_run_of_the_same_questions_is_compared(assay: Program, folder: Path):
    """With the newest other run; the comparison and the report lead to the page."""
    del folder
    assert steps(assay(*RUN, "--name", "first")) == ["assay view first"]
    assert steps(assay(*RUN, "--name", "shorter", "--limit", "1")) == ["assay view shorter"]
    (step,) = steps(assay(*RUN, "--name", "second"))
    assert step == "assay compare --base first --cand second"
    assert steps(assay(*shlex.split(step)[1:])) == ["assay view second"]
    assert steps(assay("report", "second", "--charts", "none")) == ["assay view second"]


def test_many_unsure_answers_lead_to_labels(assay: Program, folder: Path):
    """Not once people have labelled some of them."""
    asked = "".join(f'Is number {n} open?,"{n} yes no"\n' for n in range(8))
    (folder / "q.csv").write_text(f"question,answer\n{asked}")
    (folder / "said.py").write_text("def ask(question):\n    return 'It is ' + question\n")
    ran = assay(*RUN)
    journal = json.loads((folder / "experiments/run-q.json").read_text())
    (found,) = journal["results"]["variants"].values()
    assert found["unsure"]["answer_contained"]["n"] > 0
    (step,) = steps(ran)
    assert step == "assay labels plan run-q --metric answer_contained"
    assert assay(*shlex.split(step)[1:]).code == 0
    (folder / "labels").mkdir()
    (folder / "labels/run-q.jsonl").touch()
    assert steps(assay(*RUN, "--resume", "refresh")) == ["assay view run-q"]


def test_results_in_another_workspace_are_named_by_their_file(assay: Program, tmp_path: Path):
    """The command finds them from the current folder."""
    write_harbour(tmp_path / "there", questions=5)
    ran = assay("ablate", "-e", "berths", "--root", tmp_path / "there", "--charts", "none")
    assert steps(ran) == [f"assay view {tmp_path}/there/experiments/berths.jsonl"]


def test_a_new_workspace_is_entered(
    assay: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The folder is gone to first, unless one is there already."""
    monkeypatch.chdir(tmp_path)
    assert steps(assay("init", "my work", "--empty")) == ["cd 'my work' && assay ingest FOLDER"]
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert steps(assay("init", ".")) == ["assay doctor"]


def test_programs_and_files_are_told_nothing(
    assay: Program, folder: Path, capsys: pytest.CaptureFixture[str]
):
    """With ``--json`` or ``--format``, in a step of ``assay start``, or without a terminal."""
    assert steps(assay(*RUN, "--json")) == []
    both = ("--base", "run-q", "--cand", "run-q")
    assert steps(assay("compare", *both, "--format=json")) == []
    assert steps(assay("report", "run-q", "--format", "csv")) == []
    (folder / "docs").mkdir()
    (folder / "docs/harbour.md").write_text(DOCUMENT)
    started = assay("start", "docs", "--root", "new", "--no-open")
    assert started.code == 0, started.err
    assert steps(started) == []
    assert steps(program(capsys)(*RUN)) == []


@pytest.mark.parametrize("lang", ["zh", "ru"])
def test_it_is_said_in_the_language_in_use(assay: Program, folder: Path, lang: Lang):
    """The command stays as it is typed."""
    del folder
    line = assay("--lang", lang, *RUN).err.splitlines()[-1]
    assert line == say_in(lang, "next: {command}").format(command="assay view run-q")
