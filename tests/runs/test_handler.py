"""The handler that jobs extend: what it asks, and the row that it makes of an outcome."""

import asyncio
from typing import Any

import msgspec
import pytest

from assay.records import (
    SCHEMA_VERSION,
    Answer,
    Answered,
    Case,
    Failed,
    Outcome,
    Passage,
    Question,
    Scored,
    Skipped,
    Stage,
    Usage,
    Variant,
)
from assay.runs.handler import SystemHandler, recorded_passages
from assay.runs.row import RecordedPassage, complete_row
from assay.runs.write import encode_row
from assay.systems.scripted import ScriptedSystem

CASE = Case(
    key="q::v::topk=10",
    question=Question(id="q", text="why?", source="book"),
    variant=Variant(name="v"),
    fingerprint="a-b-c",
)
HANDLER = SystemHandler(ScriptedSystem({"q": "because"}))


def row_of(outcome: Outcome, **options: bool) -> dict[str, Any]:
    """The whole row of an outcome, as it is read back from the journal."""
    row = complete_row(HANDLER.row(CASE, outcome), CASE, outcome, 12.5, **options)
    fields: dict[str, Any] = msgspec.json.decode(encode_row(row))
    return fields


def test_every_row_ends_with_time_fingerprint_and_version():
    """A row of any outcome names its case, its fingerprint, its time and its version."""
    for outcome in (
        Scored(answer=Answer(text="x"), elapsed_s=1),
        Answered(answer=Answer(text="x"), elapsed_s=1),
        Failed(kind="timeout", message="late", elapsed_s=1),
        Skipped(reason="long"),
    ):
        row = row_of(outcome)
        assert next(iter(row)) == "key"
        assert list(row)[-3:] == ["ts", "fingerprint", "schema_version"]
        assert (row["ts"], row["fingerprint"], row["schema_version"]) == (
            12.5,
            "a-b-c",
            SCHEMA_VERSION,
        )
        assert (row["question_id"], row["config"], row["source"]) == ("q", "v", "book")
        assert (row["question"], row["top_k"]) == ("why?", 10)


def test_a_scored_row_carries_its_scores_by_name():
    """The scores are next to the answer; an undefined one is null."""
    scored = Scored(answer=Answer(text="x"), elapsed_s=1, scores={"right": True, "f1": None})
    row = row_of(scored)
    assert (row["status"], row["answer"]) == ("scored", "x")
    assert row["scores"] == {"right": True, "f1": None}
    assert "error" not in row


def test_what_is_empty_is_left_out():
    """A row has no field for empty stages, usage or extras."""
    row = row_of(Scored(answer=Answer(text="x"), elapsed_s=1))
    empty = {"stages", "usage", "extra", "cost", "paid", "finish_reason", "recorded"}
    assert not empty & row.keys()
    assert not {name for name in row if name.startswith("judg")}


def test_stages_usage_and_extras_are_kept():
    """Stages, usage, extras and finish reason that the system reports are in the row."""
    answer = Answer(
        text="x",
        stages=(Stage(name="rerank", skipped="off"),),
        usage=Usage(calls=2, cost=0.5, paid=0.0),
        extra={"lang": "zh"},
        finish_reason="length",
    )
    for outcome in (Scored(answer=answer, elapsed_s=1), Answered(answer=answer, elapsed_s=1)):
        row = row_of(outcome)
        assert row["stages"][0]["skipped"] == "off"
        assert (row["cost"], row["paid"], row["finish_reason"]) == (0.5, 0.0, "length")
        assert row["usage"]["calls"] == 2
        assert row["extra"] == {"lang": "zh"}


