"""Judging recorded answers again, because what they are compared with has changed."""

import json
import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from assay.checks import registered as ruler
from assay.config.experiment import RunSettings
from assay.errors import AccessRefused, CaseSkipped, CeilingReached, TransientError
from assay.models.meter import record_call
from assay.records import SCHEMA_VERSION, Answer, Case, Score, Tally
from assay.runs.handler import SystemHandler
from assay.runs.read import index_journal, last_row_fields
from assay.runs.rejudge import RowCorrection, append_corrections
from assay.runs.write import Journal, summary_path
from assay.systems.scripted import ScriptedSystem
from tests.support.clock import hang, stop_time
from tests.support.lab import ONE_BY_ONE, Killed, Lab

GOLD = {"q0": "a", "q1": "b", "q2": "c"}
CORRECTED = {**GOLD, "q1": "B"}


class Marked(SystemHandler):
    """Compares answers with gold, and recorded answers with the gold of today.

    ``faults`` are raised instead for these questions, each until it is taken out.
    """

    def __init__(
        self,
        system: Any,
        gold: Mapping[str, str],
        *,
        faults: Mapping[str, BaseException] | None = None,
    ) -> None:
        super().__init__(system)
        self.gold = gold
        self.faults = dict(faults or {})
        self.judged: Counter[str] = Counter()

    def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
        """Whether the answer is the gold."""
        return {
            "right": answer.text == self.gold[case.question.id],
            "gold": self.gold[case.question.id],
        }

    def judge_row(self, case: Case, row: Mapping[str, Any], verdict: Any) -> Mapping[str, Any]:
        """The same of a recorded answer."""
        self.judged[case.question.id] += 1
        if case.question.id in self.faults:
            raise self.faults[case.question.id]
        return {"scores": self.score(case, Answer(text=row["answer"]), None)}


class Called(Marked):
    """The same by a judge that calls something for ``price``, and raises the faults there."""

    def __init__(
        self, system: Any, gold: Mapping[str, str], *, price: float | None = None, **options: Any
    ) -> None:
        super().__init__(system, gold, **options)
        self.price = price
        self.identity = "caller-1"
        self.calls: Counter[str] = Counter()

    @property
    def judge_identity(self) -> str:
        """The identity, which a test may change."""
        return self.identity

    async def judge(self, case: Case, answer: Answer) -> Any:
        """The gold, after a call."""
        self.calls[case.question.id] += 1
        if self.price is not None:
            record_call(prompt_tokens=1, completion_tokens=1, cost=self.price)
        if case.question.id in self.faults:
            raise self.faults[case.question.id]
        return self.gold[case.question.id]

    def judge_row(self, case: Case, row: Mapping[str, Any], verdict: Any) -> Mapping[str, Any]:
        """The scores of the verdict."""
        self.judged[case.question.id] += 1
        return {"scores": {"right": row["answer"] == verdict, "gold": verdict}}


def paid_system(**special: Any) -> ScriptedSystem:
    """A system that gives the gold of the start, each answer for 0.5."""
    return ScriptedSystem(
        {name: {"answer": text, "usage": {"cost": 0.5}} for name, text in GOLD.items()} | special
    )


def begin(lab: Lab, count: int = 3, **special: Any) -> None:
    """Run with the gold of the start, judging "v1"."""
    system = paid_system(**special)
    lab.run(system, count, handler=Marked(system, GOLD), header={"judging": "v1"}, aggregate=right)


def right(journal: Path) -> dict[str, Any]:
    """The ids of the questions that were answered right, by their last rows."""
    rows = {row["question_id"]: row for row in map(json.loads, journal.read_bytes().splitlines())}
    scored = [row for row in rows.values() if row["status"] == "scored"]
    return {"right": sorted(row["question_id"] for row in scored if row["scores"]["right"])}


def judge_again(lab: Lab, handler: Marked, count: int = 3, **options: Any) -> Any:
    """Run again with judging "v2", unless the options say otherwise."""
    options.setdefault("header", {"judging": "v2"})
    return lab.run(handler.system, count, handler=handler, aggregate=right, **options)


