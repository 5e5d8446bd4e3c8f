"""Assertions of promptfoo as expected answers."""

from pathlib import Path

import pytest

from assay.data.question import read_further_fields, read_questions
from assay.data.question_set import asserted_answer, asserted_answers
from assay.data.set_note import question_notes


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("Paris", ("Paris",)),
        ("equals: 三年", ("三年",)),
        ("contains:Иванов", ("Иванов",)),
        ("icontains: Paris", ("Paris",)),
        ('contains-any: Paris, "Paris, France"', ("Paris", "Paris, France")),
        ("icontains-any: a,b,a", ("a", "b")),
        ("contains-all: Paris", ("Paris",)),
        ("Time: 9:00", ("Time: 9:00",)),
        ("9:00", ("9:00",)),
    ],
)
def test_an_answer_is_named(text: str, answers: tuple[str, ...]):
    """Without its prefix; one of several is enough."""
    read = asserted_answer(text)
    assert (read.answers, read.kind) == (answers, "")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("llm-rubric: is polite", "llm-rubric"),
        ("javascript: output.length < 5", "javascript"),
        ("regex: \\d+", "regex"),
        ("similar(0.8): Paris", "similar"),
        ("not-contains: Paris", "not-contains"),
        ("contains-all: Paris, Rome", "contains-all"),
        ("starts-with: Paris", "starts-with"),
        ("file://check.js", "file"),
        ("is-json", "is-json"),
        ("contains:", "contains"),
    ],
)
def test_a_test_is_no_answer(text: str, kind: str):
    """It is named, and nothing is guessed from it."""
    read = asserted_answer(text)
    assert (read.answers, read.kind) == ((), kind)


def test_several_assertions_must_all_hold():
    """One that names an answer is enough to know it; two different answers are no choice."""
    assert asserted_answers(["contains: Paris", "latency: 5", None]).answers == ("Paris",)
    both = asserted_answers(["contains: Paris", "contains: Rome"])
    assert (both.answers, both.kind) == ((), "several answers at once")


def test_a_table_of_promptfoo(tmp_path: Path):
    """Its rows have their answers, and the note says which have none and why."""
    path = tmp_path / "tests.csv"
    path.write_text(
        "question,__expected1,__expected2\n租期多久？,contains: 三年,latency: 900\n"
        "Кто?,llm-rubric: вежливо,javascript: true\nWho?,,\n",
        encoding="utf-8",
    )
    assert [question.answers for question in read_questions(path)] == [("三年",), (), ()]
    assert set(map(tuple, read_further_fields(path).values())) == {()}
    assert tuple(map(str, question_notes(path))) == (
        (
            f"{path}: 1 row has no expected answer, because the assertion names none: javascript, "
            "llm-rubric"
        ),
    )
