"""The score of one answer: required phrases, forbidden phrases, and a page citation.

::

    include_rate   = include_hits / include_total          1.0 if nothing is required
    safe_ok        = 1.0 if the answer contains no forbidden phrase, else 0.0
    base_score     = 0.7 · include_rate + 0.3 · safe_ok
    question_score = max(0.0, base_score − citation_penalty)
    weighted_score = Σ question_score · weight / Σ weight

``include_total`` counts every phrase of ``must_include`` and every group of
``must_include_any``. ``citation_penalty`` is 0.2 if a citation is required and the answer names
no page, else 0.0. Whether the cited page exists and supports the answer does not change the
score; it is reported separately.

A phrase may be a number with a comparator: ``>1234.5``, ``более 99``, ``不少于 5``, ``at least 10``.
A comparator has one of four meanings, which it may express by a sign or in words of any of the
three languages. A phrase is found where the answer has its number with a comparator of the same
meaning: ``более 99`` is in "свыше 99", but not in "не более 99" and not in "99".
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files
from math import fsum
from typing import Any, Final, Literal, NamedTuple

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from assay.checks.abstention import abstains
from assay.checks.answer import said_span
from assay.jobs.quality.expectation import Expectation
from assay.text.character import HAN
from assay.text.citation import citation_spans, extract_page_numbers, marked_page_numbers
from assay.text.date import Date
from assay.text.date import read_dates as dates
from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.normalise import Ranges, Span, normalise, normalised
from assay.text.number import Number, numbers, same_number, same_value
from assay.text.number_word import is_part_of_value
from assay.text.numeral import NUMERAL
from assay.text.search_term import find_phrase, tagged_words, tokens
from assay.text.sentence import pieces
from assay.text.thought import ScoredAnswer, scored_answer

_COMPARATOR_REACH: Final = 40
"""How many characters before and after a number may belong to its comparator."""


class Compared(NamedTuple):
    """The meaning of a phrase's comparator, and the rest of the phrase, which has the number."""

    meaning: str
    rest: str


class _Patterns(NamedTuple):
    meanings: Mapping[str, str]
    leading: re.Pattern[str]
    before: re.Pattern[str]
    after_meanings: Mapping[str, str]
    after: re.Pattern[str]


def compared_phrase(phrase: str) -> Compared | None:
    """The comparator and the rest of a phrase; ``None`` if it does not begin with a comparator.

    >>> compared_phrase("более 99%"), compared_phrase("≥ 5 лет").meaning
    (Compared(meaning='more', rest='99%'), 'at_least')
    >>> compared_phrase("более важно") is None
    True
    """
    patterns = _patterns()
    match = patterns.leading.match(phrase.strip())
    if match is None:
        return None
    rest = phrase.strip()[match.end() :].strip()
    parts = pieces(rest)
    if not parts or parts[0].number is None:
        return None
    return Compared(meaning=patterns.meanings[_key(match[1])], rest=rest)


def has_comparator(meaning: str, text: str, span: Span) -> bool:
    """Whether the number at ``span`` has a comparator of this meaning, and no other one.

    >>> has_comparator("more", "Выросла более чем на 99%.", Span(start=21, end=24))
    True
    >>> has_comparator("more", "не более 99", Span(start=9, end=11))
    False
    """
    patterns = _patterns()
    before = _folded(text[max(0, span.start - _COMPARATOR_REACH) : span.start])
    after = _folded(text[span.end : span.end + _COMPARATOR_REACH])
    match = patterns.before.search(before)
    if match is not None:
        return patterns.meanings[_key(match[1])] == meaning
    following = patterns.after.match(after)
    return following is not None and patterns.after_meanings[_key(following[1])] == meaning


def _key(words: str) -> str:
    return " ".join(_folded(words).replace(",", " ").split())


def _folded(text: str) -> str:
    return normalised(text, fold_case=True)


