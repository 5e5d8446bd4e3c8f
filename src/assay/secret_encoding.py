r"""Known secrets in the codes in which programs send them: Base64 and percent signs.

``Authorization: Basic …`` is the Base64 of a user and a password. What Base64 makes of a text depends
on how many characters stand before it, so a secret has three forms in it. A URL may write any
character as ``%`` and two digits, not only those that must be.
"""

import base64
import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import unquote_to_bytes

_PERCENT: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_SHORTEST: Final = 8
_BEGINNING: Final = 16
"""The shortest beginning of a secret that is recognised by itself."""


def base64_forms(value: str) -> Iterator[str]:
    """What Base64 makes of a text, by itself and inside of another text, in both alphabets.

    >>> list(base64_forms("urlPass123"))
    ['dXJsUGFzczEyMw==', 'dXJsUGFzczEyM', 'VybFBhc3MxMj', '1cmxQYXNzMTIz']
    """
    data = value.encode("utf-8", "surrogatepass")
    forms: dict[str, None] = {}
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        forms[encode(data).decode()] = None
        for before in range(3):
            # a character of Base64 is six bits; those that belong to other characters are left out
            start, end = -(-before * 8 // 6), (before + len(data)) * 8 // 6
            forms[encode(b"\0" * before + data).decode()[start:end]] = None
    return iter([form for form in forms if len(form) >= _SHORTEST])


class PercentForms:
    """The secrets, prepared for a search in texts with percent signs."""

    def __init__(self, values: Iterable[str]) -> None:
        self._values = tuple(values)

    def may_be_in(self, data: bytes) -> bool:
        """Whether encoded text may contain a secret in this form; quick, and never wrong if it says no."""
        if not self._values or b"%" not in data:
            return False
        return bool(_PERCENT.search(data.decode("utf-8", "replace")))

    def masked(self, text: str, mask: str) -> str:
        """``text`` with ``mask`` in place of each secret, whichever of its characters are encoded."""
        if not self._values or "%" not in text:
            return text
        plain, places = _decoded(text)
        if len(plain) == len(text):
            return text
        parts, position = [], 0
        for start, end in sorted(self._found(plain)):
            begin, stop = places[start], places[end]
            if begin >= position:
                parts += [text[position:begin], mask]
            position = max(position, stop)
        return "".join([*parts, text[position:]])

    def _found(self, plain: str) -> Iterator[tuple[int, int]]:
        """Where secrets are, or beginnings of them, each as long as it goes on."""
        for value in self._values:
            needle = value[:_BEGINNING]
            at = plain.find(needle)
            while at >= 0:
                end = at + len(needle)
                while end < len(plain) and value[end - at : end - at + 1] == plain[end]:
                    end += 1
                yield at, end
                at = plain.find(needle, end)


def _decoded(text: str) -> tuple[str, list[int]]:
    """The text without percent codes, and the place in ``text`` where each character begins."""
    parts: list[str] = []
    places: list[int] = []
    rest = 0
    for match in _PERCENT.finditer(text):
        parts.append(text[rest : match.start()])
        places += range(rest, match.start())
        decoded, starts = _decoded_codes(match[0])
        parts.append(decoded)
        places += (match.start() + start for start in starts)
        rest = match.end()
    parts.append(text[rest:])
    places += range(rest, len(text) + 1)
    return "".join(parts), places


def _decoded_codes(codes: str) -> tuple[str, list[int]]:
    """The characters of a run of codes, and where each begins; bytes that are no UTF-8 stay apart."""
    data = unquote_to_bytes(codes)
    try:
        return data.decode(), [at * 3 for at, byte in enumerate(data) if not 0x80 <= byte < 0xC0]
    except UnicodeDecodeError:
        return data.decode("latin-1"), list(range(0, len(codes), 3))
