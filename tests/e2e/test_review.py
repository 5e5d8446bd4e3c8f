"""Reviews on the command line: the offline sample, and a model server."""

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sklearn.metrics import cohen_kappa_score, fbeta_score, precision_recall_fscore_support

from assay.jobs.contract.reviewer import SAMPLE
from tests.e2e.conftest import Command
from tests.support.model_client import KEY, VARIABLE
from tests.support.model_server import ModelServer

LEVELS = ["high", "medium", "low"]
WORTH = {
    ("high", "high"): 1.0, ("high", "medium"): 0.4, ("high", "low"): 0.0,
    ("medium", "high"): 0.8, ("medium", "medium"): 1.0, ("medium", "low"): 0.4,
    ("low", "high"): 0.5, ("low", "medium"): 0.8, ("low", "low"): 1.0,
}  # fmt: skip


def recomputed(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The metrics of the rows of one variant, computed with scikit-learn and by counting."""
    true = [row["ground_truth"]["risk_level"] for row in rows]
    said = [row["risk_level"] or "unparsed" for row in rows]
    both = list(zip(true, said, strict=True))
    read = [(t, s) for t, s in both if s != "unparsed"]
    cells = Counter(both)
    precision, recall, f1, _ = precision_recall_fscore_support(
        true, said, labels=LEVELS, zero_division=float("nan")
    )
    quoted = [one["valid"] for row in rows for one in row["evidence"]]
    cited = [one["finding"] == "valid" for row in rows for one in row["citations"]]
    wanted = [(set(row["ground_truth"]["rules"]), set(row["extra"]["rules"])) for row in rows]
    named = [row for row in rows if "risk_id" in row["ground_truth"]]
    shared = sum(len(want & fired) for want, fired in wanted)
    return {
        "accuracy": mean(t == s for t, s in both),
        "weighted_accuracy": mean(WORTH.get(pair, 0.0) for pair in both),
        "linear_weighted_kappa": cohen_kappa_score(
            *zip(*read, strict=True), labels=LEVELS, weights="linear"
        ),
        "quadratic_weighted_kappa": cohen_kappa_score(
            *zip(*read, strict=True), labels=LEVELS, weights="quadratic"
        ),
        "high_risk_f2": fbeta_score(true, said, beta=2, labels=["high"], average="macro"),
        "macro_precision": sum(value for value in precision if not math.isnan(value)) / 3,
        "macro_precision_defined": mean(value for value in precision if not math.isnan(value)),
        "macro_recall": mean(recall),
        "macro_f1": mean(f1),
        "class_f1": dict(zip(("High", "Medium", "Low"), f1, strict=True)),
        "conf_matrix": [[cells[t, s] for s in (*LEVELS, "unparsed")] for t in LEVELS],
        "hallucination_rate": mean(not valid for valid in quoted + cited),
        "clause_hallucination_rate": mean(not valid for valid in quoted),
        "law_hallucination_rate": mean(not valid for valid in cited),
        "rule_recall": share(shared, sum(len(want) for want, _ in wanted)),
        "rule_precision": share(shared, sum(len(fired) for _, fired in wanted)),
        "risk_id_accuracy": mean(
            row["ground_truth"]["risk_id"] in row["extra"]["rules"] for row in named
        ),
        "parse_rate": mean(s != "unparsed" for s in said),
        "task_success_rate": mean(
            t == s
            and bool(row["has_suggestion"])
            and all(one["valid"] for one in row["evidence"])
            and all(one["finding"] == "valid" for one in row["citations"])
            for row, (t, s) in zip(rows, both, strict=True)
        ),
        "avg_latency": mean(row["elapsed_s"] for row in rows),
    }


def share(part: float, whole: float) -> float | None:
    """The quotient; ``None`` if the denominator is zero."""
    return part / whole if whole else None


def mean(values: Any) -> float | None:
    """The mean; ``None`` if there are no values."""
    known = list(values)
    return share(float(sum(known)), len(known))


def test_the_sample_is_reviewed_offline(assay: Command):
    """The sample runs without a key, and every metric equals its value computed from the rows."""
    assay.environment.pop(VARIABLE, None)
    ran = assay.run("review", "--sample")
    assert ran.returncode == 0, ran.stderr
    assert "468 scored, 0 failed, 0 skipped of 468" in ran.stderr
    assert "- without_rules against full: " in ran.stdout
    rows = assay.rows("experiments/review_sample.jsonl")
    summary = json.loads((assay.folder / "experiments/review_sample.json").read_text())
    variants = summary["results"]["variants"]
    assert list(variants) == [
        "full",
        "without_rules",
        "without_law_lookup",
        "without_reflection",
        "basic_prompt",
        "raw_prompt",
    ]
    for name, found in variants.items():
        own = [row for row in rows if row["config"] == name]
        assert len(own) == found["scored"] == 78
        expected = recomputed(own)
        assert found["conf_matrix"] == expected.pop("conf_matrix")
        for metric, value in expected.items():
            assert found[metric] == pytest.approx(value), (name, metric)
    assert variants["raw_prompt"]["unparsed"] == 29
    assert sum(row[3] for row in variants["raw_prompt"]["conf_matrix"]) == 29
    assert variants["full"]["clause_hallucination_rate"] == 0
    effects = {
        (effect["variant"], effect["metric"]): effect for effect in summary["results"]["effects"]
    }
    assert effects["without_rules", "weighted_accuracy"]["verdict"] == "worse"
    page = (assay.folder / "experiments/review_sample.md").read_text(encoding="utf-8")
    charts = list((assay.folder / "experiments/review_sample/charts").iterdir())
    assert sum(chart.name.startswith("confusion-") for chart in charts) == 6
    assert all(chart.name in page for chart in charts)

    again = assay.run("review", "--sample", "--no-report")
    assert "nothing was asked" in again.stderr
    assert assay.rows("experiments/review_sample.jsonl") == rows


def invent(body: dict[str, Any]) -> str:
    """A review of a model with one correct and one invented quotation."""
    del body
    return (
        "<think>high, surely</think>\n## Risk: termination\n- **Level**: high\n"
        "- **Evidence**:\n  - “The Landlord may end the lease at any time.”\n"
        "  - “The Tenant owes the Landlord a goat.”\n- **Laws**: Harbour Contracts Act, section 999\n"
        "- **Suggestion**: Make it mutual."
    )


def test_a_prompted_reviewer_is_asked_through_its_model(assay: Command, tmp_path: Path):
    """Invented quotations and laws are detected, and no call is made twice."""
    clauses = [
        {
            "id": f"c{number}",
            "text": f"Flat {number}. The Landlord may end the lease at any time.",
            "ground_truth": {"risk_level": "high", "risk_id": "R02", "rules": ["R02"]},
        }
        for number in range(3)
    ]
    (tmp_path / "clauses.json").write_text(json.dumps(clauses))
    with ModelServer(respond=invent, api_key=KEY) as server:
        (tmp_path / "review.yaml").write_text(
            "models:\n  judge:\n    model: m\n"
            f"    base_url: {server.base_url}\n    api_key_env: {VARIABLE}\n"
            "systems:\n  clerk: {kind: reviewer, generator: 'openai:judge'}\n"
            "experiments:\n  - name: prompted\n    system: clerk\n"
            "    ablation_variable: reflection_enabled\n"
        )
        assay.environment[VARIABLE] = KEY
        files = ("--rules", str(SAMPLE / "rules.yaml"), "--laws", str(SAMPLE / "laws.jsonl"))
        words = (
            "review",
            "--data",
            "clauses.json",
            "--config",
            "review.yaml",
            "--no-report",
            *files,
        )
        ran = assay.run(*words)
        assert ran.returncode == 0, ran.stderr
        # the variants share the draft; only one variant makes the second call
        assert server.completed.calls == 6
        assert assay.run(*words, "--threshold", "0.9").returncode == 0
        assert server.completed.calls == 6
    summary = json.loads((tmp_path / "experiments/prompted.json").read_text())
    for found in summary["results"]["variants"].values():
        assert found["accuracy"] == 1
        assert found["clause_hallucination_rate"] == 0.5
        assert found["law_hallucination_rate"] == 1
        assert found["hallucination_rate"] == pytest.approx(2 / 3)
        assert found["task_success_rate"] == 0
        assert found["bill"]["calls"] in {3, 6}
    (finding,) = {
        one["finding"]
        for row in assay.rows("experiments/prompted.jsonl")
        for one in row["citations"]
    }
    assert finding == "article unknown"
    assert KEY not in (tmp_path / "experiments/prompted.json").read_text()
