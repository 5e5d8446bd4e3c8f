"""The sentences of an answer, without what is not said by the answer itself.

Markup, quotations and citations are replaced by spaces, and so is what precedes the last line that
begins with "Answer:".
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from assay.scorers.abstention import context
from assay.scorers.abstention.field import without_other_fields
from assay.scorers.abstention.markup import without_markup
from assay.text import (
    Normalised,
    Span,
    articles,
    citation_spans,
    normalise,
    sentences,
    stated_answer,
)
from assay.text.lexicon import languages_of

_NUMERAL: Final = re.compile("[0-9０-９〇零一二三四五六七八九十百]")
"""Every reference to a page or an article contains one of these."""
_UNDERSCORE: Final = re.compile(r"(?<=[^\W_])_(?=[^\W_])")
_BRACKET: Final = re.compile(r"[\[【]")
_WIDE_STOPS: Final = "．｡"
_LABELLED_LINE: Final = re.compile(r"\n(?=[\s*_-]{0,4}[^\W\d][\w .()/-]{0,28}[:：=])")
"""The end of a line before one that begins with a label: "Serial number: …"."""
_EMPTY: Final = 24
"""A quotation that is only an empty value is not longer."""
_LONG_GAP: Final = re.compile(r"(?<= {40}) +")
"""What is too much in a run of spaces: expressions take the square of its length to pass it."""


class Sentence(NamedTuple):
    """A sentence in lower case and without citations, and how to find its place in the answer.

    ``cased`` is the same with its capital letters. ``gaps`` are the ends of the parts from which
    spaces were taken out, and how many were taken out up to there.
    """

    text: str
    cased: str
    form: Normalised
    start: int
    offset: int
    gaps: tuple[tuple[int, int], ...] = ()

    def span(self, start: int, end: int) -> Span:
        """The span in the answer of a stretch of this sentence."""
        begin, stop = self.start + self._before_gaps(start), self.start + self._before_gaps(end)
        span = self.form.original_span(begin, stop)
        return Span(start=self.offset + span.start, end=self.offset + span.end)

    def _before_gaps(self, position: int) -> int:
        """The position with the spaces that were taken out before it."""
        passed = bisect_left(self.gaps, (position + 1, 0))
        return position + (self.gaps[passed - 1][1] if passed else 0)


def _without_thoughts(text: str) -> str:
    """The text with what precedes the last line that begins with "Answer:" replaced by spaces."""
    start = position = 0
    last = next((i for i in range(len(text) - 1, -1, -1) if text[i].isalnum()), -1)
    for line in text.splitlines(keepends=True):
        label = context.FINAL_ANSWER.match(line.lower()) if ":" in line or "：" in line else None
        if label and position + label.end() <= last:
            start = position
        position += len(line)
    return " " * start + text[start:]


@lru_cache(maxsize=1)  # the opinion and the rules both ask for it
def said(text: str) -> str:
    """What an answer says itself: no markup, quotations, thoughts or fields beside the answer.

    Spaces stand for what is taken out, so all offsets stay those of the answer.
    """
    stated = without_markup(_without_sources(_stated(text)))
    return _without_quotations(without_other_fields(_without_thoughts(stated)))


def _stated(text: str) -> str:
    """The text with spaces in place of what a reasoning model thinks (``<think>``)."""
    kept = stated_answer(text).kept
    gaps = zip(
        (0, *(span.end for span in kept)), (*(span.start for span in kept), len(text)), strict=True
    )
    return _blanked(text, (Span(start=start, end=end) for start, end in gaps))


def _without_sources(text: str) -> str:
    """The text without lines that only name its sources, unless nothing else is left."""
    if ":" not in text and "：" not in text:
        return text
    lines = context.SOURCE_LINE.finditer(text.lower())
    plain = _blanked(text, (Span(start=line.start(), end=line.end()) for line in lines))
    return plain if any(map(str.isalpha, plain)) else text


def answer_sentences(text: str) -> Iterator[Sentence]:
    """The sentences of ``text`` in lower case."""
    unquoted = said(text)
    for outer in _lines(unquoted):
        form = normalise(outer.of(unquoted))
        # A full-width stop ends a sentence only after it is normalised.
        has_wide_stop = any(stop in outer.of(unquoted) for stop in _WIDE_STOPS)
        whole = Span(start=0, end=len(form.text))
        for inner in sentences(form.text) if has_wide_stop else (whole,):
            # A code is read as words: INSUFFICIENT_CONTEXT.
            coded = _UNDERSCORE.sub(" ", inner.of(form.text))
            plain, gaps = _without_long_gaps(_without_references(coded))
            lower = plain.lower()
            # A letter whose lower case has two letters would move all offsets after it.
            text_form = lower if len(lower) == len(plain) else plain
            yield Sentence(text_form, plain, form, inner.start, outer.start, gaps)


def _without_long_gaps(sentence: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The sentence with short runs of spaces, and where how many spaces are missing.

    Only what was taken out of a sentence leaves a long run: many citations in a row.
    """
    found = list(_LONG_GAP.finditer(sentence))
    if not found:
        return sentence, ()
    missing = list(accumulate(len(match.group()) for match in found))
    ends = (match.end() - total for match, total in zip(found, missing, strict=True))
    return _LONG_GAP.sub("", sentence), tuple(zip(ends, missing, strict=True))


