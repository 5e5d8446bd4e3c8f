"""Powers of ten: 10^6, 10⁶, 2×10^6, 1.5e-3. Any other power is no number."""

import re
from decimal import Decimal
from typing import Final

from assay.text.lexicon import lazy_pattern
from assay.text.number.candidate import EXACT, ONE, Reading
from assay.text.number.tail import LETTER

# A mantissa with decimals, or an exponent with a sign: 1e5 alone may be a code.
_SCIENTIFIC: Final = lazy_pattern(
    rf"([0-9]+[.,][0-9]+(?=[eE][-+]?[0-9])|[0-9](?=[eE][-+][0-9]))[eE]([-+]?[0-9]{{1,2}})(?![{LETTER}0-9.,]*[{LETTER}0-9])",
    re.NOFLAG,
)
_POWER: Final = lazy_pattern(r"(?:\^|\*\*)\s?([-+]?[0-9]{1,3})|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})", re.NOFLAG)
TIMES_TEN: Final = lazy_pattern(r"\s?[×xх·*⋅∙]\s?10(?=\^|\*\*[0-9]|[⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹])", re.NOFLAG)
# An exponent that has lost its height may be a minus sign or a dash.
_FLAT_EXPONENT: Final = lazy_pattern(r"\s?[×xх·*⋅∙]\s?10-[0-9]{1,2}(?![0-9.,])", re.NOFLAG)
_POWER_MARKS: Final = frozenset(" ^×xх·*⋅∙⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉")
# After these digits a raised one is the mark of a footnote: 2023¹, 1,234¹.
_WITH_FOOTNOTE: Final = lazy_pattern(r"(?:19|20)[0-9]{2}|[0-9]{1,3}(?:[,' ][0-9]{3})+", re.NOFLAG)
_RAISED_OR_LOWERED: Final = lazy_pattern("[⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉]+", re.NOFLAG)
_SUPERSCRIPT: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")


def power_of_ten(text: str, reading: Reading) -> Reading | None:
    """10^6, 10⁶ or 2×10^6; not readable for any other base. A footnote (2023¹) is no power."""
    end = reading.end
    if text[end] not in _POWER_MARKS:
        return None
    if times := TIMES_TEN.match(text, end):
        base, end = reading.value, times.end()
    elif flat := _FLAT_EXPONENT.match(text, end):
        return reading._replace(end=flat.end(), readable=False)
    elif text[reading.start : end] == "10" and _POWER.match(text, end):
        base = ONE
    elif text[end] == "^" or text[end : end + 2] == "**":
        power = _POWER.match(text, end)
        return reading._replace(end=power.end(), readable=False) if power else None
    elif (raised := _RAISED_OR_LOWERED.match(text, end)) is not None:
        if _WITH_FOOTNOTE.fullmatch(text, reading.start, end):
            return None
        return reading._replace(end=raised.end(), readable=False)
    else:
        return None
    power = _POWER.match(text, end)
    if power is None:
        return None
    exponent = int(power[1] or power[2].translate(_SUPERSCRIPT))
    value = EXACT.multiply(base, EXACT.power(Decimal(10), Decimal(exponent)))
    return reading._replace(end=power.end(), value=value, alternative=None)


def scientific(text: str, start: int, end: int) -> Reading | None:
    """A number in scientific notation, whose digits before the letter end at ``end``: 1.5e-3."""
    if text[end : end + 1] not in {"e", "E"}:
        return None
    if start > 0 and (text[start - 1].isalnum() or text[start - 1] in "._-"):
        return None
    match = _SCIENTIFIC.match(text, start)
    if match is None:
        return None
    return Reading(start, match.end(), Decimal(f"{match[1].replace(',', '.')}e{match[2]}"))
