"""What judging adds to a row."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assay.jobs.bench.run_material import read_material, sample_path
from assay.jobs.bench.work_verdict import judged
from assay.scorers.bench_answer import BenchAnswer
from assay.scorers.bench_question import EvidenceQuestion, FactQuestion
from assay.scorers.evidence_set import evidence_set_score
from assay.scorers.fact import fact_score
from tests.jobs.bench.small import DOCUMENT, EVIDENCE, FACT

PAGES = DOCUMENT.split("\f")
TABLE = Path(__file__).parents[2] / "data" / "bench" / "judged.jsonl"


def test_the_two_stage_verifier_judges_as_the_aligner_does():
    """On the hand-judged answers, scores by ``verify_evidence`` are those the scorers give alone."""
    material = read_material(sample_path())
    known = {one.id: one.question for one in material.questions}
    shapes: dict[str, Any] = {"fact_exact": FactQuestion, "evidence_set": EvidenceQuestion}
    compared = 0
    for row in map(json.loads, TABLE.read_text(encoding="utf-8").splitlines()):
        shape = shapes.get(row["question_type"])
        if shape is None:
            continue
        question: Any = known.get(row.get("question_id", "")) or msgspec.convert(
            row["question"], shape
        )
        said = {"text": row["answer"]["answer"], "citations": row["answer"].get("citations", ())}
        answer = msgspec.convert(said, BenchAnswer)
        pages = material.documents[row["document"]].pages
        alone = fact_score if shape is FactQuestion else evidence_set_score
        assert judged(question, answer, pages)["score"] == alone(question, answer, pages).score
        compared += 1
    assert compared > 100


def test_a_wrong_fact_says_what_is_wrong():
    """The field that fails, the evidence no citation carries, and what is in no document."""
    question = msgspec.convert(FACT, FactQuestion)
    answer = BenchAnswer(text="It was £5,100.")
    found = judged(question, answer, PAGES, min_score=0.6)
    assert found["score"] == 0.0
    assert found["passed"] is False
    assert found["fields"] == {"amount_total": False}
    assert found["missing"] == ["“£4,200 in all” (page 1)"]
    assert [one["text"] for one in found["invented"]] == ["£5,100"]
    assert found["faults"][-1] == "nothing is cited"


def test_without_a_threshold_nothing_passes_or_fails():
    """``passed`` is undefined where the file sets no ``min_score``."""
    question = msgspec.convert(FACT, FactQuestion)
    assert judged(question, BenchAnswer(text="£4,200"), PAGES)["passed"] is None


def test_evidence_that_is_half_there():
    """Recall and precision are told, what is missing by its words, what is idle as a fault."""
    question = msgspec.convert(EVIDENCE, EvidenceQuestion)
    citations = [
        {"page": 1, "text": "Orla Finch sold the boat to Piers Lund."},
        {"page": 2, "text": "Who witnessed it I no longer remember."},
    ]
    answer = msgspec.convert({"text": "It was sold.", "citations": citations}, BenchAnswer)
    found = judged(question, answer, PAGES)
    assert found["terms"]["recall"] == 0.5
    assert found["terms"]["precision"] == 0.5
    assert found["score"] == pytest.approx(0.2)
    assert found["missing"] == ["“paid on 2 June 2031” (page 2)"]
    assert "carries nothing required" in found["faults"][0]
