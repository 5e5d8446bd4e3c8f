"""Question files: both spellings of gold chunks, and errors with their line."""

from pathlib import Path

import pytest

from assay.data.question import CorpusQuestion, read_further_fields, read_questions
from assay.errors import DatasetError


def put(folder: Path, *lines: str) -> Path:
    """Write a question file with these lines."""
    path = folder / "questions.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_a_seed_file_is_read(tmp_path: Path):
    """``bundle[].chunk_id`` gives the gold chunks; keys of other tools are ignored."""
    path = put(
        tmp_path,
        '{"id": "q1", "question": "违约金多少？", "source": "民法典", "difficulty": 3,'
        ' "bundle": [{"chunk_id": "c1", "score": 0.5}, {"chunk_id": "c2"}, {"chunk_id": "c1"}]}',
    )
    assert read_questions(path) == [
        CorpusQuestion(
            id="q1", text="违约金多少？", source="民法典", gold=("c1", "c2"), answerable=True
        )
    ]


def test_the_other_spellings_are_read(tmp_path: Path):
    """``text``, ``gold_chunk_ids``, numeric ids and questions without gold are accepted."""
    path = put(
        tmp_path,
        '{"id": 7, "text": "Срок?", "gold_chunk_ids": [1, "b"], "bundle": [{"chunk_id": "a"}]}',
        '{"id": "8", "question": "Who?", "bundle": []}',
    )
    assert read_questions(path) == [
        CorpusQuestion(id="7", text="Срок?", gold=("a", "1", "b"), answerable=True),
        CorpusQuestion(id="8", text="Who?"),
    ]


def test_gold_of_another_tool_is_left_out(tmp_path: Path):
    """An object without any key of a chunk or a span has another meaning."""
    path = put(
        tmp_path, '{"id": "q1", "question": "Why?", "gold": [{"document": "a", "section": "7"}]}'
    )
    (question,) = read_questions(path)
    assert (question.gold, question.answerable) == ((), None)


def test_a_question_may_say_that_the_corpus_has_no_answer(tmp_path: Path):
    """``answerable: false`` or ``kind: unanswerable`` says so; missing gold alone does not."""
    path = put(
        tmp_path,
        '{"id": "a", "question": "?", "answerable": false}',
        '{"id": "b", "question": "?", "kind": "unanswerable", "bundle": []}',
        '{"id": "c", "question": "?", "answerable": true}',
        '{"id": "d", "question": "?"}',
    )
    assert [question.answerable for question in read_questions(path)] == [False, False, True, None]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            '{"id": "x", "question": "?", "answerable": false, "bundle": [{"chunk_id": "c"}]}',
            "question 'x' is marked unanswerable but has gold chunks",
        ),
        ('{"id": "q1", "question": "again"}', "question 'q1' is already on line 1"),
        ('{"question": "no id"}', "the question has no `id`"),
        ('{"id": "x", "question": "  "}', "question 'x' has no text"),
        (
            '{"id": "x", "question": "?", "bundle": [{"id": "c"}]}',
            "question 'x': gold is a chunk id",
        ),
        ("[]", "not a question: "),
    ],
)
def test_a_bad_question_is_one_line(tmp_path: Path, line: str, reason: str):
    """The message gives the file and the line, and for a duplicate also the first line."""
    path = put(tmp_path, '{"id": "q1", "question": "first"}', "", line)
    with pytest.raises(DatasetError) as caught:
        read_questions(path)
    assert str(caught.value).startswith(f"{path}:3: {reason}")


def test_an_empty_or_absent_file_is_refused(tmp_path: Path):
    """A file without questions is an error, not an empty run."""
    with pytest.raises(DatasetError, match="the file has no questions"):
        read_questions(put(tmp_path))
    with pytest.raises(DatasetError, match=r"gone\.jsonl: cannot be read: No such file"):
        read_questions(tmp_path / "gone.jsonl")


