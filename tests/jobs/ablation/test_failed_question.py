"""The list of answers that are not right, as a run prints it."""

from pathlib import Path

from assay.jobs.ablation.failed_question import faults
from assay.jobs.spec import job_spec
from assay.records import RunHeader, Variant
from assay.report.words import retold
from tests.support.journal import failed, row, write_rows


def test_answers_that_the_check_is_unsure_of_come_first(tmp_path: Path):
    """A person can decide them; the others keep the order of the run, with their reasons."""
    wrong = {"scores": {"answer_contained": False}, "answer": "Bern"}
    rows = [
        row("q1", "on", **wrong, reasons={"answer_contained": "another name"}),
        failed("q2", "on"),
        row(
            "q3", "on", **wrong, reasons={"answer_contained": "other words"},
            at_least={"answer_contained": 0.0}, at_most={"answer_contained": 1.0},
        ),
        row("q4", "on", scores={"answer_contained": True}, answer="Paris"),
    ]  # fmt: skip
    header = RunHeader(
        job="ablation",
        name="a",
        system="s",
        variants=(Variant(name="on"),),
        total=4,
        started_at="2024-01-01T00:00:00Z",
    )
    metric = job_spec("ablation").metric("answer_contained")
    found, asked = faults(write_rows(tmp_path / "a.jsonl", rows), header, metric)
    assert [(each["question_id"], reason) for each, reason in found] == [
        ("q3", "unsure: other words"),
        ("q1", "another name"),
        ("q2", "failed (error)"),
    ]
    assert asked == 4


def test_unsure_is_said_in_the_language_of_the_reader():
    """The word before the reason is translated as the reason is."""
    reason = "unsure: a negation stands right before it"
    assert retold("fault", reason, "ru") == "неясно: прямо перед ним стоит отрицание"
    assert retold("fault", reason, "zh") == "不确定: 紧前面有否定词"
