"""Rows: every outcome is written as one flat object and read back as it was."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

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
from assay.runs.row import BILL, RecordedPassage, Row, RowHead, complete_row
from assay.runs.write import encode_row

CASE = Case(
    key="q::v::topk=10",
    question=Question(id="q", text="why?"),
    variant=Variant(name="v"),
    fingerprint="a-b-c",
)


class LampRow(Row, kw_only=True):
    """A row with fields of its own."""

    lumens: int | None = None
    colour: str | msgspec.UnsetType = UNSET


TEXT = st.text(max_size=5)
NUMBERS = st.floats(0, 1e6, allow_nan=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
OBJECTS = st.dictionaries(TEXT, JSON, max_size=2)
USAGES = st.builds(
    Usage,
    calls=st.integers(0, 9),
    replayed_calls=st.integers(0, 9),
    cost=st.none() | NUMBERS,
    paid=st.none() | NUMBERS,
)
ANSWERS = st.builds(
    Answer,
    text=TEXT,
    passages=st.lists(
        st.builds(
            Passage,
            id=TEXT,
            text=TEXT,
            page=st.none() | st.integers(0, 9),
            score=st.none() | NUMBERS,
            rank=st.none() | st.integers(1, 9),
        ),
        max_size=2,
    ).map(tuple),
    usage=st.none() | USAGES,
    stages=st.lists(
        st.builds(Stage, name=TEXT, elapsed_s=NUMBERS, skipped=st.none() | TEXT, detail=OBJECTS),
        max_size=2,
    ).map(tuple),
    finish_reason=st.none() | TEXT,
    latency_s=st.none() | NUMBERS,
    extra=OBJECTS,
    facts=OBJECTS,
)
ANSWERED = st.builds(
    Answered,
    answer=ANSWERS,
    elapsed_s=NUMBERS,
    attempts=st.integers(1, 9),
    problem=st.none() | TEXT,
    judging=st.none() | USAGES,
)
SCORED = st.builds(
    Scored, answer=ANSWERS, elapsed_s=NUMBERS, scores=OBJECTS, judging=st.none() | USAGES
)
OUTCOMES = st.one_of(
    SCORED,
    ANSWERED,
    st.builds(Failed, kind=TEXT, message=TEXT, elapsed_s=NUMBERS, usage=st.none() | USAGES),
    st.builds(Skipped, reason=TEXT),
)


@given(OUTCOMES, st.booleans())
def test_a_row_of_any_outcome_comes_back(outcome: Outcome, billed: bool):
    """What is read is what was written, and an absent field stays absent."""
    written = complete_row(LampRow(lumens=800), CASE, outcome, 12.5, billed=billed)
    line = encode_row(written)
    assert b"\n" not in line
    read = msgspec.json.decode(line, type=LampRow)
    # stages are plain data once they are read
    stages = written.stages
    expected = UNSET if stages is UNSET else [msgspec.to_builtins(stage) for stage in stages]
    assert read == msgspec.structs.replace(written, stages=expected)
    assert encode_row(read) == line
    fields = msgspec.json.decode(line)
    assert fields["status"] == type(outcome).__name__.lower()
    assert "colour" not in fields


@given(ANSWERED)
def test_an_answer_is_recorded_as_it_was_given(answered: Answered):
    """The head of the row is enough to judge the answer in a later run."""
    line = encode_row(complete_row(Row(), CASE, answered, 12.5))
    head = msgspec.json.decode(line, type=RowHead)
    assert (head.key, head.status, head.fingerprint) == (CASE.key, "answered", "a-b-c")
    assert head.schema_version == SCHEMA_VERSION
    assert head.recorded is not UNSET
    assert msgspec.json.decode(head.recorded, type=Answered) == answered


@given(OUTCOMES)
def test_the_head_has_the_cost_of_both(outcome: Outcome):
    """What system and judge cost can be summed without reading whole rows."""
    head = msgspec.json.decode(encode_row(complete_row(Row(), CASE, outcome, 1.0)), type=RowHead)
    usage: Any = outcome.usage if isinstance(outcome, Failed) else None
    judging = None
    if isinstance(outcome, Scored | Answered):
        usage, judging = outcome.answer.usage, outcome.judging
    assert head.paid == (usage.paid if usage else None)
    assert head.judge_paid == (judging.paid if judging else None)


@given(SCORED | ANSWERED)
def test_an_unbilled_row_has_no_cost_of_the_system(outcome: Outcome):
    """Everything else is as in a billed row."""
    billed, unbilled = (
        msgspec.json.decode(encode_row(complete_row(Row(), CASE, outcome, 1.0, billed=each)))
        for each in (True, False)
    )
    assert unbilled == {
        name: value for name, value in billed.items() if name not in ("usage", "cost", "paid")
    }
    assert {name for name in billed if "cost" in name or "paid" in name or "usage" in name} <= set(
        BILL
    )


def test_a_job_may_write_its_stages_itself():
    """Stages that a job has put into its row in a short form are not replaced."""
    answer = Answer(text="x", stages=(Stage(name="rerank"),))
    row = complete_row(Row(stages=["rerank"]), CASE, Scored(answer=answer, elapsed_s=1.0), 1.0)
    assert row.stages == ["rerank"]


def test_a_null_is_not_an_absent_field():
    """``None`` is written as null, ``UNSET`` is not written."""
    assert msgspec.json.decode(encode_row(Row(top_k=None)))["top_k"] is None
    assert "top_k" not in msgspec.json.decode(encode_row(Row()))


@given(
    st.builds(
        Passage,
        id=TEXT,
        text=TEXT,
        page=st.none() | st.integers(),
        score=st.none() | NUMBERS,
        rank=st.none() | st.integers(),
    )
)
def test_a_recorded_passage_gives_the_passage_back(passage: Passage):
    """Fields that are not set are absent, and come back as not set."""
    fields = {
        name: value for name, value in msgspec.structs.asdict(passage).items() if value is not None
    }
    recorded = msgspec.json.decode(encode_row(RecordedPassage(**fields)), type=RecordedPassage)
    assert recorded.passage() == passage
