"""Headings: Markdown's, those of statutes and contracts, and numbered ones of reports."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

MAX_HEADING: Final = 120
"""A longer line is running text, whatever it begins with."""

MAX_LINE: Final = 1000
"""How much of a line is looked at; a longer one is no heading of Markdown either."""

_FENCE: Final = re.compile(r"\s{0,3}(?:```|~~~)")
_MARKDOWN: Final = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*")
_HAN_NUMBER: Final = "[0-9０-９〇零一二三四五六七八九十百千两]+"
_CHINESE: Final = re.compile(
    rf"\s*(第\s?{_HAN_NUMBER}\s?(分?编|[章节条])(?:之{_HAN_NUMBER})?)(\s|[：:]|\Z)?(.*)", re.DOTALL
)
_WESTERN: Final = re.compile(
    r"\s*((раздел|подраздел|глава|статья|part|title|chapter|section|article|§)\s*"
    r"([0-9]+(?:[.-][0-9]+)*|[IVXLC]+|(?:one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|thirteen|fourteen|fifteen)))(?![\w%])([.:)]?)(.*)",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERED: Final = re.compile(r"\s*([0-9]{1,2}(?:\.[0-9]{1,2})*)(\.?)\s+(\S.*)")
# After these a Chinese number is a reference to an article: 第五条规定的…
_REFERENCE: Final = tuple("规所的之、和与及至或到第中款项内，,（()）")
_LEADERS: Final = re.compile(r"(?:\.{3,}|…+|·{3,}|(?:\. ){3,})\s*[0-9]+\s*\Z")
_SENTENCE_END: Final = tuple(".!?。！？；;…:：")
_LEVEL: Final = {
    "编": 10, "part": 10, "title": 10, "раздел": 10,
    "分编": 11, "подраздел": 11,
    "章": 12, "chapter": 12, "глава": 12,
    "节": 13, "§": 13, "section": 13,
    "条": 14, "article": 14, "статья": 14,
}  # fmt: skip
_NUMBERED_LEVEL: Final = 20


class Heading(Struct, frozen=True, kw_only=True):
    """A heading's own text and how deep it stands. ``rest`` says that text follows on its line."""

    label: str
    level: int
    rest: bool = False


def headings(lines: Sequence[str]) -> dict[int, Heading]:
    """Line index to heading, for every line that is or begins with one.

    >>> found = headings(["# Code", "", "第一条　本条例", "", "## Part", "Article 2. Scope"])
    >>> [(index, h.label) for index, h in found.items()]
    [(0, 'Code'), (2, '第一条'), (4, 'Part'), (5, 'Article 2. Scope')]
    """
    found: dict[int, Heading] = {}
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    fenced = False
    for index, line in enumerate(lines):
        if _FENCE.match(line):
            fenced = not fenced
        if fenced or not line.strip():
            continue
        before = index - 1
        fresh = index == first or before in found or _ends(lines[before])
        fresh = fresh or (before == first and len(lines[before]) <= MAX_HEADING)
        heading = _heading(lines, index, fresh=fresh)
        if heading is not None:
            found[index] = heading
    if lines and first not in found and _is_title(lines, first, found):
        found[first] = Heading(label=" ".join(lines[first].split()), level=0)
    return dict(sorted(_nested(found).items()))


def _nested(found: dict[int, Heading]) -> dict[int, Heading]:
    """Sections put below articles where articles come first.

    Some statutes divide an article into sections, others a section into articles.
    """
    kinds = {index: heading.label.split()[0].lower() for index, heading in found.items()}
    order = [kind for kind in kinds.values() if kind in ("section", "article")]
    if not order or order[0] == "section":
        return found
    return {
        index: replace(heading, level=15)
        if kinds[index] == "section" and heading.level == _LEVEL["section"]
        else heading
        for index, heading in found.items()
    }


def _is_title(lines: Sequence[str], first: int, found: dict[int, Heading]) -> bool:
    """A short first line without a point, apart from what follows."""
    line, after = lines[first].strip(), first + 1
    if after >= len(lines) or not 0 < len(line) <= MAX_HEADING or line.endswith(_SENTENCE_END):
        return False
    return after in found or (not lines[after].strip() and any(map(str.strip, lines[after:])))


def _heading(lines: Sequence[str], index: int, *, fresh: bool) -> Heading | None:
    line = lines[index]
    if len(line) > MAX_LINE:
        line = line[:MAX_LINE]
    elif (markdown := _MARKDOWN.fullmatch(line)) and markdown[2]:
        return Heading(label=markdown[2], level=len(markdown[1]))
    if _LEADERS.search(line[-200:]):
        return None
    chinese = _chinese(line, fresh=fresh)
    if chinese is not None or not fresh:
        return chinese
    return _western(line) or _numbered(lines, index)


def _ends(line: str) -> bool:
    """Whether the next line can begin something new."""
    return not line.strip() or line.rstrip().endswith(_SENTENCE_END) or bool(_MARKDOWN.match(line))


def _chinese(line: str, *, fresh: bool) -> Heading | None:
    match = _CHINESE.match(line)
    if match is None:
        return None
    label, kind, gap, rest = match.groups()
    if gap is None and (not fresh or rest.startswith(_REFERENCE)):
        return None
    whole = " ".join(line.split())
    if kind != "条" and len(whole) <= MAX_HEADING and not whole.endswith(_SENTENCE_END):
        return Heading(label=whole, level=_LEVEL[kind])
    return Heading(label="".join(label.split()), level=_LEVEL[kind], rest=bool(rest.strip()))


def _western(line: str) -> Heading | None:
    match = _WESTERN.match(line)
    if match is None:
        return None
    label, kind, number, mark, rest = match.groups()
    if not (label[0].isupper() or kind == "§") or (
        rest and not mark and rest[0] not in " \t\xa0—–"
    ):
        return None
    # Without a point after the number a lower-case word goes on with the sentence.
    if rest.strip() and not mark and not rest.strip()[0].isupper() and rest.strip()[0] not in "—–-":
        return None
    is_roman = set(number.lower()) <= set("ivxlc")
    if number.islower() or (is_roman and not number.isupper()):
        return None
    level = _LEVEL[kind.lower()]
    whole = " ".join(line.split())
    if len(whole) <= MAX_HEADING and not _runs_on(rest):
        return Heading(label=whole, level=level)
    return Heading(label=" ".join(label.split()), level=level, rest=True)


def _runs_on(rest: str) -> bool:
    """Whether what follows an article's number is its text and not its name."""
    return rest.rstrip().endswith(_SENTENCE_END) and len(rest.split()) > 8


def _numbered(lines: Sequence[str], index: int) -> Heading | None:
    """``1.2 History`` by itself; ``1. Company`` only where ``1.1 …`` follows."""
    line = lines[index]
    match = _NUMBERED.fullmatch(line)
    if match is None or len(line) > MAX_HEADING:
        return None
    number, point, name = match.groups()
    if not name[0].isalpha() or name[0].islower() or name.endswith(_SENTENCE_END):
        return None
    depth = number.count(".")
    if depth == 0 and not (point and _next_line(lines, index).startswith(f"{number}.1")):
        return None
    return Heading(label=" ".join(line.split()), level=_NUMBERED_LEVEL + depth)


def _next_line(lines: Sequence[str], index: int) -> str:
    return next((line.strip() for line in lines[index + 1 : index + 4] if line.strip()), "")
