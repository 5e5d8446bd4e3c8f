import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from assay.jobs.contract import handler
from tests.jobs.contract import liar
from tests.jobs.contract.liar import CLAUSES, write_lease
from tests.support.clock import stop_time
from tests.support.installed import install_package
from tests.support.program import Program, program


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    liar.asked.clear()
    return program(capsys)


@pytest.fixture(name="words")
def _words(tmp_path: Path) -> list[str]:
    return [*write_lease(tmp_path), "--no-report"]


def rows(root: Path, name: str = "lease") -> dict[tuple[str, str], dict[str, Any]]:
    """The last row of each variant and clause."""
    lines = (root / f"experiments/{name}.jsonl").read_text(encoding="utf-8").splitlines()
    read = map(json.loads, lines)
    return {(row["config"], row["question_id"]): row for row in read}


def variants(root: Path, name: str = "lease") -> Any:
    """The variants of the summary."""
    summary = json.loads((root / f"experiments/{name}.json").read_text(encoding="utf-8"))
    return summary["results"]["variants"]


def test_what_a_reviewer_says_is_judged_clause_by_clause(
    assay: Program, words: list[str], tmp_path: Path
):
    """Rows have the level, quotations, findings about laws, and task success computed by hand."""
    assert assay(*words).code == 0
    by_case = rows(tmp_path)
    honest, lying = by_case["honest_on", "penalty"], by_case["honest_off", "penalty"]
    assert honest["task_success"]
    assert honest["evidence"][0]["score"] == 1
    assert [citation["finding"] for citation in honest["citations"]] == ["valid"]
    assert not lying["task_success"]
    assert lying["level_correct"]
    assert lying["evidence"][0]["reasons"] == ["number changed: 5 -> 9"]
    findings = {
        name: by_case["honest_off", name]["citations"][0]["finding"]
        for name in ("penalty", "renewal", "keys")
    }
    assert findings == {
        "penalty": "law unknown",
        "renewal": "article unknown",
        "keys": "text not in article",
    }
    assert by_case["honest_off", "end"]["weighted_score"] == 0.4
    assert by_case["honest_on", "keys"]["task_success"], "a low verdict needs no quotation"
    for name in ("honest_on", "honest_off"):
        assert by_case[name, "garden"]["risk_level"] is None
        assert by_case[name, "garden"]["unread"]


def test_the_summary_has_the_metrics_by_their_names(
    assay: Program, words: list[str], tmp_path: Path
):
    """The metrics are those computed by hand, and every metric has its count ``n``."""
    assay(*words)
    on, off = variants(tmp_path)["honest_on"], variants(tmp_path)["honest_off"]
    assert on["accuracy"] == 0.8
    assert on["conf_matrix"] == [[2, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]]
    assert off["conf_matrix"] == [[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]]
    assert on["unparsed"] == off["unparsed"] == 1
    assert on["class_f1"] == {"High": 1, "Medium": 1, "Low": pytest.approx(2 / 3)}
    assert off["weighted_accuracy"] == pytest.approx((1 + 0.4 + 1 + 1 + 0) / 5)
    assert (off["clause_hallucination_rate"], off["law_hallucination_rate"]) == (2 / 4, 1)
    assert off["hallucination_rate"] == 5 / 7
    assert off["n"]["hallucination_rate"] == 7
    assert off["n"]["linear_weighted_kappa"] == off["kappa_clauses"] == 4
    # R3 is not expected for the clause about keys, and R9 for no clause;
    # the clause about the garden has no expected rules
    assert (off["rule_recall"], off["rule_precision"]) == (2 / 3, 2 / 4)
    assert on["task_success_rate"] == 0.8
    assert on["law_hallucination_rate"] == 0
    assert on["intervals"]["law_hallucination_rate"][1] > 0.5, "two citations are few"
    assert on["avg_latency"] == pytest.approx(on["avg_latency_s"])
    for name, count in on["n"].items():
        group, _, title = name.partition(".")
        assert count >= 0
        assert title in on[group] if title else group in on


def test_what_is_recorded_is_not_asked_again(assay: Program, words: list[str], tmp_path: Path):
    """A run that is resumed after two clauses asks every case only once."""
    assay(*words, "--limit", 2)
    assert len(liar.asked) == 4
    resumed = assay(*words)
    assert resumed.code == 0
    assert len(liar.asked) == 10
    assert "scored again" not in resumed.err
    again = assay(*words)
    assert "nothing was asked" in again.err
    assert len(liar.asked) == 10


def test_another_threshold_judges_without_asking(assay: Program, words: list[str], tmp_path: Path):
    """A reworded quotation is valid at 0.5 and invalid at 0.95, as the sweep says."""
    assay(*words)
    before = variants(tmp_path)["honest_off"]
    sweep = {point["threshold"]: point for point in before["threshold_sweep"]}
    assert sweep[0.5]["clause_hallucination_rate"] == before["clause_hallucination_rate"]
    strict = assay(*words, "--threshold", 0.95)
    assert len(liar.asked) == 10
    assert "10 recorded answers were judged, without asking again" in strict.err
    after = variants(tmp_path)["honest_off"]
    assert after["clause_hallucination_rate"] == 2 / 4
    assert after["clause_hallucination_rate"] == sweep[0.95]["clause_hallucination_rate"]
    assert after["hallucination_rate"] == sweep[0.95]["hallucination_rate"]
    row = rows(tmp_path)["honest_off", "end"]
    assert row["judged_by"]["threshold"] == 0.95
    assert row["clause_invalid"] == 1
    assay(*words)
    assert variants(tmp_path)["honest_off"] == before


