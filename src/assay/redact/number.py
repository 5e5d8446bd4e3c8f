"""Identity numbers, cards, accounts and registrations: numbers that a check digit confirms.

One check digit passes every tenth number. Such kinds therefore also need a word before them, an
issuer's first digits, or the grouping in which they are usually written.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

from msgspec import Struct

from assay.redact import checksum
from assay.redact.finding import Finding
from assay.redact.nearby_words import (
    column_heading,
    has_context,
    has_word_after,
    is_harmless,
    is_list_item,
)
from assay.redact.stem import matches_near
from assay.text.date import read_dates as dates
from assay.text.lexicon import alternatives, entry

_SEPARATOR: Final = re.compile(r"[ \u00a0\u2009\u202f\-–·.]")


class NumberKind(Struct, frozen=True, kw_only=True):
    """A kind of number.

    - ``form``: how it is written; separators are removed before ``check`` sees it.
    - ``digits``: the fewest digits that it has.
    - ``context``: the key of the words that may be before it.
    - ``grouping``: a form that confirms it without a word.
    - ``is_row``: its digits are in a row, without separators.
    - ``is_spaced``: a form with unusual spaces, which only a word confirms.
    - ``is_sure``: the check is strict enough to need neither.
    - ``is_always``: nor does a harmless word before it matter.
    - ``after``: an expression for what may be right before it instead of a word.
    """

    kind: str
    form: re.Pattern[str]
    check: Callable[[str], object]
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
        digits=20,
        kind="ACCOUNT",
        form=_form(r"[34]\d{3}(?:[ \u00a0\-]\d{4}){4}"),
        check=re.compile(rf"[34]\d{{4}}(?:{_CURRENCY})\d{{12}}").fullmatch,
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
_SSN: Final = _form(r"\d{9}")
_BY_DIGITS: Final = tuple(
    tuple(kind for kind in KINDS if digits >= kind.digits) for digits in range(21)
)
"""The kinds that a part of so many digits may contain."""
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
    """The numbers of ``KINDS`` between ``start`` and ``end``, a part that has many digits.

    ``last_ends`` says for each kind where its last number ended: the items of a list follow it. It
    is kept up here.
    """
    if end - start < 9:
        return
    part = text[start:end]
    if part.isdigit():
        kinds = _BY_LENGTH[len(part)] if len(part) < len(_BY_LENGTH) else ()
    else:
        kinds = _BY_DIGITS[min(sum(map(part.count, "0123456789")), 20)]
        if kinds and not _ROW.search(part):
            kinds = tuple(kind for kind in kinds if not kind.is_row)
    yield from _find(kinds, text, start, end, {} if last_ends is None else last_ends)


def find_passports(text: str) -> Iterator[Finding]:
    """Passports of Russia and China; they have no check digit, so a word must be before them."""
    end = -1
    for match in matches_near(_PASSPORT, text, "passport", 0, 200):
        if has_context(text, match.start(), "passport") or is_list_item(text, end, match.start()):
            end = match.end()
            yield Finding(match.start(), match.end(), "PASSPORT", match[0])


def find_ssns(text: str) -> Iterator[Finding]:
    """Social security numbers without separators, right after a word for one."""
    for match in matches_near(_SSN, text, "ssn", 0, 60):
        if checksum.is_ssn(match[0]) and has_context(text, match.start(), "ssn", near=32):
            yield Finding(match.start(), match.end(), "SSN", match[0])


def find_lettered(text: str, start: int, end: int) -> Iterator[Finding]:
    """The numbers of ``LETTERED`` between ``start`` and ``end``."""
    yield from _find(LETTERED, text, start, end, {})


def find_small_lettered(text: str, start: int, end: int) -> Iterator[Finding]:
    """The same if their letters are small."""
    part = text[start : end + 1]
    if len(part.upper()) == len(part):
        for each in _find(LETTERED, part.upper(), 0, len(part), {}):
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


# Dates of birth: dates beside a word about birth.

_YEAR_BEFORE: Final = re.compile(r"(?<![0-9./\-])[12][0-9]{3} ?\Z")
"""The word is about a year alone: 1986 г.р."""
_SHORT_DATE: Final = re.compile(
    r"(?<![0-9])(?:[0-9]{2}年[0-9]{1,2}月[0-9]{1,2}[日号]"
    r"|[0-3]?[0-9][ \-][A-Z][a-z]{2}[ \-][0-9]{2}|[0-3]?[0-9]([./\-])[01]?[0-9]\1[0-9]{2}|(?:19|20)[0-9]{2}[01][0-9][0-3][0-9])(?![0-9])"
)
"""Dates with two digits of the year or without separators, which only such a word makes dates."""
_SENTENCE_END: Final = re.compile(r"[。；]|[.;\n]\s")
_NEXT: Final = re.compile(r"[ ,(（\"«»]{0,3}")
_ANY: Final = re.compile("")
_LENGTH_WITH_YEAR: Final = 8
_LONGEST_TABLE: Final = 20_000
_LONGEST_DATE: Final = 40
_IN_TABLE: Final = re.compile(r"[,;|\t]")


def find_birth_dates(text: str) -> Iterator[Finding]:
    """Dates after or right before a word about birth, and right before the Chinese 生."""
    words = list(matches_near(_birth_word(), text, "birth", 16, 24, needs=_ANY))
    for word in words:
        start = max(0, word.start() - 30)
        has_year = _YEAR_BEFORE.search(text[start : word.start()]) is not None
        for begin, end in _dates(text[start : word.end() + 48]):
            at, stop = start + begin, start + end
            is_after = (
                not has_year and at >= word.end() and not _SENTENCE_END.search(text, word.end(), at)
            )
            is_before = (
                at < word.start()
                and stop <= word.end()
                and _NEXT.fullmatch(text, stop, max(stop, word.start()))
            )
            if is_after or is_before:
                yield Finding(at, stop, "BIRTH_DATE", text[at:stop])
                break
    yield from _find_in_columns(text, words)
    for word in matches_near(_word_after(), text, "born", 4, 4, needs=_ANY):
        start = max(0, word.start() - 14)
        for begin, end in _dates(text[start : word.start()]):
            if start + end == word.start():
                yield Finding(
                    start + begin, start + end, "BIRTH_DATE", text[start + begin : start + end]
                )
    for word in matches_near(_sign_before(), text, "born_sign", 2, 8):
        for begin, end in _dates(text[word.end() : word.end() + 20]):
            if begin == 0 and end >= _LENGTH_WITH_YEAR:
                at, stop = word.end(), word.end() + end
                yield Finding(at, stop, "BIRTH_DATE", text[at:stop])


def _find_in_columns(text: str, words: list[re.Match[str]]) -> Iterator[Finding]:
    """The dates below the words that are headings of columns; each line is searched once."""
    line_end = searched = 0
    for word in words:
        if word.start() < line_end:
            continue
        line_start = text.rfind("\n", line_end, word.start()) + 1 or line_end
        line_end = text.find("\n", word.end()) + 1 or len(text)
        if not _IN_TABLE.search(text, line_start, line_end):
            continue
        start = max(line_end - 1, searched - _LONGEST_DATE)
        searched = min(len(text), line_end + _LONGEST_TABLE)
        for begin, end in _dates(text[start:searched]):
            at, stop = start + begin, start + end
            if _birth_word().search(column_heading(text, at)):
                yield Finding(at, stop, "BIRTH_DATE", text[at:stop])


def _dates(text: str) -> list[tuple[int, int]]:
    """Where dates with a day are; a year alone identifies nobody."""
    places = [(found.start, found.end) for found in dates(text) if found.day is not None]
    if not places and "\n" in text:
        # a number at the start of the next line may look as if it belonged to the date
        places = [
            (start + found.start, start + found.end)
            for start, line in _lines(text)
            for found in dates(line)
            if found.day is not None
        ]
    for match in _SHORT_DATE.finditer(text):
        start, end = match.span()
        if not any(begin <= start and end <= stop for begin, stop in places):
            places = [each for each in places if each[1] <= start or end <= each[0]]
            places.append((start, end))
    return sorted(places)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text, each with its start."""
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, line
        start += len(line)


