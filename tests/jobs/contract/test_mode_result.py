"""Results of the contract-risk tool: modes with results, and metrics with a confusion matrix."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import DatasetError
from assay.jobs.contract.mode_result import (
    is_mode_results,
    mode_figures,
    mode_results,
    read_mode_results,
)


def result(number: int, prediction: Any, truth: Any, **fields: Any) -> dict[str, Any]:
    """A result in the shape of the tool."""
    return {"id": number, "prediction": prediction, "ground_truth": truth, **fields}


def mode(*results: dict[str, Any], **metrics: Any) -> dict[str, Any]:
    """A file with one mode."""
    return {
        "mode_1": {"mode": 1, "mode_name": "完整", "metrics": metrics, "results": list(results)}
    }


def test_results_are_read_with_levels_in_any_of_their_words():
    """Levels are words, objects or lists of risks; anything else is an unparsed prediction."""
    content = mode(
        result(1, "高", "high", correct_risk=True, evidence_valid=True),
        result(2, "low", {"risk_level": "低"}),
        result(3, "解析失败", [{"risk_level": "medium"}], correct_risk=False),
        result(4, None, []),
        result(5, "high", None),
    )
    (read,) = mode_results(content, "r.json")
    assert [(case.prediction, case.truth, case.correct) for case in read.cases] == [
        ("high", "high", True),
        ("low", "low", True),
        (None, "medium", False),
        (None, "low", False),
    ]
    assert (read.key, read.name, read.unread) == ("mode_1", "完整", 1)
    assert read.ignored == ()


def test_fields_that_are_not_known_are_named():
    """Further fields of a mode and of its results are listed, to be said once."""
    content = mode(result(1, "low", "low", reply="…"))
    content["mode_1"]["prompt"] = "x"
    assert mode_results(content, "r.json")[0].ignored == ("prompt", "results.reply")


def test_figures_come_from_the_results():
    """Accuracy, the weighted accuracy, the share parsed and invented evidence are computed."""
    content = mode(
        result(1, "high", "high", evidence_valid=True),
        result(2, "medium", "high", evidence_valid=False),
        result(3, "?", "low"),
    )
    figures = mode_figures(mode_results(content, "r.json")[0])
    assert figures["accuracy"] == pytest.approx(1 / 3)
    assert figures["weighted_accuracy"] == pytest.approx((1 + 0.4 + 0) / 3)
    assert figures["parse_rate"] == pytest.approx(2 / 3)
    assert figures["hallucination_rate"] == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    "matrix",
    [
        [[2, 0, 0], [0, 1, 1], [0, 0, 0]],
        {
            "high": {"high": 2, "medium": 0, "low": 0},
            "medium": {"high": 0, "medium": 1, "low": 1},
            "low": {"high": 0, "medium": 0, "low": 0},
        },
    ],
)
def test_figures_come_from_the_matrix_if_there_are_no_results(matrix: Any):
    """A metrics-only summary gives the macro means by its confusion matrix."""
    content = {"mode_2": {"metrics": {"conf_matrix": matrix, "rule_recall": 0.5}}}
    (read,) = mode_results(content, "r.json")
    figures = mode_figures(read)
    assert figures["accuracy"] == pytest.approx(3 / 4)
    # precision 1, 1, 0; recall 1, 1/2, undefined
    assert figures["macro_precision"] == pytest.approx(2 / 3)
    assert figures["macro_recall"] == pytest.approx(1.5 / 3)
    assert figures["macro_recall_defined"] == pytest.approx(1.5 / 2)
    assert read.metrics == {"rule_recall": 0.5}


@pytest.mark.parametrize(
    ("content", "is_one"),
    [
        (mode(), True),
        ({"conf_matrix": [[1, 0, 0]] * 3, "accuracy": 1}, True),
        ({"mode": 3, "results": []}, True),
        ({"summary": {}, "results": []}, False),
        ({"experiment_name": "x", "job": "review"}, False),
        ({}, False),
        ([], False),
    ],
)
def test_other_files_are_distinguished(content: Any, is_one: bool):
    """Results files and summaries of assay are not taken for such results."""
    assert is_mode_results(content) is is_one


def test_a_repeated_or_missing_id_is_refused(tmp_path: Path):
    """Clauses are paired by id, so each result needs one of its own."""
    path = tmp_path / "r.json"
    path.write_text(json.dumps(mode(result(1, "low", "low"), result(1, "low", "low"))))
    with pytest.raises(DatasetError, match="two results have the id 1"):
        read_mode_results(path)
    path.write_text(json.dumps(mode({"prediction": "low"})))
    with pytest.raises(DatasetError, match="result 1 has no id"):
        read_mode_results(path)
    assert read_mode_results(tmp_path / "absent.json") is None


def test_other_entries_and_odd_types_are_no_refusal(tmp_path: Path):
    """A time beside the modes is ignored; counts and flags may be text; modes may be a list."""
    rows = [{"id": 1, "prediction": "高", "ground_truth": "high", "evidence_valid": "true"}]
    mode = {"mode": 1, "mode_name": "完整", "metrics": {"accuracy": "0.5"}, "results": rows}
    matrix = [["1", 0, 0], [0, 1, 0], [0, 0, 1]]
    contents: list[Any] = [
        {"timestamp": "2024", "mode_1": mode, "mode_2": {"metrics": {"conf_matrix": matrix}}},
        [mode],
    ]
    path = tmp_path / "结果.json"
    for content in contents:
        path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8-sig")
        modes = read_mode_results(path)
        assert modes is not None
        assert (modes[0].key, modes[0].metrics) == ("mode_1", {"accuracy": 0.5})
        assert modes[0].cases[0].evidence_valid is True
    first = mode_results(contents[0], "x")
    assert first[0].ignored == ("timestamp",)
    assert first[1].matrix is not None
    assert not is_mode_results({"summary": {"metrics": {}}, "results": []})


def test_a_mean_over_nothing_does_not_hide_the_file(tmp_path: Path):
    """Python writes ``NaN`` for it: that number is absent, the others are read."""
    path = tmp_path / "results.json"
    path.write_text(json.dumps(mode(result(1, "高", "high"), accuracy=float("nan"), macro_f1=0.5)))
    modes = read_mode_results(path)
    assert modes is not None
    assert modes[0].metrics == {"macro_f1": 0.5}
