"""The plan: which cases there are, made when needed, and what was edited since."""

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import JournalStale, UseError
from assay.records import Question, Variant, digest
from assay.runner import Plan, product_plan
from assay.runner.journal import JournalIndex, RowHead
from assay.runner.plan import Placement, Standing, top_k_placement

ON, OFF = Variant(name="on", settings={"x": 1}), Variant(name="off", settings={"x": 0})


def question(number: int, text: str = "why?") -> Question:
    """A question."""
    return Question(id=f"q{number}", text=text)


def make_plan(
    questions: Collection[Question] = (question(1), question(2)),
    variants: tuple[Variant, ...] = (ON, OFF),
    placements: tuple[Placement, ...] = (top_k_placement(10),),
    system: str = "sys-1",
) -> Plan:
    """A plan with every part replaceable."""
    return product_plan(
        questions=questions, variants=variants, placements=placements, system=system
    )


def index_of(plan: Plan, *, status: Any = "scored") -> JournalIndex:
    """The index of a journal in which every case of ``plan`` has ended."""
    index = JournalIndex()
    index.add(
        [RowHead(key=key, fingerprint=mark, status=status) for key, mark in plan.marks()]
    )
    return index


def staleness(before: Plan, after: Plan, *, with_header: bool = True) -> str:
    """How ``after`` refuses the journal of ``before``."""
    index = index_of(before)
    recorded = (before.system, before.variants) if with_header else (None, ())
    with pytest.raises(JournalStale) as caught:
        after.check(index).refuse_stale(after, index, *recorded)
    return str(caught.value)


def test_a_key_is_question_variant_and_placement():
    """Keys read as the seed format has them, question by question."""
    plan = make_plan(placements=(top_k_placement(5), top_k_placement(10)))
    assert [case.key for case in plan.cases(())] == [
        f"{q}::{variant}::topk={k}" for q in ("q1", "q2") for variant in ("on", "off") for k in (5, 10)
    ]
    assert plan.total == 8


def test_a_case_carries_all_it_was_made_from():
    """Question, settings, ``top_k`` and placement reach the case."""
    placement = Placement(label="depth=50", top_k=3, values={"depth": 50})
    case = next(make_plan(placements=(placement,)).cases(()))
    assert case.key == "q1::on::depth=50"
    assert (case.question, case.variant, case.top_k) == (question(1), ON, 3)
    assert case.placement == {"depth": 50}


def test_a_fingerprint_has_a_part_for_system_settings_and_question():
    """Each part is the digest of what it stands for."""
    case = next(make_plan().cases(()))
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
    """System, settings and question content each change one part, and nothing else."""
    was = next(make_plan().cases(())).fingerprint.split("-")
    now = next(make_plan(**changed).cases(())).fingerprint.split("-")
    assert [number for number in range(3) if was[number] != now[number]] == [part]


def test_a_subclass_of_question_is_fingerprinted_with_its_own_fields():
    """What a job adds to its questions counts as content."""

    class Choice(Question, frozen=True, kw_only=True):
        choices: tuple[str, ...]

    one, two = (Choice(id="q1", text="?", choices=given) for given in (("a",), ("b",)))
    marks = [next(make_plan(questions=(each,)).marks())[1] for each in (one, two)]
    assert marks[0] != marks[1]


def test_the_order_of_settings_does_not_matter():
    """The same settings written in another order are the same settings."""
    one = make_plan(variants=(Variant(name="a", settings={"x": 1, "y": 2}),))
    two = make_plan(variants=(Variant(name="a", settings={"y": 2, "x": 1}),))
    assert list(one.marks()) == list(two.marks())


@given(
    st.lists(st.text(min_size=1), max_size=4, unique=True),
    st.integers(1, 3),
    st.integers(1, 2),
    st.data(),
)
def test_marks_and_cases_agree(ids: list[str], variants: int, placements: int, data: st.DataObject):
    """``marks`` is the cheap form of ``cases``, and ``skip`` leaves out just its keys."""
    plan = make_plan(
        questions=[Question(id=one, text="?") for one in ids],
        variants=tuple(Variant(name=f"v{n}") for n in range(variants)),
        placements=tuple(top_k_placement(n + 1) for n in range(placements)),
    )
    marks = list(plan.marks())
    assert [(case.key, case.fingerprint) for case in plan.cases(())] == marks
    assert len(marks) == plan.total
    skip = data.draw(st.sets(st.sampled_from(marks))) if marks else set()
    skipped = {key for key, _ in skip}
    assert [case.key for case in plan.cases(skipped)] == [
        key for key, _ in marks if key not in skipped
    ]


@pytest.mark.parametrize("name", ["a::b", "::", "", "  "])
def test_a_variant_name_that_breaks_keys_is_refused(name: str):
    """``::`` parts the pieces of a key, so no name may hold it."""
    with pytest.raises(UseError, match="may not be empty or contain '::'"):
        make_plan(variants=(Variant(name=name),))


def test_two_variants_of_one_name_are_refused():
    """Their rows could not be told apart."""
    with pytest.raises(UseError, match="two variants are named 'on'"):
        make_plan(variants=(ON, OFF, Variant(name="on", settings={"x": 5})))


