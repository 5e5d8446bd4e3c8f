"""The configuration of a benchmark with several documents, and errors with their line."""

from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.jobs.quality.question import load_benchmark

COMPLETE = """\
{
\t"name": "v1",
\t"datasets": [
\t\t{"id": "one", "kind": "report", "pdf": "a.pdf", "questions": "a.jsonl", "weight": 2},
\t\t{"id": "two", "pdf": "b.pdf", "questions": "b.jsonl"}
\t]
}
"""


def put(folder: Path, text: str) -> Path:
    """Write a configuration file."""
    path = folder / "config.v1.json"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_whole_configuration(tmp_path: Path):
    """JSON with tabs is read; the default weight is 1."""
    config = load_benchmark(put(tmp_path, COMPLETE)).value
    assert config.name == "v1"
    assert [(dataset.id, dataset.kind, dataset.weight) for dataset in config.datasets] == [
        ("one", "report", 2.0),
        ("two", "", 1.0),
    ]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('"weight": 2', '"weight": -2', 4, "datasets.0.weight"),
        ('"id": "two"', '"id": "one"', 5, "two data sets have the id 'one'"),
        ('"id": "two"', '"id": "a/b"', 5, "datasets.1.id"),
        ('"pdf": "b.pdf", ', "", 5, "'pdf' is missing"),
    ],
)
def test_mistakes_have_their_line(tmp_path: Path, old: str, new: str, line: int, message: str):
    """The message gives the file, the line and what is wrong."""
    path = put(tmp_path, COMPLETE.replace(old, new))
    with pytest.raises(AssayError) as caught:
        load_benchmark(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)


def test_weights_that_are_all_zero_make_no_score(tmp_path: Path):
    """Weights that are all zero are refused when the file is read, and so is a missing file."""
    text = COMPLETE.replace('"weight": 2', '"weight": 0').replace(
        'b.jsonl"', 'b.jsonl", "weight": 0'
    )
    with pytest.raises(AssayError, match="all weights are 0"):
        load_benchmark(put(tmp_path, text))
    with pytest.raises(AssayError, match=r"none\.json: cannot be read"):
        load_benchmark(tmp_path / "none.json")


def test_unknown_keys_and_odd_types_are_read_with_a_note(tmp_path: Path):
    """Keys of other tools are ignored in one line; a weight may be text, a name any words."""
    text = COMPLETE.replace('"kind"', '"language": "ru", "kindd"').replace(
        '"weight": 2', '"weight": "2"'
    )
    text = text.replace('"v1"', '"Основной набор (v1)", "version": 3').replace(
        '"two"', '2, "kind": null'
    )
    config = load_benchmark(put(tmp_path, text)).value
    assert config.name == "Основной_набор_v1"
    assert [(dataset.id, dataset.weight) for dataset in config.datasets] == [
        ("one", 2.0),
        ("2", 1.0),
    ]
    assert str(config.note) == "ignored 3 fields: version, language, kindd (did you mean 'kind'?)"


def test_a_file_without_a_name_has_that_of_the_file(tmp_path: Path):
    """The name is only a label."""
    text = COMPLETE.replace('"name": "v1",', "")
    assert load_benchmark(put(tmp_path, text)).value.name == "config.v1"
