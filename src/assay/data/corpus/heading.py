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
    """A heading's own text and how deep it stands.

    ``rest`` says that text follows on its line; ``number`` is that of a numbered one (``1.2``).
    """

    label: str
    level: int
    rest: bool = False
    number: str = ""

    def holds(self, other: "Heading") -> bool:
        """Whether ``other``, coming later, can stand below this one."""
        if self.number and other.number:
            return other.number.startswith(f"{self.number}.")
        return self.level < other.level


def headings(lines: Sequence[str], *, markdown: bool = True) -> dict[int, Heading]:
    """Line index to heading, for every line that is or begins with one.

    Without ``markdown`` a line that begins with ``#`` is like any other.

    >>> found = headings(["# Code", "", "第一条　本条例", "", "## Part", "Article 2. Scope"])
    >>> [(index, h.label) for index, h in found.items()]
    [(0, 'Code'), (2, '第一条'), (4, 'Part'), (5, 'Article 2. Scope')]
    """
    found: dict[int, Heading] = {}
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    chapters = _chapters(lines)
    fenced = False
    for index, line in enumerate(lines):
        if markdown and _FENCE.match(line):
            fenced = not fenced
        if fenced or not line.strip():
            continue
        before = index - 1
        fresh = index == first or before in found or _ends(lines[before])
        fresh = fresh or (before == first and len(lines[before]) <= MAX_HEADING)
        heading = _markdown(line) if markdown else None
        heading = heading or _heading(line, chapters, fresh=fresh)
        if heading is not None:
            found[index] = heading
            if heading.level == _NUMBERED_LEVEL:
                chapters.discard(int(heading.number))
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


def _markdown(line: str) -> Heading | None:
    match = _MARKDOWN.fullmatch(line) if len(line) <= MAX_LINE else None
    return Heading(label=match[2], level=len(match[1])) if match and match[2] else None


def _heading(line: str, chapters: set[int], *, fresh: bool) -> Heading | None:
    if _LEADERS.search(line[-200:]):
        return None
    line = line[:MAX_LINE]
    chinese = _chinese(line, fresh=fresh)
    if chinese is not None or not fresh:
        return chinese
    return _western(line) or _numbered(line, chapters)


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


def _numbered(line: str, chapters: set[int]) -> Heading | None:
    """``1.2 History`` by itself; ``1. Company`` where there is a 1.1, and only once."""
    match = _NUMBERED.fullmatch(line) if len(line) <= MAX_HEADING else None
    if match is None:
        return None
    number, point, name = match.groups()
    if not name[0].isalpha() or name[0].islower() or name.endswith(_SENTENCE_END):
        return None
    depth = number.count(".")
    if depth == 0 and not (point and int(number) in chapters):
        return None
    label = " ".join(line.split())
    return Heading(label=label, level=_NUMBERED_LEVEL + depth, number=number)


def _chapters(lines: Sequence[str]) -> set[int]:
    """Numbers of chapters that have a first section: 3 where some line is headed 3.1."""
    firsts = (_numbered(line.strip(), set()) for line in lines if ".1" in line[:8])
    return {
        int(first.number.split(".")[0])
        for first in firsts
        if first is not None and re.fullmatch(r"[0-9]+\.1", first.number)
    }
