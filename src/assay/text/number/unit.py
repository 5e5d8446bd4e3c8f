"""The unit of a number: percent, per mille, or a known currency."""

import re
from typing import Final, NamedTuple

_PERCENT_AFTER: Final = (
    r"\s?%|\s?(?:percentage points?|percent|per cent|pct)\b|\s{1,2}процент[а-я]*|\s?п\.\s?п\."
    r"|个?百分点"
)
_AFTER: Final = (
    ("RUB", r"\s?(?:₽|руб(?:\.|л[а-я]+\b|\b)|р\.(?![а-я])|rub\b|ro?u?bles?\b|卢布)"),
    ("USD", r"\s?(?:\$|usd\b|долл(?:\.|ар[а-я]*\b)(?:\s?США)?|(?:us )?dollars?\b|美元|美金)"),
    ("EUR", r"\s?(?:€|eur\b|евро\b|euros?\b|欧元)"),
    ("GBP", r"\s?(?:£|gbp\b|фунт[а-я]*\b|pounds?(?: sterling)?\b|英镑)"),
    ("JPY", r"\s?(?:jpy\b|иен[а-я]*\b|yen\b|日元)"),
    ("HKD", r"\s?(?:hk\$|hkd\b|港元|港币)"),
    ("CNY", r"\s?(?:¥|cny\b|rmb\b|юан[а-я]*\b|yuan\b|元(?:人民币)?|圆|块钱|人民币)"),
)
_BEFORE: Final = (
    ("HKD", r"hk\$|hkd"),
    ("USD", r"us\$|usd|\$"),
    ("EUR", r"eur|€"),
    ("GBP", r"gbp|£"),
    ("RUB", r"rub|₽"),
    ("JPY", r"jpy"),
    ("CNY", r"cny|rmb|人民币|¥"),
)
_AFTER_PATTERN: Final = re.compile(
    f"(?P<percent>{_PERCENT_AFTER})|(?P<permille>\\s?‰)|"
    + "|".join(f"(?P<{code}>{pattern})" for code, pattern in _AFTER),
    re.IGNORECASE,
)
_BEFORE_PATTERN: Final = re.compile(
    # A currency sign after a number belongs to that number: 100 € 200.
    "(?<![A-Za-z0-9])(?<![0-9] )(?:"
    + "|".join(f"(?P<{code}>{pattern})" for code, pattern in _BEFORE)
    + r")\s?\Z",
    re.IGNORECASE,
)


class Unit(NamedTuple):
    """A unit beside a number. ``name`` is ``percent``, ``permille`` or a currency code."""

    name: str
    start: int
    end: int


def unit_after(text: str, end: int) -> Unit | None:
    """The unit after a number that ends at ``end`` in a surface text; ``None`` if none."""
    match = _AFTER_PATTERN.match(text, end)
    if match is None:
        return None
    lead = len(match.group()) - len(match.group().lstrip())
    return Unit(str(match.lastgroup), match.start() + lead, match.end())


def unit_before(text: str, start: int) -> Unit | None:
    """The currency before a number that starts at ``start``: $5, USD 5, 人民币5."""
    floor = max(0, start - 7)
    match = _BEFORE_PATTERN.search(text[floor:start])
    if match is None:
        return None
    return Unit(
        str(match.lastgroup),
        floor + match.start(),
        floor + len(match.group().rstrip()) + match.start(),
    )
