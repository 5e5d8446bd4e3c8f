"""Reads a review in JSON: one object, a list of objects, or an object that contains the list."""

import json
import re
from collections import Counter
from typing import Any, Final

from assay.scorers.risk.reply.label import fold_label, parts
from assay.scorers.risk.reply.risk import Draft, Risk
from assay.scorers.risk.unread import KEY, excerpt
from assay.text.lists import word_set

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
        self.drafts: list[Draft] = []
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
        draft = Draft()
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
