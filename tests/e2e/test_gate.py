"""The gate as CI runs it: the installed command and each of its exit codes."""

import json
import os
import re
import subprocess
from typing import Any

import pytest
import yaml

from tests.support.harbour import REPOSITORY

FAILING = """\
def ask(question, settings):
    raise {error}("nothing answers")
"""
FORGETFUL = """\
from tests.support.harbour import ask as clerk

async def ask(question, settings):
    return await clerk(question, {"lookup": " 2 " not in question and settings.get("lookup")})
"""
BASE = {"q1": 1.0, "q2": 0.5, "q3": 1.0}


def write_run(assay: Any, name: str, scores: dict[str, float], **summary: Any) -> None:
    """Write the results of a quality run, complete unless ``summary`` changes that."""
    told = {"state": "complete", "pdf_sha256": "a1", "questions_sha256": "b2", **summary}
    results = [
        {"id": key, "question": f"{key}?", "answer": "…", "metrics": {"score": score}, "weight": 1}
        for key, score in scores.items()
    ]
    content = {"summary": told, "results": results}
    (assay.folder / name).write_text(json.dumps(content), encoding="utf-8")


def gate(assay: Any, cand: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Compare ``base.json`` with a candidate and check that there is no traceback."""
    write_run(assay, "base.json", BASE)
    done: subprocess.CompletedProcess[str] = assay.run(
        "compare", "--base", "base.json", "--cand", cand, *words
    )
    assert "Traceback" not in done.stderr
    return done


def test_as_good_or_better_is_zero(assay: Any):
    """Equal and better scores give exit code 0."""
    write_run(assay, "same.json", BASE)
    write_run(assay, "better.json", {**BASE, "q2": 1.0})
    assert gate(assay, "same.json").returncode == 0
    assert gate(assay, "base.json").returncode == 0
    done = gate(assay, "better.json", "--min-delta", "0.1")
    assert done.returncode == 0
    assert done.stdout.startswith("gate passed\n")


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ({**BASE, "q1": 0.0}, ()),
        ({**BASE, "q1": 0.9, "q2": 1.0}, ()),
        ({"q1": 1.0, "q2": 0.5}, ()),
        (BASE, ("--min-delta", "0.01")),
    ],
    ids=["the score fell", "one question fell", "one question is gone", "too small a rise"],
)
def test_worse_is_one(assay: Any, scores: dict[str, float], words: tuple[str, ...]):
    """A lower score or a regressed question alone gives exit code 1."""
    write_run(assay, "cand.json", scores)
    done = gate(assay, "cand.json", *words)
    assert done.returncode == 1
    assert done.stdout.startswith("gate failed: ")


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        ({"pdf_sha256": "zz"}, "pdf_sha256 differs: base a1, candidate zz"),
        ({"questions_sha256": "zz"}, "questions_sha256 differs: base b2, candidate zz"),
        ({"state": "running"}, "did not finish"),
        ({"state": "partial", "counts": {"not_asked": 2}}, "2 cases without an outcome"),
        ({"state": "partial", "counts": {"failed": 2, "not_asked": 0}}, "2 cases failed"),
    ],
)
def test_incompatible_is_two(assay: Any, summary: dict[str, Any], words: str):
    """Incompatible runs give exit code 2, even if the scores are worse."""
    write_run(assay, "cand.json", dict.fromkeys(BASE, 0.0), **summary)
    done = gate(assay, "cand.json")
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stdout == ""


def test_files_that_are_no_results_are_two(assay: Any):
    """Missing, damaged or unsuitable files give exit code 2."""
    (assay.folder / "broken.json").write_text('{"results": [')
    (assay.folder / "else.json").write_text('{"name": "package"}')
    write_run(assay, "others.json", {"p1": 1.0})
    for name, words in {
        "absent.json": "no such file",
        "broken.json": "not JSON",
        "else.json": "not a results file",
        "others.json": "no question in common",
    }.items():
        done = gate(assay, name)
        assert done.returncode == 2
        assert words in done.stderr


@pytest.mark.parametrize("option", ["--allow-mismatch", "--no-strict-hashes"])
def test_hashes_may_differ_where_the_user_says_so(assay: Any, option: str):
    """With the option, in its present and its earlier spelling, the scores decide."""
    write_run(assay, "cand.json", dict.fromkeys(BASE, 0.0), pdf_sha256="zz")
    assert gate(assay, "cand.json").returncode == 2
    assert gate(assay, "cand.json", option).returncode == 1


def ablate(assay: Any, name: str, *words: str) -> int:
    """Ask the harbour questions with the results in the folder ``name``."""
    done = assay.run("ablate", "-e", "berths", "--no-report", "--out", name, *words)
    code: int = done.returncode
    return code


@pytest.mark.parametrize("error", ["ConnectionError", "RuntimeError"])
def test_a_provider_that_is_down_is_two_never_one(assay: Any, error: str):
    """A candidate run that stopped or failed gives exit code 2."""
    assay.write_harbour(questions=8)
    assert ablate(assay, "base") == 0
    down = assay.write_system("down", FAILING.format(error=error))
    assert ablate(assay, "cand", "--system", down, "--retries", "0") != 0
    files = ("--base", "base/berths.jsonl", "--cand", "cand/berths.jsonl", "--variant", "lookup_on")
    done = assay.run("compare", *files)
    assert done.returncode == 2
    assert "cases failed, 0 allowed (--max-failed)" in done.stderr
    assert "nothing answers" in done.stderr
    assert assay.run("compare", *files, "--max-failed", "100").returncode == 2


def test_ablation_runs_are_compared_variant_by_variant(assay: Any):
    """The gate names the question that a code change broke, and compares variants of a run."""
    assay.write_harbour(questions=14)
    assert ablate(assay, "base") == 0
    assert ablate(assay, "cand", "--system", assay.write_system("forgetful", FORGETFUL)) == 0
    files = ("--base", "base/berths.jsonl", "--cand", "cand/berths.json")
    done = assay.run("compare", *files, "--variant", "lookup_on", "--format", "json")
    told = json.loads(done.stdout)
    assert done.returncode == 1
    assert [item["id"] for item in told["changed"]] == ["berth-002"]
    assert [item["id"] for item in told["not_compared"]] == ["berth-013"]
    assert assay.run("compare", *files).returncode == 2
    within = ("--base", "base/berths.jsonl", "--cand", "base/berths.jsonl")
    chosen = ("--variant", "lookup_off", "--base-variant", "lookup_on")
    assert assay.run("compare", *within, *chosen).returncode == 1
    assert assay.run("compare", *within, *chosen, "--require-significant").returncode == 1


def test_reviews_are_compared_unless_they_were_judged_otherwise(assay: Any):
    """Variants of a review can be compared, but not runs with different thresholds."""
    words = ("review", "--sample", "--limit=4", "--no-report")
    assert assay.run(*words, "--out=base").returncode == 0
    assert assay.run(*words, "--out=cand", "--threshold=0.6").returncode == 0
    base, cand = "--base=base/review_sample.json", "--cand=cand/review_sample.json"
    same = ("--cand=base/review_sample.json", "--base-variant=full")
    assert assay.run("compare", base, *same, "--variant=full").returncode == 0
    bare = ("--variant=raw_prompt", "--metric=task_success_rate")
    worse = assay.run("compare", base, *same, *bare)
    assert worse.returncode == 1
    assert "task_success_rate became worse" in worse.stdout
    done = assay.run("compare", base, cand, "--variant=full")
    assert done.returncode == 2
    assert "threshold differs: base 0.5, candidate 0.6" in done.stderr


def test_text_is_printed_whatever_the_encoding(assay: Any):
    """With an ASCII terminal the output is escaped and the exit code is unchanged."""
    write_run(assay, "cand.json", {**BASE, "q2": 1.0})
    assay.environment["PYTHONIOENCODING"] = "ascii"
    done = gate(assay, "cand.json")
    assert done.returncode == 0
    assert "0.5000 \\u2192 1.0000" in done.stdout


def test_a_reader_that_leaves_changes_no_verdict(assay: Any):
    """A closed pipe does not change the exit code."""
    write_run(assay, "base.json", BASE)
    write_run(assay, "cand.json", BASE)
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [assay.program, "compare", "--base", "base.json", "--cand", "cand.json"],
            cwd=assay.folder, env=assay.environment, stdout=writing, stderr=subprocess.PIPE,
            timeout=60, check=False,
        )  # fmt: skip
    finally:
        os.close(writing)
    assert done.returncode == 0
    assert done.stderr == b""


def test_the_page_tells_options_and_jobs_that_are_there(assay: Any):
    """The YAML is valid, and every option in it exists."""
    page = (REPOSITORY / "docs/gate.md").read_text(encoding="utf-8")
    jobs = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)]
    assert len(jobs) >= 2
    known = assay.run("compare", "--help").stdout
    commands = re.findall(r"assay compare((?:[^\n`]|(?<=\\)\n)*)", page)
    options = {option for words in commands for option in re.findall(r"--[a-z-]+", words)}
    assert {"--base", "--cand", "--format", "--out"} <= options
    assert [option for option in sorted(options) if option not in known] == []
