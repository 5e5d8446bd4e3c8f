"""A review written in Markdown, or in anything near it."""

import re
from typing import Final

from assay.scorers.evidence import simplified_han
from assay.scorers.risk.reply.label import PARTS, Part, fold_label
from assay.scorers.risk.reply.risk import Draft, Risk, balance_quotes

_NAMES: Final = "|".join(re.escape(name) for name in sorted(PARTS, key=len, reverse=True))
_ONE_LINE: Final = frozenset(("risk", "level"))
"""Parts of a single line: what follows it belongs to none."""
_FENCE: Final = re.compile(r"\s*(?:```|~~~)[\w-]*\s*$")
_RULE: Final = re.compile(r"\s*(?:[-*_=]\s*){3,}$|[\s|:-]+$")
_HEADING: Final = re.compile(r"\s*(?:>\s*)?#{1,6}(?!#)")
_LABEL: Final = re.compile(
    r"\s*(?P<lead>(?:[>|]\s*)*(?P<hash>#{1,6}\s*)?(?:[-*+•·▪]\s+)?"
    r"(?:\(?\d{1,2}[.)）、:]\s*|[（(]?[一二三四五六七八九十]{1,3}[）)、.]\s*|[①-⑳]\s*)?)"
    rf"(?P<bold>\*\*|__)?\s*(?P<bracket>[\[【])?\s*(?P<name>{_NAMES})"
    r"(?:\s*(?:\#|№|no\.?\s?)?\d{1,2}|[一二三四五六七八九十])?(?![^\W\d_])\s*(?:[(（][^()（）]{0,20}[)）]\s*)?"
    r"(?P<unbracket>[\]】])?(?P<inner>\s*[:：])?\s*(?P<unbold>\*\*|__)?(?P<outer>\s*(?:[:：|]))?"
    r"(?P<value>.*)",
    re.IGNORECASE | re.DOTALL,
)
_INLINE: Final = re.compile(
    rf"(?<=[。；;.!！])\s*(?=(?:\*\*)?(?:{_NAMES})\s*(?:\*\*)?\s*[:：])", re.IGNORECASE
)


def markdown_risks(text: str) -> tuple[list[Risk], list[str]]:
    r"""The risks of a reply, and notes on what stands outside every part.

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
            if not drafts or _begins_anew(part, drafts[-1]):
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
    risks = [risk for draft in drafts if (risk := draft.risk()) != Risk()]
    return risks, [f"outside every part: {_shown(line)}" for line in outside if line]


def _lines(text: str) -> list[str]:
    """Lines without code fences; a line of several parts is one for each."""
    lines: list[str] = []
    for line in text.splitlines():
        if _FENCE.match(line):
            continue
        if not line.strip():
            continue
        start = 0
        if _label(line) is not None:
            for inline in _INLINE.finditer(simplified_han(line)):
                before = line[start : inline.start()]
                if balance_quotes(before) and _label(before) is not None:
                    lines.append(before)
                    start = inline.end()
        lines.append(line[start:])
    return lines


def _label(line: str) -> tuple[Part, str] | None:
    """The part that a line begins and its value; ``None`` for any other line."""
    found = _LABEL.match(simplified_han(line))
    if found is None:
        return None
    value = line[slice(*found.span("value"))].strip()
    set_apart = found["inner"] or found["outer"]
    bold = found["bold"] and found["unbold"]
    bracketed = found["bracket"] and found["unbracket"]
    if not (set_apart or bold or bracketed or (found["hash"] and not value)):
        return None
    if found["bold"] and not found["unbold"]:
        value = value.removesuffix("**").removesuffix("__").strip()
    if found["lead"].lstrip("> ").startswith("|"):
        value = value.rstrip("| ")
    part = PARTS.get(fold_label(found["name"]))
    return (part, value.lstrip("-–— ") if bold and not set_apart else value) if part else None


def _begins_anew(part: Part, draft: Draft) -> bool:
    """Whether a part opens the next risk: a title does, and a second level."""
    return part == "risk" or (part == "level" and "level" in draft.lines)


def _shown(line: str) -> str:
    flat = " ".join(line.split())
    return repr(flat if len(flat) <= 80 else f"{flat[:80]}…")
