"""Read JSON lines in blocks, at the decoder's own speed, and report the number of a bad line."""

import codecs
import fcntl
import json
import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from assay.errors import DatasetError, UseError

BLOCK_BYTES = 1 << 18  # stays in the processor's cache: faster than 64 KB and than 1 MB

UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding JSON raises: it is no JSON or has other types, is no UTF-8, or is nested too deeply."""

_HALF_PAIR: Final = re.compile(rb"(?<!\\)(?:\\\\)*(\\u[dD][89a-fA-F][0-9a-fA-F]{2})")
"""One of an escaped pair of UTF-16 surrogates; whole pairs are taken out before."""
_WHOLE_PAIR: Final = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_NO_VALUE: Final = re.compile(rb"[:\[,]\s*(-?(?:NaN|Infinity))\b")

T = TypeVar("T")


class BadLine(DatasetError):
    """A line that is not a JSON object with the expected fields."""

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(f"{path}:{line}: {reason}")
        self.line = line
        self.reason = reason


class LineBlock(Struct, frozen=True, gc=False):
    """Complete lines of a file: where they start, how many lines are before them, their bytes.

    ``newlines`` is the number of newlines in ``data``.
    """

    start: int
    lines_before: int
    data: bytes
    newlines: int

    @property
    def place(self) -> slice:
        """The range of bytes in the file."""
        return slice(self.start, self.start + len(self.data))


def read_blocks(path: Path, as_type: type[T], *, torn_end: bool = False) -> Iterator[list[T]]:
    """Yield the objects of a file in order, as one list per block. Blank lines are skipped.

    A last line without a newline is read too. Set ``torn_end`` for a file that may still be
    growing: such a line may then be incomplete and is ignored.
    """
    decoder = msgspec.json.Decoder(as_type)
    for block in read_line_blocks(path, torn_end=torn_end):
        yield decode_block(path, block, decoder)


def read_line_blocks(path: Path, *, torn_end: bool = False) -> Iterator[LineBlock]:
    """Yield the lines of a file in blocks, each line whole; ``torn_end`` as in ``read_blocks``."""
    lines_before = start = held = 0
    # one buffer for the whole file: memory that is new for each block has to be mapped again
    buffer = bytearray(BLOCK_BYTES)
    with path.open("rb", buffering=0) as file:
        while read := _read_into(file, buffer, held):
            end = held + read
            cut = buffer.rfind(b"\n", held, end) + 1
            if cut == 0:  # a line that is longer than the buffer needs a larger one
                held = end
                buffer.extend(bytes(len(buffer) if end == len(buffer) else 0))
                continue
            data = bytes(memoryview(buffer)[:cut])
            held = end - cut
            buffer[:held] = buffer[cut:end]
            # three times as fast as count, which looks at every byte
            newlines = len(data) - len(data.replace(b"\n", b""))
            yield LineBlock(start, lines_before, data, newlines)
            lines_before += newlines
            start += len(data)
    rest = bytes(buffer[:held])
    if rest.strip() and not torn_end:
        yield LineBlock(start, lines_before, rest, 0)


def _read_into(file: FileIO, buffer: bytearray, held: int) -> int:
    """Read what fits into the buffer after its first ``held`` bytes; return the number of bytes."""
    return file.readinto(memoryview(buffer)[held:]) or 0


def decode_block(path: Path, block: LineBlock, decoder: "msgspec.json.Decoder[T]") -> list[T]:
    """The objects of a block.

    Raises:
        BadLine: A line is not an object of the decoder's type.
    """
    data = block.data
    try:
        objects = decoder.decode_lines(data)
    except UNREADABLE:
        return _decode_by_line(path, block, decoder)
    # decode_lines also accepts two objects on one line, and one object on two lines. The counts
    # then differ, as they do where there are blank lines.
    if len(objects) != block.newlines + (not data.endswith(b"\n")):
        return _decode_by_line(path, block, decoder)
    return objects


def _decode_by_line(path: Path, block: LineBlock, decoder: "msgspec.json.Decoder[T]") -> list[T]:
    """Decode each line separately: slower, but the number of a bad line is known."""
    objects = []
    for number, line in enumerate(block.data.split(b"\n"), block.lines_before + 1):
        try:
            if line.strip():
                objects.append(decoder.decode(line))
        except UNREADABLE as error:
            raise BadLine(path, number, decode_problem(line, error)) from None
    return objects


def decode_problem(data: bytes, error: Exception) -> str:
    """What is wrong with a text that is not JSON, where the decoder's own words mislead.

    >>> decode_problem(b'{"score": NaN}', msgspec.DecodeError("invalid character (byte 10)"))
    'NaN is not a value of JSON (invalid character (byte 10))'
    """
    if isinstance(error, RecursionError):
        return "nested too deeply to be read"
    words = str(error)
    if "truncated" in words or "surrogate" in words:
        half = _HALF_PAIR.search(_WHOLE_PAIR.sub(b"", data))
        if half is not None:
            return (
                f"{half[1].decode()} is half of a character (a lone UTF-16 surrogate); the text was "
                "cut inside a character, so write the whole one"
            )
    value = _NO_VALUE.search(data) if "invalid character" in words else None
    return f"{value[1].decode()} is not a value of JSON ({words})" if value else words


# Read data files line by line; each line must be valid UTF-8 and not too long.

MAX_LINE_BYTES: Final = 16 << 20
"""No chunk or question is this long, so a longer line means that the file is of another kind."""


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file with their numbers, counted from 1.

    Blank lines are skipped (but counted), and a byte-order mark is removed. At most one line
    is in memory at a time. Of a line that is too long, only the beginning is read.

    Raises:
        BadLine: a line is longer than ``MAX_LINE_BYTES``.
        DatasetError: the file cannot be opened, or is not UTF-8.
    """
    offset = 0
    with open_data_file(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE_BYTES + 1), b""), 1):
            if len(line) > MAX_LINE_BYTES:
                raise BadLine(
                    path,
                    number,
                    f"the line is longer than {MAX_LINE_BYTES >> 20} MB; "
                    "put one JSON object on each line",
                )
            check_utf8(line, path, offset)
            offset += len(line)
            content = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
            if content.strip():
                yield number, content


