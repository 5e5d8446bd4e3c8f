"""``assay review``: options, exit codes and output."""

import json
from pathlib import Path

import pytest

from tests.jobs.contract import liar
from tests.jobs.contract.liar import write_lease
from tests.support.program import Program, program


@pytest.fixture(name="assay")
def _assay(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Program:
    monkeypatch.chdir(tmp_path)
    liar.asked.clear()
    return program(capsys)


@pytest.fixture(name="words")
def _words(tmp_path: Path) -> list[str]:
    return write_lease(tmp_path)


def test_a_review_ends_with_a_table_findings_and_paths(
    assay: Program, words: list[str], tmp_path: Path
):
    """A run prints metrics, findings and paths, and writes the report with its charts."""
    ran = assay(*words)
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[1] == "review      lease: Does honesty help?"
    for title in ("Weighted accuracy", "Linear weighted kappa", "Hallucination rate", "unparsed"):
        assert all(word in ran.out for word in title.split()), title  # a title may be wrapped
    assert any(line.startswith("- honest_off against honest_on: ") for line in lines)
    for name in ("rows", "summary", "report", "charts"):
        (line,) = (line for line in lines if line.startswith(f"{name} "))
        assert Path(line.split(None, 1)[1]).exists()
    charts = {path.name for path in (tmp_path / "experiments/lease/charts").iterdir()}
    assert {"confusion-honest_on.png", "confusion-honest_off.png"} <= charts
    assert {"bar-linear_weighted_kappa.png", "bar-hallucination_rate.png"} <= charts
    page = (tmp_path / "experiments/lease.md").read_text(encoding="utf-8")
    for head in ("### The whole set", "### By level of risk", "### Confusion", "## What changed"):
        assert head in page
    assert (
        "Clause hallucination rate (clause_hallucination_rate), by the threshold of verification"
        in page
    )
    assert "None" not in page
    for chart in charts:
        assert f"lease/charts/{chart}" in page


def test_charts_come_in_another_format(assay: Program, words: list[str], tmp_path: Path):
    """``assay report --charts`` draws the confusion matrices in the chosen format."""
    assay(*words, "--no-report")
    assert assay("report", "lease", "--charts", "svg").code == 0
    assert (tmp_path / "experiments/lease/charts/confusion-honest_off.svg").stat().st_size


@pytest.mark.parametrize(("lang", "title"), [("zh", "高风险 F2"), ("ru", "F2 высокого риска")])
def test_tables_in_another_language(assay: Program, words: list[str], lang: str, title: str):
    """The metrics of a review have Chinese and Russian names."""
    assay(*words, "--no-report")
    ran = assay("report", "lease", "--charts", "none", "--lang", lang)
    assert all(word in ran.out for word in title.split())  # a title may be wrapped
    assert "Macro" not in ran.out
    assert "Accuracy" not in ran.out


def test_one_flat_table_has_every_metric(assay: Program, words: list[str]):
    """CSV has the metrics of clauses and those of the whole set."""
    assay(*words, "--no-report")
    head = assay("report", "lease", "--format", "csv").out.splitlines()[0]
    for name in ("weighted_accuracy", "linear_weighted_kappa", "rule_precision", "scored"):
        assert f'"{name}"' in head


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "name a file of clauses with --data, or use --sample"),
        (["--data", "nowhere.jsonl"], "nowhere.jsonl: cannot be read"),
        (["--sample", "--data", "clauses.jsonl"], "give --data or --sample, not both"),
        (["--sample", "-e", "revew"], "did you mean 'review'?"),
        (["--sample", "--rules", "nowhere.yaml"], "nowhere.yaml: cannot be read"),
        (["--sample", "--laws", "nowhere.jsonl"], "nowhere.jsonl: no such file"),
        (["--sample", "--costs", "nowhere.yaml"], "nowhere.yaml: no such file"),
        (["--sample", "--verifier", "alinger"], "did you mean 'aligner'?"),
        (["--sample", "--verifier", "onnx:nowhere"], "nowhere: no such model folder"),
        (["--sample", "--verifier-embedder", "hash"], "did you mean 'hashed'?"),
        (["--sample", "--system", liar.LIAR, "--rules", "r.yaml"], "has its own"),
        (["--sample", "--config", "nowhere.yaml"], "nowhere.yaml: no such file"),
        (["--sample", "--lang", "xx"], "--lang xx: not one of"),
    ],
)
def test_wrong_use_is_one_line(assay: Program, options: list[str], message: str, tmp_path: Path):
    """Wrong use gives exit code 2 and one line, and writes nothing."""
    ran = assay("review", *options)
    assert ran.code == 2
    assert len(ran.err.strip().splitlines()) == 1
    assert message in ran.err
    assert not (tmp_path / "experiments").exists()


def test_a_setting_the_reviewer_does_not_know_is_refused(assay: Program, tmp_path: Path):
    """The message has the line of the variant and suggests the nearest setting."""
    (tmp_path / "review.yaml").write_text(
        "experiments:\n  - name: mine\n    variants:\n      - {name: a, rule_enabled: false}\n"
        "      - {name: b}\n"
    )
    ran = assay("review", "--sample", "--config", "review.yaml")
    assert ran.code == 2
    assert ran.err.startswith("assay: review.yaml:4: experiment 'mine'")
    assert "did you mean 'rules_enabled'?" in ran.err


def test_a_dry_run_asks_nothing(assay: Program, words: list[str], tmp_path: Path):
    """A dry run prints the number of cases and creates no results."""
    ran = assay(*words, "--dry-run")
    assert ran.code == 0
    assert "cases   10 (0 recorded, 10 to ask)" in ran.out
    assert not liar.asked
    assert not (tmp_path / "experiments").exists()


def test_a_dry_run_from_the_start_counts_what_is_recorded_as_to_ask(
    assay: Program, words: list[str]
):
    """With ``--resume fresh`` the estimate counts recorded cases as cases to ask."""
    assay(*words, "--no-report")
    assert "0 to ask)" in assay(*words, "--dry-run").out
    assert "(0 recorded, " in assay(*words, "--dry-run", "--resume=fresh").out


def test_a_note_of_the_rules_is_once(assay: Program, tmp_path: Path):
    """A rule without a level is named once, with what it means for the clauses."""
    rule = {"risk_id": "R9", "risk_name": "违约金过高", "keywords": ["违约金"]}
    clause = {"id": "c1", "contract_text": "乙方逾期付款的，支付违约金。", "expected_risks": []}
    (tmp_path / "rules.json").write_text(json.dumps([rule]), encoding="utf-8")
    (tmp_path / "clauses.json").write_text(json.dumps([clause]), encoding="utf-8")
    ran = assay("review", "--data", "clauses.json", "--rules", "rules.json", "--dry-run")
    assert ran.code == 0, ran.err
    assert (ran.out + ran.err).count("1 rule has no level; a clause in which only it is found") == 1


def test_a_review_has_the_name_that_is_given(assay: Program, words: list[str], tmp_path: Path):
    """As a plain run or a benchmark has; a file name that leaves its folder is refused."""
    ran = assay(*words, "--name", "mine", "--charts", "none")
    assert ran.code == 0, ran.err
    assert list(tmp_path.rglob("mine.jsonl"))
    assert assay(*words, "--name", "../mine").code == 2
