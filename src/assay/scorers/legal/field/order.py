"""Where an answer has the words of an expected name in another order: "the jury's special prize"."""

import re
from collections.abc import Iterator
from typing import Final

from assay.scorers.legal.root import content_words
from assay.text import Span
from assay.text.lexicon import alternatives, lazy_pattern

_WORD: Final = re.compile(r"[^\W\d_]+")
_GAP: Final = re.compile(r"\s|-|['’]")
"""All that may stand between two words."""
_LIGHT: Final = lazy_pattern(lambda: alternatives("form.light_word"))
_FEWEST, _MOST = 3, 6
"""A name of fewer words is another one in another order: Paul John."""


def reordered_names(wording: str, text: str) -> Iterator[Span]:
    """The spans of ``text`` with all words of a name of several words, and only light words between them.

    >>> text = "It won the jury's special prize."
    >>> [span.of(text) for span in reordered_names("Special Jury Prize", text)]
    ["jury's special prize"]
    >>> list(reordered_names("Special Jury Prize", "It won the prize of the special youth jury."))
    []
    """
    needed = content_words(wording)
    if not _FEWEST <= len(needed) <= _MOST or not any(map(str.isupper, wording)):
        return
    if any(map(str.isdigit, wording)) or not _is_plain(wording):
        return
    found = list(_WORD.finditer(text))
    roots = [content_words(match.group()) for match in found]
    for first, root in enumerate(roots):
        if root and root <= needed:
            last = _end(needed, text, found[first:], roots[first:])
            if last is not None:
                yield Span(start=found[first].start(), end=last)


def _is_plain(wording: str) -> bool:
    """Whether a text has only words that keep their meaning in another order: not "from Riga to Malmö"."""
    return all(content_words(word) or _LIGHT.fullmatch(word) for word in _WORD.findall(wording))


def _end(
    needed: frozenset[str],
    text: str,
    found: list[re.Match[str]],
    roots: list[frozenset[str]],
) -> int | None:
    """Where the words end that are needed, each once; ``None`` if another one stands between them."""
    rest = set(needed)
    previous = found[0].start()
    for match, root in zip(found, roots, strict=True):
        if not all(map(_GAP.fullmatch, text[previous : match.start()])):
            return None
        previous = match.end()
        if root and not root <= rest:
            return None
        if not root and not _LIGHT.fullmatch(match.group()):
            return None
        rest -= root
        if not rest:
            return match.end()
    return None
