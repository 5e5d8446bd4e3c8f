"""Breaks long names into lines at places that are easy to read."""

import re
from collections.abc import Callable

from assay.text import display_width

# A line may end after a separator (but not inside 0.5), and before or after a Chinese character,
# but not before closing and not after opening punctuation.
_CLOSING = "。，、；：！？）】》」』”’)\\]%"
_BREAK = re.compile(
    r"(?<=[ _\-/:=;+])(?! )"
    r"|(?<=[.,])(?![\d ])"
    rf"|(?<=[\u2e80-\uffef])(?<![（【《「『“‘(\[])(?![{_CLOSING} ])"
    rf"|(?<![（【《「『“‘(\[])(?=[\u2e80-\uffef])(?![{_CLOSING}])"
)


def wrap_name(text: str, width: float, measure: Callable[[str], float] = display_width) -> str:
    r"""The text in lines that are at most ``width`` wide according to ``measure``.

    Lines end after separators such as spaces, underscores and hyphens, and between Chinese
    characters. A word is broken only if it is wider than a line. By default, the width of a Latin
    letter is 1 and that of a Chinese character is 2.

    >>> wrap_name("fast_dim_128_with_rerank", 12)
    'fast_dim_\n128_with_\nrerank'
    >>> wrap_name("检索维度消融实验", 8)
    '检索维度\n消融实验'
    """
    lines = [""]
    for piece in _BREAK.split(text):
        for part in _cut(piece, width, measure):
            if lines[-1] and measure((lines[-1] + part).rstrip()) > width:
                lines.append("")
            lines[-1] += part
    return "\n".join(line.strip() for line in lines).strip("\n")


def longest_word(text: str, measure: Callable[[str], float] = display_width) -> float:
    """The width of the widest word, which is a part that ``wrap_name`` breaks only if it must."""
    return max((measure(piece.rstrip()) for piece in _BREAK.split(text)), default=0.0)


def _cut(piece: str, width: float, measure: Callable[[str], float]) -> list[str]:
    """The piece in one part if it fits, otherwise in parts of at least one character."""
    if measure(piece.rstrip()) <= width:
        return [piece]
    parts = [""]
    for character in piece:
        if parts[-1] and measure((parts[-1] + character).rstrip()) > width:
            parts.append("")
        parts[-1] += character
    return parts
