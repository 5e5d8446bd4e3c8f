"""``assay doctor``: each finding is one line."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.command_server import run_forked

MODULE = """
import time

def good(text):
    return "fine\\nanswer to " + text

def angry(text):
    raise ValueError("two\\nlines")

def leaving(text):
    raise SystemExit(3)

def hanging(text):
    time.sleep(600)

async def hanging_async(text):
    import asyncio
    while True:
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            pass

SETTINGS = {"dim": int, "mode": ("a", "b")}
"""


def doctor(*words: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run ``assay doctor`` in a folder."""
    return run_forked("doctor", *words, cwd=cwd)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    (tmp_path / "lab_system.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "broken_system.py").write_text("import nowhere_at_all\n", encoding="utf-8")
    return tmp_path


def faults(ran: "subprocess.CompletedProcess[str]") -> list[str]:
    """The lines with faults, after checking that every line is a finding."""
    assert "Traceback" not in ran.stderr
    lines = ran.stdout.splitlines()
    assert all(line.startswith(("ok   ", "FAIL ", "note ")) for line in lines), lines
    return [line.removeprefix("FAIL ") for line in lines if line.startswith("FAIL ")]


def test_a_sound_installation_passes(tmp_path: Path):
    """In an empty folder no fault is reported."""
    ran = doctor(cwd=tmp_path)
    assert ran.returncode == 0
    assert faults(ran) == []
    assert "note there is no " in ran.stdout


def test_a_system_that_answers_passes(folder: Path):
    """One call is made; the answer and the settings are shown in one line each."""
    ran = doctor("--system", "python:lab_system:good", "--question", "why?", cwd=folder)
    assert ran.returncode == 0, ran.stdout
    assert faults(ran) == []
    assert "ok   loaded python:lab_system:good@" in ran.stdout
    assert "ok   settings it understands: dim, mode" in ran.stdout
    assert "s: fine answer to why?\n" in ran.stdout


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ("python:lab_system:angry", "the call failed: ValueError: two lines"),
        (
            "python:lab_system:leaving",
            "the call failed: RuntimeError: the system raised SystemExit: 3",
        ),
        ("python:broken_system:good", "broken_system needs the module 'nowhere_at_all'"),
        ("python:nowhere_at_all:good", "there is no Python module 'nowhere_at_all'"),
    ],
)
def test_a_system_that_does_not_answer_is_one_fault(folder: Path, system: str, message: str):
    """An error of a system is one line, with exit code 1."""
    ran = doctor("--system", system, cwd=folder)
    assert ran.returncode == 1
    (fault,) = faults(ran)
    assert message in fault


@pytest.mark.parametrize("name", ["hanging", "hanging_async"])
def test_a_system_that_hangs_is_given_up(folder: Path, name: str):
    """The command ends although the system hangs, and names ``--timeout``."""
    ran = doctor("--system", f"python:lab_system:{name}", "--timeout", "0.2", cwd=folder)
    assert ran.returncode == 1
    assert faults(ran) == ["no answer within 0.2 s; see --timeout"]


def test_mistakes_in_the_experiments_are_placed(tmp_path: Path):
    """Each error in ``experiments.yaml`` has its line number, with exit code 1."""
    path = tmp_path / "experiments" / "experiments.yaml"
    path.parent.mkdir()
    path.write_text("defaults:\n  topk: 3\nexperimnts: []\n", encoding="utf-8")
    ran = doctor(cwd=tmp_path)
    assert ran.returncode == 1
    first, second = faults(ran)
    assert "experiments.yaml:2: unknown key 'topk'; did you mean 'top_k'?" in first
    assert "experiments.yaml:3: unknown key 'experimnts'" in second


def test_a_workspace_whose_gold_is_lost_ends_with_1(tmp_path: Path):
    """Gold chunks that are not in the corpus are a fault, with exit code 1."""
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "experiments.yaml").write_text(
        "defaults: {questions_path: q.jsonl, chunks_manifest: c}\n", encoding="utf-8"
    )
    (tmp_path / "q.jsonl").write_text('{"id": 1, "question": "?", "gold_chunk_ids": ["g"]}\n')
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "a.jsonl").write_text('{"id": "x", "text": "y"}\n')
    ran = doctor(cwd=tmp_path)
    assert ran.returncode == 1
    (fault,) = faults(ran)
    assert fault.startswith("q.jsonl: 1 of 1 gold chunks are not in c (g)")
    assert "1 chunk of 1 document" in ran.stdout


def test_findings_are_given_to_programs(folder: Path):
    """``--json`` prints all findings with their verdicts."""
    ran = doctor("--json", "--system", "python:lab_system:angry", cwd=folder)
    findings = json.loads(ran.stdout)
    assert ran.returncode == 1
    assert {finding["ok"] for finding in findings} == {True, False, None}
    assert all("\n" not in finding["what"] for finding in findings)


NEEDY = """
class SETTINGS:
    model_fields = {}

    def __init__(self, model):
        self.model = model

    @classmethod
    def settings_customise_sources(cls):
        return ()

def ask(question):
    return question
"""


@pytest.mark.parametrize("isolate", ["null", "process"])
def test_settings_that_cannot_be_created_are_noted(tmp_path: Path, isolate: str):
    """What the class reads from the environment is then not recorded, and a run would not say so."""
    (tmp_path / "needy_system.py").write_text(NEEDY, encoding="utf-8")
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "experiments.yaml").write_text(
        f"systems: {{needy: {{kind: python, target: 'needy_system:ask', isolate: {isolate}}}}}\n"
    )
    ran = doctor("--system", "needy", cwd=tmp_path)
    (line,) = [each for each in ran.stdout.splitlines() if "SETTINGS:" in each]
    assert line.startswith("note SETTINGS: SETTINGS cannot be created without arguments, so")
