"""The plan of a depth test: which question is asked at which length and depth."""

from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from assay.errors import UseError
from assay.jobs.depth.novel_data import NovelData
from assay.jobs.depth.plan import DEPTHS, DepthLayout, DepthPlan, case_plan, plan_depth, spread
from assay.records import Variant
from assay.text.normalise import Span
from assay.words.message import text_of

LENGTHS = (1_000, 2_000, 4_000, 8_000, 16_000)
shared_fixture = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def planned(novel_data: NovelData, questions: int = 60, **layout: object) -> DepthPlan:
    """A plan of the first questions; by default uniform at five lengths."""
    chosen = DepthLayout(**{"mode": "uniform", "lengths": LENGTHS, **layout})  # type: ignore[arg-type]
    return plan_depth(novel_data.questions[:questions], novel_data.novel, chosen)


def cells(plan: DepthPlan) -> Counter[tuple[int, float | None]]:
    """The number of questions that are asked in each cell."""
    return Counter((slot.length, slot.depth) for slot in plan.slots if slot.reason is None)


@shared_fixture
@given(questions=st.integers(25, 60), lengths=st.integers(1, 5))
def test_a_uniform_plan_is_a_latin_square(novel_data: NovelData, questions: int, lengths: int):
    """Each length has each question once, cells differ by at most one, and depths rotate."""
    plan = planned(novel_data, questions, lengths=LENGTHS[:lengths])
    assert len(plan.slots) == questions * lengths
    counts = cells(plan)
    for length in LENGTHS[:lengths]:
        asked_ids = [slot.question.id for slot in plan.slots if slot.length == length]
        assert len(set(asked_ids)) == len(asked_ids) == questions
        sizes = [counts[length, depth] for depth in DEPTHS]
        assert max(sizes) - min(sizes) <= 1
    for question in novel_data.questions[:questions]:
        depths = [slot.depth for slot in plan.slots if slot.question.id == question.id]
        assert len(set(depths)) == min(lengths, len(DEPTHS))
    assert plan.notes == ()


@shared_fixture
@given(questions=st.integers(1, 30), per_cell=st.integers(0, 12), lengths=st.integers(1, 5))
def test_each_cell_gets_its_least_number(
    novel_data: NovelData, questions: int, per_cell: int, lengths: int
):
    """Short cells are filled with questions of other depths, none twice, and a note says so."""
    plan = planned(novel_data, questions, min_per_cell=per_cell, lengths=LENGTHS[:lengths])
    counts = cells(plan)
    for length in LENGTHS[:lengths]:
        for depth in DEPTHS:
            assert counts[length, depth] >= min(per_cell, questions)
    keys = [(slot.question.id, slot.length, slot.depth) for slot in plan.slots]
    assert len(set(keys)) == len(keys)
    reused = len(keys) > questions * lengths
    assert reused == any("too few" in note for note in map(str, plan.notes))
    assert (questions < per_cell) == any(
        "there are no more" in note for note in map(str, plan.notes)
    )


def test_reuse_is_spread_over_the_questions(novel_data: NovelData):
    """With ten questions and five in each cell, all are asked about equally often."""
    plan = planned(novel_data, 10)
    uses = Counter(slot.question.id for slot in plan.slots)
    assert set(cells(plan).values()) == {5}
    assert max(uses.values()) - min(uses.values()) <= 2


def test_notes_count_the_length_that_they_name(novel_data: NovelData):
    """Ten questions, ten in each cell: 40 more at each length, and 160 at four lengths."""
    plan = planned(novel_data, 10, per_cell=10, lengths=LENGTHS[:4])
    again = "ask a question again at another depth of the same length"
    assert tuple(map(str, plan.notes)) == (
        f"10 questions at 1000 tokens: too few for 10 in each cell; 40 cases {again}",
        f"160 cases at 4 lengths {again}",
    )
    assert len(plan.slots) == 40 + 160
    alone = planned(novel_data, 10, per_cell=10, lengths=LENGTHS[:1])
    assert alone.notes == plan.notes[:1]
    for note, lang in product(plan.notes, ("zh", "ru")):
        assert text_of(note, lang) != str(note)


def test_per_cell_is_the_exact_number_of_questions(novel_data: NovelData):
    """``per_cell`` chooses questions evenly from the file, and reuses them if there are too few."""
    few = planned(novel_data, per_cell=3)
    assert set(cells(few).values()) == {3}
    assert few.questions == 15
    assert novel_data.questions[56].id in {slot.question.id for slot in few.slots}
    assert set(cells(planned(novel_data, per_cell=20)).values()) == {20}
    fixed = planned(novel_data, mode="fixed", depth=0.5, per_cell=4)
    assert set(cells(fixed).values()) == {4}


def test_limit_limits_the_questions(novel_data: NovelData):
    """``limit`` chooses questions evenly from the file."""
    plan = planned(novel_data, limit=30)
    assert plan.questions == len({slot.question.id for slot in plan.slots}) == 30
    assert spread(range(10), 4) == [0, 2, 5, 7]


