import os
import random
import re
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import DatasetError, UseError
from assay.judge.exchange import import_labels
from assay.judge.label import Label, Preference, current
from assay.judge.label_store import (
    append,
    labels_path,
    merge,
    pairs_path,
    read_labels,
    read_preferences,
)

WRITER = """
import sys
from pathlib import Path
from assay.judge.label import Label; from assay.judge.label_store import append
path, person, first, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
for number in range(first, first + count):
    for _ in range(2):  # said twice: a client that repeats its request
        append(path, Label(run="r", case_id=f"q{number}", variant="a", answer_hash="h",
                           labeller=person, time="", verdict="right", comment="x" * 500))
    print(number, flush=True)
"""


def label(case: str = "q1", **fields: object) -> Label:
    """A label of an answer of the variant ``a``."""
    values = {"run": "experiments/r", "case_id": case, "variant": "a", "answer_hash": "h1"}
    values |= {"labeller": "Анна", "time": "2026-01-01T00:00:00.000000Z", "verdict": "right"}
    return msgspec.convert(values | fields, Label)


def test_a_row_has_the_fields_that_other_programs_read(tmp_path: Path):
    """The line on disk is the documented object, and unknown amounts are null."""
    path = labels_path(tmp_path / "experiments" / "hyde.jsonl")
    append(path, label(), now=datetime(2026, 1, 2, tzinfo=UTC))
    assert path == tmp_path / "labels" / "hyde.jsonl"
    assert msgspec.json.decode(path.read_bytes()) == {
        "run": "experiments/r", "case_id": "q1", "variant": "a", "answer_hash": "h1",
        "labeller": "Анна", "time": "2026-01-02T00:00:00.000000Z", "verdict": "right",
        "span": None, "comment": None, "corrected_answer": None, "probability": None,
        "blind": False, "schema_version": 1,
    }  # fmt: skip


def test_the_newest_label_of_a_person_counts(tmp_path: Path):
    """A second verdict replaces the first one and both stay in the file."""
    path = tmp_path / "l.jsonl"
    append(path, label())
    append(path, label(verdict="wrong"))
    append(path, label(labeller="Wei"))
    assert [row.verdict for row in read_labels(path)] == ["right", "wrong", "right"]
    assert [(row.labeller, row.verdict) for row in current(read_labels(path))] == [
        ("Анна", "wrong"),
        ("Wei", "right"),
    ]


def test_saying_the_same_twice_writes_one_line(tmp_path: Path):
    """A request can be repeated; going back to an earlier verdict is something new."""
    path = tmp_path / "l.jsonl"
    first, is_new = append(path, label(comment="so"))
    assert is_new
    assert append(path, label(comment="so")) == (first, False)
    assert append(path, label(verdict="wrong"))[1]
    assert append(path, label(comment="so"))[1]
    assert len(read_labels(path)) == 3


def test_a_clock_that_was_set_back_does_not_lose_a_correction(tmp_path: Path):
    """The time of a label is later than that of the label it replaces."""
    path = tmp_path / "l.jsonl"
    append(path, label(), now=datetime(2026, 5, 1, tzinfo=UTC))
    append(path, label(verdict="wrong"), now=datetime(2026, 4, 1, tzinfo=UTC))
    (counted,) = current(read_labels(path))
    assert (counted.verdict, counted.time) == ("wrong", "2026-05-01T00:00:00.000001Z")


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("2026-11-17T10:00:00+05:00", "2026-11-17T08:00:00Z"),
        ("2026-11-17T08:00:00Z", "2026-11-17T08:00:00.000001Z"),
        ("2026-11-17 07:59", "2026-11-17T00:00:00-08:00"),
    ],
)
def test_the_newest_moment_counts_whatever_its_zone(tmp_path: Path, older: str, newer: str):
    """Times are compared as moments, not as texts, in any order of the lines."""
    path = tmp_path / "l.jsonl"
    rows = [label(time=newer, verdict="right"), label(time=older, verdict="wrong")]
    for lines in (rows, rows[::-1]):
        path.write_bytes(msgspec.json.Encoder().encode_lines(lines))
        assert [row.verdict for row in current(read_labels(path))] == ["right"]


@pytest.mark.parametrize(
    "time", ["yesterday", "", "2026-13-01T00:00:00Z", "0001-01-01T00:00+05:00"]
)
def test_a_time_that_cannot_be_read_is_refused_alike(tmp_path: Path, time: str):
    """A file of labels that is read in place and one that is imported say the same."""
    path = tmp_path / "given.jsonl"
    path.write_bytes(b"\n" + msgspec.json.Encoder().encode_lines([label(), label("q2", time=time)]))
    refusal = f"not a label: `time` is {re.escape(repr(time))}"
    with pytest.raises(DatasetError, match=f"given.jsonl:3: {refusal}"):
        read_labels(path)
    with pytest.raises(DatasetError, match=refusal):
        import_labels(path, tmp_path / "l.jsonl")
    assert not (tmp_path / "l.jsonl").exists()


def test_rows_of_another_file_are_merged_once(tmp_path: Path):
    """Importing again changes nothing, and an older label does not replace a newer one."""
    path = tmp_path / "l.jsonl"
    append(path, label(verdict="wrong"))
    older = label(verdict="right", time="2020-01-01T00:00:00.000000Z")
    assert merge(path, [older, older, label("q2")], Label) == 2
    assert merge(path, read_labels(path), Label) == 0
    assert [row.verdict for row in current(read_labels(path))] == ["wrong", "right"]


