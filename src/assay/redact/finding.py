"""What was found: a stretch of text and the kind of value that it is."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from msgspec import Struct


class Finding(Struct, frozen=True, order=True):
    """The value of kind ``kind`` from ``start`` to ``end`` of a text."""

    start: int
    end: int
    kind: str
    value: str


Finder: TypeAlias = Callable[[str], Iterator[Finding]]
"""Finds the values of some kinds in a text."""

PRIORITY: Final = (
    "OWN",
    "PRIVATE_KEY",
    "URL",
    "API_KEY",
    "EMAIL",
    "IBAN",
    "USCC",
    "ID_NUMBER",
    "ACCOUNT",
    "SSN",
    "SNILS",
    "PASSPORT",
    "OGRN",
    "INN",
    "CARD",
    "PIN",
    "PHONE",
    "PLATE",
    "MESSENGER",
    "IP",
    "MAC",
    "BIRTH_DATE",
    "ADDRESS",
    "ORGANISATION",
    "PERSON",
)
"""All kinds. Where two findings overlap, the one whose kind comes first is kept."""

_RANK: Final = {kind: rank for rank, kind in enumerate(PRIORITY)}
_AS_LONG_AS_PHONES: Final = frozenset({"INN", "SNILS"})
"""Kinds whose digits may be those of a telephone without its prefix."""


def without_overlaps(findings: list[Finding]) -> list[Finding]:
    """The findings in the order of the text, each stretch only once.

    >>> phone, card = Finding(0, 11, "PHONE", "4000 000000"), Finding(0, 4, "CARD", "4000")
    >>> [finding.kind for finding in without_overlaps([phone, card])]
    ['CARD']
    """
    starts: list[int] = []
    ends: list[int] = []  # the stretches that are taken, in the order of the text
    kept: list[Finding] = []
    for finding in sorted(_outside_phones(findings), key=_order):
        at = bisect_left(ends, finding.start + 1)  # the first stretch that ends after the start
        if at == len(starts) or finding.end <= starts[at]:
            starts.insert(at, finding.start)
            ends.insert(at, finding.end)
            kept.append(finding)
    return sorted(kept)


def _order(finding: Finding) -> tuple[int, int]:
    """By rank, the longest first; nothing else is written with a + than a telephone."""
    is_sure = finding.kind == "PHONE" and "+" in finding.value[:2]
    return _RANK["IBAN" if is_sure else finding.kind], finding.start - finding.end


def _outside_phones(findings: list[Finding]) -> list[Finding]:
    """The findings without those that are only the end of a telephone: 8 916 123-45-67."""
    phones = [each for each in findings if each.kind == "PHONE"]
    if not phones or all(each.kind not in _AS_LONG_AS_PHONES for each in findings):
        return findings
    return [
        each
        for each in findings
        if each.kind not in _AS_LONG_AS_PHONES
        or not any(phone.start < each.start and each.end <= phone.end for phone in phones)
    ]
