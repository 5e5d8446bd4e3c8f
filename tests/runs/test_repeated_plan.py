"""A plan that asks each case several times: its keys, its order, and how a run grows and resumes."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assay.errors import UseError
from assay.records import Answer, Metric, key_parts
from assay.runs.early_stop import EarlyStop
from assay.runs.plan import Plan, Shard, other_top_k, plan_part, question_of_key, repeated_plan
from assay.runs.plan_file import read_plan
from assay.runs.survey import survey_journal
from tests.runs.test_shard import without_every
from tests.support.lab import ONE_BY_ONE, Lab
from tests.support.plans import make_plan, question


class Counting:
    """Answers with the number of times that it was asked a question."""

    identity = "counting"
    settings = None
    max_concurrency = None

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    async def ask(self, asked: Any, _settings: Any, _top_k: int) -> Answer:
        """Answer with the number of this call."""
        self.asked[asked.id] += 1
        return Answer(text=f"answer {self.asked[asked.id]}")

    async def close(self) -> None:
        """Nothing to close."""


def keys(plan: Plan, **options: Any) -> list[str]:
    """The keys of the cases of a plan."""
    return [case.key for case in plan.cases(**options)]


def test_one_draw_is_the_plan_itself():
    """Nothing differs: keys, fingerprints and the stored plan are those of a run without draws."""
    plan = make_plan()
    assert repeated_plan(plan, 1) is plan
    assert all(case.run is None for case in plan.cases())


def test_the_first_draw_keeps_its_key_and_later_ones_add_their_number():
    """All first draws come first, all draws have the fingerprint of their case."""
    plan = make_plan()
    repeated = repeated_plan(plan, 3)
    once = list(plan.cases())
    cases = list(repeated.cases())
    first, *later = (cases[start : start + len(once)] for start in range(0, len(cases), len(once)))
    assert [case.key for case in first] == keys(plan)
    for number, draw in enumerate(later, 2):
        assert [case.key for case in draw] == [f"{case.key}::run={number}" for case in once]
    assert [case.run for case in cases] == [1] * 4 + [2] * 4 + [3] * 4
    assert [case.fingerprint for case in cases] == [case.fingerprint for case in once] * 3
    assert list(repeated.marks()) == [(case.key, case.fingerprint) for case in cases]
    assert repeated.total == 12
    assert repeated.placements == ("topk=10", "topk=10::run=2", "topk=10::run=3")


def test_a_repeated_plan_goes_on_where_it_stopped():
    """``first``, ``open_keys`` and ``done_keys`` count the cases of all draws."""
    plan = repeated_plan(make_plan(), 3)
    every = keys(plan)
    for first in range(len(every) + 1):
        open_keys, done_keys = {every[0], every[5]}, {every[7], every[11]}
        expected = [
            key
            for place, key in enumerate(every)
            if (key in open_keys if place < first else key not in done_keys)
        ]
        assert keys(plan, first=first, open_keys=open_keys, done_keys=done_keys) == expected


def test_parts_of_a_repeated_plan_have_all_draws_of_their_questions():
    """A question belongs to one part with all its draws, whatever kind of plan it is."""
    whole = repeated_plan(make_plan([question(number) for number in range(5)]), 3)
    for plan in (whole, without_every(whole)):
        parts = [plan_part(plan, Shard(number, 2)) for number in (1, 2)]
        assert sorted(key for part in parts for key in keys(part)) == sorted(keys(whole))
        for part in parts:
            draws = Counter(question_of_key(key) for key in keys(part))
            assert set(draws.values()) == {6}
            assert part.total == sum(draws.values())


@pytest.mark.parametrize("runs", [1, 3])
def test_a_key_is_taken_apart_again(runs: int):
    """The question may contain ``::`` and look like a placement."""
    names = ["q1", "a::b", "x::topk=3", "::", "w::run=2"]
    plan = repeated_plan(make_plan([replace(question(1), id=name) for name in names]), runs)
    for case in plan.cases():
        end = f"::{case.variant.name}::topk=10" + (
            f"::run={case.run}" if (case.run or 1) > 1 else ""
        )
        assert key_parts(case.key) == (case.question.id, case.variant.name, end.split("::", 2)[2])


def test_draws_of_another_top_k_are_rows_of_another_top_k():
    """The message about them names the value and not the number of the draw."""
    recorded = {"q1::on::topk=10", "q1::on::topk=10::run=2"}
    assert other_top_k(recorded, ["topk=5", "topk=5::run=2"]) == (10,)


def test_early_stopping_is_refused():
    """A decision would count the first draw of a question as its value."""
    rule = EarlyStop(metric=Metric(name="m", field="m"), baseline="on")
    with pytest.raises(UseError, match="--stop-early cannot be combined with --runs"):
        repeated_plan(replace(make_plan(), early_stop=rule), 2)


def test_growing_from_one_draw_to_three_asks_only_the_new_draws(tmp_path: Path):
    """The recorded first draws stay to the letter; shrinking leaves the rows in the file."""
    lab, system = Lab(tmp_path), Counting()
    plan = lab.plan(system, 4)
    lab.run(system, plan=plan, settings=ONE_BY_ONE)
    before = lab.journal.read_bytes()
    assert all("run" not in row for row in lab.rows())
    grown = lab.run(
        system, plan=repeated_plan(plan, 3), settings=ONE_BY_ONE, header={"extra": {"runs": 3}}
    )
    assert lab.journal.read_bytes().startswith(before)
    assert grown.asked == 8
    assert [row["run"] for row in lab.rows()[4:]] == [2] * 4 + [3] * 4
    assert {row["answer"] for row in lab.rows_of("q0")} == {"answer 1", "answer 2", "answer 3"}
    stored = read_plan(lab.journal)
    assert stored is not None
    assert all(stored.fingerprint(row["key"]) == row["fingerprint"] for row in lab.rows())
    again = lab.run(system, plan=repeated_plan(plan, 3), header={"extra": {"runs": 3}})
    assert again.asked == 0
    shrunk = lab.run(system, plan=plan)
    assert (shrunk.asked, shrunk.outside) == (0, 8)


def test_a_failed_draw_is_asked_again_alone(tmp_path: Path):
    """The other draws of its question are kept."""
    lab, system = Lab(tmp_path), Counting()
    plan = repeated_plan(lab.plan(system, 3), 2)
    lab.run(system, plan=plan, settings=ONE_BY_ONE)
    lines = lab.journal.read_text().splitlines(keepends=True)
    lab.journal.write_text(
        "".join(line for line in lines if '"q1::plain::topk=10::run=2"' not in line)
    )
    pending = [case.key for case in survey_journal(lab.journal, plan).pending()]
    assert pending == ["q1::plain::topk=10::run=2"]