@cache
def _patterns() -> _Patterns:
    source = files("assay.jobs.quality") / "comparator.toml"
    table = tomllib.loads(source.read_text(encoding="utf-8"))
    filler = rf"(?:\s*(?:{'|'.join(table.pop('filler'))})(?=\s|\Z))?"
    meanings = {_key(word): meaning for meaning, words in table.items() for word in words["before"]}
    after = {_key(word): meaning for meaning, words in table.items() for word in words["after"]}
    return _Patterns(
        meanings=meanings,
        leading=re.compile(rf"({_alternatives(meanings)})", re.IGNORECASE),
        # the longest expression wins, because the search begins farthest to the left
        before=re.compile(rf"({_alternatives(meanings)}){filler}[\s$€£¥₽]*\Z"),
        after_meanings=after,
        after=re.compile(rf"[^.;,。；，]{{0,12}}?\s*({_alternatives(after)})"),
    )


def _alternatives(words: Mapping[str, str]) -> str:
    """An alternation of the words, the longest first; words of letters match as a whole."""
    return "|".join(map(_expression, sorted(words, key=len, reverse=True)))


def _expression(word: str) -> str:
    escaped = r",?\s+".join(map(re.escape, word.split()))
    if re.search(r"[a-zа-я]", word):
        return rf"(?<![^\W\d_]){escaped}(?![^\W\d_])"
    return escaped


# Whether Chinese characters are only the beginning of a longer word or name.

_HAN_RUN: Final = re.compile(f"[{HAN}]+")
_REACH: Final = 12
"""How many characters before and after a mention are cut into words."""
_NAME_SIZE: Final = 2
"""The size of a Chinese name that may be the beginning of a longer one: 王明, 王明月."""
_SUFFIX: Final = lazy_pattern(lambda: alternatives("compound.suffix", "zh"), re.NOFLAG)
_PARTICLE_TAGS: Final = ("u", "p", "c", "d", "v", "r", "f", "y", "q", "n", "t", "k")
"""Tags of single characters after a name that do not belong to it; ``n`` is 妻, 家."""
_NAME_TAGS: Final = ("ns", "nr", "nz", "nt")


def continues_as_longer_word(text: str, mention: Span) -> bool:
    """Whether the Chinese word or name at ``mention`` goes on after it, and so is another one.

    A suffix that only says what kind of thing it is (南京市, 红色) makes no other word.

    >>> [continues_as_longer_word(text, Span(start=0, end=2)) for text in ("王明月", "中国银行")]
    [True, True]
    >>> [continues_as_longer_word(text, Span(start=0, end=2)) for text in ("王明说", "南京市")]
    [False, False]
    """
    run = _HAN_RUN.match(text, mention.end)
    phrase = mention.of(text)
    if run is None or _HAN_RUN.fullmatch(phrase) is None:
        return False
    before = re.search(f"[{HAN}]*\\Z", text[max(0, mention.start - _REACH) : mention.start])
    head = before.group() if before else ""
    window = head + phrase + run.group()[:_REACH]
    simple = normalised(window, simplify=True)
    if len(simple) != len(window):
        simple = window
    start, end = len(head), len(head) + len(phrase)
    position = 0
    tagged = tagged_words(simple)
    for index, (word, tag) in enumerate(tagged):
        following = position + len(word)
        if position < end < following:
            return _is_other_word(simple[start:end], word, tag, position - start, end - position)
        if following == end and index + 1 < len(tagged):
            return _is_longer_name(simple[start:end], tag, *tagged[index + 1])
        position = following
    return False


def _is_other_word(phrase: str, word: str, tag: str, offset: int, inside: int) -> bool:
    """Whether a word that goes on after the phrase makes it another one.

    ``offset`` is where the word begins in the phrase, ``inside`` how much of it is in the phrase.
    """
    rest = word[inside:]
    if _SUFFIX.fullmatch(rest):
        return False
    if offset > 0:  # 李|华东: the segmenter cuts the name otherwise
        return tag != "t" and _is_person(phrase)
    if tag.startswith("nr") and _is_verb(rest):  # 李华说
        return False
    return tag.startswith("n") and not (len(rest) >= _NAME_SIZE and _is_person(rest))


def _is_verb(text: str) -> bool:
    """Whether a character is nothing but a verb or a particle when it stands alone."""
    tag = tagged_words(text)[0][1] if len(text) == 1 else ""
    return tag.startswith(("v", "p", "c", "u", "d", "r")) and tag != "vn"