@cache
def _birth_word() -> re.Pattern[str]:
    return re.compile(alternatives("redact.birth"), re.IGNORECASE)


@cache
def _word_after() -> re.Pattern[str]:
    return re.compile(alternatives("redact.born"), re.IGNORECASE)


@cache
def _sign_before() -> re.Pattern[str]:
    return re.compile(alternatives("redact.born_sign"))


# Number plates of China and Russia by their form, others after a word for them.

_LATIN: Final = "A-HJ-NP-Za-hj-np-z"
_CHINESE: Final = re.compile(
    rf"[{entry('zh', 'redact.plate_province')}] ?[{_LATIN}][·•\-— ]?(?=[{_LATIN}0-9]{{0,5}}\d)"
    rf"[{_LATIN}0-9]{{4,5}}[{_LATIN}0-9挂学警港澳使领](?![A-Za-z0-9])"
)
_LETTERS: Final = "АВЕКМНОРСТУХABEKMHOPCTYX"
_SMALL: Final = "авекмнорстух"
_RUSSIAN_LETTERS: Final = frozenset(_LETTERS)
_SMALL_LETTERS: Final = frozenset(_SMALL)
_RUSSIAN: Final = re.compile(
    rf"[0-9](?<!\d.)[0-9]{{2}} ?(?:[{_LETTERS}]{{2}} ?|[{_SMALL}]{{2}} ?)\d{{2,3}}(?![А-Яа-яA-Za-z0-9])"
)
"""A plate after its first letter."""
_RUSSIAN_OTHER: Final = re.compile(
    rf"(?i:(?<![А-Яа-яЁёA-Za-z0-9])(?:[{_LETTERS}]{{2}} ?\d{{3,4}}|\d{{4}} ?[{_LETTERS}]{{2}}|[{_LETTERS}]{{2}} ?\d{{3}} ?[{_LETTERS}]|[{_LETTERS}] ?\d{{4}}) ?\d{{2,3}}(?![А-Яа-яA-Za-z0-9]))"
)
"""Plates of trailers, motorcycles, taxis, transit and police, which a word must introduce."""
_OTHER: Final = re.compile(
    r"(?<![A-Za-z0-9])(?=[A-Z0-9 \-]{0,8}\d)[A-Z0-9]{1,4}[ \-]?[A-Z0-9]{2,4}(?:[ \-]?[A-Z]{1,3})?(?![A-Za-z0-9])"
)


