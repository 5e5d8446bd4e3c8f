"""The plan: the cases of a run, created when they are needed."""

from collections import Counter
from itertools import islice, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UseError
from assay.records import Question, Variant, digest
from assay.runner.plan import Placement, top_k_placement
from tests.support.plans import OFF, ON, Endless, make_plan, question


def test_a_key_is_question_variant_and_placement():
    """Keys have the form of the seed format, and cases come question by question."""
    plan = make_plan(placements=(top_k_placement(5), top_k_placement(10)))
    keys = [case.key for case in plan.cases()]
    ends = [f"{variant}::topk={k}" for variant in ("on", "off") for k in (5, 10)]
    assert keys[:4] == [f"q1::{end}" for end in ends]
    assert sorted(keys[4:]) == sorted(f"q2::{end}" for end in ends)
    assert plan.total == 8


def test_the_variants_take_turns_at_being_first():
    """Each variant is first equally often, because the first one meets cold caches.

    Each variant also follows each neighbour as often as it precedes it.
    """
    plan = make_plan(questions=[question(number) for number in range(4)])
    firsts = [case.variant.name for case in plan.cases()][::2]
    assert firsts == ["on", "off", "off", "on"]
    three = (ON, OFF, Variant(name="dim", settings={"x": 5}))
    names = [
        case.variant.name
        for case in make_plan(
            questions=[question(number) for number in range(6)], variants=three
        ).cases()
    ]
    orders = [names[start : start + 3] for start in range(0, 18, 3)]
    assert Counter(order[0] for order in orders) == {"on": 2, "off": 2, "dim": 2}
    pairs = Counter(pair for order in orders for pair in pairwise(order))
    assert all(pairs[left, right] == pairs[right, left] for left, right in pairs)
    assert [case.key for case in plan.cases()] == [key for key, _ in plan.marks()]
    assert [case.key for case in plan.cases(first=3, open_keys=())] == [
        case.key for case in plan.cases()
    ][3:]


def test_a_case_carries_all_it_was_made_from():
    """A case holds its question, variant, ``top_k`` and placement."""
    placement = Placement(label="depth=50", top_k=3, values={"depth": 50})
    case = next(make_plan(placements=(placement,)).cases())
    assert case.key == "q1::on::depth=50"
    assert (case.question, case.variant, case.top_k) == (question(1), ON, 3)
    assert case.placement == {"depth": 50}


def test_a_fingerprint_has_a_part_for_system_settings_and_question():
    """The three parts are the digests of system, settings and question."""
    case = next(make_plan().cases())
    assert case.fingerprint == f"{digest('sys-1')}-{digest({'x': 1})}-{digest(question(1))}"


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        ({"system": "sys-2"}, 0),
        ({"variants": (Variant(name="on", settings={"x": 2}), OFF)}, 1),
        ({"questions": (question(1, "what?"), question(2))}, 2),
        ({"questions": (Question(id="q1", text="why?", gold=("c1",)), question(2))}, 2),
        ({"questions": (Question(id="q1", text="why?", source="s"), question(2))}, 2),
    ],
)
def test_an_edit_changes_its_part_of_the_fingerprint_alone(changed: dict[str, Any], part: int):
    """An edit of system, settings or question changes exactly one part."""
    was = next(make_plan().cases()).fingerprint.split("-")
    now = next(make_plan(**changed).cases()).fingerprint.split("-")
    assert [number for number in range(3) if was[number] != now[number]] == [part]


def test_a_subclass_of_question_is_fingerprinted_with_its_own_fields():
    """Fields that a job adds to its questions are part of the fingerprint."""

    class Choice(Question, frozen=True, kw_only=True):
        choices: tuple[str, ...]

    questions = [Choice(id="q1", text="?", choices=choices) for choices in (("a",), ("b",))]
    marks = [next(make_plan(questions=(choice,)).marks())[1] for choice in questions]
    assert marks[0] != marks[1]


def test_the_order_of_settings_does_not_matter():
    """The same settings in another order give the same fingerprints."""
    plan = make_plan(variants=(Variant(name="a", settings={"x": 1, "y": 2}),))
    reordered = make_plan(variants=(Variant(name="a", settings={"y": 2, "x": 1}),))
    assert list(plan.marks()) == list(reordered.marks())


@given(
    st.lists(st.text(min_size=1), max_size=4, unique=True),
    st.integers(1, 3),
    st.integers(1, 2),
    st.data(),
)
def test_marks_and_cases_agree(ids: list[str], variants: int, placements: int, data: st.DataObject):
    """``marks`` and ``cases`` agree, and ``cases`` omits exactly the cases it is asked to omit."""
    plan = make_plan(
        questions=[Question(id=name, text="?") for name in ids],
        variants=tuple(Variant(name=f"v{n}") for n in range(variants)),
        placements=tuple(top_k_placement(n + 1) for n in range(placements)),
    )
    marks = list(plan.marks())
    assert [(case.key, case.fingerprint) for case in plan.cases()] == marks
    assert len(marks) == plan.total
    skip = data.draw(st.sets(st.sampled_from(marks))) if marks else set()
    skipped = {key for key, _ in skip}
    first = data.draw(st.integers(0, len(marks)))
    cases = plan.cases(first=first, open_keys=skipped, done_keys=skipped)
    assert [case.key for case in cases] == [
        key for index, (key, _) in enumerate(marks) if (key in skipped) == (index < first)
    ]


@pytest.mark.parametrize("name", ["a::b", "::", "", "  "])
def test_a_variant_name_that_breaks_keys_is_refused(name: str):
    """``::`` separates the parts of a key, so a variant name must not contain it."""
    with pytest.raises(UseError, match="may not be empty or contain '::'"):
        make_plan(variants=(Variant(name=name),))


def test_two_variants_of_one_name_are_refused():
    """Two variants with the same name are an error: their rows would have the same keys."""
    with pytest.raises(UseError, match="two variants are named 'on'"):
        make_plan(variants=(ON, OFF, Variant(name="on", settings={"x": 5})))


def test_a_plan_of_any_length_is_drawn_only_as_far_as_needed():
    """Three cases of a plan with a thousand million draw only two questions."""
    questions = Endless()
    plan = make_plan(questions=questions)
    assert plan.total == 2 * 10**9
    assert questions.drawn == 0
    assert [case.key for case in islice(plan.cases(), 3)] == [
        "q0::on::topk=10",
        "q0::off::topk=10",
        "q1::off::topk=10",
    ]
    assert questions.drawn == 2
