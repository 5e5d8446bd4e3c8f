"""List the values in files that redaction would mask: the work of ``assay redact scan``."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct

from assay.data.document.document import is_document, read_document
from assay.data.jsonl import read_text
from assay.errors import DatasetError, UseError
from assay.redact.finding import Finder, Finding
from assay.redact.mask import Masker
from assay.redact.pseudonym import Forgotten
from assay.runs.make_redaction import need_libraries

# The texts of JSON with the names of their fields, and where they are in the file.

_TOKEN: Final = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")(\s*:)?|([{\[])|([}\]])|([^\s",{}\[\]]+)|,)')
_NOT_TEXT: Final = re.compile(
    r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|NaN|-?Infinity"
)


class JsonField(NamedTuple):
    """A text, the name of the field that has it or the list around it, and where it begins.

    The name of a field is a text itself, without a name.
    """

    name: str
    text: str
    start: int


def json_records(text: str) -> Iterator[list[JsonField]]:
    """The texts of each value of a file of JSON, or of lines of JSON. Numbers are no texts.

    Raises:
        ValueError: it is not JSON.

    >>> [[field.name for field in fields] for fields in json_records('{"a": ["b", 7]} "c"')]
    [['', 'a'], ['']]
    """
    fields: list[JsonField] = []
    names: list[str] = []
    name, place = "", 0
    end = len(text.rstrip())
    while place < end:
        token = _TOKEN.match(text, place)
        if token is None or (token[5] and not _NOT_TEXT.fullmatch(token[5])):
            raise ValueError(f"not JSON at {place}")
        place = token.end()
        if token[1]:
            plain = json.loads(token[1], strict=False)
            fields.append(JsonField("" if token[2] else name, plain, token.start(1)))
            name = plain if token[2] else name
        elif token[3]:
            names.append(name)
        elif token[4]:
            if not names:
                raise ValueError(f"not JSON at {place}")
            name = names.pop()
        if not names and fields:
            yield fields
            fields, name = [], ""
    if names:
        raise ValueError("not JSON: a bracket is open")


JSON_FILES: Final = frozenset({".json", ".jsonl"})
TEXT_FILES: Final = JSON_FILES | {
    *(".txt", ".md", ".markdown", ".csv", ".tsv", ".yaml", ".yml", ".toml"),
    *(".html", ".xml", ".svg", ".log", ".tex", ".py", ".env", ".ini", ".cfg"),
}
_ESCAPE: Final = re.compile(r"(?:\\u[0-9A-Fa-f]{4})+|\\[^u]")


class FoundValue(Struct, frozen=True, kw_only=True):
    """Where a value is. ``line`` is 0 if it is in the name of the file."""

    source: str
    line: int
    page: int | None = None
    kind: str
    shortened: str


class Scan(Struct, frozen=True, kw_only=True):
    """What was found. ``unread`` are the messages about files that could not be read.

    ``skipped`` are the files of other formats, of which only the names were searched.
    """

    files: int
    found: tuple[FoundValue, ...]
    skipped: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


def scan_files(path: Path, finders: Sequence[Finder] = ()) -> Scan:
    """Search a file, or all files below a folder, and their names; ``finders`` find more kinds."""
    need_libraries()
    if not path.exists():
        raise UseError(f"{path}: no such file or folder")
    files = [path]
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
    found: list[FoundValue] = []
    skipped: list[str] = []
    unread: list[str] = []
    for file in files:
        source = file.relative_to(path).as_posix() if path.is_dir() else file.name
        masker = Masker(Forgotten(), finders)
        found += (_found(each, source, line=0) for each in masker.find(source))
        try:
            pages = _pages(file)
        except DatasetError as error:
            unread.append(str(error))
            continue
        if pages is None:
            skipped.append(source)
        for page, text in pages or ():
            is_json = file.suffix.lower() in JSON_FILES
            found += (
                _found(each, source, line=line, page=page)
                for line, each in (_find_in_json if is_json else _find)(masker, text)
            )
    read = len(files) - len(skipped) - len(unread)
    return Scan(files=read, found=tuple(found), skipped=tuple(skipped), unread=tuple(unread))


def _pages(file: Path) -> list[tuple[int | None, str]] | None:
    """The text of a file with the numbers of its pages; ``None`` if it is no text."""
    suffix = file.suffix.lower()
    if suffix in TEXT_FILES or file.name.startswith(".env"):
        return [(None, read_text(file))]
    if is_document(file):
        return [(page.number, page.text) for page in read_document(file).pages]
    return None


def _find(masker: Masker, text: str) -> Iterator[tuple[int, Finding]]:
    """The values in a text, with their lines."""
    ends = _line_ends(text)
    for found in masker.find_and_learn(text):
        yield bisect_right(ends, found.start) + 1, found


def _find_in_json(masker: Masker, text: str) -> Iterator[tuple[int, Finding]]:
    """The values in the texts of JSON: what ``assay redact mask`` would change in them.

    Numbers of JSON are no telephones, and masking keeps them. What is no JSON is searched as text.
    """
    try:
        records = list(json_records(text))
    except ValueError:
        yield from _find(masker, _without_escapes(text))
        return
    ends = _line_ends(text)
    for fields in records:
        searched = masker.find_in_fields([(field.name, field.text) for field in fields])
        for field, found in zip(fields, searched, strict=True):
            line = bisect_right(ends, field.start) + 1
            yield from ((line, each) for each in found)


def _line_ends(text: str) -> list[int]:
    return [at for at, character in enumerate(text) if character == "\n"]


def _found(found: Finding, source: str, *, line: int, page: int | None = None) -> FoundValue:
    return FoundValue(
        source=source, line=line, page=page, kind=found.kind, shortened=shortened(found.value)
    )


def shortened(value: str) -> str:
    """So much of a value that its owner knows which one it is.

    >>> shortened("13812345678"), shortened("1.2.3.4"), shortened("abc")
    ('13…78', '1…4', '…')
    """
    shown = 2 if len(value) >= 8 else 1 if len(value) >= 4 else 0
    return f"{value[:shown]}…{value[len(value) - shown :]}"


def _without_escapes(text: str) -> str:
    r"""JSON text with what its escapes stand for, on the same lines.

    >>> _without_escapes(r'"\u7535\u8bdd\n138"')
    '"电话  138"'
    """
    return _ESCAPE.sub(_plain, text)


def _plain(match: re.Match[str]) -> str:
    if not match[0].startswith(r"\u"):
        return "  "
    plain: str = json.loads(f'"{match[0]}"')
    return plain.replace("\n", " ")