def open_data_file(path: Path) -> BufferedReader:
    """Open a file for reading bytes.

    Raises:
        DatasetError: the file cannot be opened, or is a device; the message gives the reason.
    """
    try:
        refuse_device(path)
        return path.open("rb")
    except OSError as error:
        raise unreadable_error(path, error) from None


def read_text(path: Path) -> str:
    """Read a whole file as text, without a byte-order mark.

    Raises:
        DatasetError: the file cannot be read, or is not UTF-8.
    """
    try:
        refuse_device(path)
        data = path.read_bytes()
    except OSError as error:
        raise unreadable_error(path, error) from None
    return check_utf8(data, path).removeprefix("\ufeff")


def refuse_device(path: Path) -> None:
    """Raise ``DatasetError`` for a device: one such as ``/dev/zero`` never ends. A pipe may be read."""
    mode = path.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise DatasetError(f"{path}: cannot be read: it is a device, not a file")


def check_utf8(data: bytes, path: Path, offset: int = 0) -> str:
    """Decode ``data``, which begins at byte ``offset`` of the file.

    Raises:
        DatasetError: the bytes are not UTF-8; the message gives the position in the file.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DatasetError(
            f"{path}: not UTF-8 at byte {offset + error.start} "
            f"(0x{data[error.start]:02x}); save the file as UTF-8"
        ) from None


def unreadable_error(path: Path, error: OSError) -> DatasetError:
    """The error for a file that cannot be opened or read, as a one-line message."""
    return DatasetError(f"{path}: cannot be read: {error.strerror or error}")


# The encoding of a text file that does not say it: UTF-8, UTF-16, GB18030, CP1251 or KOI8-R.
#
# A byte-order mark decides. Otherwise each encoding is tried strictly, and what it gives must look
# like text: GB18030 (which contains GBK and GB2312) must give common Chinese characters, and a
# Russian encoding, the one that gives the most frequent letters, words of Russian letters in a
# plausible case. UTF-16 without a mark has zero bytes, which other encodings have not, or common
# Chinese characters. Decision 0010 has the measurements.

_SAMPLE: Final = 20_000
"""How many characters are looked at to tell whether they look like text."""
_ENOUGH: Final = 0.5
_UTF16_ENOUGH: Final = 0.98
_UTF16_LEAST: Final = 16
"""Of fewer bytes, any may look like UTF-16."""
_UTF16_CHINESE: Final = 0.8
"""Without a zero byte, so many characters must be common: Japanese in Shift-JIS gives rare ones."""
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x19\x1b-\x1f]")
_USUAL: Final = re.compile(
    r"[\t\n\r\f\x20-\x7e\u00a0-\u00ff\u0400-\u045f\u2000-\u206f\u2116\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_LATIN: Final = re.compile("[A-Za-z]")
_RUSSIAN: Final = re.compile("[\u0401\u0410-\u044f\u0451«»—–„“”…№\u00a0]")
_BY_FREQUENCY: Final = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"
_FREQUENT_RUSSIAN: Final = frozenset(_BY_FREQUENCY[:15])
"""Two of three letters of a Russian text are among these."""
_RANKS: Final = {letter: rank for rank, letter in enumerate(_BY_FREQUENCY)}
_CAPITAL: Final = 2
_RUSSIAN_ENCODINGS: Final = (("cp1251", "CP1251"), ("koi8-r", "KOI8-R"))
_KOI8_ENOUGH: Final = 0.95
"""KOI8-R has a character for every byte, so other encodings give some Russian words in it."""
_LINE_IN_WORD: Final = re.compile(r"[^\W\d_][\u2500-\u25a0]")
"""KOI8-R has lines where Ukrainian has letters, and where Thai has most of its own."""
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)


class Decoded(Struct, frozen=True, kw_only=True):
    """A text, and the name of the encoding it was written in."""

    text: str
    encoding: str


def decode_text(data: bytes) -> Decoded | None:
    """The text of a file; ``None`` if its encoding is not known.

    >>> decode_text("违约金为合同总额的百分之五".encode("gbk")).encoding
    'GB18030'
    >>> decode_text("Договор вступает в силу".encode("cp1251")).text
    'Договор вступает в силу'
    >>> decode_text(bytes(range(128, 256))) is None
    True
    """
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            text = _strict(data, codec)
            return (
                None if text is None else Decoded(text=text.removeprefix("\ufeff"), encoding=name)
            )
    text = _strict(data, "utf-8")
    if text is not None and not _CONTROL.search(data):
        return Decoded(text=text, encoding="UTF-8")
    for codec in ("utf-16-le", "utf-16-be"):
        is_long = len(data) >= _UTF16_LEAST and len(data) % 2 == 0
        wide = _strict(data, codec) if is_long else None
        if wide and _looks_wide(wide, data):
            return Decoded(text=wide, encoding="UTF-16")
    if text is not None:  # UTF-8 with control characters
        return Decoded(text=text, encoding="UTF-8")
    chinese = _strict(data, "gb18030")
    tried = [(name, _strict(data, codec) or "") for codec, name in _RUSSIAN_ENCODINGS]
    name, russian = min(tried, key=lambda item: _rareness(item[1]))
    looks = [
        (_looks_chinese(chinese or ""), "GB18030", chinese),
        (_looks_russian(russian), name, russian),
    ]
    look, name, text = max(looks, key=lambda item: item[0])
    enough = _KOI8_ENOUGH if name == "KOI8-R" else _ENOUGH
    return Decoded(text=text, encoding=name) if text is not None and look >= enough else None


def _strict(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return None


def _looks_wide(text: str, data: bytes) -> bool:
    """Whether bytes that UTF-16 can read were written in it."""
    if _share(text[:_SAMPLE], _USUAL) < _UTF16_ENOUGH:
        return False
    return b"\0" in data or _looks_chinese(text) >= _UTF16_CHINESE


def _share(text: str, pattern: re.Pattern[str]) -> float:
    return len(pattern.findall(text)) / len(text)


def _looks_chinese(text: str) -> float:
    """The share of common characters, those of the first level of GB2312, and Chinese marks."""
    letters = [letter for letter in text[:_SAMPLE] if not letter.isascii()]
    return sum(map(_is_common, letters)) / len(letters) if letters else 0.0


def _is_common(letter: str) -> bool:
    try:
        row = letter.encode("gb2312")[0]
    except UnicodeEncodeError:
        return False
    return 0xB0 <= row <= 0xD7 or row <= 0xA3


def _rareness(text: str) -> float:
    """How rare the letters of a text are in Russian: their mean rank; other characters are rarest.

    A capital counts a little rarer: in KOI8-R, small letters are where CP1251 has capitals.
    """
    letters = [letter for letter in text[:_SAMPLE] if not letter.isascii()]
    capitals = sum(letter.isupper() for letter in letters)
    ranks = (_RANKS.get(letter.lower(), len(_RANKS)) for letter in letters)
    return (sum(ranks) + _CAPITAL * capitals) / len(letters) if letters else len(_RANKS)


def _looks_russian(text: str) -> float:
    """How many letters are Russian, frequent ones, and in words in which capitals come first.

    A word with Latin letters too is not Russian but German or French in another encoding.
    """
    sample = text[:_SAMPLE]
    letters = [letter for letter in sample if not letter.isascii()]
    words = [word for word in _WORD.findall(sample) if not word.isascii()]
    if not letters or not words or _LINE_IN_WORD.search(sample):
        return 0.0
    plausible = sum(
        (word.islower() or word.isupper() or word.istitle()) and not _LATIN.search(word)
        for word in words
    )
    russian = sum(bool(_RUSSIAN.match(letter)) for letter in letters) / len(letters)
    frequent = sum(letter in _FREQUENT_RUSSIAN for letter in letters) / len(letters)
    return float(russian * plausible / len(words) * min(1.0, frequent / 0.5))


# Lines of files that people write, in whatever encoding their editor saved them.

_DAMAGED: Final = 0.1
"""If fewer of the characters are not UTF-8, the file is UTF-8 with a damaged place."""
_BLOCK: Final = 1 << 20


def decoded_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers, as UTF-8; as ``numbered_lines`` otherwise.

    Raises:
        BadLine: a line is too long.
        DatasetError: the file cannot be opened, or its encoding is not known.
    """
    decoded = _decoded(path)
    if decoded is None:
        yield from numbered_lines(path)
        return
    for number, line in enumerate(decoded.text.split("\n"), 1):
        if line.strip():
            yield number, line.encode()


