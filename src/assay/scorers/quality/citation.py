"""Page citations of an answer: whether the pages exist and contain what the answer states."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from assay.scorers.quality.phrase import detach_scale_words, required_span
from assay.text import (
    Date,
    Number,
    Ranges,
    citation_spans,
    dates,
    extract_page_numbers,
    marked_page_numbers,
    numbers,
    same_number,
)
from assay.text.number import same_value

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
