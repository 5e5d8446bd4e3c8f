"""``assay quality``: output, files and exit codes."""

import json
from pathlib import Path

import pytest
from fpdf import FPDF

from tests.support.command_server import run_forked

SYSTEM = """
def ask(question):
    if "fail" in question:
        raise RuntimeError("no")
    return "The rent is 900 dollars (p. 1)."
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a PDF, questions and a system."""
    file = FPDF()
    file.set_font("helvetica", size=11)
    file.add_page()
    file.cell(text="The rent is 900 dollars.")
    file.output(str(tmp_path / "lease.pdf"))
    (tmp_path / "mine.py").write_text(SYSTEM)
    put(tmp_path, {"id": "a", "question": "Rent?", "must_include": ["900"]})
    return tmp_path


def put(folder: Path, *questions: dict[str, object]) -> None:
    """Write the questions file."""
    text = "".join(json.dumps(question) + "\n" for question in questions)
    (folder / "questions.jsonl").write_text(text)


MINE = ("--pdf=lease.pdf", "--questions=questions.jsonl", "--system=python:mine:ask")


def test_the_score_is_printed_and_the_results_are_written(folder: Path):
    """The default results file is in ``eval/runs``, with the journal next to it."""
    ran = run_forked("quality", *MINE, cwd=folder)
    assert ran.returncode == 0, ran.stderr
    assert "weighted score  1.0000" in ran.stdout
    assert "1 scored, 0 failed, 0 skipped, 0 not asked" in ran.stdout
    written = json.loads((folder / "eval/runs/lease.json").read_text())
    assert written["summary"]["weighted_score"] == 1.0
    assert (folder / "eval/runs/lease.rows.jsonl").is_file()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({"answer": "£1,450"}, "or score by the expected answers: assay run --questions"),
        ({"must_inclde": ["900"]}, "must_inclde (did you mean 'must_include'?)"),
    ],
)
def test_questions_that_require_nothing_are_refused(
    folder: Path, question: dict[str, object], said: str
):
    """A set by which any answer would score 1 is refused before anything is asked."""
    put(folder, {"id": "a", "question": "Rent?", **question})
    ran = run_forked("quality", *MINE, cwd=folder)
    assert ran.returncode == 2
    assert "no question requires anything of its answer" in ran.stderr
    assert said in ran.stderr
    assert not (folder / "eval/runs/lease.json").exists()


def test_some_questions_that_require_nothing_are_counted(folder: Path):
    """One question without a requirement beside another is no error; a note names it."""
    put(
        folder,
        {"id": "a", "question": "Rent?", "must_include": ["900"]},
        {"id": "b", "question": "Who?", "answer": "Bob Stone"},
    )
    ran = run_forked("quality", *MINE, cwd=folder)
    assert ran.returncode == 0, ran.stderr
    assert "1 question requires nothing, so any answer scores 1 (first b)" in ran.stdout


def test_answers_without_full_score_are_listed(folder: Path):
    """Answers are listed by score, with missing and forbidden phrases."""
    put(
        folder,
        {"id": "a", "question": "Rent?", "must_include": ["900", "1000"]},
        {"id": "b", "question": "Who?", "must_include_any": [["he", "she"]]},
        {"id": "c", "question": "?", "must_not_include": ["dollars"]},
    )
    lines = run_forked("quality", *MINE, cwd=folder).stdout.splitlines()
    at = lines.index("answers that fell short, lowest first:")
    assert lines[at + 1 : at + 4] == [
        "  b  0.300  lacks 'he' or 'she'",
        "  a  0.650  lacks '1000'",
        "  c  0.700  says 'dollars'",
    ]


def test_stdout_is_only_json(folder: Path):
    """With ``--json`` stdout is the summary as JSON and nothing else, whatever a system prints."""
    (folder / "mine.py").write_text(
        f"print('loading')\n{SYSTEM}".replace("    return", "    print('asked')\n    return")
    )
    ran = run_forked("quality", *MINE, "--json", "--runs=2", cwd=folder)
    summary = json.loads(ran.stdout)
    assert summary["runs"]["standard_deviation"] == 0.0
    assert summary["counts"]["scored"] == 2
    assert "loading\n" in ran.stderr
    assert "asked\n" in ran.stderr


def test_several_runs_print_the_standard_deviation(folder: Path):
    """The output names the sample standard deviation."""
    out = run_forked("quality", *MINE, "--runs=3", cwd=folder).stdout
    assert "(mean of 3 runs; sample (n - 1) standard deviation 0.0000)" in out


