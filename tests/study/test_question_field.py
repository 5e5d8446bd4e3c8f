"""The fields of questions by which a run can be divided."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assay.errors import UseError
from assay.results.results import Results
from assay.runs.summary import read_summary, write_summary
from assay.study.analysis import read_run
from assay.study.question_field import read_question_fields
from tests.support.journal import judged, write_header, write_rows


def run_of(
    folder: Path, questions: list[dict[str, Any]], rows: dict[str, Any] | None = None
) -> Results:
    """The rows of a run of these questions, with further fields in its rows."""
    journal = write_rows(
        folder / "a.jsonl", [judged(each["id"], "on", 1.0, **(rows or {})) for each in questions]
    )
    write_header(journal, ["on"], total=len(questions), questions_version="1")
    file = folder / "questions.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in questions))
    summary = read_summary(journal.with_suffix(".json"))
    assert summary is not None
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    named = replace(summary, questions_path=file.name, questions_sha256=digest)
    write_summary(journal.with_suffix(".json"), named)
    return read_run(journal)


def question(number: int, **more: Any) -> dict[str, Any]:
    """A question with further fields."""
    return {"id": f"q{number:02d}", "question": "Which?", "answer": "This.", **more}


def test_fields_are_those_of_the_file_besides_texts_and_gold(tmp_path: Path):
    """Objects are one level deep, lists of words are one value, and yes or no is a word."""
    more = {
        "language": "en",
        "metadata": {"topic": "tax"},
        "tags": ["a", "b"],
        "hard": True,
        "n": 3,
    }
    fields = read_question_fields(run_of(tmp_path, [question(0, **more), question(1)]))
    assert fields.values == {
        "language": {"q00": "en"},
        "metadata.topic": {"q00": "tax"},
        "tags": {"q00": "a, b"},
        "hard": {"q00": "yes"},
        "n": {"q00": 3},
    }
    assert fields.grouping("language", ["q00", "q01"]).labels == ("en", "(none)")


def test_what_rows_say_counts_more_than_the_file(tmp_path: Path):
    """Rows are the record; the document of a question is theirs."""
    questions = [question(number, language="en", source="old") for number in range(4)]
    results = run_of(tmp_path, questions, {"language": "zh", "source": "a.pdf"})
    fields = read_question_fields(results)
    assert set(fields.values["language"].values()) == {"zh"}
    assert "document" not in fields.values  # there is only one
    rows = [judged(f"q{n:02d}", "on", 1.0, source=f"d{n % 2}") for n in range(4)]
    write_rows(tmp_path / "a.jsonl", rows)
    documents = read_question_fields(read_run(tmp_path / "a.jsonl"))
    assert documents.counts()["document"] == 2
    assert "document" not in read_question_fields(read_run(tmp_path / "a.jsonl"), 1).values


@pytest.mark.parametrize(
    ("content", "why"),
    [("changed", "questions.jsonl has changed"), (None, "questions.jsonl was not found")],
)
def test_a_file_that_was_not_asked_has_no_fields(tmp_path: Path, content: str | None, why: str):
    """Its questions may be others now, so nothing of it is used, and the error says why."""
    results = run_of(tmp_path, [question(0, language="en")])
    file = tmp_path / "questions.jsonl"
    file.unlink() if content is None else file.write_text(content)
    fields = read_question_fields(results)
    assert fields.values == {}
    with pytest.raises(UseError, match=why):
        fields.grouping("language", ["q00"])


def test_an_unknown_field_is_answered_with_those_there_are(tmp_path: Path):
    """With the number of their values, and the nearest name."""
    results = run_of(tmp_path, [question(n, language=f"l{n}", kind="x") for n in range(3)])
    fields = read_question_fields(results)
    with pytest.raises(UseError, match=r"did you mean 'language'\?.*kind \(1\), language \(3\)"):
        fields.grouping("langage", ["q00"])


def test_many_numbers_make_ranges_and_many_words_none(tmp_path: Path):
    """Four ranges of about as many questions; up to 20 numbers are groups of their own, in order."""
    questions = [
        question(n, year=1900 + n, title=f"t{n}", page=10 - n % 10, depth=f"{n % 3 * 50}%")
        for n in range(40)
    ]
    results = run_of(tmp_path, questions)
    fields, items = read_question_fields(results), results.scores.items
    years = fields.grouping("year", items)
    assert years.labels == ("1900 … 1909", "1910 … 1919", "1920 … 1929", "1930 … 1939")
    assert "40 different numbers" in str(years.note)
    assert fields.grouping("page", items).labels == tuple(map(str, range(1, 11)))
    with pytest.raises(UseError, match="40 different values"):
        fields.grouping("title", items)
    assert fields.grouping("depth", items).labels == ("0%", "50%", "100%")
    assert fields.offered(items) == {"depth": 3, "page": 10, "year": 40}


def test_fields_that_divide_the_questions_alike_are_looked_at_once(tmp_path: Path):
    """A document for each language is no second look."""
    questions = [
        question(n, language=("en", "zh")[n % 2], place=("a", "b")[n % 2], half=n < 4, id2=n)
        for n in range(12)
    ]
    results = run_of(tmp_path, questions)
    found = read_question_fields(results).small(results.scores.items, 8)
    assert [each.field for each in found] == ["half", "language"]
