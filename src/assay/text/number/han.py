"""The characters of Chinese numerals and their values."""

from typing import Final

DIGITS: Final = {
    **dict(zip("〇零一二三四五六七八九", (0, *range(10)), strict=True)),
    **dict(zip("壹贰叁肆伍陆柒捌玖", range(1, 10), strict=True)),
    **dict(zip("貳參陸两兩", (2, 3, 6, 2, 2), strict=True)),
}
"""The digits, in usual and in formal characters."""
_UNIT_VALUES: Final = (10, 10, 100, 100, 1000, 1000, 10**4, 10**4, 10**8, 10**8)
UNITS: Final = dict(zip("十拾百佰千仟万萬亿億", _UNIT_VALUES, strict=True))
"""The powers of ten that have a character."""
SCORES: Final = dict(zip("廿卅卌", (20, 30, 40), strict=True))
"""Characters for several tens."""
ZEROS: Final = "〇零"
NUMERAL: Final = "".join((*DIGITS, *UNITS, *SCORES))
"""All characters of Chinese numerals, for a character class."""