def test_a_failure_ends_with_1_and_says_that_the_score_is_partial(folder: Path):
    """With a failed case the exit code is 1, and the score covers the scored cases only."""
    put(
        folder,
        {"id": "a", "question": "Rent?", "must_include": ["900"]},
        {"id": "b", "question": "fail"},
    )
    ran = run_forked("quality", *MINE, cwd=folder)
    assert ran.returncode == 1
    assert "weighted score  1.0000" in ran.stdout
    assert "1 scored, 1 failed" in ran.stdout
    assert "the run is not complete" in ran.stderr


def test_a_dry_run_asks_and_writes_nothing(folder: Path):
    """A dry run prints the number of cases and creates no results."""
    ran = run_forked("quality", *MINE, "--dry-run", "--runs=2", cwd=folder)
    assert ran.returncode == 0
    assert "cases   2 (0 recorded, 2 to ask)" in ran.stdout
    assert not (folder / "eval").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "--pdf is missing"),
        (("--pdf=lease.pdf",), "--questions is missing"),
        (("--pdf=no.pdf", "--questions=questions.jsonl"), "no.pdf: cannot be read"),
        (("--pdf=lease.pdf", "--questions=no.jsonl"), "no.jsonl: cannot be read"),
        (("--pdf=questions.jsonl", "--questions=questions.jsonl"), "cannot read .jsonl"),
        ((*MINE, "--set=x"), "--set x: write it as NAME=VALUE"),
        ((*MINE[:2], "--system=reference", "--set=fast_mod=true"), "did you mean 'fast_mode'?"),
        (
            (*MINE[:2], "--system=reference", "--set=citation_style=foot"),
            "takes one of 'index', 'page'",
        ),
        ((*MINE, "--out=lease.pdf"), "not a results file of assay quality"),
        ((*MINE, "--config=c.json"), "not both"),
        (("--config=c.json",), "c.json: cannot be read"),
        ((*MINE[:2], "--system=pyton:mine:ask"), "there is no system"),
    ],
)
def test_wrong_use_is_a_line_and_2(folder: Path, words: tuple[str, ...], message: str):
    """Wrong use gives exit code 2 and a message, and creates no results."""
    ran = run_forked("quality", *words, cwd=folder)
    assert ran.returncode == 2
    assert message in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not (folder / "eval").exists()


def test_a_bad_question_file_names_every_line(folder: Path):
    """Every invalid line of the questions file is listed, with exit code 2."""
    put(folder, {"id": "a", "question": "?", "weight": -1}, {"question": "?"})
    ran = run_forked("quality", *MINE, cwd=folder)
    assert ran.returncode == 2
    assert ran.stderr.splitlines() == [
        "assay: questions.jsonl:1: `weight` is -1; a weight cannot be negative",
        "questions.jsonl:2: `id` is missing",
    ]


def test_the_results_of_several_documents_are_reported(folder: Path):
    """Each document and the total; a command that takes one run names the files of rows."""
    parts = [
        {
            "id": name,
            "kind": "k",
            "weight": weight,
            "pdf": "lease.pdf",
            "questions": f"{name}.jsonl",
        }
        for name, weight in (("first", 3), ("second", 1))
    ]
    for part, wanted in zip(parts, ("900", "800"), strict=True):
        question = {"id": "a", "question": "Rent?", "must_include": [wanted]}
        (folder / f"{part['id']}.jsonl").write_text(json.dumps(question) + "\n")
    (folder / "config.json").write_text(json.dumps({"name": "two", "datasets": parts}))
    ran = run_forked(
        "quality", "--config=config.json", "--system=python:mine:ask", "--out=two.json", cwd=folder
    )
    assert ran.returncode == 0, ran.stderr
    score = json.loads((folder / "two.json").read_text())["summary"]["weighted_score"]
    report = run_forked("report", "two.json", "--charts=none", cwd=folder)
    assert report.returncode == 0, report.stderr
    for text in ("data set    first", "data set    second", f"weighted score  {score:.4f}"):
        assert text in report.stdout
    table = run_forked("report", "two.json", "--format=markdown", cwd=folder).stdout
    assert f"| by documents |      – |         2 |         {score:.4f} |" in table
    assert "### second: Quality" in table
    rows = run_forked("report", "two.json", "--format=csv", cwd=folder).stdout.splitlines()
    assert [row.split(",")[0] for row in rows] == [
        '"variant"',
        '"first/quality"',
        '"second/quality"',
    ]
    judge = run_forked("score", "two.json", cwd=folder)
    assert judge.returncode == 2
    assert "name one of them: two.first.rows.jsonl, two.second.rows.jsonl" in judge.stderr