class Endless(Collection[Question]):
    """A thousand million questions that count how many were drawn."""

    def __init__(self) -> None:
        self.drawn = 0

    def __len__(self) -> int:
        return 10**9

    def __contains__(self, item: object) -> bool:
        raise AssertionError("a plan has no reason to search")

    def __iter__(self) -> Iterator[Question]:
        for number in range(10**9):
            self.drawn += 1
            yield question(number)


def test_a_plan_of_any_length_is_drawn_only_as_far_as_needed():
    """Three cases of a thousand million take three cases' work."""
    questions = Endless()
    plan = make_plan(questions=questions)
    assert plan.total == 2 * 10**9
    assert questions.drawn == 0
    assert [case.key for case in islice(plan.cases(()), 3)] == [
        "q0::on::topk=10",
        "q0::off::topk=10",
        "q1::on::topk=10",
    ]
    assert questions.drawn == 2


def test_an_empty_journal_is_not_compared_with_the_plan():
    """A first run of a huge plan starts at once."""
    questions = Endless()
    assert make_plan(questions=questions).check(JournalIndex()) == Standing()
    assert questions.drawn == 0


def test_pending_cases_are_those_without_an_outcome():
    """Done cases are left out, failed ones are asked again."""
    plan = make_plan()
    index = JournalIndex()
    first, second, *_ = plan.marks()
    index.add(
        [
            RowHead(key=first[0], fingerprint=first[1], status="scored"),
            RowHead(key=second[0], fingerprint=second[1], status="failed", error="e"),
        ]
    )
    assert [case.key for case in plan.pending(index)] == [
        "q1::off::topk=10",
        "q2::on::topk=10",
        "q2::off::topk=10",
    ]


def test_a_journal_of_the_same_plan_is_not_stale():
    """Nothing edited, nothing refused."""
    plan = make_plan()
    index = index_of(plan)
    standing = make_plan().check(index)
    assert standing == Standing(done=4)
    standing.refuse_stale(plan, index, plan.system, plan.variants)


def test_rows_outside_the_plan_do_not_count():
    """A shorter plan is complete on a longer journal, and nothing is stale."""
    longer = make_plan(questions=[question(n) for n in range(5)])
    shorter = make_plan(questions=[question(1)])
    assert shorter.check(index_of(longer)) == Standing(done=2)


def test_skipped_cases_of_the_plan_are_counted():
    """Skipped is done, and kept apart from scored."""
    plan = make_plan()
    assert plan.check(index_of(plan, status="skipped")) == Standing(done=4, skipped=4)


def test_an_edited_system_is_said():
    """The message names the system now and then, and both ways on."""
    message = staleness(make_plan(), make_plan(system="sys-2"))
    assert message.startswith("4 recorded answers belong to an earlier version of this experiment")
    assert "the system is now sys-2 (was sys-1)." in message
    assert "--fresh" in message
    assert "--keep-stale" in message
    assert "question(s)" not in message
    assert "variant" not in message


def test_an_edited_setting_is_said_with_both_values():
    """Only the edited variant is named, with the value before and after."""
    after = make_plan(variants=(Variant(name="on", settings={"x": 2, "y": True}), OFF))
    message = staleness(make_plan(), after)
    assert message.startswith("2 recorded answers")
    assert "variant on: x 1 → 2, y unset → True." in message
    assert "variant off" not in message


def test_a_setting_that_was_taken_out_is_said():
    """An absent setting is told apart from one whose value is the word."""
    after = make_plan(variants=(Variant(name="on", settings={}), OFF))
    assert "variant on: x 1 → unset." in staleness(make_plan(), after)
    before = make_plan(variants=(Variant(name="on", settings={"x": "unset"}), OFF))
    assert "variant on: x 'unset' → unset." in staleness(before, after)


def test_edited_questions_are_said_by_id():
    """A few ids are named, more are counted."""
    before = make_plan(questions=[question(n) for n in range(8)])
    after = make_plan(questions=[question(n, "what?") for n in range(8)])
    assert "the content of 8 question(s) changed: q0, q1, q2, q3, q4 and 3 more." in staleness(
        before, after
    )


def test_several_edits_are_said_together():
    """System, settings and questions each have their words in one message."""
    after = make_plan(
        system="sys-2",
        variants=(Variant(name="on", settings={"x": 9}), OFF),
        questions=(question(1, "what?"), question(2)),
    )
    message = staleness(make_plan(), after)
    assert "the system is now sys-2 (was sys-1); variant on: x 1 → 9; the content of 1" in message


def test_what_was_edited_is_said_without_a_header_too():
    """Where the summary is gone, the fingerprint alone says which part changed."""
    after = make_plan(system="sys-2", variants=(Variant(name="on", settings={"x": 9}), OFF))
    message = staleness(make_plan(), after, with_header=False)
    assert "the system is now sys-2; variant on: its settings changed." in message


def test_rows_of_another_version_are_said_to_be_so():
    """A fingerprint of another form is not taken apart."""
    plan = make_plan()
    index = JournalIndex()
    index.add([RowHead(key="q1::on::topk=10", fingerprint="", status="scored")])
    with pytest.raises(JournalStale, match="the rows were written by another version of assay"):
        plan.check(index).refuse_stale(plan, index, None, ())
