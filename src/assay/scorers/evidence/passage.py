"""The passages of a text that a quotation may come from: whole sentences, one or several."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

from assay.scorers.evidence.plain import plain
from assay.scorers.evidence.slot import covered
from assay.scorers.evidence.token import sentence_spans
from assay.scorers.evidence.verbatim import is_verbatim, verbatim_words
from assay.text import Span

MAX_SENTENCES: Final = 8
"""The largest number of sentences in a window; the passage of a longer quotation is looked for."""


def passages(quotation: str, text: str) -> list[Span]:
    """Passages of ``text`` that ``quotation`` may come from: windows, and the one found by its words.

    >>> text = "A b. C d. E f. G h. I j. K l. M n. O p. Q r. S t."
    >>> Span(start=0, end=len(text)) in passages(text, text)
    True
    """
    spans = windows(text, len(quotation))
    place = quoted_passage(quotation, text)
    return spans if place is None or place in spans else [*spans, place]


def windows(text: str, length: int) -> list[Span]:
    """Passages of ``text`` that a quotation of ``length`` characters may come from.

    These are all single sentences, all pairs of neighbouring sentences, and longer passages
    until they are about ``length`` characters long.

    >>> [span.of("A b. C d. E f.") for span in windows("A b. C d. E f.", 4)]
    ['A b.', 'A b. C d.', 'C d.', 'C d. E f.', 'E f.']
    """
    sentence_list = sentence_spans(text)
    spans = []
    for index, first in enumerate(sentence_list):
        for last in sentence_list[index : index + MAX_SENTENCES]:
            spans.append(Span(start=first.start, end=last.end))
            # A quotation may leave words out, so its source can be a little longer.
            if last is not first and last.end - first.start > 1.2 * length:
                break
    return spans


@lru_cache(maxsize=512)
def quoted_passage(quotation: str, text: str) -> Span | None:
    """The sentences of ``text`` that a quotation is taken from, however many they are.

    A quotation that is verbatim is found at any length, another one only if it has more sentences than
    a window; otherwise the result is ``None``.

    >>> quoted_passage("b. C", "A b. C d. E f.")
    Span(start=0, end=9)
    """
    words = verbatim_words(quotation, text)
    if words is not None:
        return _verbatim_passage(quotation, text, words)
    if len(sentence_spans(quotation)) <= MAX_SENTENCES:
        return None
    quoted, source = (plain(side).words.split("\n")[1:-1] for side in (quotation, text))
    return _sentences_of(text, *covered(quoted, source))


def _verbatim_passage(quotation: str, text: str, words: tuple[int, int]) -> Span:
    """The sentences with these words; where one is written across their ends, also those beside them."""
    start, end = words
    sentences = sentence_spans(text)
    found = _sentences_of(text, start, end)
    reach = 1
    while not is_verbatim(quotation, found.of(text)) and reach < 2 * len(sentences):
        first, last = (
            bisect_left([sentence.start for sentence in sentences], found.start) - reach,
            bisect_left([sentence.end for sentence in sentences], found.end) + reach,
        )
        found = Span(
            start=sentences[max(0, first)].start,
            end=sentences[min(len(sentences) - 1, last)].end,
        )
        reach *= 2
    return found


def _sentences_of(text: str, first: int, last: int) -> Span:
    """The sentences from the one with word ``first`` to the one with the word before ``last``."""
    sentences = sentence_spans(text)
    counts = _word_counts(text, sentences)
    begin, end = (
        min(bisect_right(counts, word), len(sentences) - 1)
        for word in (first, max(first, last - 1))
    )
    return Span(start=sentences[begin].start, end=sentences[end].end)


def _word_counts(text: str, sentences: Sequence[Span]) -> list[int]:
    """How many words the text has up to the end of each sentence."""
    return list(accumulate(plain(span.of(text)).words.count("\n") - 1 for span in sentences))