def other_encoding(path: Path) -> str:
    """The encoding of a file that is not UTF-8; empty if it is."""
    decoded = _decoded(path)
    return "" if decoded is None else decoded.encoding


def _decoded(path: Path) -> Decoded | None:
    """The text of a file that is not UTF-8; ``None`` if it is UTF-8, which need not be kept."""
    if not path.is_file():  # a pipe can be read only once
        return None
    try:
        with path.open(encoding="utf-8", errors="strict") as file:
            while file.read(_BLOCK):
                pass
    except UnicodeDecodeError:
        with open_data_file(path) as file:
            data = file.read()
        decoded = None if _is_damaged(data) else decode_text(data)
        if decoded is None or decoded.encoding == "UTF-8":
            check_utf8(data, path)  # raises, with the place
        return decoded
    except OSError:  # the reader says why
        return None
    return None


def _is_damaged(data: bytes) -> bool:
    r"""Whether most of the bytes are UTF-8: another encoding would give other characters.

    >>> _is_damaged("合同总额的百分之五".encode() + b"\xff"), _is_damaged("合同".encode("gbk"))
    (True, False)
    """
    letters = [letter for letter in data.decode("utf-8", "replace") if not letter.isascii()]
    return letters.count("\ufffd") <= _DAMAGED * len(letters)