def test_all_problems_of_a_file_are_named_at_once(tmp_path: Path):
    """Whoever repairs a file sees every wrong line, not only the first."""
    path = tmp_path / "questions.jsonl"
    path.write_text(
        '{"id": "a", "question": "Who?"}\n{"id": "b"\n{"question": "Where?"}\n'
        '{"id": "a", "question": "When?"}\n{"id": "c", "question": "Why?"}\n',
        encoding="utf-8",
    )
    with pytest.raises(DatasetError) as caught:
        read_questions(path)
    assert [line.partition(": ")[0] for line in caught.value.lines] == [
        f"{path}:{number}" for number in (2, 3, 4)
    ]


def test_a_draft_is_read_and_no_system_sees_where_its_evidence_is(tmp_path: Path):
    """``draft`` changes nothing about the question and is not among the further fields."""
    path = put(
        tmp_path,
        '{"id": "d1", "question": "When?", "topic": "law", "draft": {"by": "template",'
        ' "kind": "date", "document": "a.txt", "start": 3, "end": 9}}',
    )
    assert read_questions(path) == [CorpusQuestion(id="d1", text="When?")]
    assert read_further_fields(path) == {"d1": {"topic": "law"}}


@pytest.mark.parametrize("half", [r"\ud83d", r"\ud83d and so on", r"\ude00", r"\ud83d\ude00\ud83d"])
def test_half_a_character_is_called_so(tmp_path: Path, half: str):
    """The decoder calls the line truncated or malformed, which is no help."""
    path = put(tmp_path, '{"id": "q1", "question": "a"}', f'{{"id": "q2", "question": "{half}"}}')
    with pytest.raises(DatasetError, match=r":2: .*half of a character \(a lone UTF-16 surrogate"):
        read_questions(path)


@pytest.mark.parametrize("fields", ['"id": "q", ', ""])
def test_a_truth_value_is_an_expected_answer_in_every_format(tmp_path: Path, fields: str):
    """``true`` stands for yes in the language of the question, alone or in a list."""
    path = put(tmp_path, f'{{{fields}"question": "Is it?", "answer": true}}')
    assert read_questions(path)[0].answers == ("yes", "True")
    path = put(tmp_path, f'{{{fields}"question": "是吗？", "answer": [false, "没有"]}}')
    assert read_questions(path)[0].answers == ("否", "False", "没有")


@pytest.mark.parametrize(
    ("field", "answerable"),
    [
        ('"is_answerable": false', False),
        ('"is_impossible": true', False),
        ('"is_impossible": "False"', True),
        ('"unanswerable": 1', False),
        ('"answerable": "no"', False),
        ('"answerable": "Yes"', True),
        ('"answerable": ""', None),
    ],
)
@pytest.mark.parametrize("own", ['"id": "q", ', ""])
def test_whether_a_question_has_an_answer(
    tmp_path: Path, own: str, field: str, answerable: bool | None
):
    """The names of other tools and words for true and false are read as in a table."""
    path = put(tmp_path, f'{{{own}"question": "Who?", {field}, "topic": "law"}}')
    (question,) = read_questions(path)
    assert question.answerable is answerable
    assert list(read_further_fields(path).values()) == [{"topic": "law"}]


def test_a_flag_that_is_no_flag_is_named(tmp_path: Path):
    """The line says what the field may be."""
    path = put(tmp_path, '{"id": "q", "question": "Who?", "is_impossible": "maybe"}')
    with pytest.raises(
        DatasetError, match=r":1: question 'q': `is_impossible` says 'maybe'; write true"
    ):
        read_questions(path)


def test_a_column_with_the_opposite_of_answerable(tmp_path: Path):
    """``is_impossible`` of a table is inverted."""
    path = tmp_path / "q.csv"
    path.write_text("question,is_impossible\nWho?,yes\nWhen?,no\nWhy?,\n", encoding="utf-8")
    assert [each.answerable for each in read_questions(path)] == [False, True, None]
