"""Reads a review in Markdown or similar text."""

import re
from functools import cache
from typing import Final

from assay.scorers.risk.level import any_word, stated_level
from assay.scorers.risk.reply.label import Part, fold_label, parts
from assay.scorers.risk.reply.risk import Draft, Risk, has_balanced_quotes
from assay.scorers.risk.unread import OUTSIDE, excerpt
from assay.text import simplified

_ONE_LINE: Final = frozenset(("risk", "level"))
"""Parts that have a single line: the lines after it belong to no part."""
_FENCE: Final = re.compile(r"\s*(?:```|~~~)[\w-]*\s*$")
_RULE: Final = re.compile(r"\s*(?:[-*_=]\s*){3,}$|[\s|:-]+$")
_HEADING: Final = re.compile(r"\s*(?:>\s*)?#{1,6}(?!#)")


def _names() -> str:
    return "|".join(re.escape(name) for name in sorted(parts(), key=len, reverse=True))


@cache
def _label_pattern() -> re.Pattern[str]:
    return re.compile(
        r"\s*(?P<lead>(?:[>|]\s*)*(?P<hash>#{1,6}\s*)?(?:[-*+•·▪]\s+)?"
        r"(?:\(?\d{1,2}[.)）、:]\s*|[（(]?[一二三四五六七八九十]{1,3}[）)、.]\s*|[①-⑳]\s*)?)"
        rf"(?P<bold>\*\*|__)?\s*(?P<bracket>[\[【])?\s*(?P<name>{_names()})"
        r"(?:\s*(?:\#|№|no\.?\s?)?\d{1,2}|[一二三四五六七八九十])?(?![^\W\d_])\s*(?:[(（][^()（）]{0,20}[)）]\s*)?"
        r"(?P<unbracket>[\]】])?(?P<inner>\s*[:：])?\s*(?P<unbold>\*\*|__)?(?P<outer>\s*(?:[:：|]))?"
        r"(?P<value>.*)",
        re.IGNORECASE | re.DOTALL,
    )


@cache
def _inline_pattern() -> re.Pattern[str]:
    return re.compile(
        rf"(?<=[。；;.!！])\s*(?=(?:\*\*)?(?:{_names()})\s*(?:\*\*)?\s*[:：])", re.IGNORECASE
    )


def markdown_risks(text: str) -> tuple[list[Risk], list[str]]:
    r"""The risks of a reply, and notes about text that belongs to no part.

    >>> risks, notes = markdown_risks("# Review\n## Risk: penalty\n**Level:** High")
    >>> risks[0].title, risks[0].level, notes
    ('penalty', 'high', ["outside every part: 'Review'"])
    """
    drafts: list[Draft] = []
    part: Part | None = None
    outside: list[str] = []
    for line in _lines(text):
        label = _label(line)
        if label is not None:
            part, value = label
            if not drafts or _starts_next_risk(part, drafts[-1]):
                drafts.append(Draft())
            drafts[-1].add(part, value)
        elif _RULE.match(line):
            part = part if "|" in line else None
        elif _HEADING.match(line):
            part = None
            outside.append(line.strip(" #>"))
        elif part is None or (part in _ONE_LINE and any(drafts[-1].lines[part])):
            outside.append(line.strip())
        else:
            drafts[-1].add(part, line.strip())
    if not any("level" in draft.lines for draft in drafts):
        stated = [line for line in outside if is_verdict(line)]
        outside = [line for line in outside if line not in stated]
        drafts = drafts or [Draft()]
        for line in stated:
            drafts[-1].add("level", line)
    risks = [risk for draft in drafts if (risk := draft.risk()) != Risk()]
    return risks, [f"{OUTSIDE}{excerpt(line)}" for line in outside if line]


def is_verdict(line: str) -> bool:
    """Whether a line as a whole says of the clause how high its risk is.

    >>> is_verdict("该条款存在高风险。"), is_verdict("High"), is_verdict("高风险时应当修改")
    (True, False, False)
    """
    says_of_what = re.search(any_word("after"), simplified(line), re.IGNORECASE)
    return says_of_what is not None and stated_level(line) is not None


def _lines(text: str) -> list[str]:
    """The lines of a reply without code fences. A line with several parts is split."""
    lines: list[str] = []
    for line in text.splitlines():
        if _FENCE.match(line):
            continue
        if not line.strip():
            continue
        start = 0
        if _label(line) is not None:
            for inline in _inline_pattern().finditer(simplified(line)):
                before = line[start : inline.start()]
                if has_balanced_quotes(before) and _label(before) is not None:
                    lines.append(before)
                    start = inline.end()
        lines.append(line[start:])
    return lines


def _label(line: str) -> tuple[Part, str] | None:
    """The part that starts with this line, and its value; ``None`` if no part starts here."""
    match = _label_pattern().match(simplified(line))
    if match is None:
        return None
    value = line[slice(*match.span("value"))].strip()
    colon = match["inner"] or match["outer"]
    bold = match["bold"] and match["unbold"]
    bracketed = match["bracket"] and match["unbracket"]
    if not (colon or bold or bracketed or (match["hash"] and not value)):
        return None
    if match["bold"] and not match["unbold"]:
        value = value.removesuffix("**").removesuffix("__").strip()
    if match["lead"].lstrip("> ").startswith("|"):
        value = value.rstrip("| ")
    part = parts().get(fold_label(match["name"]))
    return (part, value.lstrip("-–— ") if bold and not colon else value) if part else None


def _starts_next_risk(part: Part, draft: Draft) -> bool:
    """Whether a part starts the next risk. A title does, and so does a second level."""
    return part == "risk" or (part == "level" and "level" in draft.lines)