def _is_longer_name(phrase: str, tag: str, following: str, following_tag: str) -> bool:
    """Whether a single character after a name of a person is its third: 王明|月."""
    return (
        tag.startswith("nr")
        and len(phrase) == _NAME_SIZE
        and len(following) == 1
        and following not in NUMERAL
        and (following_tag in _NAME_TAGS or not following_tag.startswith(_PARTICLE_TAGS))
    )


def _is_person(text: str) -> bool:
    tagged = tagged_words(text)
    return len(tagged) == 1 and tagged[0][1].startswith("nr")


# Whether an answer contains a phrase, judged as a human reader would, and where.
#
# The comparison itself is ``assay.text.search_term.find_phrase``. This module adds three cases that mean the
# same to a reader:
#
# * a figure may be followed by a scale word: ``37,4 тыс. руб.`` contains ``37,4``, although the
#   value of the number is 37 400;
# * a word may touch digits: ``235млн`` contains ``млн``, and ``20XX`` contains ``XX``;
# * Markdown emphasis (``не **указано**``) is ignored.
#
# Traditional and simplified Chinese characters count as equal. ``phrase_span`` requires the same
# form of each word. ``required_span`` also finds an inflected form of a single word, a number with the
# same comparator in other words (``compared_phrase``), a value in another notation, and a number without a
# sign where the text has one (``78,3%`` in «минус 78,3%»). It does not find a Chinese name in a longer one
# (王明 in 王明月).

_EMPHASIS: Final = re.compile(r"(?<!\d)[*`]+|[*`]+(?!\d)")
_INVISIBLE: Final = "\u2060"
_SCALE: Final = lazy_pattern(lambda: alternatives("quality.scale"))
_SIGN: Final = re.compile(
    r"(?<![\w.,])[-+\u2212\u2013](?=\d)|(?:минус|плюс|minus|plus|负|正)\s?(?=\d)"
)
_ENDING: Final = 3
"""A word that is longer by more letters is another word: organ, organization."""
_LETTER: Final = r"[^\W\d_]"


def phrase_span(phrase: str, text: str) -> Span | None:
    """The first occurrence of ``phrase``, as offsets in ``text``; ``None`` if there is none.

    >>> answer = "Выручка **12 641,0** млн руб., на 7,6 % больше."
    >>> [bool(phrase_span(phrase, answer)) for phrase in ("12641", "7,6%", "7,6", "641", "млрд")]
    [True, True, True, False, False]
    """
    plain = text if _EMPHASIS.search(phrase) else _without_emphasis(text)
    span = find_phrase(phrase, plain, simplify=True)
    if span is not None:
        return span
    if any(piece.number for piece in pieces(phrase)):
        return find_phrase(phrase, detach_scale_words(plain), simplify=True)
    return _span_between_digits(phrase, plain)


def required_span(phrase: str, text: str) -> Span | None:
    """The first place where ``text`` says a required ``phrase``; ``None`` if there is none.

    >>> required_span("отчёт", "по данным отчёта").of("по данным отчёта")
    'отчёта'
    >>> text = "Прибыль составила свыше 1 234,5 млн руб."
    >>> required_span(">1234.5", text).of(text)
    '1 234,5'
    >>> required_span("более 99", "не более 99 %") is None
    True
    >>> required_span("王明", "王明月") is None, required_span("78,3%", "минус 78,3%") is not None
    (True, True)
    """
    compared = compared_phrase(phrase)
    if compared is not None:
        return _compared_span(compared.meaning, compared.rest, text)
    span = _whole_word_span(phrase, text)
    if span is not None:
        return span
    plain = _without_emphasis(text)
    is_value = bool(numbers(phrase) or dates(phrase))
    if is_value or (len(tokens(phrase)) == 1 and not phrase.isupper()):
        span = said_span(phrase, plain)
        if span is not None and not is_value and span.end - span.start - len(phrase) > _ENDING:
            return None
        if span is None and is_value and not _SIGN.search(phrase):
            span = said_span(phrase, _SIGN.sub(lambda sign: " " * len(sign.group()), plain))
        return span
    return None


def _whole_word_span(phrase: str, text: str) -> Span | None:
    """The first occurrence that is not only the beginning of a longer Chinese word or name."""
    start = 0
    while (span := phrase_span(phrase, text[start:])) is not None:
        place = Span(start=start + span.start, end=start + span.end)
        if not continues_as_longer_word(text, place):
            return place
        start = max(place.end, start + 1)
    return None


