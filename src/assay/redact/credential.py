"""Values that only their label gives away: passwords, codes, cards, names in messengers.

"密码：abc12345" has nothing that a word has not, and a card number may be mistyped. What stands
right after such a label is a value, unless it is a length ("PIN: 4 digits") or a date.
"""

import re
from collections.abc import Iterator
from typing import Final

from assay.redact.context import card_words
from assay.redact.finding import Finding
from assay.redact.stem import matches_near
from assay.text.lexicon import alternatives

_OPEN: Final = "[\"'“‘«「(（]?"
_CLOSE: Final = "[\"'”’»」)）]?"
_IS: Final = alternatives("redact.is")
_SIGN: Final = rf"(?:[:：=]|{_IS}|[-–—](?=\s))"
_NOT_LENGTH: Final = rf"(?!\s?(?:{alternatives('redact.length')}))"
_PASSWORD: Final = re.compile(
    rf"(?i)(?:{alternatives('redact.password')}){_CLOSE}"
    rf"(?:(?:[ (（][^\s:：=]{{1,14}}){{1,3}}\s?(?=[:：=]))?"
    rf"\s{{0,3}}(?P<sign>{_SIGN})\s{{0,3}}{_OPEN}"
    rf"(?P<value>[A-Za-z0-9+/_.~!?@#$%^&*\-]{{4,200}}={{0,2}}){_NOT_LENGTH}"
)
# Several words are a password only where a program or a file gives them: password = "…", "password": "…".
_PASSPHRASE: Final = re.compile(
    rf"(?im)(?:{alternatives('redact.password')})"
    r"(?:(?:[\"'”’]\s{0,3}[:：=]|\s{0,3}=)\s{0,3}[\"'“‘](?P<value>[^\"'”’\r\n]{4,200})[\"'”’]"
    r"|\s{0,3}=\s{0,3}(?P<bare>[a-z]{2,20}(?: [a-z]{2,20}){2,9})\s*$)"
)
_CODE: Final = re.compile(
    rf"(?i)(?:{alternatives('redact.pin')}){_CLOSE}\s{{0,3}}(?:{_SIGN}|#)?\s{{0,3}}{_OPEN}"
    rf"(?P<value>[0-9]{{3,8}})(?![0-9A-Za-z]|[.,:/\-][0-9]){_NOT_LENGTH}"
)
_CARD: Final = re.compile(
    rf"(?i)(?:{alternatives('redact.card_number')}|{card_words('redact.card_number_word')}){_CLOSE}"
    rf"\s{{0,3}}(?:{_SIGN}|#|№|{alternatives('redact.number_word')})?\s{{0,3}}{_OPEN}"
    r"(?P<value>[0-9](?:[ \u00a0\-]?[0-9]){15,18})(?![0-9A-Za-z]|[.,][0-9])"
)
_NAME: Final = re.compile(
    rf"(?i)(?:{alternatives('redact.messenger')})"
    rf"(?:\s?(?P<named>{alternatives('redact.messenger_name')}))?{_CLOSE}"
    rf"\s{{0,3}}(?P<sign>{_SIGN})?\s{{0,3}}{_OPEN}"
    r"(?P<value>@?(?:live:)?[A-Za-z][A-Za-z0-9_.\-]{4,31})(?![A-Za-z0-9_@])"
)
_ACCOUNT: Final = re.compile(
    rf"(?i)(?:{alternatives('redact.messenger_number')}){_CLOSE}"
    rf"\s{{0,3}}(?:{_SIGN}|#)?\s{{0,3}}{_OPEN}(?P<value>[1-9][0-9]{{4,10}})(?![0-9A-Za-z.,%])"
)
_MIXED: Final = re.compile(r"(?=.*[A-Za-z]).*[0-9]")
_SHORTEST_MIXED: Final = 6
_LETTER: Final = re.compile("[^\\W\\d_]")


def find_passwords(text: str) -> Iterator[Finding]:
    """What stands after "password", "пароль" or "密码" and a sign, and is no word of a sentence."""
    yield from _find_phrases(text)
    for match in matches_near(_PASSWORD, text, "password", 0, 260, needs=_LETTER):
        value, is_dash = match["value"].rstrip(".!?"), match["sign"] in "-–—"
        is_mixed = len(value) >= _SHORTEST_MIXED and _MIXED.match(value) is not None
        if is_mixed or (value.isdigit() and not is_dash):
            start = match.start("value")
            yield Finding(start, start + len(value), "API_KEY", value)


def _find_phrases(text: str) -> Iterator[Finding]:
    """Passwords of several words: ``password = "correct horse battery staple"``."""
    for match in matches_near(_PASSPHRASE, text, "password", 0, 260, needs=_LETTER):
        group = "value" if match["value"] else "bare"
        if " " in match[group].strip():
            yield Finding(match.start(group), match.end(group), "API_KEY", match[group])


def find_codes(text: str) -> Iterator[Finding]:
    """Codes of cards and of messages: PIN, CVV, 验证码."""
    for match in matches_near(_CODE, text, "pin", 24, 60):
        yield _finding(match, "PIN")


def find_labelled_cards(text: str) -> Iterator[Finding]:
    """Numbers of 16 to 19 digits after a label of a card, whatever their check digit."""
    for match in matches_near(_CARD, text, "card_number", 24, 80):
        yield _finding(match, "CARD")


def find_messengers(text: str) -> Iterator[Finding]:
    """Names and numbers by which a person is found in a messenger."""
    for match in matches_near(_NAME, text, "messenger", 0, 80, needs=_LETTER):
        value = match["value"]
        has_sign = match["sign"] is not None or match["named"] is not None or value[0] == "@"
        if has_sign and (value[0] == "@" or re.search("[0-9_]", value)):
            yield _finding(match, "MESSENGER")
    for match in matches_near(_ACCOUNT, text, "messenger_number", 0, 40):
        yield _finding(match, "MESSENGER")


def _finding(match: re.Match[str], kind: str) -> Finding:
    return Finding(match.start("value"), match.end("value"), kind, match["value"])
