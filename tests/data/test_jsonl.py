"""JSON lines in blocks: nothing is lost between blocks, and each bad line is numbered."""

import json
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.json import Decoder

from assay.data import jsonl
from assay.data.jsonl import BadLine, LineBlock, decode_block, read_blocks, read_line_blocks
from assay.errors import DatasetError


class Numbered(Struct, frozen=True):
    """A row with one number."""

    n: int


def write(folder: Path, data: bytes | str) -> Path:
    """Write a file with these bytes."""
    path = folder / "rows.jsonl"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def read(path: Path, as_type: Any = Numbered, **options: bool) -> list[Any]:
    """Read all objects of a file into one list."""
    return [row for block in read_blocks(path, as_type, **options) for row in block]


@pytest.fixture(name="small_blocks")
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> int:
    """Read blocks of 16 bytes, which have room for two short rows each."""
    monkeypatch.setattr(jsonl, "BLOCK_BYTES", 16)
    return 16


def test_rows_come_in_blocks_and_in_order(tmp_path: Path, small_blocks: int):
    """A long file is read in blocks, in the order in which it was written."""
    path = write(tmp_path, "".join(f'{{"n":{n}}}\n' for n in range(10)))
    blocks = list(read_blocks(path, Numbered))
    assert len(blocks) == 5
    assert [row.n for block in blocks for row in block] == list(range(10))


def test_an_empty_file_has_no_rows(tmp_path: Path):
    """An empty file gives no rows and no error."""
    assert read(write(tmp_path, "")) == []


@pytest.mark.parametrize(
    "text", ["\n\n", "  \n\t\n", '\n{"n":1}\n\n \n{"n":2}\n\n', '{"n":1}\r\n{"n":2}\r\n']
)
def test_blank_lines_are_passed_over(tmp_path: Path, text: str):
    """Blank lines and Windows line ends give neither rows nor errors."""
    assert [row.n for row in read(write(tmp_path, text))] == ([1, 2] if "n" in text else [])


@pytest.mark.parametrize("end", ["\n", "", "\n\n", "\n  "])
def test_the_last_line_counts_with_or_without_its_newline(tmp_path: Path, end: str):
    """The last line of a data file is read even if it has no newline."""
    assert [row.n for row in read(write(tmp_path, '{"n":1}\n{"n":2}' + end))] == [1, 2]


def test_a_torn_end_is_left_out_on_request(tmp_path: Path):
    """With ``torn_end``, a last line without a newline is ignored, complete or not."""
    for last in ('{"n":2}', '{"n":', "\udce4".encode("utf-8", "surrogatepass").decode("latin-1")):
        path = write(tmp_path, '{"n":1}\n' + last)
        assert [row.n for row in read(path, torn_end=True)] == [1]


