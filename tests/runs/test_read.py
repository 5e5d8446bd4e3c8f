"""Reading journals: typed rows, all fields, metadata, and where rows are in the file."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data import jsonl
from assay.errors import JournalCorrupt
from assay.records import SCHEMA_VERSION
from assay.runs.read import (
    last_row_fields,
    last_rows,
    read_fields,
    read_heads,
    read_metadata,
    read_rows,
    scan_blocks,
    scan_journal,
)
from assay.runs.row import Row, RowHead


class LampRow(Row, kw_only=True):
    """A row with a field of its own."""

    lumens: int = 0


def fields(key: str, **more: Any) -> dict[str, Any]:
    """A scored row of the current version."""
    return {"key": key, "status": "scored", "schema_version": SCHEMA_VERSION, **more}


def journal(folder: Path, *rows: dict[str, Any], end: str = "") -> Path:
    """Write a journal of these rows, and an end that is not complete."""
    path = folder / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + end)
    return path


def test_rows_have_the_fields_of_their_job(tmp_path: Path):
    """A row is read as the type of its job; fields that the type does not name are ignored."""
    path = journal(tmp_path, fields("a", lumens=800, colour="warm"), fields("b"))
    rows = [row for rows in read_rows(path, LampRow) for row in rows]
    assert [(type(row), row.key, row.lumens) for row in rows] == [
        (LampRow, "a", 800),
        (LampRow, "b", 0),
    ]


def test_a_field_of_the_wrong_type_is_refused_by_its_line(tmp_path: Path):
    """The message has the number of the line and says that nothing was changed."""
    path = journal(tmp_path, fields("a"), fields("b", lumens="many"))
    with pytest.raises(JournalCorrupt, match=r"a\.jsonl:2: not a row of results .*nothing was"):
        list(read_rows(path, LampRow))


@pytest.mark.parametrize(
    "read",
    [
        lambda path: list(read_rows(path, Row)),
        lambda path: list(read_fields(path)),
        last_row_fields,
    ],
)
def test_every_reader_refuses_a_row_without_a_key(tmp_path: Path, read: Any):
    """Only the first line may be without a key."""
    path = journal(tmp_path, {"run": 1}, fields("a"), {"status": "scored"})
    with pytest.raises(JournalCorrupt, match=r"a\.jsonl:3: a row without a key"):
        read(path)


@pytest.mark.parametrize("named", [{"question_id": "q2"}, {"config": "off"}])
@pytest.mark.parametrize(
    "read", [lambda path: list(read_rows(path, Row)), lambda path: list(read_fields(path))]
)
def test_a_row_that_contradicts_its_key_is_refused(
    tmp_path: Path, named: dict[str, str], read: Any
):
    """The question and the variant of a row are those of its key; the message names the line."""
    row = fields("q1::on::topk=5", question_id="q1", config="on")
    path = journal(tmp_path, {"run": 1}, row, row | named)
    with pytest.raises(
        JournalCorrupt, match=r"a\.jsonl:3: the key 'q1::on::topk=5' is not that of"
    ):
        read(path)


def named(question: str, variant: str, placement: str = "topk=5", **more: Any) -> dict[str, Any]:
    """A row with a key of the usual form."""
    key = f"{question}::{variant}::{placement}"
    return fields(key, question_id=question, config=variant, **more)


def ends_of_blocks(folder: Path, rows: list[dict[str, Any]]) -> list[Any]:
    """What is known of the ends of keys after each row, with a block for each row."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "BLOCK_BYTES", 1)
        return [
            None if block.ends is None else dict(block.ends)
            for block in scan_blocks(journal(folder, *rows), Row)
        ]


def test_the_ends_of_keys_are_known_while_each_variant_has_one(tmp_path: Path):
    """Variants may have placements of their own; a second placement of a variant ends it."""
    rows = [
        named("q1", "on"),
        named("q::2", "off", "topk=9"),
        named("q3", "on"),
        named("q3", "on", "topk=9"),
        named("q4", "on"),
    ]
    on, both = {"on": "::on::topk=5"}, {"on": "::on::topk=5", "off": "::off::topk=9"}
    assert ends_of_blocks(tmp_path, rows) == [on, both, both, None, None]


