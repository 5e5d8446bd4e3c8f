"""What a cell of a workbook shows: its value by its number format.

A cell shown as ``5%`` stores 0.05, and one shown as ``$1,500`` stores 1500, so the stored value alone
is another text than the person who wrote the sheet saw. Digits are rounded as the format rounds
them, and percent signs, currencies and other signs are written. What a spreadsheet program writes
by the region of its user is written in one way: no separator between thousands, a decimal point,
and a whole date as ``2024-03-05``, because 05.03.2024 can be two days. A negative number in brackets
gets a minus sign.

:func:`shown_text` gives ``None`` if that is not known: for fractions, sections with conditions,
and parts of a date that need the name of a month or day.
"""

import datetime as dt
import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final

from msgspec import Struct

_TOKEN: Final = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.'
    r"|\[\$(?P<currency>[^\]\-]*)(?:-[^\]]*)?\]|\[(?P<elapsed>h+|m+|s+)\]|\[(?P<bracket>[^\]]*)\]"
    r"|(?P<general>general)|(?P<half>am/pm|a/p|上午/下午)|(?P<exponent>e[+-]0+)"
    r"|(?P<date>y+|m+|d+|h+|s+|e+|g+|b+)|(?P<digits>[0#?])|(?P<sign>.)",
    re.IGNORECASE | re.DOTALL,
)
_SECTION: Final = re.compile(r'((?:"[^"]*"|\\.|\[[^\]]*\]|[_*].|[^;])*);', re.DOTALL)
_CONDITION: Final = re.compile(r"[<>=]")
_PLAIN: Final = frozenset({"", "general", "@"})
_DIGITS: Final = 15
"""A spreadsheet program keeps so many digits of a number; the others are noise."""


class _Token(Struct, frozen=True):
    kind: str
    text: str


def shown_text(value: Any, number_format: str | None = None) -> str | None:
    """The text that a cell shows; ``None`` if its format cannot be followed.

    >>> shown_text(0.125, "0.0%"), shown_text(1500000, "[$$-409]#,##0"), shown_text(7, "000")
    ('12.5%', '$1500000', '007')
    >>> shown_text(dt.time(14, 30), "hh:mm"), shown_text(dt.datetime(2024, 3, 5, 9, 30), "d.m.yy h:mm")
    ('14:30', '2024-03-05 09:30')
    >>> shown_text(2.5, "# ?/?") is None
    True
    """
    written = number_format or ""
    if value is None or isinstance(value, bool):
        return stored_text(value)
    if isinstance(value, str):
        return _shown_string(value, written)
    if isinstance(value, dt.datetime | dt.time | dt.timedelta):
        return _shown_date(value, _tokens(_sections(written)[0]))
    if not isinstance(value, int | float) or written.strip().lower() in _PLAIN:
        return stored_text(value)
    return _shown_number(Decimal(f"{value:.{_DIGITS}g}"), _sections(written))


