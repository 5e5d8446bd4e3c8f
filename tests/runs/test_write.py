"""The journal: rows are kept, an incomplete end is repaired, and errors name their line."""

import errno
import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import (
    JournalCorrupt,
    JournalLocked,
    JournalReadOnly,
    JournalTooNew,
    JournalWriteFailed,
)
from assay.records import SCHEMA_VERSION, Tally
from assay.runs.read import JournalIndex, index_journal, read_heads
from assay.runs.write import Journal


def row(key: str, status: str = "scored", **more: Any) -> dict[str, Any]:
    """A row as the runner writes it."""
    head = {"key": key, "status": status, "fingerprint": f"f-{key}"}
    return {**head, "schema_version": SCHEMA_VERSION, **more}


def line(value: dict[str, Any]) -> bytes:
    """A row as bytes with its newline."""
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    return tmp_path / "experiments" / "a.jsonl"


def put(path: Path, *values: dict[str, Any] | bytes) -> Path:
    """Write a journal of these rows or raw bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        b"".join(value if isinstance(value, bytes) else line(value) for value in values)
    )
    return path


def torn(path: Path) -> Path:
    """The file to which an incomplete end is moved."""
    return path.with_name(path.name + ".torn")


def keys(path: Path) -> list[str]:
    """The keys of a journal's rows, in order."""
    return [head.key for heads in read_heads(path) for head in heads]


