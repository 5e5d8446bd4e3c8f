"""The user's own words and patterns."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from assay.errors import UseError
from assay.extra import optional_library
from assay.redact.finding import Finder, Finding
from assay.text import HAN

_MEMORY: Final = 1 << 26
_EDGE: Final = re.compile(rf"[^\W{HAN}]")


def own_finder(words: Sequence[str], patterns: Sequence[str]) -> Finder:
    """Finds these words, in any case of letters, and what matches one of these patterns.

    A word is not found inside a longer word; Chinese needs no spaces around it.

    Raises:
        UseError: a pattern is not an expression of RE2, or matches the empty text.

    >>> find = own_finder(["Project Owl"], ["CASE-[0-9]{4}"])
    >>> [found.value for found in find("project owl has CASE-1234")]
    ['project owl', 'CASE-1234']
    """
    expressions = []
    if words:
        longest_first = sorted(set(filter(None, words)), key=len, reverse=True)
        expressions.append(_compiled("|".join(map(_escape, longest_first)), is_word=True))
    expressions += [_compiled(pattern, is_word=False) for pattern in patterns]

    def find(text: str) -> Iterator[Finding]:
        data = text.encode("utf-8", "replace")
        for expression, is_word in expressions:
            for match in expression.finditer(data):
                start = len(data[: match.start()].decode())
                end = start + len(match[0].decode())
                if end > start and not (is_word and _is_inside_word(text, start, end)):
                    yield Finding(start, end, "OWN", text[start:end])

    return find


def _escape(word: str) -> str:
    return re.sub(r"([^\w\s])", r"\\\1", re.sub(r"\s+", " ", word.strip())).replace(" ", r"\s+")


def _compiled(expression: str, *, is_word: bool) -> tuple[Any, bool]:
    # loaded where somebody has words or patterns
    re2 = optional_library("re2", "redact", "redaction")

    options = re2.Options()
    options.case_sensitive = not is_word
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        compiled = re2.compile(expression.encode(), options)
    except re2.error as error:
        detail = error.args[0] if error.args else error
        shown = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else detail
        raise UseError(f"redact: patterns: {expression!r} is not an expression: {shown}") from None
    if compiled.fullmatch(b""):
        raise UseError(f"redact: patterns: {expression!r} matches the empty text")
    return compiled, is_word


def _is_inside_word(text: str, start: int, end: int) -> bool:
    def is_joined(left: str, right: str) -> bool:
        return bool(_EDGE.match(left) and _EDGE.match(right))

    return (start > 0 and is_joined(text[start - 1], text[start])) or (
        end < len(text) and is_joined(text[end - 1], text[end])
    )