def find_plates(text: str) -> Iterator[Finding]:
    """Number plates of China and Russia by their form, others after a word for them."""
    for match in _CHINESE.finditer(text):
        yield _finding(text, *match.span())
    for match in _RUSSIAN.finditer(text):
        letters = _SMALL_LETTERS if match[0].strip("0123456789 ").islower() else _RUSSIAN_LETTERS
        before = text[max(0, match.start() - 3) : match.start()]
        if before[-1:] in letters and not before[-2:-1].isalpha():
            yield _finding(text, match.start() - 1, match.end())
        elif before[-2:-1] in letters and before[-1] == " " and not before[-3:-2].isalpha():
            yield _finding(text, match.start() - 2, match.end())
    for match in matches_near(_RUSSIAN_OTHER, text, "vehicle", 0, 60):
        if has_context(text, match.start(), "vehicle"):
            yield _finding(text, *match.span())
    for word in matches_near(_plate_word(), text, "plate", 14, 34):
        match_after = _OTHER.search(text, word.end(), word.end() + 24)
        if match_after and any(letter.isalpha() for letter in match_after[0]):
            yield _finding(text, *match_after.span())


@cache
def _plate_word() -> re.Pattern[str]:
    return re.compile(alternatives("redact.plate"), re.IGNORECASE)


def _finding(text: str, start: int, end: int) -> Finding:
    return Finding(start, end, "PLATE", text[start:end])
