"""The pytest plugin, tested by running pytest: once in a process of its own, else inside this one."""

import json
import tomllib
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from assay.jobs.legal.file import benchmark_schema
from tests.jobs.legal.small import RIGHT, write_small

pytest_plugins = ["pytester"]

REPOSITORY = Path(__file__).parent.parent
# an installation older than the declaration of the plugin does not load it automatically
PLUGIN = () if entry_points(group="pytest11", name="assay") else ("-p", "assay.pytest_plugin")

SYSTEM = """\
REPLIES = {replies!r}

class Rag:
    instances = 0

    def __init__(self):
        Rag.instances += 1
        assert Rag.instances == 1, "created twice"

    def ask(self, question):
        reply = REPLIES[question]
        if reply == "raise":
            raise LookupError("the index is gone")
        return {{"answer": reply["answer"], "extra": {{"citations": reply["citations"]}}}}

    def close(self):
        with open("closed", "a") as file:
            file.write("closed\\n")
"""


def run(
    pytester: pytest.Pytester, *words: str, replies: Any = RIGHT, is_own_process: bool = False
) -> pytest.RunResult:
    """Run pytest on the small benchmark with a system that gives these replies."""
    if not (pytester.path / "benchmark").exists():
        write_small(pytester.path / "benchmark")
    (pytester.path / "my_rag.py").write_text(SYSTEM.format(replies=replies), encoding="utf-8")
    start = pytester.runpytest_subprocess if is_own_process else pytester.runpytest_inprocess
    return start("-p", "no:cacheprovider", *PLUGIN, *words, "benchmark")


def test_a_test_for_each_question(pytester: pytest.Pytester):
    """Each question is a test; one system answers all of them and is closed once."""
    done = run(pytester, "-v", "--assay-system=python:my_rag:Rag", is_own_process=True)
    done.assert_outcomes(passed=3)
    done.stdout.fnmatch_lines(["*fact_exact.json::fact PASSED*"])
    assert (pytester.path / "closed").read_text() == "closed\n"


def test_the_system_in_the_configuration(pytester: pytest.Pytester):
    """The ini file can name the system, and question types are registered markers."""
    pytester.makeini(
        "[pytest]\nassay_bench_system = python:my_rag:Rag\naddopts = --strict-markers\n"
    )
    run(pytester).assert_outcomes(passed=3)
    run(pytester, "-m", "conflict_gap").assert_outcomes(passed=1, deselected=2)


def test_a_readable_failure(pytester: pytest.Pytester):
    """A failure shows the expected and actual answer, missing evidence and inventions."""
    replies = {
        **RIGHT,
        "What was the price?": {"answer": "£5,100", "citations": []},
        "Who witnessed the sale?": {"answer": "Marcus Hale did.", "citations": []},
    }
    done = run(pytester, "--assay-system=python:my_rag:Rag", replies=replies)
    done.assert_outcomes(passed=1, failed=2)
    output = done.stdout.str()
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
        assert any(_matches(line, printed) for printed in output.splitlines()), (line, output)
    assert "Traceback" not in output
    assert "pytest_plugin.py" not in output


def _matches(pattern: str, line: str) -> bool:
    head, _, tail = pattern.partition("*")
    return line.startswith(head) and line.endswith(tail)


def test_thresholds_are_the_files(pytester: pytest.Pytester):
    """A fact without citation scores 0.7: it passes 0.6, but not 0.8 or an unset threshold."""
    replies = {**RIGHT, "What was the price?": {"answer": "£4,200", "citations": []}}
    for name, threshold in (("low", 0.6), ("high", 0.8), ("unset", None)):
        write_small(pytester.path / "benchmark" / name, min_score=threshold)
    done = run(pytester, "--assay-system=python:my_rag:Rag", replies=replies)
    done.assert_outcomes(passed=7, failed=2)
    done.stdout.fnmatch_lines(["FAILED benchmark/high/fact_exact.json::fact*"])
    done.stdout.fnmatch_lines(["FAILED benchmark/unset/fact_exact.json::fact*"])


def test_a_system_that_fails(pytester: pytest.Pytester):
    """The test fails with the error of the system, and the other tests run."""
    done = run(
        pytester,
        "--assay-system=python:my_rag:Rag",
        replies={**RIGHT, "What was the price?": "raise"},
    )
    done.assert_outcomes(passed=2, failed=1)
    done.stdout.fnmatch_lines(["failed    system: LookupError: the index is gone"])


def test_other_files_are_left_alone(pytester: pytest.Pytester):
    """Other JSON files are ignored, also the schema; an invalid benchmark is an error."""
    folder = write_small(pytester.path / "benchmark")
    (folder / "other.json").write_text('{"questions": []}')
    (folder / "schema.json").write_text(benchmark_schema(), encoding="utf-8")
    run(pytester, "--assay-system=python:my_rag:Rag").assert_outcomes(passed=3)
    run(pytester).stdout.fnmatch_lines(["assay: 3 benchmark files were ignored*"])
    content = json.loads((folder / "fact_exact.json").read_text(encoding="utf-8"))
    content["questions"][0]["expected"] = {"amount_total": ["many"]}
    (folder / "fact_exact.json").write_text(json.dumps(content), encoding="utf-8")
    done = run(pytester, "--assay-system=python:my_rag:Rag")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*fact_exact.json:1: $.questions?0?.expected.amount_total:*"])
    (folder / "fact_exact.json").write_text('{"benchmark_type": "fact_exact",', encoding="utf-8")
    done = run(pytester, "--assay-system=python:my_rag:Rag")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*fact_exact.json:1: $: not JSON:*"])


def test_without_a_system_nothing_is_collected(pytester: pytest.Pytester):
    """Without a system a line says how to name one; an unknown system is an error."""
    done = run(pytester)
    done.assert_outcomes()
    done.stdout.fnmatch_lines(["assay: 3 benchmark files were ignored; name the system*"])
    wrong = run(pytester, "--assay-system=python:my_rag:Rga")
    wrong.assert_outcomes(errors=3)
    wrong.stdout.fnmatch_lines(["*my_rag has no 'Rga'*"])


def test_the_reference_pipeline(pytester: pytest.Pytester):
    """The reference pipeline answers from the document of the benchmark file."""
    write_small(pytester.path / "benchmark")
    done = run(pytester, "--assay-system=reference", "-m", "fact_exact")
    done.assert_outcomes(passed=1, deselected=2)


def test_the_plugin_is_declared():
    """The plugin is declared as an entry point of pytest."""
    content = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    assert content["project"]["entry-points"]["pytest11"] == {"assay": "assay.pytest_plugin"}
