"""Keys, tokens and passwords in text: by the forms that providers use, and in addresses."""

import re
from collections.abc import Iterator
from typing import Final

from assay.redact.finding import Finding
from assay.redact.key_form import KEYS
from assay.redact.stem import has_stem, matches_near
from assay.text.lexicon import alternatives, word_list

_FORMS: Final = tuple(
    (literal, re.compile(rf"(?<![A-Za-z0-9_]){form}(?![A-Za-z0-9_])")) for literal, form in KEYS
)
_NAMED: Final = re.compile(
    r"(?i)(?:(?:api|access|account|private|signing|encryption|master|shared|storage|subscription|deploy|licen[cs]e|service|app|client)"
    r"[_ \-]?(?:access[_ \-]?)?key|secret(?:(?:[_ \-]?access)?[_ \-]?key)?|token|passw(?:or)?d|pwd|bearer"
    r"|authorization|" + "|".join(word_list("redact.secret")) + r")"
    r"[\"'”’]?(?:(?: [^\s:：=]{1,12}){1,2}[:：=]|\s{0,3}(?:[:：=]|"
    + alternatives("redact.is")
    + r")?)\s{0,3}(?:bearer\s+)?[\"'“‘]?"
    r"(?P<value>[A-Za-z0-9+/_.~!@#$%^&*\-]{8,200}={0,2})"
)
_PASSWORD: Final = re.compile(
    r"(?i)(?:passw(?:or)?d|" + "|".join(word_list("redact.secret")) + r")"
    r"(?: [^\W\d]{1,12}){1,2} (?P<value>[A-Za-z0-9+/_.~!@#$%^&*\-]{10,200})"
)
_HEADER: Final = re.compile(
    r"(?i)(?<![a-z0-9_])(?:proxy-)?authorization[\"'”’]?\s{0,3}[:：=]\s{0,3}[\"'“‘]?"
    r"(?:digest\s[^\r\n]{0,1000}?response=[\"']?|(?:basic|negotiate|ntlm|token|apikey|bearer)\s+)"
    r"(?P<value>[A-Za-z0-9+/_.~\-]{4,4000}={0,2})"
)
"""A header that says who asks: what follows the name of the scheme is a password or stands for one."""
_PLAIN_WORD: Final = re.compile("[A-Z]?[a-z]*[.]?")
"""What follows in a sentence: "authorization: basic rules"."""
_COOKIES: Final = re.compile(
    r"(?i)(?<![a-z0-9_])(?:set-)?cookie[\"'”’]?\s{0,3}[:：]\s{0,3}[\"'“‘]?"
    r"(?P<pairs>[!#$%&*+.^_`|~0-9a-z-]{1,64}=[^\r\n\"']{1,4000})"
)
_COOKIE: Final = re.compile(r"(?:^|;\s{0,3})(?P<name>[^=;\s]{1,64})=(?P<value>[^;\s,]{1,4000})")
_COOKIE_ATTRIBUTES: Final = frozenset(
    ("expires", "max-age", "domain", "path", "samesite", "priority", "version")
)
_ASSIGNED: Final = re.compile(r"[=：:]\s?[\"'“‘]?\Z")
_MIXED: Final = re.compile(r"(?=[^.]*[A-Za-z])[^.]*[0-9]")
_NOT_PROSE: Final = re.compile(r"[0-9+/_~@#$%^&*=]")
"""What a password or its introduction contains; most sentences about keys and secrets do not."""
_KEY_BEGINS: Final = re.compile(r"-----BEGIN (?P<name>[A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?)-----")
_LONGEST_KEY: Final = 20_000
_USER_PART: Final = re.compile(r"(?<=://)[^\s/@:?#\"'<>]{0,100}:[^\s/@?#\"'<>]{1,200}(?=@)")
_PARAMETER: Final = re.compile(
    r"(?i:[?&;#](?:[a-z_\-]{0,30}(?:key(?!word|board)|token|secret|passw(?:or)?d|pwd|signature|(?<![a-z])sign?(?![a-z])"
    r"|auth(?!ors?=)|code|session|(?<![a-z])sid(?![a-z])|ticket|(?<![a-z])otp|jwt|assertion|credential|hmac|invite|magic|nonce)"
    r"[a-z_\-]{0,30})=)(?P<value>[^\s&;#\"'<>)\u0080-\uffff]{4,2000})"
)
_PATH: Final = re.compile(
    r"(?i)(?<=://)[^\s\"'<>]{1,120}?/(?:services|webhooks?|hooks?|reset|verify|confirm|activate|invite|magic|unsubscribe|tokens?|bot)/"
    r"(?P<value>(?:[A-Z0-9_\-]{6,40}/){0,2}[A-Z0-9_\-]{16,200})"
)
"""A secret in the path of an address, after a word that says what it is for."""


