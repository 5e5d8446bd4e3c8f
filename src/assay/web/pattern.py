"""What is searched for: a text or a regular expression, without regard to case.

Regular expressions are those of RE2. Its time grows with the length of the text only, whatever
the expression, so no expression can block the server (decision 0056).
"""

import re
from re import _parser as parser  # type: ignore[attr-defined]  # no public way to parse
from typing import Any, Final

from assay.errors import UseError
from assay.web.text_store import folded

MOST_PATTERN: Final = 1000
"""The longest pattern, in characters."""
_MEMORY: Final = 1 << 26
"""What RE2 may use for the states of an expression, in bytes."""


class Pattern:
    """A compiled search; ``literal`` is a text that every match contains, in folded bytes."""

    def __init__(self, text: str, *, regex: bool = False) -> None:
        if len(text) > MOST_PATTERN:
            raise UseError(f"a search has at most {MOST_PATTERN} characters")
        self.literal = required_literal(text) if regex else folded(text)
        self._search = _compile(text) if regex else None

    @property
    def is_literal(self) -> bool:
        """Whether a text matches exactly if it contains ``literal``."""
        return self._search is None

    def matches(self, data: bytes, start: int, end: int) -> bool:
        """Whether the folded text from ``start`` to ``end`` of ``data`` matches."""
        if self._search is None:
            return data.find(self.literal, start, end) >= 0
        return bool(self._search(data, start, end))


def _compile(text: str) -> Any:
    # loaded when somebody searches: not every use of the page needs it
    import re2  # type: ignore[import-untyped]  # noqa: PLC0415

    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        search = re2.compile(text.encode("utf-8", "replace"), options).search
    except re2.error as error:
        detail = error.args[0] if error.args else error
        shown = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else detail
        raise UseError(f"not a regular expression: {shown}") from None
    return search


def required_literal(text: str) -> bytes:
    """The longest text that every match of an expression contains, folded; empty if none is known.

    >>> required_literal("pay(s|ed) within +days?"), required_literal("a|b")
    (b' within ', b'')
    """
    try:
        tree = parser.parse(text, re.IGNORECASE)
    except (re.error, RecursionError, OverflowError):
        return b""
    return max(_literals(tree), key=len, default=b"")


def _literals(tree: Any) -> list[bytes]:
    found: list[bytes] = []
    letters: list[str] = []

    def end() -> None:
        if letters:
            found.append(folded("".join(letters)))
            letters.clear()

    for code, argument in tree:
        name = str(code)
        if name == "LITERAL":
            letters.append(chr(argument))
            continue
        end()
        if name == "SUBPATTERN":
            _, added, removed, inner = argument
            if not added and not removed:
                found += _literals(inner)
        elif name == "MAX_REPEAT" and argument[0] >= 1:
            found += _literals(argument[2])
    end()
    return found