def stored_text(value: Any) -> str:
    """The text of the stored value; a date without a time is written without one.

    >>> stored_text(dt.datetime(2024, 5, 2)), stored_text(3.0), stored_text(None), stored_text(False)
    ('2024-05-02', '3', '', 'FALSE')
    >>> stored_text(0.1 + 0.2)
    '0.3'
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:.{_DIGITS}g}"
    return str(value).strip()


def _sections(written: str) -> list[str]:
    return [match[1] for match in _SECTION.finditer(f"{written};")][:4]


def _tokens(section: str) -> list[_Token]:
    found = []
    for match in _TOKEN.finditer(section):
        kind = match.lastgroup
        if kind in {"quoted", "escaped", "currency"}:
            found.append(_Token("text", match[kind]))
        elif kind is not None:
            found.append(_Token(kind, match[kind]))
    return found


def _shown_string(value: str, written: str) -> str:
    """A text, with what its format writes around it (``"No. "@``)."""
    sections = _sections(written)
    last = sections[3] if len(sections) > 3 else sections[0] if "@" in written else "@"
    parts = [
        value if token.text == "@" and token.kind == "sign" else token.text
        for token in _tokens(last)
        if token.kind in {"text", "sign"}
    ]
    return ("".join(parts) if value in parts else value).strip()


# Numbers


def _shown_number(value: Decimal, sections: Sequence[str]) -> str | None:
    plain = [section for section in sections if section.strip()]
    if any(_CONDITION.search(token.text) for part in plain for token in _brackets(part)):
        return None
    index = 1 if value < 0 and len(sections) > 1 else 0
    if value == 0 and len(sections) > 2:
        index = 2
    tokens = _tokens(sections[index])
    if index == 2 and _is_dash(tokens):
        tokens = _tokens(sections[0])
    if any(token.kind in {"date", "elapsed", "half"} for token in tokens):
        return None  # a number that is no date or time: shown as #####
    shown = _filled(abs(value), tokens)
    if shown is None or value >= 0:
        return shown
    if index == 1:
        is_bracketed = "(" in shown and ")" in shown
        return f"-{shown.replace('(', '').replace(')', '')}" if is_bracketed else shown
    return f"-{shown}"


def _brackets(section: str) -> list[_Token]:
    return [token for token in _tokens(section) if token.kind == "bracket"]


def _is_dash(tokens: Sequence[_Token]) -> bool:
    text = "".join(token.text for token in tokens if token.kind in {"text", "sign"})
    has_digit = any(token.text in {"0", "#"} for token in tokens if token.kind == "digits")
    return not has_digit and text.strip() in {"-", "–", "—"}


def _filled(value: Decimal, tokens: list[_Token]) -> str | None:
    """The number in the places of a section; ``None`` for a fraction."""
    signs = [token.text for token in tokens if token.kind == "sign"]
    places = [at for at, token in enumerate(tokens) if token.kind == "digits"]
    if "/" in signs and places:
        return None
    if not places:
        plain = f"{value.normalize():f}"
        parts = (plain if token.kind == "general" else _literal(token) for token in tokens)
        return "".join(parts).strip() or None
    value *= Decimal(100) ** signs.count("%")
    value /= Decimal(1000) ** _scaling_commas(tokens, places[-1])
    point = next(
        (at for at, token in enumerate(tokens) if token == _Token("sign", ".") and at < places[-1]),
        len(tokens),
    )
    whole = [at for at in places if at < point]
    after = [at for at in places if at > point]
    exponent = next((token.text for token in tokens if token.kind == "exponent"), "")
    if exponent:
        return f"{value:.{len(after)}E}"
    digits = f"{value.quantize(Decimal(1).scaleb(-len(after)), ROUND_HALF_UP):f}"
    return _placed(digits, tokens, whole, after)


def _scaling_commas(tokens: Sequence[_Token], last: int) -> int:
    """The commas directly after the last digit: each divides by a thousand."""
    count = 0
    while last + 1 + count < len(tokens) and tokens[last + 1 + count] == _Token("sign", ","):
        count += 1
    return count


def _placed(
    digits: str, tokens: Sequence[_Token], whole: Sequence[int], after: Sequence[int]
) -> str:
    """The digits in their places; those that the format has no place for are before the first."""
    left, _, right = digits.partition(".")
    rest, texts = left.lstrip("0"), {}
    for at in reversed(whole):
        texts[at], rest = (rest[-1], rest[:-1]) if rest else ("0" * (tokens[at].text == "0"), "")
    while right and right[-1] == "0" and tokens[after[len(right) - 1]].text != "0":
        right = right[:-1]  # a place "#" shows no zero at the end
    texts.update(zip(after, right, strict=False))
    first = whole[0] if whole else after[0] - 1
    parts = []
    for at, token in enumerate(tokens):
        parts.append(rest if at == first else "")
        if token == _Token("sign", ".") and at + 1 in after:
            parts.append("." if right else "")
        elif token.kind == "digits":
            parts.append(texts.get(at, ""))
        elif token != _Token("sign", ","):
            parts.append(_literal(token))
    return "".join(parts).strip()


def _literal(token: _Token) -> str:
    return token.text if token.kind in {"text", "sign"} else ""


# Dates and times


def _shown_date(value: dt.datetime | dt.time | dt.timedelta, tokens: list[_Token]) -> str | None:
    """A date, a time, or both; only the parts that the format has."""
    parts = _named_parts(tokens)
    kinds = [kind for kind, _ in parts]
    calendar = "".join(kind for kind in "ymd" if kind in kinds)
    has_clock = any(kind in {"h", "n", "s"} for kind in kinds)
    if not parts:
        return stored_text(value)
    if not calendar and "weekday" not in kinds:
        return _clock(value, parts) if has_clock else None
    form = {"ymd": "%Y-%m-%d", "ym": "%Y-%m", "y": "%Y"}.get(calendar)
    if form is None or not isinstance(value, dt.datetime):
        return None
    shown = f"{value:{form}}"
    if not has_clock or value.time() == dt.time():  # midnight stands for a date without a time
        return shown
    return f"{shown} {value:%H:%M:%S}" if "s" in kinds else f"{shown} {value:%H:%M}"


def _named_parts(tokens: Sequence[_Token]) -> list[tuple[str, _Token]]:
    """The tokens with what they stand for: y, m, d, weekday, era, h, n (minutes), s, half, text."""
    named: list[tuple[str, _Token]] = []
    letters = [token for token in tokens if token.kind in {"date", "elapsed"}]
    for token in tokens:
        letter = token.text[:1].lower()
        if token.kind not in {"date", "elapsed"}:
            kind = token.kind if token.kind in {"half", "digits"} else "text"
        elif letter == "m":
            kind = "n" if _is_minute(token, letters) else "m"
        elif letter == "d":
            kind = "d" if len(token.text) <= 2 else "weekday"
        else:
            kind = {"e": "y", "b": "era", "g": "era"}.get(letter, letter)
        named.append((kind, token))
    return named if letters else []


def _is_minute(token: _Token, letters: Sequence[_Token]) -> bool:
    at = next(at for at, other in enumerate(letters) if other is token)
    before = letters[at - 1].text[0].lower() if at else ""
    after = letters[at + 1].text[0].lower() if at + 1 < len(letters) else ""
    return token.kind == "elapsed" or (len(token.text) <= 2 and (before == "h" or after == "s"))


def _clock(
    value: dt.datetime | dt.time | dt.timedelta, parts: Sequence[tuple[str, _Token]]
) -> str | None:
    """A time of day, or how long something took, as its format writes it."""
    if isinstance(value, dt.timedelta):
        micros = round(value.total_seconds() * 1_000_000)
    else:
        clock = dt.timedelta(
            hours=value.hour,
            minutes=value.minute,
            seconds=value.second,
            microseconds=value.microsecond,
        )
        micros = round(clock.total_seconds() * 1_000_000)
    if micros < 0:
        return None
    seconds, fraction = divmod(micros, 1_000_000)
    half = any(kind == "half" for kind, _ in parts)
    numbers = {"h": seconds // 3600, "n": seconds // 60 % 60, "s": seconds % 60}
    shown, decimals = [], f"{fraction:06d}"
    for kind, token in parts:
        if token.kind == "elapsed":
            shown.append(str(seconds // {"h": 3600, "n": 60, "s": 1}[kind]).zfill(len(token.text)))
        elif kind in numbers:
            number = numbers[kind] % 24 if kind == "h" else numbers[kind]
            number = (number - 1) % 12 + 1 if kind == "h" and half else number
            shown.append(str(number).zfill(min(len(token.text), 2)))
        elif kind == "half":
            shown.append("PM" if numbers["h"] % 24 >= 12 else "AM")
        elif kind == "digits":
            shown.append(decimals[:1])
            decimals = decimals[1:]
        else:
            shown.append(_literal(token))
    return "".join(shown).strip()
