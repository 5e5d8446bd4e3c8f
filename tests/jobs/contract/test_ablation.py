from typing import Any

import msgspec
import pytest

from assay.jobs.answers.handler import score_answer
from assay.jobs.answers.spec import METRICS
from assay.records import Answer, Passage

PASSAGES = (Passage(id="x", page=1, rank=2), Passage(id="a", page=2, rank=1))


def value_at(row: dict[str, Any], field: str) -> Any:
    """The value of a metric's field in a row."""
    for key in field.split("."):
        row = row[key]
    return row


def test_a_row_has_every_field_of_the_format():
    """The flat fields have the names and values that the row format prescribes."""
    row = score_answer(("a", "b"), True, Answer(text="Thirty days [2].", passages=PASSAGES))
    assert row.pop("scores")
    assert row == {
        "citation_numbers": [2],
        "citation_range_ok": True,
        "cite_ok": True,
        "cited_chunk_ids": ["a"],
        "retrieved_chunk_ids": ["x", "a"],
        "gold_chunk_ids": ["a", "b"],
        "gold_metrics": {
            "gold_hit_any": True,
            "gold_hit_all": False,
            "gold_coverage": 0.5,
            "gold_precision": 0.5,
            "gold_mrr": 1.0,
            "gold_ndcg": pytest.approx(0.613147, abs=1e-6),
        },
        "abstained": False,
    }


def test_a_question_without_gold_does_not_change_the_averages():
    """Without gold the flat fields are 0.0 and false, and the scores to average are undefined."""
    row = score_answer((), None, Answer(text="Thirty days [2].", passages=PASSAGES))
    assert row["gold_metrics"]["gold_coverage"] == 0.0
    gold = {name: value for name, value in row["scores"].items() if name.startswith("gold_")}
    assert len(gold) == 6
    assert set(gold.values()) == {None}
    assert row["scores"]["cite_ok"] is True


@pytest.mark.parametrize(
    ("answerable", "text", "abstained", "answered"),
    [
        (False, "文档未提及", True, None),
        (False, "Thirty days [1].", False, None),
        (True, "The contract is silent on this.", None, False),
        (True, "Thirty days [1].", None, True),
        (None, "文档未提及", None, None),
        (True, " ", None, False),
        (True, "<think>Thirty days.</think>", None, False),
        (False, "", False, None),
    ],
)
def test_abstaining_is_correct_only_if_there_is_no_answer(
    answerable: bool | None, text: str, abstained: bool | None, answered: bool | None
):
    """Answerable and unanswerable questions have separate scores; an empty text is neither."""
    row = score_answer((), answerable, Answer(text=text, passages=PASSAGES))
    assert row["scores"]["abstained_when_unanswerable"] is abstained
    assert row["scores"]["answered_when_answerable"] is answered
    assert row["abstained"] is ("未提及" in text or "silent" in text)


def test_pages_are_citations_in_the_page_style_only():
    """A page in brackets is a valid citation in the page style, and none in the index style."""
    answer = Answer(text="Thirty days (p. 2).", passages=PASSAGES)
    page_style = score_answer(("a",), True, answer, citation_style="page")
    assert (page_style["cite_ok"], page_style["cited_chunk_ids"]) == (True, ["a"])
    index_style = score_answer(("a",), True, answer)
    assert (index_style["cite_ok"], index_style["cited_chunk_ids"]) == (False, [])


def test_every_metric_points_at_a_field_of_the_row():
    """Metric names are unique, and each value is a number, a boolean or undefined."""
    row = score_answer(("a",), True, Answer(text="Thirty days [2].", passages=PASSAGES))
    row = msgspec.json.decode(msgspec.json.encode({**row, "elapsed_s": 1.5, "ttft_s": 0.5}))
    for metric in METRICS:
        value = value_at(row, metric.field)
        assert value is None or isinstance(value, bool | float)
        assert metric.kind != "rate" or value in {None, True, False}
    assert len({metric.name for metric in METRICS}) == len(METRICS)


def test_the_tables_have_the_required_columns():
    """The quality metrics come first, then the latencies, for which lower is better."""
    names = [metric.name for metric in METRICS]
    assert names[:4] == [
        "cite_ok_rate",
        "gold_hit_any_rate",
        "gold_hit_all_rate",
        "avg_gold_coverage",
    ]
    assert names[-4:] == ["avg_latency_s", "p50_latency_s", "p95_latency_s", "ttft_s"]
    assert [metric.better for metric in METRICS[-3:]] == ["lower"] * 3
    assert {metric.field for metric in METRICS[-4:]} == {"elapsed_s", "ttft_s"}


def test_thoughts_are_no_answer():
    """Neither what they cite nor what they are sure of counts."""
    passages = (Passage(id="a"), Passage(id="b"))
    text = "<think>[1] says so, not mentioned [9]</think>It is thirty days [2]."
    row = score_answer(["b"], True, Answer(text=text, passages=passages))
    assert (row["citation_numbers"], row["cited_chunk_ids"], row["cite_ok"]) == ([2], ["b"], True)
    thinks = Answer(text="<think>30 days [1]</think>The document does not say.", passages=passages)
    assert score_answer(["b"], False, thinks)["abstained"] is True
