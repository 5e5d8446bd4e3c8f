"""Number plates, network addresses, e-mail addresses, postal addresses and dates of birth."""

import ipaddress
import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from assay.redact.context import has_context, matches_near
from assay.redact.finding import Finding
from assay.text import CYRILLIC, HAN, dates
from assay.text.lexicon import alternatives, entry, word_list

_LATIN_DOMAIN: Final = r"(?:[A-Za-z0-9\-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9\-])"
_CYRILLIC_DOMAIN: Final = (
    rf"(?:[{CYRILLIC}\w\-]{{1,63}}\.){{1,8}}(?:{alternatives('redact.domain')})\b"
)
_DOMAIN: Final = re.compile(rf"{_LATIN_DOMAIN}|{_CYRILLIC_DOMAIN}")
_EMAIL: Final = re.compile(
    rf"(?<![A-Za-z0-9._%+\-])[A-Za-z0-9._%+\-]{{1,64}}@{_LATIN_DOMAIN}"
    rf"|(?<![\w.+\-])[{CYRILLIC}\w.+\-]{{1,64}}@{_CYRILLIC_DOMAIN}"
)
_IP4: Final = re.compile(r"[0-9](?<![\d.].)[0-9]{0,2}\.(?:[0-9]{1,3}\.){2}[0-9]{1,3}(?![\d]|\.\d)")
_IP6: Final = re.compile(
    r"(?<![0-9A-Fa-f:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![0-9A-Za-z:])"
)
_HEX_LETTER: Final = re.compile("[A-Fa-f]")
_COLONS: Final = re.compile(r":[0-9A-Fa-f]{0,4}:")
_MAC: Final = re.compile(
    r"[0-9A-Fa-f](?<![0-9A-Fa-f:\-].)[0-9A-Fa-f](?:([:\-])[0-9A-Fa-f]{2})(?:\1[0-9A-Fa-f]{2}){4}(?![0-9A-Fa-f:\-])"
)
_DOTTED_MAC: Final = re.compile(
    r"(?<![0-9A-Za-z.])[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4}){2}(?![0-9A-Za-z]|\.[0-9A-Za-z])"
)
_DOTS: Final = re.compile(r"\.[0-9A-Fa-f]{4}\.")
_IP_BEFORE: Final = re.compile(r"[0-9]\.[0-9]{1,3}, ?\Z")
_CHINESE_PLATE: Final = re.compile(
    r"[A-HJ-NP-Z][·•\-— ]?(?=[A-HJ-NP-Z0-9]{0,5}\d)[A-HJ-NP-Z0-9]{4,5}[A-HJ-NP-Z0-9挂学警港澳使领](?![A-Za-z0-9])"
)
"""A plate after the character of its province."""
_RUSSIAN_LETTERS: Final = frozenset("АВЕКМНОРСТУХABEKMHOPCTYX")
_RUSSIAN_PLATE: Final = re.compile(
    r"[0-9](?<!\d.)[0-9]{2} ?[АВЕКМНОРСТУХABEKMHOPCTYX]{2} ?\d{2,3}(?![А-Яа-яA-Za-z0-9])"
)
"""A plate after its first letter."""
_CHINESE_HOUSE: Final = re.compile(r"[号號](?<=[0-9一二三四五六七八九十百].)")
_OTHER_PLATE: Final = re.compile(
    r"(?<![A-Za-z0-9])(?=[A-Z0-9 \-]{0,8}\d)[A-Z0-9]{1,4}[ \-]?[A-Z0-9]{2,4}(?:[ \-]?[A-Z]{1,3})?(?![A-Za-z0-9])"
)


def find_emails(text: str) -> Iterator[Finding]:
    """E-mail addresses, also between Chinese characters."""
    end = 0
    while (at := text.find("@", end)) >= 0:
        domain = _DOMAIN.match(text, at + 1)
        match = domain and _EMAIL.search(text, max(end, at - 64), domain.end())
        end = at + 1
        if match:
            yield Finding(match.start(), match.end(), "EMAIL", match[0])
            end = match.end()


def find_network_addresses(text: str) -> Iterator[Finding]:
    """IP and MAC addresses. The number of a section, 4.3.2.1, is none."""
    if text.count(".") >= 3:
        for match in _IP4.finditer(text):
            if _is_ip4(text, match):
                yield Finding(match.start(), match.end(), "IP", match[0])
    yield from _find_macs(text)
    for colons in _COLONS.finditer(text):
        match_around = _IP6.search(text, max(0, colons.start() - 4), colons.end() + 40)
        if match_around and _is_ip6(match_around[0]):
            yield Finding(*match_around.span(), "IP", match_around[0])


