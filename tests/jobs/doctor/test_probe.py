"""The doctor asks a question on the way of a run: to the written row."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.errors import CaseSkipped
from assay.jobs.doctor.leak import CheckResult
from assay.jobs.doctor.probe import ask_to_the_row, order_note
from assay.records import Question
from assay.systems.python.system import PythonSystem

QUESTION = Question(id="q", text="How long?")


class Opaque:
    """What JSON cannot hold."""


class Accessor(str):
    """The text of a LangChain message."""

    __slots__ = ()


def found(ask: Callable[..., Any], **options: Any) -> list[CheckResult]:
    """What is found about a callable."""
    return ask_to_the_row(PythonSystem(ask, **options), QUESTION, 60.0, gold=("c3",))


def test_an_answer_that_can_be_written_is_good():
    """Its text is that of the row."""
    (good,) = found(lambda question: Accessor(f"{question} A week.\nOr so."))
    assert good.ok is True
    assert good.what.endswith(" s: How long? A week. Or so.")


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (lambda: {"answer": "x", "extra": {"client": Opaque()}}, "cannot be written as JSON"),
        (lambda: "\ud800", "cannot be written as JSON"),
        (lambda: {"answer": 3}, "no 'answer' that is a string"),
        (lambda: 1 / 0, "the call failed: ZeroDivisionError: division by zero"),
    ],
)
def test_what_fails_a_case_of_a_run_fails_here(reply: Callable[[], Any], message: str):
    """Also what only shows when the row is written."""
    (bad,) = found(lambda question: reply())
    assert bad.ok is False
    assert message in bad.what


def test_a_question_that_is_skipped_is_no_fault():
    """The reason is told."""

    def ask(question: str) -> str:
        raise CaseSkipped("no such quay")

    (note,) = found(ask)
    assert (note.ok, note.what) == (None, "the question was skipped: no such quay")


def test_a_system_that_cannot_be_prepared_is_a_fault():
    """As it would end the run."""

    def prepare() -> None:
        raise OSError("no index")

    (bad,) = found(lambda question: "x", prepare=prepare)
    assert (bad.ok, "prepare() failed: OSError: no index" in bad.what) == (False, True)


def passages(*scores: float | None, start: int = 0) -> list[dict[str, Any]]:
    """Passages c0, c1, … with these scores."""
    named = enumerate(scores, start)
    return [{"id": f"c{n}"} | ({} if s is None else {"score": s}) for n, s in named]


@pytest.mark.parametrize(
    ("listed", "gold", "told"),
    [
        (passages(0.1, 0.2, 0.9), (), "rising scores, from 0.1 to 0.9"),
        (passages(0.1, 0.2, 0.9), ("c2",), "rising scores, from 0.1 to 0.9"),
        (passages(None, None, None, None), ("c2", "c3"), "in the second half of its 4 passages"),
        (passages(0.9, 0.2, 0.1), ("c2",), "in the second half of its 3 passages"),
        (passages(0.1, 0.2, 0.9), ("c0",), ""),  # distances
        (passages(0.9, 0.2, 0.1), (), ""),
        (passages(None, None, None), ("c0", "c2"), ""),
        (passages(0.5, 0.5, 0.5), (), ""),
        (passages(0.1, 0.9), ("c1",), ""),
        ([{**each, "rank": 1} for each in passages(0.1, 0.2, 0.9)], ("c2",), ""),
    ],
)
def test_a_reversed_list_is_noticed(listed: Any, gold: tuple[str, ...], told: str):
    """By rising scores, unless the gold shows that they are distances, or by gold that is late."""
    note = order_note(listed, gold)
    assert (note is not None) is bool(told)
    if note is not None:
        assert told in note.what
        assert 'declare PASSAGES = "prompt_order"' in note.what
        assert note.ok is None


def test_what_is_declared_is_not_noted():
    """With ``PASSAGES`` or ``repack_strategy`` nobody takes the order for the rank."""

    def ask(question: str) -> dict[str, Any]:
        return {"answer": "x", "passages": passages(0.1, 0.2, 0.5, 0.9)}

    assert len(found(ask)) == 2
    assert len(found(ask, passages="prompt_order")) == 1
    assert len(found(ask, settings={"repack_strategy": "reverse"})) == 1
    assert len(found(ask, settings={"repack_strategy": "none"})) == 2
    assert len(found(ask, settings={"repack_strategy": "reverse"}, passages="rank")) == 2


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The journal is temporary."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    found(lambda question: "x")
    assert not list(tmp_path.iterdir())
