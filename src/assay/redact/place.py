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
_COLONS: Final = re.compile(r":[0-9A-Fa-f]{0,4}:")
_MAC: Final = re.compile(
    r"[0-9A-Fa-f](?<![0-9A-Fa-f:\-].)[0-9A-Fa-f](?:([:\-])[0-9A-Fa-f]{2})(?:\1[0-9A-Fa-f]{2}){4}(?![0-9A-Fa-f:\-])"
)
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
    if text.count(":") >= 2 or text.count("-") >= 5:
        for match in _MAC.finditer(text):
            yield Finding(match.start(), match.end(), "MAC", match[0])
    for colons in _COLONS.finditer(text):
        match_around = _IP6.search(text, max(0, colons.start() - 4), colons.end() + 40)
        if match_around and _is_ip6(match_around[0]):
            yield Finding(*match_around.span(), "IP", match_around[0])


def _is_ip4(text: str, match: re.Match[str]) -> bool:
    parts = [int(part) for part in match[0].split(".")]
    if max(parts) > 255 or any(part != "0" and part[0] == "0" for part in match[0].split(".")):
        return False
    return max(parts) > 31 or has_context(text, match.start(), "ip")


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
        if match.start() and text[match.start() - 1] in _provinces():
            yield _finding(text, match.start() - 1, match.end(), "PLATE")
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


def find_birth_dates(text: str) -> Iterator[Finding]:
    """Dates after (or, in Russian, before) a word about birth."""
    for word in matches_near(_birth_word(), text, _stems("birth"), 12, 20):
        start = max(0, word.start() - 30)
        window = text[start : word.end() + 40]
        for found in dates(window):
            if found.day is None:  # a year alone identifies nobody
                continue
            at = start + found.start
            is_after = at >= word.end() and not re.search(r"[.。;；\n]\s", text[word.end() : at])
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
        yield _finding(text, *match.span(), "ADDRESS")


@cache
def _chinese_address() -> re.Pattern[str]:
    part = rf"[{HAN}]{{1,8}}?"
    province, district, street, house, flat = (
        alternatives(f"redact.{name}", "zh")
        for name in ("province", "district", "street", "house", "flat")
    )
    return re.compile(
        rf"(?:[{HAN}]{{2,7}}?(?:{province}))?(?:{part}(?:{district})){{1,3}}"
        rf"(?:{part}(?:{street})){{1,3}}[0-9０-９一二三四五六七八九十百]{{1,6}}(?:{house})"
        rf"(?:[0-9A-Za-z一二三四五六七八九十百\-]{{1,6}}(?:{flat})){{0,4}}(?:[0-9A-Za-z\-]{{1,6}}(?:{flat})?)?"
    )


@cache
def _russian_address() -> re.Pattern[str]:
    city, street, house, flat = (
        alternatives(f"redact.{name}", "ru") for name in ("city", "street", "house", "flat")
    )
    name = r"[А-ЯЁ0-9][А-Яа-яЁё0-9.\-]{1,30}(?: [А-ЯЁ0-9][А-Яа-яЁё.\-]{1,30}){0,2}"
    return re.compile(
        rf"(?:\b\d{{6}},? )?(?:(?<!\w)(?:{city}) ?{name},? )?"
        rf"(?:(?<!\w)(?:{street}) ?{name}|{name} (?:{street})(?!\w)),? ?"
        rf"(?:(?:{house}) ?)?\d{{1,4}}(?:/\d{{1,4}})? ?[А-Яа-я]?(?!\w)(?:,? ?(?:{flat}) ?\d{{1,5}}[а-я]?){{0,4}}"
    )


@cache
def _english_address() -> re.Pattern[str]:
    street, flat = (alternatives(f"redact.{name}", "en") for name in ("street", "flat"))
    return re.compile(
        rf"[0-9](?<![\w.].)[0-9]{{0,4}}[A-Za-z]? (?:[NSEW]\.? )?(?:[A-Z][A-Za-z'.\-]{{1,20}} ){{1,3}}(?i:{street})\b\.?"
        rf"(?:,? (?i:{flat}) ?[0-9A-Za-z\-]{{1,6}})?"
        r"(?:, [A-Z][A-Za-z.\- ]{1,30}?(?:, [A-Z]{2})?(?: \d{5}(?:-\d{4})?| [A-Z]{1,2}\d[A-Z0-9]? \d[A-Z]{2})?\b)?"
    )
