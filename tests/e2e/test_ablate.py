"""``assay ablate`` from configuration to report: repeatability, shared calls, effects."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from assay.jobs.corpus.new_workspace import create_workspace
from tests.support.harbour import LATENCY
from tests.support.model_client import KEY, PRICES, VARIABLE
from tests.support.model_server import ModelServer


def files(folder: Path) -> dict[str, bytes]:
    """The content of every file in a folder, by path."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_finished_experiment_run_again_changes_no_byte(assay: Any):
    """A second run makes no call and leaves all files with the same bytes."""
    assay.write_harbour(questions=20)
    words = ("ablate", "-e", "berths", "--root", str(assay.folder))
    assert assay.run(*words).returncode == 0
    before = files(assay.folder / "experiments")
    assert {"berths.jsonl", "berths.json", "berths.md"} < before.keys()
    assert sum(name.endswith(".png") for name in before) == 3
    assay.environment[LATENCY] = "3600"  # whoever is asked now does not answer
    again = assay.run(*words)
    assert again.returncode == 0
    assert "all 40 cases were recorded earlier; nothing was asked" in again.stderr
    assert files(assay.folder / "experiments") == before


FACTORIAL = """\
experiments:
  - name: both
    design: factorial
    components: [alpha_enabled, beta_enabled]
    top_k: 10
"""
TEN_CHUNKS = """
SETTINGS = {"alpha_enabled": bool, "beta_enabled": bool}

def ask(question, settings):
    number = int(question.split()[1])
    alpha, beta = settings["alpha_enabled"], settings["beta_enabled"]
    # beside each other they do more than both alone; alpha helps odd numbers more than even ones
    found = 2 + (4 if number % 2 else 2) * alpha + beta + 2 * (alpha and beta)
    return {"answer": "So it is [1].", "passages": [f"c{n}" for n in range(found)]}
"""


def test_a_factorial_finds_the_effects_that_were_built_in(assay: Any):
    """Summary and page have the known main effects of 4 and 2 chunks and an interaction of 2."""
    assay.write_harbour(system=assay.write_system("ten", TEN_CHUNKS), experiments=FACTORIAL)
    lines = (
        {
            "id": f"n{n}",
            "question": f"Number {n} of all?",
            "gold_chunk_ids": [f"c{i}" for i in range(10)],
        }
        for n in range(20)
    )
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (assay.folder / "questions/questions.jsonl").write_text(text)
    done = assay.run("ablate", "-e", "both")
    assert done.returncode == 0, done.stderr
    results = json.loads((assay.folder / "experiments/both.json").read_text())["results"]
    means = {name: one["avg_gold_coverage"] for name, one in results["variants"].items()}
    assert means == pytest.approx({"none": 0.2, "beta": 0.3, "alpha": 0.5, "alpha+beta": 0.8})
    effects = {
        one["variant"]: one
        for one in results["combined_effects"]
        if one["metric"] == "avg_gold_coverage"
    }
    sizes = {name: one["difference"] for name, one in effects.items()}
    assert sizes == pytest.approx(
        {"alpha_enabled": 0.4, "beta_enabled": 0.2, "alpha_enabled×beta_enabled": 0.2}
    )
    assert effects["alpha_enabled"]["verdict"] == "better"
    low, high = (effects["alpha_enabled"]["interval"][end] for end in ("low", "high"))
    assert 0.3 < low < 0.4 < high < 0.5
    page = (assay.folder / "experiments/both.md").read_text(encoding="utf-8")
    _, _, combined = page.partition("### Main effects and interactions")
    assert re.search(
        r"\| alpha_enabled×beta_enabled +\| Recall@\d+ +\| +20 \| +\+0\.200 ", combined
    )


ROLES = {
    "expand": "You rewrite questions",
    "hypothesise": "You write a short passage",
    "grade": "You judge how far",
    "answer": "You answer a question",
}


def role(body: dict[str, Any]) -> str:
    """The role of the generator in a request."""
    said = body["messages"][0]["content"]
    (found,) = (name for name, start in ROLES.items() if said.startswith(start))
    return found