def test_nothing_is_judged_again_while_nothing_changed(lab: Lab):
    """With the same judging a complete run changes no file and calls no judge."""
    begin(lab)
    before = lab.files()
    handler = Marked(paid_system(), CORRECTED)
    result = judge_again(lab, handler, header={"judging": "v1"})
    assert handler.judged == {}
    assert lab.files() == before
    assert (result.judged, result.unjudged) == (0, "")


def use_ruler(lab: Lab, name: str) -> None:
    """Let the summary say that these rules scored the run."""
    path = summary_path(lab.journal)
    path.write_text(path.read_text(encoding="utf-8").replace(ruler.RULER, name), encoding="utf-8")


@pytest.mark.parametrize("name", ["checks 0", ruler.MIXED])
def test_answers_of_another_ruler_are_scored_again(lab: Lab, name: str):
    """A run that is resumed under other rules scores its recorded answers again and asks only what is left."""
    begin(lab, count=2)
    use_ruler(lab, name)
    handler = Marked(paid_system(), CORRECTED)
    result = judge_again(lab, handler, header={"judging": "v1"})
    assert (handler.judged, result.asked, result.judged) == ({"q0": 1, "q1": 1}, 1, 1)
    assert result.earlier_ruler == name
    assert lab.summary()["extra"]["ruler"] == ruler.RULER
    assert lab.summary()["results"] == {"right": ["q0", "q2"]}
    assert judge_again(lab, handler, header={"judging": "v1"}).earlier_ruler is None


def test_a_ruler_is_stated_only_if_all_answers_have_it(lab: Lab):
    """If some answers of another ruler are not scored again, the summary calls the rules mixed."""
    begin(lab)
    use_ruler(lab, "checks 0")
    handler = Marked(paid_system(), CORRECTED, faults={"q1": ValueError("no gold")})
    result = judge_again(lab, handler, header={"judging": "v1"})
    assert "no gold" in result.unjudged
    assert lab.summary()["extra"]["ruler"] == ruler.MIXED
    assert lab.summary()["judging"] == "v1"


def test_a_kill_while_scoring_again_leaves_the_ruler_mixed(lab: Lab):
    """If the run dies before all answers are scored by the rules of today, no summary claims that they are."""
    begin(lab)
    use_ruler(lab, "checks 0")
    handler = Marked(paid_system(), CORRECTED, faults={"q1": Killed()})
    with pytest.raises(Killed):
        judge_again(lab, handler, header={"judging": "v1"})
    assert lab.summary()["extra"]["ruler"] == ruler.MIXED


def test_rows_that_change_are_appended(lab: Lab):
    """All recorded answers are judged without asking, and only the changed row is written."""
    begin(lab)
    before = lab.journal.read_bytes()
    handler = Marked(paid_system(), CORRECTED)
    result = judge_again(lab, handler)
    assert handler.system.asked == []
    assert handler.judged == {"q0": 1, "q1": 1, "q2": 1}
    assert (result.judged, result.unjudged, result.asked) == (1, "", 0)
    after = lab.journal.read_bytes()
    assert after.startswith(before)
    (row,) = [json.loads(line) for line in after[len(before) :].splitlines()]
    assert (row["question_id"], row["scores"]) == ("q1", {"right": False, "gold": "B"})
    assert result.tally == Tally(scored=3)
    assert result.is_complete


def test_results_and_header_follow(lab: Lab):
    """The summary has the results of the new judging and says what that is."""
    begin(lab)
    assert lab.summary()["results"] == {"right": ["q0", "q1", "q2"]}
    result = judge_again(lab, Marked(paid_system(), CORRECTED))
    assert result.summary.results == {"right": ["q0", "q2"]}
    assert lab.summary()["results"] == {"right": ["q0", "q2"]}
    assert (lab.summary()["judging"], lab.summary()["state"]) == ("v2", "complete")
    before = lab.files()
    handler = Marked(paid_system(), CORRECTED)
    judge_again(lab, handler)
    assert (handler.judged, lab.files()) == ({}, before)


def test_the_header_follows_even_if_no_row_changes(lab: Lab):
    """If all answers are judged as before, no row is written, and they are not judged again."""
    begin(lab)
    before = lab.journal.read_bytes()
    result = judge_again(lab, Marked(paid_system(), GOLD))
    assert (result.judged, lab.journal.read_bytes()) == (0, before)
    assert lab.summary()["judging"] == "v2"


