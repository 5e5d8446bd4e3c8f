"""A run that stops asking a variant once its comparison is decided."""

import asyncio
import random
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import pytest
from msgspec.structs import replace

from assay.config import RunSettings
from assay.errors import SystemFailed, UseError
from assay.records import Answer, Case, Metric, Question, Score, Variant
from assay.runner import EarlyStop, SystemHandler, in_order_of_asking, place_of
from assay.systems import ScriptedSystem
from tests.support.lab import ONE_BY_ONE, Killed, Lab

QUALITY = Metric(name="quality", field="scores.quality")
VARIANTS = ("base", "good", "same")
SHARES = {"base": 0.3, "good": 0.8, "same": 0.3}
COUNT = 120


def is_right(question: str, variant: str) -> bool:
    """Whether the variant knows the answer: always the same, and by chance."""
    draw = blake2b(f"{question} {variant}".encode(), digest_size=4).digest()
    return int.from_bytes(draw, "big") / 2**32 < SHARES[variant]


class Scoring(SystemHandler):
    """Scores right answers 1 and others 0; an answer "?" has no score."""

    def score(self, case: Case, answer: Answer, verdict: object) -> Mapping[str, Score]:
        """The score of the answer."""
        return {"quality": {"right": 1.0, "wrong": 0.0, "beyond": 7.0}.get(answer.text)}

    def row(self, case: Case, outcome: Any) -> Any:
        """The row with the score in its ``scores``."""
        row = super().row(case, outcome)
        row.scores = getattr(outcome, "scores", {})
        return row


def answer(question: Question, settings: Mapping[str, Any]) -> Any:
    """What the variant answers."""
    return "right" if is_right(question.id, settings["name"]) else "wrong"


@pytest.fixture(name="lab")
def _lab(lab: Lab) -> Lab:
    lab.variants = tuple(Variant(name=name, settings={"name": name}) for name in VARIANTS)
    return lab


def run(lab: Lab, system: ScriptedSystem, rule: EarlyStop | None = None, **options: Any) -> Any:
    """Run the questions in the order of asking, until they are decided."""
    rule = rule or EarlyStop(metric=QUALITY, baseline="base")
    questions = [Question(id=f"q{number}", text="why?") for number in range(COUNT)]
    plan = lab.plan_of(in_order_of_asking(questions, rule.seed), system)
    return lab.run(system, plan=replace(plan, early_stop=rule), handler=Scoring(system), **options)


def statuses(lab: Lab) -> dict[str, str]:
    """How each case ended, by its key."""
    return {row["key"]: row["status"] for row in lab.rows()}


def test_a_decided_variant_is_asked_no_further_and_its_cases_count_as_finished(lab: Lab):
    """The better variant is spared after its decision; the other two are asked to the end."""
    system = ScriptedSystem(answer)
    result = run(lab, system, settings=ONE_BY_ONE)
    ended = statuses(lab)
    spared = [key for key, status in ended.items() if status == "spared"]
    assert 0 < len(spared) < COUNT
    assert all("::good::" in key for key in spared)
    assert (result.tally.scored, result.tally.spared) == (3 * COUNT - len(spared), len(spared))
    assert result.is_complete
    assert result.summary.state == "complete"
    assert len(system.asked) == 3 * COUNT - len(spared)
    (reason,) = {row["reason"] for row in lab.rows() if row["status"] == "spared"}
    assert reason == f"better, decided after {COUNT - len(spared)} questions"


def test_more_cases_at_a_time_come_to_the_same_decision(lab: Lab, tmp_path_factory: Any):
    """Answers that overtake each other count in the planned order."""
    run(lab, ScriptedSystem(answer), settings=ONE_BY_ONE)
    other = Lab(tmp_path_factory.mktemp("other"))
    other.variants = lab.variants
    shuffled = random.Random(3)

    class Overtaking(ScriptedSystem):
        async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
            for _ in range(shuffled.randrange(30)):
                await asyncio.sleep(0)
            return await super().ask(question, settings, top_k)

    run(other, Overtaking(answer), settings=RunSettings(concurrency=16))
    reasons = [
        {row["reason"] for row in each.rows() if row["status"] == "spared"} for each in (lab, other)
    ]
    assert reasons[0] == reasons[1] != set()


