"""What a command imports: a quick command does not wait for the libraries of a slow one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from assay.jobs.corpus.new_workspace import create_workspace

HEAVY = (
    "asyncio", "duckdb", "httpx", "matplotlib", "numpy", "numpy.ma", "pydantic", "scipy", "tomllib",
    "yaml", "assay.models", "assay.redact.find", "assay.rag", "assay.runs.active_run", "assay.stats",
)  # fmt: skip
"""Libraries and rooms that take long to import."""
ALLOWED = {
    ("list",): {"tomllib"},
    ("report", "hyde", "--format", "markdown"): {"numpy", "tomllib", "assay.stats"},
    ("compare", "--base", "experiments/hyde.jsonl", "--cand", "experiments/hyde.jsonl"): {
        "numpy", "tomllib", "assay.stats",
    },
    ("compare", "--base", "experiments/hyde.jsonl"): set(),
    ("lisst",): set(),
    ("doctor",): {"asyncio", "tomllib", "yaml", "assay.models"},
    ("ablate", "--experiment", "hide"): {
        "asyncio", "tomllib", "yaml", "assay.models", "assay.runs.active_run",
    },
}  # fmt: skip
"""What each command may import of them, in a workspace with one run."""

_SHOW = """
import sys
sys.argv = ["assay", *sys.argv[1:]]
from assay.cli.main import main
try:
    main()
finally:
    print("\\nimported:", *sys.modules)
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with one run of two questions."""
    root = tmp_path_factory.mktemp("imports")
    create_workspace(root)
    words = ("ablate", "--experiment", "hyde", "--limit", "2", "--no-report")
    subprocess.run(
        [sys.executable, "-m", "assay", *words], cwd=root, capture_output=True, check=True
    )
    return root


@pytest.mark.parametrize("command", ALLOWED, ids=" ".join)
def test_a_command_imports_only_what_it_needs(command: tuple[str, ...], workspace: Path):
    """A command that reads results or is refused loads no heavy library that it does not use."""
    result = subprocess.run(
        [sys.executable, "-c", _SHOW, *command],
        capture_output=True, text=True, cwd=workspace, check=False,
    )  # fmt: skip
    imported = set(result.stdout.rpartition("imported:")[2].split())
    assert imported, result.stderr
    assert imported & set(HEAVY) <= ALLOWED[command]


def test_the_description_of_a_job_imports_nothing_heavy():
    """``list`` reads it for every run: the titles of metrics, not the functions that compute them."""
    program = (
        "import sys\nfrom assay.results.job import JOBS, job_spec\n"
        "for name in JOBS.own: job_spec(name)\nprint(*sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    imported = set(result.stdout.split())
    assert "assay.jobs.contract.spec" in imported
    assert not imported & set(HEAVY) - {"tomllib"}


@pytest.mark.parametrize(("given", "used"), [(None, "1"), ("4", "4")])
def test_a_report_starts_no_threads_of_algebra(workspace: Path, given: str | None, used: str):
    """Unless the user has said how many."""
    program = _SHOW.replace("*sys.modules", "__import__('os').environ['OPENBLAS_NUM_THREADS']")
    environment = {name: value for name, value in os.environ.items() if "THREADS" not in name}
    result = subprocess.run(
        [sys.executable, "-c", program, "report", "hyde", "--format", "csv"],
        capture_output=True, text=True, cwd=workspace, check=False,
        env=environment | ({"OPENBLAS_NUM_THREADS": given} if given else {}),
    )  # fmt: skip
    assert result.stdout.rpartition("imported:")[2].strip() == used