def _compared_span(meaning: str, rest: str, text: str) -> Span | None:
    """The first number of ``rest`` that has a comparator of this meaning."""
    start = 0
    while (span := phrase_span(rest, text[start:])) is not None:
        place = Span(start=start + span.start, end=start + span.end)
        if has_comparator(meaning, _without_emphasis(text), place):
            return place
        start = place.end
    return None


@lru_cache(maxsize=128)
def detach_scale_words(text: str) -> str:
    """The text with marks that keep a figure from being multiplied by its scale word.

    The length stays the same, so offsets remain valid.

    >>> detach_scale_words("37,4 тыс. руб.")
    '37,4|тыс. руб.'
    """
    return _SCALE.sub(lambda match: "|" * len(match.group()), text)


@lru_cache(maxsize=128)
def _without_emphasis(text: str) -> str:
    """The text with each emphasis sign replaced by an invisible character of the same length."""
    return _EMPHASIS.sub(lambda match: _INVISIBLE * len(match.group()), text)


def _span_between_digits(phrase: str, text: str) -> Span | None:
    """The first occurrence of a phrase without numbers that may touch digits, but no letters."""
    words = normalise(phrase, fold_case=True, simplify=True).text.split()
    if not words or not (words[0][0].isalpha() and words[-1][-1].isalpha()):
        return None
    normal_text = normalise(text, fold_case=True, simplify=True)
    pattern = r"\s+".join(map(re.escape, words))
    for match in re.finditer(rf"(?<!{_LETTER}){pattern}(?!{_LETTER})", normal_text.text):
        if not is_part_of_value(normal_text.text, match.start(), match.end()):
            return normal_text.original_span(match.start(), match.end())
    return None


# Page citations of an answer: whether the pages exist and contain what the answer states.

_ITEM_NUMBER: Final = re.compile(r"[.)）、]\s")


def cited_pages(answer: str) -> list[int]:
    """The pages that an answer cites, without repetitions.

    If any page is cited in brackets, only pages in brackets count; otherwise every page that
    the answer mentions counts.

    >>> cited_pages("На странице 80 приложения — 30 дней (стр. 4)."), cited_pages("p. 7")
    ([4], [7])
    """
    return marked_page_numbers(answer) or extract_page_numbers(answer)


def pages_exist(cited: Sequence[int], page_count: int) -> bool | None:
    """Whether the document has every cited page; ``None`` if no page is cited.

    >>> pages_exist([3, 9], 8), pages_exist([3], 8), pages_exist([], 8)
    (False, True, None)
    """
    return all(1 <= page <= page_count for page in cited) if cited else None


def unsupported_facts(
    question: str, answer: str, phrase_groups: Sequence[Sequence[str]], pages: Sequence[str]
) -> list[str] | None:
    """Facts of the answer that none of its cited pages contains; ``None`` if undefined.

    Facts are the figures and dates of the answer, except those that the question already
    contains and the numbers of citations and list items. The required phrases that the answer
    contains are facts too: each of ``phrase_groups`` is a group of alternatives, and a page may
    contain any of them. Undefined if no page is cited or the answer states no fact. A cited page
    that does not exist supports nothing.

    >>> page = "Персонал: 4 547 человек на 31.12.2023."
    >>> unsupported_facts("Сколько?", "4547 человек (стр. 1).", [["4 547"]], [page])
    []
    >>> unsupported_facts("Сколько?", "4600 человек (стр. 1).", [], [page])
    ['4600']
    """
    cited = cited_pages(answer)
    texts = [pages[page - 1] for page in cited if 1 <= page <= len(pages)]
    days = [date for date in dates(answer) if date.month is not None]
    figures = list(_stated_figures(question, answer, days))
    question_dates = {date.iso for date in dates(question)}
    stated_dates = [date for date in days if date.iso not in question_dates]
    if not cited or not (figures or stated_dates or phrase_groups):
        return None
    missing = [group[0] for group in phrase_groups if not _any_contains(texts, group)]
    missing += [
        answer[date.start : date.end]
        for date in stated_dates
        if not any(_contains_date(text, date) for text in texts)
    ]
    missing += [
        answer[number.start : number.end].strip()
        for number in figures
        if not any(_contains_figure(text, answer[number.start : number.end]) for text in texts)
    ]
    return list(dict.fromkeys(missing))


