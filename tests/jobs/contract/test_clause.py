import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import DatasetError
from assay.jobs.contract.classification import RISK_SCORES
from assay.jobs.contract.clause import (
    ClauseQuestion,
    read_clause_file,
    read_clauses,
    read_risk_scores,
)
from assay.jobs.contract.level import LEVELS
from assay.jobs.contract.reviewer import SAMPLE
from assay.records import Question

CLAUSE: dict[str, Any] = {
    "id": "c1",
    "text": "甲方可以随时解除。",
    "ground_truth": {"risk_level": "高"},
}


def write_clauses(path: Path, *clauses: Any) -> Path:
    """Write the clauses as JSON lines."""
    path.write_text("".join(json.dumps(clause) + "\n" for clause in clauses), encoding="utf-8")
    return path


def test_the_sample_is_in_order():
    """The sample has clauses of every level in every language."""
    clauses = read_clauses(SAMPLE / "clauses.jsonl")
    assert len(clauses) >= 60
    kinds = {(clause.language, clause.risk_level) for clause in clauses}
    assert len(kinds) == 9
    assert all(isinstance(clause, Question) and clause.text for clause in clauses)


def test_the_beginning_of_the_sample_is_like_the_whole():
    """For every ``--limit``, the numbers of clauses per level differ by at most two."""
    clauses = read_clauses(SAMPLE / "clauses.jsonl")
    for size in range(3, len(clauses) + 1):
        first = clauses[:size]
        counts = [sum(clause.risk_level == level for clause in first) for level in LEVELS]
        assert max(counts) - min(counts) <= 2
        assert len({clause.language for clause in first}) == 3
    assert len({(clause.language, clause.risk_level) for clause in clauses[:9]}) == 9


@pytest.mark.parametrize(
    ("word", "level"),
    [
        *(("高", "high"), ("中", "medium"), ("低", "low")),
        *(("high", "high"), ("Medium", "medium"), ("LOW", "low")),
        *(("высокий", "high"), ("Средний", "medium"), ("низкий", "low")),
    ],
)
def test_levels_are_spelt_in_three_languages(tmp_path: Path, word: str, level: str):
    """Chinese, English and Russian words for a level give the same level."""
    path = write_clauses(tmp_path / "c.jsonl", {**CLAUSE, "ground_truth": {"risk_level": word}})
    assert read_clauses(path)[0].risk_level == level


def test_everything_a_ground_truth_may_have_is_read(tmp_path: Path):
    """Rules, the main risk, laws and keywords are read; without ``rules`` they are ``None``."""
    truth = {
        "risk_level": "high",
        "rules": ["R1", 2, "R1"],
        "risk_id": "R1",
        "laws": ["L, section 1"],
        "reason_keywords": ["penalty"],
        "note": "passed over",
    }
    clause = {"id": 7, "contract_text": "x", "source": "s", "language": "en", "ground_truth": truth}
    complete, minimal = read_clauses(write_clauses(tmp_path / "c.jsonl", clause, CLAUSE))
    assert complete == ClauseQuestion(
        id="7",
        text="x",
        source="s",
        language="en",
        risk_level="high",
        rules=("R1", "2"),
        risk_id="R1",
        laws=("L, section 1",),
        reason_keywords=("penalty",),
    )
    assert (minimal.rules, minimal.risk_id) == (None, None)


def test_expected_risks_give_the_highest_level(tmp_path: Path):
    """``expected_risks`` gives the highest level; an empty list is low without rules."""
    risks = [
        {"risk_id": "R1", "risk_level": "中", "laws": ["A"]},
        {"risk_id": "R2", "risk_level": "高", "laws": ["A", "B"]},
    ]
    two_risks, no_risk, without_id = read_clauses(
        write_clauses(
            tmp_path / "c.jsonl",
            {"id": "a", "text": "x", "expected_risks": risks},
            {"id": "b", "text": "x", "expected_risks": []},
            {"id": "c", "text": "x", "expected_risks": [{"risk_level": "low"}]},
        )
    )
    assert (two_risks.risk_level, two_risks.rules) == ("high", ("R1", "R2"))
    assert (two_risks.risk_id, two_risks.laws) == ("R1", ("A", "B"))
    assert (no_risk.risk_level, no_risk.rules, no_risk.risk_id) == ("low", (), None)
    assert (without_id.risk_level, without_id.rules) == ("low", None)


