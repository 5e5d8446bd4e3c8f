import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import DatasetError
from assay.jobs.depth.novel import Novel, TokenizedNovel
from assay.jobs.depth.question import read_novel_questions, read_question_metadata
from assay.text.tokenizer import load_tokenizer

TEXT = "Иван купил дом. Пётр продал коня. Было тихо. Иван уехал. Было тихо."
NOVEL = TokenizedNovel(Novel(text=TEXT), load_tokenizer("o200k"))
CHOICE: dict[str, Any] = {
    "question": "Что купил Иван?",
    "question_type": "single_choice",
    "choice": {"a": "коня", "b": "дом"},
    "answer": ["b"],
}
OPEN: dict[str, Any] = {"question": "Кто уехал?", "answer": "Иван", "evidence": "Иван уехал."}


def write_questions(folder: Path, *rows: Any) -> Path:
    """Write a question file with these rows."""
    path = folder / "questions.jsonl"
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_all_shapes_of_evidence_lead_to_the_same_span(tmp_path: Path):
    """Tokens, a quotation and character offsets of the same place give the same span."""
    end = TEXT.index(" Пётр")
    path = write_questions(
        tmp_path,
        {"metadata": {"total_questions": 4}},
        {**CHOICE, "position": {"start_pos": 0, "end_pos": NOVEL.tokens_before(end)}},
        {**CHOICE, "evidence": "Иван купил дом."},
        {**CHOICE, "evidence_span": {"start": 0, "end": end}},
        {**CHOICE, "evidence_span": [0, end]},
    )
    questions = read_novel_questions(path, NOVEL)
    assert [question.located for question in questions] == ["position", "exact", "span", "span"]
    spans = [question.evidence for question in questions]
    assert [span and span.of(TEXT) for span in spans] == ["Иван купил дом."] * 4
    assert read_question_metadata(path) == {"total_questions": 4}


def test_kinds_of_question_and_their_answers(tmp_path: Path):
    """Answers of choice questions are letters, answers of open questions are texts."""
    path = write_questions(
        tmp_path,
        {**CHOICE, "answer": "B", "evidence": "Иван"},
        {**CHOICE, "question_type": None, "answer": ["b", "a"], "evidence": "Иван"},
        {**CHOICE, "choice": ["коня", "дом"], "evidence": "Иван"},
        OPEN,
        {**OPEN, "answer": ["Иван", "Ваня", 7]},
    )
    questions = read_novel_questions(path, NOVEL)
    assert [(question.question_type, question.answers) for question in questions] == [
        ("single_choice", ("b",)),
        ("multiple_choice", ("a", "b")),
        ("single_choice", ("b",)),
        ("open", ("Иван",)),
        ("open", ("Иван", "Ваня", "7")),
    ]
    assert questions[2].choices == {"a": "коня", "b": "дом"}


def test_ids_come_from_content_and_stay(tmp_path: Path):
    """A derived id does not depend on other questions; copies get a suffix."""
    other = {**OPEN, "question": "Куда?"}
    before = read_novel_questions(write_questions(tmp_path, OPEN, OPEN, {**OPEN, "id": 5}), NOVEL)
    after = read_novel_questions(write_questions(tmp_path, other, OPEN, OPEN), NOVEL)
    assert [question.id for question in before][:2] == [question.id for question in after][1:]
    assert before[1].id == before[0].id + "-2"
    assert before[2].id == "5"


def test_the_same_text_over_other_evidence_is_another_question(tmp_path: Path):
    """Questions with the same text and different evidence have different ids."""
    path = write_questions(tmp_path, OPEN, {**OPEN, "evidence": "Иван купил дом."})
    first, second = read_novel_questions(path, NOVEL)
    assert first.id.partition("-")[0] != second.id.partition("-")[0]


def test_doubts_about_evidence_are_noted(tmp_path: Path):
    """Ambiguous, contradictory and missing evidence each add a note to the question."""
    path = write_questions(
        tmp_path,
        {**OPEN, "evidence": "Было тихо."},
        {**OPEN, "evidence_span": [0, 4], "evidence": "Пётр продал коня."},
        {**OPEN, "evidence": "Такого в этой книге никто не писал."},
    )
    several, moved, lost = read_novel_questions(path, NOVEL)
    assert "2 places" in several.note
    assert moved.evidence is not None
    assert moved.evidence.of(TEXT) == "Пётр продал коня."
    assert "does not contain the quoted evidence" in moved.note
    assert lost.evidence is None
    assert "not found" in str(lost.note)


def test_a_position_outside_the_novel_costs_its_own_question_only(tmp_path: Path):
    """The other questions of the file are asked; this one has no evidence, and says why."""
    outside = {**OPEN, "evidence": "", "position": {"start_pos": 0, "end_pos": 9000}}
    good, lost = read_novel_questions(write_questions(tmp_path, OPEN, outside), NOVEL)
    assert good.evidence is not None
    assert lost.evidence is None
    assert "9000 is not a valid range" in lost.note
    assert "right novel and tokenizer" in lost.note