def test_the_bill_is_not_repeated(lab: Lab):
    """A corrected row has no cost, so that the sum over all rows is what was paid."""
    begin(lab)
    result = judge_again(lab, Marked(paid_system(), CORRECTED))
    assert not {"usage", "cost", "paid"} & lab.rows()[-1].keys()
    assert result.paid == index_journal(lab.journal).paid == 1.5


def test_other_fields_of_a_row_are_kept(lab: Lab):
    """Fields that no type of rows names are kept, and so are the time and the fingerprint."""
    begin(lab)
    rows = [{**row, "note": {"by": "hand"}} for row in lab.rows()]
    lab.journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (recorded,) = [row for row in rows if row["question_id"] == "q1"]
    judge_again(lab, Marked(paid_system(), CORRECTED))
    bill = {"usage", "cost", "paid"}
    expected = {name: value for name, value in recorded.items() if name not in bill}
    assert lab.rows()[-1] == {**expected, "scores": {"right": False, "gold": "B"}}


def test_only_scored_cases_of_the_plan_are_judged_again(lab: Lab):
    """Failed, skipped and answered cases, and rows outside the plan, are left out."""
    special = {"q1": ValueError("bad"), "q2": CaseSkipped("no")}
    begin(lab, **special)
    handler = Marked(paid_system(**special), CORRECTED)
    judge_again(lab, handler)
    assert handler.judged == {"q0": 1}
    fewer = Marked(paid_system(), GOLD)
    judge_again(lab, fewer, 0, header={"judging": "v3"})
    assert fewer.judged == {}


def test_answered_cases_are_judged_once_by_the_new_judging(lab: Lab):
    """An answer that was not judged yet is scored in its turn, not judged again before."""

    class Broken(Marked):
        def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
            raise KeyError("gold")

    system = paid_system()
    lab.run(system, 3, handler=Broken(system, GOLD), header={"judging": "v1"})
    handler = Marked(paid_system(), CORRECTED)
    result = judge_again(lab, handler)
    assert (handler.system.asked, handler.judged) == ([], {})
    assert result.summary.results == {"right": ["q0", "q2"]}
    assert result.judged == 3


def test_recorded_answers_are_judged_before_others_are_asked(lab: Lab):
    """A run that goes on judges the recorded answers first, then asks what is missing."""
    begin(lab, 2)
    events: list[str] = []

    class Telling(Marked):
        def judge_row(self, case: Case, row: Mapping[str, Any], verdict: Any) -> Mapping[str, Any]:
            events.append(f"judge {case.question.id}")
            return super().judge_row(case, row, verdict)

    system = ScriptedSystem(lambda question, _: (events.append(f"ask {question.id}"), "c")[1])
    result = judge_again(lab, Telling(system, CORRECTED))
    assert (sorted(events[:2]), events[2:]) == (["judge q0", "judge q1"], ["ask q2"])
    assert result.summary.results == {"right": ["q0", "q2"]}
    assert lab.summary()["judging"] == "v2"


@pytest.mark.parametrize("recorded", [2, 3])
def test_the_header_is_changed_only_when_all_is_judged(lab: Lab, recorded: int):
    """While recorded answers are judged, the file does not say that they are."""
    begin(lab, recorded)
    seen: list[str] = []

    class Looking(Marked):
        def judge_row(self, case: Case, row: Mapping[str, Any], verdict: Any) -> Mapping[str, Any]:
            seen.append(lab.summary()["judging"])
            return super().judge_row(case, row, verdict)

    judge_again(lab, Looking(paid_system(), CORRECTED))
    assert (len(seen), "v2" in seen) == (recorded, False)
    assert lab.summary()["judging"] == "v2"