def test_a_fixed_plan_has_one_depth(novel_data: NovelData):
    """All questions are asked at every length, at the chosen depth."""
    plan = planned(novel_data, mode="fixed", depth=0.3)
    assert {slot.depth for slot in plan.slots} == {0.3}
    assert plan.layout.bins == ("30%",)
    assert len(plan.slots) == 60 * len(LENGTHS)


def test_legacy_skips_what_lies_beyond(novel_data: NovelData):
    """Only questions with evidence within the first tokens are asked; others have a reason."""
    plan = planned(novel_data, mode="legacy", lengths=(4_000,))
    novel = novel_data.novel
    for slot in plan.slots:
        assert slot.question.evidence is not None
        is_inside = novel.tokens_before(slot.question.evidence.end) <= 4_000
        assert is_inside == (slot.reason is None)
        if is_inside:
            assert slot.depth is not None
            assert 0 <= slot.depth <= 1
        else:
            assert slot.reason is not None
            assert "beyond its first 4000" in str(slot.reason)
    assert 0 < plan.askable < len(plan.slots)


def test_what_cannot_be_asked_stays_with_its_reason(novel_data: NovelData):
    """Questions that cannot be asked stay in the plan with a reason."""
    lost = replace(novel_data.questions[0], evidence=None, note="evidence not found")
    questions = (lost, *novel_data.questions[1:30])
    layout = DepthLayout(mode="uniform", lengths=(2_000, 90_000))
    plan = plan_depth(questions, novel_data.novel, layout)
    reasons = {(slot.question.id, slot.length): slot.reason for slot in plan.slots}
    assert reasons[lost.id, 2_000] == "evidence not found"
    assert all(reasons[question.id, 90_000] for question in questions)
    assert any("90000 tokens cannot be asked" in note for note in map(str, plan.notes))
    assert plan.askable == 29
    usable = [n for (length, _), n in cells(plan).items() if length == 2_000]
    assert max(usable) - min(usable) <= 1


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        ({"lengths": (10, 8_000)}, "10 tokens has no room for the evidence"),
        ({"lengths": (150, 8_000)}, "150 tokens has no room for the evidence"),
        ({"lengths": (800, 8_000), "padding": 500}, "500 of padding"),
        ({"lengths": (10,), "mode": "legacy"}, "10 tokens has no room"),
        ({"lengths": (900_000,)}, "no question can be asked"),
    ],
)
def test_lengths_that_cannot_be_meant_are_refused(
    novel_data: NovelData, layout: dict[str, object], message: str
):
    """A length too short for all evidence, or longer than the novel, is an error."""
    with pytest.raises(UseError, match=message):
        planned(novel_data, **layout)


def test_the_plan_is_the_same_every_time(novel_data: NovelData):
    """Two plans of the same questions have the same cases in the same order."""
    variant = Variant(name="uniform")
    keys = [list(case_plan(planned(novel_data, 12), variant, "s").marks()) for _ in range(2)]
    assert keys[0] == keys[1]
    assert len({key for key, _ in keys[0]}) == len(keys[0])


def test_cases_agree_with_marks_and_leave_out_what_is_done(novel_data: NovelData):
    """``cases`` and ``marks`` have the same cases, and ``cases`` leaves out those that are done."""
    plan = case_plan(planned(novel_data, 30), Variant(name="uniform"), "s")
    marks = list(plan.marks())
    cases = [(case.key, case.fingerprint) for case in plan.cases()]
    assert cases == marks
    assert len(cases) == plan.total
    keys = [key for key, _ in marks]
    rest = plan.cases(first=5, open_keys={keys[2]}, done_keys={keys[7]})
    assert [case.key for case in rest] == [keys[2], *keys[5:7], *keys[8:]]


def test_padding_widens_what_is_placed(novel_data: NovelData):
    """With padding the passage is the evidence with whole sentences on both sides."""
    plan = planned(novel_data, 30, padding=100, lengths=(4_000,))
    assert plan.askable == 30
    question = replace(novel_data.questions[0], evidence=Span(start=0, end=5))
    assert plan_depth([question], novel_data.novel, plan.layout).askable == 5


@pytest.mark.parametrize(
    ("located", "mode", "asked", "padding"),
    [
        ("position", "uniform", None, 500),
        ("position", "fixed", 20, 20),
        ("position", "legacy", None, 0),
        ("exact", "uniform", None, 0),
        ("fuzzy", "uniform", 0, 0),
        ("span", "uniform", None, 0),
    ],
)
def test_token_positions_are_padded_by_default_and_quotations_are_not(
    novel_data: NovelData, located: Any, mode: Any, asked: int | None, padding: int
):
    """The padding is 500 for a token position and 0 otherwise, unless the user says another."""
    question = replace(novel_data.questions[0], located=located)
    layout = DepthLayout(mode=mode, lengths=(1_000,), padding=asked)
    assert layout.padding_of(question) == padding
