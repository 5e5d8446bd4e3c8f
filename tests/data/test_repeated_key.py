"""A key that is twice in one object: of two values, none is the file's; every reader refuses it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data.jsonl import RepeatedKey, repeated_key
from assay.data.question import read_questions
from assay.errors import DatasetError
from assay.jobs.contract.clause import read_clause_file
from assay.jobs.contract.law import read_law_file
from assay.jobs.depth.question import read_question_file
from assay.jobs.legal.benchmark_check import check_benchmark
from assay.jobs.quality.question import read_quality_file
from assay.judge.exchange import import_labels
from assay.judge.label_store import read_labels

VALUES = st.recursive(
    st.none() | st.text() | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


def labels_of(path: Path) -> Any:
    """Import a file of labels into another one."""
    return import_labels(path, path.with_name("into.jsonl"))


@pytest.mark.parametrize(
    ("read", "name", "second"),
    [
        (read_questions, "q.jsonl", '{"id": "b", "question": "Who?", "answer": "x", "answer": 1}'),
        (
            read_questions,
            "q.jsonl",
            '{"id": "b", "question": "W?", "gold": [{"text": "x", "text": "y", "source": "s"}]}',
        ),
        (
            read_questions,
            "q.json",
            '{"questions": [{"id": "b",\n"question": "W?", "answer": "x", "answer": "y"}]}',
        ),
        (
            read_quality_file,
            "q.jsonl",
            '{"id": "b", "question": "W?", "must_include": ["x"], "must_include": []}',
        ),
        (read_question_file, "q.jsonl", '{"question": "W?", "answer": "x", "answer": "y"}'),
        (
            read_clause_file,
            "c.jsonl",
            '{"id": "b", "text": "T", "ground_truth": {"risk_level": "高", "risk_level": "低"}}',
        ),
        (
            read_clause_file,
            "c.json",
            '[{"id": "b", "text": "T",\n"ground_truth": "高", "ground_truth": "低"}]',
        ),
        (read_law_file, "l.jsonl", '{"law": "L", "article": "1", "article": "2"}'),
        (read_law_file, "l.json", '[{"law": "L",\n"article": "1", "article": "2"}]'),
        (labels_of, "l.jsonl", '{"run": "r", "verdict": "right", "verdict": "wrong"}'),
        (read_labels, "l.jsonl", '{"run": "r", "verdict": "right", "verdict": "wrong"}'),
    ],
)
def test_every_reader_names_the_line_and_the_key(
    tmp_path: Path, read: Callable[[Path], Any], name: str, second: str
):
    """Also in an object within an object, and in a file that is one JSON value."""
    path = tmp_path / name
    is_lines = name.endswith(".jsonl")
    path.write_text(f"\n{second}\n" if is_lines else second, encoding="utf-8")
    with pytest.raises(DatasetError, match=rf"{name}:2: .*the key \"\w+\" is twice in one object"):
        read(path)


def test_all_lines_of_a_question_set_are_named(tmp_path: Path):
    """Two wrong lines are two problems of one message."""
    path = tmp_path / "q.jsonl"
    line = '{"id": "b", "question": "Who?", "id": "c"}\n'
    path.write_text(line * 2, encoding="utf-8")
    with pytest.raises(DatasetError) as caught:
        read_questions(path)
    assert [str(problem).split(": ")[0] for problem in caught.value.args] == [
        f"{path}:1",
        f"{path}:2",
    ]


def test_a_benchmark_names_the_line_of_the_key(tmp_path: Path):
    """Its own check reads the line of every key."""
    path = tmp_path / "b.json"
    path.write_text('{"benchmark_type": "fact_exact",\n"benchmark_type": "x"}', encoding="utf-8")
    assert (2, "the key occurs twice") in [
        (problem.line, problem.message) for problem in check_benchmark(path).problems
    ]


@given(value=VALUES, indent=st.sampled_from([None, 1]), plain=st.booleans())
def test_what_has_no_repeated_key_is_accepted(value: Any, indent: int | None, plain: bool):
    """Braces, colons and quotation marks within texts are no keys."""
    assert repeated_key(json.dumps(value, indent=indent, ensure_ascii=plain).encode()) is None


@given(inner=st.dictionaries(st.text(), VALUES, min_size=1, max_size=3), plain=st.booleans())
def test_a_repeated_key_is_found_at_any_depth(inner: dict[str, Any], plain: bool):
    """However the key is escaped."""
    key = next(iter(inner))
    again = json.dumps({key: 0}, ensure_ascii=plain)[1:]
    written = json.dumps(inner)[:-1] + ",\n" + again
    found = repeated_key(f'[{{"a": 1}}, {{"b": [{written}]}}]'.encode())
    assert found == RepeatedKey(key, 2)
