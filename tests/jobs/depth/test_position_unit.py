import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import UseError
from assay.jobs.depth.chronicle.story import chronicle
from assay.jobs.depth.novel import Novel, TokenizedNovel
from assay.jobs.depth.position_unit import PositionUnit, find_position_unit
from assay.jobs.depth.question import NovelQuestion, locate_questions, read_question_file
from assay.text.tokenizer import load_tokenizer

STORY = chronicle("zh", tokens=6_000, seed=3, questions=12)
NOVEL = Novel(text=STORY.text)
CL100K = load_tokenizer("cl100k")
STARTS = list(CL100K.starts(STORY.text))
TOTAL = len(STARTS)


def passage(number: int) -> str:
    """The sentence that answers a question of the story."""
    span = STORY.questions[number].evidence
    assert span is not None
    return span.of(STORY.text)


def token_before(offset: int) -> int:
    """The number of the last cl100k token that begins at or before a character."""
    return max(index for index, start in enumerate(STARTS) if start <= offset)


def owner_row(number: int, **changes: Any) -> dict[str, Any]:
    """A question in the owner's shape, with its position in cl100k tokens."""
    question = STORY.questions[number]
    assert question.evidence is not None
    return {
        "question": question.text,
        "question_type": "single_choice",
        "choice": {"a": "甲", "b": "乙", "c": "丙", "d": "丁"},
        "answer": ["b"],
        "position": {
            "start_pos": token_before(question.evidence.start),
            "end_pos": token_before(question.evidence.end - 1) + 1,
        },
        **changes,
    }


def read(
    folder: Path, *rows: Any, **options: Any
) -> tuple[list[NovelQuestion], PositionUnit | None]:
    """The questions of a file with these rows, and the unit of their positions."""
    path = folder / "questions.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    file = read_question_file(path)
    unit = find_position_unit(NOVEL, [row for _, row in file.rows], file.metadata, **options)
    novel = TokenizedNovel(NOVEL, load_tokenizer(options.get("run_tokenizer") or "o200k"))
    return locate_questions(file, novel, unit), unit


def placed(question: NovelQuestion) -> str:
    """The text of the novel at the evidence of a question."""
    assert question.evidence is not None, question.note
    return question.evidence.of(STORY.text)


def test_the_total_of_tokens_gives_the_tokenizer_of_positions(tmp_path: Path):
    """Positions in cl100k tokens are found by `total_tokens`, though lengths are in o200k."""
    questions, unit = read(
        tmp_path,
        {"metadata": {"novel_path": "data/novel.txt", "total_tokens": TOTAL}},
        *(owner_row(number) for number in range(6)),
        run_tokenizer="o200k",
    )
    assert unit is not None
    assert unit.novel is not None
    assert unit.novel.tokenizer.name == "cl100k"
    assert all(passage(number) in placed(question) for number, question in enumerate(questions))
    assert {question.located for question in questions} == {"position"}


def test_a_total_that_fits_no_tokenizer_refuses_the_positions_and_says_why(tmp_path: Path):
    """No question is placed by a position if the file states another number of tokens."""
    questions, unit = read(
        tmp_path, {"metadata": {"total_tokens": TOTAL + 500}}, owner_row(0), owner_row(1)
    )
    assert unit is not None
    assert unit.novel is None
    assert [question.evidence for question in questions] == [None, None]
    assert f"the file states {TOTAL + 500} tokens" in questions[0].note
    assert f"cl100k {TOTAL}" in questions[0].note


@pytest.mark.parametrize("total", [None, TOTAL + 500])
def test_quoted_evidence_gives_the_tokenizer_without_a_fitting_total(
    tmp_path: Path, total: int | None
):
    """Positions that hold their quotations in cl100k are cl100k positions, for all questions."""
    quoting = [
        owner_row(number, validation={"is_valid": True, "evidence": passage(number)})
        for number in range(4)
    ]
    questions, unit = read(tmp_path, {"metadata": {"total_tokens": total}}, *quoting, owner_row(5))
    assert unit is not None
    assert unit.novel is not None
    assert unit.novel.tokenizer.name == "cl100k"
    assert passage(5) in placed(questions[4])


