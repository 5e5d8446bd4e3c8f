"""E-mail, IP and MAC addresses."""

import ipaddress
import re
from collections.abc import Iterator
from typing import Final

from assay.redact.context import has_context
from assay.redact.finding import Finding
from assay.redact.stem import matches_near
from assay.text import CYRILLIC
from assay.text.lexicon import alternatives

_LATIN_DOMAIN: Final = r"(?:[A-Za-z0-9\-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9\-])"
_CYRILLIC_DOMAIN: Final = (
    rf"(?:[{CYRILLIC}\w\-]{{1,63}}\.){{1,8}}(?:{alternatives('redact.domain')})\b"
)
_DOMAIN: Final = re.compile(rf"{_LATIN_DOMAIN}|{_CYRILLIC_DOMAIN}")
_EMAIL: Final = re.compile(
    rf"(?<![A-Za-z0-9._%+\-])(?:[A-Za-z]['’])?[A-Za-z0-9._%+\-]{{1,64}}@{_LATIN_DOMAIN}"
    rf"|(?<![\w.+\-])[{CYRILLIC}\w.+\-]{{1,64}}@{_CYRILLIC_DOMAIN}"
)
_SPELT_EMAIL: Final = re.compile(
    r"(?i)(?<![a-z0-9._%+\-])[a-z0-9._+\-]{1,64}(?:%40| ?[\[(] ?at ?[\])] ?)"
    r"(?:[a-z0-9\-]{1,63}(?:\.| ?[\[(] ?(?:dot|\.) ?[\])] ?)){1,8}[a-z]{2,24}(?![a-z0-9\-])"
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
_MAC_PART: Final = re.compile(
    r"([:\-])(?=[0-9A-Fa-f]{2}\1[0-9A-Fa-f]{2}\1[0-9A-Fa-f]{2}\1)(?<![:\-]..\1)"
)
"""The first sign of one."""
_DOTTED_MAC: Final = re.compile(
    r"(?<![0-9A-Za-z.])[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4}){2}(?![0-9A-Za-z]|\.[0-9A-Za-z])"
)
_DOTS: Final = re.compile(r"\.[0-9A-Fa-f]{4}\.")
_BARE_MAC: Final = re.compile(r"(?<![0-9A-Za-z])[0-9A-Fa-f]{12}(?![0-9A-Za-z])")
_LOOPBACK: Final = 127
_PORT: Final = re.compile(r":[0-9]{2,5}(?![0-9:])")
_IP_BEFORE: Final = re.compile(r"[0-9]\.[0-9]{1,3}, ?\Z")


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


def find_spelt_emails(text: str) -> Iterator[Finding]:
    """E-mail addresses whose @ is written in another way: ``ann (at) mail.example``, ``ann%40mail.example``."""
    if "%40" in text or "at)" in text or "at]" in text or "AT]" in text or "AT)" in text:
        for match in _SPELT_EMAIL.finditer(text):
            yield Finding(match.start(), match.end(), "EMAIL", match[0])


def find_network_addresses(text: str) -> Iterator[Finding]:
    """IP and MAC addresses. The number of a section, 4.3.2.1, is none.

    The addresses that every computer has for itself, 127.0.0.1 and ::1, tell nothing about anybody.
    """
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
        for part in _MAC_PART.finditer(text):
            match = _MAC.match(text, max(0, part.start() - 2))
            if match and _is_mac(text, match):
                yield Finding(*match.span(), "MAC", match[0])
    for bare in matches_near(_BARE_MAC, text, "mac", 0, 40):
        if has_context(text, bare.start(), "mac"):
            yield Finding(*bare.span(), "MAC", bare[0])
    for dots in _DOTS.finditer(text):
        around = _DOTTED_MAC.search(text, max(0, dots.start() - 5), dots.end() + 5)
        if around and _HEX_LETTER.search(around[0]):
            yield Finding(*around.span(), "MAC", around[0])


def _is_mac(text: str, match: re.Match[str]) -> bool:
    """01-02-03-04-05-06 counts something."""
    return match[1] == ":" or bool(_HEX_LETTER.search(match[0])) or "mac" in _near(text, match)


def _is_ip4(text: str, match: re.Match[str]) -> bool:
    parts = [int(part) for part in match[0].split(".")]
    if max(parts) > 255 or any(part != "0" and part[0] == "0" for part in match[0].split(".")):
        return False
    if parts[0] == _LOOPBACK or not any(parts):
        return False
    if max(parts) > 31 or has_context(text, match.start(), "ip"):
        return True
    if _PORT.match(text, match.end()):
        return True
    return _IP_BEFORE.search(text[max(0, match.start() - 6) : match.start()]) is not None


def _near(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - 16) : match.start()].lower()


def _is_ip6(value: str) -> bool:
    if len(value) < 6 or (value.count(":") < 3 and "::" not in value):
        return False
    try:
        address = ipaddress.IPv6Address(value)
    except ValueError:
        return False
    return not address.is_loopback and any(letter.isdigit() for letter in value)
