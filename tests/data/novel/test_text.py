from pathlib import Path

import pytest

from assay.data.novel.text import read_novel
from assay.errors import DatasetError

RUSSIAN = "«Поезд подходил к городу», — сказал он. Было сыро и туманно; ёлки стояли в снегу.\r\n"
CHINESE = "第一回　灵根育孕源流出。\r\n却说那座山正当顶上有一块仙石，其石有三丈六尺五寸高。\r\n"


def written(path: Path, data: bytes) -> Path:
    """The file with that content."""
    path.write_bytes(data)
    return path


def test_line_ends_and_byte_order_mark_are_gone(tmp_path: Path):
    """Offsets count LF lines of the text without its mark, whatever the file has."""
    novel = read_novel(written(tmp_path / "a.txt", b"\xef\xbb\xbfA.\r\nB.\rC.\n"))
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
def test_other_encodings_are_detected_and_said(tmp_path: Path, text: str, encoding: str):
    """GB18030 and CP1251 are read right, and a note names what was taken for granted."""
    novel = read_novel(written(tmp_path / "a.txt", text.encode(encoding)))
    assert novel.text == text.replace("\r\n", "\n")
    assert novel.encoding == encoding
    assert encoding.upper() in novel.notes[0]


def test_utf_16_is_known_by_its_mark(tmp_path: Path):
    """A file with the mark of UTF-16 is read as such."""
    novel = read_novel(written(tmp_path / "a.txt", CHINESE.encode("utf-16")))
    assert novel.text == CHINESE.replace("\r\n", "\n")
    assert "UTF-16" in novel.notes[0]


@pytest.mark.parametrize("encoding", ["koi8-r", "cp866", "shift-jis"])
def test_an_encoding_that_cannot_be_told_is_refused(tmp_path: Path, encoding: str):
    """Text that would come out as gibberish is refused with what to do."""
    text = (
        "これは日本語の文章です。"
        if encoding == "shift-jis"
        else RUSSIAN.translate(str.maketrans("", "", "«»—"))
    )
    with pytest.raises(DatasetError, match="save the file as UTF-8"):
        read_novel(written(tmp_path / "a.txt", text.encode(encoding)))


@pytest.mark.parametrize("data", [b"", b" \r\n\t"])
def test_an_empty_novel_is_refused(tmp_path: Path, data: bytes):
    """A file without text is an error, not a novel of no tokens."""
    with pytest.raises(DatasetError, match="no text"):
        read_novel(written(tmp_path / "a.txt", data))


def test_a_missing_novel_is_one_line(tmp_path: Path):
    """A file that is not there is named."""
    with pytest.raises(DatasetError, match=r"nowhere\.txt: cannot be read"):
        read_novel(tmp_path / "nowhere.txt")
