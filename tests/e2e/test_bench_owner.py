"""The owner of another runner moves over: the same repository, the counterparts of the commands."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.jobs.legal.owner import BY_TYPE, OVERALL, PASSED, SCORES, write_owner

SYSTEM = "python:legal_rag:LegalRag"
SCRIPT = """\
from assay.bench import BenchmarkRunner
from legal_rag import LegalRag

runner = BenchmarkRunner("benchmark")
summary = runner.run_benchmark(LegalRag(), question_type="fact_exact")
print(summary["overall_percentage"])
runner.save_results("results.json")
"""


def python(assay: Any, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the owner's folder and wait for it."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=assay.folder,
        env={**assay.environment, **variables},
        text=True,
        capture_output=True,
        timeout=120,
        check=False,
    )


def test_the_command_of_the_owner(assay: Any):
    """``python -m assay.bench`` runs the repository as it is, to the values computed by hand."""
    write_owner(assay.folder)
    checked = assay.run("bench", "validate", "benchmark")
    assert (checked.returncode, "6 questions in 3 files: no problems" in checked.stdout) == (
        0,
        True,
    )
    done = python(assay, "-m", "assay.bench", "benchmark", f"--system={SYSTEM}", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["overall_percentage"] == pytest.approx(OVERALL)
    assert {item["id"]: item["score"] for item in summary["questions"]} == pytest.approx(SCORES)
    assert {item["id"] for item in summary["questions"] if item["passed"]} == PASSED
    report = assay.run("report", "bench-benchmark", "--format=csv")
    assert f"{OVERALL:.1f}" in report.stdout, report.stderr
    facts = python(
        assay, "-m", "assay.bench", "benchmark", "--type", "fact_exact", ASSAY_SYSTEM=SYSTEM
    )
    assert f"overall       {BY_TYPE['fact_exact']:.1f} %" in facts.stdout, facts.stderr
    assert "询问笔录.md has no page marks" in facts.stdout
    script = assay.folder / "run.py"
    script.write_text(SCRIPT, encoding="utf-8")
    assert float(python(assay, "run.py").stdout) == pytest.approx(BY_TYPE["fact_exact"])
    saved = json.loads((assay.folder / "results.json").read_text(encoding="utf-8"))
    assert saved["overall_percentage"] == pytest.approx(BY_TYPE["fact_exact"])


@pytest.mark.parametrize(
    "way", ["pytest.ini", "pyproject.toml", "tool.assay", "variable", "option"]
)
def test_pytest_of_the_owner(assay: Any, way: str):
    """``pytest benchmark/`` asks the system that any of these names; two questions do not pass."""
    write_owner(assay.folder)
    files = {
        "pytest.ini": ("pytest.ini", f"[pytest]\nassay_system = {SYSTEM}\n"),
        "pyproject.toml": (
            "pyproject.toml",
            f'[tool.pytest.ini_options]\nassay_system = "{SYSTEM}"\n',
        ),
        "tool.assay": ("pyproject.toml", f'[tool.assay]\nsystem = "{SYSTEM}"\n'),
    }
    if way in files:
        name, content = files[way]
        (assay.folder / name).write_text(content, encoding="utf-8")
    options = [f"--assay-system={SYSTEM}"] if way == "option" else []
    variables = {"ASSAY_SYSTEM": SYSTEM} if way == "variable" else {}
    command = ("-m", "pytest", "-p", "no:cacheprovider", "-rA", f"--rootdir={assay.folder}")
    done = python(assay, *command, *options, "benchmark/", **variables)
    assert "4 passed" in done.stdout, done.stdout
    assert "2 failed" in done.stdout
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert ["fact_002" in line or "conflict_gap_003" in line for line in failed] == [True, True]
    assert "assay: fact_exact.json" in done.stdout or "assay: conflict_gap.json" in done.stdout