class WriteCount:
    """Records the data of each ``os.write`` call that writes rows."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[bytes] = []
        real = os.write

        def recording_write(fd: int, data: Any) -> int:
            if bytes(data).startswith(b"{"):
                self.calls.append(bytes(data))
            return real(fd, data)

        monkeypatch.setattr(os, "write", recording_write)


def test_rows_given_together_are_one_write(path: Path, monkeypatch: pytest.MonkeyPatch):
    """Each call makes one ``os.write``, and the rows can be read before the journal is closed."""
    writes = WriteCount(monkeypatch)
    with Journal.open(path) as journal:
        journal.write([f'{{"key":"{n}"}}'.encode() for n in range(50)])
        assert len(writes.calls) == 1
        assert keys(path) == [str(n) for n in range(50)]
        journal.write([b'{"key":"50"}'])
        assert len(writes.calls) == 2
    assert keys(path) == [str(n) for n in range(51)]


def test_a_closed_journal_can_be_closed_again(path: Path):
    """A journal can be closed twice."""
    journal = Journal.open(path)
    journal.close()
    journal.close()


def test_a_short_write_is_completed(path: Path, monkeypatch: pytest.MonkeyPatch):
    """If the system writes only a part of the bytes, the rest is written too."""
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, bytes(data)[:5]))
    with Journal.open(path) as journal:
        journal.write([b'{"key":"a"}', b'{"key":"b"}'])
    assert keys(path) == ["a", "b"]


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (errno.ENOSPC, "the disk is full; free some space"),
        (errno.EDQUOT, "the disk is full; free some space"),
        (errno.EFBIG, "file-size limit"),
        (errno.EIO, os.strerror(errno.EIO)),
    ],
)
def test_a_failed_write_leaves_whole_rows_only(
    path: Path, monkeypatch: pytest.MonkeyPatch, number: int, message: str
):
    """An incomplete row is removed, the error names the cause, and later writes fail."""
    put(path, row("a"))
    before = path.read_bytes()
    real = os.write

    def full(fd: int, data: Any) -> int:
        if not bytes(data).startswith(b"{"):
            raise OSError(number, os.strerror(number))
        return real(fd, bytes(data)[:7])

    with Journal.open(path) as journal:
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(JournalWriteFailed, match=message) as caught:
            journal.write([line(row("b")).strip()])
        assert "earlier rows are intact" in str(caught.value)
        monkeypatch.setattr(os, "write", real)
        with pytest.raises(JournalWriteFailed):
            journal.write([line(row("c")).strip()])
    assert path.read_bytes() == before


def test_sync_makes_durable_only_what_is_new(path: Path, monkeypatch: pytest.MonkeyPatch):
    """``fsync`` is called only if rows were written since the last call."""
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    with Journal.open(path) as journal:
        journal.sync()
        assert synced == []
        journal.write([b'{"key":"a"}'])
        journal.sync()
        journal.sync()
        assert len(synced) == 1
    assert len(synced) == 1


def test_an_absent_journal_is_empty(path: Path):
    """The index of a missing journal is empty, and reading it creates no file."""
    assert len(index_journal(path)) == 0
    assert not path.exists()


def test_a_scored_row_is_done(path: Path):
    """A scored case is not asked again; its fingerprint is kept."""
    index = index_journal(put(path, row("a"), row("b")))
    assert index.done == {"a": "f-a", "b": "f-b"}
    assert index.tally() == Tally(scored=2)


def test_a_failed_row_is_not_done(path: Path):
    """A case with an error is asked again."""
    index = index_journal(put(path, row("a", "failed", error="timeout: no answer"), row("b")))
    assert set(index.done) == {"b"}
    assert index.failed == {"a"}
    assert index.tally() == Tally(scored=1, failed=1)
    assert len(index) == 2


def test_a_skipped_row_is_done_but_not_scored(path: Path):
    """A skipped case is not asked again and never counts as scored."""
    index = index_journal(put(path, row("a", "skipped", reason="too long"), row("b")))
    assert set(index.done) == {"a", "b"}
    assert index.tally() == Tally(scored=1, skipped=1)


def test_an_answered_row_is_neither_done_nor_failed(path: Path):
    """A case whose answer is not judged yet is counted separately."""
    index = index_journal(put(path, row("a", "answered", recorded={"any": 1}), row("b")))
    assert set(index.done) == {"b"}
    assert (index.answered, index.failed) == ({"a"}, set())
    assert index.tally() == Tally(scored=1, answered=1)
    assert len(index) == 2


@pytest.mark.parametrize(
    ("statuses", "tally"),
    [
        (["failed", "scored"], Tally(scored=1)),
        (["scored", "failed"], Tally(failed=1)),
        (["skipped", "scored"], Tally(scored=1)),
        (["scored", "skipped"], Tally(skipped=1)),
        (["skipped", "failed"], Tally(failed=1)),
        (["failed", "skipped"], Tally(skipped=1)),
        (["failed", "scored", "failed", "scored"], Tally(scored=1)),
        (["scored", "scored"], Tally(scored=1)),
        (["answered"], Tally(answered=1)),
        (["answered", "scored"], Tally(scored=1)),
        (["answered", "answered"], Tally(answered=1)),
        (["failed", "answered"], Tally(answered=1)),
        (["scored", "answered"], Tally(answered=1)),
        (["skipped", "answered"], Tally(answered=1)),
        (["answered", "failed"], Tally(failed=1)),
        (["answered", "skipped"], Tally(skipped=1)),
    ],
)
def test_the_last_row_of_a_key_wins(path: Path, statuses: list[str], tally: Tally):
    """A key counts once, as its last row says."""
    rows = [
        row("a", status, **({"error": "e"} if status == "failed" else {})) for status in statuses
    ]
    index = index_journal(put(path, *rows))
    assert index.tally() == tally
    assert len(index) == 1


def test_the_last_fingerprint_of_a_key_wins(path: Path):
    """The index has the fingerprint of the last row of a key."""
    first, second = row("a"), row("a") | {"fingerprint": "later"}
    assert index_journal(put(path, first, second)).done == {"a": "later"}


def test_rows_of_other_programs_count_by_their_error(path: Path):
    """Rows without ``status`` are done unless they carry an error."""
    index = index_journal(
        put(
            path,
            {"key": "a", "answer": "x"},
            {"key": "b", "error": "bad"},
            {"key": "c", "error": None},
        )
    )
    assert set(index.done) == {"a", "c"}
    assert index.failed == {"b"}


def test_what_was_paid_is_added_over_all_rows(path: Path):
    """The cost of failed and repeated rows, and of judging, is included; no price adds nothing."""
    index = index_journal(
        put(
            path,
            row("a", paid=0.5),
            row("a", paid=0.25),
            row("b", "failed", error="e", paid=0.125),
            row("c"),
            row("d", "answered", paid=0.0625),
            row("d", judge_paid=2.0),
        )
    )
    assert index.paid == 2.9375


def test_a_metadata_line_may_be_first(path: Path):
    """A first line without ``key`` is metadata and not a row."""
    index = index_journal(put(path, {"run": "older program", "date": "2024"}, row("a")))
    assert index.tally() == Tally(scored=1)


@pytest.mark.parametrize("before", [0, 1, 5000])
@pytest.mark.parametrize("metadata", [True, False])
@pytest.mark.parametrize("blank", [b"", b"\n"])
def test_a_line_without_key_is_refused_anywhere_else(
    path: Path, before: int, metadata: bool, blank: bytes
):
    """A later line without a key is an error with its number, and the file is not changed."""
    rows = [*([{"run": "x"}] if metadata else []), *(row(f"k{n}") for n in range(before + 1))]
    put(path, *rows, blank, {"status": "scored"}, row("z"))
    before_bytes = path.read_bytes()
    number = len(rows) + len(blank) + 1
    with pytest.raises(JournalCorrupt, match=rf"a\.jsonl:{number}: a row without a key"):
        Journal.open(path)
    assert path.read_bytes() == before_bytes


def test_a_row_with_a_status_of_its_own_is_refused(path: Path):
    """A row with an unknown status is an error with its line number."""
    with pytest.raises(JournalCorrupt, match=r"a\.jsonl:2: not a row of results"):
        index_journal(put(path, row("a"), row("b", "perhaps")))


def test_opening_makes_the_folder_and_an_empty_journal(path: Path):
    """Opening a journal creates its folder and an empty file."""
    index = JournalIndex()
    with Journal.open(path, index):
        assert len(index) == 0
    assert path.read_bytes() == b""


def test_a_folder_that_cannot_be_created_is_refused(tmp_path: Path):
    """If the folder is a file, the error says that the folder cannot be created."""
    (tmp_path / "experiments").write_text("a file")
    with pytest.raises(JournalReadOnly, match="cannot be created"):
        Journal.open(tmp_path / "experiments" / "a.jsonl")


def test_a_journal_that_cannot_be_opened_is_refused_and_unlocked(path: Path):
    """If the journal is a folder, the error says so, and no lock file is left."""
    path.mkdir(parents=True)
    with pytest.raises(JournalReadOnly, match="cannot be written: Is a directory"):
        Journal.open(path)
    assert list(path.parent.iterdir()) == [path]


def test_a_torn_end_is_set_aside_and_cut_off(path: Path):
    """An incomplete row is moved to ``.torn``, and the other rows are kept."""
    put(path, row("a"), b'{"key":"b","sta')
    index = JournalIndex()
    with Journal.open(path, index) as journal:
        assert set(index.done) == {"a"}
        journal.write([b'{"key":"c","status":"scored"}'])
    assert torn(path).read_bytes() == b'{"key":"b","sta\n'
    assert keys(path) == ["a", "c"]


def test_several_torn_ends_are_all_kept(path: Path):
    """A second incomplete row is added to ``.torn`` after the first."""
    for piece in (b'{"key":"b', b'{"key":"c'):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(piece)
        Journal.open(path).close()
    assert torn(path).read_bytes() == b'{"key":"b\n{"key":"c\n'
    assert path.read_bytes() == b""


def test_a_whole_last_row_without_its_newline_is_completed(path: Path):
    """A last row without its newline is counted, and the newline is added."""
    put(path, line(row("a")), line(row("b")).rstrip())
    index = JournalIndex()
    with Journal.open(path, index):
        assert set(index.done) == {"a", "b"}
    assert path.read_bytes() == line(row("a")) + line(row("b"))
    assert not torn(path).exists()


def test_a_last_row_of_another_program_without_its_newline_is_migrated(path: Path):
    """Whether such a row failed is read from its error, with or without a newline."""
    for number, (last, tally) in enumerate(
        [
            ({"key": "b", "error": "bad"}, Tally(scored=1, failed=1)),
            ({"key": "b", "answer": "x"}, Tally(scored=2)),
        ]
    ):
        journal = path.with_name(f"{number}.jsonl")
        put(journal, row("a"), line(last).rstrip())
        index = JournalIndex()
        with Journal.open(journal, index):
            assert index.tally() == tally
        assert index_journal(journal).tally() == tally


def test_a_newer_last_row_without_its_newline_is_refused(path: Path):
    """A journal of a newer version is not changed, not even by a newline."""
    put(path, row("a"), line(row("b", schema_version=SCHEMA_VERSION + 1)).rstrip())
    before = path.read_bytes()
    with pytest.raises(JournalTooNew, match="'b'"):
        Journal.open(path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_newer_row_is_refused_and_the_file_is_left_alone(path: Path):
    """Opening a journal with a newer row names the row, changes nothing and leaves no lock."""
    put(path, row("a"), row("b", "postponed", schema_version=SCHEMA_VERSION + 1), b'{"torn')
    before = path.read_bytes()
    with pytest.raises(JournalTooNew, match=r"a\.jsonl: the row 'b' was written by a newer"):
        Journal.open(path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_last_line_without_key_or_newline_is_no_row(path: Path):
    """A last line without key and newline is not completed to a row."""
    put(path, row("a"), b'{"status":"scored"}')
    Journal.open(path).close()
    assert set(index_journal(path).done) == {"a"}


def test_readers_leave_a_torn_end_out(path: Path):
    """A reader ignores an incomplete last line and does not change the file."""
    put(path, row("a"), b'{"key":"b"')
    before = path.read_bytes()
    assert keys(path) == ["a"]
    assert path.read_bytes() == before


ROWS = st.lists(
    st.builds(
        lambda key, status, text: row(
            key, status, answer=text, **({"error": "e"} if status == "failed" else {})
        ),
        st.text("abcdé条", min_size=1, max_size=3),
        st.sampled_from(["scored", "answered", "failed", "skipped"]),
        st.text(max_size=10),
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=60)
@given(ROWS, st.booleans(), st.data())
def test_a_journal_cut_at_any_byte_is_repaired(
    rows: list[dict[str, Any]], metadata: bool, data: st.DataObject
):
    """A journal cut at any byte keeps its complete rows, and the rest is in ``.torn``."""
    lines = [line({"run": "x"})] * metadata + [
        json.dumps(value).encode() + b"\n" if data.draw(st.booleans()) else line(value)
        for value in rows
    ]
    content = b"".join(lines)
    cut = data.draw(st.integers(0, len(content)), label="cut")
    with TemporaryDirectory() as folder:
        path = put(Path(folder) / "a.jsonl", content[:cut])
        Journal.open(path).close()
        after = path.read_bytes()
        kept = content[:cut].rpartition(b"\n")
        if content[cut : cut + 1] == b"\n" and kept[2]:  # only the newline was lost
            assert after == content[: cut + 1]
            assert not torn(path).exists()
        else:
            assert after == kept[0] + kept[1]
            rest = torn(path).read_bytes() if torn(path).exists() else b""
            assert rest == (kept[2] + b"\n" if kept[2] else b"")
        survivors = [json.loads(text) for text in after.splitlines()]
        assert survivors == [json.loads(text) for text in lines[: len(survivors)]]
        index_journal(path)
        assert {file.name for file in path.parent.iterdir()} <= {path.name, torn(path).name}
        Journal.open(path).close()
        assert path.read_bytes() == after


@settings(max_examples=60)
@given(
    ROWS,
    st.sampled_from(
        [
            b"garbage",
            b'{"key":"a',
            b"\x00\x00\x00",
            b"\xff\xfe",
            b"[1]",
            b'{"key":5}',
            b"{}{}",
            b'"x"',
        ]
    ),
    st.data(),
)
def test_garbage_in_the_middle_is_refused_by_its_number(
    rows: list[dict[str, Any]], garbage: bytes, data: st.DataObject
):
    """A line that is not a row is an error with its number, and the file is not changed."""
    at = data.draw(st.integers(0, len(rows)), label="at")
    lines = [line(value) for value in rows]
    lines.insert(at, garbage + b"\n")
    with TemporaryDirectory() as folder:
        path = put(Path(folder) / "a.jsonl", *lines, b'{"key":"torn')
        before = path.read_bytes()
        with pytest.raises(JournalCorrupt) as caught:
            Journal.open(path)
        assert str(caught.value).startswith(f"{path}:{at + 1}: not a row of results (")
        assert "nothing was changed" in str(caught.value)
        assert path.read_bytes() == before
        assert [file.name for file in path.parent.iterdir()] == [path.name]


# Another program deletes, replaces or changes the journal while it is open.


def cut_in_place(path: Path) -> None:
    """What an editor does that saves an older text: it empties the file and writes into it."""
    older = path.read_bytes().splitlines(keepends=True)[:1]
    with path.open("wb") as file:
        file.writelines(older)


def replace_by_older(path: Path) -> None:
    """What an editor or a sync tool does that writes another file and renames it."""
    other = path.with_name("other")
    other.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:1]))
    other.replace(path)


@pytest.mark.parametrize("after", range(5))
@pytest.mark.parametrize("change", [Path.unlink, replace_by_older])
def test_no_row_is_lost_if_the_file_is_deleted_or_replaced(
    path: Path, change: Any, after: int, capsys: pytest.CaptureFixture[str]
):
    """After whichever row it happens, the journal has all rows under its name, and a line says so."""
    with Journal.open(path) as journal:
        for number in range(5):
            journal.write([line(row(str(number))).strip()])
            if number == after:
                change(path)
                journal.sync()
    assert keys(path) == [str(number) for number in range(5)]
    assert "its rows are in it again" in capsys.readouterr().err
    is_aside = path.with_name(path.name + ".replaced").exists()
    assert is_aside == (change is replace_by_older)
    assert {other.name for other in path.parent.iterdir()} <= {path.name, path.name + ".replaced"}


def test_rows_are_put_back_into_a_folder_that_was_removed(path: Path):
    """The folder is created again; a journal that was moved away keeps the rows that it has."""
    with Journal.open(path) as journal:
        journal.write([line(row("a")).strip()])
        path.parent.rename(path.parent.with_name("moved"))
        journal.write([line(row("b")).strip()])
        with pytest.raises(JournalLocked):
            Journal.open(path)
    assert keys(path) == ["a", "b"]
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_what_stands_in_the_place_of_the_journal_is_kept(path: Path):
    """A directory or a file without end of line is set aside as it is, each under its own name."""
    with Journal.open(path) as journal:
        journal.write([line(row("a")).strip()])
        path.unlink()
        path.mkdir()
        journal.write([line(row("b")).strip()])
        path.unlink()
        path.write_bytes(b"half a")
        journal.write([line(row("c")).strip()])
    assert keys(path) == ["a", "b", "c"]
    assert path.with_name(path.name + ".replaced").is_dir()
    assert path.with_name(path.name + ".replaced-2").read_bytes() == b"half a"


def test_a_program_that_replaces_the_journal_again_and_again_ends_the_run(path: Path):
    """After a few times the run stops, and all rows are there."""
    with Journal.open(path) as journal:
        for number in range(3):
            journal.write([line(row(str(number))).strip()])
            path.unlink()
        journal.write([line(row("3")).strip()])
        path.unlink()
        with pytest.raises(JournalWriteFailed, match="4th time: end the program"):
            journal.write([line(row("4")).strip()])
    assert keys(path) == ["0", "1", "2", "3", "4"]


CUT = r"cut the file from \d+ to \d+ bytes .* asked again"


def test_a_file_that_was_cut_in_place_is_said(path: Path):
    """Rows that are gone from the file itself cannot be put back; later ones are still written."""
    with Journal.open(path) as journal:
        journal.write([line(row("a")).strip(), line(row("b")).strip()])
        cut_in_place(path)
        for key in "cd":  # cases in flight
            with pytest.raises(JournalWriteFailed, match=CUT):
                journal.write([line(row(key)).strip()])
    assert keys(path) == ["a", "c", "d"]


def test_a_file_that_was_cut_after_the_last_row_is_said_at_the_end(path: Path):
    """There is no next write that could notice it."""
    journal = Journal.open(path)
    journal.write([line(row("a")).strip(), line(row("b")).strip()])
    cut_in_place(path)
    with pytest.raises(JournalWriteFailed, match=CUT):
        journal.close()
    assert keys(path) == ["a"]


def test_a_row_that_another_program_appends_stays(path: Path):
    """An appended row is kept, and an incomplete one is set aside before the next row is written."""
    with Journal.open(path) as journal:
        journal.write([line(row("a")).strip()])
        with path.open("ab") as other:
            other.write(line(row("b")) + b'{"key": "c')
        journal.write([line(row("d")).strip()])
    assert keys(path) == ["a", "b", "d"]
    assert torn(path).read_bytes() == b'{"key": "c\n'


def test_rows_that_cannot_be_put_back_are_an_error(path: Path, monkeypatch: pytest.MonkeyPatch):
    """If the disk is full just then, the run stops with what happened."""

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with Journal.open(path) as journal:
        journal.write([line(row("a")).strip()])
        path.unlink()
        monkeypatch.setattr(os, "fchmod", full)
        with pytest.raises(JournalWriteFailed, match="cannot be put back: the disk is full"):
            journal.write([line(row("b")).strip()])
    assert list(path.parent.iterdir()) == []


def test_a_lock_that_was_removed_is_taken_again(path: Path):
    """Another run cannot begin to write to the journal because a program removed the lock file."""
    lock = path.with_name(path.name + ".lock")
    with Journal.open(path) as journal:
        lock.unlink()
        journal.write([line(row("a")).strip()])
        with pytest.raises(JournalLocked):
            Journal.open(path)
        lock.unlink()
        with Journal.open(path) as other:
            with pytest.raises(JournalWriteFailed, match="another run is writing to it"):
                journal.write([line(row("b")).strip()])
            journal.close()
            assert lock.exists()
            other.write([line(row("c")).strip()])
    assert keys(path) == ["a", "c"]
    assert not lock.exists()
