"""Rows as events from any place on: at torn ends, across ``--resume fresh``, for several readers."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import AssayError, JournalCorrupt
from assay.runs.summary import set_aside
from assay.web.events import tail
from assay.web.events import tail as cursor_module
from assay.web.events.tail import Cursor, RowReader, SharedBlocks, parse_cursor
from assay.web.pattern import Cancelled
from tests.support.event import parse_events
from tests.support.journal import judged

RUN = "experiments/a b"


def lines(first: int, last: int, **fields: Any) -> bytes:
    """The lines of some rows; each is different from all others."""
    rows = [
        judged(f"q{number}", "on", 1.0, ts=float(number), **fields) for number in range(first, last)
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def add(journal: Path, data: bytes) -> None:
    """Append to a journal."""
    with journal.open("ab") as file:
        file.write(data)


def drained(reader: RowReader) -> list[str]:
    """What a reader still gets: names of events and questions, until there is nothing."""
    found: list[str] = []
    while text := reader.read():
        found += [
            event.data["question_id"] if event.name == "row" else event.name
            for event in parse_events(text.decode())
        ]
    return found


def names(first: int, last: int) -> list[str]:
    """The questions of ``lines``."""
    return [f"q{number}" for number in range(first, last)]


def read_all(journal: Path, cursor: Cursor | None = None) -> list[str]:
    """Everything after a cursor."""
    reader = RowReader(RUN, journal, cursor)
    try:
        return drained(reader)
    finally:
        reader.close()


def cursors(journal: Path) -> list[Cursor]:
    """The cursor of each row."""
    reader = RowReader(RUN, journal, None)
    text = b"".join(iter(reader.read, b"")).decode()
    reader.close()
    found = [parse_cursor(event.id) for event in parse_events(text)]
    return [cursor for cursor in found if cursor is not None]


def test_a_reader_goes_on_after_every_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """With blocks smaller than a row, and with the metadata that some journals begin with."""
    monkeypatch.setattr(tail, "BLOCK", 50)
    journal = tmp_path / "a.jsonl"
    journal.write_bytes(b'{"metadata": {"novel": "x"}}\n\n' + lines(0, 9, note="«\r\n»"))
    places = cursors(journal)
    assert [place.run for place in places] == [RUN] * 9
    for number, place in enumerate(places, 1):
        assert parse_cursor(str(place)) == place
        assert read_all(journal, place) == names(number, 9)


def test_a_row_is_sent_when_it_is_whole(tmp_path: Path):
    """A torn end is waited for, wherever it is torn, and is never sent in part."""
    journal = tmp_path / "a.jsonl"
    whole = lines(0, 3)
    start = whole.rindex(b"\n", 0, -1) + 1
    for cut in range(start, len(whole)):
        journal.unlink(missing_ok=True)
        journal.write_bytes(whole[:cut])
        reader = RowReader(RUN, journal, None)
        assert drained(reader) == names(0, 2)
        assert drained(reader) == []
        add(journal, whole[cut:])
        assert drained(reader) == ["q2"]
        reader.close()


def test_a_torn_row_that_is_set_aside_is_not_sent(tmp_path: Path):
    """The next run cuts it off and writes other rows in its place."""
    journal = tmp_path / "a.jsonl"
    journal.write_bytes(lines(0, 2) + lines(7, 8)[:-9])
    reader = RowReader(RUN, journal, None)
    assert drained(reader) == names(0, 2)
    with journal.open("r+b") as file:
        file.truncate(len(lines(0, 2)))
    add(journal, lines(2, 4))
    assert drained(reader) == names(2, 4)
    reader.close()


def test_fresh_in_between_misses_and_repeats_nothing(tmp_path: Path):
    """At every place: the rest of the old rows, the sign, then the new rows from the start."""
    journal = tmp_path / "a.jsonl"
    journal.write_bytes(lines(0, 4))
    places = cursors(journal)
    live = RowReader(RUN, journal, places[0])
    set_aside(journal)
    assert [read_all(journal, place) for place in places] == [names(n, 4) for n in range(1, 5)]
    journal.write_bytes(lines(10, 12))
    for number, place in enumerate(places, 1):
        assert read_all(journal, place) == [*names(number, 4), "fresh", "q10", "q11"]
    assert drained(live) == [*names(1, 4), "fresh", "q10", "q11"]
    set_aside(journal)
    journal.write_bytes(lines(20, 21))
    assert read_all(journal, places[2]) == ["q3", "fresh", "q10", "q11", "fresh", "q20"]
    assert drained(live) == ["fresh", "q20"]
    live.close()
    assert read_all(journal) == ["q20"]


def test_a_cursor_of_a_journal_that_is_gone_begins_with_fresh(tmp_path: Path):
    """So does one that does not stand at the end of a row."""
    journal = tmp_path / "a.jsonl"
    journal.write_bytes(lines(0, 2))
    first, second = cursors(journal)
    assert read_all(journal, Cursor(RUN, "0" * 12, first.offset)) == ["fresh", "q0", "q1"]
    assert read_all(journal, Cursor(RUN, first.generation, 3)) == ["fresh", "q0", "q1"]
    assert read_all(journal, Cursor(RUN, first.generation, 10**9)) == ["fresh", "q0", "q1"]
    assert read_all(journal, second) == []


def test_the_same_rows_written_again_are_another_generation(tmp_path: Path):
    """As after a repeated run whose metadata is the same, or rows that were scored again."""
    journal = tmp_path / "a.jsonl"
    journal.write_bytes(lines(0, 2))
    (first, _) = cursors(journal)
    set_aside(journal)
    journal.write_bytes(lines(0, 2))
    assert cursors(journal)[0].generation != first.generation
    assert read_all(journal, first) == ["q1", "fresh", "q0", "q1"]


def test_two_readers_share_what_was_prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """They are at different places, and each gets every row once; the second one reads no file."""
    monkeypatch.setattr(tail, "BLOCK", 700)
    journal, shared = tmp_path / "a.jsonl", SharedBlocks()
    journal.write_bytes(lines(0, 5))
    one, two = (RowReader(RUN, journal, None, shared) for _ in range(2))
    first = drained(one)
    add(journal, lines(5, 30))
    assert first + drained(one) == names(0, 30)
    add(journal, lines(30, 40))
    assert drained(two) == names(0, 40)
    assert drained(one) == names(30, 40)
    add(journal, lines(40, 41))
    assert two.prepared() == b""
    assert one.read() == two.prepared() != b""
    assert one.prepared() == two.prepared() == b""
    assert one.cursor == two.cursor
    one.close()
    two.close()


def test_a_file_that_is_no_journal_says_where(tmp_path: Path):
    """The rows before it are sent."""
    journal = tmp_path / "a.jsonl"
    for wrong in (b"no row\n", b'{"key": ""}\n', b"[1]\n"):
        journal.write_bytes(lines(0, 1) + wrong)
        with pytest.raises(JournalCorrupt, match="before byte"):
            read_all(journal)


def test_no_journal_has_no_rows(tmp_path: Path):
    """Nor has an empty one, or one that was set aside."""
    journal = tmp_path / "a.jsonl"
    assert read_all(journal) == []
    journal.touch()
    reader = RowReader(RUN, journal, None)
    assert drained(reader) == []
    assert reader.cursor is None
    add(journal, lines(0, 1))
    assert drained(reader) == ["q0"]
    set_aside(journal)
    assert drained(reader) == []
    reader.close()


def test_a_row_of_many_blocks_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Adding each block to those before it would copy a terabyte here; the first line is read too."""
    monkeypatch.setattr(tail, "BLOCK", 64)
    monkeypatch.setattr(cursor_module, "_BLOCK", 64)
    journal = tmp_path / "a.jsonl"
    journal.write_bytes(lines(0, 1, note="x" * (1 << 23)) + lines(1, 3))
    assert read_all(journal) == names(0, 3)


