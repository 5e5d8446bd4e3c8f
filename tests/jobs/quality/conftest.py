"""Helpers for the tests of the quality job: a small PDF, questions, and a scripted system."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fpdf import FPDF

from assay.config.experiment import RunSettings
from assay.config.workspace import Workspace
from assay.jobs.prepared import run_prepared
from assay.jobs.quality.batch import Batch, open_batch
from assay.jobs.quality.preparation import QualityOptions
from assay.runs.resume import Resume
from assay.runs.summary import RunResult
from assay.systems.scripted import ScriptedSystem

QUESTIONS: list[dict[str, Any]] = [
    {"id": "q1", "question": "How long is the notice?", "must_include": ["30 days"], "weight": 3.0},
    {
        "id": "q2",
        "question": "What is the rent?",
        "must_include": ["900"],
        "require_citation": True,
    },
    {
        "id": "q3",
        "question": "Who pays?",
        "must_include": ["tenant"],
        "must_not_include": ["owner"],
    },
]
ANSWERS = {
    "q1": "The notice is 30 days (p. 2).",
    "q2": "The rent is 900 dollars.",
    "q3": "The owner.",
}
PAGES = ("The lease. The rent is 900 dollars.", "The notice is 30 days. The tenant pays.")


def put_pdf(path: Path, *pages: str) -> Path:
    """Write a PDF with one page for each text."""
    file = FPDF()
    file.set_font("helvetica", size=11)
    for text in pages:
        file.add_page()
        file.multi_cell(0, 6, text)
    path.parent.mkdir(parents=True, exist_ok=True)
    file.output(str(path))
    return path


def put_questions(path: Path, questions: list[dict[str, Any]]) -> Path:
    """Write a file of questions."""
    path.write_text("".join(json.dumps(question) + "\n" for question in questions))
    return path


class Bench:
    """A workspace with a lease, and a system that replies as its script says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pdf = put_pdf(folder / "lease.pdf", *PAGES)
        self.questions = put_questions(folder / "questions.jsonl", QUESTIONS)
        self.out = folder / "runs" / "base.json"
        self.script: Any = dict(ANSWERS)
        self.asked: list[str] = []
        self.identity = "scripted"

    @property
    def workspace(self) -> Workspace:
        """The folder as a workspace."""
        return Workspace(root=self.folder)

    def system(self, *_: Any) -> ScriptedSystem:
        """A new system; all systems record their questions in ``asked``."""
        system = ScriptedSystem(self.script, identity=self.identity)
        system.asked = self.asked
        return system

    def batch(self, **options: Any) -> Batch:
        """The batch that the command would open with these options."""
        chosen = {"pdf": self.pdf, "questions": self.questions, "out": self.out, **options}
        return open_batch(self.workspace, None, QualityOptions(**chosen))

    def run(
        self, batch: Batch | None = None, *, resume: Resume = "ask", **options: Any
    ) -> RunResult:
        """Run every data set and return the result of the last one."""
        batch = batch or self.batch(**options)
        for dataset in batch.datasets:
            quality = batch.prepare(dataset)
            result = run_prepared(quality.run, settings=RunSettings(retries=0), resume=resume)
            quality.context.close()
        return result

    def results(self) -> dict[str, Any]:
        """The content of the results file."""
        content: dict[str, Any] = json.loads(self.out.read_bytes())
        return content


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A bench whose scripted system replaces the configured one."""
    workbench = Bench(tmp_path)
    system: Callable[..., Any] = workbench.system
    monkeypatch.setattr("assay.jobs.quality.preparation.load_system", system)
    return workbench
