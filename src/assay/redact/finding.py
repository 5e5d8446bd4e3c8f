"""What was found: a part of text and the kind of value that it is."""

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final, TypeAlias
from urllib.parse import unquote

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
    """The findings in the order of the text, each part only once.

    >>> phone, card = Finding(0, 11, "PHONE", "4000 000000"), Finding(0, 4, "CARD", "4000")
    >>> [finding.kind for finding in without_overlaps([phone, card])]
    ['CARD']
    """
    starts: list[int] = []
    ends: list[int] = []  # the parts that are taken, in the order of the text
    kept: list[Finding] = []
    for finding in sorted(_outside_phones(findings), key=_order):
        at = bisect_left(ends, finding.start + 1)  # the first part that ends after the start
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
    phones = sorted(each for each in findings if each.kind == "PHONE")
    if not phones or all(each.kind not in _AS_LONG_AS_PHONES for each in findings):
        return findings
    starts = [phone.start for phone in phones]
    ends = [0, *accumulate((phone.end for phone in phones), max)]
    return [
        each
        for each in findings
        if each.kind not in _AS_LONG_AS_PHONES or each.end > ends[bisect_left(starts, each.start)]
    ]


# A text with some parts replaced, in which values are found at their places in the text.

Replaced: TypeAlias = tuple[int, int, str]
"""A part from a start to an end, and what is read in its place."""


def found_in_view(
    text: str, replaced: Sequence[Replaced], find: Callable[[str], Iterable[Finding]]
) -> list[Finding]:
    """What ``find`` finds if the parts are replaced, with places and values of ``text``.

    >>> found_in_view("a - b", [(1, 4, "-")], lambda plain: [Finding(0, len(plain), "OWN", plain)])
    [Finding(start=0, end=5, kind='OWN', value='a - b')]
    """
    if not replaced:
        return list(find(text))
    parts: list[str] = []
    starts: list[int] = []  # where each replacement begins and ends in the plain text
    ends: list[int] = []
    at = length = 0
    for start, end, instead in replaced:
        parts += (text[at:start], instead)
        length += start - at
        starts.append(length)
        length += len(instead)
        ends.append(length)
        at = end
    parts.append(text[at:])

    def place(plain: int, passed: int) -> int:
        return plain if passed == 0 else replaced[passed - 1][1] + plain - ends[passed - 1]

    found: list[Finding] = []
    for each in find("".join(parts)):
        start = place(each.start, bisect_right(ends, each.start))
        end = place(each.end, bisect_left(starts, each.end))
        found.append(Finding(start, end, each.kind, text[start:end]))
    return found


# Text of scans and forms, with spaces where nobody writes any: ``( 206 ) 555 - 0136``.

_SIGNS: Final = (
    (("( ", " )"), re.compile(r"\( [0-9]|[0-9] \)")),
    (("  ",), re.compile(r"[0-9]  [0-9]")),
    ((" 1 ", " 0 "), re.compile(r"[0-9] [0-9] [0-9] [0-9] [0-9] ")),
    ((" . ", " , ", " @"), re.compile(r" [.,] | @[a-z0-9\-]+\.")),
)
"""What such a text has, most texts have none of it, and parts of it that are cheap to look for."""
_SPACED: Final = re.compile(
    r" (?=[).,](?:\s|$))|(?<=\() | (?=-\s[0-9])|(?<=[0-9] -) (?=[0-9])| (?= (?! ))"
)
_SPELT: Final = re.compile(r"(?<![0-9A-Za-z])[0-9](?: [0-9Xx]){9,}(?![0-9A-Za-z])")
_MAILBOX: Final = re.compile(
    r"[\w.+\-]*[\w+\-][._0-9][\w.+\-]*[\w] (?=@[A-Za-z0-9\-]+\.[A-Za-z]{2})"
)


