"""Extract the text of a page of HTML: headings, paragraphs, list items and table rows.

A heading becomes a line that begins with ``#``, and the cells of a table row are joined with
`` | ``, as in Word documents. Scripts, styles and what is not shown are left out. A page without
an ``h1`` has its ``title`` as the first heading; headings of menus and footers are plain lines.
"""

import re
from html.parser import HTMLParser
from typing import Final

_LEFT_OUT: Final = frozenset({"script", "style", "head", "template", "noscript", "svg"})
_NO_HEADINGS: Final = frozenset({"nav", "footer"})
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

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._line: list[str] = []
        self._left_out = 0
        self._no_headings = 0
        self._in_head = True
        self._in_title = False
        self.title = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Begin a block, a cell, or a part that is left out."""
        if tag == "title":
            self._in_title = self._in_head and not self.title
        if tag in {"head", "body", "svg"}:
            self._in_head = tag == "head"
        if tag in _LEFT_OUT:
            self._left_out += 1
        elif tag in _BLOCKS:
            self._end_line()
            self._no_headings += tag in _NO_HEADINGS
            if re.fullmatch("h[1-6]", tag) and not self._no_headings:
                self._line.append("#" * int(tag[1]) + " ")
        elif tag in {"td", "th"} and self._line:
            self._line.append(" | ")

    def handle_endtag(self, tag: str) -> None:
        """End a block or a part that is left out."""
        if tag == "title":
            self._in_title = False
        if tag in _LEFT_OUT:
            self._left_out = max(0, self._left_out - 1)
        elif tag in _BLOCKS:
            self._end_line()
            self._no_headings = max(0, self._no_headings - (tag in _NO_HEADINGS))

    def handle_data(self, data: str) -> None:
        """Add text to the line."""
        if self._in_title:
            self.title += data
        elif not self._left_out:
            self._line.append(data)

    def close(self) -> None:
        """End the last line."""
        super().close()
        self._end_line()

    def _end_line(self) -> None:
        line = _SPACES.sub(" ", "".join(self._line)).strip()
        self._line = []
        if line.strip("# |"):
            self.lines.append(line)


def html_text(source: str) -> str:
    r"""The text of a page, with an empty line between blocks.

    >>> html_text("<h1>Fares</h1><p>Adults&nbsp;pay <b>5</b>.<script>x()</script><tr><td>a<td>b")
    '# Fares\n\nAdults pay 5.\n\na | b'
    """
    reader = _Reader()
    reader.feed(source)
    reader.close()
    title = _SPACES.sub(" ", reader.title).strip()
    if title and reader.lines and not any(line.startswith("# ") for line in reader.lines):
        reader.lines.insert(0, f"# {title}")
    return "\n\n".join(reader.lines)
