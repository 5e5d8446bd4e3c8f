"""The pytest plugin as a user meets it: pytest runs in a process of its own."""

import json
import tomllib
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from assay.data.legal.file import benchmark_schema
from tests.jobs.legal.small import RIGHT, write_small

pytest_plugins = ["pytester"]

REPOSITORY = Path(__file__).parent.parent
# an installation from before the plugin was declared does not load it by itself
PLUGIN = () if entry_points(group="pytest11", name="assay") else ("-p", "assay.pytest_plugin")

SYSTEM = """\
SAID = {said!r}

class Rag:
    made = 0

    def __init__(self):
        Rag.made += 1
        assert Rag.made == 1, "made twice"

    def ask(self, question):
        said = SAID[question]
        if said == "raise":
            raise LookupError("the index is gone")
        return {{"answer": said["answer"], "extra": {{"citations": said["citations"]}}}}

    def close(self):
        with open("closed", "a") as file:
            file.write("closed\\n")
"""


def run(pytester: pytest.Pytester, *words: str, said: Any = RIGHT) -> pytest.RunResult:
    """Run pytest on the small benchmark, with a system that says this."""
    if not (pytester.path / "benchmark").exists():
        write_small(pytester.path / "benchmark")
    (pytester.path / "my_rag.py").write_text(SYSTEM.format(said=said), encoding="utf-8")
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *PLUGIN, *words, "benchmark")


def test_a_test_for_each_question(pytester: pytest.Pytester):
    """Every question of every file is a test of its own, one system answers all, and is closed once."""
    done = run(pytester, "-v", "--assay-system=python:my_rag:Rag")
    done.assert_outcomes(passed=3)
    done.stdout.fnmatch_lines(["*fact_exact.json::fact PASSED*"])
    assert (pytester.path / "closed").read_text() == "closed\n"


def test_the_system_in_the_configuration(pytester: pytest.Pytester):
    """The ini file can name it; types are marks to choose by, strict ones too."""
    pytester.makeini(
        "[pytest]\nassay_bench_system = python:my_rag:Rag\naddopts = --strict-markers\n"
    )
    run(pytester).assert_outcomes(passed=3)
    run(pytester, "-m", "conflict_gap").assert_outcomes(passed=1, deselected=2)


def test_a_readable_failure(pytester: pytest.Pytester):
    """It says what was expected and got, what evidence is missing and what was invented."""
    said = {
        **RIGHT,
        "What was the price?": {"answer": "£5,100", "citations": []},
        "Who witnessed the sale?": {"answer": "Marcus Hale did.", "citations": []},
    }
    done = run(pytester, "--assay-system=python:my_rag:Rag", said=said)
    done.assert_outcomes(passed=1, failed=2)
    shown = done.stdout.str()
    for line in (
        "question  What was the price?",
        "score     0, but 0.6 is needed",
        "expected  amount_total: 4200",
        "got       £5,100",
        "missing   “£4,200 in all” (page 1)",
        "invented  £5,100 (*)",
        "fault     nothing is cited",
        "expected  no answer, because the document gives none",
        "expected  the quote “Who witnessed it I no longer remember”",
        "invented  Marcus Hale (name)",
        "fault     the answer does not abstain although the document leaves this open",
    ):
        assert any(_alike(line, one) for one in shown.splitlines()), (line, shown)
    assert "Traceback" not in shown
    assert "pytest_plugin.py" not in shown


def _alike(pattern: str, line: str) -> bool:
    head, _, tail = pattern.partition("*")
    return line.startswith(head) and line.endswith(tail)


def test_thresholds_are_the_files(pytester: pytest.Pytester):
    """An uncited fact scores 0.7: enough for 0.6, too little for 0.8 or where nothing is set."""
    said = {**RIGHT, "What was the price?": {"answer": "£4,200", "citations": []}}
    for name, threshold in (("low", 0.6), ("high", 0.8), ("unset", None)):
        write_small(pytester.path / "benchmark" / name, min_score=threshold)
    done = run(pytester, "--assay-system=python:my_rag:Rag", said=said)
    done.assert_outcomes(passed=7, failed=2)
    done.stdout.fnmatch_lines(["FAILED benchmark/high/fact_exact.json::fact*"])
    done.stdout.fnmatch_lines(["FAILED benchmark/unset/fact_exact.json::fact*"])


def test_a_system_that_fails(pytester: pytest.Pytester):
    """The test fails with the system's own error, and the others go on."""
    done = run(
        pytester,
        "--assay-system=python:my_rag:Rag",
        said={**RIGHT, "What was the price?": "raise"},
    )
    done.assert_outcomes(passed=2, failed=1)
    done.stdout.fnmatch_lines(["failed    system: LookupError: the index is gone"])


def test_other_files_are_left_alone(pytester: pytest.Pytester):
    """Other JSON, the schema too, is nobody's test; a benchmark with a problem is an error."""
    folder = write_small(pytester.path / "benchmark")
    (folder / "other.json").write_text('{"questions": []}')
    (folder / "schema.json").write_text(benchmark_schema(), encoding="utf-8")
    run(pytester, "--assay-system=python:my_rag:Rag").assert_outcomes(passed=3)
    run(pytester).stdout.fnmatch_lines(["assay: 3 benchmark files were left out*"])
    content = json.loads((folder / "fact_exact.json").read_text(encoding="utf-8"))
    content["questions"][0]["expected"] = {"amount_totl": 4200}
    (folder / "fact_exact.json").write_text(json.dumps(content), encoding="utf-8")
    done = run(pytester, "--assay-system=python:my_rag:Rag")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*fact_exact.json:1: $.questions?0?.expected.amount_totl:*"])
    (folder / "fact_exact.json").write_text('{"benchmark_type": "fact_exact",', encoding="utf-8")
    done = run(pytester, "--assay-system=python:my_rag:Rag")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*fact_exact.json:1: $: not JSON:*"])


def test_without_a_system_nothing_is_collected(pytester: pytest.Pytester):
    """Whoever has not named a system is told how, and a system that is not there is an error."""
    done = run(pytester)
    done.assert_outcomes()
    done.stdout.fnmatch_lines(["assay: 3 benchmark files were left out; name the system*"])
    wrong = run(pytester, "--assay-system=python:my_rag:Rga")
    wrong.assert_outcomes(errors=3)
    wrong.stdout.fnmatch_lines(["*my_rag has no 'Rga'*"])


def test_the_reference_pipeline(pytester: pytest.Pytester):
    """It is given the file's own document."""
    write_small(pytester.path / "benchmark")
    done = run(pytester, "--assay-system=reference", "-m", "fact_exact")
    done.assert_outcomes(passed=1, deselected=2)


def test_the_plugin_is_declared():
    """Pytest finds it without being told."""
    content = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    assert content["project"]["entry-points"]["pytest11"] == {"assay": "assay.pytest_plugin"}