@pytest.mark.parametrize(
    "row",
    [
        fields("k"),
        fields("::on::topk=5", question_id="[city]", config="on", redacted=True),
        fields("[name]::on::topk=5", question_id="[city]", config="on", redacted=True),
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_the_ends_of_keys_of_another_form_are_not_known(
    tmp_path: Path, row: dict[str, Any], is_first: bool
):
    """A key that is not that of its question says nothing about the ends of others."""
    rows = [row, named("q1", "on")] if is_first else [named("q1", "on"), row]
    assert ends_of_blocks(tmp_path, rows)[-1] is None


@pytest.mark.parametrize(
    "before",
    [
        [named("q1", "on"), named("q2", "on")],
        [named("q1", "on"), named("q1", "on", "topk=9")],
        [named("q1", "on"), named("q1", "off"), fields("q2::on", question_id="q2", config="on")],
    ],
)
@pytest.mark.parametrize("block_bytes", [1, 1 << 18])
@pytest.mark.parametrize("wrong", [{"question_id": "q7"}, {"config": "off"}, {"config": "new"}])
def test_a_contradiction_is_found_wherever_it_is(
    tmp_path: Path, before: list[Any], block_bytes: int, wrong: dict[str, str]
):
    """Whether the ends of keys are known or not, in one block or in many."""
    path = journal(tmp_path, *before, named("q3", "on"), named("q4", "on") | wrong)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "BLOCK_BYTES", block_bytes)
        with pytest.raises(JournalCorrupt, match=rf":{len(before) + 2}: the key 'q4::on::topk=5'"):
            list(scan_blocks(path, Row))


@pytest.mark.parametrize(
    "row",
    [
        fields("q::1::on::topk=5", question_id="q::1", config="on"),
        fields("q1::on::", question_id="q1", config="on"),
        fields("q1::on", question_id="another", config="off"),
        fields("q1::on::topk=5"),
        fields("[name]::on::topk=5", question_id="[city]", config="on", redacted=True),
    ],
)
def test_a_key_that_says_nothing_else_is_accepted(tmp_path: Path, row: dict[str, Any]):
    """Ids may contain the separator; keys of other programs and redacted ones are not compared."""
    path = journal(tmp_path, row)
    assert [row.key for rows in read_rows(path, Row) for row in rows] == [row["key"]]
    assert list(read_fields(path)) == [[row]]


def test_all_fields_are_read_on_request(tmp_path: Path):
    """``read_fields`` yields every field, without metadata and an incomplete end."""
    rows = [fields("a", own={"deep": [1]}), fields("b", lumens="many")]
    path = journal(tmp_path, {"run": 1}, *rows, end='{"key":"c"')
    assert [row for rows in read_fields(path) for row in rows] == rows


def test_the_last_row_of_each_key_counts(tmp_path: Path):
    """Both forms give the last row, in the order of the keys' first rows."""
    rows = [fields("a", lumens=1), fields("b", lumens=2), fields("a", lumens=3)]
    path = journal(tmp_path, {"run": 1}, *rows)
    assert {key: row.lumens for key, row in last_rows(path, LampRow).items()} == {"a": 3, "b": 2}
    assert list(last_row_fields(path).items()) == [("a", rows[2]), ("b", rows[1])]


def test_a_missing_journal_has_no_rows(tmp_path: Path):
    """Readers for resuming treat a missing file as empty and do not create it."""
    path = tmp_path / "absent.jsonl"
    assert last_rows(path, Row) == {}
    assert last_row_fields(path) == {}
    assert list(read_heads(path)) == []
    assert read_metadata(path) is None
    assert not path.exists()


def test_the_head_has_what_resuming_needs(tmp_path: Path):
    """The recorded answer is kept as it is written; other fields are not decoded."""
    path = journal(
        tmp_path,
        fields("a", fingerprint="f", paid=0.5, judge_paid=0.25, recorded={"x": [1]}, stages="?"),
    )
    ((head,),) = read_heads(path)
    assert (head.key, head.fingerprint, head.paid, head.judge_paid) == ("a", "f", 0.5, 0.25)
    assert json.loads(bytes(head.recorded)) == {"x": [1]}


@pytest.mark.parametrize(
    ("content", "metadata"),
    [
        ("", None),
        ('{"run":1', None),
        ('{"run":1}', None),
        ('{"run":1}\n', {"run": 1}),
        ('{"run":1,"schema_version":1}\n{"key":"a"}\n', {"run": 1, "schema_version": 1}),
        ('\n{"run":1}\n', {"run": 1}),
        ('{"key":"a"}\n{"key":"b"}\n', {}),
    ],
)
def test_metadata_is_the_first_line_without_a_key(
    tmp_path: Path, content: str, metadata: dict[str, Any] | None
):
    """It is unknown until a line is complete, and empty if the first line is a row."""
    path = tmp_path / "a.jsonl"
    path.write_text(content)
    assert read_metadata(path) == metadata


def test_a_first_line_that_is_no_object_is_refused(tmp_path: Path):
    """The message names the line, as it does for rows."""
    path = tmp_path / "a.jsonl"
    for broken in (b"garbage\n", b"[1]\n", b"\xff\n"):
        path.write_bytes(broken)
        with pytest.raises(JournalCorrupt, match=r"a\.jsonl:1: not a row of results"):
            read_metadata(path)


@given(
    st.lists(
        st.fixed_dictionaries(
            {"key": st.text(min_size=1, max_size=3)},
            optional={
                "schema_version": st.integers(0, SCHEMA_VERSION),
                "status": st.sampled_from(["scored", "answered", "failed", "skipped"]),
                "error": st.text(max_size=3),
                "answer": st.text(max_size=20),
            },
        ),
        max_size=12,
    ),
    st.booleans(),
    st.integers(1, 120),
    st.sampled_from(["", '{"key":"torn', "{}"]),
)
def test_typed_rows_and_their_fields_agree_at_any_block_size(
    rows: list[dict[str, Any]], metadata: bool, block_bytes: int, end: str
):
    """Every reader yields the same rows, and the byte ranges hold exactly their lines."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "BLOCK_BYTES", block_bytes)
        path = journal(Path(folder), *[{"run": 1}] * metadata, *rows, end=end)
        whole = path.read_bytes()
        places = [(place, rows) for place, (rows,) in scan_journal(path, RowHead)]
        heads = [head for _, heads in places for head in heads]
        all_fields = [row for rows in read_fields(path) for row in rows]
        assert [head.key for head in heads] == [row["key"] for row in rows]
        assert [head.status for head in heads] == [
            row.get("status", "") if row.get("schema_version") else row["status"]
            for row in all_fields
        ]
        start = 0
        for place, heads in places:
            assert place.start == start
            start = place.stop
            keys = [json.loads(line).get("key") for line in whole[place].splitlines()]
            assert [key for key in keys if key is not None] == [head.key for head in heads]
        assert whole[start:] == end.encode()


def test_a_first_row_that_lost_its_key_is_no_metadata(tmp_path: Path):
    """It would be left out of every number without a word."""
    path = tmp_path / "a.jsonl"
    path.write_text('{"question_id": "q1", "config": "on", "status": "scored"}\n')
    with pytest.raises(JournalCorrupt, match=r"a\.jsonl:1: a row without a key"):
        list(read_rows(path, RowHead))
