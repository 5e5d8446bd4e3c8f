"""The text of a Word document (``.docx``): headings, paragraphs, and tables row by row.

A heading becomes a line that begins with ``#``; the cells of a row are joined by `` | ``.
Deleted text of tracked changes is left out, inserted text kept. Footnotes, comments, headers
and the numbers that Word puts before automatic lists are not part of the text.
"""

import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from assay.errors import DatasetError

MAX_PART_BYTES: Final = 256 << 20
"""A part that unpacks to more is taken for a bomb."""

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT: Final = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_FALLBACK: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_HEADING: Final = re.compile(r"heading\s*([1-9])", re.IGNORECASE)
_TITLE: Final = 0


class _DtdRefused(Exception):
    """The XML declares a document type, which is how entity bombs begin."""


class _Builder(ET.TreeBuilder):
    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise _DtdRefused


def docx_text(path: Path) -> str:
    """The document's text with its paragraphs apart by blank lines."""
    try:
        with zipfile.ZipFile(path) as archive:
            body = _part(archive, "word/document.xml", path)
            levels = (
                _heading_levels(_part(archive, "word/styles.xml", path))
                if "word/styles.xml" in archive.namelist()
                else {}
            )
    except zipfile.BadZipFile:
        raise DatasetError(_not_word(path)) from None
    except (zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise DatasetError(f"{path}: damaged or encrypted Word document ({error})") from None
    try:
        blocks = [block for block in _blocks(body, levels) if block[1]]
    except RecursionError:
        raise DatasetError(f"{path}: its XML is nested too deeply for a Word document") from None
    # Below a title every heading goes one deeper, so that the title stays above them all.
    shift = any(level == _TITLE for level, _ in blocks)
    lines = [
        text if level is None else f"{'#' * max(1, min(level + shift, 6))} {text}"
        for level, text in blocks
    ]
    if not lines:
        raise DatasetError(f"{path}: there is no text in it")
    return "\n\n".join(lines)


def _not_word(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(8)
    if start == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        return f"{path}: an encrypted or old .doc file; save it as .docx without a password"
    return f"{path}: not a Word document: it is no zip archive, or cut short"


def _part(archive: zipfile.ZipFile, name: str, path: Path) -> ET.Element:
    try:
        info = archive.getinfo(name)
    except KeyError:
        raise DatasetError(f"{path}: not a Word document: it has no {name}") from None
    with archive.open(info) as file:
        # The size in the directory may be a lie, so that what is read is limited too.
        content = file.read(MAX_PART_BYTES + 1)
    if len(content) > MAX_PART_BYTES:
        raise DatasetError(f"{path}: {name} unpacks to more than {MAX_PART_BYTES >> 20} MB")
    parser = ET.XMLParser(target=_Builder())  # noqa: S314 - as above
    try:
        parser.feed(content.replace(_STRICT[1:-1].encode(), _W[1:-1].encode()))
        root: ET.Element = parser.close()
    except _DtdRefused:
        raise DatasetError(f"{path}: {name} declares a DTD, which Word never writes") from None
    except ET.ParseError as error:
        raise DatasetError(f"{path}: {name} is not well-formed XML: {error}") from None
    return root


def _heading_levels(styles: ET.Element) -> dict[str, int]:
    """Style ids of headings with their levels; a style's name is English in every edition."""
    levels: dict[str, int] = {}
    for style in styles.iter(f"{_W}style"):
        name = _value(style.find(f"{_W}name"))
        outline = _value(style.find(f"{_W}pPr/{_W}outlineLvl"))
        found = _HEADING.fullmatch(name)
        if name.lower() == "title":
            level = _TITLE
        elif found:
            level = int(found[1])
        elif outline.isdecimal() and int(outline) < 9:
            level = int(outline) + 1
        else:
            continue
        levels[style.get(f"{_W}styleId", "")] = level
    return levels


def _blocks(parent: ET.Element, levels: dict[str, int]) -> Iterator[tuple[int | None, str]]:
    """Paragraphs and table rows in order, each with its level where it is a heading."""
    for child in parent:
        if child.tag == f"{_W}p":
            yield _level(child, levels), _text(child)
        elif child.tag == f"{_W}tr":
            yield None, " | ".join(cell for cell in _cells(child) if cell)
        elif child.tag != _FALLBACK:
            yield from _blocks(child, levels)


def _level(paragraph: ET.Element, levels: dict[str, int]) -> int | None:
    style = _value(paragraph.find(f"{_W}pPr/{_W}pStyle"))
    outline = _value(paragraph.find(f"{_W}pPr/{_W}outlineLvl"))
    if outline.isdecimal() and int(outline) < 9:
        return int(outline) + 1
    if style in levels:
        return levels[style]
    found = _HEADING.fullmatch(style)
    return int(found[1]) if found else None


def _cells(row: ET.Element) -> Iterator[str]:
    for child in row:
        if child.tag == f"{_W}tc":
            texts = (text.replace("\n", " ") for _, text in _blocks(child, {}))
            yield " ".join(text for text in texts if text)
        elif child.tag != _FALLBACK:
            yield from _cells(child)


def _text(paragraph: ET.Element) -> str:
    joined = "".join(_runs(paragraph))
    lines = (" ".join(line.split()) for line in joined.split("\n"))
    return "\n".join(line for line in lines if line)


def _runs(parent: ET.Element) -> Iterator[str]:
    for child in parent:
        if child.tag == f"{_W}t":
            yield child.text or ""
        elif child.tag == f"{_W}tab":
            yield " "
        elif child.tag in (f"{_W}br", f"{_W}cr"):
            yield "\n"
        elif child.tag == f"{_W}noBreakHyphen":
            yield "-"
        elif child.tag not in (f"{_W}pPr", _FALLBACK):
            yield from _runs(child)


def _value(element: ET.Element | None) -> str:
    return "" if element is None else element.get(f"{_W}val", "")