def test_an_answered_row_has_the_answer_and_all_that_judging_needs():
    """The answer is readable in the row, and ``recorded`` is the outcome as it was."""
    answered = Answered(
        answer=Answer(text="x", passages=(Passage(id="c1", text="t"),), facts={"tokens": 7}),
        elapsed_s=2.5,
        attempts=2,
        problem="timeout: late",
    )
    row = row_of(answered)
    assert (row["status"], row["answer"], row["elapsed_s"]) == ("answered", "x", 2.5)
    assert row["judging_error"] == "timeout: late"
    assert msgspec.convert(row["recorded"], Answered) == answered
    assert not {"error", "scores"} & row.keys()
    assert "judging_error" not in row_of(msgspec.structs.replace(answered, problem=None))


def test_a_bill_that_an_earlier_row_has_is_left_out():
    """Without ``billed`` the row has no cost of the system, but still that of the judge."""
    answer = Answer(text="x", usage=Usage(calls=1, replayed_calls=1, cost=0.5, paid=0.25))
    judging = Usage(calls=1, cost=0.125, paid=0.0625)
    scored = Scored(answer=answer, elapsed_s=1, judging=judging)
    row = row_of(scored, billed=False)
    assert not {"usage", "cost", "paid"} & row.keys()
    assert row["latency_replayed"] is True
    assert (row["judge_cost"], row["judge_paid"]) == (0.125, 0.0625)
    assert row["judge_usage"]["calls"] == 1
    assert (row_of(scored)["cost"], row_of(scored)["paid"]) == (0.5, 0.25)


def test_a_failed_row_names_kind_and_message():
    """``error`` is a readable text, ``error_kind`` a code; there is no answer."""
    row = row_of(
        Failed(kind="timeout", message="no answer", elapsed_s=2, attempts=3, usage=Usage(paid=0.5))
    )
    assert row["error"] == "timeout: no answer"
    assert (row["error_kind"], row["attempts"], row["elapsed_s"]) == ("timeout", 3, 2)
    assert row["paid"] == 0.5
    assert not {"answer", "scores", "recorded"} & row.keys()


def test_a_skipped_row_gives_its_reason():
    """A skipped case has a reason, but no error and no answer."""
    row = row_of(Skipped(reason="too long"))
    assert (row["status"], row["reason"]) == ("skipped", "too long")
    assert not {"error", "answer", "elapsed_s"} & row.keys()


def test_text_is_written_as_it_is():
    """Chinese and Cyrillic characters are not escaped, and a row stays on one line."""
    line = encode_row({"answer": "第３条\nёж"})
    assert line.decode() == '{"answer":"第３条\\nёж"}'


def test_texts_of_passages_may_be_left_out():
    """Only texts that the job wants are recorded, and unset fields are absent."""
    passages = (Passage(id="a", text="long", page=3), Passage(id="b", text="cited", rank=1))
    recorded = recorded_passages(passages, with_text=lambda passage: passage.id == "b")
    assert recorded == (
        RecordedPassage(id="a", page=3),
        RecordedPassage(id="b", text="cited", rank=1),
    )
    assert msgspec.to_builtins(recorded[0]) == {"id": "a", "page": 3}
    assert recorded[0].passage() == Passage(id="a", page=3)
    assert recorded_passages(passages)[1].passage() == passages[1]


def test_the_question_is_asked_as_it_is_and_judged_offline():
    """By default the prompt is the question, and no judge is called and no row changes."""
    prompt = HANDLER.compose(CASE)
    assert (prompt.question, prompt.facts) == (CASE.question, {})
    assert asyncio.run(HANDLER.ask(CASE, prompt)).text == "because"
    assert HANDLER.judge_identity is None
    assert HANDLER.score(CASE, Answer(text="x"), None) == {}
    assert HANDLER.judge_row(CASE, {"answer": "x"}, None) == {}


@pytest.mark.parametrize("limit", [None, 3])
def test_the_system_says_how_many_cases_it_takes_at_once(limit: int | None):
    """The limit of the system is that of the handler."""
    assert SystemHandler(ScriptedSystem({}, max_concurrency=limit)).max_concurrency == limit
