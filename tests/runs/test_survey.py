"""The survey: which cases of a plan are done, and what was edited since."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Raw
from msgspec.structs import replace

from assay.errors import JournalStale
from assay.records import Variant
from assay.runs.plan import Plan
from assay.runs.read import JournalIndex
from assay.runs.row import RowHead
from assay.runs.survey import Survey, SurveyResult
from tests.support.plans import OFF, Endless, make_plan, question


def heads_of(plan: Plan, *, status: Any = "scored") -> list[RowHead]:
    """The rows of a journal in which every case of ``plan`` has ended."""
    return [RowHead(key=key, fingerprint=mark, status=status) for key, mark in plan.marks()]


def survey_of(plan: Plan, heads: list[RowHead]) -> Survey:
    """A survey of ``plan`` over these rows."""
    survey = Survey(plan)
    survey.add(heads)
    return survey


def staleness(before: Plan, after: Plan, *, with_header: bool = True) -> str:
    """How ``after`` refuses the journal of ``before``."""
    recorded = (before.system, before.variants) if with_header else (None, ())
    with pytest.raises(JournalStale) as caught:
        survey_of(after, heads_of(before)).refuse_stale(*recorded)
    return str(caught.value)


def test_an_empty_journal_is_not_compared_with_the_plan():
    """The first run of a huge plan does not iterate over its questions."""
    questions = Endless()
    assert Survey(make_plan(questions=questions)).result() == SurveyResult()
    assert questions.drawn == 0


def test_pending_cases_are_those_without_an_outcome():
    """Done cases are not pending; failed ones are."""
    plan = make_plan()
    first, second, *_ = plan.marks()
    rows = [
        RowHead(key=first[0], fingerprint=first[1], status="scored"),
        RowHead(key=second[0], fingerprint=second[1], status="failed", error="e"),
    ]
    assert [case.key for case in survey_of(plan, rows).pending()] == [
        "q1::off::topk=10",
        "q2::off::topk=10",
        "q2::on::topk=10",
    ]


def test_a_journal_of_the_same_plan_is_not_stale():
    """A journal of an unedited plan is accepted."""
    plan = make_plan()
    survey = survey_of(make_plan(), heads_of(plan))
    assert survey.result() == SurveyResult(done=4)
    survey.refuse_stale(plan.system, plan.variants)


def test_rows_outside_the_plan_do_not_count():
    """A shorter plan is complete on a longer journal, and nothing is stale."""
    longer = make_plan(questions=[question(n) for n in range(5)])
    shorter = make_plan(questions=[question(1)])
    assert survey_of(shorter, heads_of(longer)).result() == SurveyResult(done=2, outside=8)


def test_rows_of_another_top_k_are_told_apart():
    """Rows that are outside the plan for their ``top_k`` alone say which it was."""
    other = replace(
        make_plan(), placements=("topk=5",), marks=lambda: iter([("q1::off::topk=5", "m")])
    )
    result = survey_of(other, heads_of(make_plan())).result()
    assert (result.outside_top_k, result.outside > 0) == ((10,), True)


def test_a_row_without_a_fingerprint_outside_the_plan_is_not_done():
    """An empty fingerprint is that of no case, also where the plan has no such key."""
    rows = [RowHead(key="q9::on::topk=10", status="scored")]
    assert survey_of(make_plan(), rows).result() == SurveyResult(outside=1)


def test_skipped_cases_of_the_plan_are_counted():
    """Skipped cases are counted as done and also separately."""
    plan = make_plan()
    assert survey_of(plan, heads_of(plan, status="skipped")).result() == SurveyResult(
        done=4, skipped=4
    )


def test_an_edited_system_is_named():
    """The message names the new and the old system and both options."""
    message = staleness(make_plan(), make_plan(system="sys-2"))
    assert message.startswith("4 recorded answers belong to an earlier version of this experiment")
    assert "the system is now sys-2 (was sys-1)." in message
    assert "--resume fresh" in message
    assert "--resume keep" in message
    assert "the content of" not in message
    assert "variant" not in message


def test_an_edited_setting_is_named_with_both_values():
    """Only the edited variant is named, with the value before and after."""
    after = make_plan(variants=(Variant(name="on", settings={"x": 2, "y": True}), OFF))
    message = staleness(make_plan(), after)
    assert message.startswith("2 recorded answers")
    assert "variant on: x 1 → 2, y unset → True." in message
    assert "variant off" not in message


def test_a_removed_setting_is_named():
    """A missing setting is shown differently from the string "unset"."""
    after = make_plan(variants=(Variant(name="on", settings={}), OFF))
    assert "variant on: x 1 → unset." in staleness(make_plan(), after)
    before = make_plan(variants=(Variant(name="on", settings={"x": "unset"}), OFF))
    assert "variant on: x 'unset' → unset." in staleness(before, after)


def test_edited_questions_are_named_by_id():
    """The first five ids are named, the others are counted."""
    before = make_plan(questions=[question(n) for n in range(8)])
    after = make_plan(questions=[question(n, "what?") for n in range(8)])
    assert "the content of 8 questions changed: q0, q1, q2, q3, q4 and 3 more." in staleness(
        before, after
    )


def test_several_edits_are_named_together():
    """One message describes edits of system, settings and questions."""
    after = make_plan(
        system="sys-2",
        variants=(Variant(name="on", settings={"x": 9}), OFF),
        questions=(question(1, "what?"), question(2)),
    )
    message = staleness(make_plan(), after)
    assert "the system is now sys-2 (was sys-1); variant on: x 1 → 9; the content of 1" in message


def test_edits_are_named_without_a_header_too():
    """If the summary is missing, the fingerprint still shows which part changed."""
    after = make_plan(system="sys-2", variants=(Variant(name="on", settings={"x": 9}), OFF))
    message = staleness(make_plan(), after, with_header=False)
    assert "the system is now sys-2; variant on: its settings changed." in message


def test_another_corpus_is_said_in_words():
    """If only the corpus of the reference system differs, the documents or chunks changed."""
    before = make_plan(system="reference:6050:hashed:extractive")
    after = make_plan(system="reference:510a:hashed:extractive")
    assert (
        "version of this experiment: the documents or their chunks changed: the system is now "
        in (staleness(before, after))
    )
    other = make_plan(system="reference:510a:e5:extractive")
    assert "documents" not in staleness(before, other)


def test_rows_of_another_version_are_named_as_such():
    """A fingerprint of another form is reported as written by another version."""
    plan = make_plan()
    survey = survey_of(plan, [RowHead(key="q1::on::topk=10", fingerprint="", status="scored")])
    with pytest.raises(JournalStale, match="the rows were written by another version of assay"):
        survey.refuse_stale(None, ())


ANSWER = Raw(b'{"answer":{"text":"x"},"elapsed_s":1.0,"status":"answered"}')


def answered_head(key: str, fingerprint: str) -> RowHead:
    """The row of an answer that is not judged yet."""
    return RowHead(key=key, fingerprint=fingerprint, status="answered", recorded=ANSWER)


def test_an_answered_case_is_pending_but_not_asked():
    """A recorded answer is judged in its turn; only the other pending cases are asked."""
    plan = make_plan()
    (first, mark), *_ = plan.marks()
    survey = survey_of(plan, [answered_head(first, mark)])
    assert survey.result() == SurveyResult(answered={first: answered_head(first, mark)})
    keys = [key for key, _ in plan.marks()]
    assert [case.key for case in survey.pending()] == keys
    assert [case.key for case in survey.to_ask()] == keys[1:]


def test_an_answered_case_that_was_judged_is_done():
    """The later scored row of a key replaces its answered row."""
    plan = make_plan()
    answered = [answered_head(key, mark) for key, mark in plan.marks()]
    survey = survey_of(plan, [*answered, *heads_of(plan)])
    assert survey.result() == SurveyResult(done=4)
    assert list(survey.pending()) == []


def test_an_answer_without_its_record_is_asked_again():
    """An answered row that lacks the recorded answer cannot be judged, so it has failed."""
    plan = make_plan()
    (key, mark), *_ = plan.marks()
    survey = survey_of(plan, [RowHead(key=key, fingerprint=mark, status="answered")])
    assert survey.result() == SurveyResult(failed=frozenset({key}))
    assert key in {case.key for case in survey.to_ask()}


def test_an_answer_to_an_edited_question_is_stale():
    """An answer that is not judged yet is refused like one that is."""
    before, after = make_plan(), make_plan(questions=(question(1, "what?"), question(2)))
    heads = [answered_head(key, mark) for key, mark in before.marks()]
    survey = survey_of(after, heads)
    assert survey.result().stale == {"q1::on::topk=10", "q1::off::topk=10"}
    with pytest.raises(JournalStale, match=r"2 recorded answers .* 1 question changed: q1"):
        survey.refuse_stale(before.system, before.variants)


def test_the_cost_of_system_and_judge_is_added_separately():
    """Both are summed over all rows, also over those that a later row replaced."""
    plan = make_plan()
    (key, mark), *_ = plan.marks()
    rows = [
        RowHead(key=key, fingerprint=mark, status="failed", paid=0.5),
        RowHead(key=key, fingerprint=mark, status="answered", paid=0.25, recorded=ANSWER),
        RowHead(key=key, fingerprint=mark, status="scored", judge_paid=2.0),
    ]
    assert survey_of(plan, rows).result() == SurveyResult(done=1, paid=0.75, judge_paid=2.0)


PRICES = st.none() | st.integers(0, 8).map(lambda eighths: eighths / 8)


@st.composite
def journals(draw: st.DrawFn) -> tuple[Plan, list[RowHead]]:
    """A plan and rows that are repeated, shuffled, stale or of no case in the plan."""
    count = draw(st.integers(1, 8))
    plan = make_plan(questions=[question(n) for n in range(count)])
    marks = [*plan.marks(), ("other::x", "f")]
    indices = draw(st.lists(st.integers(0, len(marks) - 1), max_size=40))
    if draw(st.booleans()):
        indices = sorted(indices)
    heads = []
    for index in indices:
        key, mark = marks[index]
        status: Any = draw(
            st.sampled_from(["scored", "scored", "scored", "answered", "failed", "skipped"])
        )
        is_recorded = status == "answered" and draw(st.integers(0, 5)) > 0
        heads.append(
            RowHead(
                key=key,
                fingerprint=mark if draw(st.integers(0, 5)) else "old",
                status=status,
                error="e" if status == "failed" else None,
                paid=draw(PRICES),
                judge_paid=draw(PRICES),
                recorded=Raw(b"%d" % len(heads)) if is_recorded else UNSET,
            )
        )
    return plan, heads


@given(journals(), st.integers(0, 5), st.integers(1, 7))
def test_a_survey_agrees_with_an_index_of_all_rows(
    journal: tuple[Plan, list[RowHead]], lead: int, step: int
):
    """For any order and window the survey gives the result of the last row of each key."""
    plan, heads = journal
    index, survey = JournalIndex(), Survey(plan, lead=lead)
    for start in range(0, len(heads), step):
        index.add(heads[start : start + step])
        survey.add(heads[start : start + step])
    marks = dict(plan.marks())
    last = {head.key: head for head in heads if head.key in marks}
    done = {key: mark for key, mark in index.done.items() if key in marks}
    answered = {key: last[key] for key in index.answered & marks.keys()}
    unrecorded = {key for key, head in answered.items() if head.recorded is UNSET}
    judgeable = answered.keys() - unrecorded
    assert survey.result() == SurveyResult(
        done=len(done),
        skipped=len(index.skipped & marks.keys()),
        answered={key: answered[key] for key in judgeable},
        failed=frozenset(index.failed & marks.keys() | unrecorded),
        stale=frozenset(
            key for key in done.keys() | judgeable if last[key].fingerprint != marks[key]
        ),
        outside=len({head.key for head in heads} - marks.keys()),
        paid=sum(head.paid or 0.0 for head in heads),
        judge_paid=sum(head.judge_paid or 0.0 for head in heads),
        outside_paid=sum(head.paid or 0.0 for head in heads if head.key not in marks),
        outside_judge_paid=sum(head.judge_paid or 0.0 for head in heads if head.key not in marks),
    )
    assert [case.key for case in survey.pending()] == [key for key in marks if key not in done]
    assert [case.key for case in survey.to_ask()] == [
        key for key in marks if key not in done and key not in judgeable
    ]
    assert index.paid == sum((head.paid or 0.0) + (head.judge_paid or 0.0) for head in heads)
    assert index.tally().ended == len(index) == len({head.key for head in heads})
