"""Conversion of traditional to simplified Chinese, character by character.

The table comes from OpenCC, which is imported at first use. Phrases are not converted
(``資訊`` becomes ``资讯``, not ``信息``): a quotation must keep its words, and replacing each
character by exactly one character keeps all offsets.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any

from assay.text.character import HAN

_HAN = re.compile(f"[{HAN}]")
_BLOCKS = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0x20000, 0x2A6E0))


def simplified(text: str) -> str:
    """``text`` with traditional characters replaced by simplified ones.

    >>> simplified("違約責任")
    '违约责任'
    """
    # The table takes 0.02 s to load, so it is loaded only for Chinese text.
    return text.translate(simplification()) if _HAN.search(text) else text


@cache
def simplification() -> Mapping[int, int]:
    """The table of ``simplified`` for ``str.translate``. No value of the table is also a key."""
    # Imported here because only some callers need it.
    import opencc  # noqa: PLC0415

    return _table(opencc.OpenCC("t2s"))


def _table(converter: Any) -> Mapping[int, int]:
    characters = [chr(code) for block in _BLOCKS for code in range(*block)]
    converted = converter.convert("\n".join(characters)).split("\n")
    direct = {
        ord(old): ord(new)
        for old, new in zip(characters, converted, strict=True)
        if old != new and len(new) == 1 and unicodedata.normalize("NFKC", new) == new
    }
    # If a value were also a key, converting a text twice would change it again.
    return {old: direct.get(new, new) for old, new in direct.items() if direct.get(new, new) != old}
