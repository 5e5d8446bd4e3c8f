"""The words of a text for a comparison word for word, and what stands between them."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from assay.scorers.evidence.sign import Sign, signs
from assay.scorers.evidence.spelling import one_spelling
from assay.scorers.evidence.token import sentence_spans
from assay.text import HAN, normalised

_WORD: Final = re.compile(rf"[0-9]+(?:[.,][0-9]+)*|[{HAN}]|[^\W{HAN}_]+")
_STOP: Final = re.compile(r"[.!?;。！？；]")
_MARK: Final = re.compile(r"[^\w\s]|\n")
_QUOTED_LINE: Final = re.compile(r"^[ \t]{0,3}>(?:[ ]?>)* ", re.MULTILINE)
"""The mark that Markdown and mail put before a line that is quoted, which is no comparison."""
_LONG_DASH: Final = re.compile("[\u2014\u2015\u2e3a\u2e3b\ufe58]+")


class Plain(NamedTuple):
    """The words of a text, each between line breaks, without case and punctuation.

    ``marks`` are the offsets of the words that punctuation stands before, ``stops`` those where a
    new sentence begins after a mark, and ``signs`` those of numbers with a sign.
    """

    words: str
    marks: tuple[int, ...]
    stops: tuple[int, ...]
    signs: tuple[tuple[int, Sign], ...]


@lru_cache(maxsize=4096)
def plain(text: str) -> Plain:
    """The words of ``text`` for a comparison word for word."""
    # A long dash is no minus sign, which the normal form does not tell apart.
    spelt = normalised(_LONG_DASH.sub(" - ", one_spelling(_QUOTED_LINE.sub("", text))))
    found = signs(spelt)
    begins = frozenset(span.start for span in sentence_spans(spelt))
    words: list[str] = [""]
    marks, stops, placed = [], [], []
    size = end = 0
    for match in _WORD.finditer(spelt):
        between = spelt[end : match.start()]
        if _MARK.search(between):
            marks.append(size)
        is_begin = any(place in begins for place in range(end, match.start() + 1))
        if end and is_begin and _STOP.search(between):
            stops.append(size)
        if match.start() in found:
            placed.append((size, found[match.start()]))
        words.append(_folded(match.group()))
        size += len(words[-1]) + 1
        end = match.end()
    return Plain("\n".join((*words, "")), tuple(marks), tuple(stops), tuple(placed))


@lru_cache(maxsize=1 << 14)
def _folded(word: str) -> str:
    return normalised(word, fold_case=True)