def respond(body: dict[str, Any]) -> str:
    """A deterministic reply of a model for each role."""
    said, asked = (message["content"] for message in body["messages"])
    match role(body):
        case "expand":
            question = asked.splitlines()[1]
            return json.dumps([f"{question} {word}" for word in ("please", "exactly", "rule")])
        case "hypothesise":
            return f"The handbook says: {asked.splitlines()[1]}"
        case "grade":
            count = re.search(r"all (\d+) passage", said)
            assert count
            return json.dumps({str(n): n % 11 for n in range(1, int(count[1]) + 1)})
        case _:
            return "It is as the handbook says [1]."


def write_prompted(root: Path, base_url: str, questions: int) -> None:
    """A workspace with samples, a few English questions and a generator that calls a model."""
    create_workspace(root)
    path = root / "questions/questions.jsonl"
    english = [line for line in path.read_text(encoding="utf-8").splitlines() if line.isascii()]
    path.write_text("".join(f"{line}\n" for line in english[:questions]))
    configured = root / "experiments/experiments.yaml"
    configured.write_text(
        configured.read_text(encoding="utf-8").replace("  top_k: 10\n", "  system: prompted\n")
        + f"models:\n  house:\n    model: m\n    base_url: {base_url}\n"
        "    price: {prompt: 2.0, completion: 8.0}\n"
        "systems:\n  prompted: {kind: reference, generator: openai:house}\n",
        encoding="utf-8",
    )


def test_calls_that_variants_share_are_made_once(assay: Any):
    """Early stages make one call per question, no request is repeated, and costs add up."""
    count = 4
    assay.environment[VARIABLE] = KEY
    with ModelServer(respond=respond) as server:
        write_prompted(assay.folder / "w", server.base_url, count)
        words = ("ablate", "-e", "leave_one_out", "--root", "w")
        planned = assay.run(*words, "--dry-run")
        assert server.calls == []
        done = assay.run(*words)
        bill = server.billed(PRICES)
    assert done.returncode == 0, done.stderr
    made = Counter(role(call.body) for call in server.calls)
    assert made["expand"] == made["hypothesise"] == count
    assert set(Counter(call.key for call in server.calls).values()) == {1}

    rows = assay.rows("w/experiments/leave_one_out.jsonl")
    variants = ["full", *(f"without_{name}" for name in ("query_fusion", "hyde", "drift_filter"))]
    variants += ["without_rrf", "without_llm_rerank"]
    assert Counter(row["config"] for row in rows) == dict.fromkeys(variants, count)
    each = 4 + 3 + 3 + 4 + 4 + 3
    assert sum(row["usage"]["calls"] for row in rows) == each * count
    replayed = sum(row["usage"]["replayed_calls"] for row in rows)
    assert replayed == each * count - len(server.calls)
    assert replayed >= 2 * 4 * count
    assert sum(row["paid"] for row in rows) == pytest.approx(bill, rel=1e-9)
    told = re.search(r"(\d+) distinct model calls at most \((\d+) without", planned.stdout)
    assert told
    assert len(server.calls) <= int(told[1]) < int(told[2]) == each * count

    bills = {
        name: one["bill"]
        for name, one in json.loads(
            (assay.folder / "w/experiments/leave_one_out.json").read_text()
        )["results"]["variants"].items()
    }
    page = (assay.folder / "w/experiments/leave_one_out.md").read_text(encoding="utf-8")
    _, _, table = page.partition("### Calls and cost")
    for name in variants:
        costs = [row["cost"] for row in rows if row["config"] == name]
        assert bills[name]["cost"] == pytest.approx(sum(costs))
        (line,) = re.findall(rf"(?m)^\| {name} .*$", table)
        assert f"{sum(costs):.6f}" in line
    assert bills["without_hyde"]["calls"] == 3 * count
    assert bills["without_hyde"]["cost"] < bills["full"]["cost"]
    assert sum(one["paid"] for one in bills.values()) == pytest.approx(bill, rel=1e-9)
    assert re.search(r"without_llm_rerank against full: .*; costs 0\.\d × as much", done.stdout)
    assert "Some calls were replayed from the cache" in page
    assert KEY.encode() not in b"".join(files(assay.folder).values())
