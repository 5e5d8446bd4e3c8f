"""The scorers against answers judged by hand (tests/judged/legal/README.md has the rules)."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import pytest

from assay.data.legal.question import QUESTION_KINDS, EvidenceQuestion, FactQuestion
from assay.scorers.legal.answer import BenchAnswer, CitedPassage
from assay.scorers.legal.conflict_gap import conflict_gap_score
from assay.scorers.legal.evidence_set import evidence_set_score
from assay.scorers.legal.fact import fact_score
from tests.support.path import DOCS, JUDGED

DATA = JUDGED / "legal"
SAMPLES = files("assay.data.samples").joinpath("bench")


def table(name: str) -> list[dict[str, Any]]:
    """The rows of one table."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


@cache
def sample_questions() -> dict[str, Any]:
    """The questions of the sample benchmark by id."""
    found = {}
    for language in ("zh", "ru", "en"):
        for file in SAMPLES.joinpath(language).iterdir():
            if file.name.endswith(".json"):
                asked = json.loads(file.read_text(encoding="utf-8"))["questions"]
                found.update({question["id"]: question for question in asked})
    return found


@cache
def pages(document: str) -> tuple[str, ...]:
    """The pages of a sample document."""
    return tuple(SAMPLES.joinpath(*document.split("/")).read_text(encoding="utf-8").split("\f"))


def verdict(row: dict[str, Any]) -> dict[str, Any]:
    """What the scorers say of a row, under the names the table uses."""
    asked = row.get("question") or sample_questions()[row["question_id"]]
    question = msgspec.convert(asked, QUESTION_KINDS[row["question_type"]])
    given = row["answer"].get("citations", [])
    cited = tuple(CitedPassage(page=one.get("page"), text=one.get("text")) for one in given)
    answer = BenchAnswer(text=row["answer"]["answer"], citations=cited)
    document = pages(row["document"])
    if isinstance(question, FactQuestion):
        fact = fact_score(question, answer, document)
        return {
            "exact_match": fact.exact_match,
            "fields": {name: one.holds for name, one in fact.fields.items()},
            "citation_correct": fact.citation_correct,
            "score": fact.score,
        }
    if isinstance(question, EvidenceQuestion):
        found = evidence_set_score(question, answer, document)
        return {
            "found": list(found.found),
            "recall": None if found.recall is None else round(found.recall, 4),
            "precision": None if found.precision is None else round(found.precision, 4),
            "recall_met": found.recall_met,
            "precision_met": found.precision_met,
            "citation_provided": found.citation_provided,
            "score": found.score,
        }
    gap = conflict_gap_score(question, answer, document)
    return {
        "abstained": gap.abstained,
        "correct_abstention": gap.correct_abstention,
        "hallucination": [one.text for one in gap.invented],
        "no_hallucination": gap.no_hallucination,
        "quote_included": gap.quote_included,
        "score": gap.score,
    }


@pytest.mark.parametrize("row", table("judged.jsonl"), ids=lambda row: row["id"])
def test_agrees_with_the_judge(row: dict[str, Any]) -> None:
    """Every verdict of the table, down to the invented pieces, is the scorers' too."""
    assert verdict(row) == row["judged"]


def test_agreement_on_the_unseen_table_is_what_the_docs_report() -> None:
    """The page gives the agreement on the table nobody tuned on as it is, good or bad."""
    rows = table("judged_unseen.jsonl")
    agreed = sum(verdict(row) == row["judged"] for row in rows)
    page = DOCS / "bench.md"
    assert f"**{agreed} of {len(rows)}**" in page.read_text(encoding="utf-8")
