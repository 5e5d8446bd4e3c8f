"""Logs of services: which column is what, and what a row says of its answer."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.data.answer_log import AnswerLog, read_log
from assay.errors import AssayError, DatasetError, UseError

TABLE = (
    "user_message,bot_answer,contexts,latency_ms,cost,feedback,status\n"
    "How long?,30 days.,\"['It is 30 days.']\",812,0.002,up,ok\n"
    "How long?,31 days.,,420,0.001,down,ok\n"
    "Who pays?,,[],,,,timeout\n"
)


def log_of(folder: Path, text: str, name: str = "log.csv", **columns: str) -> AnswerLog:
    """The log with this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_log(path, columns)


def recorded(log: AnswerLog, field: str) -> list[Any]:
    """A field of each row; ``None`` where a row does not have it."""
    return [row.recorded.get(field) for row in log.rows]


def test_each_row_is_an_answer_of_its_own(tmp_path: Path):
    """Also if the question is asked again: the columns are recognised, and an empty one of passages is none."""
    log = log_of(tmp_path, TABLE)
    assert [row.question.text for row in log.rows] == ["How long?", "How long?", "Who pays?"]
    assert len({row.question.id for row in log.rows}) == 3
    assert recorded(log, "answer") == ["30 days.", "31 days.", None]
    assert [len(each) for each in recorded(log, "passages")] == [1, 0, 0]
    assert recorded(log, "latency_s") == [0.812, 0.42, None]
    assert recorded(log, "logged_cost") == [0.002, 0.001, None]
    assert recorded(log, "rating") == [True, False, None]
    assert recorded(log, "error") == [None, None, "status timeout"]
    assert not any(row.question.answers for row in log.rows)


def test_ids_stay_when_a_log_grows(tmp_path: Path):
    """A new row changes no other; an id that several rows have gets a number, and a note says so."""
    before = [row.question.id for row in log_of(tmp_path, TABLE).rows]
    after = [row.question.id for row in log_of(tmp_path, f"{TABLE}How long?,x,,,,,ok\n").rows]
    assert after[:3] == before
    log = log_of(tmp_path, "id,question,answer\na,Who?,x\na,Who?,y\na-2,Who?,z\n")
    assert [row.question.id for row in log.rows] == ["a", "a-3", "a-2"]
    assert [str(note) for note in log.notes] == [
        f"{tmp_path / 'log.csv'}: 1 row has the id of an earlier one and is an answer of its own"
    ]


def test_an_expected_answer_is_one_by_its_name(tmp_path: Path):
    """`answer` alone is what the system said; a label, a source or a chunk id means no gold in a log."""
    head = "question,answer,label,source,chunk_ids\n"
    (row,) = log_of(tmp_path, f"{head}Who?,Ann,good,web,c1\n").rows
    assert (row.recorded["answer"], row.question.answers) == ("Ann", ())
    assert (row.question.source, row.question.gold) == (None, ())
    for head in ("question,answer,ground_truth", "question,response,expected"):
        (row,) = log_of(tmp_path, f"{head}\nWho?,Ann,Bob\n").rows
        assert (row.recorded["answer"], row.question.answers) == ("Ann", ("Bob",))
    (row,) = log_of(tmp_path, "q,a,b\nWho?,Ann,Bob\n", question="q", response="a", answer="b").rows
    assert (row.recorded["answer"], row.question.answers) == ("Ann", ("Bob",))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (["1", "0", ""], [True, False, None]),
        (["1", "-1", "0"], [True, False, None]),
        (["👍", "👎", ""], [True, False, None]),
        (["5", "2", "1"], [5.0, 2.0, 1.0]),
        (["好评", "差评", ""], [True, False, None]),
        (["да", "нет", ""], [True, False, None]),
        (["1", "1"], [1.0, 1.0]),
    ],
)
def test_ratings_are_thumbs_or_points(tmp_path: Path, written: list[str], read: list[Any]):
    """The whole column decides what a 1 means."""
    rows = "".join(f"Q{number}?,a,{value}\n" for number, value in enumerate(written))
    found = recorded(log_of(tmp_path, f"question,answer,rating\n{rows}"), "rating")
    assert [(type(each), each) for each in found] == [(type(each), each) for each in read]


def test_words_for_no_error_are_no_errors(tmp_path: Path):
    """As spreadsheets and DataFrames write that there was none: an empty cell makes 0 a 0.0."""
    log = log_of(tmp_path, "question,answer,error\nA,x,N/A\nB,x,0.0\nC,x,OK\nD,x,timeout\n")
    assert recorded(log, "error") == [None, None, None, "timeout"]


def test_errors_are_said_in_several_ways(tmp_path: Path):
    """By a text, by a state in words, and by a code; what says that there was none is none."""
    rows = "A?,a,,200\nB?,b,None,503\nC?,c,connection reset,\nD?,d,false,OK\nE?,e,,Failed\n"
    log = log_of(tmp_path, f"question,answer,error,status\n{rows}")
    assert recorded(log, "error") == [None, "status 503", "connection reset", None, "status Failed"]


