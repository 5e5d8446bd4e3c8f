"""E-mail, IP and MAC addresses."""

import ipaddress
import re
from collections.abc import Iterator
from typing import Final

from assay.redact.error_text import KEYS
from assay.redact.finding import Finding
from assay.redact.nearby_words import card_words, has_context
from assay.redact.stem import has_stem, matches_near
from assay.text.character import CYRILLIC
from assay.text.lexicon import alternatives, word_list

# Keys, tokens and passwords in text: by the forms that providers use, and in addresses.

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
_LOGIN: Final = re.compile(
    r"(?<![\w\-])(?:curl(?:\.exe)?\b[^\n|;]{0,400}?\s(?:-[a-zA-Z]{0,4}[uU]\s{0,3}|--(?:proxy-)?user[ =]\s{0,2})"
    r"|https?\s[^\n|;:]{0,200}?\s?(?:-a\s{1,3}|--auth[ =]))"
    r"(?:(?P<value>[^\s:\"'=-][^\s:\"']{0,100}:[^\s\"']{1,200})|[\"'](?P<quoted>[^\s:\"'][^:\"'\n]{0,100}:[^\"'\n]{1,200})[\"'])"
    r"|(?<![\w\-])(?:mysql|mariadb)[a-z\-]{0,12}\s[^\n|;]{0,400}?(?<=\s)-p"
    r"(?:(?P<word>[^\s\"']{4,200})|[\"'](?P<words>[^\"'\n]{4,200})[\"'])"
)
"""The user and the password of a command: ``curl -u user:password``, ``mysql -ppassword``."""
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
    yield from _find_logins(text)
    for form, names in ((_NAMED, "secret"), (_PASSWORD, "password")):
        for match in matches_near(form, text, names, 16, 260, needs=_NOT_PROSE):
            if _is_random(match["value"]) or _is_assigned(match):
                yield _finding(match, "value", "API_KEY")


def _find_logins(text: str) -> Iterator[Finding]:
    """The user and the password of a command; a reference to a variable is none."""
    if any(name in text for name in ("curl", "http", "mysql", "mariadb")):
        for match in _LOGIN.finditer(text):
            group = str(match.lastgroup)
            if "$" not in match[group]:
                yield _finding(match, group, "API_KEY")


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
    """Whether a value with letters and digits is after a sign: ``api_key=abcd1234``."""
    sign = match.string[match.start() : match.start("value")]
    return _ASSIGNED.search(sign) is not None and _MIXED.match(match["value"]) is not None


def _finding(match: re.Match[str], group: int | str, kind: str) -> Finding:
    return Finding(match.start(group), match.end(group), kind, match[group])


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


# Values that only their label gives away: passwords, codes, cards, names in messengers.
#
# "密码：abc12345" has nothing that a word has not, and a card number may be mistyped. What is
# right after such a label is a value, unless it is a length ("PIN: 4 digits") or a date.

