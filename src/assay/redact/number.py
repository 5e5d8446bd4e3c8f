"""Identity numbers, cards, accounts and registrations: numbers that a check digit confirms.

One check digit passes every tenth number. Such kinds therefore also need a word before them, an
issuer's first digits, or the grouping in which they are usually written.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from assay.redact import checksum
from assay.redact.context import (
    has_context,
    has_word_after,
    is_harmless,
    is_list_item,
)
from assay.redact.finding import Finding
from assay.redact.stem import matches_near
from assay.text.lexicon import alternatives

_SEPARATOR: Final = re.compile(r"[ \u00a0\u2009\u202f\-–·.]")


class NumberKind(Struct, frozen=True, kw_only=True):
    """A kind of number.

    - ``form``: how it is written; separators are removed before ``check`` sees it.
    - ``digits``: the fewest digits that it has.
    - ``context``: the key of the words that may stand before it.
    - ``grouping``: a form that confirms it without a word.
    - ``is_row``: its digits stand in a row, without separators.
    - ``is_spaced``: a form with unusual spaces, which only a word confirms.
    - ``is_sure``: the check is strict enough to need neither.
    - ``is_always``: nor does a harmless word before it matter.
    - ``after``: an expression for what may stand right before it instead of a word.
    """

    kind: str
    form: re.Pattern[str]
    check: Callable[[str], bool]
    context: str
    digits: int
    grouping: re.Pattern[str] | None = None
    is_row: bool = False
    is_spaced: bool = False
    is_sure: bool = False
    is_always: bool = False
    after: re.Pattern[str] | None = None


_GAP: Final = r"[ \u00a0\u202f\-]?"
_AROUND: Final = r"(?<![0-9A-Za-z.])(?:{})(?![0-9A-Za-z])"


def _form(source: str) -> re.Pattern[str]:
    return re.compile(_AROUND.format(source))


_LEGAL_FORM: Final = re.compile(
    rf"(?<!\w)(?:{alternatives('redact.legal_form_before', 'ru')})\s[^\n;.0-9]{{2,70}}?[\s—–:,(\-|]{{1,4}}\Z"
)
"""An organisation right before its number: ООО «Ива» — 7707083893."""
_ORGANISATION_NEAR: Final = 80

_CURRENCY: Final = "810|643|840|978|156|826|756|392|398|933|974|051|944|417|972|860|949|784"
"""Currencies in accounts of Russian banks; 810 is the rouble."""

KINDS: Final = (
    NumberKind(
        digits=20,
        kind="ACCOUNT",
        form=_form(rf"[34]\d{{4}}{_GAP}(?:{_CURRENCY}){_GAP}\d{_GAP}\d{{4}}{_GAP}\d{{7}}"),
        check=str.isdigit,
        context="card",
        is_sure=True,
        is_always=True,
    ),
    NumberKind(
        digits=9,
        kind="SSN",
        form=_form(r"\d{3}[\- ]?\d{2}[\- ]?\d{4}"),
        check=checksum.is_ssn,
        context="ssn",
    ),
    NumberKind(
        digits=17,
        kind="ID_NUMBER",
        form=_form(
            rf"[1-9]\d{{5}}{_GAP}(?:18|19|20)\d{{2}}{_GAP}\d{{4}}{_GAP}\d{{3}}[\dXx]"
            r"|[1-9]\d{3} \d{4} \d{4} \d{4} \d[\dXx]"
        ),
        check=checksum.is_chinese_id,
        context="id_number",
        is_sure=True,
    ),
    NumberKind(
        digits=15,
        kind="ID_NUMBER",
        form=_form(r"[1-8]\d{14}"),
        is_row=True,
        check=checksum.is_old_chinese_id,
        context="id_number",
    ),
    NumberKind(
        digits=11,
        kind="SNILS",
        form=_form(r"\d{3}[\- ]?\d{3}[\- ]?\d{3}[\- ]?\d{2}"),
        check=checksum.is_snils,
        context="snils",
        grouping=re.compile(r"\d{3}([- ])\d{3}\1\d{3}[ \-]\d{2}"),
    ),
    NumberKind(
        digits=13,
        kind="OGRN",
        form=_form(r"[1-9]\d{12}(?:\d\d)?"),
        is_row=True,
        check=checksum.is_ogrn,
        context="ogrn",
        after=_LEGAL_FORM,
    ),
    NumberKind(
        digits=10,
        kind="INN",
        form=_form(r"\d{10}(?:\d\d)?"),
        is_row=True,
        check=checksum.is_inn,
        context="inn",
        after=_LEGAL_FORM,
    ),
    NumberKind(
        digits=13,
        kind="OGRN",
        form=_form(r"[1-9](?:[ \-]?\d){12}(?:(?:[ \-]?\d){2})?"),
        check=checksum.is_ogrn,
        context="ogrn",
        is_spaced=True,
    ),
    NumberKind(
        digits=10,
        kind="INN",
        form=_form(r"\d(?:[ \-]?\d){9}(?:(?:[ \-]?\d){2})?"),
        check=checksum.is_inn,
        context="inn",
        is_spaced=True,
    ),
    NumberKind(
        digits=16,
        kind="CARD",
        form=_form(rf"\d{{4}}(?:{_GAP}\d{{4}}){{3}}"),
        check=checksum.is_card,
        context="card",
        is_sure=True,
    ),
    NumberKind(
        digits=13,
        kind="CARD",
        form=_form(
            rf"\d{{4}}(?:{_GAP}\d{{4}}){{2}}{_GAP}\d{{1,4}}(?:{_GAP}\d{{1,3}})?|3[47]\d\d{_GAP}\d{{6}}{_GAP}\d{{5}}|3[0689]\d\d{_GAP}\d{{6}}{_GAP}\d{{4}}"
        ),
        check=checksum.is_card,
        context="card",
        is_sure=True,
    ),
    NumberKind(
        digits=13,
        kind="CARD",
        form=_form(rf"\d{{4}}(?:{_GAP}\d{{4}}){{2}}{_GAP}\d{{1,4}}(?:{_GAP}\d{{1,3}})?"),
        check=checksum.has_luhn_digit,
        context="card",
        grouping=re.compile(r"\d{4} \d{4} \d{4} \d{4}(?: \d{3})?"),
    ),
)
"""The kinds that consist of digits."""

_NUMBER_WORD: Final = alternatives("redact.number_word")
_PASSPORT: Final = _form(
    rf"\d{{2}} ?\d{{2}}[ ,\-]{{0,2}}(?:{_NUMBER_WORD}|N)? ?\d{{6}}"
    rf"|\d{{2}} ?(?:{_NUMBER_WORD})? ?\d{{7}}|[EGDSPHM][A-Z]? ?\d{{7,8}}"
)
_BY_DIGITS: Final = tuple(
    tuple(kind for kind in KINDS if digits >= kind.digits) for digits in range(21)
)
"""The kinds that a stretch of so many digits may contain."""
_PLUS_BEFORE: Final = re.compile(r"\+[0-9]{0,3}[ \u00a0\u202f(\-]{0,3}\Z")
_ROW: Final = re.compile("[0-9]{10}")
_BY_LENGTH: Final = tuple(
    tuple(
        kind
        for kind in KINDS
        if not kind.is_spaced
        and (
            any(kind.form.fullmatch(digit * length) for digit in "12")
            or kind.form.fullmatch(f"110101{'1990' * 3}"[:length])
            or kind.form.fullmatch(f"40817810{'1' * 12}"[:length])
        )
    )
    for length in range(21)
)
"""The kinds that so many digits in a row may be."""

LETTERED: Final = (
    NumberKind(
        digits=8,
        kind="USCC",
        form=_form(r"[1-9A-HJ-NPQRTUWXY][1-59A][0-9]{6}[0-9A-HJ-NPQRTUWXY]{10}"),
        check=checksum.is_uscc,
        context="uscc",
        is_sure=True,
    ),
    NumberKind(
        digits=8,
        kind="USCC",
        form=_form(
            r"[1-9A-HJ-NPQRTUWXY][ \-]?[1-59A](?:[ \-]?[0-9]){6}(?:[ \-]?[0-9A-HJ-NPQRTUWXY]){10}"
        ),
        check=checksum.is_uscc,
        context="uscc",
        is_spaced=True,
    ),
    NumberKind(
        digits=10,
        kind="IBAN",
        form=_form(r"[A-Z]{2}\d{2}(?:[ \-]?[A-Z0-9]{4}){2,7}(?:[ \-]?[A-Z0-9]{1,3})?"),
        check=checksum.is_iban,
        context="card",
        is_sure=True,
        is_always=True,
    ),
)
"""The kinds that contain letters as well."""


def find_numbers(
    text: str, start: int, end: int, last_ends: dict[str, int] | None = None
) -> Iterator[Finding]:
    """The numbers of ``KINDS`` between ``start`` and ``end``, a stretch that has many digits.

    ``last_ends`` says for each kind where its last number ended: the items of a list follow it. It
    is kept up here.
    """
    if end - start < 9:
        return
    stretch = text[start:end]
    if stretch.isdigit():
        kinds = _BY_LENGTH[len(stretch)] if len(stretch) < len(_BY_LENGTH) else ()
    else:
        kinds = _BY_DIGITS[min(sum(map(stretch.count, "0123456789")), 20)]
        if kinds and not _ROW.search(stretch):
            kinds = tuple(kind for kind in kinds if not kind.is_row)
    yield from _find(kinds, text, start, end, {} if last_ends is None else last_ends)


def find_passports(text: str) -> Iterator[Finding]:
    """Passports of Russia and China; they have no check digit, so a word must stand before them."""
    end = -1
    for match in matches_near(_PASSPORT, text, "passport", 0, 200):
        if has_context(text, match.start(), "passport") or is_list_item(text, end, match.start()):
            end = match.end()
            yield Finding(match.start(), match.end(), "PASSPORT", match[0])


def find_lettered(text: str, start: int, end: int) -> Iterator[Finding]:
    """The numbers of ``LETTERED`` between ``start`` and ``end``."""
    yield from _find(LETTERED, text, start, end, {})


def find_small_lettered(text: str, start: int, end: int) -> Iterator[Finding]:
    """The same if their letters are small."""
    stretch = text[start : end + 1]
    if len(stretch.upper()) == len(stretch):
        for each in _find(LETTERED, stretch.upper(), 0, len(stretch), {}):
            place = start + each.start, start + each.end
            yield Finding(*place, each.kind, text[slice(*place)])


def _find(
    kinds: tuple[NumberKind, ...], text: str, start: int, end: int, last_ends: dict[str, int]
) -> Iterator[Finding]:
    for kind in kinds:
        for match in kind.form.finditer(text, start, end + 1):  # a letter after it counts too
            if _is_one(kind, text, match, last_ends.get(kind.kind, -1)):
                last_ends[kind.kind] = match.end()
                yield Finding(match.start(), match.end(), kind.kind, match[0])


def _is_one(kind: NumberKind, text: str, match: re.Match[str], last_end: int) -> bool:
    value = match[0] if match[0].isdigit() else _SEPARATOR.sub("", match[0]).upper()
    if not kind.check(value):
        return False
    start, end = match.span()
    if kind.is_always:
        return True
    if _PLUS_BEFORE.search(text, max(0, start - 8), start):  # the end of a telephone
        return False
    if has_context(text, start, kind.context, rival="phone"):
        return True
    if has_word_after(text, end, kind.context):
        return True
    if kind.is_spaced or is_harmless(text, start, end):
        return False
    return (
        kind.is_sure
        or (kind.grouping is not None and kind.grouping.fullmatch(match[0]) is not None)
        or is_list_item(text, last_end, start)
        or (
            kind.after is not None
            and kind.after.search(text[max(0, start - _ORGANISATION_NEAR) : start]) is not None
        )
    )
