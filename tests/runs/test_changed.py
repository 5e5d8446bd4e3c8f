"""Answers of an earlier version of an experiment that are asked again."""

import pytest

from assay.errors import JournalStale
from assay.records import Variant
from assay.systems.scripted import ScriptedSystem
from tests.support.lab import Lab, echo


def test_only_the_changed_cases_are_asked_again(lab: Lab):
    """The others keep their answers, and the run is complete without another word."""
    on, off = Variant(name="on", settings={"x": 1}), Variant(name="off", settings={"x": 0})
    lab.variants = (on, off)
    lab.run(ScriptedSystem(echo), 3)
    lab.variants = (Variant(name="on", settings={"x": 2}), off)
    system = ScriptedSystem(echo)
    result = lab.run(system, 3, resume="refresh")
    assert sorted(system.asked) == ["q0", "q1", "q2"]
    assert result.is_complete
    assert (result.tally.scored, result.tally.failed) == (6, 0)
    last = {row["key"]: row for row in lab.rows()}
    assert {row["status"] for row in last.values()} == {"scored"}
    again = ScriptedSystem(echo)
    assert lab.run(again, 3).is_complete
    assert again.asked == []


def test_a_stop_leaves_no_answer_to_what_is_no_longer_asked(lab: Lab):
    """The changed cases count as failed until they are asked, and the next run asks them."""
    lab.run(ScriptedSystem(echo), 2)
    down = ScriptedSystem({f"q{n}": RuntimeError("no") for n in range(2)}, identity="v2")
    result = lab.run(down, 2, resume="refresh")
    assert result.tally.failed == 2
    last = {row["key"]: row for row in lab.rows()}
    assert {row["status"] for row in last.values()} == {"failed"}
    system = ScriptedSystem(echo, identity="v2")
    assert lab.run(system, 2).is_complete
    assert sorted(system.asked) == ["q0", "q1"]


def test_without_the_option_they_are_refused(lab: Lab):
    """The message names the three ways to go on."""
    lab.run(ScriptedSystem(echo), 2)
    with pytest.raises(JournalStale, match=r"--resume refresh .* --resume fresh .* --resume keep"):
        lab.run(ScriptedSystem(echo, identity="v2"), 2)
