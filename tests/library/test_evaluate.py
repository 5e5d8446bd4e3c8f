"""``assay.evaluate``: answers that a program has in memory."""

from pathlib import Path

import pandas as pd
import pytest

import assay
from assay.errors import DatasetError, UseError

ROWS = [
    {"question": "How long?", "answer": "30 days.", "contexts": ["It is thirty days."]},
    {"question": "Who pays?", "answer": "I could not find that.", "contexts": []},
]


def test_a_list_that_grows_goes_on(tmp_path: Path):
    """With a name, the same rows are not scored again."""
    first = assay.evaluate(ROWS, name="answers", root=tmp_path, progress=False)
    assert first.tally.scored == 2
    more = [*ROWS, {"question": "How long?", "answer": "45 days.", "contexts": ["It is thirty."]}]
    second = assay.evaluate(more, name="answers", root=tmp_path, progress=False)
    assert second.tally.scored == 3
    assert len(second.path.read_text(encoding="utf-8").splitlines()) == 3
    values = second.table().set_index("metric")["value"]
    assert values["abstained"] == pytest.approx(1 / 3)
    assert values["unsupported_figure"] == pytest.approx(1 / 2)


def test_a_run_is_shown_by_what_its_answers_say(tmp_path: Path):
    """In a terminal and in a notebook, without a word about right and wrong."""
    run = assay.evaluate(pd.DataFrame(ROWS), name="frame", root=tmp_path, progress=False)
    for shown in (repr(run), run._repr_html_()):
        assert "Which of the 2 answers are right is not known." in shown
        assert "Abstained: 1 of 2" in shown
        assert "Valid citations" not in shown
    assert not run.wrong
    assert not run.failures


def test_two_columns_with_one_name_are_refused(tmp_path: Path):
    """Pandas would keep the last one, whichever that is."""
    rows = pd.DataFrame([["How long?", "30", "45"]], columns=["question", "answer", "answer"])
    with pytest.raises(DatasetError, match="two columns of the table are called 'answer'"):
        assay.evaluate(rows, root=tmp_path)


def test_an_unforeseen_error_leaves_no_masking_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A notebook goes on: what it records next is as it says, and not masked by what failed."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    class Broken:
        def begin(self, progress: object) -> None:
            raise ZeroDivisionError

        case = end = begin

    rows = [{"question": "Who?", "answer": "Ask ivan@example.com."}]
    with pytest.raises(ZeroDivisionError):
        assay.evaluate(rows, name="one", root=tmp_path, progress=Broken(), redact="outputs")
    plain = assay.evaluate(rows, name="two", root=tmp_path, progress=False)
    assert list(plain.rows()["answer"]) == ["Ask ivan@example.com."]


def test_a_scorer_does_not_hide_a_field(tmp_path: Path):
    """A function may have the name of a field of the rows that the job adds."""

    def cites(answer: str) -> float:
        return 0.5

    run = assay.evaluate(ROWS, root=tmp_path, scorers=[cites], progress=False)
    columns = run.rows()
    assert list(columns["cites"]) == [False, False]
    assert list(columns["scores.cites"]) == [0.5, 0.5]


def test_a_damaged_log_is_no_run(tmp_path: Path):
    """The reader of logs says what is wrong, and not that these are rows of a run."""
    log = tmp_path / "log.jsonl"
    log.write_text('{"question": "Who\\ud800", "answer": "x"}\n', encoding="utf-8")
    with pytest.raises(DatasetError, match="half of a character"):
        assay.evaluate(log, root=tmp_path)


def test_what_cannot_be_evaluated_is_said(tmp_path: Path):
    """With the column that is missing; nothing is written."""
    with pytest.raises(UseError, match="name it with --column response=NAME"):
        assay.evaluate([{"question": "How long?"}], root=tmp_path)
    with pytest.raises(UseError, match="nothing to evaluate"):
        assay.evaluate(None, root=tmp_path)
    with pytest.raises(DatasetError, match="the list is empty"):
        assay.evaluate([], root=tmp_path)
    assert not list(tmp_path.rglob("*.jsonl"))
