"""The legal benchmark on the command line: samples, problems, resuming, the gate."""

import json
from typing import Any

import pytest

from tests.jobs.legal.small import RIGHT, write_small

SYSTEM = """\
SAID = {said!r}

def ask(question):
    with open("asked", "a") as file:
        file.write(question + "\\n")
    said = SAID[question]
    return {{"answer": said["answer"], "extra": {{"citations": said["citations"]}}}}
"""


def write_rag(assay: Any, **changed: Any) -> str:
    """A system with correct replies except for those in ``changed``."""
    return str(assay.write_system("rag", SYSTEM.format(said={**RIGHT, **changed})))


@pytest.mark.slow
def test_the_samples_run_in_one_command(assay: Any):
    """``assay bench --sample`` asks all 81 questions offline and writes all results."""
    done = assay.run("bench", "--sample", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["counts"]["scored"] == 81
    assert 0 < summary["overall_percentage"] < 100
    assert set(summary["by_type"]) == {"fact_exact", "evidence_set", "conflict_gap"}
    report = assay.run("report", "bench-sample", "--charts=none", "--lang=ru")
    assert "По типам вопросов" in (assay.folder / "experiments/bench-sample.md").read_text()
    assert report.returncode == 0, report.stderr
    assert "no score changed" in assay.run("score", "bench-sample").stdout
    assert "bench-sample" in assay.run("list").stdout


def test_the_short_form_and_the_long(assay: Any):
    """The word run may be omitted, and recorded answers are not asked again."""
    write_small(assay.folder / "small")
    system = write_rag(assay)
    first = assay.run("bench", "small", f"--system={system}")
    assert first.returncode == 0, first.stderr
    assert "overall       100.0 %" in first.stdout
    assert (assay.folder / "experiments/bench-small.md").exists()
    again = assay.run("bench", "run", "small", f"--system={system}", "--no-report")
    assert "nothing was asked" in again.stderr
    assert len((assay.folder / "asked").read_text().splitlines()) == 3
    one = assay.run("bench", "--type=fact_exact", "small", f"--system={system}", "--out=out")
    assert "questions   1 of type fact_exact" in one.stdout
    assert (assay.folder / "out/bench-small-fact_exact.jsonl").exists()
    two = assay.run("bench", "small", "--limit=2", f"--system={system}", "--out=two", "--json")
    assert json.loads(two.stdout)["counts"]["scored"] == 2
    assert len((assay.folder / "two/bench-small.jsonl").read_text().splitlines()) == 2
    whole = assay.run("bench", "small", f"--system={system}", "--out=two", "--json")
    assert json.loads(whole.stdout)["counts"]["scored"] == 3
    fewer = assay.run("bench", "small", "--limit=1", f"--system={system}", "--out=two", "--json")
    assert json.loads(fewer.stdout)["counts"]["scored"] == 1
    assert "2 recorded rows are not part of this run" in fewer.stderr
    checked = assay.run("bench", "validate", "small")
    assert checked.returncode == 0
    assert "3 questions in 3 files: no problems" in checked.stdout


def test_a_bad_file_runs_nothing(assay: Any):
    """Every problem is listed with its location; nothing is asked, and the exit code is 2."""
    write_small(assay.folder / "small", expected={"amount_total": ["many"], "date": "soon"})
    done = assay.run("bench", "small", f"--system={write_rag(assay)}")
    assert done.returncode == 2
    assert "$.questions[0].expected.amount_total" in done.stderr
    assert "$.questions[0].expected.date" in done.stderr
    assert not (assay.folder / "asked").exists()
    assert not (assay.folder / "experiments").exists()
    for words in (["nowhere"], [], ["small", "--sample"], ["small", "--type=facts"]):
        assert assay.run("bench", "run", *words).returncode == 2, words


def test_corrected_gold_asks_nobody(assay: Any):
    """Recorded answers are scored again with the current benchmark files."""
    write_small(assay.folder / "small", expected={"amount_total": 9})
    system = write_rag(assay)
    before = json.loads(assay.run("bench", "small", f"--system={system}", "--json").stdout)
    write_small(assay.folder / "small")
    done = assay.run("bench", "small", f"--system={system}", "--json")
    assert json.loads(done.stdout)["overall_percentage"] == 100.0 > before["overall_percentage"]
    assert len((assay.folder / "asked").read_text().splitlines()) == 3


def test_a_run_of_an_earlier_version_goes_on(assay: Any):
    """What version 0.1.0 recorded is read and judged again, and nobody is asked."""
    write_small(assay.folder / "small")
    words = ("bench", "small", f"--system={write_rag(assay)}", "--no-report")
    assert assay.run(*words).returncode == 0
    path = assay.folder / "experiments/bench-small.json"
    summary = json.loads(path.read_text())
    stretches = [{**each, "assay_version": "0.1.0"} for each in summary["stretches"]]
    old = {"assay_version": "0.1.0", "stretches": stretches, "judging": "of another version"}
    path.write_text(json.dumps({**summary, **old}))
    assert "complete" in assay.run("list").stdout
    again = assay.run(*words)
    assert again.returncode == 0, again.stderr
    assert "all 3 cases were recorded earlier; nothing was asked" in again.stderr
    assert json.loads(path.read_text())["judging"] == summary["judging"]
    assert len((assay.folder / "asked").read_text().splitlines()) == 3


def test_the_gate_between_two_runs(assay: Any):
    """``assay compare`` detects that a system has begun to invent details."""
    write_small(assay.folder / "small")
    system = write_rag(assay)
    assert assay.run("bench", "small", f"--system={system}", "--name=base").returncode == 0
    invented = {"Who witnessed the sale?": {"answer": "Marcus Hale did.", "citations": []}}
    write_rag(assay, **invented)
    done = assay.run("bench", "small", f"--system={system}", "--name=cand")
    assert "does not abstain" in done.stdout
    assert "invented Marcus Hale" in done.stdout
    runs = ("--base=experiments/base.jsonl", "--cand=experiments/cand.jsonl")
    compared = assay.run("compare", *runs)
    assert compared.returncode == 1, compared.stderr
    assert "gap" in compared.stdout
