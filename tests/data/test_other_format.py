"""Files in a format that is not read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.data.question import read_questions
from assay.errors import AssayError
from assay.jobs.contract.clause import read_clauses
from assay.jobs.quality.question import read_quality_file
from assay.questions.check.item import read_items
from assay.systems.load import load_system


def replayed(path: Path) -> Any:
    """The system with the answers of a file."""
    return load_system(f"replay:{path}")


@pytest.mark.parametrize("read", [read_questions, read_items, read_quality_file, replayed])
@pytest.mark.parametrize(
    ("name", "text"), [("q.yaml", "- question: Who?\n"), ("plain", "question,answer\nWho?,Bob\n")]
)
def test_the_message_names_the_formats(
    tmp_path: Path, read: Callable[[Path], Any], name: str, text: str
):
    """It is one line, and does not call the file malformed JSON."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(
        AssayError, match=r"this format is not read; use a \.jsonl, \.csv"
    ) as raised:
        read(path)
    assert "\n" not in str(raised.value)


def test_clauses_in_a_table(tmp_path: Path):
    """Clauses have objects inside, so they are read from JSON only."""
    path = tmp_path / "c.csv"
    path.write_text("text,risk_level\nabc,high\n", encoding="utf-8")
    with pytest.raises(AssayError, match=r"this format is not read; use a \.json or \.jsonl file"):
        read_clauses(path)


def test_json_lines_need_no_ending(tmp_path: Path):
    """A file of JSON lines is read under any name, also in UTF-16."""
    for name, codec in (("questions", "utf-8-sig"), ("q.txt.bak", "utf-16")):
        path = tmp_path / name
        path.write_text('\n{"id": "a", "question": "Who?"}\n', encoding=codec)
        assert [question.id for question in read_questions(path)] == ["a"]