_OPEN: Final = "[\"'“‘«「(（]?"
_CLOSE: Final = "[\"'”’»」)）]?"
_IS: Final = alternatives("redact.is")
_SIGN: Final = rf"(?:[:：=]|{_IS}|[-–—](?=\s))"
_NOT_LENGTH: Final = rf"(?!\s?(?:{alternatives('redact.length')}))"
_CREDENTIAL_PASSWORD: Final = re.compile(
    rf"(?i)(?:{alternatives('redact.password')}){_CLOSE}"
    rf"(?:(?:[ (（][^\s:：=]{{1,14}}){{1,3}}\s?(?=[:：=]))?"
    rf"\s{{0,3}}(?P<sign>{_SIGN})\s{{0,3}}{_OPEN}"
    rf"(?P<value>[A-Za-z{CYRILLIC}0-9+/_.~!?@#$%^&*\-]{{4,200}}={{0,2}}){_NOT_LENGTH}"
)
# Several words are a password only where a program or a file gives them: password = "…", "password": "…".
_PASSPHRASE: Final = re.compile(
    rf"(?im)(?:{alternatives('redact.password')})"
    r"(?:(?:[\"'”’]\s{0,3}[:：=]|\s{0,3}=)\s{0,3}[\"'“‘](?P<value>[^\"'”’\r\n]{4,200})[\"'”’]"
    r"|\s{0,3}=\s{0,3}(?P<bare>[a-z]{2,20}(?: [a-z]{2,20}){2,9})\s*$)"
)
_CODE: Final = re.compile(
    rf"(?i)(?:{alternatives('redact.pin')}){_CLOSE}\s{{0,3}}(?:{_SIGN}|#)?\s{{0,3}}{_OPEN}"
    rf"(?P<value>[0-9]{{3,8}})(?![0-9A-Za-z]|[.,:/\-][0-9]| [0-9]{{4}}){_NOT_LENGTH}"
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
_GROUPED_ACCOUNT: Final = re.compile(
    rf"(?i)(?:{alternatives('redact.account')}){_CLOSE}(?:\s?(?:{alternatives('redact.number_word')}|#))?"
    rf"\s{{0,3}}(?:{_SIGN}|#)?\s{{0,3}}{_OPEN}"
    r"(?P<value>[0-9]{4}(?:[ \u00a0\-][0-9]{4}){2,7}(?:[ \u00a0\-][0-9]{1,3})?)(?![0-9A-Za-z]|[.,\-][0-9])"
)
_YEARS: Final = re.compile(r"(?:(?:19|20)[0-9]{2}[ \u00a0\-]?)+")
_LINK: Final = re.compile(
    r"(?i)(?<![a-z0-9.\-])(?:(?:t|telegram)\.me/(?!(?:share|joinchat|addstickers|proxy|socks|iv|s|c)\b)"
    r"|tg://resolve\?domain=)(?P<value>@?[a-z][a-z0-9_]{3,31})(?![a-z0-9_])"
    r"|(?<![a-z0-9.\-])wa\.me/(?P<number>[1-9][0-9]{7,14})(?![0-9])"
    r"|(?<![a-z0-9])(?P<id>wxid_[a-z0-9]{8,24})(?![a-z0-9])"
)
"""The address of a person in a messenger."""
_ADDED: Final = "加"
"""加我微信：… asks to be found by a name, whatever its form."""
_CREDENTIAL_MIXED: Final = re.compile(rf"(?=.*[A-Za-z{CYRILLIC}]).*[0-9]")
_SHORTEST_MIXED: Final = 6
_LETTER: Final = re.compile("[^\\W\\d_]")


def find_passwords(text: str) -> Iterator[Finding]:
    """What is after "password", "пароль" or "密码" and a sign, and is no word of a sentence."""
    yield from _find_phrases(text)
    for match in matches_near(_CREDENTIAL_PASSWORD, text, "password", 0, 260, needs=_LETTER):
        value, is_dash = match["value"].rstrip(".!?"), match["sign"] in "-–—"
        is_mixed = len(value) >= _SHORTEST_MIXED and _CREDENTIAL_MIXED.match(value) is not None
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
        yield _credential_finding(match, "PIN")


def find_labelled_cards(text: str) -> Iterator[Finding]:
    """Numbers of 16 to 19 digits after a label of a card, whatever their check digit."""
    for match in matches_near(_CARD, text, "card_number", 24, 80):
        yield _credential_finding(match, "CARD")


def find_labelled_accounts(text: str) -> Iterator[Finding]:
    """Numbers in groups of four after a word for an account, whatever their check digit."""
    for match in matches_near(_GROUPED_ACCOUNT, text, "account", 24, 80):
        if not _YEARS.fullmatch(match["value"]):
            yield _credential_finding(match, "ACCOUNT")


def find_messengers(text: str) -> Iterator[Finding]:
    """Names and numbers by which a person is found in a messenger."""
    for match in matches_near(_NAME, text, "messenger", 0, 80, needs=_LETTER):
        value = match["value"]
        has_sign = match["sign"] is not None or match["named"] is not None or value[0] == "@"
        label = text[max(0, match.start() - 3) : match.start("value")]
        is_asked, is_name = _ADDED in label, re.search("[0-9_]", value)
        if (has_sign and (value[0] == "@" or is_asked or is_name)) or (is_asked and is_name):
            yield _credential_finding(match, "MESSENGER")
    for match in matches_near(_ACCOUNT, text, "messenger_number", 0, 40):
        yield _credential_finding(match, "MESSENGER")
    if any(sign in text for sign in (".me/", "tg://", "wxid_")):
        for match in _LINK.finditer(text):
            yield _finding(match, str(match.lastgroup), "MESSENGER")


def _credential_finding(match: re.Match[str], kind: str) -> Finding:
    return Finding(match.start("value"), match.end("value"), kind, match["value"])