def test_a_kill_before_all_rows_are_written_judges_the_rest_later(lab: Lab):
    """A run that ends while it judges keeps what it judged; the next run changes the others."""
    begin(lab)
    before = lab.journal.read_bytes()
    wrong = {"q0": "A", "q1": "B", "q2": "C"}
    handler = Marked(paid_system(), wrong, faults={"q1": Killed()})
    with pytest.raises(Killed):
        judge_again(lab, handler, settings=ONE_BY_ONE)
    assert lab.journal.read_bytes().startswith(before)
    assert lab.summary()["judging"] != "v2"
    handler = Marked(paid_system(), wrong)
    assert judge_again(lab, handler).judged == 2
    assert handler.judged == {"q0": 1, "q1": 1, "q2": 1}
    assert lab.summary()["judging"] == "v2"


def test_a_kill_after_the_rows_are_written_writes_them_once(lab: Lab):
    """Judging the corrected rows again changes nothing, so no row is appended twice."""
    begin(lab, 2)
    with pytest.raises(Killed):
        judge_again(lab, Marked(ScriptedSystem({"q2": Killed()}), CORRECTED))
    assert lab.summary()["judging"] != "v2"
    after = lab.journal.read_bytes()
    assert lab.rows()[-1]["scores"] == {"right": False, "gold": "B"}
    handler = Marked(paid_system(), CORRECTED)
    result = judge_again(lab, handler, 2)
    assert handler.judged == {"q0": 1, "q1": 1}
    assert (result.judged, lab.journal.read_bytes()) == (0, after)
    assert lab.summary()["judging"] == "v2"


def test_a_kill_before_the_results_are_computed_computes_them_later(lab: Lab):
    """A summary never has the results of the old judging under the name of the new one."""
    begin(lab)

    def dying(journal: Path) -> dict[str, Any]:
        raise Killed

    handler = Marked(paid_system(), CORRECTED)
    with pytest.raises(Killed):
        lab.run(handler.system, 3, handler=handler, header={"judging": "v2"}, aggregate=dying)
    result = judge_again(lab, Marked(paid_system(), CORRECTED))
    assert result.summary.results == {"right": ["q0", "q2"]}
    assert lab.summary()["results"] == {"right": ["q0", "q2"]}


def test_rows_of_two_judgings_are_never_mixed(lab: Lab):
    """Going back to the old judging after a killed run judges the rows of that run again."""
    begin(lab, 2)
    handler = Marked(paid_system(q3=Killed()), {**GOLD, "q2": "C"})
    with pytest.raises(Killed):
        judge_again(lab, handler, 4, settings=ONE_BY_ONE)
    assert lab.rows()[-1]["scores"] == {"right": False, "gold": "C"}
    result = judge_again(lab, Marked(paid_system(), GOLD), header={"judging": "v1"})
    assert result.summary.results == {"right": ["q0", "q1", "q2"]}


def test_rows_judged_beside_a_problem_are_judged_again_later(lab: Lab):
    """After judging again failed, new rows have the new judging; going back judges them too."""
    begin(lab, 2)
    changed = {**GOLD, "q2": "C"}
    judge_again(lab, Marked(paid_system(), changed, faults={"q0": ValueError("no")}))
    result = judge_again(lab, Marked(paid_system(), GOLD), header={"judging": "v1"})
    assert result.summary.results == {"right": ["q0", "q1", "q2"]}


def test_a_problem_leaves_the_old_row_and_is_told(lab: Lab):
    """The row of that case stays, the others are corrected, and the next run tries again."""
    begin(lab)
    gold = {"q0": "A", "q1": "B", "q2": "C"}
    handler = Marked(paid_system(), gold, faults={"q1": ValueError("no gold")})
    result = judge_again(lab, handler)
    assert (result.judged, result.unjudged) == (2, "scorer: ValueError: no gold")
    assert sorted(row["question_id"] for row in lab.rows()[3:]) == ["q0", "q2"]
    assert lab.summary()["judging"] != "v2"
    assert result.tally == Tally(scored=3)
    again = Marked(paid_system(), gold)
    result = judge_again(lab, again)
    assert (again.judged["q1"], result.judged, result.unjudged) == (1, 1, "")
    assert (lab.summary()["judging"], lab.summary()["results"]) == ("v2", {"right": []})