def test_a_row_that_is_too_long_ends_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """No row takes more memory than that, also if it is the first one or not whole yet."""
    for module in (tail, cursor_module):
        monkeypatch.setattr(module, "LONGEST_ROW", 5000)
    monkeypatch.setattr(tail, "BLOCK", 1000)
    journal = tmp_path / "a.jsonl"
    for before, end in ((2, b""), (0, b""), (2, b"x" * 9000), (0, b"x" * 9000)):
        long = end or lines(7, 8, note="x" * 9000)
        journal.write_bytes(lines(0, before) + long)
        reader = RowReader(RUN, journal, None)
        if before:
            assert len(parse_events(reader.read().decode())) >= 1
        with pytest.raises(AssayError, match="longer than"):
            drained(reader)
        reader.close()


def test_reading_ends_when_nobody_waits_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """In the middle of a row; and what was read then is not shared."""
    monkeypatch.setattr(tail, "BLOCK", 50)
    journal = tmp_path / "a.jsonl"
    journal.write_bytes(lines(0, 1, note="x" * 900))
    shared, asked = SharedBlocks(), 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    reader = RowReader(RUN, journal, None, shared)
    with pytest.raises(Cancelled):
        reader.read(stop)
    assert asked == 4
    assert reader.prepared() == b""
    assert drained(reader) == ["q0"]
    reader.close()


def test_a_torn_end_is_not_read_again_before_it_changes(tmp_path: Path):
    """A stream looks ten times a second, and the torn row may be long."""
    journal = tmp_path / "a.jsonl"
    journal.write_bytes(lines(0, 1) + lines(1, 2)[:-9])
    reader = RowReader(RUN, journal, None)
    assert reader.has_more()
    assert drained(reader) == ["q0"]
    assert not reader.has_more()
    add(journal, lines(1, 2)[-9:])
    assert reader.has_more()
    assert drained(reader) == ["q1"]
    reader.close()


def test_a_large_block_is_not_kept_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The shared blocks together stay small."""
    monkeypatch.setattr(tail, "MOST_SHARED", 1000)
    journal = tmp_path / "a.jsonl"
    journal.write_bytes(lines(0, 1, note="x" * 2000))
    shared = SharedBlocks()
    one, two = (RowReader(RUN, journal, None, shared) for _ in range(2))
    assert one.read() != b""
    assert two.prepared() == b""
    assert drained(two) == ["q0"]
    one.close()
    two.close()
