"""A review whose quotations are checked by a model: the seed's rate, and the rate after the rules."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.jobs.contract.liar import write_lease
from tests.support.json_server import JsonServer, Seen
from tests.support.program import Program, program


def sure(seen: Seen) -> Any:
    """A reranker that accepts everything."""
    count = len(seen.json["documents"])
    return {"results": [{"index": index, "relevance_score": 0.9} for index in range(count)]}


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


@pytest.fixture(name="words")
def _words(tmp_path: Path) -> Iterator[list[str]]:
    words = write_lease(tmp_path)
    with JsonServer(sure) as server:
        config = tmp_path / "review.yaml"
        models = f"models:\n  judge: {{model: m, base_url: {server.url!r}, api_key_env: null}}\n"
        config.write_text(models + config.read_text())
        yield [*words, "--verifier", "rerank:judge"]


def results(root: Path) -> Any:
    """The variants of the summary."""
    summary = json.loads((root / "experiments/lease.json").read_text(encoding="utf-8"))
    return summary["results"]["variants"]


def test_the_rate_after_the_veto_is_beside_the_rate_of_the_model(
    assay: Program, words: list[str], tmp_path: Path
):
    """The model accepts a changed number and a changed word: the seed's rate is 0, both are listed."""
    assert assay(*words).code == 0
    lying = results(tmp_path)["honest_off"]
    assert lying["clause_hallucination_rate"] == 0
    assert lying["clause_vetoed"] == 2
    assert lying["clause_hallucination_rate_after_veto"] == pytest.approx(2 / 4)
    listed = {each["question_id"]: each["veto"] for each in lying["verifier_disagreements"]}
    assert listed == {
        "penalty": ["number changed: 5 -> 9"],
        "end": ["word changed: time -> moment"],
    }
    assert results(tmp_path)["honest_on"]["clause_vetoed"] == 0
    report = (tmp_path / "experiments/lease.md").read_text(encoding="utf-8")
    assert "Quotations that the model accepts and the rules refuse" in report


def test_another_threshold_keeps_the_veto(assay: Program, words: list[str], tmp_path: Path):
    """Scoring again by a higher threshold refuses all, so the rules refuse nothing more."""
    assert assay(*words, "--no-report").code == 0
    assert assay(*words, "--no-report", "--threshold", "0.95").code == 0
    lying = results(tmp_path)["honest_off"]
    assert lying["clause_hallucination_rate"] == 1
    assert lying["clause_vetoed"] == 0


def test_without_a_model_there_is_no_veto(assay: Program, words: list[str], tmp_path: Path):
    """The default verifier applies the rules itself, and its summary has no second rate."""
    assert assay(*words[:-2], "--no-report").code == 0
    lying = results(tmp_path)["honest_off"]
    assert "clause_hallucination_rate_after_veto" not in lying
    assert lying["clause_hallucination_rate"] > 0
