"""Parts of a plan: together they are the plan, and each can be resumed."""

from itertools import islice

from assay.records import Question, Variant
from assay.runs.plan import Plan, Shard, plan_part, product_plan, top_k_placement


def plan_of(count: int) -> Plan:
    """A plan of ``count`` questions with two variants."""
    return product_plan(
        questions=[Question(id=f"q{number}", text="?") for number in range(count)],
        variants=[Variant(name="on"), Variant(name="off")],
        placements=[top_k_placement(5)],
        system="test",
    )


def without_every(plan: Plan) -> Plan:
    """The same plan, of which only the cases are known, as that of a depth test."""
    return Plan(
        total=plan.total,
        cases=plan.cases,
        marks=plan.marks,
        system=plan.system,
        variants=plan.variants,
    )


def test_every_case_is_in_one_part():
    """The parts of both kinds of plans have all cases, none twice, and as many as they say."""
    for whole in (plan_of(10), without_every(plan_of(10))):
        parts = [plan_part(whole, Shard(number, 3)) for number in (1, 2, 3)]
        keys = [case.key for part in parts for case in part.cases()]
        assert sorted(keys) == sorted(key for key, _ in whole.marks())
        assert [part.total for part in parts] == [8, 6, 6]
        for part in parts:
            assert [case.key for case in part.cases()] == [key for key, _ in part.marks()]
            assert {case.fingerprint for case in part.cases()} <= {
                mark for _, mark in whole.marks()
            }


def test_a_part_goes_on_where_it_stopped():
    """``first``, ``open_keys`` and ``done_keys`` count the cases of the part."""
    for whole in (plan_of(10), without_every(plan_of(10))):
        part = plan_part(whole, Shard(2, 3))
        keys = [key for key, _ in part.marks()]
        rest = part.cases(first=3, open_keys={keys[1]}, done_keys={keys[4]})
        assert [case.key for case in rest] == [keys[1], keys[3], keys[5]]


def test_more_parts_than_questions_leave_empty_ones():
    """A part without a question has no case."""
    part = plan_part(plan_of(2), Shard(3, 3))
    assert part.total == 0
    assert list(islice(part.cases(), 1)) == []