@pytest.mark.parametrize("bad", ["no json", "{", '{"n":"x"}', "[1]", '{"n":1} {"n":2}', "{}"])
def test_a_bad_line_is_numbered_wherever_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bad: str
):
    """The number is correct for the first, a middle and the last line, in any block."""
    places = {(count, at) for count in (1, 2, 7, 30) for at in (0, count // 2, count - 1)}
    for (count, index), block_bytes in product(sorted(places), (1, 3, 8, 16, 17, 1 << 16)):
        monkeypatch.setattr(jsonl, "BLOCK_BYTES", block_bytes)
        lines = [f'{{"n":{n}}}' for n in range(count)]
        lines[index] = bad
        path = write(tmp_path, "\n".join(lines) + "\n")
        with pytest.raises(BadLine) as caught:
            read(path)
        assert caught.value.line == index + 1, (count, block_bytes)
        assert str(caught.value).startswith(f"{path}:{index + 1}: ")


def test_blank_lines_count_in_the_number_of_a_bad_line(tmp_path: Path, small_blocks: int):
    """The number is the one an editor shows: blank lines are counted too."""
    path = write(tmp_path, '\n{"n":1}\n\n\n{"n":2}\n\nbad\n')
    with pytest.raises(BadLine) as caught:
        read(path)
    assert caught.value.line == 7


def test_an_object_over_two_lines_is_refused(tmp_path: Path):
    """Each object must be on one line, because other programs read the file line by line."""
    path = write(tmp_path, '{"n":1}\n{"n":\n2}\n')
    with pytest.raises(BadLine) as caught:
        read(path)
    assert caught.value.line == 2


def test_the_rows_before_a_bad_block_are_still_given(tmp_path: Path, small_blocks: int):
    """Blocks before the bad one are returned; the error comes only with the bad block."""
    blocks = read_blocks(write(tmp_path, '{"n":1}\n{"n":2}\n{"n":3}\nbad\n'), Numbered)
    assert [row.n for row in next(blocks)] == [1, 2]
    with pytest.raises(BadLine):
        next(blocks)


def test_a_bad_last_line_without_newline_is_refused(tmp_path: Path):
    """A truncated data file is an error and not read as a shorter file."""
    with pytest.raises(BadLine) as caught:
        read(write(tmp_path, '{"n":1}\n{"n":2}\n{"n":'))
    assert caught.value.line == 3


def test_a_line_longer_than_a_block_is_read_whole(tmp_path: Path):
    """A line that is longer than a block is read completely."""
    long = "条" * jsonl.BLOCK_BYTES
    path = write(tmp_path, json.dumps({"t": "a"}) + "\n" + json.dumps({"t": long}) + '\n{"t":"b"}')
    assert [row["t"] for row in read(path, dict[str, str])] == ["a", long, "b"]


@pytest.mark.parametrize("block_bytes", [4, 1 << 16])
def test_a_line_that_is_not_utf8_is_numbered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block_bytes: int
):
    """Text in another encoding is refused with the number of its line."""
    monkeypatch.setattr(jsonl, "BLOCK_BYTES", block_bytes)
    bad = b'{"t":"' + "статья".encode("cp1251") + b'"}\n'
    path = write(tmp_path, b'{"t":"a"}\n' + bad + b'{"t":"b"}\n')
    with pytest.raises(BadLine) as caught:
        read(path, dict[str, str])
    assert caught.value.line == 2


def test_a_bad_line_is_a_dataset_error():
    """Code that catches ``DatasetError`` also catches ``BadLine``."""
    error = BadLine(Path("a.jsonl"), 3, "not so")
    assert isinstance(error, DatasetError)
    assert str(error) == "a.jsonl:3: not so"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2)
    ),
    max_leaves=4,
)


@given(
    st.lists(st.dictionaries(st.text(max_size=4), JSON, max_size=3), max_size=8),
    st.integers(1, 200),
    st.booleans(),
    st.booleans(),
)
def test_any_objects_come_back_at_any_block_size(
    rows: list[dict[str, Any]], block_bytes: int, last_newline: bool, ascii_only: bool
):
    """Objects written one per line are read back unchanged for every block size."""
    lines = [json.dumps(row, ensure_ascii=ascii_only) for row in rows]
    text = "\n".join(lines) + ("\n" if last_newline else "")
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "BLOCK_BYTES", block_bytes)
        path = write(Path(folder), text.encode("utf-8", "surrogatepass"))
        assert read(path, dict[str, Any]) == rows


@given(
    st.lists(st.text("ab\t條", max_size=9), max_size=12),
    st.integers(1, 40),
    st.sampled_from(["", "\n", "\n\n", "\n  "]),
)
def test_blocks_are_the_file_in_whole_lines(lines: list[str], block_bytes: int, end: str):
    """Blocks follow each other without gaps, end with a line, and know the lines before them."""
    whole = ("\n".join(lines) + end).encode()
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "BLOCK_BYTES", block_bytes)
        path = write(Path(folder), whole)
        blocks = list(read_line_blocks(path))
        complete = list(read_line_blocks(path, torn_end=True))
    read = b"".join(block.data for block in blocks)
    assert whole.startswith(read)
    assert not whole[len(read) :].strip()
    assert b"".join(block.data for block in complete) == whole[: whole.rfind(b"\n") + 1]
    for block in blocks:
        assert whole[block.place] == block.data
        assert block.lines_before == whole[: block.start].count(b"\n")
    assert all(block.data.endswith(b"\n") for block in complete)


def test_a_block_is_decoded_with_the_numbers_of_its_lines():
    """The number of a bad line counts the lines before the block."""
    path = Path("rows.jsonl")
    good = LineBlock(70, 10, b'{"n":1}\n\n{"n":2}\n', 3)
    assert decode_block(path, good, Decoder(Numbered)) == [Numbered(1), Numbered(2)]
    with pytest.raises(BadLine, match=r"rows\.jsonl:13: "):
        decode_block(path, LineBlock(70, 10, b'{"n":1}\n\nbad\n', 3), Decoder(Numbered))
