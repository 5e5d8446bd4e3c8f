"""Runs with stored verdicts: no judge is called twice for an answer."""

import errno
import os
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import Struct

from assay.errors import JournalWriteFailed
from assay.records import Answer, Case, Score, Tally
from assay.systems.scripted import ScriptedSystem
from tests.support.lab import ONE_BY_ONE, Judged, Killed, Lab, echo, fine, priced


def test_a_full_disk_before_the_verdict_stops_the_run(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    """If a verdict cannot be stored, the run ends as if its row could not be written."""
    real = os.write

    def nearly_full(fd: int, data: Any) -> int:
        if b'"judge":' in bytes(data):
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(fd, data)

    system = ScriptedSystem(echo)
    monkeypatch.setattr(os, "write", nearly_full)
    result = lab.run(system, 3, handler=Judged(system, fine), settings=ONE_BY_ONE)
    monkeypatch.undo()
    assert isinstance(result.stopped, JournalWriteFailed)
    assert "lab.verdicts.jsonl" in str(result.stopped)
    assert result.tally == Tally(answered=1)


@pytest.mark.parametrize("verdict", ["lone \ud800 surrogate", object(), {("a", "b"): 1}])
def test_a_verdict_that_cannot_be_written_fails_its_judging_alone(lab: Lab, verdict: Any):
    """A verdict that JSON cannot represent leaves its case answered; the others are scored."""
    system = ScriptedSystem(echo)
    judge = Judged(system, {"q0": verdict, "q1": "fine", "q2": "fine"})
    result = lab.run(system, 3, handler=judge)
    assert result.tally == Tally(scored=2, answered=1)
    assert lab.rows_of("q0")[-1]["judging_error"]


class Level(Struct, frozen=True):
    """A verdict with a type of its own."""

    name: str
    reasons: tuple[str, ...] = ()


def test_a_verdict_is_the_same_from_the_judge_and_from_the_file(lab: Lab):
    """A scorer gets plain data in both cases, so that it need not know where it is from."""
    system = ScriptedSystem(echo)
    first = Judged(system, lambda *_: Level("high", ("a", "b")))
    lab.run(system, 1, handler=first)
    lab.drop_rows("scored")
    second = Judged(ScriptedSystem({}), fine)
    lab.run(second.system, 1, handler=second)
    assert second.calls == {}
    assert first.scored == second.scored
    assert first.scored[0][1] == {"name": "high", "reasons": ["a", "b"]}


def test_a_verdict_is_stored_with_what_it_is_about(lab: Lab):
    """The file has the key, the hash of the answer, the judge, its verdict and its cost."""
    system = ScriptedSystem(echo)
    lab.run(system, 1, handler=Judged(system, {"q0": {"ok": None}}, identity="m/r1", price=0.5))
    (verdict,) = lab.verdicts()
    assert (verdict["key"], verdict["judge"]) == ("q0::plain::topk=10", "m/r1")
    assert len(verdict["answer_sha256"]) == 16
    assert verdict["verdict"] == {"ok": None}
    assert verdict["usage"]["paid"] == 0.5
    assert verdict["ts"] > 0


def test_the_same_judge_is_not_called_twice_for_an_answer(lab: Lab):
    """If a scored row is lost, its stored verdict is used, and its cost is in the new row."""
    system = priced(0.5)
    first = lab.run(system, 2, handler=Judged(system, fine, price=0.25))
    assert (first.paid, first.judge_paid) == (1.5, 0.5)
    lab.drop_rows("scored")
    stored = (lab.folder / "lab.verdicts.jsonl").read_bytes()
    again = Judged(ScriptedSystem({}), fine, price=0.25)
    result = lab.run(again.system, 2, handler=again)
    assert (again.system.asked, again.calls) == ([], {})
    assert result.tally == Tally(scored=2)
    assert (result.paid, result.judge_paid) == (1.5, 0.5)
    assert lab.rows()[-1]["scores"] == {"verdict": "fine"}
    assert (lab.folder / "lab.verdicts.jsonl").read_bytes() == stored


def test_a_verdict_is_stored_before_its_row(lab: Lab):
    """A run that ends between verdict and row does not call the judge again."""

    class Dying(Judged):
        def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
            raise Killed

    system = ScriptedSystem(echo)
    with pytest.raises(Killed):
        lab.run(system, 1, handler=Dying(system, fine))
    again = Judged(ScriptedSystem({}), fine)
    assert lab.run(again.system, 1, handler=again).is_complete
    assert again.calls == {}


def test_another_judge_is_called(lab: Lab):
    """A verdict counts only for the judge that gave it; both are kept."""
    system = ScriptedSystem(echo)
    lab.run(system, 1, handler=Judged(system, fine, identity="judge-1"))
    lab.drop_rows("scored")
    other = Judged(ScriptedSystem({}), lambda *_: "poor", identity="judge-2")
    lab.run(other.system, 1, handler=other)
    assert other.calls == {"q0": 1}
    assert lab.rows()[-1]["scores"] == {"verdict": "poor"}
    assert [verdict["judge"] for verdict in lab.verdicts()] == ["judge-1", "judge-2"]


def test_another_answer_is_judged_anew(lab: Lab):
    """A verdict counts only for the answer that it was given on."""
    system = ScriptedSystem(echo)
    lab.run(system, 1, handler=Judged(system, fine))
    lab.journal.unlink()
    other = Judged(ScriptedSystem({"q0": "something else"}), fine)
    lab.run(other.system, 1, handler=other)
    assert other.calls == {"q0": 1}
    assert len(lab.verdicts()) == 2


def test_a_fresh_start_sets_the_verdicts_aside(lab: Lab):
    """With ``fresh`` every answer is judged anew, and the old verdicts are kept unchanged."""
    system = ScriptedSystem(echo)
    lab.run(system, 1, handler=Judged(system, fine))
    old = (lab.folder / "lab.verdicts.jsonl").read_bytes()
    judge = Judged(system, fine)
    lab.run(system, 1, handler=judge, resume="fresh")
    assert judge.calls == {"q0": 1}
    (kept,) = lab.folder.glob("lab.verdicts.jsonl.*.old")
    assert kept.read_bytes() == old
