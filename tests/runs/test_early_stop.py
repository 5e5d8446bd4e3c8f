"""A run that stops asking a variant once its comparison is decided."""

import asyncio
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import pytest
from msgspec.structs import replace

from assay.config.experiment import RunSettings
from assay.errors import SystemFailed, UseError
from assay.records import Answer, Case, Metric, Question, Score, Tally, Variant
from assay.runs.asking_order import in_order_of_asking, place_of, recorded_order
from assay.runs.early_stop import EarlyStop
from assay.runs.handler import SystemHandler
from assay.systems.scripted import ScriptedSystem
from tests.support.lab import ONE_BY_ONE, Killed, Lab

QUALITY = Metric(name="quality", field="scores.quality")
VARIANTS = ("base", "good", "same")
SHARES = {"base": 0.3, "good": 0.8, "same": 0.3}
COUNT = 120
ORDER = sorted((f"q{number}" for number in range(COUNT)), key=lambda name: place_of(name, 0))


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
    options.setdefault("handler", Scoring(system))
    return lab.run(system, plan=replace(plan, early_stop=rule), **options)


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


def test_a_finished_run_asks_nothing_and_another_margin_asks_what_it_spared(lab: Lab):
    """Spared cases are done for this rule only."""
    rule = EarlyStop(metric=QUALITY, baseline="base", margin=0.9)
    run(lab, ScriptedSystem(answer), rule)
    again = ScriptedSystem(answer)
    assert run(lab, again, rule).is_complete
    assert again.asked == []
    before = Counter(statuses(lab).values())
    run(lab, again, replace(rule, margin=0.0))
    assert Counter(statuses(lab).values())["spared"] < before["spared"]
    assert again.asked != []


def test_without_the_rule_everything_is_asked(lab: Lab):
    """A run that shall ask all questions asks the spared ones too."""
    run(lab, ScriptedSystem(answer))
    system = ScriptedSystem(answer)
    questions = [Question(id=f"q{number}", text="why?") for number in range(COUNT)]
    result = lab.run(system, plan=lab.plan_of(questions, system), handler=Scoring(system))
    assert result.tally.scored == 3 * COUNT
    assert system.asked


def failing_first(lab: Lab, names: Sequence[str], **options: Any) -> ScriptedSystem:
    """Run a system of which one variant fails on these questions; return the next one to run."""

    def failing(question: Question, settings: Mapping[str, Any]) -> Any:
        if settings["name"] == "good" and question.id in names:
            return SystemFailed("out of order")
        return answer(question, settings)

    run(lab, ScriptedSystem(failing), settings=RunSettings(**options))
    return ScriptedSystem(answer)


def decided(lab: Lab) -> set[str]:
    """What the spared cases of the better variant say about its decision."""
    rows = [row for row in lab.rows() if row["status"] == "spared" and row["config"] == "good"]
    return {f"{row['decided']} {row['decided_after']} {row['reason']}" for row in rows}


def test_failed_cases_are_asked_again_and_what_was_decided_in_spite_of_them_stays_decided(lab: Lab):
    """They were taken at their worst; a failure never becomes a case that nobody needed."""
    system = failing_first(lab, ORDER[1:3], concurrency=1)
    ended = statuses(lab)
    failed = [key for key, status in ended.items() if status == "failed"]
    before = decided(lab)
    result = run(lab, system, settings=ONE_BY_ONE)
    assert system.asked == ORDER[1:3]
    assert statuses(lab) == {**ended, **dict.fromkeys(failed, "scored")}
    assert (result.tally.failed, result.is_complete) == (0, True)
    again = ScriptedSystem(answer)
    run(lab, again, settings=ONE_BY_ONE)
    assert again.asked == []
    assert len(before) == 1
    assert decided(lab) == before


def test_a_case_that_fails_again_stays_failed(lab: Lab):
    """It is not counted among the spared ones."""
    failing_first(lab, ORDER[1:3], concurrency=1)
    failing_first(lab, ORDER[1:2], concurrency=1)
    assert [key for key, status in statuses(lab).items() if status == "failed"] == [
        f"{ORDER[1]}::good::topk=10"
    ]


def test_a_decision_is_kept_when_the_answers_of_failed_cases_would_date_it_earlier(lab: Lab):
    """Rows of two runs say the same, even where the second of them knows more."""
    system = failing_first(lab, ORDER[:8], concurrency=1)
    before = decided(lab)
    lab.journal.write_text("".join(lab.journal.read_text().splitlines(keepends=True)[:-3]))
    run(lab, system, settings=ONE_BY_ONE)
    assert len(before) == 1
    assert decided(lab) == before


def test_failures_of_an_earlier_run_that_no_comparison_needs_are_spared(lab: Lab):
    """A run that was to ask everything failed half-way; one that stops early need not repair it."""
    questions = [Question(id=name, text="why?") for name in ORDER]
    broken = ScriptedSystem(
        lambda question, settings: (
            answer(question, settings) if question.id in ORDER[:60] else SystemFailed("gone")
        )
    )
    lab.run(broken, plan=lab.plan_of(questions, broken), handler=Scoring(broken))
    system = ScriptedSystem(answer)
    result = run(lab, system, settings=ONE_BY_ONE)
    spared = {row["config"] for row in lab.rows() if row["status"] == "spared"}
    assert (spared, sorted(system.asked)) == ({"good"}, sorted(2 * ORDER[60:]))
    assert (result.tally.failed, result.is_complete) == (0, True)