def _lines(text: str) -> Iterator[Span]:
    """The sentences of ``text``, also cut before a line that begins with a label."""
    for outer in sentences(text):
        start = outer.start
        for mark in _LABELLED_LINE.finditer(text, outer.start, outer.end):
            yield Span(start=start, end=mark.start())
            start = mark.end()
        yield Span(start=start, end=outer.end)


def _without_quotations(text: str) -> str:
    """The text with its quotations replaced by spaces: they only show what the answer rests on.

    A text that consists of quotations alone is returned unchanged.
    """
    outer = context.QUOTATION.fullmatch(text.strip())
    if outer and context.QUOTATION.search(text.strip()[1:-1]):
        start, end = text.index(outer.group()), text.index(outer.group()) + len(outer.group())
        return _without_quotations(f"{text[:start]} {text[start + 1 : end - 1]} {text[end:]}")
    unquoted = context.QUOTATION.sub(_unquoted, text)
    if _BRACKET.search(text):
        marks = context.EDITORIAL.finditer(unquoted.lower())
        unquoted = _blanked(unquoted, (Span(start=m.start(), end=m.end()) for m in marks))
    if unquoted == text:
        return text
    return unquoted if any(map(str.isalpha, _without_references(unquoted))) else text


def _unquoted(match: re.Match[str]) -> str:
    """What stands for a quotation: a mark and spaces, or an empty value that a form has as it is."""
    quoted: str = match.group()
    if len(quoted) <= _EMPTY and context.EMPTY_QUOTATION.match(quoted[1:-1].lower()):
        return f" {quoted[1:-1]} "
    return context.QUOTED + " " * (len(quoted) - 1)


def _without_references(sentence: str) -> str:
    """The sentence with simplified characters, and with citations replaced by spaces.

    The number of a citation or of an article claims nothing.
    """
    is_chinese = "zh" in languages_of(sentence)
    plain = sentence.translate(context.to_simplified()) if is_chinese else sentence
    if not _NUMERAL.search(plain):
        return plain
    references = [
        *citation_spans(plain),
        *(Span(start=a.start, end=a.end) for a in articles(plain)),
    ]
    return _blanked(plain, references)


def _blanked(text: str, spans: Iterable[Span]) -> str:
    """The text with spaces in place of the spans, which may overlap."""
    parts = []
    position = 0
    for span in sorted(spans):
        start = max(position, span.start)
        if span.end > start:
            parts += [text[position:start], " " * (span.end - start)]
            position = span.end
    return "".join([*parts, text[position:]])