# All problems of a file together, so that they can be repaired in one go.

MOST_PROBLEMS: Final = 20
"""At most this many problems are listed; the number of further ones is given."""


def limited(problems: Sequence[str], path: Path) -> list[str]:
    """The first problems of a file, and how many more there are.

    >>> limited(["a.jsonl:1: no id"], Path("a.jsonl"))
    ['a.jsonl:1: no id']
    >>> limited(["x"] * 23, Path("a.jsonl"))[-1]
    'a.jsonl: and 3 more problems'
    """
    shown = list(problems[:MOST_PROBLEMS])
    if len(problems) > len(shown):
        shown.append(f"{path}: and {len(problems) - len(shown)} more problems")
    return shown


# Find a key that is twice in one JSON object.
#
# Decoders take the last of the two values and say nothing. In a file that people write, such as a
# set of questions or of labels, one of the two is a mistake, and only its author knows which.

_TOKEN: Final = re.compile(rb'"([^"\\]*+(?:\\.[^"\\]*+)*+)"(\s*+:)?|[{}\[\]]', re.DOTALL)
"""A text, perhaps with the colon that makes it a key, or the end or the beginning of a value."""


class RepeatedKey(NamedTuple):
    """A key that is twice in one object, and the line of its second place, counted from 1."""

    key: str
    line: int

    @property
    def problem(self) -> str:
        """What is wrong, and what to do."""
        return f'the key "{self.key}" is twice in one object; keep one of the two'


