r"""The words of an answer without its markup: Markdown emphasis, HTML tags, cells of tables.

Markup inside of a sentence hides its words from expressions: "**Not** _specified_". Every mark is
replaced by as many spaces or invisible characters, so all offsets stay those of the answer. Text
that is struck out or hidden is not said (``assay.text.unsaid``), and is replaced by spaces.

>>> without_markup("**Not** <i>specified</i>").replace(HIDDEN, "").split()
['Not', 'specified']
"""

import re
from typing import Final

from assay.scorers.abstention.context import FINAL_ANSWER
from assay.text import HIDDEN, blanked_text

_MARK: Final = re.compile("[*_<|~#]")
"""Without one of these, an answer has no markup."""
_TAG: Final = re.compile(
    r"</?(?P<tag>[a-z][a-z0-9]{0,9})(?:\s[^<>\n]{0,200})?\s?/?>", re.IGNORECASE
)
_BLOCKS: Final = frozenset(
    ("p", "div", "li", "ul", "ol", "tr", "table", "thead", "tbody", "section", "article", "body",
     "html", "h1", "h2", "h3", "h4", "h5", "h6")
)  # fmt: skip
_CELLS: Final = frozenset(("td", "th"))
_INLINE: Final = frozenset(
    ("a", "abbr", "b", "big", "br", "cite", "code", "em", "font", "i", "ins", "mark", "small", "span",
     "strong", "sub", "sup", "u")
)  # fmt: skip
# Not the sign of a product (5*3), of a list (* item) or of a blank (____).
_EMPHASIS: Final = re.compile(
    r"\*{1,3}(?=[^\s*])(?:(?<![0-9]\*)|(?![0-9]))|(?<=[^\s*])\*{1,3}(?![*0-9])"
    r"|(?<![^\W]|_)_{1,3}(?=[^\W_])|(?<=[^\W_])_{1,3}(?![^\W])"
)
_ROW: Final = re.compile(r"^[ \t]{0,3}\|.*\|[ \t]*$", re.MULTILINE)
_RULE: Final = re.compile(r"^[ \t]{0,3}\|(?:[ \t]*:?-{1,40}:?[ \t]*\|){1,40}[ \t]*$", re.MULTILINE)
_HEADING: Final = re.compile(
    r"^(#{1,6}[ \t]+|\|[ \t]*)([^\n|]{1,30}?)([ \t]*\|)?[ \t]*\n", re.MULTILINE
)
_LABEL: Final = re.compile(r"[^\W\d][^\d\n]{0,39}")


def without_markup(text: str) -> str:
    """The answer with its markup replaced by spaces and invisible characters, as long as it is."""
    if not _MARK.search(text):
        return text
    if "~~" in text or "<" in text:
        text = _TAG.sub(_tag, blanked_text(text))
    text = _HEADING.sub(_heading, text)
    if "|" in text:
        text = _ROW.sub(_row, text)
    return _EMPHASIS.sub(_emphasis, text)


def _tag(match: re.Match[str]) -> str:
    """What stands for a tag: the end of a line, of a cell, or nothing; other words stay."""
    name, length = match["tag"].lower(), len(match.group())
    is_end = match.group().startswith("</")
    if name in _BLOCKS:
        return ("\n" if is_end else " ") + " " * (length - 1)
    if name in _CELLS:
        return (";" if is_end else " ") + " " * (length - 1)
    if name not in _INLINE:
        return match.group()
    is_apart = name == "br" or not _is_inside(match)
    return (" " if is_apart else HIDDEN) * length


def _is_inside(match: re.Match[str]) -> bool:
    """Whether something stands directly before a mark, so that a space would change it."""
    return match.start() > 0 and not match.string[match.start() - 1].isspace()


def _emphasis(match: re.Match[str]) -> str:
    return (HIDDEN if _is_inside(match) else " ") * len(match.group())


def _heading(match: re.Match[str]) -> str:
    """A heading that names the answer, as the label of what follows it: "Answer:"."""
    title = match[2].strip(" *_")
    if not FINAL_ANSWER.match(f"{title.lower()}:"):
        return match.group()
    return f"{' ' * len(match[1])}{match[2]}:".ljust(len(match.group()) - 1) + "\n"


def _row(match: re.Match[str]) -> str:
    """A row of a table: its cells are statements, or a label and what it names."""
    row = match.group()
    if _RULE.match(row):
        return " " * len(row)
    first, last = row.index("|"), row.rindex("|")
    cells = row[first + 1 : last].split("|")
    is_header = _RULE.match(match.string, match.end() + 1) is not None
    if is_header and not any(map(str.isdigit, row)):
        return " " * len(row)
    is_labelled = len(cells) == 2 and _LABEL.fullmatch(cells[0].strip(" \t*_"))
    inside = (":" if is_labelled else ";").join(cells)
    return f"{' ' * (first + 1)}{inside}{' ' * (len(row) - last)}"