@pytest.mark.parametrize(
    ("row", "part"),
    [
        ({"answer": "x", "evidence": "Иван"}, "no text"),
        ({"question": "?", "evidence": "Иван"}, "no `answer`"),
        ({**OPEN, "evidence": None}, "no evidence"),
        ({**OPEN, "evidence_span": [5, 5]}, "not a valid range"),
        ({**OPEN, "evidence_span": [0, 5000]}, "not a valid range"),
        ({**OPEN, "position": {"start_pos": "x", "end_pos": 5}}, "not a question"),
        ({**OPEN, "question_type": "single_choice"}, "choices are missing"),
        ({**CHOICE, "evidence": "Иван", "answer": ["a", "b"]}, "one answer, not 2"),
        ({**CHOICE, "evidence": "Иван", "answer": ["e"]}, "not one of the choices a, b"),
        ({**CHOICE, "evidence": "Иван", "choice": {"a": "дом"}}, "two or more"),
        ({**CHOICE, "evidence": "Иван", "question_type": "open"}, "has no `choice`"),
        ({**OPEN, "id": "q"}, "is already on line 1"),
        (["list"], "not a question"),
    ],
)
def test_a_fault_names_its_line(tmp_path: Path, row: Any, part: str):
    """Each error in a row is reported with the number of its line."""
    path = write_questions(tmp_path, {**OPEN, "id": "q"}, row)
    with pytest.raises(DatasetError, match=rf"questions\.jsonl:2: .*{part}"):
        read_novel_questions(path, NOVEL)


def test_a_file_with_nothing_but_metadata_is_refused(tmp_path: Path):
    """A file with metadata and no questions is an error."""
    with pytest.raises(DatasetError, match="no questions"):
        read_novel_questions(write_questions(tmp_path, {"metadata": {}}), NOVEL)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"answer": "b."}, ("single_choice", ("b",))),
        ({"answer": ["B. дом"]}, ("single_choice", ("b",))),
        ({"answer": "дом"}, ("single_choice", ("b",))),
        ({"answer": "ab", "question_type": "multi_choice"}, ("multiple_choice", ("a", "b"))),
        ({"answer": "B, A", "question_type": "多选题"}, ("multiple_choice", ("a", "b"))),
        ({"question_type": "单选题"}, ("single_choice", ("b",))),
        ({"choice": {"A": 1943, "B": 1944.5}}, ("single_choice", ("b",))),
        (
            {"choice": [{"key": "a", "text": "конь"}, {"key": "b", "text": "дом"}]},
            ("single_choice", ("b",)),
        ),
    ],
)
def test_odd_spellings_of_choices_and_answers_are_read(
    tmp_path: Path, fields: dict[str, Any], expected: Any
):
    """Letters with a stop or with their text, joined letters, other words for the type."""
    path = write_questions(tmp_path, {**CHOICE, "evidence": "Иван купил дом.", **fields})
    (question,) = read_novel_questions(path, NOVEL)
    assert (question.question_type, question.answers) == expected


@pytest.mark.parametrize(
    "position",
    [{"start_pos": "0", "end_pos": "4"}, [0, 4], {"start_pos": 0.0, "end_pos": 4.0, "x": 1}],
)
def test_odd_spellings_of_a_position_are_read(tmp_path: Path, position: Any):
    """A position may be written as text, with a decimal point or as two numbers."""
    path = write_questions(tmp_path, {**CHOICE, "position": position, "source": ["a", "b"]})
    (question,) = read_novel_questions(path, NOVEL)
    assert (question.located, question.source) == ("position", "a\nb")
    assert question.position is not None
    assert (question.position.start_pos, question.position.end_pos) == (0, 4)


def test_a_position_of_nulls_is_no_position(tmp_path: Path):
    """Then the quoted evidence says where it is."""
    row = {**CHOICE, "position": {"start_pos": None, "end_pos": None}, "evidence": "Иван уехал."}
    (question,) = read_novel_questions(write_questions(tmp_path, row), NOVEL)
    assert (question.located, question.position) == ("exact", None)


def test_all_faults_of_a_file_are_reported_together(tmp_path: Path):
    """Each faulty line has its own line in the message."""
    path = write_questions(tmp_path, {**OPEN, "answer": None}, OPEN, {**OPEN, "question": " "})
    with pytest.raises(DatasetError) as caught:
        read_novel_questions(path, NOVEL)
    lines = str(caught.value).splitlines()
    assert [line.partition("jsonl:")[2][:2] for line in lines] == ["1:", "3:"]
