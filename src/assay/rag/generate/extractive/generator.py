"""The built-in generator: offline, deterministic and without a model. It quotes or abstains."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from assay.rag.generate.extractive.question_analysis import content_words, question_parts
from assay.rag.generate.extractive.support import Support, support
from assay.rag.generate.protocol import ROLES, citation, first_words
from assay.records import Passage
from assay.text import (
    HAN,
    NO_MENTION,
    Language,
    Span,
    dates,
    language,
    normalised,
    numbers,
    without_citations,
)
from assay.text.lexicon import entry

THRESHOLD: Final = 0.15
"""If the best support is below this value, the generator returns the no-mention answer.

It is the highest multiple of 0.05 at which, in each language of the samples, at most one in ten
questions whose answer was retrieved gets the no-mention answer (``bench/extractive.py`` prints
the curve).
"""
MOST_SENTENCES: Final = 3
"""The largest number of sentences in one answer."""
RANK: Final = 0.5
"""The bonus for high ranks: the support of the passage with rank n is multiplied by 1 + RANK/n."""
PART_SHARE: Final = 0.5
"""The weight of a part's own support when its sentences are chosen.

The remaining weight is that of the support for the complete question.
"""

_TOKEN: Final = re.compile(rf"[{HAN}]+|[^\W{HAN}]+(?:[-'’.,/][^\W{HAN}]+)*")
_END: Final = " \t\r\n?？!！.。,，;；:：…"


class _Quote(Struct, frozen=True, kw_only=True):
    """A sentence to quote: the index of its passage, and its span in the passage."""

    passage: int
    span: Span


class ExtractiveGenerator:
    """Quotes the sentences with the best support, and rewrites questions by rules, offline."""

    def __init__(self, *, threshold: float = THRESHOLD) -> None:
        self.threshold = threshold

    @property
    def identity(self) -> str:
        """The version of the method and the threshold."""
        return f"extractive-2 threshold={self.threshold:g}"

    @property
    def makes_calls(self) -> bool:
        """Always False."""
        return False

    async def expand(self, question: str, count: int) -> list[str]:
        """Return the distinct wordings that the rules give.

        They are the keywords of the question, the question with canonical numbers and dates, its
        parts, and the keywords of its parts.
        """
        return _distinct(question, _wordings(question))[: max(count, 0)]

    async def hypothesise(self, question: str, max_words: int) -> str:
        """Return the question as a statement: question words become words of the expected kind."""
        return first_words(_statement(question), max_words)

    async def grade(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """Return the support of each passage."""
        return [support(question, passage.text).score for passage in passages]

    async def answer(self, question: str, passages: Sequence[Passage], citation_style: str) -> str:
        """Quote one to three sentences, each with its citation; or return the no-mention answer."""
        question_language = language(question)
        quotes = _quotes(question, passages, self.threshold)
        if not quotes:
            return NO_MENTION[question_language]
        gap = "" if question_language == "zh" else " "
        sentences = []
        for quote in quotes:
            passage = passages[quote.passage]
            text = without_citations(quote.span.of(passage.text), pages=citation_style == "page")
            mark = citation(quote.passage + 1, passage.page, citation_style, question_language)
            sentences.append(f"{text}{gap}{mark}")
        return gap.join(sentences)

    def calls(self) -> Mapping[str, int]:
        """The number of model calls for each role, always 0."""
        return dict.fromkeys(ROLES, 0)

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


def _quotes(question: str, passages: Sequence[Passage], threshold: float) -> list[_Quote]:
    """The best sentences for each part of the question whose support reaches the threshold."""
    supports = [support(question, passage.text) for passage in passages]
    quotes: dict[_Quote, None] = {}
    for part in question_parts(question):
        part_supports = [support(part, passage.text) for passage in passages]
        quotes |= _best_quotes(part_supports, supports, passages, threshold)
    # The complete question is used only if none of its parts gave a quote.
    return list(quotes or _best_quotes(supports, supports, passages, threshold))[:MOST_SENTENCES]


def _best_quotes(
    part_supports: Sequence[Support],
    question_supports: Sequence[Support],
    passages: Sequence[Passage],
    threshold: float,
) -> dict[_Quote, None]:
    """The sentences of the passage that best supports a part and the complete question.

    Empty if the best score is below the threshold. The dict is used as an ordered set.
    """
    scores = [
        PART_SHARE * part.score + (1 - PART_SHARE) * question.score
        for part, question in zip(part_supports, question_supports, strict=True)
    ]
    if max(scores, default=0.0) < threshold:
        return {}
    ranked = [
        score * (1 + RANK / (passage.rank or 1))
        for score, passage in zip(scores, passages, strict=True)
    ]
    best = ranked.index(max(ranked))
    return {_Quote(passage=best, span=span): None for span in part_supports[best].spans}


def _wordings(question: str) -> Iterator[str]:
    yield " ".join(_keywords(question))
    yield _canonical(question)
    for part in question_parts(question):
        yield part
    for part in question_parts(question):
        yield " ".join(_keywords(part))


def _distinct(question: str, wordings: Iterable[str]) -> list[str]:
    """The wordings that differ from the question and from each other in more than punctuation."""
    seen = {_letters(question), ""}
    distinct: list[str] = []
    for wording in wordings:
        key = _letters(wording)
        if key not in seen and content_words(wording):
            seen.add(key)
            distinct.append(wording)
    return distinct


def _letters(text: str) -> str:
    """The normalised letters and digits of a text, without spaces and punctuation."""
    return "".join(filter(str.isalnum, normalised(text, fold_case=True)))


def _keywords(text: str) -> list[str]:
    """The content words as written in the text; Chinese text is split into words."""
    keywords: list[str] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        if re.match(f"[{HAN}]", token):
            keywords.extend(content_words(token))
        elif content_words(token):
            keywords.append(token)
    return list(dict.fromkeys(keywords))


def _canonical(text: str) -> str:
    """The text with every date and number in its canonical form."""
    text_dates = dates(text)
    forms = [(date.start, date.end, date.iso) for date in text_dates]
    forms += [
        (number.start, number.end, number.canonical)
        for number in numbers(text)
        if not any(date.start < number.end and number.start < date.end for date in text_dates)
    ]
    for start, end, form in sorted(forms, reverse=True):
        text = f"{text[:start]}{form}{text[end:]}"
    return text


def _statement(question: str) -> str:
    question_language = language(question)
    stop = "。" if question_language == "zh" else "."
    gap = "" if question_language == "zh" else " "
    clauses = [clause.strip(_END) for clause in re.split(r"[?？]", question)]
    statements = [_fill_placeholders(clause, question_language) for clause in clauses if clause]
    return gap.join(f"{text[:1].upper()}{text[1:]}{stop}" for text in statements if text)


def _fill_placeholders(clause: str, language: Language) -> str:
    """The clause with its question words replaced by placeholders."""
    for pattern, placeholder in entry(language, "extractive.placeholders"):
        bounded = pattern if language == "zh" else rf"(?<!\w)(?:{pattern})(?!\w)"
        clause = re.sub(bounded, placeholder, clause, flags=re.IGNORECASE)
    return " ".join(clause.split())
