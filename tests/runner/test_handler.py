"""The row of a case: the fields of the job and those that every row has."""

from typing import Any

from assay.journal.write import encode_row
from assay.records import (
    Answer,
    Case,
    Failed,
    Outcome,
    Question,
    Scored,
    Skipped,
    Stage,
    Usage,
    Variant,
)
from assay.runner import Progress, SystemHandler
from assay.runner.handler import complete_row
from assay.systems import ScriptedSystem

CASE = Case(
    key="q::v::topk=10",
    question=Question(id="q", text="why?", source="book"),
    variant=Variant(name="v"),
    fingerprint="a-b-c",
)
HANDLER = SystemHandler(ScriptedSystem({}))


def row_of(outcome: Outcome) -> dict[str, Any]:
    """The whole row of an outcome."""
    return complete_row(CASE, outcome, HANDLER.row(CASE, outcome), 12.5)


def test_every_row_ends_with_time_fingerprint_and_version():
    """A row of any outcome names its case, its fingerprint, its time and its version."""
    for outcome in (
        Scored(answer=Answer(text="x"), elapsed_s=1),
        Failed(kind="timeout", message="late", elapsed_s=1),
        Skipped(reason="long"),
    ):
        row = row_of(outcome)
        assert next(iter(row)) == "key"
        assert (row["ts"], row["fingerprint"], row["schema_version"]) == (12.5, "a-b-c", 1)
        assert (row["question_id"], row["config"], row["source"]) == ("q", "v", "book")


def test_a_scored_row_carries_scores_flat():
    """Each score is a field of the row under its own name, next to the answer."""
    row = row_of(Scored(answer=Answer(text="x"), elapsed_s=1, scores={"right": True, "f1": None}))
    assert (row["status"], row["answer"], row["right"], row["f1"]) == ("scored", "x", True, None)
    assert "error" not in row


def test_what_is_empty_is_left_out():
    """A row has no field for empty stages, usage or extras."""
    row = row_of(Scored(answer=Answer(text="x"), elapsed_s=1))
    assert not {"stages", "usage", "extra", "cost", "paid", "finish_reason"} & row.keys()


def test_stages_usage_and_extras_are_kept():
    """Stages, usage, extras and finish reason that the system reports are in the row."""
    answer = Answer(
        text="x",
        stages=(Stage(name="rerank", skipped="off"),),
        usage=Usage(calls=2, cost=0.5, paid=0.0),
        extra={"lang": "zh"},
        finish_reason="length",
    )
    row = row_of(Scored(answer=answer, elapsed_s=1))
    assert row["stages"][0].skipped == "off"
    assert (row["cost"], row["paid"], row["finish_reason"]) == (0.5, 0.0, "length")
    assert row["extra"] == {"lang": "zh"}


def test_a_failed_row_names_kind_and_message():
    """``error`` is a readable text, ``error_kind`` a code; there is no answer."""
    row = row_of(Failed(kind="timeout", message="no answer", elapsed_s=2, attempts=3))
    assert row["error"] == "timeout: no answer"
    assert (row["error_kind"], row["attempts"], row["elapsed_s"]) == ("timeout", 3, 2)
    assert "answer" not in row


def test_a_skipped_row_gives_its_reason():
    """A skipped case has a reason, but no error and no answer."""
    row = row_of(Skipped(reason="too long"))
    assert (row["status"], row["reason"]) == ("skipped", "too long")
    assert not {"error", "answer", "elapsed_s"} & row.keys()


def test_text_is_written_as_it_is():
    """Chinese and Cyrillic characters are not escaped, and a row stays on one line."""
    line = encode_row({"answer": "第３条\nёж"})
    assert line.decode() == '{"answer":"第３条\\nёж"}'


def test_the_log_line_says_how_a_case_ended():
    """The line has the counts, the names of variant and question, and the error if any."""
    progress = Progress(total=4)
    progress.done = 2
    failed = row_of(Failed(kind="timeout", message="late", elapsed_s=1))
    assert HANDLER.line(progress, failed).startswith(
        "[run] 2/4 config=v id=q failed: timeout: late ETA~"
    )
    scored = row_of(Scored(answer=Answer(text="x"), elapsed_s=1))
    assert " id=q scored ETA~" in HANDLER.line(progress, scored)