def unusual_spaces(text: str) -> list[Replaced]:
    """The spaces that are left out to read the text as it is meant; none in most texts.

    >>> unusual_spaces("Tel ( 206 ) 555 - 0136")
    [(5, 6, ''), (9, 10, ''), (15, 16, ''), (17, 18, '')]
    >>> unusual_spaces("from 10 - 20 (see 3)")
    []
    """
    if not _has_signs(text):
        return []
    places = {match.start() for match in _SPACED.finditer(text)}
    for match in _SPELT.finditer(text):
        places.update(at for at in range(*match.span()) if text[at] == " ")
    places.update(match.end() - 1 for match in _MAILBOX.finditer(text))
    return [(at, at + 1, "") for at in sorted(places)]


def _has_signs(text: str) -> bool:
    return any(any(part in text for part in parts) and sign.search(text) for parts, sign in _SIGNS)


# Text with the escapes of JSON, read as what they stand for.
#
# A model's reply may be JSON itself: ``"\u7801110105197504033397"``. There the digits of an escape
# are beside those of the value, and a value may consist of escapes.

_ESCAPE: Final = re.compile(
    r'\\(?<!\\\\)\\*+(?:u[0-9A-Fa-f]{4}|[nrt"/])'
)  # several: JSON inside JSON
_LETTERS: Final = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "/": "/"}


def unescaped(text: str) -> str:
    r"""The text with what its escapes stand for.

    >>> unescaped(r"\u7535\u8bdd 138")
    '电话 138'
    """
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def found_between_escapes(text: str, find: Callable[[str], Iterable[Finding]]) -> list[Finding]:
    r"""What is found in the text without escapes, at its places in ``text``.

    >>> found_between_escapes(r"\u7535138", lambda plain: [Finding(1, len(plain), "PHONE", plain[1:])])
    [Finding(start=6, end=9, kind='PHONE', value='138')]
    """
    escapes = _ESCAPE.finditer(text) if "\\" in text else ()
    return found_in_view(text, [(*each.span(), _character(each)) for each in escapes], find)


def _character(match: re.Match[str]) -> str:
    name = match[0].lstrip("\\")
    return chr(int(name[1:], 16)) if name[0] == "u" else _LETTERS[name]


# Text with signs that nobody sees inside its values, with references of HTML and escapes of addresses.
#
# A zero-width space or a soft hyphen inside a telephone number, put there by a program that lays out
# pages, hides it from every pattern; so do ``&#64;`` and ``%40`` in place of ``@``.

_INVISIBLE: Final = "\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
_HIDDEN: Final = re.compile(
    f"[{_INVISIBLE}]+|&(?:#[0-9]{{1,7}}|#[xX][0-9A-Fa-f]{{1,6}}|[A-Za-z]{{2,24}});|(?:%[0-9A-Fa-f]{{2}})+"
)
_PERCENT: Final = re.compile("%[0-9A-Fa-f]{2}")


def hidden_signs(text: str) -> list[Replaced]:
    r"""The invisible signs, references and escapes, with what is read in their place.

    >>> hidden_signs("138\u200b1234 a&#64;b")
    [(3, 4, ''), (10, 15, '@')]
    """
    if not _may_have(text):
        return []
    return [(*match.span(), _read(match)) for match in _HIDDEN.finditer(text)]


def without_hidden(text: str) -> str:
    r"""The text as it is read.

    >>> without_hidden("anna\u00ad.petrova&#64;example.org")
    'anna.petrova@example.org'
    """
    return _HIDDEN.sub(_read, text) if _may_have(text) else text


def _may_have(text: str) -> bool:
    """Whether a closer look is worth its time; to look for single signs takes almost none."""
    if "&" in text and ";" in text:
        return True
    if "%" in text and _PERCENT.search(text):
        return True
    return not text.isascii() and any(sign in text for sign in _INVISIBLE)


def _read(match: re.Match[str]) -> str:
    if match[0][0] == "%":
        return unquote(match[0])
    read = html.unescape(match[0]) if match[0][0] == "&" else ""
    return "" if read in _INVISIBLE else read