@pytest.mark.parametrize("asked_before", [1, 60, 150, 200])
def test_a_killed_run_goes_on_to_the_same_decision(lab: Lab, asked_before: int):
    """It asks what is left in the same order, and nothing that was asked before."""

    class Dying(ScriptedSystem):
        async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
            if len(self.asked) == asked_before:
                raise Killed
            return await super().ask(question, settings, top_k)

    first = Dying(answer)
    with pytest.raises(Killed):
        run(lab, first, settings=ONE_BY_ONE)
    second = ScriptedSystem(answer)
    result = run(lab, second, settings=ONE_BY_ONE)
    whole = Lab(lab.folder / "whole")
    whole.folder.mkdir()
    whole.variants = lab.variants
    run(whole, ScriptedSystem(answer), settings=ONE_BY_ONE)
    assert statuses(lab) == statuses(whole)
    assert len(first.asked) + len(second.asked) == result.tally.scored


def test_a_finished_run_asks_nothing_and_another_rule_asks_what_it_spared(lab: Lab):
    """Spared cases are done for this rule only."""
    run(lab, ScriptedSystem(answer))
    again = ScriptedSystem(answer)
    assert run(lab, again).is_complete
    assert again.asked == []
    stricter = EarlyStop(metric=QUALITY, baseline="base", level=1e-12)
    result = run(lab, again, stricter)
    assert set(statuses(lab).values()) == {"scored"}
    assert not result.tally.spared
    assert again.asked != []


def test_without_the_rule_everything_is_asked(lab: Lab):
    """A run that shall ask all questions asks the spared ones too."""
    run(lab, ScriptedSystem(answer))
    system = ScriptedSystem(answer)
    questions = [Question(id=f"q{number}", text="why?") for number in range(COUNT)]
    result = lab.run(system, plan=lab.plan_of(questions, system), handler=Scoring(system))
    assert result.tally.scored == 3 * COUNT
    assert system.asked


def test_failed_cases_are_unknown_and_are_not_asked_again_once_decided(lab: Lab):
    """What was decided in spite of failures stays decided."""
    early = [f"q{number}" for number in range(COUNT)]
    early = sorted(early, key=lambda name: place_of(name, 0))[1:3]

    def failing(question: Question, settings: Mapping[str, Any]) -> Any:
        if settings["name"] == "good" and question.id in early:
            return SystemFailed("out of order")
        return answer(question, settings)

    first = run(lab, ScriptedSystem(failing), settings=ONE_BY_ONE)
    assert first.tally.failed == 2
    decided = {row["reason"] for row in lab.rows() if row["status"] == "spared"}
    system = ScriptedSystem(answer)
    second = run(lab, system, settings=ONE_BY_ONE)
    assert (second.tally.failed, second.is_complete, system.asked) == (0, True, [])
    assert {row["reason"] for row in lab.rows() if row["status"] == "spared"} == decided


def test_the_largest_number_of_questions_ends_an_undecided_comparison(lab: Lab):
    """No variant gets more questions than that."""
    rule = EarlyStop(metric=QUALITY, baseline="base", largest=10)
    run(lab, ScriptedSystem(answer), rule)
    asked = {key.split("::")[0] for key, status in statuses(lab).items() if status == "scored"}
    assert len(asked) == 10


def test_when_all_variants_are_decided_the_baseline_is_spared_too(lab: Lab):
    """There is nothing left to compare it with."""
    lab.variants = lab.variants[:2]
    run(lab, ScriptedSystem(answer), settings=ONE_BY_ONE)
    spared = {key.split("::")[1] for key, status in statuses(lab).items() if status == "spared"}
    assert spared == {"base", "good"}


def test_a_score_beyond_its_bounds_ends_the_run(lab: Lab):
    """The guarantee needs bounds, so it is not given silently without them."""
    with pytest.raises(UseError, match="only a metric between 0 and 1"):
        run(lab, ScriptedSystem(lambda *_: "beyond"))


def test_the_order_looks_random_and_survives_a_larger_set():
    """More questions come in between, and the others keep their order."""
    names = [f"q{number}" for number in range(200)]
    few = [each.id for each in in_order_of_asking([Question(id=n, text="") for n in names[:50]], 1)]
    many = [each.id for each in in_order_of_asking([Question(id=n, text="") for n in names], 1)]
    assert few != names[:50]
    assert [name for name in many if name in set(few)] == few