def test_preferences_have_a_file_of_their_own(tmp_path: Path):
    """Readers of labels never meet a row of another kind."""
    path = pairs_path(tmp_path / "labels" / "r.jsonl")
    row = Preference(
        run="r", case_id="q", variant="a", other_variant="b", answer_hash="1",
        other_answer_hash="2", labeller="Wei", time="", choice="second",
    )  # fmt: skip
    append(path, row)
    assert path == tmp_path / "labels" / "pairs" / "r.jsonl"
    assert [each.choice for each in read_preferences(path)] == ["second"]


def test_no_file_is_no_labels(tmp_path: Path):
    """Reading creates nothing."""
    assert read_labels(tmp_path / "labels" / "r.jsonl") == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[]", ":2: "),
        ('{"schema_version": 1}', ":2: not a label: .*run"),
        ('{"schema_version": 2, "kind": 5}', "newer version of assay"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, message: str):
    """The message has the number of the line, and the file is left alone."""
    path = tmp_path / "l.jsonl"
    append(path, label())
    before = path.read_bytes() + line.encode() + b"\n"
    path.write_bytes(before)
    with pytest.raises(DatasetError, match=message):
        read_labels(path)
    with pytest.raises(DatasetError, match=message):
        append(path, label("q2"))
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "fields",
    [{"labeller": ""}, {"labeller": " "}, {"labeller": "a\nb"}, {"verdict": "yes"},
     {"probability": 0}, {"probability": 1.5}, {"span": (-1, 2)}],
)  # fmt: skip
def test_impossible_labels_are_refused(fields: dict[str, object]):
    """A verdict, a probability and a person must be possible ones."""
    with pytest.raises(msgspec.ValidationError):
        label(**fields)


def test_whatever_a_killed_writer_leaves_is_repaired(tmp_path: Path):
    """The file is cut at every byte: no complete line is lost, and the next label is written."""
    path = tmp_path / "l.jsonl"
    for case in ("q1", "q2"):
        append(path, label(case, comment="да"))
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for cut in range(first, len(whole) + 1):
        path.write_bytes(whole[:cut])
        assert [row.case_id for row in read_labels(path)] == ["q1", "q2"][: 1 + (cut == len(whole))]
        append(path, label("q3"))
        kept = ["q1", "q2", "q3"] if cut >= len(whole) - 1 else ["q1", "q3"]
        assert [row.case_id for row in read_labels(path)] == kept
    torn = (tmp_path / "l.jsonl.torn").read_bytes().splitlines()
    assert torn == [whole[first:cut] for cut in range(first + 1, len(whole) - 1)]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["right", "wrong"]))))
def test_current_labels_are_those_said_last(said: list[tuple[str, str]]):
    """However often people change their minds, one label of each counts: the last one."""
    rows = [
        label(labeller=who, verdict=verdict, time=f"2026-01-01T00:00:00.{number:06}Z")
        for number, (who, verdict) in enumerate(said)
    ]
    random.Random(len(rows)).shuffle(rows)
    assert {row.labeller: row.verdict for row in current(rows)} == dict(said)


def _writer(path: Path, person: str, first: int, count: int) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-c", WRITER, str(path), person, str(first), str(count)]
    return subprocess.Popen(words, stdout=subprocess.PIPE)


def test_people_can_label_at_once(tmp_path: Path):
    """Three processes write to one file: every label is there once."""
    path = tmp_path / "labels" / "r.jsonl"
    writers = [_writer(path, person, 0, 40) for person in ("a", "b", "c")]
    for writer in writers:
        writer.communicate()
        assert writer.returncode == 0
    rows = read_labels(path)
    expected = {(person, f"q{number}") for person in "abc" for number in range(40)}
    assert len(rows) == 120
    assert {(row.labeller, row.case_id) for row in rows} == expected


@pytest.mark.parametrize("seed", range(2))
def test_killed_writers_lose_and_repeat_nothing(tmp_path: Path, seed: int):
    """Each of two writers is killed after a random label and then goes on where it was."""
    path, draw = tmp_path / "r.jsonl", random.Random(seed)
    first = {"a": 0, "b": 0}
    for _ in range(2):
        writers = {person: _writer(path, person, first[person], 10_000) for person in first}
        for person, writer in writers.items():
            assert writer.stdout is not None
            for _ in range(draw.randrange(1, 40)):
                writer.stdout.readline()
            os.kill(writer.pid, signal.SIGKILL)
            rest = [line for line in writer.communicate()[0].splitlines() if line]
            said = [int(line) for line in rest]
            rows = [row for row in read_labels(path) if row.labeller == person]
            cases = [int(row.case_id[1:]) for row in rows]
            assert cases == list(range(len(cases)))
            assert not said or said[-1] < len(cases)
            first[person] = max(0, len(cases) - 3)  # it repeats its last requests


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path):
    """The message names the file; nothing else happens."""
    (tmp_path / "labels").write_text("a file")
    with pytest.raises(UseError, match=r"labels/r\.jsonl: cannot be written"):
        append(tmp_path / "labels" / "r.jsonl", label())
