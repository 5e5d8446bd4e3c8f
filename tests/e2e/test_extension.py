"""A package that is not part of assay adds a job, a system and a scorer by its entry points.

The package is the one that docs/extend.md prints. It is built and installed with pip into a folder
of the test, without a network, and ``assay`` runs in processes of its own.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import assay
from tests.support.command_server import shared_server
from tests.support.path import ROOT
from tools.page import Page

SOURCE = Path(assay.__file__).parents[1]
EXPERIMENTS = """\
defaults:
  questions_path: questions.jsonl
  system: parrot
experiments:
  - name: endings
    ablation_variable: sample
    variants:
      - { name: first, sample: 0 }
      - { name: second, sample: 1 }
"""


class Installation:
    """Runs ``assay`` in a folder, with the package or without it."""

    def __init__(self, folder: Path, site: Path) -> None:
        self.folder = folder
        self._site = site

    def __call__(self, *words: str, installed: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a command; its output is kept."""
        paths = [str(SOURCE), *([str(self._site)] if installed else [])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COLUMNS": "120"}
        return shared_server(environment).run(list(words), self.folder, environment)

    def rows(self, name: str) -> list[dict[str, object]]:
        """The rows of a run."""
        journal = self.folder / "experiments" / f"{name}.jsonl"
        return [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which pip has installed the package of the page."""
    package = tmp_path_factory.mktemp("package")
    for block in Page(ROOT, "docs/extend.md").blocks:
        if block.file:
            path = package / block.file
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    (package / "assay_dictation" / "__init__.py").touch()
    target = tmp_path_factory.mktemp("site")
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", *offline, "--target", target, package],
        check=True,
        timeout=120,
    )
    return target


@pytest.fixture(name="run")
def _run(tmp_path: Path, site: Path) -> Installation:
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "experiments.yaml").write_text(EXPERIMENTS, encoding="utf-8")
    questions = [{"id": f"q{n}", "question": "word " * n, "gold_chunk_ids": ["a"]} for n in (1, 2)]
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    (tmp_path / "questions.jsonl").write_text(lines, encoding="utf-8")
    return Installation(tmp_path, site)


def test_the_command_of_the_job_is_listed_and_runs(run: Installation):
    """``--help`` has its line; the command takes the shared options, resumes and reports."""
    listed = run("--help")
    assert listed.returncode == 0, listed.stderr
    assert "dictation" in listed.stdout
    assert "Ask a system to repeat the lines of a file." in listed.stdout
    assert "dictation" not in run("--help", installed=False).stdout
    (run.folder / "texts.txt").write_text("one two\nthree\n", encoding="utf-8")
    ran = run("dictation", "texts.txt", "--concurrency", "2", "--no-report")
    assert ran.returncode == 0, ran.stderr
    assert [row["scores"] for row in run.rows("texts")] == [
        {"exact": True, "answer_words": 2},
        {"exact": True, "answer_words": 1},
    ]
    again = run("dictation", "texts.txt", "--no-report")
    assert "nothing was asked" in again.stderr
    report = run("report", "texts", "--charts", "none", "--lang", "ru")
    assert report.returncode == 0, report.stderr
    assert "повторено дословно" in report.stdout
    gone = run("report", "texts", installed=False)
    assert gone.returncode == 2
    assert gone.stderr == (
        "assay: results of a job 'dictation' are not known here; install the package that adds it\n"
    )


def test_the_system_and_the_scorer_serve_the_jobs_of_assay(run: Installation):
    """An ablation asks the system; every table has the score, titled in three languages."""
    ran = run("ablate", "-e", "endings", "--system", "parrot:!", "--no-report")
    assert ran.returncode == 0, ran.stderr
    rows = run.rows("endings")
    assert {row["answer"] for row in rows} == {"word !", "word word !"}
    assert {row["scores"]["answer_words"] for row in rows} == {2, 3}  # type: ignore[index]
    summary = json.loads((run.folder / "experiments/endings.json").read_text(encoding="utf-8"))
    assert summary["system"] == "parrot-1:!"
    assert summary["results"]["variants"]["first"]["answer_words"] == 2.5
    titles = {"en": "Words of the answer", "zh": "回答词数", "ru": "слов в ответе"}
    for lang, title in titles.items():
        charts = "svg" if lang == "zh" else "none"
        words = ("report", "endings", "--metric", "answer_words", "--charts", charts)
        report = run(*words, "--lang", lang)
        assert report.returncode == 0, report.stderr
        assert title in report.stdout
        assert title in (run.folder / "experiments/endings.md").read_text(encoding="utf-8")
    assert (run.folder / "experiments/endings/charts/bar-answer_words.svg").exists()
    unknown = run("ablate", "-e", "endings", "--system", "parott:!")
    assert unknown.returncode == 2
    assert unknown.stderr == "assay: there is no system 'parott:!'; did you mean 'parrot:…'?\n"


def test_a_score_of_one_run_is_listed_and_does_not_fail_the_gate(run: Installation):
    """A base from before the scorer was installed still passes; ``assay score`` adds the score."""
    (run.folder / "clerk.py").write_text(
        "def ask(question):\n    return {'answer': question, 'passages': []}\n"
    )
    system = ("--system", "python:clerk:ask")
    for name, installed in (("base", False), ("cand", True)):
        ran = run(
            "ablate", "-e", "endings", *system, "--out", name, "--no-report",
            installed=installed,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
    words = (
        "compare", "--base", "base/endings.jsonl", "--cand", "cand/endings.jsonl",
        "--variant", "first",
    )  # fmt: skip
    note = "metrics only in the candidate, not compared: answer_words"
    for installed in (True, False):
        compared = run(*words, installed=installed)
        assert compared.returncode == 0, compared.stdout + compared.stderr
        assert f"note         {note}" in compared.stdout
    named = run(*words, "--metric", "answer_words")
    assert named.returncode == 2
    assert named.stderr == (
        "assay: the metric answer_words is only in the candidate; --rescore scores both again, "
        "or choose another --metric\n"
    )
    rescored = run(*words, "--metric", "answer_words", "--rescore")
    assert rescored.returncode == 0, rescored.stdout + rescored.stderr
    scored = run("score", "base/endings.jsonl", "--in-place")
    assert "scores: 4 changed" in scored.stdout, scored.stderr
    named = run(*words, "--metric", "answer_words")
    assert named.returncode == 0, named.stdout + named.stderr
    assert "(answer_words; lower is better, in words)" in named.stdout
