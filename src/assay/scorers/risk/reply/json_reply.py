"""A review written as JSON: one object, a list of them, or an object that holds the list."""

import re
from typing import Any, Final

import msgspec

from assay.scorers.risk.reply.label import PARTS, RISK_LISTS, fold_label
from assay.scorers.risk.reply.risk import Draft, Risk

_FENCED: Final = re.compile(r"```(?:json\w*)?\s*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_DEEPEST: Final = 6


def json_risks(text: str) -> tuple[list[Risk], list[str]] | None:
    """The risks of a JSON reply and notes on keys that are no part; ``None`` if it is none.

    A list of risks that is empty says that there are none, which is a low risk.

    >>> risks, _ = json_risks('{"risk_level": "高", "evidence": ["每日百分之五"]}')
    >>> risks[0].level, risks[0].evidence
    ('high', ('每日百分之五',))
    >>> json_risks('{"risks": []}')[0][0].level
    'low'
    """
    for candidate in _candidates(text):
        value = _decoded(candidate)
        reader = _Reader()
        reader.read(value, 0)
        if reader.drafts:
            risks = [risk for draft in reader.drafts if (risk := draft.risk()) != Risk()]
            return risks, reader.notes
    return None


class _Reader:
    """Collects a draft for each object that has a part."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self.notes: list[str] = []

    def read(self, value: Any, depth: int) -> None:
        if depth > _DEEPEST:
            return
        if isinstance(value, list):
            for item in value:
                self.read(item, depth + 1)
        elif isinstance(value, dict):
            self._object(value, depth)

    def _object(self, value: dict[str, Any], depth: int) -> None:
        draft = Draft()
        nested: list[Any] = []
        unknown: list[str] = []
        for key, item in value.items():
            part = PARTS.get(fold_label(key))
            if fold_label(key) in RISK_LISTS and isinstance(item, list | dict):
                if item:
                    nested.append(item)
                else:
                    draft.add("level", "low")
            elif part is not None:
                for line in _texts(item):
                    draft.add(part, line)
                draft.lines.setdefault(part, [])
            elif isinstance(item, list | dict):
                nested.append(item)
            else:
                unknown.append(key)
        if draft.lines:
            self.drafts.append(draft)
        if draft.lines or nested:
            self.notes += [f"the key {key[:40]!r} is no part" for key in unknown]
        for item in nested:
            self.read(item, depth + 1)


def _texts(item: Any) -> list[str]:
    """A value as lines: a list has one for each item, an object for each of its texts."""
    if isinstance(item, str):
        return item.splitlines()
    if isinstance(item, list):
        return [line for one in item for line in _texts(one)]
    if isinstance(item, dict):
        return [": ".join(str(one) for one in item.values() if isinstance(one, str | int | float))]
    return [] if item is None else [str(item)]


def _candidates(text: str) -> list[str]:
    """Where JSON may stand: the whole reply, fenced, or from the first bracket to the last."""
    found = [text.strip(), *(match[1] for match in _FENCED.finditer(text))]
    for opening, closing in ("{}", "[]"):
        start, end = text.find(opening), text.rfind(closing)
        if 0 <= start < end:
            found.append(text[start : end + 1])
    return [one for one in found if one[:1] in {"{", "["} or one.lstrip()[:1] in {"{", "["}]


def _decoded(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