def repeated_key(data: bytes) -> RepeatedKey | None:
    r"""The first key that is twice in one object of ``data``, a valid JSON value.

    >>> repeated_key(b'{"id": 1, "gold": [{"a": 1,\n"a": 2}]}')
    RepeatedKey(key='a', line=2)
    >>> repeated_key(b'[{"id": 1}, {"id": 1}]') is None
    True
    """
    try:
        _DECODER.decode(data.decode("utf-8", "surrogatepass").strip())
    except (ValueError, RecursionError):  # also a number of more digits than Python reads
        return _located(data)
    return None


def _once(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is twice")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_once)
"""Eight times as fast as looking at each token; it does not know the line."""


def _located(data: bytes) -> RepeatedKey | None:
    levels: list[set[bytes]] = []
    for token in _TOKEN.finditer(data):
        if token[2]:
            key = token[1]
            if b"\\" in key:  # one key may be escaped in several ways
                key = json.loads(b'"%b"' % key).encode("utf-8", "surrogatepass")
            if key in levels[-1]:
                line = data.count(b"\n", 0, token.start()) + 1
                return RepeatedKey(key.decode("utf-8", "surrogatepass"), line)
            levels[-1].add(key)
        elif token[1] is None:
            if token[0] in b"{[":
                levels.append(set())
            else:
                levels.pop()
    return None


_ANY: Final = msgspec.json.Decoder()


def refuse_repeated_key(data: bytes, path: Path, *, lines_before: int = 0) -> None:
    """Refuse a value of a file, which begins after ``lines_before``, if a key is twice.

    Raises:
        DatasetError: a key is twice in one object; the message gives the line and the key.
    """
    found = repeated_key(data)
    if found is not None:
        raise DatasetError(f"{path}:{lines_before + found.line}: {found.problem}")


def refuse_repeated_keys(block: LineBlock, path: Path) -> None:
    """Refuse lines of a file, each a JSON value, if a key is twice in one object.

    Lines that the encoder writes as they are have no such key, which is known much faster.
    """
    with suppress(*UNREADABLE):
        if msgspec.json.Encoder().encode_lines(_ANY.decode_lines(block.data)) == block.data:
            return
    for number, line in enumerate(block.data.split(b"\n"), block.lines_before):
        if line.strip():
            refuse_repeated_key(line, path, lines_before=number)


# Replacing a user's file as a whole: under a lock, and after a crash it is the old or the new one.


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Only one process writes at a time; a rename would take away the lock of the file itself."""
    fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
        with suppress(OSError):
            os.fsync(fd)
    finally:
        os.close(fd)


def replace_file(path: Path, data: bytes) -> None:
    """Write a new file and rename it to ``path``; it keeps the mode of the old one, if there is one."""
    temporary = path.with_name(f".{path.name}.new")
    try:
        mode = path.stat().st_mode & 0o777 if path.exists() else None
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise UseError(f"{path}: cannot be written: {error.strerror or error}") from None
