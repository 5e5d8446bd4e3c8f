"""The sentences of an answer, without what is not said by the answer itself.

Quotations and citations are replaced by spaces, and so is what precedes the last line that begins
with "Answer:".
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from assay.scorers.abstention import context
from assay.scorers.abstention.field import without_other_fields
from assay.text import Normalised, Span, articles, citation_spans, normalise, sentences
from assay.text.lexicon import languages_of

_NUMERAL: Final = re.compile("[0-9０-９〇零一二三四五六七八九十百]")
"""Every reference to a page or an article contains one of these."""
_UNDERSCORE: Final = re.compile(r"(?<=[^\W_])_(?=[^\W_])")
_BRACKET: Final = re.compile(r"[\[【]")
_WIDE_STOPS: Final = "．｡"
_LABELLED_LINE: Final = re.compile(r"\n(?=[\s*_-]{0,4}[^\W\d][\w .()/-]{0,28}[:：=])")
"""The end of a line before one that begins with a label: "Serial number: …"."""


class Sentence(NamedTuple):
    """A sentence in lower case and without citations, and how to find its place in the answer.

    ``cased`` is the same with its capital letters.
    """

    text: str
    cased: str
    form: Normalised
    start: int
    offset: int

    def span(self, start: int, end: int) -> Span:
        """The span in the answer of a stretch of this sentence."""
        span = self.form.original_span(self.start + start, self.start + end)
        return Span(start=self.offset + span.start, end=self.offset + span.end)


def _without_thoughts(text: str) -> str:
    """The text with what precedes the last line that begins with "Answer:" replaced by spaces."""
    start = position = 0
    for line in text.splitlines(keepends=True):
        label = context.FINAL_ANSWER.match(line.lower()) if ":" in line or "：" in line else None
        rest = text[position + label.end() :] if label else ""
        if label and any(map(str.isalnum, rest)):
            start = position
        position += len(line)
    return " " * start + text[start:]


def answer_sentences(text: str) -> Iterator[Sentence]:
    """The sentences of ``text`` in lower case."""
    unquoted = _without_quotations(without_other_fields(_without_thoughts(text)))
    for outer in _lines(unquoted):
        form = normalise(outer.of(unquoted))
        # A full-width stop ends a sentence only after it is normalised.
        has_wide_stop = any(stop in outer.of(unquoted) for stop in _WIDE_STOPS)
        whole = Span(start=0, end=len(form.text))
        for inner in sentences(form.text) if has_wide_stop else (whole,):
            # A code is read as words: INSUFFICIENT_CONTEXT.
            coded = _UNDERSCORE.sub(" ", inner.of(form.text))
            plain = _without_references(coded)
            lower = plain.lower()
            # A letter whose lower case has two letters would move all offsets after it.
            text_form = lower if len(lower) == len(plain) else plain
            yield Sentence(text_form, plain, form, inner.start, outer.start)


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
    unquoted = context.QUOTATION.sub(
        lambda match: context.QUOTED + " " * (len(match.group()) - 1), text
    )
    for mark in list(context.EDITORIAL.finditer(unquoted.lower())) if _BRACKET.search(text) else ():
        unquoted = unquoted[: mark.start()] + " " * len(mark.group()) + unquoted[mark.end() :]
    if unquoted == text:
        return text
    return unquoted if any(map(str.isalpha, _without_references(unquoted))) else text


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
    for span in references:
        plain = plain[: span.start] + " " * (span.end - span.start) + plain[span.end :]
    return plain
