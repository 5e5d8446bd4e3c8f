import pytest

from assay.jobs.depth.choice import json_answer
from assay.jobs.depth.score import score_answer
from assay.jobs.depth.spec import METRICS
from assay.records import Metric

FOUR = {"a": "oats", "b": "barley", "c": "rye", "d": "wheat"}


@pytest.mark.parametrize(
    ("reply", "score", "status"),
    [
        ('{"answer": ["b"]}', 1.0, "success"),
        ('{"answer": ["a"]}', 0.0, "success"),
        ('{"answer": ["b", "c"]}', 0.0, "success"),
        ('{"answer": []}', 0.0, "success"),
        ("no idea", 0.0, "parsing_error"),
        ("<think>b, surely", 0.0, "parsing_error"),
        ("<think>Answer: c</think>Answer: b", 1.0, "success"),
    ],
)
def test_a_single_choice_is_right_or_wrong(reply: str, score: float, status: str):
    """Two letters are wrong, not half right; a reply that cannot be read is marked as such."""
    row = score_answer("single_choice", FOUR, ["b"], reply)
    assert (row["score"], row["parsing_status"], row["metrics"]) == (score, status, {})
    assert row["scores"]["score_if_parsed"] == (score if status == "success" else None)


def test_a_multiple_choice_is_scored_by_set_f1():
    """Three letters of which two are right score 0.8, as in published results."""
    row = score_answer("multiple_choice", FOUR, ["b", "c"], '{"answer": ["a", "b", "c"]}')
    assert row["score"] == 0.8
    assert row["metrics"] == {"precision": 2 / 3, "recall": 1.0, "f1_score": 0.8}
    assert row["scores"]["exact"] is False


def test_an_open_answer_keeps_what_matched():
    """The row of an open question records the match with its offsets, or None without a match."""
    row = score_answer("open", {}, ["Бравегунд"], '{"answer": ["Бравегундом"]}')
    assert row["score"] == 1.0
    assert row["matched"] == {
        "accepted": "Бравегунд",
        "said": "Бравегундом",
        "start": 0,
        "end": 11,
    }
    wrong = score_answer("open", {}, ["Олм"], "Не знаю.")
    assert (wrong["score"], wrong["matched"], wrong["parsing_status"]) == (0.0, None, "success")
    assert score_answer("open", {}, ["Олм"], "")["parsing_status"] == "parsing_error"


def test_thoughts_are_no_part_of_a_reply():
    """Thoughts are removed from a reply, even if their start or end mark is missing."""
    for reply in ('<think>{"answer": ["a"]}</think>\n{"answer": ["b"]}', "a or b</think> b"):
        assert score_answer("single_choice", FOUR, ["b"], reply)["score"] == 1.0
    cut = score_answer("single_choice", FOUR, ["a"], "<thinking>a")
    assert cut["parsing_status"] == "parsing_error"


def test_deep_or_endless_brackets_are_no_trouble():
    """Thousands of brackets are read quickly and without an error."""
    assert json_answer('{"a":' * 5000 + '{"answer": "b"}') == "b"
    assert str(json_answer("{" * 100_000)) == "UNSET"


def test_every_metric_points_at_a_number_of_the_row():
    """Every metric reads a field of the row, except those that the runner and the job supply."""
    row = score_answer("single_choice", FOUR, ["b"], '{"answer": ["b"]}')
    supplied_elsewhere = {"elapsed_s", "truncated", "ttft_s"}
    for metric in METRICS:
        assert isinstance(metric, Metric)
        if metric.field not in supplied_elsewhere:
            value = row
            for key in metric.field.split("."):
                value = value[key]
            assert isinstance(value, bool | float)
