"""One risk of a review, and how the lines of its parts become quotations, laws and ids."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from assay.scorers.risk.level import Level, level_of_word, stated_level
from assay.scorers.risk.reply.label import Part, says_nothing
from assay.text import HAN

_BULLET: Final = re.compile(
    r"(?:[>|]\s?|[-*+•·▪]\s+|\(?\d{1,2}[)）、]\s*|\d{1,2}\.\s+|[①-⑳]\s*|[（(][一二三四五六七八九十]{1,3}[）)]\s*)+"
)
QUOTES: Final = ("“”", "«»", "「」", "『』", '""', "``", "„“", "‘’")
"""Pairs of quotation marks that may stand around what is quoted."""
_QUOTED: Final = "|".join(f"{pair[0]}[^{pair[0]}{pair[1]}]+{pair[1]}" for pair in QUOTES)
_JOINT: Final = r"(?:[\s;；,，、.。…]|\band\b|\bи\b|和|与|以及)*"
_ALL_QUOTED: Final = re.compile(rf"{_JOINT}(?:(?:{_QUOTED}){_JOINT}){{2,}}")
_LAW_JOINT: Final = re.compile(r"\s*(?:[;；]|[、，,](?=\s*[《«]))\s*")
_ID: Final = re.compile(r"[^\s,，;；、|/]+")
_EDGE: Final = " \t*_"


class Risk(Struct, frozen=True, kw_only=True):
    """One risk that a reply names. ``level_written`` is kept where it states no known level."""

    title: str = ""
    level: Level | None = None
    level_written: str = ""
    risk_ids: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    analysis: str = ""
    laws: tuple[str, ...] = ()
    suggestion: str = ""


class Draft:
    """The lines of a risk's parts as they are found."""

    def __init__(self) -> None:
        self.lines: dict[Part, list[str]] = {}

    def add(self, part: Part, line: str) -> None:
        """One more line of a part; an empty one only says that the part is there."""
        self.lines.setdefault(part, []).append(line)

    def risk(self) -> Risk:
        """The risk that the lines tell."""
        title = _prose(self.lines.get("risk", ())).replace("\n", " ").strip(_EDGE)
        written = next((line for line in self.lines.get("level", ()) if line.strip(_EDGE)), "")
        level = stated_level(written)
        if not written and (level := _title_level(title)):
            title = ""
        return Risk(
            title="" if says_nothing(title) else title,
            level=level,
            level_written="" if level else written.strip(_EDGE),
            risk_ids=tuple(risk_ids(self.lines.get("risk_ids", ()))),
            evidence=tuple(quotations(self.lines.get("evidence", ()))),
            analysis=_told(self.lines.get("analysis", ())),
            laws=tuple(laws(self.lines.get("laws", ()))),
            suggestion=_told(self.lines.get("suggestion", ())),
        )


def quotations(lines: Iterable[str]) -> list[str]:
    """What is quoted: an item a line, or several in quotation marks on one.

    >>> quotations(["- “每日百分之五”", "“甲方”；“乙方”", "> the Buyer", "无"])
    ['每日百分之五', '甲方', '乙方', 'the Buyer']
    """
    items: list[str] = []
    for line in _whole_quotations(lines):
        bare = _debulleted(line)
        if _ALL_QUOTED.fullmatch(bare):
            items += [piece[1:-1] for piece in re.findall(_QUOTED, bare)]
        else:
            items.append(bare)
    return _distinct(strip_quotes(item) for item in items)


def laws(lines: Iterable[str]) -> list[str]:
    """The laws cited: an item a line, or several between semicolons; quotations are kept whole.

    >>> laws(["- 《民法典》第五百八十五条、《民法典》第五百八十六条；ст. 330 ГК РФ"])
    ['《民法典》第五百八十五条', '《民法典》第五百八十六条', 'ст. 330 ГК РФ']
    """
    items: list[str] = []
    for line in _whole_quotations(lines):
        bare = _debulleted(line).strip(_EDGE)
        start = 0
        for joint in _LAW_JOINT.finditer(bare):
            if balance_quotes(bare[start : joint.start()]):
                items.append(bare[start : joint.start()])
                start = joint.end()
        items.append(bare[start:])
    return _distinct(item.strip(_EDGE) for item in items)


def risk_ids(lines: Iterable[str]) -> list[str]:
    """The ids, whatever stands between them.

    >>> risk_ids(["`R01`, R02", "无"])
    ['R01', 'R02']
    """
    words = [
        word.strip("*_`\"'“”«»[]()（）【】.。#:：")
        for line in lines
        if not says_nothing(line)
        for word in _ID.findall(_debulleted(line))
    ]
    return _distinct(words)


def strip_quotes(item: str) -> str:
    """An item without the quotation marks around the whole of it.

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


def balance_quotes(text: str) -> bool:
    """Whether every quotation that opens in the text also closes.

    >>> balance_quotes("«a» “b”"), balance_quotes("“a; ")
    (True, False)
    """
    pairs = all(text.count(opening) == text.count(closing) for opening, closing in QUOTES[:4])
    return pairs and text.count('"') % 2 == 0


def _nested(inside: str, opening: str, closing: str) -> bool:
    """Whether the marks inside are pairs of their own, so that the outer two belong together."""
    if opening == closing:
        return opening not in inside
    depth = 0
    for character in inside:
        depth += (character == opening) - (character == closing)
        if depth < 0:
            return False
    return depth == 0


def _whole_quotations(lines: Iterable[str]) -> list[str]:
    """Lines, those of a quotation that goes on over a line break put together."""
    whole: list[str] = []
    for line in lines:
        if not line.strip():
            continue
        if whole and not balance_quotes(whole[-1]) and not balance_quotes(line):
            whole[-1] = join_lines(whole[-1], _debulleted(line).strip())
        else:
            whole.append(line)
    return whole


def join_lines(before: str, after: str) -> str:
    """Two lines as one: Chinese without a space between, other text with one."""
    chinese = re.search(f"[{HAN}，。；：、]$", before) and re.match(f"[{HAN}]", after)
    return f"{before}{'' if chinese else ' '}{after}"


def _debulleted(line: str) -> str:
    bare = line.strip()
    found = _BULLET.match(bare)
    return bare[found.end() :].rstrip("| ") if found else bare


def _title_level(title: str) -> Level | None:
    """``Risk: high`` and ``Risk: none`` state a level where nothing else does."""
    bare = title.strip(" *_.。`\"'“”")
    if bare and says_nothing(bare):
        return "low"
    return level_of_word(bare)


def _prose(lines: Sequence[str]) -> str:
    return "\n".join(line.strip() for line in lines if line.strip())


def _told(lines: Sequence[str]) -> str:
    text = _prose(lines)
    return "" if says_nothing(text) else text


def _distinct(items: Iterable[str]) -> list[str]:
    return [item for item in dict.fromkeys(items) if not says_nothing(item)]
