"""Reads a review in JSON: one object, a list of objects, or an object that contains the list."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from msgspec import Struct

from assay.jobs.contract.level import (
    Level,
    Part,
    any_word,
    fold_label,
    highest_level,
    parts,
    says_several,
    stated_level,
)
from assay.jobs.contract.risk import Risk, RiskDraft, has_balanced_quotes
from assay.text.language import simplified
from assay.text.lexicon import word_set
from assay.text.thought import scored_text

# Which notes about unread text of a reply say that a part of it was not read.
#
# A reader of the rates must know about such parts: a quotation in them is not checked. A greeting or
# a title without a text is none, nor is a reply without a verdict, which is counted as unparsed.

OUTSIDE: Final = "outside every part: "
"""How a note on a line begins that belongs to no part."""
KEY: Final = "the key "
"""How a note on an unknown key of a JSON reply begins."""

_LABELLED: Final = re.compile(r"[*_#>\s-]*[^:：]{1,40}[:：][\s*_]*[^\s*_]")
_QUOTED: Final = re.compile(r"[«“„「『][^«“„「『]{4,}")
_KEY_WITH_TEXT: Final = re.compile(rf"{KEY}.+ is no part: ")
_LONGEST: Final = 80


def excerpt(text: str) -> str:
    """The beginning of a text on one line, in quotation marks."""
    line = " ".join(text.split())
    return repr(line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…")


def unread_part(note: str) -> str | None:
    """The text of a part that was not read; ``None`` if the note is about something else.

    >>> unread_part("outside every part: '原文依据：「甲方应当赔偿」'")
    '原文依据：「甲方应当赔偿」'
    >>> unread_part("outside every part: 'Review'"), unread_part("no level is stated")
    (None, None)
    """
    if _KEY_WITH_TEXT.match(note):
        return note.removeprefix(KEY).replace(" is no part", "", 1)
    text = note.removeprefix(OUTSIDE)[1:-1]
    if not note.startswith(OUTSIDE) or not (_LABELLED.match(text) or _QUOTED.search(text)):
        return None
    return text


_FENCED: Final = re.compile(r"```(?:json\w*)?\s*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_MAX_DEPTH: Final = 6
_SHORTEST_TEXT: Final = 8
"""A shorter text under an unknown key is a name or a code."""


class _Pairs(list[tuple[str, Any]]):
    """The keys and values of an object in order; a key can be there twice."""


def json_risks(text: str) -> tuple[list[Risk], list[str]] | None:
    """The risks of a JSON reply, and notes about unknown keys.

    Returns ``None`` if the reply contains no JSON object with a part of a risk. An empty list of
    risks means that there is no risk, and is read as a low level if no level is stated. The values of a
    repeated key are all read, and the key is noted.

    >>> risks, _ = json_risks('{"risk_level": "高", "evidence": ["每日百分之五"]}')
    >>> risks[0].level, risks[0].evidence
    ('high', ('每日百分之五',))
    >>> json_risks('{"risks": []}')[0][0].level
    'low'
    """
    for candidate in _candidates(text):
        value = _decode(candidate)
        reader = _Reader()
        reader.read(value, 0)
        if reader.drafts:
            risks = [risk for draft in reader.drafts if (risk := draft.risk()) != Risk()]
            return risks, reader.notes
    return None


class _Reader:
    """Collects a draft for each object that contains a part of a risk."""

    def __init__(self) -> None:
        self.drafts: list[RiskDraft] = []
        self.notes: list[str] = []

    def read(self, value: Any, depth: int) -> None:
        if depth > _MAX_DEPTH:
            return
        if isinstance(value, _Pairs):
            self._read_object(value, depth)
        elif isinstance(value, list):
            for item in value:
                self.read(item, depth + 1)

    def _read_object(self, pairs: _Pairs, depth: int) -> None:
        draft = RiskDraft()
        nested: list[Any] = []
        unknown: list[tuple[str, Any]] = []
        says_none = False
        for key, item in pairs:
            part = parts().get(fold_label(key))
            if fold_label(key) in word_set("review_list") and isinstance(item, list):
                says_none |= not item
                nested += [item] if item else []
            elif part is not None:
                for line in _texts(item):
                    draft.add(part, line)
                draft.lines.setdefault(part, [])
            elif isinstance(item, list):
                nested.append(item)
            else:
                unknown.append((key, item))
        if says_none and not draft.lines.get("level"):
            draft.add("level", "low")
        if draft.lines:
            self.drafts.append(draft)
        if draft.lines or nested:
            self.notes += [_unknown_note(key, item) for key, item in unknown]
        self.notes += [f"{KEY}{key[:40]!r} is repeated" for key in _repeated(pairs)]
        for item in nested:
            self.read(item, depth + 1)


def _repeated(pairs: _Pairs) -> list[str]:
    """The keys that an object has more than once."""
    counts = Counter(key for key, _ in pairs)
    return [key for key, count in counts.items() if count > 1]


def _unknown_note(key: str, item: Any) -> str:
    """The note on a key that is no part, with its text if it is long enough to quote something."""
    note = f"{KEY}{key[:40]!r} is no part"
    is_text = isinstance(item, str) and len(item) >= _SHORTEST_TEXT
    return f"{note}: {excerpt(item)}" if is_text else note


def _texts(item: Any) -> list[str]:
    """The lines of a value: of a text, of all items of a list, or one line for an object."""
    if isinstance(item, str):
        return item.splitlines()
    if isinstance(item, _Pairs):
        return [": ".join(str(value) for _, value in item if isinstance(value, str | int | float))]
    if isinstance(item, list):
        return [line for element in item for line in _texts(element)]
    return [] if item is None else [str(item)]


def _candidates(text: str) -> list[str]:
    """Texts that may be JSON: the complete reply, code blocks, from first to last bracket."""
    pieces = [text.strip(), *(match[1] for match in _FENCED.finditer(text))]
    for opening, closing in ("{}", "[]"):
        start, end = text.find(opening), text.rfind(closing)
        if 0 <= start < end:
            pieces.append(text[start : end + 1])
    return [
        piece for piece in pieces if piece[:1] in {"{", "["} or piece.lstrip()[:1] in {"{", "["}
    ]


def _decode(text: str) -> Any:
    """The value of a text in JSON; ``None`` if it is none. An object becomes its ``_Pairs``."""
    try:
        return json.loads(text, object_pairs_hook=_Pairs, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> None:
    """Refuse NaN and Infinity, which are not JSON."""
    raise ValueError(constant)


# Reads a review in Markdown or similar text.

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
    drafts: list[RiskDraft] = []
    part: Part | None = None
    outside: list[str] = []
    for line in _lines(text):
        label = _label(line)
        if label is not None:
            part, value = label
            if not drafts or _starts_next_risk(part, drafts[-1]):
                drafts.append(RiskDraft())
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
        drafts = drafts or [RiskDraft()]
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


def _starts_next_risk(part: Part, draft: RiskDraft) -> bool:
    """Whether a part starts the next risk. A title does, and so does a second level."""
    return part == "risk" or (part == "level" and "level" in draft.lines)


# A tolerant parser for a reviewer's reply: Markdown or JSON in three languages.
#
# Parts are recognised by their names at the beginning of a line (``## 风险：…``,
# ``- **Level**: …``, ``Рекомендация: …``) or, in JSON, by their keys. A level is taken only from a
# part that states it, never from prose. ``unread`` describes everything that could not be parsed.


class ParsedReview(Struct, frozen=True, kw_only=True):
    """All risks of a reply, and notes about the text that could not be parsed."""

    risks: tuple[Risk, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def risk_level(self) -> Level | None:
        """The verdict on the clause: the highest level of its risks.

        ``None`` (unparsed) if no level is stated. Also ``None`` if one of the stated levels is
        unknown, because it might be the highest one, unless another level is high.
        """
        level = highest_level([risk.level for risk in self.risks if risk.level])
        uncertain = any(risk.level_written for risk in self.risks)
        return level if level == "high" or not uncertain else None

    @property
    def parsed(self) -> bool:
        """Whether the reply has a verdict."""
        return self.risk_level is not None

    @property
    def evidence(self) -> list[str]:
        """All quotations, without repetitions."""
        return _distinct(item for risk in self.risks for item in risk.evidence)

    @property
    def laws(self) -> list[str]:
        """All cited laws with the text quoted from them, without repetitions."""
        return _distinct(item for risk in self.risks for item in risk.laws)

    @property
    def risk_ids(self) -> list[str]:
        """All risk ids, without repetitions."""
        return _distinct(item for risk in self.risks for item in risk.risk_ids)

    @property
    def reports_rules(self) -> bool:
        """Whether the reply names a risk id, or says that there is none."""
        return any(risk.risk_ids or risk.names_no_rule for risk in self.risks)

    @property
    def analysis(self) -> str:
        """The analyses of all risks, separated by line breaks; empty if there are none."""
        return "\n".join(risk.analysis for risk in self.risks if risk.analysis)

    @property
    def suggestion(self) -> str:
        """The suggestions for all risks, separated by line breaks; empty if there are none."""
        return "\n".join(risk.suggestion for risk in self.risks if risk.suggestion)

    @property
    def suggests_nothing(self) -> bool:
        """Whether a risk says that there is nothing to suggest, and none makes a suggestion."""
        return not self.suggestion and any(risk.suggests_nothing for risk in self.risks)


def parse_review(reply: str) -> ParsedReview:
    r"""Parse a reply. Never raises: text that cannot be parsed is reported in ``unread``.

    >>> review = parse_review("## 风险：违约金过高\n- **等级**：高\n- **证据**：“每日百分之五”")
    >>> review.risk_level, review.evidence, review.risks[0].title
    ('high', ['每日百分之五'], '违约金过高')
    >>> parse_review("低风险时无需修改。").risk_level is None
    True
    """
    text = scored_text(reply)
    from_json = json_risks(text)
    risks, unread = from_json if from_json is not None else markdown_risks(text)
    notes = [
        *unread,
        *(_level_note(risk.level_written) for risk in risks if risk.level_written),
    ]
    review = ParsedReview(risks=tuple(risks))
    if review.risk_level is None:
        notes.append("no level is stated" if not notes else "no verdict")
    return ParsedReview(risks=review.risks, unread=tuple(_distinct(notes)))


def _level_note(written: str) -> str:
    said = "names more than one" if says_several(written) else "is none of high, medium, low"
    return f"the level {excerpt(written)} {said}"


def _distinct(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))