def test_what_fewer_questions_decided_stays_decided_with_more(lab: Lab):
    """New questions come after the others; the sequence up to the decision is the same."""
    rule = EarlyStop(metric=QUALITY, baseline="base")
    lab.variants = lab.variants[:2]

    def one_sided(question: Question, settings: Mapping[str, Any]) -> str:
        is_good = settings["name"] == "good"
        return "right" if is_good == (question.id in ORDER[::2]) else "wrong"

    spared = []
    for names in (ORDER[::2], ORDER):
        questions = [Question(id=name, text="why?") for name in names]
        system = ScriptedSystem(one_sided)
        order = in_order_of_asking(questions, rule.seed, recorded_order(lab.journal))
        plan = replace(lab.plan_of(order, system), early_stop=rule)
        result = lab.run(system, plan=plan, handler=Scoring(system), settings=ONE_BY_ONE)
        spared.append(result.tally.spared)
    assert spared[0] > 0
    assert spared[1] == spared[0] + COUNT
    assert system.asked == []


@pytest.mark.parametrize("is_apart", [True, False])
@pytest.mark.parametrize("concurrency", [1, 2, 8])
def test_no_case_is_begun_after_the_decision(lab: Lab, concurrency: int, is_apart: bool):
    """Those that are being asked at that moment end; variants that take turns do so in small blocks."""
    lab.variants = lab.variants[:2]
    events: list[tuple[str, str]] = []

    class Watched(ScriptedSystem):
        one_variant_at_a_time = is_apart

        async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
            events.append(("begun", f"{question.id}::{settings['name']}::topk=10"))
            await asyncio.sleep(0)
            return await super().ask(question, settings, top_k)

    class Watching(Scoring):
        def row(self, case: Case, outcome: Any) -> Any:
            events.append((outcome.__class__.__name__, case.key))
            return super().row(case, outcome)

    system = Watched(answer)
    run(lab, system, handler=Watching(system), settings=RunSettings(concurrency=concurrency))
    (after,) = {row["decided_after"] for row in lab.rows() if row["status"] == "spared"}
    needed = {f"{name}::{variant}::topk=10" for name in ORDER[:after] for variant in VARIANTS[:2]}
    last = max(events.index(("Scored", key)) for key in needed)
    in_flight = [key for kind, key in events[last:] if kind == "begun"]  # taken, not yet at work
    assert len(in_flight) < concurrency
    assert len(set(system.asked)) <= after + concurrency


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


class Corrected(Scoring):
    """The expected answers were corrected: every answer is right."""

    def score(self, case: Case, answer: Answer, verdict: object) -> Mapping[str, Score]:
        """The score by the expected answer of today."""
        return {"quality": 1.0}

    def judge_row(self, case: Case, row: Mapping[str, Any], verdict: Any) -> Mapping[str, Any]:
        """The same for a recorded answer."""
        return {"scores": self.score(case, Answer(text=row["answer"]), None)}


def test_spared_cases_are_asked_when_their_decision_no_longer_holds(lab: Lab):
    """Expected answers were corrected, so that the variants do not differ any more."""
    lab.variants = lab.variants[:2]
    rule = EarlyStop(metric=QUALITY, baseline="base")
    run(lab, ScriptedSystem(answer), rule, settings=ONE_BY_ONE)
    spared = [key for key, status in statuses(lab).items() if status == "spared"]
    system = ScriptedSystem(answer)
    result = run(
        lab,
        system,
        rule,
        settings=ONE_BY_ONE,
        handler=Corrected(system),
        header={"judging": "corrected"},
    )
    assert len(system.asked) == len(spared) > 0
    assert set(statuses(lab).values()) == {"scored"}
    assert result.tally == Tally(scored=2 * COUNT)
    assert (result.is_complete, result.asked) == (True, len(spared))
    again = ScriptedSystem(answer)
    run(lab, again, rule, handler=Corrected(again), header={"judging": "corrected"})
    assert again.asked == []


def test_a_killed_run_of_corrected_answers_goes_on_with_what_is_no_longer_decided(lab: Lab):
    """The answers were judged again, and the run ended before it asked what it had spared."""
    lab.variants = lab.variants[:2]
    run(lab, ScriptedSystem(answer), settings=ONE_BY_ONE)

    class Dying(ScriptedSystem):
        async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
            raise Killed

    corrected = {"settings": ONE_BY_ONE, "header": {"judging": "corrected"}}
    dying = Dying(answer)
    with pytest.raises(Killed):
        run(lab, dying, handler=Corrected(dying), **corrected)
    system = ScriptedSystem(answer)
    run(lab, system, handler=Corrected(system), **corrected)
    assert set(statuses(lab).values()) == {"scored"}


def test_a_decision_that_holds_after_a_correction_spares_the_same_cases(lab: Lab):
    """Judging again asks nothing then."""
    lab.variants = lab.variants[:2]
    run(lab, ScriptedSystem(answer), settings=ONE_BY_ONE)
    before = statuses(lab)
    system = ScriptedSystem(answer)
    run(lab, system, header={"judging": "anew"}, settings=ONE_BY_ONE)
    assert (statuses(lab), system.asked) == (before, [])
