"""One risk of a review, and the parsing of its parts into quotations, laws and ids."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from msgspec import Struct

from assay.jobs.contract.level import (
    Level,
    Part,
    heading,
    level_of_word,
    level_word,
    says_nothing,
    stated_level,
)
from assay.text.character import HAN
from assay.text.language import Language
from assay.text.lexicon import word_set

_BULLET: Final = re.compile(
    r"(?:[>|]\s?|[-*+•·▪]\s+|[(（]?\d{1,2}[)）、]\s*|\d{1,2}\.\s+|[①-⑳]\s*|[（(][一二三四五六七八九十]{1,3}[）)]\s*)+"
)
QUOTES: Final = ("“”", "«»", "「」", "『』", '""', "``", "„“", "‘’")
"""Pairs of opening and closing quotation marks."""
_QUOTED: Final = "|".join(f"{pair[0]}[^{pair[0]}{pair[1]}]+{pair[1]}" for pair in QUOTES)


@cache
def _all_quoted() -> re.Pattern[str]:
    separator = rf"(?:[\s;；,，、.。…]|{'|'.join(word_set('and'))})*"
    return re.compile(rf"{separator}(?:(?:{_QUOTED}){separator}){{2,}}")


_NUMBERED: Final = re.compile(
    r"(?:\A|(?<=[;；。.，,\s]))[（(]?(?P<digits>\d{1,2})[.)、）](?!\d)|(?P<circle>[①-⑳])"
)
_LAW_SEPARATOR: Final = re.compile(r"\s*(?:[;；]|[、，,](?=\s*[《«]))\s*")
_ID: Final = re.compile(r"[^\s,，;；、|/]+")
_EDGE: Final = " \t*_"


class Risk(Struct, frozen=True, kw_only=True):
    """One risk that a reply names.

    ``level_written`` is the text of the level if it is not a known level, and empty otherwise.
    ``suggests_nothing`` means that the part for the suggestion says that there is none, and
    ``names_no_rule`` that the part for the ids of rules has none.
    """

    title: str = ""
    level: Level | None = None
    level_written: str = ""
    risk_ids: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    analysis: str = ""
    laws: tuple[str, ...] = ()
    suggestion: str = ""
    suggests_nothing: bool = False
    names_no_rule: bool = False


class RiskDraft:
    """Collects the lines of each part of a risk while a reply is read."""

    def __init__(self) -> None:
        self.lines: dict[Part, list[str]] = {}

    def add(self, part: Part, line: str) -> None:
        """Add a line to a part. An empty line only records that the part exists."""
        self.lines.setdefault(part, []).append(line)

    def risk(self) -> Risk:
        """The risk that the collected lines describe."""
        title = _prose(self.lines.get("risk", ())).replace("\n", " ").strip(_EDGE)
        written, level = _written_level(self.lines.get("level", ()))
        if not written and (level := _title_level(title)):
            title = ""
        ids = tuple(risk_ids(self.lines.get("risk_ids", ())))
        return Risk(
            title="" if says_nothing(title) else title,
            level=level,
            level_written="" if level else written.strip(_EDGE),
            risk_ids=ids,
            evidence=tuple(quotations(self.lines.get("evidence", ()))),
            analysis=_prose_or_empty(self.lines.get("analysis", ())),
            laws=tuple(laws(self.lines.get("laws", ()))),
            suggestion=_prose_or_empty(self.lines.get("suggestion", ())),
            suggests_nothing=_says_none(self.lines.get("suggestion", ())),
            names_no_rule="risk_ids" in self.lines and not ids,
        )


def _written_level(lines: Sequence[str]) -> tuple[str, Level | None]:
    """The text of the level and the level; no level if the lines state two different ones."""
    written = [line for line in lines if line.strip(_EDGE)]
    levels = {level for line in written if (level := stated_level(line)) is not None}
    if len(levels) > 1:
        return ", ".join(line.strip(_EDGE) for line in written), None
    return (written[0], stated_level(written[0])) if written else ("", None)


def quotations(lines: Iterable[str]) -> list[str]:
    """The quotations in some lines.

    Each line is one quotation, or several if each is in quotation marks or has a number.

    >>> quotations(["- “每日百分之五”", "“甲方”；“乙方”", "> the Buyer", "无明确证据"])
    ['每日百分之五', '甲方', '乙方', 'the Buyer']
    >>> quotations(["1. 甲方付款；2. “乙方交货”"])
    ['甲方付款', '乙方交货']
    """
    items: list[str] = []
    for line in _with_joined_quotations(lines):
        for item in _numbered(line):
            bare = _without_bullet(item)
            if _all_quoted().fullmatch(bare):
                items += [piece[1:-1] for piece in re.findall(_QUOTED, bare)]
            else:
                items.append(bare)
    return _distinct(strip_quotes(item) for item in items)


def _numbered(line: str) -> list[str]:
    """The items of a line that numbers them from 1 on, or the line; a number in quotation marks is none."""
    starts: list[int] = []
    for mark in _NUMBERED.finditer(line):
        number = int(mark["digits"]) if mark["digits"] else ord(mark["circle"]) - ord("①") + 1
        if number == len(starts) + 1 and has_balanced_quotes(line[: mark.start()]):
            starts.append(mark.start())
    if len(starts) < 2 or line[: starts[0]].strip(_EDGE):
        return [line]
    ends = [*starts[1:], len(line)]
    return [line[start:end].rstrip(" ;；，,") for start, end in zip(starts, ends, strict=True)]


def laws(lines: Iterable[str]) -> list[str]:
    """The cited laws in some lines.

    Each line cites one law, or several. Laws are separated by semicolons, or by commas if the
    next law begins with 《 or «. Separators within quotation marks do not count.

    >>> laws(["- 《民法典》第五百八十五条、《民法典》第五百八十六条；ст. 330 ГК РФ"])
    ['《民法典》第五百八十五条', '《民法典》第五百八十六条', 'ст. 330 ГК РФ']
    """
    items: list[str] = []
    for line in _with_joined_quotations(lines):
        bare = _without_bullet(line).strip(_EDGE)
        start = 0
        for separator in _LAW_SEPARATOR.finditer(bare):
            if has_balanced_quotes(bare[start : separator.start()]):
                items.append(bare[start : separator.start()])
                start = separator.end()
        items.append(bare[start:])
    return _distinct(item.strip(_EDGE) for item in items)


def risk_ids(lines: Iterable[str]) -> list[str]:
    """The risk ids in some lines, with any separators between them.

    >>> risk_ids(["`R01`, R02", "无"])
    ['R01', 'R02']
    """
    words = [
        word.strip("*_`\"'“”«»[]()（）【】.。#:：")
        for line in lines
        if not says_nothing(line)
        for word in _ID.findall(_without_bullet(line))
    ]
    return _distinct(words)


def strip_quotes(item: str) -> str:
    """The text without quotation marks that enclose all of it.

    >>> strip_quotes("“甲方可以“随时”解除”。"), strip_quotes("“a” or “b”"), strip_quotes("«б»")
    ('甲方可以“随时”解除', '“a” or “b”', 'б')
    """
    before = None
    while item != before:
        before, item = item, item.strip(_EDGE)
        closed = item.rstrip(".。;；,，")
        for opening, closing in QUOTES:
            if len(closed) >= 2 and closed[0] == opening and closed[-1] == closing:
                inside = closed[1:-1]
                if _nested(inside, opening, closing):
                    item = inside
                    break
    return item


def has_balanced_quotes(text: str) -> bool:
    """Whether every quotation that is opened in the text is also closed.

    >>> has_balanced_quotes("«a» “b”"), has_balanced_quotes("“a; ")
    (True, False)
    """
    pairs = all(text.count(opening) == text.count(closing) for opening, closing in QUOTES[:4])
    return pairs and text.count('"') % 2 == 0


def _nested(inside: str, opening: str, closing: str) -> bool:
    """Whether the inner quotation marks form pairs, so that the outer two belong together."""
    if opening == closing:
        return opening not in inside
    depth = 0
    for character in inside:
        depth += (character == opening) - (character == closing)
        if depth < 0:
            return False
    return depth == 0


def _with_joined_quotations(lines: Iterable[str]) -> list[str]:
    """The lines that are not empty; a quotation that continues on the next line is joined."""
    joined: list[str] = []
    for line in lines:
        if not line.strip():
            continue
        if joined and not has_balanced_quotes(joined[-1]) and not has_balanced_quotes(line):
            joined[-1] = join_lines(joined[-1], _without_bullet(line).strip())
        else:
            joined.append(line)
    return joined


def join_lines(before: str, after: str) -> str:
    """Join two lines, with a space between them unless both sides are Chinese."""
    chinese = re.search(f"[{HAN}，。；：、]$", before) and re.match(f"[{HAN}]", after)
    return f"{before}{'' if chinese else ' '}{after}"


def _without_bullet(line: str) -> str:
    bare = line.strip()
    bullet = _BULLET.match(bare)
    return bare[bullet.end() :].rstrip("| ") if bullet else bare


def _title_level(title: str) -> Level | None:
    """The level that a title states, as in ``Risk: high`` and ``Risk: none``."""
    bare = title.strip(" *_.。`\"'“”")
    if bare and says_nothing(bare):
        return "low"
    return level_of_word(bare)


def _prose(lines: Sequence[str]) -> str:
    return "\n".join(line.strip() for line in lines if line.strip())


def _prose_or_empty(lines: Sequence[str]) -> str:
    """The lines as text; empty if they only say "none"."""
    text = _prose(lines)
    return "" if says_nothing(text) else text


def _says_none(lines: Sequence[str]) -> bool:
    """Whether the lines have a word for "none", and are not just empty."""
    text = _prose(lines)
    return any(map(str.isalnum, text)) and says_nothing(text)


def _distinct(items: Iterable[str]) -> list[str]:
    return [item for item in dict.fromkeys(items) if not says_nothing(item)]


# Writes a review as Markdown that ``parse_review`` can read back.


def review_markdown(risks: Sequence[Risk], language: Language = "en") -> str:
    r"""The risks as Markdown: one block for each risk, one heading for each part.

    Empty parts are left out.

    >>> print(review_markdown([Risk(title="penalty", level="high", evidence=("5% a day",))]))
    ## Risk: penalty
    - **Level**: High
    - **Evidence**:
      - “5% a day”
    """
    return "\n\n".join(_block(risk, language) for risk in risks)


def _block(risk: Risk, language: Language) -> str:
    colon = "：" if language == "zh" else ": "
    lines = [f"## {heading('risk', language)}{colon}{risk.title}".rstrip()]

    def add(title: str, value: str) -> None:
        if value:
            lines.append(f"- **{title}**{colon}{value}")

    def add_list(title: str, items: Sequence[str]) -> None:
        if items:
            lines.append(f"- **{title}**{colon.rstrip()}")
            lines.extend(f"  - {item}" for item in items)

    level = level_word(risk.level, language) if risk.level else risk.level_written
    add(heading("level", language), level)
    add(heading("risk_ids", language), ", ".join(risk.risk_ids))
    add_list(heading("evidence", language), [_with_quotes(item) for item in risk.evidence])
    add(heading("analysis", language), risk.analysis)
    add_list(heading("laws", language), risk.laws)
    add(heading("suggestion", language), risk.suggestion)
    return "\n".join(lines)


def _with_quotes(item: str) -> str:
    """The item in quotation marks that ``quotations`` removes again.

    The item is returned unchanged if no pair of marks can be removed again without a change.
    """
    for pair in QUOTES[:5]:
        quoted = f"{pair[0]}{item}{pair[1]}"
        if quotations([f"- {quoted}"]) == [item]:
            return quoted
    return item
