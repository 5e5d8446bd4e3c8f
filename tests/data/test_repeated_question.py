"""One question in several rows: of several systems, repeated, or only alike."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.data.question import read_further_fields, read_questions
from assay.data.question_set import text_id
from assay.data.set_note import odd_question_notes, question_notes, same_question_note
from assay.errors import DatasetError


def put(tmp_path: Path, text: str, name: str = "q.csv") -> Path:
    """A file with this text."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def result(question: str, provider: str, prompt: int, output: str, **values: str) -> dict[str, Any]:
    """A result of promptfoo."""
    return {
        "provider": {"id": provider, "label": ""},
        "promptIdx": prompt,
        "vars": {"question": question, **values},
        "response": {"output": output},
        "latencyMs": 100 + prompt,
        "testCase": {"assert": [{"type": "icontains", "value": "5"}]},
    }


def exported(tmp_path: Path, *results: dict[str, Any], name: str = "p.json") -> Path:
    """An export of promptfoo."""
    lines = "".join(json.dumps(each) + "\n" for each in results)
    whole = json.dumps({"results": {"version": 3, "results": list(results)}})
    return put(tmp_path, lines if name.endswith("l") else whole, name)


@pytest.mark.parametrize("name", ["p.json", "p.jsonl"])
def test_two_providers_double_no_question(tmp_path: Path, name: str):
    """Each test of promptfoo is one question, whoever answered it, also if asked repeatedly."""
    rows = [
        result(question, provider, number, f"{provider} {turn}")
        for question in ("How long?", "How much?")
        for number, provider in enumerate(["old", "new"])
        for turn in (1, 2)
    ]
    path = exported(tmp_path, *rows, name=name)
    assert [each.text for each in read_questions(path)] == ["How long?", "How much?"]
    assert list(read_further_fields(path)) == [text_id("How long?"), text_id("How much?")]


def test_tests_with_other_values_are_other_questions(tmp_path: Path):
    """The same question about another context is asked again, once for both providers."""
    rows = [
        result("How long?", provider, number, "x", context=context)
        for context in ("lease", "loan")
        for number, provider in enumerate(["old", "new"])
    ]
    path = exported(tmp_path, *rows)
    fields = read_further_fields(path)
    assert [each["context"] for each in fields.values()] == ["lease", "loan"]


def test_a_table_with_a_row_for_each_model(tmp_path: Path):
    """Measurements differ with the model; the question is one, with an id of its own too."""
    path = put(
        tmp_path,
        "id,question,model,response,expected,score\n"
        "a,How long?,m1,5 days,5 days,1\na,How long?,m2,6 days,5 days,0\n",
    )
    assert [each.id for each in read_questions(path)] == ["a"]
    path = put(tmp_path, "id,question,expected\na,How long?,5 days\na,How long?,5 days\n")
    with pytest.raises(DatasetError, match="'a' is already on line 2; ids are unique"):
        read_questions(path)


def test_a_column_model_of_questions_without_answers_is_part_of_them(tmp_path: Path):
    """It may be what is asked about; without answers of systems there are no systems."""
    path = put(tmp_path, "question,model,expected\nHow heavy?,A,5 kg\nHow heavy?,B,5 kg\n")
    assert len(read_questions(path)) == 2


def test_a_repeated_row_is_one_question_and_said(tmp_path: Path):
    """In JSON lines without ids as in tables; the note names the lines."""
    row = '{"question": "How long?", "answer": "5 days"}\n'
    path = put(tmp_path, row + row, "q.jsonl")
    assert len(read_questions(path)) == 1
    assert tuple(map(str, question_notes(path))) == (
        (
            f"{path}: 1 row repeats an earlier one and was left out: each question is asked once "
            "(line 2 repeats line 1)"
        ),
    )


@pytest.mark.parametrize(
    ("name", "text", "first", "second"),
    [
        (
            "q.jsonl",
            "".join(f'{{"id": "{name}", "question": "x?", "answer": "1"}}\n' for name in "ab"),
            "a",
            "b",
        ),
        ("q.csv", "id,question,answer\na,x?,1\nb,x?,1\n", "a", "b"),
        ("q.csv", "question,answer,role\nx?,1,tenant\nx?,1,owner\n", text_id("x?"), f"{text_id('x?')}-2"),
    ],
)  # fmt: skip
def test_questions_that_are_alike_count_each_and_are_said(
    tmp_path: Path, name: str, text: str, first: str, second: str
):
    """Ids and further fields make two of them; a user may not know that there are."""
    path = put(tmp_path, text, name)
    assert len(read_questions(path)) == 2
    assert tuple(map(str, same_question_note(path, read_questions(path)))) == (
        (
            f"{path}: 1 question asks and expects the same as another one, and each counts "
            f"({second!r} is {first!r} again); assay questions check lists them"
        ),
    )


def test_the_same_words_with_another_answer_need_no_note(tmp_path: Path):
    """They may be about two documents."""
    path = put(tmp_path, "question,answer\nx?,1\nx?,2\n")
    assert len(read_questions(path)) == 2
    assert tuple(same_question_note(path, read_questions(path))) == ()


def test_ids_that_look_the_same_are_noted(tmp_path: Path):
    """Ids that differ in a space, an invisible sign or their encoding are two questions, which a line says."""
    path = tmp_path / "q.jsonl"
    ids = ["a", "a ", "\u00e9", "e\u0301", "b c", "b\u00a0c", "A", "A\u200b"]
    rows = [{"id": each, "question": f"q{n}?"} for n, each in enumerate(ids)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (note,) = odd_question_notes(path, read_questions(path))
    assert str(note) == (
        f"{path}: 4 ids differ from another one only in spaces or in how their signs are encoded, "
        "and are other questions ('a ' and 'a')"
    )


def test_an_expected_answer_nan_is_noted(tmp_path: Path):
    """Tables of pandas have the word nan where nothing is expected."""
    path = tmp_path / "q.csv"
    path.write_text("id,question,expected\n1,a?,nan\n2,b?,Nancy\n", encoding="utf-8")
    (note,) = odd_question_notes(path, read_questions(path))
    assert str(note) == (
        f"{path}: 1 expected answer is the word nan, which many programs write for an empty cell "
        "(question '1'); empty it if there is no answer"
    )