def test_positions_are_published_tokens_if_nothing_says_otherwise(tmp_path: Path):
    """Without a total and a quotation, positions are cl100k tokens, and a note says so."""
    questions, unit = read(tmp_path, owner_row(2))
    assert passage(2) in placed(questions[0])
    assert unit is not None
    assert not unit.is_certain
    assert "taken as cl100k tokens" in unit.note


def test_the_user_and_the_file_can_name_the_tokenizer(tmp_path: Path):
    """A named tokenizer is used: the user's name first, then that of the metadata."""
    row = owner_row(2)
    _, by_user = read(tmp_path, {"metadata": {"tokenizer": "cl100k_base"}}, row, named="o200k")
    _, by_file = read(tmp_path, {"metadata": {"tokenizer": "cl100k_base"}}, row)
    assert by_user is not None
    assert by_user.novel is not None
    assert by_user.novel.tokenizer.name == "o200k"
    assert by_file is not None
    assert by_file.novel is not None
    assert by_file.novel.tokenizer.name == "cl100k"
    with pytest.raises(UseError, match="no tokenizer"):
        read(tmp_path, row, named="p50k")


def test_a_quotation_wins_over_a_position_that_does_not_hold_it(tmp_path: Path):
    """A misplaced position is replaced by the place of the quotation, with a note."""
    wrong = owner_row(7)["position"]
    row = owner_row(3, position=wrong, validation={"evidence": passage(3), "is_valid": True})
    others = [owner_row(number, validation={"evidence": passage(number)}) for number in (0, 1, 2)]
    questions, _ = read(tmp_path, {"metadata": {"total_tokens": TOTAL}}, row, *others)
    assert placed(questions[0]) == passage(3)
    assert questions[0].located == "exact"
    assert "`position` does not contain the quoted evidence" in questions[0].note


def test_evidence_of_another_novel_is_refused_and_not_placed_by_position(tmp_path: Path):
    """A question whose quotation is not in the novel has no evidence, whatever its position."""
    row = owner_row(3, validation={"evidence": "贾宝玉在大观园里题了一首长诗。", "is_valid": True})
    questions, _ = read(tmp_path, {"metadata": {"total_tokens": TOTAL}}, row)
    assert questions[0].evidence is None
    assert "evidence not found in the novel" in str(questions[0].note)


def test_a_quotation_with_an_omission_is_found_by_its_pieces(tmp_path: Path):
    """A quotation that leaves words out with dots covers the passage from end to end."""
    text = passage(4)
    middle = len(text) // 2
    quotation = f"{text[: middle - 2]}……{text[middle + 2 :]}"
    row = owner_row(4, validation={"evidence": quotation})
    del row["position"]
    questions, unit = read(tmp_path, row)
    assert unit is None
    assert placed(questions[0]) == text
    row["validation"]["evidence"] = f"……{text[3:]}…"
    assert placed(read(tmp_path, row)[0][0]) == text[3:]


def test_fields_that_are_not_known_are_named_in_one_line(tmp_path: Path):
    """Further fields are no error; one note names them, without those of `validation`."""
    path = tmp_path / "questions.jsonl"
    row = owner_row(0, chapter=3, difficulty="hard", validation={"is_valid": False, "model": "x"})
    path.write_text(json.dumps(row), encoding="utf-8")
    ignored, rejected = read_question_file(path).notes
    assert str(ignored) == "ignored 2 fields: chapter, difficulty"
    assert str(rejected).startswith("1 of 1 question was rejected by the validation")


def test_equal_lines_are_told(tmp_path: Path):
    """Each is asked, so a copy counts twice; one note says how many there are."""
    path = tmp_path / "questions.jsonl"
    rows = [owner_row(0), owner_row(1), owner_row(0), owner_row(0)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (note,) = read_question_file(path).notes
    assert str(note) == "2 lines are equal to an earlier one of the file; each is asked and counts"
