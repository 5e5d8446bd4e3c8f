"""``assay ablate --stop-early`` from configuration to report and gate."""

import json
from typing import Any

EXPERIMENTS = """\
experiments:
  - name: alpha
    ablation_variable: alpha_enabled
    compare_to: alpha_off
    values: [false, true]
    early_stop: {level: 0.05, margin: 0.1}
"""
SYSTEM = """
SETTINGS = {"alpha_enabled": bool}

def ask(question, settings):
    number = int(question.split()[1])
    found = number % 5 == 0 or (settings["alpha_enabled"] and number % 3 > 0)
    return {"answer": "So it is [1].", "passages": ["c0"] if found else ["other"]}
"""


def test_an_experiment_stops_when_it_is_decided_and_says_so_everywhere(assay: Any):
    """Report, list and gate speak of the decision, and none of them prints a p-value."""
    assay.write_harbour(system=assay.write_system("ten", SYSTEM), experiments=EXPERIMENTS)
    lines = (
        {"id": f"n{n}", "question": f"Number {n} of all?", "gold_chunk_ids": ["c0"]}
        for n in range(120)
    )
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (assay.folder / "questions/questions.jsonl").write_text(text)
    done = assay.run("ablate", "-e", "alpha")
    assert done.returncode == 0, done.stderr
    assert "spared by early decisions" in done.stderr
    assert "alpha_on against alpha_off" in done.stdout
    assert "better, decided after" in done.stdout
    page = (assay.folder / "experiments/alpha.md").read_text(encoding="utf-8")
    assert "p = " not in page
    assert "p < " not in page
    summary = json.loads((assay.folder / "experiments/alpha.json").read_text())
    assert summary["state"] == "complete"
    assert summary["tally"]["spared"] > 50
    (effect,) = [e for e in summary["results"]["effects"] if e["metric"] == "avg_gold_coverage"]
    assert (effect["verdict"], effect["p_value"]) == ("better", None)
    assert effect["decision"]["questions"] == effect["n"]
    assert "complete" in assay.run("list").stdout
    gate = assay.run(
        "compare",
        *("--base", "experiments/alpha.jsonl", "--base-variant", "alpha_off"),
        *("--cand", "experiments/alpha.jsonl", "--variant", "alpha_on"),
    )
    assert gate.returncode == 0, gate.stderr
    assert "not tested" in gate.stdout
    assert "p = " not in gate.stdout


def test_a_metric_without_bounds_cannot_decide(assay: Any):
    """Latency and cost are refused before anything is asked."""
    assay.write_harbour(system=assay.write_system("ten", SYSTEM), experiments=EXPERIMENTS)
    refused = assay.run("ablate", "-e", "alpha", "--primary", "avg_latency_s")
    assert refused.returncode == 2
    assert "avg_latency_s cannot decide when to stop" in refused.stderr
