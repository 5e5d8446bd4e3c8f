"""Page citations of an answer: whether the pages exist, and whether they hold what is said."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from assay.scorers.quality.phrase import figures_apart, phrase_span
from assay.text import (
    Date,
    Number,
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
    """The pages an answer rests on, each once: those in brackets or, without any, those named.

    >>> cited_pages("На странице 80 приложения — 30 дней (стр. 4)."), cited_pages("p. 7")
    ([4], [7])
    """
    return marked_page_numbers(answer) or extract_page_numbers(answer)


def pages_exist(cited: Sequence[int], page_count: int) -> bool | None:
    """Whether every cited page is one of the document's; ``None`` where none is cited.

    >>> pages_exist([3, 9], 8), pages_exist([3], 8), pages_exist([], 8)
    (False, True, None)
    """
    return all(1 <= page <= page_count for page in cited) if cited else None


def unsupported_facts(
    question: str, answer: str, said: Sequence[Sequence[str]], pages: Sequence[str]
) -> list[str] | None:
    """What the answer states and none of its cited pages holds; ``None`` where undefined.

    Facts are the figures and dates of the answer, but not those that the question already
    names, nor the numbers of citations and list items; and ``said``, the groups of required
    phrases that the answer says, of which the page may hold any alternative. Undefined where
    no page is cited or there is no fact. A cited page that does not exist holds nothing.

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
    asked = {date.iso for date in dates(question)}
    told = [date for date in days if date.iso not in asked]
    if not cited or not (figures or told or said):
        return None
    missing = [group[0] for group in said if not _any_holds(texts, group)]
    missing += [
        answer[date.start : date.end]
        for date in told
        if not any(_holds_date(text, date) for text in texts)
    ]
    missing += [
        answer[number.start : number.end].strip()
        for number in figures
        if not any(_holds_figure(text, answer[number.start : number.end]) for text in texts)
    ]
    return list(dict.fromkeys(missing))


def _stated_figures(question: str, answer: str, days: Sequence[Date]) -> Iterator[Number]:
    taken = [(one.start, one.end) for one in citation_spans(answer)]
    taken += [(date.start, date.end) for date in days]
    asked = numbers(question)
    for number in numbers(answer):
        within = any(start <= number.start < end for start, end in taken)
        listed = _starts_line(answer, number.start) and _ITEM_NUMBER.match(answer, number.end)
        written = answer[number.start : number.end]
        if within or listed or not any(map(str.isdigit, written)):
            continue
        if not any(same_number(number, one) for one in asked):
            yield number


def _starts_line(text: str, place: int) -> bool:
    return not text[text.rfind("\n", 0, place) + 1 : place].strip(" \t*-•")


def _holds_figure(text: str, written: str) -> bool:
    """Whether a page has the figure, with or without its scale word, sign and unit."""
    return any(same_value(one, other) for one in _figures(written) for other in _figures(text))


@lru_cache(maxsize=1024)
def _figures(text: str) -> tuple[Number, ...]:
    """The numbers of a text as they are read, then as they are written; no sign counts."""
    both = (*numbers(text), *numbers(figures_apart(text)))
    return tuple(replace(one, value=abs(one.value), alternative=_size(one)) for one in both)


def _size(number: Number) -> Decimal | None:
    return None if number.alternative is None else abs(number.alternative)


def _any_holds(texts: Sequence[str], phrases: Sequence[str]) -> bool:
    return any(phrase_span(phrase, text) for text in texts for phrase in phrases)


def _holds_date(text: str, wanted: Date) -> bool:
    """Whether a page has the date; a part that one of the two leaves out fits anything."""
    return any(
        date.month == wanted.month and _fits(date.day, wanted.day) and _fits(date.year, wanted.year)
        for date in dates(text)
    )


def _fits(one: int | None, other: int | None) -> bool:
    return one is None or other is None or one == other
