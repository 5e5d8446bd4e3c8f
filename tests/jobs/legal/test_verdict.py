"""What judging adds to a row."""

import msgspec
import pytest

from assay.data.legal.question import EvidenceQuestion, FactQuestion
from assay.jobs.legal.verdict import verdict_fields
from assay.scorers.legal.answer import BenchAnswer
from tests.jobs.legal.small import DOCUMENT, EVIDENCE, FACT

PAGES = DOCUMENT.split("\f")


def test_a_wrong_fact_says_what_is_wrong():
    """The field that fails, the evidence no citation carries, and what is in no document."""
    question = msgspec.convert(FACT, FactQuestion)
    answer = BenchAnswer(text="It was £5,100.")
    found = verdict_fields(question, answer, PAGES, min_score=0.6)
    assert found["score"] == 0.0
    assert found["passed"] is False
    assert found["fields"] == {"amount_total": False}
    assert found["missing"] == ["“£4,200 in all” (page 1)"]
    assert [one["text"] for one in found["invented"]] == ["£5,100"]
    assert found["faults"][-1] == "nothing is cited"


def test_without_a_threshold_nothing_passes_or_fails():
    """``passed`` is undefined where the file sets no ``min_score``."""
    question = msgspec.convert(FACT, FactQuestion)
    assert verdict_fields(question, BenchAnswer(text="£4,200"), PAGES)["passed"] is None


def test_evidence_that_is_half_there():
    """Recall and precision are told, what is missing by its words, what is idle as a fault."""
    question = msgspec.convert(EVIDENCE, EvidenceQuestion)
    citations = [
        {"page": 1, "text": "Orla Finch sold the boat to Piers Lund."},
        {"page": 2, "text": "Who witnessed it I no longer remember."},
    ]
    answer = msgspec.convert({"text": "It was sold.", "citations": citations}, BenchAnswer)
    found = verdict_fields(question, answer, PAGES)
    assert found["terms"]["recall"] == 0.5
    assert found["terms"]["precision"] == 0.5
    assert found["score"] == pytest.approx(0.2)
    assert found["missing"] == ["“paid on 2 June 2031” (page 2)"]
    assert "carries nothing required" in found["faults"][0]
