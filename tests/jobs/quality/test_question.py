"""The questions of the quality job: all errors are reported together, each with its line."""

from pathlib import Path

import pytest

from assay.data.jsonl import MOST_PROBLEMS
from assay.data.samples.sample import sample_document_bytes
from assay.errors import DatasetError
from assay.jobs.quality.question import read_quality_file, read_quality_questions

COMPLETE = (
    '{"id": "q1", "question": "Какая выручка?", "must_include": ["2023"], '
    '"must_include_any": [["а", "б"], "в"], "must_not_include": ["XX"], '
    '"require_citation": true, "weight": 1.5}'
)


def put(folder: Path, *lines: str) -> Path:
    """Write a question file with these lines."""
    path = folder / "questions.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def problems(path: Path) -> list[str]:
    """The lines of the error message, without the file name."""
    with pytest.raises(DatasetError) as caught:
        read_quality_questions(path)
    return [line.removeprefix(f"{path}:") for line in str(caught.value).split("\n")]


def test_a_whole_question(tmp_path: Path):
    """Every field is read; a text in place of a group is a group with one member."""
    (question,) = read_quality_questions(put(tmp_path, COMPLETE))
    assert (question.id, question.text, question.weight) == ("q1", "Какая выручка?", 1.5)
    expected = question.expected
    assert expected.must_include == ("2023",)
    assert expected.must_include_any == (("а", "б"), ("в",))
    assert expected.must_not_include == ("XX",)
    assert expected.require_citation is True


def test_only_id_and_question_are_needed(tmp_path: Path):
    """All other fields have defaults; blank lines and a byte-order mark are skipped."""
    path = put(tmp_path, '\ufeff{"id": "a", "question": "?"}', "", '{"id": "b", "question": "!"}')
    first, second = read_quality_questions(path)
    assert (first.weight, first.expected.require_citation) == (1.0, False)
    assert second.expected.must_include_any == ()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"question": "?"}', "`id` is missing"),
        ('{"id": "a"}', "`question` is missing"),
        ('{"id": " ", "question": "?"}', "`id` is empty"),
        ('{"id": "a", "question": ""}', "`question` is empty"),
        ('{"id": [7], "question": "?"}', "`id` must be text, not a list"),
        ('{"id": "a", "question": ["?"]}', "`question` must be text, not a list"),
        (
            '{"id": "a", "question": "?", "must_include": ["b", ""]}',
            "`must_include[1]` is empty",
        ),
        (
            '{"id": "a", "question": "?", "must_include_any": {"a": 1}}',
            "`must_include_any` must be a list of groups, each a text or a list of texts, not an object",
        ),
        (
            '{"id": "a", "question": "?", "must_include_any": [[]]}',
            "`must_include_any[0]` is an empty group, which no answer can satisfy",
        ),
        (
            '{"id": "a", "question": "?", "must_include_any": [["b", " "]]}',
            "`must_include_any[0][1]` is empty",
        ),
        (
            '{"id": "a", "question": "?", "require_citation": "maybe"}',
            "`require_citation` must be true or false, not text",
        ),
        (
            '{"id": "a", "question": "?", "weight": -0.5}',
            "`weight` is -0.5; a weight cannot be negative",
        ),
        (
            '{"id": "a", "question": "?", "weight": true}',
            "`weight` must be a number, not true or false",
        ),
        (
            '{"id": "a", "question": "?", "must_include": ["Да"], "must_not_include": ["ДА"]}',
            "'Да' is both in `must_include` and in `must_not_include`",
        ),
        ("[1]", 'not a JSON object; write {"id": …, "question": …}'),
    ],
)
def test_each_mistake_is_one_line(tmp_path: Path, line: str, message: str):
    """Each error gives one line with its place and what is wrong."""
    assert problems(put(tmp_path, COMPLETE, line)) == [f"2: {message}"]


def test_all_mistakes_are_reported_together(tmp_path: Path):
    """A repeated id, a broken line and a wrong weight are reported together with their lines."""
    messages = problems(
        put(
            tmp_path,
            COMPLETE,
            "{broken",
            '{"id": "q1", "question": "?", "weight": "much"}',
        )
    )
    assert messages[0].startswith("2: not JSON: ")
    assert messages[1:] == [
        "3: `weight` must be a number, not text",
        "3: the id 'q1' is already on line 1",
    ]


def test_very_many_mistakes_are_counted(tmp_path: Path):
    """A long list of problems ends with the number of those that are not shown."""
    messages = problems(put(tmp_path, *["{}"] * 30))
    assert len(messages) == MOST_PROBLEMS + 1
    assert messages[-1].endswith("and 40 more problems")


def test_an_unknown_key_is_ignored_and_named_with_the_nearest(tmp_path: Path):
    """A further key is no error; one note names all of them, and what a slip may mean."""
    path = put(
        tmp_path,
        '{"id": "a", "question": "?", "must_include": ["x"], "must_includ": [], "topic": "x"}',
        '{"id": "b", "question": "?", "require_citation": true, "topic": "y"}',
    )
    assert tuple(map(str, read_quality_file(path).notes)) == (
        "ignored 2 fields: must_includ (did you mean 'must_include'?), topic",
    )


def test_an_empty_file_and_none_at_all(tmp_path: Path):
    """An empty file and a missing file each give a one-line message."""
    assert problems(put(tmp_path, "")) == [" the file has no questions"]
    with pytest.raises(DatasetError, match=r"nope\.jsonl: cannot be read: No such file"):
        read_quality_questions(tmp_path / "nope.jsonl")


def test_the_sample_questions_are_in_order(tmp_path: Path):
    """The question file that comes with assay has no errors."""
    path = tmp_path / "sample.jsonl"
    path.write_bytes(sample_document_bytes("ru/quality_questions.jsonl"))
    assert len(read_quality_questions(path)) == 35


def test_odd_types_of_other_tools_are_read(tmp_path: Path):
    """A number for a text, a text for a list, null for a missing key, words for a flag."""
    line = (
        '{"id": 7, "question": "?", "must_include": 2023, "must_include_any": ["a", [5, "b"]], '
        '"must_not_include": null, "require_citation": "true", "weight": "2.5"}'
    )
    (question,) = read_quality_questions(put(tmp_path, line))
    assert (question.id, question.weight) == ("7", 2.5)
    assert question.expected.must_include == ("2023",)
    assert question.expected.must_include_any == (("a",), ("5", "b"))
    assert question.expected.must_not_include == ()
    assert question.expected.require_citation
