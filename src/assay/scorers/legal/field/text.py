"""Whether an answer gives the expected text: literally, reworded, or as the name of a party."""

import re
from collections.abc import Sequence
from typing import Final

from assay.scorers.legal.evidence import aligned, stands_in
from assay.scorers.legal.field.verdict import FieldVerdict
from assay.scorers.legal.stance import is_denied, reports_conflict
from assay.text import find_phrase, normalised

_ARTICLE: Final = re.compile(r"(?:the|a|an)\s+", re.IGNORECASE)
_DEFINED: Final = (
    # Ellery Hall Trust (the Client)
    re.compile(
        r"(?P<name>[A-Z][\w.&'-]*(?: (?:of |and )?[A-Z][\w.&'-]*)*) \((?:the|hereinafter) [\"“]?(?P<role>[A-Z]\w+)"
    ),
    # Claimant: Priya Hallam. Арендатор: ООО «Северная Смола»,
    re.compile(r"^(?P<role>[A-ZА-ЯЁ]\w+): (?P<name>[^.,\n]{3,60})[.,]", re.MULTILINE),
    # 甲方（委托方）：澜州砚湖冷链有限公司，
    re.compile(
        r"(?P<role>[\u4e00-\u9fff]{2,4})(?:（[^）]{1,8}）)?：(?P<name>[\u4e00-\u9fff]{2,20})(?=[，。\s])"
    ),
)


def text_verdict(text: str, expected: str, pages: Sequence[str] = ()) -> FieldVerdict:
    """Whether ``text`` says ``expected``.

    If ``expected`` is the role of a party, the name that the document defines for this role is
    accepted too, and the role is accepted for the name.

    >>> text_verdict("Ellery Trust provides it.", "the Client", ["Ellery Trust (the Client)"]).holds
    True
    >>> text_verdict("Not the Client.", "the Client").holds
    False
    """
    for wording in (expected, *_other_names(expected, pages)):
        span = find_phrase(_ARTICLE.sub("", wording), text)
        if span is None and not (stands_in(wording, text) or aligned(wording, text)):
            continue
        if span is not None and is_denied(text, span.start, span.end):
            return FieldVerdict(holds=False, why=f"“{wording}” is named only to be denied")
        if reports_conflict(text):
            return FieldVerdict(holds=False, why="several answers, none decided on")
        return FieldVerdict(holds=True, why=f"“{wording}” is said")
    return FieldVerdict(holds=False, why=f"“{expected}” is not said")


def _other_names(expected: str, pages: Sequence[str]) -> list[str]:
    """The names that the document defines for the role ``expected``, or the roles for the name."""
    expected_form = normalised(_ARTICLE.sub("", expected), fold_case=True)
    others = []
    for match in (m for pattern in _DEFINED for page in pages for m in pattern.finditer(page)):
        role, name = (normalised(match[group], fold_case=True) for group in ("role", "name"))
        if expected_form == role:
            others.append(match["name"])
        elif expected_form == name:
            others.append(match["role"])
    return others