def _find_macs(text: str) -> Iterator[Finding]:
    if text.count(":") >= 2 or text.count("-") >= 5:
        for match in _MAC.finditer(text):
            # 01-02-03-04-05-06 counts something
            if match[1] == ":" or _HEX_LETTER.search(match[0]) or "mac" in _near(text, match):
                yield _finding(text, *match.span(), "MAC")
    for dots in _DOTS.finditer(text):
        around = _DOTTED_MAC.search(text, max(0, dots.start() - 5), dots.end() + 5)
        if around and _HEX_LETTER.search(around[0]):
            yield _finding(text, *around.span(), "MAC")


def _is_ip4(text: str, match: re.Match[str]) -> bool:
    parts = [int(part) for part in match[0].split(".")]
    if max(parts) > 255 or any(part != "0" and part[0] == "0" for part in match[0].split(".")):
        return False
    if max(parts) > 31 or has_context(text, match.start(), "ip"):
        return True
    return _IP_BEFORE.search(text[max(0, match.start() - 6) : match.start()]) is not None


def _near(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - 16) : match.start()].lower()


def _is_ip6(value: str) -> bool:
    if len(value) < 6 or (value.count(":") < 3 and "::" not in value):
        return False
    try:
        ipaddress.IPv6Address(value)
    except ValueError:
        return False
    return any(letter.isdigit() for letter in value)


def find_plates(text: str) -> Iterator[Finding]:
    """Number plates of China and Russia by their form, others after a word for them."""
    for match in _CHINESE_PLATE.finditer(text):
        before = text[max(0, match.start() - 2) : match.start()]
        if before and (
            before[-1] in _provinces() or (before[-1] == " " and before[0] in _provinces())
        ):
            start = match.start() - (1 if before[-1] != " " else 2)
            yield _finding(text, start, match.end(), "PLATE")
    for match in _RUSSIAN_PLATE.finditer(text):
        if match.start() and text[match.start() - 1] in _RUSSIAN_LETTERS:
            yield _finding(text, match.start() - 1, match.end(), "PLATE")
        elif text[max(0, match.start() - 2) : match.start()][:1] in _RUSSIAN_LETTERS:
            yield _finding(text, match.start() - 2, match.end(), "PLATE")
    for word in matches_near(_plate_word(), text, _stems("plate"), 14, 34):
        match_after = _OTHER_PLATE.search(text, word.end(), word.end() + 24)
        if match_after and any(letter.isalpha() for letter in match_after[0]):
            yield _finding(text, *match_after.span(), "PLATE")


@cache
def _provinces() -> str:
    return str(entry("zh", "redact.plate_province"))


@cache
def _plate_word() -> re.Pattern[str]:
    return re.compile(alternatives("redact.plate"), re.IGNORECASE)


@cache
def _stems(name: str) -> tuple[str, ...]:
    return word_list(f"redact.{name}_stem")


def _finding(text: str, start: int, end: int, kind: str) -> Finding:
    return Finding(start, end, kind, text[start:end])


_YEAR_BEFORE: Final = re.compile(r"(?<![0-9./\-])[12][0-9]{3} ?\Z")
"""The word is about a year alone: 1986 г.р."""


def find_birth_dates(text: str) -> Iterator[Finding]:
    """Dates after (or, in Russian, before) a word about birth."""
    for word in matches_near(_birth_word(), text, _stems("birth"), 12, 20):
        start = max(0, word.start() - 30)
        has_year = _YEAR_BEFORE.search(text[start : word.start()]) is not None
        window = text[start : word.end() + 40]
        for found in dates(window):
            if found.day is None:  # a year alone identifies nobody
                continue
            at = start + found.start
            is_after = (
                not has_year
                and at >= word.end()
                and not re.search(r"[.。;；\n]\s", text[word.end() : at])
            )
            is_before = start + found.end <= word.start() <= start + found.end + 3
            if is_after or is_before:
                end = start + found.end
                yield Finding(at, end, "BIRTH_DATE", text[at:end])
                break


@cache
def _birth_word() -> re.Pattern[str]:
    return re.compile(alternatives("redact.birth"), re.IGNORECASE)


