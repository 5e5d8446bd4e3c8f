"""Choice questions about a novel, in the shape that the depth job reads."""

import json
import shlex
from pathlib import Path

import pytest

from assay.jobs.depth.novel import TokenizedNovel, read_novel
from assay.jobs.depth.question import read_novel_questions
from assay.questions.draft.novel_draft import draft_novel
from assay.text.tokenizer import load_tokenizer
from tests.support.program import program

NAMES = ["Barrow", "Ostwick", "Pellham", "Tarrow", "Quarne", "Mellin"]


def book() -> str:
    """A book in which every name is mentioned often, in sentences that differ."""
    return "\n\n".join(
        f"On day {day} of that winter the keeper of the light saw {NAMES[day % 6]} walk along the "
        f"frozen shore with {day + 2} lanterns. Nobody spoke."
        for day in range(60)
    )


def test_choices_are_names_of_the_book_and_evidence_is_where_it_says():
    """The right choice is in the evidence, and the others are not."""
    text = book()
    drafted = draft_novel(text, "winter.txt", count=10)
    assert len(drafted.rows) == 10
    for row in drafted.rows:
        place = row["evidence_span"]
        assert text[place["start"] : place["end"]] == row["evidence"]
        (letter,) = row["answer"]
        for other, name in row["choice"].items():
            assert name in NAMES
            assert (name in row["evidence"]) == (other == letter)
        assert row["choice"][letter] not in row["question"]
    starts = [row["evidence_span"]["start"] for row in drafted.rows]
    assert max(starts) > 0.8 * len(text)
    assert min(starts) < 0.2 * len(text)
    assert drafted == draft_novel(text, "winter.txt", count=10)


def test_the_depth_job_reads_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """Every question is located at its span, and no field is unknown."""
    monkeypatch.chdir(tmp_path)
    Path("winter.txt").write_text(book(), encoding="utf-8")
    assay = program(capsys)
    ran = assay("questions", "draft", "--novel", "winter.txt", "--count", 8)
    assert ran.code == 0, ran.err
    path = tmp_path / "questions/winter.draft.jsonl"
    novel = TokenizedNovel(read_novel(tmp_path / "winter.txt"), load_tokenizer("chars"))
    questions = read_novel_questions(path, novel)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [question.located for question in questions] == ["span"] * 8
    assert [question.evidence.start for question in questions if question.evidence] == [
        row["draft"]["start"] for row in rows
    ]


def test_the_printed_command_asks_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """It names a system that needs no model and lengths that the book fills, and quotes spaces."""
    monkeypatch.chdir(tmp_path)
    Path("a winter.txt").write_text(book(), encoding="utf-8")
    assay = program(capsys)
    drafted = assay("questions", "draft", "--novel", "a winter.txt", "--name", "w", "--count", 8)
    (line,) = (line for line in drafted.out.splitlines() if "assay depth" in line)
    words = shlex.split(line.partition("assay ")[2])
    asked = assay(*words)
    assert asked.code == 0, asked.err
    unnamed = assay(*words[: words.index("--system")])
    assert unnamed.code == 2
    assert "--system reader:12000 is an offline reader" in unnamed.err


def test_a_book_without_names_is_refused_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """A choice needs three other names."""
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("Nobody was there. The rain fell.\n", encoding="utf-8")
    ran = program(capsys)("questions", "draft", "--novel", "a.txt")
    assert ran.code == 2
    assert "three other names" in ran.err


RUSSIAN = ["Анна", "Жанна", "Сусанна", "Иоанна", "Борис", "Денис", "Кирис", "Парис"]
PLACES = ["на рынке", "у реки", "в саду", "на станции", "у мельницы", "в библиотеке", "у колодца"]


def test_names_that_only_begin_sentences_are_names():
    """A book whose names are always the first word has names; words that begin sentences are none."""
    text = " ".join(
        f"{RUSSIAN[day % 8]} в {day}-й день понесла корзину с яблоками {PLACES[day % 7]}. "
        "Однако никто не видел этого. Впрочем, было темно. Вечером шёл дождь."
        for day in range(80)
    )
    drafted = draft_novel(text, "a.txt", count=10)
    assert drafted.names == len(RUSSIAN)
    assert len(drafted.rows) == 10
    assert {name for row in drafted.rows for name in row["choice"].values()} <= set(RUSSIAN)


def test_a_first_word_is_no_name_if_it_is_written_small_elsewhere():
    """A word at the beginning of sentences that also is small inside of one is no name."""
    text = book() + " Lanterns burnt. However, it was dark. Suddenly it rained." * 20
    assert draft_novel(text, "a.txt", count=10).names == len(NAMES)