def find_secrets(text: str) -> Iterator[Finding]:
    """Keys and tokens of providers, private keys, passwords with their names, secrets in URLs."""
    if has_stem(text, "key"):
        for literal, form in _FORMS:
            if literal in text:
                for match in form.finditer(text):
                    yield _finding(match, 0, "API_KEY")
    if "PRIVATE KEY" in text:
        yield from _find_private_keys(text)
    if "://" in text or ("?" in text and "=" in text):
        yield from _find_in_urls(text)
    yield from _find_in_headers(text)
    for form, names in ((_NAMED, "secret"), (_PASSWORD, "password")):
        for match in matches_near(form, text, names, 16, 260, needs=_NOT_PROSE):
            if _is_random(match["value"]) or _is_assigned(match):
                yield _finding(match, "value", "API_KEY")


def _find_in_headers(text: str) -> Iterator[Finding]:
    """What follows the scheme of a header of authorization, and the values of cookies."""
    lower = text.lower()
    if "authorization" in lower:
        for match in _HEADER.finditer(text):
            if not _PLAIN_WORD.fullmatch(match["value"]):
                yield _finding(match, "value", "API_KEY")
    if "cookie" in lower:
        for header in _COOKIES.finditer(text):
            start = header.start("pairs")
            for pair in _COOKIE.finditer(header["pairs"]):
                if pair["name"].lower() not in _COOKIE_ATTRIBUTES:
                    begin, end = (start + place for place in pair.span("value"))
                    yield Finding(begin, end, "API_KEY", pair["value"])


def _find_private_keys(text: str) -> Iterator[Finding]:
    """From the first line to the last one, or to the end of a text that was cut off."""
    end = 0
    for begin in _KEY_BEGINS.finditer(text):
        if begin.start() < end:
            continue
        last = f"-----END {begin['name']}-----"
        at = text.find(last, begin.end(), begin.end() + _LONGEST_KEY)
        end = at + len(last) if at >= 0 else min(len(text), begin.end() + _LONGEST_KEY)
        yield Finding(begin.start(), end, "PRIVATE_KEY", text[begin.start() : end])


def _find_in_urls(text: str) -> Iterator[Finding]:
    for match in _USER_PART.finditer(text):
        yield _finding(match, 0, "URL")
    for match in _PARAMETER.finditer(text):
        yield _finding(match, "value", "URL")
    for match in _PATH.finditer(text):
        if _is_random(match["value"]) and re.search("[0-9]", match["value"]):
            yield _finding(match, "value", "URL")


def _is_random(value: str) -> bool:
    """Whether a value after "password" or "token" is one and not the next word of a sentence.

    >>> _is_random("Tr0ub4dor&3"), _is_random("expires"), _is_random("2024-01-15")
    (True, False, False)
    """
    kinds = sum(
        bool(re.search(form, value)) for form in (r"[a-z]", r"[A-Z]", r"[0-9]", r"[^A-Za-z0-9.\-]")
    )
    return kinds >= 3 or (kinds >= 2 and bool(re.search(r"[0-9]", value)) and len(value) >= 10)


def _is_assigned(match: re.Match[str]) -> bool:
    """Whether a value with letters and digits stands after a sign: ``api_key=abcd1234``."""
    sign = match.string[match.start() : match.start("value")]
    return _ASSIGNED.search(sign) is not None and _MIXED.match(match["value"]) is not None


def _finding(match: re.Match[str], group: int | str, kind: str) -> Finding:
    return Finding(match.start(group), match.end(group), kind, match[group])
