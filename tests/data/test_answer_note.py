"""Notes about the answers of a file: what was taken for what, and what looks like several."""

from pathlib import Path

import pytest

from assay.data.set_note import question_notes


def notes(tmp_path: Path, text: str, name: str = "q.csv", **options: bool) -> list[str]:
    """The notes about a file with this text, without its name."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return [str(note).replace(str(path), "F") for note in question_notes(path, **options)]


def test_what_answer_means_is_said(tmp_path: Path):
    """With the command that scores the answers, unless they are being scored."""
    text = "question,answer,ground_truth\nWho?,Bob,Ann\n"
    taken = "F: `answer` is taken as the system's answer, `ground_truth` as the expected one"
    assert notes(tmp_path, text) == [
        taken,
        (
            "F: has answers of a system (`answer`); to score them as they are: assay run --questions F "
            "--system replay:F"
        ),
    ]
    assert notes(tmp_path, text, is_replayed=True) == [taken]


def test_names_that_cannot_be_mistaken_need_no_note(tmp_path: Path):
    """`response` and `reference` say what they are; an empty column has no answers to score."""
    assert notes(tmp_path, "question,response,reference\nWho?,,Ann\n") == []


@pytest.mark.parametrize(
    "cell", ["Paris|Lutetia", "Paris / Lutetia", "Paris; Lutetia", '"Paris\nLutetia"', "北京；北平"]
)
def test_a_cell_that_looks_like_several_answers(tmp_path: Path, cell: str):
    """It stays one answer, and the note says how to write several."""
    (note,) = notes(tmp_path, f"question,answer\nWhere?,{cell}\nWho?,Ann\n")
    assert note.startswith(
        "F: 1 expected answer looks like several, but each counts as one (line 2:"
    )
    assert "JSON list" in note
    assert "answer_2" in note


def test_lines_of_our_own_format_are_looked_at_too(tmp_path: Path):
    """A list that is a list needs no note."""
    rows = (
        '{"id": "a", "question": "x?", "answer": "A|B"}\n{"id": "b", "question": "y?", "answer": '
        '["A", "B"]}\n{"id": "c", "question": "z?", "answer": "60 km/h"}\n'
    )
    (note,) = notes(tmp_path, rows, "q.jsonl")
    assert "(line 1: 'A|B')" in note


def test_a_column_that_may_be_the_expected_answer_is_named(tmp_path: Path):
    """If no known name is there; a misspelt one has its own note."""
    assert notes(tmp_path, "question,answer text\nWho?,Ann\n") == [
        (
            "F: no column is known to hold the expected answers; if `answer text` does, add --column "
            "answer='answer text'"
        )
    ]
    assert notes(tmp_path, "input,expected_outptu\nWho?,Ann\n") == [
        "F: ignored 1 field: expected_outptu (did you mean 'expected_output'?)"
    ]


def test_several_columns_of_accepted_answers_are_named(tmp_path: Path):
    """So that nobody wonders why another answer counts."""
    assert notes(tmp_path, "question,answer,answer_2\nWhere?,Paris,Lutetia\n") == [
        "F: the columns `answer`, `answer_2` are taken as accepted answers, of which one is enough"
    ]
