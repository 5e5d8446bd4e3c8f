"""The fields that scoring adds to a row."""

import msgspec
import pytest

from assay.jobs.legal.expectation import BenchAnswer
from assay.jobs.legal.question import EvidenceQuestion, FactQuestion
from assay.jobs.legal.score import verdict_fields
from tests.jobs.legal.small import DOCUMENT, EVIDENCE, FACT

PAGES = DOCUMENT.split("\f")


def test_a_wrong_fact_says_what_is_wrong():
    """A row names the wrong field, the evidence that is not cited, and the invented amount."""
    question = msgspec.convert(FACT, FactQuestion)
    answer = BenchAnswer(text="It was £5,100.")
    fields = verdict_fields(question, answer, PAGES, min_score=0.6)
    assert fields["score"] == 0.0
    assert fields["passed"] is False
    assert fields["fields"] == {"amount_total": False}
    assert fields["missing"] == ["“£4,200 in all” (page 1)"]
    assert [detail["text"] for detail in fields["invented"]] == ["£5,100"]
    assert fields["faults"][-1] == "nothing is cited"


def test_without_a_threshold_nothing_passes_or_fails():
    """``passed`` is undefined if the file sets no ``min_score``."""
    question = msgspec.convert(FACT, FactQuestion)
    assert verdict_fields(question, BenchAnswer(text="£4,200"), PAGES)["passed"] is None


def test_evidence_that_is_half_there():
    """A row has recall and precision, the missing evidence, and a fault for a useless citation."""
    question = msgspec.convert(EVIDENCE, EvidenceQuestion)
    citations = [
        {"page": 1, "text": "Orla Finch sold the boat to Piers Lund."},
        {"page": 2, "text": "Who witnessed it I no longer remember."},
    ]
    answer = msgspec.convert({"text": "It was sold.", "citations": citations}, BenchAnswer)
    fields = verdict_fields(question, answer, PAGES)
    assert fields["terms"]["recall"] == 0.5
    assert fields["terms"]["precision"] == 0.5
    assert fields["score"] == pytest.approx(0.2)
    assert fields["missing"] == ["“paid on 2 June 2031” (page 2)", "“He paid for it”"]
    assert "carries nothing required" in fields["faults"][0]
