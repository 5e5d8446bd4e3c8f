"""The ``assay`` program: version, help and error messages."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay import __version__
from assay.cli.main import app
from assay.cli.options import one_of
from assay.config.yaml_tree import experiments_schema
from assay.errors import UseError
from tests.support.command_server import run_forked
from tests.support.installed import install_package


def started(*words: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Start the program in a folder as a module."""
    return subprocess.run(
        [sys.executable, "-m", "assay", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_the_version_is_printed(tmp_path: Path):
    """``--version`` prints only the name and the version."""
    ran = started("--version", cwd=tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"assay-eval {__version__}\n", "")


def test_help_names_every_command(tmp_path: Path):
    """``--help`` lists the commands with a sentence for each."""
    ran = started("--help", cwd=tmp_path)
    assert ran.returncode == 0
    for word in ("ablate", "demo", "doctor", "list", "report", "schema", "score", "--version"):
        assert word in ran.stdout
    assert "List past runs" in ran.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("nonsense",),
        ("list", "--nonsense"),
        ("list", "extra"),
        ("ablate", "--concurrency", "0"),
        ("ablate", "--concurrency", "many"),
        ("ablate", "--timeout", "0"),
        ("ablate", "--retries", "-1"),
        ("ablate", "--limit", "-1"),
        ("ablate", "--top-k", "0"),
        ("demo", "--questions", "0"),
        ("report",),
        ("doctor", "--timeout"),
        (),
    ],
)
def test_wrong_use_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
):
    """Unknown commands, unknown options and invalid values give exit code 2."""
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(app, list(words))
    assert ran.exit_code == 2
    assert isinstance(ran.exception, SystemExit)
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_option_is_reported_in_one_language(tmp_path: Path):
    """Errors are English, and so is the line above them that says how the command is typed."""
    ran = started("--lang", "ru", "ablate", "--limitt", "3", cwd=tmp_path)
    assert ran.returncode == 2
    assert ran.stderr.startswith(
        "Usage: assay ablate [OPTIONS]\nTry 'assay ablate --help' for help."
    )


@pytest.mark.parametrize("command", ["list", "doctor"])
def test_an_error_of_the_user_is_one_line(tmp_path: Path, command: str):
    """A wrong ``--root`` gives exit code 2 and one line that begins with ``assay:``."""
    ran = run_forked(command, "--root", "gone", cwd=tmp_path)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr == "assay: --root gone: no such folder\n"


def test_the_schema_is_printed_or_written(tmp_path: Path):
    """Standard output and ``--out`` give the same text as the library."""
    printed = run_forked("schema", cwd=tmp_path)
    written = run_forked("schema", "--out", "schema.json", cwd=tmp_path)
    assert printed.returncode == written.returncode == 0
    assert written.stdout == ""
    assert printed.stdout == (tmp_path / "schema.json").read_text(encoding="utf-8")
    assert printed.stdout == experiments_schema()
    json.loads(printed.stdout)


def test_a_schema_that_cannot_be_written_is_one_line(tmp_path: Path):
    """A missing folder gives exit code 2 and one line, without a traceback."""
    ran = run_forked("schema", "--out", "gone/schema.json", cwd=tmp_path)
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
    assert ran.stderr.startswith("assay: gone/schema.json: ")
    assert ran.stderr.count("\n") == 1


def test_valid_values_are_listed_once():
    """The message lists the valid values once and suggests a similar one if there is one."""
    with pytest.raises(UseError, match=r"^--lang xx: not one of en, zh, ru$"):
        one_of("--lang", "xx", ("en", "zh", "ru"))
    with pytest.raises(UseError, match="did you mean 'markdown'"):
        one_of("--format", "markdwn", ("markdown", "csv"))


SPEC = """\
from assay.results.job import JobSpec
from assay.checks.latency import LATENCY

def command(size: int = 1) -> None:
    print("size", size)

def spec(name, command=command):
    return JobSpec(
        name=name, metrics=LATENCY, headline="avg_latency_s", rescore=lambda row: {},
        command=command, help=f"Help of {name}.",
    )

POETRY, REPORT, QUALITY = spec("poetry"), spec("report"), spec("quality")
PROSE = spec("prose", "acme_prose:command")
"""
ENTRY_POINTS = """\
[assay.jobs]
poetry = acme_jobs:POETRY
prose = acme_jobs:PROSE
report = acme_jobs:REPORT
quality = acme_jobs:QUALITY
broken = acme_jobs:MISSING
"""