def test_transient_failures_are_tried_again(lab: Lab):
    """Judging again is retried like asking; a failure that passes is no problem."""
    begin(lab)

    class Shaky(Called):
        async def judge(self, case: Case, answer: Answer) -> Any:
            self.faults = {"q1": TransientError("reset")} if not self.calls["q1"] else {}
            return await super().judge(case, answer)

    handler = Shaky(paid_system(), CORRECTED)
    result = judge_again(lab, handler)
    assert handler.calls == {"q0": 1, "q1": 2, "q2": 1}
    assert (result.judged, result.unjudged) == (1, "")


def test_judging_again_has_a_deadline(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    """A judge that never answers is a problem of its row."""
    stop_time(monkeypatch)
    begin(lab)

    class Hanging(Called):
        async def judge(self, case: Case, answer: Answer) -> Any:
            if case.question.id == "q0":
                await hang()
            return await super().judge(case, answer)

    result = judge_again(
        lab, Hanging(paid_system(), CORRECTED), settings=RunSettings(timeout_s=0.2)
    )
    assert (result.judged, result.unjudged) == (1, "timeout: no answer within 0.2 s")


def test_a_limit_that_is_reached_ends_judging_again(lab: Lab):
    """If the cost limit was reached before, nothing is judged, and the result says so."""
    begin(lab)
    before = lab.journal.read_bytes()
    handler = Marked(paid_system(), CORRECTED)
    result = judge_again(lab, handler, settings=RunSettings(max_cost=1.0))
    assert isinstance(result.stopped, CeilingReached)
    assert handler.judged == {}
    assert result.unjudged == "the run ended"
    assert lab.journal.read_bytes() == before
    assert lab.summary()["judging"] != "v2"


def test_a_refused_key_while_judging_again_stops_the_run(lab: Lab):
    """The run ends with its reason, nothing is asked, and the old rows and header stay."""
    begin(lab, 2)
    before = lab.journal.read_bytes()
    handler = Called(paid_system(), CORRECTED, faults={"q0": AccessRefused("no key")})
    result = judge_again(lab, handler, settings=ONE_BY_ONE)
    assert isinstance(result.stopped, AccessRefused)
    assert handler.system.asked == []
    assert lab.journal.read_bytes().startswith(before)
    assert lab.summary()["judging"] != "v2"
    assert lab.summary()["state"] == "partial"
    assert judge_again(lab, Marked(paid_system(), CORRECTED)).judged == 1


def test_a_case_cannot_be_skipped_while_it_is_judged_again(lab: Lab):
    """``CaseSkipped`` is a problem of its row, not the end of the run."""
    begin(lab)
    handler = Called(paid_system(), CORRECTED, faults={"q0": CaseSkipped("too long")})
    result = judge_again(lab, handler)
    assert result.judged == 1
    assert "too long" in result.unjudged


def test_the_cost_of_judging_again_is_counted(lab: Lab):
    """What the judge's calls cost is known afterwards, apart from the cost of the system."""
    begin(lab)
    handler = Called(paid_system(), {"q0": "A", "q1": "B", "q2": "C"}, price=0.25)
    result = judge_again(lab, handler)
    assert (result.paid, result.judge_paid) == (2.25, 0.75)
    assert (lab.summary()["paid"], lab.summary()["judge_paid"]) == (2.25, 0.75)
    assert index_journal(lab.journal).paid == 2.25


def test_the_cost_of_judging_again_can_reach_the_limit(lab: Lab):
    """Once the limit is reached, no further recorded answer is judged."""
    begin(lab)
    handler = Called(paid_system(), {"q0": "A", "q1": "B", "q2": "C"}, price=10.0)
    result = judge_again(lab, handler, settings=RunSettings(max_cost=2.0, concurrency=1))
    assert isinstance(result.stopped, CeilingReached)


def test_a_run_of_the_first_version_is_judged_again(lab: Lab):
    """A summary of version 1 does not say by what its answers were judged."""
    begin(lab)
    summary = lab.summary()
    del summary["judging"]
    (lab.folder / "lab.json").write_text(json.dumps({**summary, "schema_version": 1}))
    handler = Marked(paid_system(), CORRECTED)
    result = judge_again(lab, handler, header={"judging": "v1"})
    assert (handler.system.asked, result.judged) == ([], 1)
    assert (lab.summary()["judging"], lab.summary()["schema_version"]) == (
        "v1",
        SCHEMA_VERSION,
    )


def test_a_job_that_does_not_judge_again_is_left_alone(lab: Lab):
    """Without ``judging`` in the header, recorded answers stay as they are."""
    begin_system = paid_system()
    lab.run(begin_system, 3, handler=Marked(begin_system, GOLD))
    handler = Marked(paid_system(), CORRECTED)
    judge_again(lab, handler, header={})
    assert handler.judged == {}


def test_rows_outside_the_plan_are_judged_again_when_they_return(lab: Lab):
    """A smaller plan judges only its own rows again; the others follow once they are planned."""
    begin(lab)
    wrong = {"q0": "A", "q1": "B", "q2": "C"}
    handler = Marked(paid_system(), wrong)
    judge_again(lab, handler, 1)
    assert lab.summary()["judging"] != "v2"
    judge_again(lab, Marked(paid_system(), wrong))
    assert (lab.summary()["judging"], lab.summary()["results"]) == ("v2", {"right": []})


def test_each_row_is_written_as_soon_as_it_is_judged_again(lab: Lab):
    """A run that is killed while it judges again has recorded what was judged before."""
    begin(lab)
    wrong = {"q0": "A", "q1": "B", "q2": "C"}
    handler = Called(paid_system(), wrong, faults={"q1": Killed()}, price=0.25)
    with pytest.raises(Killed):
        judge_again(lab, handler, settings=ONE_BY_ONE)
    assert index_journal(lab.journal).paid == 1.75
    assert [row["question_id"] for row in lab.rows()[3:]] == ["q0"]


def test_fields_that_cannot_be_written_are_a_problem_of_their_row(lab: Lab):
    """The other rows are judged again, and the old row stays."""
    begin(lab)

    class Odd(Marked):
        def judge_row(self, case: Case, row: Mapping[str, Any], verdict: Any) -> Mapping[str, Any]:
            fields = super().judge_row(case, row, verdict)
            return {"odd": object()} if case.question.id == "q0" else fields

    result = judge_again(lab, Odd(paid_system(), {"q0": "A", "q1": "B", "q2": "C"}))
    assert (result.judged, "cannot be written" in result.unjudged) == (2, True)


def test_a_verdict_is_stored_and_never_asked_for_twice(lab: Lab):
    """A judge whose verdicts exist is not called when its turn comes again, nor paid again."""
    begin(lab)
    system = paid_system()
    first = Called(system, CORRECTED, price=0.25)
    judge_again(lab, first, header={"judging": "x"})
    second = Called(system, GOLD, price=0.25)
    second.identity = "caller-2"
    judge_again(lab, second, header={"judging": "y"})
    third = Called(system, CORRECTED, price=0.25)
    result = judge_again(lab, third, header={"judging": "x"})
    assert (first.calls.total(), second.calls.total(), third.calls.total()) == (3, 3, 0)
    assert result.summary.results == {"right": ["q0", "q2"]}
    assert result.judge_paid == 1.5
    assert index_journal(lab.journal).paid == 1.5 + 1.5


def test_a_verdict_stored_before_a_kill_is_paid_for_once(lab: Lab):
    """The next run uses it without a call, and records what it cost."""
    begin(lab)

    class Dying(Called):
        def judge_row(self, case: Case, row: Mapping[str, Any], verdict: Any) -> Mapping[str, Any]:
            raise Killed

    with pytest.raises(Killed):
        judge_again(lab, Dying(paid_system(), CORRECTED, price=0.25), settings=ONE_BY_ONE)
    assert index_journal(lab.journal).paid == 1.5
    handler = Called(paid_system(), CORRECTED, price=0.25)
    result = judge_again(lab, handler, settings=ONE_BY_ONE)
    assert handler.calls == {"q1": 1, "q2": 1}
    assert result.judge_paid == 0.75


@pytest.mark.parametrize("fault", [CaseSkipped("no"), AccessRefused("no key")])
def test_what_a_judge_cost_before_it_gave_up_is_recorded(lab: Lab, fault: BaseException):
    """The row is appended with the cost, and stays as it was."""
    begin(lab, 1)
    handler = Called(paid_system(), CORRECTED, faults={"q0": fault}, price=0.25)
    result = judge_again(lab, handler, 1)
    assert result.judge_paid == 0.25
    assert (lab.rows()[-1]["judge_paid"], lab.rows()[-1]["scores"]["gold"]) == (0.25, "a")


def test_another_judge_judges_recorded_answers_again(lab: Lab):
    """Its identity belongs to what answers are compared with, whatever the header says."""
    system = paid_system()
    lab.run(system, 2, handler=Called(system, GOLD))
    second = Called(system, GOLD)
    second.identity = "caller-2"
    result = lab.run(system, 2, handler=second)
    assert (second.calls.total(), result.asked) == (2, 0)


ROW = {
    "key": "a",
    "status": "scored",
    "score": 0.0,
    "usage": {"calls": 1},
    "cost": 2.0,
    "paid": 2.0,
}
OTHER = {"key": "b", "status": "scored", "score": 1.0, "paid": 0.5}


def journal_of(path: Path, *rows: dict[str, Any]) -> Path:
    """Write a journal with these rows."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def append(journal: Path, corrections: list[tuple[dict[str, Any], dict[str, Any]]]) -> int:
    """Open the journal and append corrections."""
    with Journal.open(journal) as opened:
        return append_corrections(
            opened, [RowCorrection(row=row, fields=fields) for row, fields in corrections]
        )


def test_a_changed_row_is_appended_without_its_bill(tmp_path: Path):
    """The corrected row replaces the old one, and the cost is still counted once."""
    journal = journal_of(tmp_path / "a.jsonl", ROW, OTHER)
    corrections = [(ROW, {"score": 1.0, "why": ("new",)}), (OTHER, {"score": 1.0})]
    assert append(journal, corrections) == 1
    lines = journal.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert json.loads(lines[-1]) == {"key": "a", "status": "scored", "score": 1.0, "why": ["new"]}
    assert last_row_fields(journal)["a"]["score"] == 1.0
    assert index_journal(journal).paid == 2.5


def test_where_nothing_changes_nothing_is_written(tmp_path: Path):
    """Fields are compared as JSON; without a change nothing is written."""
    row = {**ROW, "why": ["old"]}
    journal = journal_of(tmp_path / "a.jsonl", row)
    before = journal.read_bytes()
    assert append(journal, [(row, {"why": ("old",)})]) == 0
    assert journal.read_bytes() == before
    assert append(journal, []) == 0
    assert journal.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_the_bill_of_the_judge_is_not_repeated(tmp_path: Path):
    """The cost of judging is summed over all rows like that of the system."""
    row = {**ROW, "judge_usage": {"calls": 2}, "judge_cost": 0.5, "judge_paid": 0.25}
    journal = journal_of(tmp_path / "a.jsonl", row)
    assert append(journal, [(row, {"score": 1.0})]) == 1
    assert not {name for name in last_row_fields(journal)["a"] if "judge" in name}
    assert index_journal(journal).paid == 2.25


def test_unknown_fields_are_kept(tmp_path: Path):
    """A corrected row has all fields of the recorded one that no correction names."""
    row = {**OTHER, "note": {"by": "hand"}, "later": [1, None]}
    journal = journal_of(tmp_path / "a.jsonl", row)
    append(journal, [(row, {"score": 0.0})])
    expected = {name: value for name, value in row.items() if name != "paid"}
    assert last_row_fields(journal)["b"] == {**expected, "score": 0.0}


def test_corrections_are_one_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """All corrected rows are appended together, so that a kill leaves none or all of them."""
    journal = journal_of(tmp_path / "a.jsonl", ROW, OTHER)
    writes: list[bytes] = []
    real = os.write

    def recording(fd: int, data: Any) -> int:
        writes.append(bytes(data))
        return real(fd, data)

    with Journal.open(journal) as opened:
        monkeypatch.setattr(os, "write", recording)
        append_corrections(
            opened,
            [RowCorrection(row=row, fields={"score": 5}) for row in (ROW, OTHER)],
        )
        monkeypatch.undo()
    assert len(writes) == 1
    assert writes[0].count(b"\n") == 2
