"""The scorers agree with verdicts given by hand (rules: tests/judged/legal/README.md)."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import pytest

from assay.jobs.legal.conflict_gap import conflict_gap_score
from assay.jobs.legal.evidence import evidence_set_score
from assay.jobs.legal.expectation import BenchAnswer, CitedPassage
from assay.jobs.legal.fact import fact_score
from assay.jobs.legal.question import QUESTION_KINDS, EvidenceQuestion, FactQuestion
from tests.support.path import JUDGED

DATA = JUDGED / "legal"
SAMPLES = files("assay.data.samples").joinpath("bench")


def table(name: str) -> list[dict[str, Any]]:
    """The rows of one table."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


@cache
def sample_questions() -> dict[str, Any]:
    """The questions of the sample benchmark by id."""
    questions = {}
    for language in ("zh", "ru", "en"):
        for file in SAMPLES.joinpath(language).iterdir():
            if file.name.endswith(".json"):
                content = json.loads(file.read_text(encoding="utf-8"))
                questions.update({question["id"]: question for question in content["questions"]})
    return questions


@cache
def pages(document: str) -> tuple[str, ...]:
    """The pages of a sample document."""
    return tuple(SAMPLES.joinpath(*document.split("/")).read_text(encoding="utf-8").split("\f"))


def verdict(row: dict[str, Any]) -> dict[str, Any]:
    """The verdict of the scorers on a row, with the field names of the table."""
    content = row.get("question") or sample_questions()[row["question_id"]]
    question = msgspec.convert(content, QUESTION_KINDS[row["question_type"]])
    citations = tuple(
        CitedPassage(page=citation.get("page"), text=citation.get("text"))
        for citation in row["answer"].get("citations", [])
    )
    answer = BenchAnswer(text=row["answer"]["answer"], citations=citations)
    document = pages(row["document"])
    if isinstance(question, FactQuestion):
        fact = fact_score(question, answer, document)
        return {
            "exact_match": fact.exact_match,
            "fields": {name: field.holds for name, field in fact.fields.items()},
            "citation_correct": fact.citation_correct,
            "score": fact.score,
        }
    if isinstance(question, EvidenceQuestion):
        evidence = evidence_set_score(question, answer, document)
        recall, precision = evidence.recall, evidence.precision
        return {
            "found": [index for index in evidence.found if index < len(question.required_evidence)],
            "recall": None if recall is None else round(recall, 4),
            "precision": None if precision is None else round(precision, 4),
            "recall_met": evidence.recall_met,
            "precision_met": evidence.precision_met,
            "citation_provided": evidence.citation_provided,
            "score": evidence.score,
        }
    gap = conflict_gap_score(question, answer, document)
    return {
        "abstained": gap.abstained,
        "correct_abstention": gap.correct_abstention,
        "hallucination": [invention.text for invention in gap.invented],
        "no_hallucination": gap.no_hallucination,
        "quote_included": gap.quote_included,
        "score": gap.score,
    }


@pytest.mark.parametrize(("name", "least"), [("judged.jsonl", 0.8), ("judged_unseen.jsonl", 0.6)])
def test_most_verdicts_are_those_of_the_judge(name: str, least: float) -> None:
    """The scorers give the verdicts of the tables, including the list of invented details."""
    rows = table(name)
    other = [row["id"] for row in rows if verdict(row) != row["judged"]]
    assert len(other) <= (1 - least) * len(rows), other