def _stated_figures(question: str, answer: str, days: Sequence[Date]) -> Iterator[Number]:
    """Figures in digits that the answer itself states.

    Figures of the question, numbers within citations and dates, and numbers of list items are
    left out.
    """
    cited = [(span.start, span.end) for span in citation_spans(answer)]
    excluded = Ranges([*cited, *((date.start, date.end) for date in days)])
    question_numbers = numbers(question)
    for number in numbers(answer):
        is_excluded = number.start in excluded
        is_item = _starts_line(answer, number.start) and _ITEM_NUMBER.match(answer, number.end)
        written = answer[number.start : number.end]
        if is_excluded or is_item or not any(map(str.isdigit, written)):
            continue
        if not any(same_number(number, other) for other in question_numbers):
            yield number


def _starts_line(text: str, position: int) -> bool:
    """Whether only blanks and bullets come before ``position`` in its line."""
    return not text[text.rfind("\n", 0, position) + 1 : position].strip(" \t*-•")


def _contains_figure(text: str, written: str) -> bool:
    """Whether a page contains the figure, with or without its scale word, sign and unit."""
    return any(
        same_value(figure, other) for figure in _figures(written) for other in _figures(text)
    )


@lru_cache(maxsize=1024)
def _figures(text: str) -> tuple[Number, ...]:
    """Absolute values of the numbers of a text, first with and then without scale words."""
    both = (*numbers(text), *numbers(detach_scale_words(text)))
    return tuple(
        replace(number, value=abs(number.value), alternative=_absolute_alternative(number))
        for number in both
    )


def _absolute_alternative(number: Number) -> Decimal | None:
    return None if number.alternative is None else abs(number.alternative)


def _any_contains(texts: Sequence[str], phrases: Sequence[str]) -> bool:
    return any(required_span(phrase, text) for text in texts for phrase in phrases)


def _contains_date(text: str, expected: Date) -> bool:
    """Whether a page contains the date; a missing day or year matches every day or year."""
    return any(
        date.month == expected.month
        and _equal_if_known(date.day, expected.day)
        and _equal_if_known(date.year, expected.year)
        for date in dates(text)
    )


def _equal_if_known(first: int | None, second: int | None) -> bool:
    return first is None or second is None or first == second


# The mean of scores by their weights, which comparing two runs needs without the scores' rules.

DIGITS: Final = 12  # so that 0.7 · 0.5 + 0.3 gives 0.65, not 0.6499999999999999


def weighted_score(scores: Iterable[tuple[float, float]]) -> float | None:
    """``Σ score · weight / Σ weight`` of (score, weight) pairs; ``None`` if Σ weight is 0.

    >>> weighted_score([(1.0, 3.0), (0.5, 1.0)]), weighted_score([])
    (0.875, None)
    """
    pairs = list(scores)
    total = fsum(weight for _, weight in pairs)
    if total <= 0:
        return None
    return round(fsum(score * weight for score, weight in pairs) / total, DIGITS)


INCLUDE_SHARE: Final = 0.7
SAFE_SHARE: Final = 0.3
CITATION_PENALTY: Final = 0.2

PhraseRule = Literal["must_include", "must_include_any", "must_not_include"]


class PhraseMatch(Struct, frozen=True, kw_only=True):
    """One phrase or group of alternatives, and where the answer contains it.

    Attributes:
        rule: the list of the expectation that the phrase or group comes from.
        wanted: the phrase, or all alternatives of the group.
        phrase: the alternative that the answer contains; ``None`` if it contains none.
        text: the phrase as the answer writes it.
        start: offset of ``text`` in the answer.
        end: offset after ``text`` in the answer.
    """

    rule: PhraseRule
    wanted: list[str]
    phrase: str | None = None
    text: str | None = None
    start: int | None = None
    end: int | None = None


