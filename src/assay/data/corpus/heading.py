"""Recognise headings: of Markdown, of statutes and contracts, and numbered ones of reports."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from assay.data.document.document import HeadingSource
from assay.text.lexicon import lazy_pattern, word_list

MAX_HEADING: Final = 120
"""A longer line (in characters) is running text, even if it begins like a heading."""

MAX_LINE: Final = 1000
"""Only this many characters of a line are examined; a longer line is no Markdown heading."""

_FENCE: Final = re.compile(r"\s{0,3}(?:```|~~~)")
_MARKDOWN: Final = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*")
_HAN_NUMBER: Final = "[0-9０-９〇零一二三四五六七八九十百千两]+"
_CHINESE: Final = re.compile(
    rf"\s*(第\s?{_HAN_NUMBER}\s?(分?编|[章节条])(?:之{_HAN_NUMBER})?)(\s|[：:]|\Z)?(.*)", re.DOTALL
)


@cache
def _levels() -> dict[str, int]:
    """The level of each word for a part of a law, longer words first."""
    words = word_list("heading.levels")
    pairs = zip(words[::2], map(int, words[1::2]), strict=True)
    return {"§": 13, **dict(sorted(pairs, key=lambda pair: -len(pair[0])))}


_WESTERN: Final = lazy_pattern(
    lambda: (
        rf"\s*(({'|'.join(word for word in _levels() if word != '§' and len(word) > 2)}|§)\s*"
        r"([0-9]+(?:[.-][0-9]+)*|[IVXLC]+|(?:one|two|three|four|five|six|seven|eight|nine|ten"
        r"|eleven|twelve|thirteen|fourteen|fifteen)))(?![\w%])([.:)]?)(.*)"
    ),
    re.IGNORECASE | re.DOTALL,
)
_NUMBERED: Final = re.compile(r"\s*([0-9]{1,2}(?:\.[0-9]{1,2})*)(\.?)\s+(\S.*)")
# If one of these follows, the number refers to an article instead of heading it: 第五条规定的…
_REFERENCE: Final = tuple("规所的之、和与及至或到第中款项内，,（()）")
_LEADERS: Final = re.compile(r"(?:\.{3,}|…+|·{3,}|(?:\. ){3,})\s*[0-9]+\s*\Z")
_SENTENCE_END: Final = tuple(".!?。！？；;…:：")
_NUMBERED_LEVEL: Final = 20


class Heading(Struct, frozen=True, kw_only=True):
    """The text of a heading and its level; a higher level is deeper.

    ``rest`` is true if body text follows on the same line. ``number`` is the number of a
    numbered heading (``1.2``), otherwise empty.
    """

    label: str
    level: int
    rest: bool = False
    number: str = ""

    def can_contain(self, other: "Heading") -> bool:
        """Whether ``other``, which comes later, can be a subheading of this heading."""
        if self.number and other.number:
            return other.number.startswith(f"{self.number}.")
        return self.level < other.level


def headings(
    lines: Sequence[str], *, markdown: bool = True, source: HeadingSource = "text"
) -> dict[int, Heading]:
    """Map the index of each line that is or begins with a heading to that heading.

    If ``markdown`` is false, ``#`` at the beginning of a line has no meaning. In a ``table``
    nothing else has; the first line of a ``page`` is no title.

    >>> by_line = headings(["# Code", "", "第一条　本条例", "", "## Part", "Article 2. Scope"])
    >>> [(index, heading.label) for index, heading in by_line.items()]
    [(0, 'Code'), (2, '第一条'), (4, 'Part'), (5, 'Article 2. Scope')]
    """
    by_line: dict[int, Heading] = {}
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    chapters = _chapters(lines)
    fenced = False
    for index, line in enumerate(lines):
        if markdown and _FENCE.match(line):
            fenced = not fenced
        if fenced or not line.strip():
            continue
        before = index - 1
        starts_block = index == first or before in by_line or _ends_block(lines[before])
        starts_block = starts_block or (before == first and len(lines[before]) <= MAX_HEADING)
        heading = _markdown_heading(line) if markdown else None
        if source != "table":
            heading = heading or _plain_heading(line, chapters, starts_block=starts_block)
        if heading is not None:
            by_line[index] = heading
            if heading.level == _NUMBERED_LEVEL:
                chapters.discard(int(heading.number))
    if source == "text" and lines and first not in by_line and _is_title(lines, first, by_line):
        by_line[first] = Heading(label=" ".join(lines[first].split()), level=0)
    return dict(sorted(_with_sections_in_articles(by_line).items()))


def _with_sections_in_articles(by_line: dict[int, Heading]) -> dict[int, Heading]:
    """The headings, with sections moved below articles if an article comes first.

    Some statutes divide articles into sections, others divide sections into articles.
    """
    kinds = {index: heading.label.split()[0].lower() for index, heading in by_line.items()}
    order = [kind for kind in kinds.values() if kind in ("section", "article")]
    if not order or order[0] == "section":
        return by_line
    return {
        index: replace(heading, level=15)
        if kinds[index] == "section" and heading.level == _levels()["section"]
        else heading
        for index, heading in by_line.items()
    }


def _is_title(lines: Sequence[str], first: int, by_line: dict[int, Heading]) -> bool:
    """Whether the first line is short, no sentence, and followed by a heading or blank line."""
    line, after = lines[first].strip(), first + 1
    if after >= len(lines) or not 0 < len(line) <= MAX_HEADING or line.endswith(_SENTENCE_END):
        return False
    return after in by_line or (not lines[after].strip() and any(map(str.strip, lines[after:])))


def _markdown_heading(line: str) -> Heading | None:
    match = _MARKDOWN.fullmatch(line) if len(line) <= MAX_LINE else None
    return Heading(label=match[2], level=len(match[1])) if match and match[2] else None


def _plain_heading(line: str, chapters: set[int], *, starts_block: bool) -> Heading | None:
    if _LEADERS.search(line[-200:]):
        return None
    line = line[:MAX_LINE]
    chinese = _chinese_heading(line, starts_block=starts_block)
    if chinese is not None or not starts_block:
        return chinese
    return _western_heading(line) or _numbered_heading(line, chapters)


def _ends_block(line: str) -> bool:
    """Whether the line after this one can begin a new block: a heading or a paragraph."""
    return not line.strip() or line.rstrip().endswith(_SENTENCE_END) or bool(_MARKDOWN.match(line))


def _chinese_heading(line: str, *, starts_block: bool) -> Heading | None:
    match = _CHINESE.match(line)
    if match is None:
        return None
    label, kind, gap, rest = match.groups()
    if gap is None and (not starts_block or rest.startswith(_REFERENCE)):
        return None
    full_line = " ".join(line.split())
    if kind != "条" and len(full_line) <= MAX_HEADING and not full_line.endswith(_SENTENCE_END):
        return Heading(label=full_line, level=_levels()[kind])
    return Heading(label="".join(label.split()), level=_levels()[kind], rest=bool(rest.strip()))


def _western_heading(line: str) -> Heading | None:
    match = _WESTERN.match(line)
    if match is None:
        return None
    label, kind, number, mark, rest = match.groups()
    if not (label[0].isupper() or kind == "§") or (
        rest and not mark and rest[0] not in " \t\xa0—–"
    ):
        return None
    # Without punctuation after the number, a lower-case word continues the sentence.
    if rest.strip() and not mark and not rest.strip()[0].isupper() and rest.strip()[0] not in "—–-":
        return None
    is_roman = set(number.lower()) <= set("ivxlc")
    if number.islower() or (is_roman and not number.isupper()):
        return None
    level = _levels()[kind.lower()]
    full_line = " ".join(line.split())
    if len(full_line) <= MAX_HEADING and not _is_body_text(rest):
        return Heading(label=full_line, level=level)
    return Heading(label=" ".join(label.split()), level=level, rest=True)


def _is_body_text(rest: str) -> bool:
    """Whether the words after an article's number are its text and not its name."""
    return rest.rstrip().endswith(_SENTENCE_END) and len(rest.split()) > 8


def _numbered_heading(line: str, chapters: set[int]) -> Heading | None:
    """A heading like ``1.2 History``, or like ``1. Company`` if 1 is one of ``chapters``."""
    match = _NUMBERED.fullmatch(line) if len(line) <= MAX_HEADING else None
    if match is None:
        return None
    number, full_stop, name = match.groups()
    if not name[0].isalpha() or name[0].islower() or name.endswith(_SENTENCE_END):
        return None
    depth = number.count(".")
    if depth == 0 and not (full_stop and int(number) in chapters):
        return None
    label = " ".join(line.split())
    return Heading(label=label, level=_NUMBERED_LEVEL + depth, number=number)


def _chapters(lines: Sequence[str]) -> set[int]:
    """The numbers of chapters with a first section: 3 if some line is a heading ``3.1 …``."""
    candidates = (_numbered_heading(line.strip(), set()) for line in lines if ".1" in line[:8])
    return {
        int(heading.number.split(".")[0])
        for heading in candidates
        if heading is not None and re.fullmatch(r"[0-9]+\.1", heading.number)
    }
