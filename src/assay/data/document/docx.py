"""Extract the text of a Word document (``.docx``): headings, paragraphs and table rows.

A heading becomes a line that begins with ``#``. A table becomes one line a row, each value with its
header, as other tables do; the cells of a table without headers are joined with `` | ``. Of tracked changes, deleted text is left out and inserted text is kept. Footnotes,
comments, page headers and automatic list numbers are not part of the text.
"""

import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from enum import Enum, auto
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from assay.data.document.table_text import table_text
from assay.errors import DatasetError
from assay.words.say import marked

MAX_PART_BYTES: Final = 256 << 20
"""A part that unpacks to more than this is refused as a zip bomb."""

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT: Final = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_FALLBACK: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_HEADING: Final = re.compile(r"heading\s*([1-9])", re.IGNORECASE)
_TITLE: Final = 0
_NUMBER: Final = re.compile(r"[\d\s.,%+-]+")
_MOST_COLUMNS: Final = 64


_NOT_WORD: Final = marked("not a Word document: it is not a zip archive, or it is truncated")


class _DtdRefused(Exception):
    """The XML declares a document type; an entity bomb needs such a declaration."""


class _Builder(ET.TreeBuilder):
    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise _DtdRefused


def docx_text(path: Path) -> str:
    """Read the text of a document, with blank lines between paragraphs.

    Raises:
        DatasetError: the file is no Word document, is damaged or encrypted, or has no text.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            body = _read_part(archive, "word/document.xml", path)
            levels = (
                _heading_levels(_read_part(archive, "word/styles.xml", path))
                if "word/styles.xml" in archive.namelist()
                else {}
            )
    except zipfile.BadZipFile:
        raise DatasetError(_describe_other_file(path)) from None
    except (zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise DatasetError(f"{path}: damaged or encrypted Word document ({error})") from None
    try:
        blocks = [block for block in _blocks(body, levels) if block[1]]
    except RecursionError:
        raise DatasetError(f"{path}: the XML is nested too deeply for a Word document") from None
    # If there is a title, every heading moves one level down, so that the title is above all.
    shift = any(level == _TITLE for level, _ in blocks)
    lines = [
        text if level is None else f"{'#' * max(1, min(level + shift, 6))} {text}"
        for level, text in blocks
    ]
    if not lines:
        raise DatasetError(f"{path}: the file has no text")
    return "\n\n".join(lines)


def _describe_other_file(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(8)
    if start == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        return f"{path}: an encrypted or old .doc file; save it as .docx without a password"
    return f"{path}: {_NOT_WORD}"


def _read_part(archive: zipfile.ZipFile, name: str, path: Path) -> ET.Element:
    try:
        info = archive.getinfo(name)
    except KeyError:
        raise DatasetError(f"{path}: not a Word document: it has no {name}") from None
    with archive.open(info) as file:
        # The archive may state a false size, so the number of bytes read is limited too.
        content = file.read(MAX_PART_BYTES + 1)
    if len(content) > MAX_PART_BYTES:
        raise DatasetError(f"{path}: {name} unpacks to more than {MAX_PART_BYTES >> 20} MB")
    parser = ET.XMLParser(target=_Builder())  # noqa: S314 - _Builder refuses every DTD
    try:
        parser.feed(content.replace(_STRICT[1:-1].encode(), _W[1:-1].encode()))
        root: ET.Element = parser.close()
    except _DtdRefused:
        raise DatasetError(f"{path}: {name} declares a DTD, which Word never writes") from None
    except ET.ParseError as error:
        raise DatasetError(f"{path}: {name} is not well-formed XML: {error}") from None
    return root


def _heading_levels(styles: ET.Element) -> dict[str, int]:
    """Map the style ids of headings to their levels.

    Built-in style names are English in every language edition of Word, style ids are not.
    """
    levels: dict[str, int] = {}
    for style in styles.iter(f"{_W}style"):
        name = _value(style.find(f"{_W}name"))
        outline = _value(style.find(f"{_W}pPr/{_W}outlineLvl"))
        match = _HEADING.fullmatch(name)
        if name.lower() == "title":
            level = _TITLE
        elif match:
            level = int(match[1])
        elif outline.isdecimal() and int(outline) < 9:
            level = int(outline) + 1
        else:
            continue
        levels[style.get(f"{_W}styleId", "")] = level
    return levels


def _blocks(parent: ET.Element, levels: dict[str, int]) -> Iterator[tuple[int | None, str]]:
    """Paragraphs and table rows in order; the level is None unless it is a heading."""
    for child in parent:
        if child.tag == f"{_W}p":
            yield _level(child, levels), _text(child)
        elif child.tag == f"{_W}tbl":
            yield from ((None, line) for line in _table_lines(child))
        elif child.tag != _FALLBACK:
            yield from _blocks(child, levels)


def _table_lines(table: ET.Element) -> list[str]:
    rows = [list(_cells(row)) for row in _rows(table)]
    filled = [row for row in rows if any(row)]
    if len(filled) > 1 and len(filled[0]) > 1 and _has_headers(table, filled[0]):
        return table_text(filled).split("\n\n")
    return [" | ".join(cell for cell in row if cell) for row in filled]


def _has_headers(table: ET.Element, first: list[str]) -> bool:
    """Whether the first row names the columns: it is marked so, or nothing speaks against it."""
    if table.find(f".//{_W}tblHeader") is not None:
        return True
    look = table.find(f"{_W}tblPr/{_W}tblLook")
    if look is not None and look.get(f"{_W}firstRow") in {"0", "false"}:
        return False
    return all(cell and not _NUMBER.fullmatch(cell) for cell in first)


def _rows(parent: ET.Element) -> Iterator[ET.Element]:
    for child in parent:
        if child.tag == f"{_W}tr":
            yield child
        elif child.tag not in (f"{_W}tbl", _FALLBACK):
            yield from _rows(child)


def _level(paragraph: ET.Element, levels: dict[str, int]) -> int | None:
    style = _value(paragraph.find(f"{_W}pPr/{_W}pStyle"))
    outline = _value(paragraph.find(f"{_W}pPr/{_W}outlineLvl"))
    if outline.isdecimal() and int(outline) < 9:
        return int(outline) + 1
    if style in levels:
        return levels[style]
    match = _HEADING.fullmatch(style)
    return int(match[1]) if match else None


def _cells(row: ET.Element) -> Iterator[str]:
    for child in row:
        if child.tag == f"{_W}tc":
            texts = (text.replace("\n", " ") for _, text in _blocks(child, {}))
            yield " ".join(text for text in texts if text)
            span = _value(child.find(f"{_W}tcPr/{_W}gridSpan"))
            yield from [""] * (min(int(span), _MOST_COLUMNS) - 1 if span.isdecimal() else 0)
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


# Extract the text of a page of HTML: headings, paragraphs, list items and table rows.
#
# A heading becomes a line that begins with ``#``, and the cells of a table row are joined with
# `` | ``, as in Word documents. Scripts, styles and what is not shown are left out, and so is what
# its tag or its role says is around the content: menus, footers, asides and dialogs (as banners about
# cookies are), and the header of the page except its ``h1``. A page without an ``h1`` has its
# ``title`` as the first heading.

_NOT_SHOWN: Final = frozenset({"script", "style", "head", "template", "noscript", "svg"})
_AROUND: Final = frozenset({"nav", "footer", "aside", "dialog", "search"})
_ROLES_AROUND: Final = frozenset(
    [
        "alertdialog",
        "complementary",
        "contentinfo",
        "dialog",
        "menu",
        "menubar",
        "navigation",
        "search",
    ]
)
_SECTIONS: Final = ("article", "main", "section")
"""A ``header`` in one of these is not that of the page."""
_VOID: Final = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"]
)


class _Part(Enum):
    """What is done with the text of an element."""

    SHOWN = auto()
    HEADER = auto()
    LEFT_OUT = auto()


_BLOCKS: Final = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "br",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "tr",
        "ul",
    ]
)
_SPACES: Final = re.compile(r"[ \t\r\n\u00a0]+")


class _Reader(HTMLParser):
    """Collects lines; a block ends the line before it and after it."""

    def __init__(self, *, around: bool = False) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._line: list[str] = []
        self._around = around
        self._open: list[tuple[str, _Part]] = []
        self._counts: Counter[str] = Counter()
        self._in_head = True
        self._in_title = False
        self.title = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a block, a cell, or a part that is left out."""
        if tag == "title":
            self._in_title = self._in_head and not self.title
        if tag in {"head", "body", "svg"}:
            self._in_head = tag == "head"
        if tag == "body":  # the end of the head need not be written
            self._end_element("head")
        if tag in _BLOCKS:
            self._end_line()
        if tag not in _VOID:
            self._open.append((tag, self._part(tag, dict(attrs).get("role") or "")))
            self._counts[tag] += 1
        if re.fullmatch("h[1-6]", tag):
            self._line.append("#" * int(tag[1]) + " ")
        elif tag in {"td", "th"} and self._line:
            self._line.append(" | ")

    def handle_endtag(self, tag: str) -> None:
        """End a block or a part that is left out."""
        if tag == "title":
            self._in_title = False
        if tag in _BLOCKS:
            self._end_line()
        self._end_element(tag)

    def handle_data(self, data: str) -> None:
        """Add text to the line."""
        if self._in_title:
            self.title += data
        elif not self._open or self._open[-1][1] is _Part.SHOWN:
            self._line.append(data)

    def close(self) -> None:
        """End the last line."""
        super().close()
        self._end_line()

    def _part(self, tag: str, role: str) -> _Part:
        outer = self._open[-1][1] if self._open else _Part.SHOWN
        role = next(iter(role.lower().split()), "")
        if outer is _Part.LEFT_OUT or tag in _NOT_SHOWN:
            return _Part.LEFT_OUT
        if self._around:
            return _Part.SHOWN
        if tag in _AROUND or role in _ROLES_AROUND:
            return _Part.LEFT_OUT
        is_header = tag == "header" and not any(self._counts[name] for name in _SECTIONS)
        if role == "banner" or is_header:
            return _Part.HEADER
        return _Part.SHOWN if tag == "h1" else outer

    def _end_element(self, tag: str) -> None:
        """End the innermost element of this name, with those in it whose end is not written."""
        while self._counts[tag]:
            ended, _ = self._open.pop()
            self._counts[ended] -= 1
            if ended == tag:
                break

    def _end_line(self) -> None:
        line = _SPACES.sub(" ", "".join(self._line)).strip()
        self._line = []
        if line.strip("# |"):
            self.lines.append(line)


def html_text(source: str) -> str:
    r"""The text of a page, with an empty line between blocks.

    >>> html_text("<nav>Home</nav><p>Rent is due.<div role='dialog'><p>Cookies?</div>")
    'Rent is due.'

    >>> html_text("<h1>Fares</h1><p>Adults&nbsp;pay <b>5</b>.<script>x()</script><tr><td>a<td>b")
    '# Fares\n\nAdults pay 5.\n\na | b'
    """
    reader = _read_html(source)
    title = _SPACES.sub(" ", reader.title).strip()
    if title and reader.lines and not any(line.startswith("# ") for line in reader.lines):
        reader.lines.insert(0, f"# {title}")
    return "\n\n".join(reader.lines)


def _read_html(source: str) -> _Reader:
    """What is shown of a page; if all of it is around the content, it is the content."""
    for around in (False, True):
        reader = _Reader(around=around)
        reader.feed(source)
        reader.close()
        if reader.lines:
            break
    return reader
