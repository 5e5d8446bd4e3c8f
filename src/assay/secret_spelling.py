"""Known secrets in other spellings: broken by marks, in other letters, or their end alone.

A model that repeats its key may put an invisible character or a mark of Markdown into it, write it
in capital letters, or quote only its end. Only a value that is long and has letters and digits is
recognised in this way: others could be ordinary words. A secret that is broken by other characters,
turned round, translated into another code or cut into short pieces is not recognised.
"""

from collections.abc import Iterable, Iterator
from typing import Final

SHORTEST: Final = 12
"""The shortest end of a secret that is recognised by itself, and the shortest such secret."""
_BEGINNING: Final = 16
"""The shortest beginning of a secret that is recognised by itself."""
_INVISIBLE: Final = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\ufe0e\ufe0f\ufeff"
_MARKS: Final = "*_`~\\"
_NOISE: Final = frozenset(_INVISIBLE + _MARKS)
_NO_NOISE: Final = dict.fromkeys(map(ord, _NOISE))
_NOISE_BYTES: Final = (_INVISIBLE + _MARKS).encode()


class Spellings:
    """The secrets, prepared for a search in texts."""

    def __init__(self, values: Iterable[str]) -> None:
        plain = {value.translate(_NO_NOISE).lower() for value in values}
        self._plain = sorted(value for value in plain if _is_varied(value))
        needles = {end for value in self._plain for end in (value[:_BEGINNING], value[-SHORTEST:])}
        self._needles = sorted(needle for needle in needles if _is_varied(needle))
        self._byte_needles = [
            bytes(needle, "utf-8").translate(None, _NOISE_BYTES) for needle in self._needles
        ]

    def may_be_in(self, data: bytes) -> bool:
        """Whether encoded text may contain a secret; quick, and never wrong if it says no."""
        if not self._needles:
            return False
        if b"\\u" in data:  # JSON may write an invisible character as an escape
            return True
        squeezed = data.translate(None, _NOISE_BYTES).lower()
        return any(needle in squeezed for needle in self._byte_needles)

    def masked(self, text: str, mask: str) -> str:
        """``text`` with ``mask`` in place of each secret, whatever its spelling."""
        lower = text.lower()
        squeezed = lower.translate(_NO_NOISE)
        if not any(needle in squeezed for needle in self._needles):
            return text
        if len(lower) != len(text):  # a letter whose small form is two would move all places
            lower = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
        places = [place for place, char in enumerate(lower) if char not in _NOISE]
        squeezed = "".join(lower[place] for place in places)
        parts, position = [], 0
        for start, end in sorted(self._found(squeezed)):
            begin, stop = places[start], places[end - 1] + 1
            if begin >= position:
                parts += [text[position:begin], mask]
            position = max(position, stop)
        return "".join([*parts, text[position:]])

    def _found(self, squeezed: str) -> Iterator[tuple[int, int]]:
        """Where beginnings and ends of secrets are, each as long as it goes on."""
        for value in self._plain:
            for needle, step in ((value[:_BEGINNING], 1), (value[-SHORTEST:], -1)):
                if not _is_varied(needle):
                    continue
                at = squeezed.find(needle)
                while at >= 0:
                    yield _grown(squeezed, value, at, at + len(needle), step)
                    at = squeezed.find(needle, at + len(needle))


def _grown(text: str, value: str, start: int, end: int, step: int) -> tuple[int, int]:
    """The place of an end of ``value``, as far as the text has the rest of it."""
    length = end - start
    while length < len(value):
        place = end if step > 0 else start - 1
        expected = value[length] if step > 0 else value[-length - 1]
        if not 0 <= place < len(text) or text[place] != expected:
            break
        start, end = (start, end + 1) if step > 0 else (start - 1, end)
        length += 1
    return start, end


def _is_varied(value: str) -> bool:
    """Whether a value has letters and digits and is long, so that it is no word.

    >>> _is_varied("tq9xzpl3mw8vr2kn"), _is_varied("production-environment")
    (True, False)
    """
    is_long = len(value) >= SHORTEST
    return is_long and any(map(str.isdigit, value)) and any(map(str.isalpha, value))
