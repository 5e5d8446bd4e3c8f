"""Which column is the expected answer, and which one is what a system said."""

import json
from pathlib import Path

import pytest

from assay.data.column_role import named_columns
from assay.data.question import read_further_fields, read_questions
from assay.errors import UseError

EXPORTS = {
    "Ragas, old": ("question", "answer", "ground_truth", "contexts"),
    "Ragas, older": ("question", "answer", "ground_truths", "contexts"),
    "Ragas, new": ("user_input", "response", "reference", "retrieved_contexts"),
    "DeepEval": ("input", "actual_output", "expected_output", "retrieval_context"),
    "TruLens": ("query", "response", "expected_response", "contexts"),
    "OpenAI evals": ("input", "output", "ideal", "contexts"),
    "inspect": ("input", "output", "target", "contexts"),
    "by hand": ("question", "answer", "expected_answer", "contexts"),
    "a citation": ("question", "answer", "reference", "contexts"),
    "in Chinese": ("问题", "答案", "标准答案", "检索结果"),
    "in Chinese too": ("问题", "回答", "答案", "检索结果"),
    "in Russian": ("вопрос", "ответ", "эталон", "найденные фрагменты"),
    "in Russian too": ("вопрос", "ответ модели", "ответ", "найденные фрагменты"),
}


@pytest.mark.parametrize("names", EXPORTS.values(), ids=EXPORTS)
@pytest.mark.parametrize("ending", ["csv", "json", "jsonl"])
def test_the_expected_answer_is_never_what_the_system_said(
    tmp_path: Path, names: tuple[str, ...], ending: str
):
    """A name of its own wins over `answer`, in every order of columns and in every format."""
    values = dict(zip(names, ("Who?", "Bob", "Ann", "It was Ann."), strict=True))
    for row in (values, dict(reversed(values.items()))):
        path = tmp_path / f"q.{ending}"
        if ending == "csv":
            path.write_text(f"{','.join(row)}\n{','.join(row.values())}\n", encoding="utf-8")
        else:
            path.write_text(json.dumps([row] if ending == "json" else row), encoding="utf-8")
        (question,) = read_questions(path)
        assert (question.text, question.answers) == ("Who?", ("Ann",))
        assert "Ann" not in read_further_fields(path)[question.id].values()
        columns = named_columns(list(row), {}, path)
        assert (columns.response, columns.passages) == (names[1], names[3])


@pytest.mark.parametrize("name", ["answer", "answers", "答案", "ответ", "label"])
def test_without_another_name_it_is_the_expected_answer(tmp_path: Path, name: str):
    """A set of questions and answers is compared with these answers."""
    path = tmp_path / "q.csv"
    path.write_text(f"question,{name}\nWho?,Ann\n", encoding="utf-8")
    (question,) = read_questions(path)
    assert question.answers == ("Ann",)
    assert named_columns(["question", name], {}, path).response == ""


def test_a_label_beside_an_answer_may_be_a_verdict(tmp_path: Path):
    """It does not become the expected answer."""
    columns = named_columns(["question", "answer", "label"], {}, tmp_path)
    assert columns.roles["answer"] == "answer"


def test_further_columns_are_accepted_answers(tmp_path: Path):
    """`answer_2` and so on, in their order; each cell may be a list."""
    path = tmp_path / "q.csv"
    path.write_text(
        'question,answer,answer_10,answer 2\nWhere?,Paris,"[""P""]",Lutetia\nWho?,Ann,,\n',
        encoding="utf-8",
    )
    first, second = read_questions(path)
    assert (first.answers, second.answers) == (("Paris", "Lutetia", "P"), ("Ann",))
    assert read_further_fields(path)[first.id] == {}


def test_choices_are_no_accepted_answers(tmp_path: Path):
    """`answer_1` to `answer_4` without `answer` are the choices of a question."""
    path = tmp_path / "q.csv"
    path.write_text(
        "question,answer_1,answer_2,correct_answer\nWhere?,Rome,Paris,Paris\n", encoding="utf-8"
    )
    (question,) = read_questions(path)
    assert question.answers == ("Paris",)


def test_a_named_column_counts_in_every_format(tmp_path: Path):
    """Also in JSON lines; one that does not exist is refused."""
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": "a", "question": "Who?", "answer": "Bob", "soll": "Ann"}\n')
    (question,) = read_questions(path, {"answer": "soll"})
    assert (question.id, question.answers) == ("a", ("Ann",))
    with pytest.raises(UseError, match="there is no column 'sol'"):
        read_questions(path, {"answer": "sol"})
