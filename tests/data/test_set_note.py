"""Notes about question files: what is probably misspelt, how it was read, what was left out."""

from pathlib import Path

import pytest

from assay.data.question import read_questions
from assay.data.set_note import question_notes
from assay.errors import DatasetError

QUESTIONS = (
    '{"id": "a", "question": "违约金是多少？", "answer": "合同总额的百分之五"}\n'
    '{"id": "b", "question": "合同期限多长？", "answer": "三年"}\n'
)


def put(folder: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    """A file with this text."""
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("name", "text", "key", "meant"),
    [
        ("q.jsonl", '{"id": "a", "question": "x?", "anwser": "1"}', "anwser", "answer"),
        ("q.jsonl", '{"id": "a", "question": "x?", "gold_chunk_id": ["1"]}', "gold_chunk_id", "gold_chunk_ids"),
        ("q.jsonl", '{"id": "a", "question": "x?", "answerble": true}', "answerble", "answerable"),
        ("q.csv", "question,anwser\nx?,1\n", "anwser", "answer"),
        ("q.csv", "вопрос,отвт\nx?,1\n", "отвт", "ответ"),
        ("q.json", '[{"question": "x?", "anwser": "1"}]', "anwser", "answer"),
    ],
)  # fmt: skip
def test_a_misspelt_field_is_named(tmp_path: Path, name: str, text: str, key: str, meant: str):
    """Its value has no effect, so the line names the field that was probably meant."""
    path = put(tmp_path, name, text)
    assert question_notes(path) == (f"{path}: ignored 1 field: {key} (did you mean {meant!r}?)",)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.jsonl", '{"id": "a", "question": "x?", "question_id": 7, "level": 2, "sources": []}'),
        (
            "q.jsonl",
            '{"metadata": {"version": 2}}\n{"id": "a", "question": "x?", "answers": ["1"]}',
        ),
        ("q.csv", "question,answer,answers2,level,note\nx?,1,2,3,4\n"),
    ],
)
def test_further_fields_need_no_note(tmp_path: Path, name: str, text: str):
    """Files of other tools have more fields, which a system may use."""
    path = put(tmp_path, name, text.replace(', "sources": []', ""))
    assert question_notes(path) == ()


@pytest.mark.parametrize(
    ("encoding", "name", "told"),
    [("gbk", "q.jsonl", "GB18030"), ("utf-16", "q.jsonl", "UTF-16"), ("gbk", "q.csv", "GB18030")],
)
def test_other_encodings_are_read_and_named(tmp_path: Path, encoding: str, name: str, told: str):
    """JSON lines as well as tables; the note says what a file was taken for."""
    text = (
        QUESTIONS
        if name == "q.jsonl"
        else "问题,答案\n违约金是多少？,百分之五\n合同期限多长？,三年\n"
    )
    path = put(tmp_path, name, text, encoding)
    plain = put(tmp_path, f"plain-{name}", text)
    assert read_questions(path) == read_questions(plain)
    assert tuple(map(str, question_notes(path))) == (f"{path}: read as {told}",)
    assert question_notes(plain) == ()


def test_damaged_utf8_is_not_taken_for_another_encoding(tmp_path: Path):
    """One wrong byte in a file of UTF-8 would otherwise make other characters of all."""
    path = tmp_path / "q.jsonl"
    path.write_bytes(QUESTIONS.encode().replace("三年".encode(), "三年".encode()[:-1]))
    with pytest.raises(DatasetError, match="not UTF-8 at byte"):
        read_questions(path)


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("q.csv", "question,answer\nHow long?,\nHow much?,12 crowns\n,5\n", 4),
        ("q.json", '[{"question": "x?"}, {"id": "b", "answer": "5"}]', 2),
        ("q.csv", "question,gold\nHow long?,a\n,b\n", 3),
    ],
)
def test_an_answer_without_a_question_is_an_error(tmp_path: Path, name: str, text: str, line: int):
    """The question was probably lost, so the row is not left out."""
    with pytest.raises(DatasetError, match=f"{name}:{line}: the row has an answer or gold, but no"):
        read_questions(put(tmp_path, name, text))


def test_rows_without_a_question_are_counted(tmp_path: Path):
    """A row with neither question nor answer, such as a title, is left out with a note."""
    path = put(
        tmp_path, "q.csv", "question,answer,note\n,,part one\nHow long?,30 days,\n,,part two\n"
    )
    assert len(read_questions(path)) == 1
    assert tuple(map(str, question_notes(path))) == (
        f"{path}: 2 rows without a question were left out (line 2, 4)",
    )