def test_chats_of_one_turn_are_read_and_others_are_counted(tmp_path: Path):
    """The question is the last thing that the user said."""
    one = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who?"},
           {"role": "assistant", "content": [{"type": "text", "text": "Ann"}]}]  # fmt: skip
    several = [*one, {"role": "user", "content": "And?"}, {"role": "assistant", "content": "Bob"}]
    lines = [{"messages": one, "rating": 4}, {"messages": several}, {"messages": several}]
    log = log_of(tmp_path, "".join(f"{json.dumps(each)}\n" for each in lines), "chat.jsonl")
    (row,) = log.rows
    assert (row.question.text, row.recorded) == ("Who?", {"answer": "Ann", "rating": 4.0})
    (note,) = map(str, log.notes)
    assert "2 conversations of several turns were left out" in note
    with pytest.raises(DatasetError, match="conversations of several turns are not read yet"):
        log_of(tmp_path, json.dumps(lines[1]), "chat.jsonl")


def test_turns_in_rows_are_named_as_what_they_are(tmp_path: Path):
    """A log with an id of conversations is read, and a note counts the turns."""
    log = log_of(tmp_path, "session_id,question,answer\ns,A?,a\ns,B?,b\nt,C?,c\n")
    assert len(log.rows) == 3
    (note,) = map(str, log.notes)
    assert "by the column 'session_id', 2 rows are turns of 1 conversation" in note


def test_the_names_of_passages_are_not_their_texts(tmp_path: Path):
    """A file name in the column of sources is an id: nothing can be looked up in it."""
    (row,) = log_of(tmp_path, 'question,answer,sources\nWho?,Ann,"[""handbook.pdf""]"\n').rows
    (passage,) = row.recorded["passages"]
    assert (passage.id, passage.text) == ("handbook.pdf", "")


@pytest.mark.parametrize(
    "head", ["Вопрос,Ответ,Контекст", "问题,回答,上下文", "question,answer,context"]
)
def test_the_context_of_a_log_is_what_was_retrieved(tmp_path: Path, head: str):
    """In three languages."""
    log = log_of(tmp_path, f"{head}\nA?,30 days.,It is 30 days.\n")
    assert [len(each) for each in recorded(log, "passages")] == [1]


def test_columns_without_a_role_are_noted(tmp_path: Path):
    """Those that nothing is read from, so that a user can name them."""
    log = log_of(tmp_path, "question,answer,latency,rating,timestamp\nA?,b,1.5,1,\n")
    (note,) = map(str, log.notes)
    assert "log.csv: no metric uses latency, timestamp; --column ROLE=NAME" in note


def test_a_latency_without_a_unit_is_read_if_its_unit_is_named(tmp_path: Path):
    """Nobody guesses between seconds and milliseconds."""
    text = "question,answer,duration\nWho?,Ann,120\n"
    assert recorded(log_of(tmp_path, text), "latency_s") == [None]
    assert recorded(log_of(tmp_path, text, latency_ms="duration"), "latency_s") == [0.12]


def test_other_encodings_are_read(tmp_path: Path):
    """As everywhere in assay."""
    path = tmp_path / "log.csv"
    for encoding, text in (("cp1251", "вопрос,ответ\nСколько дней длится отпуск?,Двадцать восемь дней.\n"),
                           ("gb18030", "问题,回答\n合同的通知期是多长时间？,通知期是三十天。\n"),
                           ("utf-16", "question,answer\nHow long?,30 days.\n")):  # fmt: skip
        path.write_bytes(text.encode(encoding))
        (row,) = read_log(path).rows
        assert [row.question.text, row.recorded["answer"]] == text.splitlines()[1].split(",")


@pytest.mark.parametrize(
    ("text", "columns", "error", "said"),
    [
        ("", {}, DatasetError, "the file has no rows"),
        ("question,note\nWho?,x\n", {}, UseError, "there are: question, note; name it with --column response=NAME"),
        ("a,b\nWho?,x\n", {}, UseError, "--column question=NAME"),
        ("question,answer\nWho?,x\n", {"rating": "stars"}, UseError, "there is no column 'stars'"),
        ("question,answer\nWho?,x\n", {"speed": "a"}, UseError, "--column speed=a: not one of"),
        ("question,answer\n,x\n", {}, AssayError, "no row has a question"),
        ('question,answer\nWho?,"x\n', {}, DatasetError, "is not closed"),
    ],
)  # fmt: skip
def test_wrong_input_is_one_line(
    tmp_path: Path, text: str, columns: dict[str, str], error: type[AssayError], said: str
):
    """With what was found, and the option."""
    with pytest.raises(error) as caught:
        log_of(tmp_path, text, **columns)
    assert said in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