POINT = "the entry point '{}' (assay.jobs) of the package 'acme'"
MISSING = "AttributeError: module 'acme_jobs' has no attribute 'MISSING'"


@pytest.fixture(name="acme")
def _acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder; programs that the test starts find a package with jobs of its own."""
    site = tmp_path / "site"
    install_package(monkeypatch, site, entry_points=ENTRY_POINTS, modules={"acme_jobs": SPEC})
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(site)]))
    folder = tmp_path / "folder"
    folder.mkdir()
    return folder


def test_help_lists_the_commands_of_other_packages(acme: Path):
    """Each is listed with its help; one that cannot be used costs one line and nothing else."""
    ran = run_forked("--help", cwd=acme)
    assert ran.returncode == 0
    assert "  poetry     Help of poetry." in ran.stdout
    assert "Help of report" not in ran.stdout
    assert "Help of quality" not in ran.stdout
    assert sorted(ran.stderr.splitlines()) == [
        "assay: the command of the job 'report' is hidden: assay has a command of this name",
        f"assay: {POINT.format('broken')} cannot be used: {MISSING}",
        f"assay: {POINT.format('quality')} is not used: assay has its own job 'quality'",
    ]


def test_a_command_of_another_package_runs(acme: Path):
    """It has its own options and help; no other package is loaded for it."""
    ran = run_forked("poetry", "--size", "3", cwd=acme)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "size 3\n", "")
    assert "--size" in run_forked("poetry", "--help", cwd=acme).stdout


def test_what_is_broken_or_unknown_breaks_only_itself(acme: Path):
    """A broken command is one line with exit code 2, a typing error a suggestion; lists work."""
    ran = run_forked("broken", cwd=acme)
    assert ran.returncode == 2
    assert ran.stderr == f"assay: {POINT.format('broken')} cannot be used: {MISSING}\n"
    ran = run_forked("prose", cwd=acme)
    assert ran.returncode == 2
    assert ran.stderr == (
        "assay: the command of the job 'prose' (acme_prose:command) cannot be used: "
        "ModuleNotFoundError: No module named 'acme_prose'\n"
    )
    assert "Did you mean 'poetry'?" in run_forked("poetri", cwd=acme).stderr
    ran = run_forked("list", cwd=acme)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_module_calls_itself_by_the_name_of_the_command(tmp_path: Path):
    """``python -m assay`` shows the usage of ``assay``."""
    command = [sys.executable, "-m", "assay", "run", "--help"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("Usage: assay run")


_START = """
import gc
from assay.cli.main import pause_collection, resume_collection
{before}
print(gc.isenabled(), gc.get_freeze_count() > 0)
resume_collection()
print(gc.isenabled(), gc.get_freeze_count() > 0)
"""


def _printed(before: str) -> list[str]:
    program = _START.format(before=before)
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return ran.stdout.splitlines()


def test_what_was_imported_before_the_search_resumes_is_left_out_of_it():
    """After a pause, Python searches again, but only in new objects."""
    assert _printed("pause_collection()") == ["False False", "True True"]


def test_without_a_pause_nothing_is_left_out():
    """A parser that is used from Python changes nothing in the process of its user."""
    assert _printed("") == ["True False", "True False"]


@pytest.mark.parametrize(
    ("command", "frozen"), [("list", True), ("report", True), ("query", False), ("lisst", False)]
)
def test_a_command_searches_again_once_it_is_imported(command: str, frozen: bool):
    """A long run must not grow without end, and some libraries must free their objects."""
    program = (
        "import atexit, gc, sys\n"
        f"sys.argv = ['assay', '{command}', '--help']\n"
        "from assay.cli.main import main\n"
        "atexit.register(lambda: print(gc.isenabled(), gc.get_freeze_count() > 0))\n"
        "main()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ran.stdout.splitlines()[-1] == f"True {frozen}"


@pytest.mark.parametrize(
    "words", [("list", "--root"), ("report",), ("questions", "check"), ("merge",), ("query",)]
)
@pytest.mark.parametrize("path", ["a" * 300, "/a" * 3000])
def test_a_path_that_is_too_long_is_one_line(tmp_path: Path, words: tuple[str, ...], path: str):
    """No file can have such a name, whatever a command wants to do with it."""
    more = ["select 1"] if words == ("query",) else []
    done = started(*words, path, *more, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 3
    assert len(done.stderr) < 1000 or words == ("merge",)