def score_answer(
    expected: Expectation, question: str, answer: str, pages: Sequence[str] | None
) -> dict[str, Any]:
    """The fields that scoring adds to a row: metrics, matches, cited pages, unsupported facts.

    ``pages`` are the texts of the document's pages in order, ``None`` if they are not known.

    Some metrics can be undefined (``None``):

    * ``citation_ok`` if no citation is required;
    * ``citation_page_exists`` if no page is cited or ``pages`` is ``None``;
    * ``citation_supported`` in the same cases, and also if the answer abstains or states no
      fact that can be looked up.

    >>> expected = Expectation(must_include=("2023", "7,6%"), require_citation=True)
    >>> pages = ["", "В 2023 году рост 7,6%."]
    >>> row = score_answer(expected, "Рост?", "В 2023 году (стр. 2).", pages)
    >>> metrics = row["metrics"]
    >>> metrics["include_rate"], metrics["safe_ok"], metrics["citation_penalty"]
    (0.5, 1.0, 0.0)
    >>> metrics["score"], metrics["citation_supported"]
    (0.65, True)
    """
    reply, stated = answer, scored_answer(answer)
    answer = stated.text
    find = phrase_span if expected.exact is True else required_span
    required = [
        *[_match("must_include", (phrase,), answer, find) for phrase in expected.must_include],
        *[_match("must_include_any", group, answer, find) for group in expected.must_include_any],
    ]
    forbidden = [
        _match("must_not_include", (phrase,), answer, phrase_span)
        for phrase in expected.must_not_include
    ]
    hits = [match for match in required if match.phrase is not None]
    cites = bool(extract_page_numbers(answer))
    rate = include_rate(len(hits), len(required))
    safe = 0.0 if any(match.phrase is not None for match in forbidden) else 1.0
    penalty = CITATION_PENALTY if expected.require_citation and not cites else 0.0
    score = question_score(rate, safe, penalty)
    cited = cited_pages(answer)
    unsupported = None
    if pages is not None and not abstains(answer, question):
        unsupported = unsupported_facts(question, answer, [hit.wanted for hit in hits], pages)
    return {
        "metrics": {
            "score": score,
            "include_hits": len(hits),
            "include_total": len(required),
            "include_rate": rate,
            "safe_ok": safe,
            "base_score": base_score(rate, safe),
            "citation_penalty": penalty,
            "question_score": score,
            "citation_ok": cites if expected.require_citation else None,
            "citation_page_exists": None if pages is None else pages_exist(cited, len(pages)),
            "citation_supported": None if unsupported is None else not unsupported,
        },
        "matches": to_builtins(
            [_in_reply(match, reply, stated) for match in (*required, *forbidden)]
        ),
        "cited_pages": cited,
        "unsupported": unsupported or [],
    }


def include_rate(hits: int, total: int) -> float:
    """``hits / total``; 1.0 if nothing is required.

    >>> include_rate(1, 2), include_rate(0, 0)
    (0.5, 1.0)
    """
    return hits / total if total else 1.0


def base_score(rate: float, safe_ok: float) -> float:
    """``0.7 · include_rate + 0.3 · safe_ok``.

    >>> base_score(0.5, 1.0), base_score(1.0, 1.0)
    (0.65, 1.0)
    """
    return round(INCLUDE_SHARE * rate + SAFE_SHARE * safe_ok, DIGITS)


def question_score(rate: float, safe_ok: float, penalty: float) -> float:
    """``max(0.0, base_score − citation_penalty)``.

    >>> question_score(0.0, 0.0, 0.2), question_score(1.0, 1.0, 0.2)
    (0.0, 0.8)
    """
    return max(0.0, round(base_score(rate, safe_ok) - penalty, DIGITS))


def _match(
    rule: PhraseRule,
    alternatives: tuple[str, ...],
    answer: str,
    find: Callable[[str, str], Span | None],
) -> PhraseMatch:
    """The first of the alternatives, in the order of the question, that the answer contains."""
    for phrase in alternatives:
        span = find(phrase, answer)
        if span is not None:
            return PhraseMatch(
                rule=rule,
                wanted=list(alternatives),
                phrase=phrase,
                text=span.of(answer),
                start=span.start,
                end=span.end,
            )
    return PhraseMatch(rule=rule, wanted=list(alternatives))


def _in_reply(match: PhraseMatch, reply: str, stated: ScoredAnswer) -> PhraseMatch:
    """The match with its place in the whole reply, thoughts included."""
    if match.start is None or match.end is None:
        return match
    span = stated.in_reply(Span(start=match.start, end=match.end))
    return replace(match, start=span.start, end=span.end, text=span.of(reply))
