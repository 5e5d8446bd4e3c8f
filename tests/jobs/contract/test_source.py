"""What a review runs on: nothing of the sample unless ``--sample`` says so."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.jobs.contract import liar
from tests.jobs.contract.liar import CLAUSES, LAWS, LIAR
from tests.support.program import Program, program

PENALTY = {"id": "p", "text": "If the Buyer pays late, the Buyer pays a penalty of 5% a day.",
           "ground_truth": {"risk_level": "high"}}  # fmt: skip


@pytest.fixture(name="assay")
def _assay(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Program:
    monkeypatch.chdir(tmp_path)
    liar.asked.clear()
    return program(capsys)


def write_clauses(*clauses: dict[str, Any]) -> None:
    """Write the clauses of a user."""
    lines = [json.dumps(clause, ensure_ascii=False) for clause in clauses or CLAUSES]
    Path("mine.jsonl").write_text("\n".join(lines), encoding="utf-8")


def recorded(name: str = "review") -> list[dict[str, Any]]:
    """The rows of a run."""
    text = Path(f"experiments/{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_a_system_of_the_user_is_asked_once_for_each_clause(assay: Program):
    """The variants of the reviewer that comes with assay mean nothing to another system."""
    write_clauses()
    ran = assay("review", "--data", "mine.jsonl", "--system", LIAR, "--no-report")
    assert ran.code == 0, ran.err
    assert len(liar.asked) == len(CLAUSES)
    assert {row["config"] for row in recorded()} == {"review"}
    assert "without_rules" not in ran.out


def test_a_default_system_of_the_user_is_asked_once_too(assay: Program):
    """It makes no difference whether the system is named on the command line or in the file."""
    write_clauses()
    Path("experiments").mkdir()
    Path("experiments/experiments.yaml").write_text(f"defaults:\n  system: {LIAR}\n")
    assert assay("review", "--data", "mine.jsonl", "--no-report").code == 0
    assert len(liar.asked) == len(CLAUSES)


def test_variants_that_the_user_wrote_are_all_asked(assay: Program):
    """The user's own experiment says how often a clause is asked."""
    write_clauses()
    Path("review.yaml").write_text(liar.CONFIG)
    words = ("review", "--data", "mine.jsonl", "--config", "review.yaml", "--no-report")
    assert assay(*words).code == 0
    assert len(liar.asked) == 2 * len(CLAUSES)


def test_clauses_of_the_user_are_not_compared_with_the_sample(assay: Program):
    """No rule and no law of the sample is applied, and the run says that it cannot check laws."""
    write_clauses(PENALTY)
    ran = assay("review", "--data", "mine.jsonl", "--no-report")
    assert ran.code == 0, ran.err
    assert "so cited laws cannot be checked" in ran.out
    assert "rules       none (--rules)" in ran.out
    for row in recorded():
        assert row["judged_by"]["laws"] is None
        assert row["passages"] == []
        assert row["extra"]["rules"] == []
        assert [citation["finding"] for citation in row["citations"]] in ([], [None])


def test_a_reviewer_without_rules_has_none_to_leave_out(assay: Program):
    """Only the variants that can differ are compared."""
    write_clauses(PENALTY)
    assay("review", "--data", "mine.jsonl", "--no-report")
    variants = {row["config"] for row in recorded()}
    assert variants == {"full", "without_reflection", "basic_prompt", "raw_prompt"}


@pytest.mark.parametrize("name", ["rules_enabled", "law_lookup_enabled"])
def test_switching_off_rules_that_do_not_exist_is_refused(assay: Program, name: str):
    """Such a variant would only seem to differ."""
    write_clauses(PENALTY)
    Path("review.yaml").write_text(
        f"experiments:\n  - {{name: mine, ablation_variable: {name}, values: [true, false]}}\n"
    )
    ran = assay("review", "--data", "mine.jsonl", "--config", "review.yaml")
    assert ran.code == 2
    assert f"{name} has no effect: the reviewer has no rules" in ran.err


def test_a_configured_reviewer_without_rules_has_none_either(assay: Program):
    """``kind: reviewer`` alone is no way to the sample."""
    write_clauses(PENALTY)
    Path("review.yaml").write_text(
        "systems:\n  clerk: {kind: reviewer}\n"
        "experiments:\n  - {name: mine, system: clerk, "
        "ablation_variable: reflection_enabled, values: [true, false]}\n"
    )
    ran = assay("review", "--data", "mine.jsonl", "--config", "review.yaml", "--no-report")
    assert ran.code == 0, ran.err
    assert "system      reviewer:no rules::extractive" in ran.out.splitlines()
    assert recorded("mine")[0]["extra"]["rules"] == []


def test_laws_of_the_user_are_checked(assay: Program):
    """Citations are compared with the file that the user names."""
    write_clauses()
    Path("laws.jsonl").write_text("\n".join(map(json.dumps, LAWS)))
    words = ("review", "--data", "mine.jsonl", "--system", LIAR, "--laws", "laws.jsonl")
    ran = assay(*words, "--no-report")
    assert "laws        1 article" in ran.out.splitlines()
    assert recorded()[0]["citations"][0]["finding"] == "valid"


def test_the_sample_has_its_rules_and_laws(assay: Program):
    """With ``--sample`` the reviewer that comes with assay is tested with all its parts."""
    ran = assay("review", "--sample", "--limit", 2, "--no-report")
    assert ran.code == 0, ran.err
    rows = recorded("review_sample")
    assert len({row["config"] for row in rows}) == 6
    assert all(row["judged_by"]["laws"] for row in rows)


@pytest.mark.parametrize(
    "words",
    [
        ("review",),
        ("bench",),
        ("depth",),
        ("depth", "--system", LIAR),
        ("quality",),
        ("ablate",),
        ("ablate", "-e", "hyde_ablation"),
    ],
)
def test_no_command_falls_back_to_the_samples(assay: Program, words: tuple[str, ...]):
    """Without data every command stops before anything is asked or written."""
    ran = assay(*words)
    assert ran.code == 2, ran.out
    assert not Path("experiments").exists()
    assert liar.asked == []