def find_postal_addresses(text: str) -> Iterator[Finding]:
    """Postal addresses by the words that their parts have in each language."""
    for house in _CHINESE_HOUSE.finditer(text):
        match = _chinese_address().search(text, max(0, house.start() - 46), house.end() + 30)
        if match and match.start() < house.start() < match.end():
            yield _finding(text, *match.span(), "ADDRESS")
    for match in matches_near(
        _russian_address(), text, _stems("street"), 140, 140, with_digit=True
    ):
        yield _finding(text, *match.span(), "ADDRESS")
    for match in _english_address().finditer(text):
        before = max(0, match.start() - 20)
        flat = _english_flat().search(text, before, match.start())
        start = flat.start() if flat else match.start()
        yield _finding(text, start, match.end(), "ADDRESS")


@cache
def _chinese_address() -> re.Pattern[str]:
    part = rf"[{HAN}]{{1,8}}?"
    province, district, street, house, flat, building = (
        alternatives(f"redact.{name}", "zh")
        for name in ("province", "district", "street", "house", "flat", "building")
    )
    number = r"[0-9０-９一二三四五六七八九十百]{1,6}(?:[\-－][0-9０-９]{1,4})?"
    return re.compile(
        rf"(?:[{HAN}]{{2,7}}?(?:{province}))?(?:{part}(?:{district})){{1,3}}"
        rf"(?:{part}(?:{street})){{1,3}}{number}(?:{house})(?:[{HAN}]{{1,8}}?(?:{building}))?"
        rf"(?:[0-9A-Za-z一二三四五六七八九十百\-]{{1,6}}(?:{flat})){{0,4}}(?:[0-9A-Za-z\-]{{1,6}}(?:{flat})?)?"
    )


@cache
def _russian_address() -> re.Pattern[str]:
    region, city, street, house, flat = (
        alternatives(f"redact.{name}", "ru")
        for name in ("region", "city", "street", "house", "flat")
    )
    word = r"[А-Яа-яЁё0-9.\-]{1,30}"
    name = rf"(?:\d{{1,3}}(?:-?[а-я]{{1,2}})? )?[А-ЯЁ]{word}(?: [А-ЯЁа-яё0-9]{word}){{0,2}}"
    place = rf"[А-ЯЁ][А-Яа-яЁё\-]{{2,30}}(?: [А-ЯЁ][а-яё\-]{{2,30}})?(?: (?:{region}))?, "
    return re.compile(
        rf"(?:\b\d{{6}},? )?(?:(?<!\w){place}){{0,3}}(?:(?<!\w)(?:{city}) ?{name},? )?"
        rf"(?:(?<!\w)(?:{street}) ?{name}|{name} (?:{street})(?!\w)),? ?"
        rf"(?:(?:{house}) ?)?\d{{1,4}}(?:/\d{{1,4}})? ?[А-Яа-я]?(?!\w)"
        rf"(?:,? ?(?:{flat}) ?(?:\d{{1,5}}[а-я]?|[А-Я](?!\w))){{0,4}}"
    )


@cache
def _english_address() -> re.Pattern[str]:
    street, flat = (alternatives(f"redact.{name}", "en") for name in ("street", "flat"))
    apart = r"(?:, ?\n?|\n)"
    code = r"(?: \d{5}(?:-\d{4})?| [A-Z]{1,2}\d[A-Z0-9]? \d[A-Z]{2})"
    return re.compile(
        rf"[0-9](?<![\w.].)[0-9]{{0,4}}[A-Za-z]? (?:[NSEW]\.? )?(?:[A-Z][A-Za-z'.\-]{{1,20}} ){{1,3}}(?i:{street})\b\.?"
        rf"(?:,? (?i:{flat}) ?[0-9A-Za-z\-]{{1,6}})?"
        rf"(?:{apart}[A-Z][A-Za-z.\-]{{1,20}}(?: [A-Z][A-Za-z.\-]{{1,20}})?(?:(?:, [A-Z]{{2}}|, [A-Z][a-z]+(?: [A-Z][a-z]+)?)?{code}\b|, [A-Z]{{2}}\b)"
        r"|, [A-Z][A-Za-z.\- ]{1,30}?\b)?"
    )


@cache
def _english_flat() -> re.Pattern[str]:
    """A flat that stands before the house."""
    flat = alternatives("redact.flat", "en")
    return re.compile(rf"\b(?i:{flat}) ?[0-9A-Za-z]{{1,5}},? \Z")
