"""What ``--out`` may replace: an output of the same command, and nothing else."""

import json
from pathlib import Path

import pytest

from tests.support.journal import judged, write_header, write_rows
from tests.support.program import Program, program

OWN_WORK = b"id: q1\n"
"""A file of the user."""
OPTION = {"questions check": "--page"}


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


@pytest.fixture(name="root")
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with one run, labels of it, questions and a configuration."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiments").mkdir()
    (tmp_path / "labels").mkdir()
    (tmp_path / "experiments/experiments.yaml").write_text("experiments: []\n")
    rows = [judged(f"q{n}", "on", 1.0, elapsed_s=n + 1.0) for n in range(8)]
    write_header(write_rows(tmp_path / "experiments/study.jsonl", rows), ["on"], baseline="on")
    (tmp_path / "note.txt").write_text("call +7 916 123-45-67\n")
    questions = [{"id": "q1", "question": "Who is it?", "expected": "Anna"}]
    (tmp_path / "questions.jsonl").write_text("".join(f"{json.dumps(q)}\n" for q in questions))
    label = {
        "case_id": "q1", "answer_hash": "0", "run": "study", "variant": "on", "labeller": "anna", "verdict": "right",
        "time": "2026-01-01T00:00:00Z",
    }  # fmt: skip
    (tmp_path / "labels/study.jsonl").write_text(json.dumps(label) + "\n")
    return tmp_path


COMMANDS = {
    "report csv": ("report", "study", "--format", "csv"),
    "report json": ("report", "study", "--format", "json"),
    "report markdown": ("report", "study", "--format", "markdown"),
    "report latex": ("report", "study", "--format", "latex"),
    "compare": ("compare", "--base", "study", "--cand", "study"),
    "query": ("query", "study", "SELECT key FROM rows", "--format", "csv"),
    "redact mask": ("redact", "mask", "note.txt", "--no-key"),
    "questions check": ("questions", "check", "questions.jsonl"),
    "labels export": ("labels", "export", "study"),
    "schema": ("schema",),
    "baseline": ("baseline", "study"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_did_not_write_is_refused(assay: Program, root: Path, name: str):
    """Rows, questions, configuration and other files are left as they are, with one line."""
    option = OPTION.get(name, "--out")
    for target in ("experiments/study.jsonl", "experiments/experiments.yaml", "mine.jsonl"):
        path = root / target
        if not path.exists():
            path.write_bytes(OWN_WORK)
        before = path.read_bytes()
        ran = assay(*COMMANDS[name], option, path)
        assert ran.code == 2, (target, ran.out)
        assert f"{path}: " in ran.err
        assert path.read_bytes() == before


@pytest.mark.parametrize("name", COMMANDS)
def test_what_the_command_wrote_before_is_replaced(assay: Program, root: Path, name: str):
    """The second call replaces the output of the first, but not after somebody edited it."""
    option = OPTION.get(name, "--out")
    out = root / "new" / "result.jsonl"
    out.parent.mkdir()
    first = assay(*COMMANDS[name], option, out)
    assert out.is_file(), first.err
    ran = assay(*COMMANDS[name], option, out)
    assert ran.code == first.code, ran.err
    out.write_bytes(out.read_bytes() + b"\nmy own notes")
    edited = out.read_bytes()
    assert assay(*COMMANDS[name], option, out).code == 2
    assert out.read_bytes() == edited


def test_an_output_of_another_command_is_refused(assay: Program, root: Path):
    """A report does not replace the result of a query."""
    out = root / "result.csv"
    assert assay(*COMMANDS["query"], "--out", out).code == 0
    ran = assay(*COMMANDS["report csv"], "--out", out)
    assert (ran.code, "not an output of assay report" in ran.err) == (2, True)


def test_an_empty_file_is_filled(assay: Program, root: Path):
    """A file that ``mktemp`` made has nothing to lose."""
    out = root / "result.csv"
    out.touch()
    assert assay(*COMMANDS["report csv"], "--out", out).code == 0


def test_pages_of_a_site_replace_only_pages(assay: Program, root: Path):
    """``--site`` leaves an index of the user as it is."""
    index = root / "site/index.html"
    index.parent.mkdir()
    index.write_bytes(OWN_WORK)
    ran = assay("report", "--site", root / "site", "study")
    assert (ran.code, index.read_bytes()) == (2, OWN_WORK)
    assert not (root / "site/study.html").exists()


def test_the_list_of_outputs_names_no_file(assay: Program, root: Path):
    """A path may contain a value that must not leak, so only digests are kept."""
    assert assay(*COMMANDS["report csv"], "--out", root / "anna.csv").code == 0
    (digest,) = (root / ".assay/outputs").read_text().split()
    assert len(digest) == 64