def test_an_array_is_read_as_lines_are(tmp_path: Path):
    """An indented JSON array with a byte-order mark gives the same clauses as JSON lines."""
    other = {**CLAUSE, "id": "c2"}
    array = tmp_path / "c.json"
    array.write_text("\ufeff" + json.dumps([CLAUSE, other], indent=2), encoding="utf-8")
    assert read_clauses(array) == read_clauses(write_clauses(tmp_path / "c.jsonl", CLAUSE, other))


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ({"id": None}, "no `id`"),
        ({"text": " "}, "has no text"),
        ({"text": {"a": 3}}, "has no text"),
        ({"ground_truth": None}, "neither `ground_truth` nor"),
        ({"ground_truth": None, "expected_risks": None}, "without risks has an empty list, []"),
        ({"ground_truth": {}}, "no `risk_level`"),
        ({"ground_truth": {"risk_level": "severe"}}, "'severe'; write 高"),
        ({"ground_truth": {"risk_level": 3}}, "not a clause"),
        ({"expected_risks": []}, "keep one of the two"),
        ({"id": "c1"}, "is already at"),
    ],
)
def test_every_fault_names_its_place(tmp_path: Path, fault: dict[str, Any], message: str):
    """An error in JSON lines gives the line, an error in an array gives the index."""
    rows = [CLAUSE, {**CLAUSE, "id": "c2", **fault}]
    lines = write_clauses(tmp_path / "c.jsonl", *rows)
    with pytest.raises(DatasetError) as error:
        read_clauses(lines)
    assert str(error.value).startswith(f"{lines}:2: ")
    assert message in str(error.value)
    array = tmp_path / "c.json"
    array.write_text(json.dumps(rows), encoding="utf-8")
    with pytest.raises(DatasetError) as error:
        read_clauses(array)
    assert str(error.value).startswith(f"{array}: item 1: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no clauses"),
        (b"[]", "no clauses"),
        (b"[{", "not a JSON array"),
        (b"not json\n", ":1: not a clause"),
        (b'{"id": "\xff"}\n', "not UTF-8"),
        (b'["\xff"]', "not UTF-8"),
    ],
)
def test_files_that_hold_no_clauses_say_so(tmp_path: Path, content: bytes, message: str):
    """Empty, broken and wrongly encoded files give a clear message."""
    path = tmp_path / "c.jsonl"
    path.write_bytes(content)
    with pytest.raises(DatasetError, match=message):
        read_clauses(path)


def test_a_missing_file_is_named(tmp_path: Path):
    """A path that does not exist gives a ``DatasetError`` with its name."""
    with pytest.raises(DatasetError, match=r"none\.jsonl: cannot be read"):
        read_clauses(tmp_path / "none.jsonl")


def test_a_table_of_scores_is_read(tmp_path: Path):
    """A file with the default scores equals the default; a score above 1 names its line."""
    path = tmp_path / "scores.yaml"
    path.write_text(
        "high: {high: 1.0, medium: 0.4, low: 0.0}\n"
        "medium: {high: 0.8, medium: 1.0, low: 0.4}\n"
        "low: {high: 0.5, medium: 0.8, low: 1.0}\n"
    )
    assert read_risk_scores(path) == RISK_SCORES
    path.write_text(path.read_text().replace("0.8, medium", "1.8, medium"))
    with pytest.raises(DatasetError, match=r"scores\.yaml:2: medium\.high"):
        read_risk_scores(path)


def test_a_data_set_of_the_contract_tool_is_read_as_it_is(tmp_path: Path):
    """A JSON list with expected risks is read: the highest level, laws as text, no risk is low."""
    risk = {
        "risk_id": "R001",
        "risk_name": "管辖条款不利",
        "risk_type": "争议解决",
        "contract_type": "劳动合同",
        "risk_level": "high",
        "laws": "《民事诉讼法》第三十五条",
    }
    rows = [
        {
            "id": 1,
            "contract_text": "争议由甲方所在地法院管辖。",
            "expected_risks": [risk, {**risk, "risk_id": "R002", "risk_level": "low", "laws": []}],
            "case_type": "positive",
            "source_domain": "labour",
        },
        {
            "id": 2,
            "contract_text": "双方友好协商。",
            "expected_risks": [],
            "case_type": "negative",
            "source_domain": "labour",
            "annotator": "李",
        },
    ]
    path = tmp_path / "data.json"
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    file = read_clause_file(path)
    first, second = file.clauses
    assert (first.id, first.risk_level, first.risk_id) == ("1", "high", "R001")
    assert (first.rules, first.laws) == (("R001", "R002"), ("《民事诉讼法》第三十五条",))
    assert (second.risk_level, second.rules) == ("low", ())
    assert file.rule_levels == {"R001": "high", "R002": "low"}
    assert tuple(map(str, file.notes)) == ("ignored 1 field: annotator",)


def test_odd_types_of_other_tools_are_read(tmp_path: Path):
    """One risk instead of a list, laws as objects, a list of texts, wrapped in data."""
    risk = {
        "risk_id": 7,
        "risk_level": "High",
        "laws": [{"law": "《民法典》", "article": "第一条"}, "《劳动法》第三条"],
    }
    rows = [
        {"id": 1.0, "contract_text": ["a。", "b。"], "expected_risks": risk, "source": {"x": 1}},
        {"id": 2, "contract_text": "c。", "expected_risks": []},
    ]
    for name, indent in (("spread", 1), ("line", None)):
        path = tmp_path / f"{name}.json"
        content = json.dumps({"version": 1, "data": rows}, indent=indent, ensure_ascii=False)
        path.write_text(content.replace("\n", "\r\n"), encoding="utf-8-sig")
        first, second = read_clauses(path)
        assert (first.id, first.text, first.rules) == ("1", "a。\nb。", ("7",))
        assert first.laws == ("《民法典》第一条", "《劳动法》第三条")
        assert (second.id, second.risk_level, second.rules) == ("2", "low", ())


def test_all_faults_of_a_file_are_reported_together(tmp_path: Path):
    """Each faulty clause has a line of its own."""
    path = write_clauses(tmp_path / "c.jsonl", {**CLAUSE, "text": ""}, CLAUSE, {"id": "x"})
    with pytest.raises(DatasetError) as error:
        read_clauses(path)
    assert [line.split(": ")[0][-2:] for line in str(error.value).splitlines()] == [":1", ":3"]
