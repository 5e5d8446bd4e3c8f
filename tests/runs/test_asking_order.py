"""The order of asking of a run that stops early is kept, so that its guarantee holds for all runs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from assay.errors import JournalCorrupt, JournalStale, SystemFailed, UseError
from assay.records import Estimand, Metric, Question, Variant
from assay.runs.asking_order import (
    AskingOrder,
    in_order_of_asking,
    ordered_rule,
    read_order,
    recorded_order,
    write_order,
)
from assay.runs.early_stop import EarlyStop
from assay.runs.run import check_run
from assay.runs.write import order_path
from assay.stats.decision import Decisions, ScoreRange, StopRule
from assay.systems.scripted import ScriptedSystem
from tests.runs.test_early_stop import Scoring
from tests.support.lab import ONE_BY_ONE, Killed, Lab

RULE = EarlyStop(metric=Metric(name="quality", field="scores.quality"), baseline="base")
NAMES = [f"q{number}" for number in range(60)]


@pytest.fixture(name="lab")
def _lab(tmp_path: Path) -> Lab:
    lab = Lab(tmp_path)
    lab.variants = tuple(Variant(name=name, settings={"name": name}) for name in ("base", "good"))
    return lab


def answer(question: Question, settings: Mapping[str, Any]) -> Any:
    """Every variant is right in half of the questions, so that nothing is decided."""
    return "right" if int(question.id[1:]) % 2 == (settings["name"] == "good") else "wrong"


def plan_of(lab: Lab, system: Any, rule: EarlyStop, names: list[str]) -> Any:
    """The plan of these questions, in the order that is recorded."""
    questions = [Question(id=name, text="why?") for name in names]
    recorded = recorded_order(lab.journal)
    plan = lab.plan_of(in_order_of_asking(questions, rule.seed, recorded), system)
    return replace(plan, early_stop=rule)


def run(
    lab: Lab,
    rule: EarlyStop = RULE,
    names: list[str] = NAMES,
    system: Any = None,
    **options: Any,
) -> list[str]:
    """Run these questions; return the asked ones in order."""
    system = system or ScriptedSystem(answer)
    plan = plan_of(lab, system, rule, names)
    lab.run(system, plan=plan, handler=Scoring(system), settings=ONE_BY_ONE, **options)
    return list(dict.fromkeys(system.asked))


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (replace(RULE, seed=7), "begun with seed 0, and now it is 7"),
        (replace(RULE, level=0.2), "begun with level 0.05, and now it is 0.2"),
        (replace(RULE, about_set=True), "begun with about questions like these, and now it is"),
        (replace(RULE, baseline="good"), "begun with baseline base"),
        (replace(RULE, metric=Metric(name="other", field="other")), "begun with metric quality"),
    ],
)
def test_another_look_at_the_same_answers_is_refused(lab: Lab, rule: EarlyStop, said: str):
    """Each of them would be another chance to decide. Nothing is written, and --resume fresh helps."""
    run(lab)
    before = lab.files()
    with pytest.raises(JournalStale, match=said) as refused:
        run(lab, rule)
    assert "--resume fresh" in str(refused.value)
    with pytest.raises(JournalStale, match=said):
        check_run(
            plan_of(lab, ScriptedSystem(answer), rule, NAMES),
            lab.journal,
            resume="keep",
        )
    assert lab.files() == before
    if rule.metric == RULE.metric:
        assert run(lab, rule, resume="fresh")


def test_other_variants_are_refused_because_they_share_the_level(lab: Lab):
    """With fewer variants, each would be decided sooner."""
    run(lab)
    lab.variants = (*lab.variants, Variant(name="more", settings={"name": "more"}))
    with pytest.raises(JournalStale, match="variants base, good, and now it is base, good, more"):
        run(lab)


def test_another_margin_or_largest_number_goes_on(lab: Lab):
    """The sequence holds at all times and for all margins at once."""
    assert len(run(lab, replace(RULE, largest=10))) == 10
    assert len(run(lab, replace(RULE, largest=30, margin=0.01))) == 20


def test_more_questions_come_after_all_others(lab: Lab):
    """A larger limit adds to the sequence and never changes its beginning."""
    first = run(lab, names=NAMES[:20])
    second = run(lab, names=NAMES[:40])
    third = run(lab)
    assert [len(each) for each in (first, second, third)] == [20, 20, 20]
    assert recorded_order(lab.journal) == [*first, *second, *third]
    assert first != sorted(first, key=NAMES.index)


def test_a_killed_run_keeps_the_places_of_what_it_did_not_ask(lab: Lab):
    """Questions of a larger limit come after them."""

    class Dying(ScriptedSystem):
        async def ask(self, *question: Any) -> Any:
            if len(self.asked) == 9:
                raise Killed
            return await super().ask(*question)

    with pytest.raises(Killed):
        run(lab, names=NAMES[:20], system=Dying(answer))
    planned = recorded_order(lab.journal)
    run(lab)
    assert recorded_order(lab.journal)[:20] == planned


def test_fewer_questions_are_refused_once_they_were_asked(lab: Lab):
    """The same answers without some of them are another sequence."""
    run(lab, names=NAMES[:20])
    with pytest.raises(JournalStale, match="10 questions that it asked are not among"):
        run(lab, names=NAMES[:10])


def test_a_question_that_was_never_asked_may_go_and_loses_its_place(lab: Lab):
    """When it comes back, it comes after those that were asked meanwhile."""
    first = run(lab, replace(RULE, largest=5), NAMES[:20])
    gone = next(name for name in recorded_order(lab.journal) if name not in first)
    run(lab, names=[name for name in NAMES[:20] if name != gone])
    run(lab, names=NAMES[:20])
    assert recorded_order(lab.journal)[-1] == gone


def test_decisions_about_this_set_need_the_same_set(lab: Lab):
    """A larger set is another claim, of which the first questions are no random part."""
    rule = replace(RULE, about_set=True)
    run(lab, rule, NAMES[:20])
    with pytest.raises(JournalStale, match="about this set of questions, and the set has changed"):
        run(lab, rule)


def test_a_run_of_everything_in_between_does_not_lose_the_order(lab: Lab):
    """Its header does not speak of early stopping, and its plan is in another order."""
    run(lab, names=NAMES[:20])
    system = ScriptedSystem(lambda *_: SystemFailed("down"))
    lab.run(system, 60, handler=Scoring(system))
    with pytest.raises(JournalStale, match="begun with seed 0"):
        run(lab, replace(RULE, seed=1))


def test_an_unreadable_order_is_named(lab: Lab):
    """It is not taken for a missing one: the guarantee would be gone silently."""
    run(lab)
    order_path(lab.journal).write_text("{", encoding="utf-8")
    with pytest.raises(JournalCorrupt, match=r"lab\.order\.jsonl: not the order of a run"):
        read_order(lab.journal)


def order_of_growing_limits(names: list[str], limits: range, seed: int) -> list[str]:
    """The order after runs with more and more questions; each begins with the one before."""
    recorded: list[str] = []
    for limit in limits:
        questions = [Question(id=name, text="") for name in names[:limit]]
        order = [each.id for each in in_order_of_asking(questions, seed, recorded)]
        assert order[: len(recorded)] == recorded
        recorded = order
    return recorded


def test_growing_limits_decide_wrongly_no_more_often_than_the_level_says():
    """There is no difference; a decision at any limit is one at some place of the last order."""
    rng, names = np.random.default_rng(0), [f"q{number}" for number in range(120)]
    runs, wrong = 40, 0
    for seed in range(runs):
        order = order_of_growing_limits(names, range(20, 121, 20), seed)
        decisions = Decisions(StopRule(), "base", ("base", "good"), order)
        for name in order:
            for variant, score in zip(("base", "good"), rng.integers(0, 2, 2), strict=True):
                decisions.note(name, variant, ScoreRange(float(score), float(score)))
        wrong += decisions.comparisons["good"].end().verdict != "undecided"
    assert wrong <= 0.05 * runs


def of_documents(documents: int, each: int) -> list[Question]:
    """Questions on documents, sorted by document as files are."""
    return [
        Question(id=f"q{document}-{number}", text="why?", source=f"d{document}.md")
        for document in range(documents)
        for number in range(each)
    ]


def documents_run(lab: Lab, questions: list[Question], chosen: Estimand | None) -> list[str]:
    """Run these questions about what is chosen; return the asked ones in order."""
    system = ScriptedSystem(answer_number)
    rule, ordered = ordered_rule(RULE, questions, read_order(lab.journal), chosen)
    plan = replace(lab.plan_of(ordered, system), early_stop=rule)
    lab.run(system, plan=plan, handler=Scoring(system), settings=ONE_BY_ONE)
    return list(dict.fromkeys(system.asked))


def answer_number(question: Question, settings: Mapping[str, Any]) -> Any:
    """Half of the questions of each document are right with either variant."""
    is_odd = int(question.id.partition("-")[2]) % 2 == 1
    return "right" if is_odd == (settings["name"] == "good") else "wrong"


def test_about_documents_like_these_whole_documents_follow_each_other(lab: Lab):
    """In an order that is not that of the file, and that is kept with the sizes of documents."""
    questions = of_documents(12, 4)
    asked = documents_run(lab, questions, None)
    documents = [name.partition("-")[0] for name in asked]
    assert len(dict.fromkeys(documents)) == 12
    assert all(len(set(documents[at : at + 4])) == 1 for at in range(0, 48, 4))
    assert documents != sorted(documents, key=lambda name: int(name[1:]))
    stored = read_order(lab.journal)
    assert stored is not None
    assert stored.document_sizes == (4,) * 12
    assert documents_run(lab, questions, None) == []


def test_about_these_documents_questions_are_shuffled_across_them(lab: Lab):
    """A file that is sorted by document is no random sequence."""
    asked = documents_run(lab, of_documents(12, 4), "fixed")
    first = {name.partition("-")[0] for name in asked[:12]}
    assert len(first) > 6
    assert documents_run(lab, of_documents(12, 4), None) == []


@pytest.mark.parametrize(("begun", "now"), [("sample", "fixed"), ("fixed", "sample")])
def test_what_a_run_is_about_cannot_change_while_it_stops_early(
    lab: Lab, begun: Estimand, now: Estimand
):
    """Its order and its decisions rest on it."""
    documents_run(lab, of_documents(12, 4), begun)
    with pytest.raises(JournalStale, match=f"begun with documents {begun}, and now it is {now}"):
        documents_run(lab, of_documents(12, 4), now)


def test_decisions_about_whole_documents_need_the_same_questions(lab: Lab):
    """Another question of a document that has counted would change what it said."""
    documents_run(lab, of_documents(12, 4), "sample")
    with pytest.raises(JournalStale, match="count whole documents, and their questions have"):
        documents_run(lab, of_documents(13, 4), "sample")


def test_a_run_of_an_earlier_version_goes_on_about_its_documents(lab: Lab):
    """It shuffled its questions, whatever documents they are about."""
    questions = of_documents(12, 4)
    documents_run(lab, questions, "fixed")
    stored = read_order(lab.journal)
    assert stored is not None
    rule = {name: value for name, value in stored.rule.items() if name != "documents"}
    write_order(lab.journal, AskingOrder(rule=rule, questions=stored.questions))
    assert documents_run(lab, questions, None) == []
    assert documents_run(lab, [*questions, *of_documents(13, 4)[48:]], None)


@pytest.mark.parametrize(
    ("rule", "documents", "said"),
    [
        (RULE, 9, "documents: sample needs 10 documents, and the questions come from 9"),
        (replace(RULE, about_set=True), 12, "so documents: sample contradicts it"),
    ],
)
def test_sample_is_refused_where_it_cannot_be(rule: EarlyStop, documents: int, said: str):
    """Nothing is asked."""
    with pytest.raises(UseError, match=said):
        ordered_rule(rule, of_documents(documents, 2), None, "sample")


def test_sample_needs_documents():
    """The message names the field."""
    with pytest.raises(UseError, match="in the field source"):
        ordered_rule(RULE, [Question(id=name, text="") for name in NAMES], None, "sample")


def test_only_whole_documents_are_asked_within_the_largest_number(lab: Lab):
    """The rest of a document would decide nothing."""
    rule = replace(RULE, largest=10)
    system = ScriptedSystem(answer_number)
    rule, ordered = ordered_rule(rule, of_documents(12, 4), None, "sample")
    plan = replace(lab.plan_of(ordered, system), early_stop=rule)
    lab.run(system, plan=plan, handler=Scoring(system), settings=ONE_BY_ONE)
    assert len(set(system.asked)) == 8