def test_registered_scores_stay_in_replies_that_are_judged_again(
    assay: Program, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A score of another package is computed again with those of the job, and not lost."""
    source = (
        "from assay.checks.scorer import Scorer\n"
        "SCORER = Scorer(name='review_marks', title='M', title_zh='字', title_ru='зн', formula='f',\n"
        "    undefined='never', function=lambda subject: subject.row['judged_by']['threshold'])\n"
    )
    install_package(
        monkeypatch,
        tmp_path / "site",
        entry_points="[assay.scorers]\nreview_marks = review_scorer:SCORER\n",
        modules={"review_scorer": source},
    )
    assay(*words, "--threshold", 0.5)
    assert rows(tmp_path)["honest_off", "end"]["scores"]["review_marks"] == 0.5
    assay(*words, "--threshold", 0.95)
    assert rows(tmp_path)["honest_off", "end"]["scores"]["review_marks"] == 0.95
    assert len(liar.asked) == 10


def test_corrected_clauses_and_costs_judge_without_asking(
    assay: Program, words: list[str], tmp_path: Path
):
    """Corrected truths and other costs change the scores without new questions."""
    assay(*words)
    corrected = [
        {**clause, "expected_risks": []} if clause["id"] == "renewal" else clause
        for clause in CLAUSES
    ]
    write_lease(tmp_path, clauses=corrected)
    costs = {
        true: dict.fromkeys(("high", "medium", "low"), 0.25) for true in ("high", "medium", "low")
    }
    (tmp_path / "costs.yaml").write_text(yaml.safe_dump(costs))
    assert assay(*words, "--costs", tmp_path / "costs.yaml").code == 0
    assert len(liar.asked) == 10
    on = variants(tmp_path)["honest_on"]
    assert on["conf_matrix"] == [[2, 0, 0, 0], [0, 0, 0, 0], [0, 1, 1, 1]]
    assert on["weighted_accuracy"] == pytest.approx(0.25 * 4 / 5)


def test_other_laws_are_checked_again(assay: Program, words: list[str], tmp_path: Path):
    """If a law is added, its citation becomes valid without a new question."""
    assay(*words)
    added = {"name": "Moon Act", "article": 1, "text": "Tides are free."}
    with (tmp_path / "laws.jsonl").open("a") as file:
        file.write(json.dumps(added) + "\n")
    assay(*words)
    assert len(liar.asked) == 10
    assert rows(tmp_path)["honest_off", "penalty"]["citations"][0]["finding"] == "valid"
    assert variants(tmp_path)["honest_off"]["law_hallucination_rate"] == pytest.approx(2 / 3)


def test_scores_are_made_again_from_the_rows_alone(
    assay: Program, words: list[str], tmp_path: Path
):
    """``assay score`` computes the recorded scores again and asks no question."""
    assay(*words)
    ran = assay("score", "lease", "--root", tmp_path)
    assert ran.code == 0
    assert "no score changed" in ran.out
    assert len(liar.asked) == 10


def test_a_quotation_that_was_not_read_before_is_checked(
    assay: Program, words: list[str], tmp_path: Path
):
    """A quotation without a recorded check is checked by the default verifier."""
    assay(*words)
    journal = tmp_path / "experiments/lease.jsonl"
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    before = [line["evidence"] for line in lines]
    journal.write_text("".join(json.dumps({**line, "evidence": []}) + "\n" for line in lines))
    assay("score", "lease", "--root", tmp_path, "--in-place")
    after = [json.loads(line)["evidence"] for line in journal.read_text().splitlines()]
    assert after == before
    assert any(before)


def test_citations_are_not_judged_without_laws(assay: Program, words: list[str], tmp_path: Path):
    """Without laws the rate of invented laws is undefined, and the run says so at the start."""
    index = words.index("--laws")
    ran = assay(*words[:index], *words[index + 2 :])
    assert "cited laws cannot be checked" in ran.out
    off = variants(tmp_path)["honest_off"]
    assert off["law_hallucination_rate"] is None
    assert off["n"]["law_hallucination_rate"] == 0
    assert "law_hallucination_rate" not in off["intervals"]


def test_checking_is_not_the_reviewers_time(
    assay: Program, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A verifier that takes ten seconds adds nothing to the latency and misses no deadline."""
    clock = stop_time(monkeypatch)
    check_reply = handler.check_reply

    async def check_slowly(*args: Any) -> Any:
        clock.wait(10.0)
        return await check_reply(*args)

    monkeypatch.setattr(handler, "check_reply", check_slowly)
    assert assay(*words, "--concurrency", 1, "--timeout", 5).code == 0
    assert {row["elapsed_s"] for row in rows(tmp_path).values()} == {0.0}
