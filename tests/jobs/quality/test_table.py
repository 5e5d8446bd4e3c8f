"""Questions of the quality job as a JSON list and as a table."""

from pathlib import Path

import pytest

from assay.errors import DatasetError
from assay.jobs.quality.question import read_quality_file, read_quality_questions

LINES = (
    '{"id": "a", "question": "Какова выручка?", "must_include": ["48,7", "млн"], "weight": 2}\n'
    '{"id": "b", "question": "How long?", "must_include_any": [["30", "thirty"]], '
    '"require_citation": true}\n'
)
LIST = f"[{LINES.strip().replace(chr(10), ', ')}]"
TABLE = (
    "id,Question,must include,must_include_any,require_citation,weight\n"
    'a,Какова выручка?,"[""48,7"", ""млн""]",,,2\n'
    'b,How long?,,"[[""30"", ""thirty""]]",true,\n'
)


@pytest.mark.parametrize(("name", "text"), [("q.json", LIST), ("q.csv", TABLE)])
def test_a_list_and_a_table_give_the_same_questions(tmp_path: Path, name: str, text: str):
    """A cell has one phrase, or a JSON list."""
    (tmp_path / "q.jsonl").write_text(LINES, encoding="utf-8")
    (tmp_path / name).write_text(text, encoding="utf-8")
    expected = read_quality_questions(tmp_path / "q.jsonl")
    assert read_quality_questions(tmp_path / name) == expected


def test_problems_have_their_line_and_slips_their_note(tmp_path: Path):
    """As in a file of JSON lines; a question without an id gets one from its text."""
    path = tmp_path / "q.csv"
    path.write_text("question,must_inlcude,weight\nHow long?,30,1\n", encoding="utf-8")
    file = read_quality_file(path)
    assert file.questions[0].id.startswith("q-")
    assert str(file.notes[0]) == "ignored 1 field: must_inlcude (did you mean 'must_include'?)"
    path.write_text("question,weight\nHow long?,-1\n,2\n", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"q\.csv:2: `weight` is -1") as raised:
        read_quality_file(path)
    assert "q.csv:3: `id` is missing" in str(raised.value) or "q.csv:3" in str(raised.value)


def test_another_encoding_is_named(tmp_path: Path):
    """JSON lines in CP1251 are read."""
    path = tmp_path / "q.jsonl"
    path.write_bytes(
        '{"id": "a", "question": "Какова выручка общества за год?"}\n'.encode("cp1251")
    )
    assert "read as CP1251" in [*map(str, read_quality_file(path).notes)]
