from pathlib import Path

import pytest

from assay.errors import DatasetError
from assay.jobs.depth.novel import read_novel

RUSSIAN = "«Поезд подходил к городу», — сказал он. Было сыро и туманно; ёлки стояли в снегу.\r\n"
CHINESE = "第一回　灵根育孕源流出。\r\n却说那座山正当顶上有一块仙石，其石有三丈六尺五寸高。\r\n"


def write_file(path: Path, data: bytes) -> Path:
    """Write a file with this content."""
    path.write_bytes(data)
    return path


def test_line_ends_and_byte_order_mark_are_gone(tmp_path: Path):
    """The text has LF line ends and no byte-order mark, regardless of the file."""
    novel = read_novel(write_file(tmp_path / "a.txt", b"\xef\xbb\xbfA.\r\nB.\rC.\n"))
    assert novel.text == "A.\nB.\nC.\n"
    assert novel.encoding == "utf-8"
    assert novel.notes == ()


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (RUSSIAN, "cp1251"),
        (CHINESE, "gb18030"),
        (RUSSIAN * 50, "cp1251"),
        (CHINESE * 50, "gb18030"),
    ],
)
def test_other_encodings_are_detected_and_noted(tmp_path: Path, text: str, encoding: str):
    """GB18030 and CP1251 are decoded correctly, and a note names the encoding."""
    novel = read_novel(write_file(tmp_path / "a.txt", text.encode(encoding)))
    assert novel.text == text.replace("\r\n", "\n")
    assert novel.encoding == encoding
    assert encoding.upper() in str(novel.notes[0])


def test_utf_16_is_known_by_its_mark(tmp_path: Path):
    """A file with a byte-order mark of UTF-16 is decoded as UTF-16."""
    novel = read_novel(write_file(tmp_path / "a.txt", CHINESE.encode("utf-16")))
    assert novel.text == CHINESE.replace("\r\n", "\n")
    assert "UTF-16" in str(novel.notes[0])


@pytest.mark.parametrize("encoding", ["koi8-r", "cp866", "shift-jis"])
def test_an_encoding_that_is_not_known_is_refused(tmp_path: Path, encoding: str):
    """A file in another encoding is refused, and the message says what to do."""
    text = (
        "これは日本語の文章です。"
        if encoding == "shift-jis"
        else RUSSIAN.translate(str.maketrans("", "", "«»—"))
    )
    with pytest.raises(DatasetError, match="save the file as UTF-8"):
        read_novel(write_file(tmp_path / "a.txt", text.encode(encoding)))


@pytest.mark.parametrize("data", [b"", b" \r\n\t"])
def test_an_empty_novel_is_refused(tmp_path: Path, data: bytes):
    """A file without text is an error, not a novel without tokens."""
    with pytest.raises(DatasetError, match="no text"):
        read_novel(write_file(tmp_path / "a.txt", data))


def test_a_missing_novel_is_one_line(tmp_path: Path):
    """A missing file gives a message with its name."""
    with pytest.raises(DatasetError, match=r"nowhere\.txt: cannot be read"):
        read_novel(tmp_path / "nowhere.txt")
