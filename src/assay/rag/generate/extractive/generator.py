"""The embedded generator: offline, deterministic, no model. It quotes, or it abstains."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from assay.rag.generate.extractive.question_analysis import content_words, question_parts
from assay.rag.generate.extractive.support import Support, support
from assay.rag.generate.protocol import ROLES, citation, shortened
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

THRESHOLD: Final = 0.15
"""Support under which the answer is that nothing is mentioned.

The highest step of 0.05 at which, in each language of the samples, no more than one in ten
questions whose answer was retrieved is given up (``bench/extractive.py`` has the curve).
"""
MOST_SENTENCES: Final = 3
"""Sentences quoted in one answer at most."""
RANK: Final = 0.5
"""How much more the first passage counts than its support; the n-th gets a n-th of that."""
PART_SHARE: Final = 0.5
"""Share of a part's own support in choosing its sentences; the rest is the whole question's."""

_TOKEN: Final = re.compile(rf"[{HAN}]+|[^\W{HAN}]+(?:[-'’.,/][^\W{HAN}]+)*")
_END: Final = " \t\r\n?？!！.。,，;；:：…"

# In each language the longer wording stands before the shorter one that it contains.
_PLACEHOLDERS: Final[Mapping[Language, Sequence[tuple[str, str]]]] = {
    "en": (
        (r"how much money|how much", "an amount"),
        (r"how many", "a number of"),
        (r"how (?:long|soon|quickly|fast)", "within a number of days"),
        (r"how often", "every number of days"),
        (r"how (?:far|high|deep|large|big|tall)", "a distance of metres"),
        (r"(?:what|which) (?:date|day|time|year|month)|when", "on a date"),
        (r"where", "at a place"),
        (r"whose", "a person's"),
        (r"who|whom", "a person"),
        (r"why", "for the reason that"),
        (r"how", "in a manner"),
        (r"what (?:is|are|was|were|do|does|did|would|will|can|may|must)|what|which", "the"),
        (r"^(?:do|does|did)|(?<=[.,;] )(?:do|does|did)", ""),
    ),
    "ru": (
        (r"сколько времени|как долго|за сколько \w+", "в срок дней"),
        (r"как часто", "каждые несколько дней"),
        (r"во сколько обойд[её]тся|почём|какую сумму|какую цену", "сумма руб."),
        (r"насколько|на сколько", "на величину"),
        (r"сколько|скольких", "количество"),
        (r"какого числа|(?:в|с|до) как(?:ом|ого) (?:году|года|месяце|месяца)|когда", "дата года"),
        (r"где|куда|откуда", "место"),
        (r"(?<!, )(?:кто|кого|кому|кем|ком)", "лицо"),
        (r"почему|зачем|отчего", "по причине"),
        (r"как(?:ой|ая|ое|ие|ого|ую|им|их|ов|ова|ово|овы)|что|ли", ""),
        (r"как", "порядок"),
    ),
    "zh": (
        (r"多少钱|多少元|几块钱?", "若干元"),
        (r"多久|多长时间", "若干日"),
        (r"什么时候|何时|哪一?[天日]|几号", "某年某月某日"),
        (r"几点", "某时"),
        (r"哪里|哪儿|何处|什么地方", "某处"),
        (r"谁|哪位|何人", "某人"),
        (r"多[大高远长]", "若干"),
        (r"多少|几", "若干"),
        (r"为什么|为何", "因为"),
        (r"能不能|可不可以|能否|行不行", "可以"),
        (r"要不要|是不是|有没有|是否", ""),
        (r"怎么样?|怎样|如何", "按照规定"),
        (r"什么|哪个|哪些", "某项"),
        (r"[吗呢吧]", ""),
    ),
}


class _Quote(Struct, frozen=True, kw_only=True):
    """One sentence to be quoted: which passage it is of, and its place there."""

    passage: int
    span: Span


class ExtractiveGenerator:
    """Quotes the best-supported sentences; rewrites by rules. Makes no model calls."""

    def __init__(self, *, threshold: float = THRESHOLD) -> None:
        self.threshold = threshold

    @property
    def identity(self) -> str:
        """Its version and its threshold."""
        return f"extractive-2 threshold={self.threshold:g}"

    @property
    def makes_calls(self) -> bool:
        """Never: it is embedded."""
        return False

    async def expand(self, question: str, count: int) -> list[str]:
        """Keywords, canonical numbers and dates, and the question's parts, as far as they differ."""
        return _distinct(question, _wordings(question))[: max(count, 0)]

    async def hypothesise(self, question: str, max_words: int) -> str:
        """The question as a statement: each question word becomes a word of the expected kind."""
        return shortened(_statement(question), max_words)

    async def grade(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """The support of each passage."""
        return [support(question, passage.text).score for passage in passages]

    async def answer(self, question: str, passages: Sequence[Passage], citation_style: str) -> str:
        """One to three sentences, word for word, each with its citation; or the abstention."""
        spoken = language(question)
        quotes = _quotes(question, passages, self.threshold)
        if not quotes:
            return NO_MENTION[spoken]
        gap = "" if spoken == "zh" else " "
        told = []
        for quote in quotes:
            passage = passages[quote.passage]
            said = without_citations(quote.span.of(passage.text), pages=citation_style == "page")
            mark = citation(quote.passage + 1, passage.page, citation_style, spoken)
            told.append(f"{said}{gap}{mark}")
        return gap.join(told)

    def calls(self) -> Mapping[str, int]:
        """None in any role."""
        return dict.fromkeys(ROLES, 0)

    async def close(self) -> None:
        """Nothing is held open."""


def _quotes(question: str, passages: Sequence[Passage], threshold: float) -> list[_Quote]:
    """The best window for each part of the question that is supported well enough."""
    whole = [support(question, passage.text) for passage in passages]
    quotes: dict[_Quote, None] = {}
    for part in question_parts(question):
        found = [support(part, passage.text) for passage in passages]
        quotes |= _best(found, whole, passages, threshold)
    # The question as a whole speaks only where none of its parts did.
    return list(quotes or _best(whole, whole, passages, threshold))[:MOST_SENTENCES]


def _best(
    part: Sequence[Support],
    whole: Sequence[Support],
    passages: Sequence[Passage],
    threshold: float,
) -> dict[_Quote, None]:
    """The window that supports a part best in the light of the whole question, if it does."""
    scores = [
        PART_SHARE * own.score + (1 - PART_SHARE) * all_.score
        for own, all_ in zip(part, whole, strict=True)
    ]
    if max(scores, default=0.0) < threshold:
        return {}
    ranked = [
        score * (1 + RANK / (one.rank or 1)) for score, one in zip(scores, passages, strict=True)
    ]
    place = ranked.index(max(ranked))
    return {_Quote(passage=place, span=span): None for span in part[place].spans}


def _wordings(question: str) -> Iterator[str]:
    yield " ".join(_keywords(question))
    yield _canonical(question)
    for part in question_parts(question):
        yield part
    for part in question_parts(question):
        yield " ".join(_keywords(part))


def _distinct(question: str, wordings: Iterable[str]) -> list[str]:
    """The wordings that differ from the question and from each other in more than punctuation."""
    seen = {_folded(question), ""}
    out: list[str] = []
    for wording in wordings:
        key = _folded(wording)
        if key not in seen and content_words(wording):
            seen.add(key)
            out.append(wording)
    return out


def _folded(text: str) -> str:
    return "".join(filter(str.isalnum, normalised(text, fold_case=True)))


def _keywords(text: str) -> list[str]:
    """The content words as they are written, Chinese ones cut apart."""
    out: list[str] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        if re.match(f"[{HAN}]", token):
            out.extend(content_words(token))
        elif content_words(token):
            out.append(token)
    return list(dict.fromkeys(out))


def _canonical(text: str) -> str:
    """The text with every date and number in its canonical form."""
    found = dates(text)
    forms = [(date.start, date.end, date.iso) for date in found]
    forms += [
        (number.start, number.end, number.canonical)
        for number in numbers(text)
        if not any(date.start < number.end and number.start < date.end for date in found)
    ]
    for start, end, form in sorted(forms, reverse=True):
        text = f"{text[:start]}{form}{text[end:]}"
    return text


def _statement(question: str) -> str:
    spoken = language(question)
    stop = "。" if spoken == "zh" else "."
    gap = "" if spoken == "zh" else " "
    clauses = [clause.strip(_END) for clause in re.split(r"[?？]", question)]
    told = [_told(clause, spoken) for clause in clauses if clause]
    return gap.join(f"{clause[:1].upper()}{clause[1:]}{stop}" for clause in told if clause)


def _told(clause: str, spoken: Language) -> str:
    for pattern, placeholder in _PLACEHOLDERS[spoken]:
        bounded = pattern if spoken == "zh" else rf"(?<!\w)(?:{pattern})(?!\w)"
        clause = re.sub(bounded, placeholder, clause, flags=re.IGNORECASE)
    return " ".join(clause.split())
