"""Which required passages an answer's citations carry, and why or why not.

A citation with words carries what its words say, provided they stand on its page (anywhere,
where it names no page). A citation of a page alone carries the whole page. Words that the
document has are compared letter by letter, dots standing for what is left out; where that
fails, by ``aligned``, which allows another wording but no changed number, date or denial. A
quotation that is true to the letter carries in other words only what it shares a place with:
another passage that resembles the required one is still another passage.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from assay.scorers.evidence import THRESHOLD, align, alignment_scores, tokens, windows
from assay.scorers.legal.answer import CitedPassage
from assay.scorers.legal.expectation import EvidenceItem
from assay.text import normalised

_DOTS: Final = re.compile(r"…+|\.{3,}")
PART: Final = 0.4
"""Share of an item's words from which a statement gives part of it."""
NEAR: Final = 0.8
"""Alignment from which a citation's words stand on a page although some differ."""
_LEAST: Final = 3
"""Letters that must be left of a quotation's beginning and of its end."""


class Item(Struct, frozen=True, kw_only=True):
    """A required item: words of a page, and its key point where it has one."""

    must_include: str
    page: int | None = None
    key_point: str | None = None
    is_critical: bool = False

    @property
    def shown(self) -> str:
        """The item on one line, for explanations."""
        return f"“{self.must_include}”" + ("" if self.page is None else f" (page {self.page})")


class EvidenceMatch(Struct, frozen=True, kw_only=True):
    """What became of one required item: the citation that carries it, if any does."""

    item: Item
    carried: bool
    citation: CitedPassage | None = None


class CitationCheck(Struct, frozen=True, kw_only=True):
    """A citation against the document: the text it stands for, or why it stands for none.

    ``source`` is the text it was found in word for word; empty where it was found reworded.
    """

    citation: CitedPassage
    text: str
    source: str = ""
    problem: str | None = None


def aligned(quoted: str, text: str) -> bool:
    """Whether a stretch of ``text`` says what is quoted, nothing that counts being changed.

    >>> aligned("paid in 30 days", "He paid in 30 days."), aligned("paid in 20 days", "He paid in 30 days.")
    (True, False)
    """
    return _likeness(quoted, text) >= THRESHOLD


@lru_cache(maxsize=4096)
def _likeness(quoted: str, text: str) -> float:
    candidates = [span.of(text) for span in windows(text, len(quoted))]
    scores = alignment_scores(quoted, candidates, text)
    return max((one.score for one in scores), default=0.0)


def stands_in(quote: str, text: str) -> bool:
    """Whether ``quote`` stands in ``text``, apart from case, punctuation and spaces.

    Parts of the quote that dots separate must stand in order. Dots in the text may likewise
    stand for the middle of the quote: its beginning and its end must be there. A quote without
    letters stands nowhere.

    >>> stands_in("Not later … in all", "NOT later than May, and £5 in all."), stands_in("art", "start")
    (True, False)
    >>> stands_in("He went to the sea and came back", "“He went … came back”")
    True
    """
    if _place(quote, text) is not None:
        return True
    wanted = _words(quote)
    return bool(wanted) and not _DOTS.search(quote) and _is_shortened(wanted, text)


def _place(quote: str, text: str) -> tuple[int, int] | None:
    """Where the quote stands among the words of ``text``, its parts in order."""
    there = _words(text)
    start, place = -1, 0
    for part in filter(None, map(_words, _DOTS.split(quote))):
        found = there.find(part, place)
        if found < 0:
            return None
        start = found if start < 0 else start
        # The break that ends a word is the one that begins the next.
        place = found + len(part) - 1
    return None if start < 0 else (start, place)


def check_citation(citation: CitedPassage, pages: Sequence[str]) -> CitationCheck:
    """What a citation stands for in the document.

    >>> check_citation(CitedPassage(page=2, text="one"), ("one", "two")).problem
    'the words do not stand on page 2'
    """
    page = citation.page
    if page is not None and not 1 <= page <= len(pages):
        return CitationCheck(citation=citation, text="", problem=f"there is no page {page}")
    where = "\n".join(pages) if page is None else pages[page - 1]
    if not citation.text:
        return CitationCheck(citation=citation, text=where if page is not None else "")
    if stands_in(citation.text, where):
        return CitationCheck(citation=citation, text=citation.text, source=where)
    if not stands_in(citation.text, "\n".join(pages)) and _likeness(citation.text, where) >= NEAR:
        return CitationCheck(citation=citation, text=citation.text)
    place = "in the document" if page is None else f"on page {page}"
    problem = f"the words do not stand {place}"
    return CitationCheck(citation=citation, text="", problem=problem)


def required_items(evidence: Sequence[EvidenceItem], key_points: Sequence[str] = ()) -> list[Item]:
    """The required evidence with its key points, of which there are as many or none.

    Without evidence, the key points are the items.
    """
    if not evidence:
        return [Item(must_include=point) for point in key_points]
    paired = key_points if len(key_points) == len(evidence) else [None] * len(evidence)
    return [
        Item(
            must_include=one.must_include,
            page=one.page,
            key_point=point,
            is_critical=one.is_critical,
        )
        for one, point in zip(evidence, paired, strict=True)
    ]


def evidence_matches(items: Sequence[Item], checks: Sequence[CitationCheck]) -> list[EvidenceMatch]:
    """For each required item, the first citation that carries it."""
    found = []
    for item in items:
        holder = next((check for check in checks if supports_item(item, check)), None)
        citation = None if holder is None else holder.citation
        found.append(EvidenceMatch(item=item, carried=holder is not None, citation=citation))
    return found


def supports_item(item: Item, check: CitationCheck) -> bool:
    """Whether one citation carries one item; a page alone does if the item stands on it."""
    if not check.text:
        return False
    if stands_in(item.must_include, check.text):
        return True
    if not check.citation.text or (check.source and not _overlap(item, check)):
        return False
    wordings = (item.must_include, *([] if item.key_point is None else [item.key_point]))
    return any(aligned(wording, check.text) for wording in wordings)


def is_stated(item: Item, said: str, pages: Sequence[str]) -> bool:
    """Whether a statement of an answer gives an item: all of it, or part and nothing against it.

    A part must be carried by the line of the document that holds the item, and share enough of
    the item's own words. Words of the document are taken for a quotation.
    """
    check = check_citation(CitedPassage(text=said), pages)
    if check.source:
        return supports_item(item, check)
    wordings = [item.must_include, *([] if item.key_point is None else [item.key_point])]
    if any(stands_in(one, said) or aligned(one, said) for one in wordings):
        return True
    if max(_shared_words(one, said) for one in wordings) < PART:
        return False
    return any(aligned(said, passage) for passage in [*wordings[1:], *_lines(item, pages)])


def _lines(item: Item, pages: Sequence[str]) -> list[str]:
    """The lines of the item's page that hold it."""
    page = pages[item.page - 1] if item.page and item.page <= len(pages) else ""
    return [line for line in page.splitlines() if stands_in(item.must_include, line)]


def _shared_words(quoted: str, said: str) -> float:
    """The share of the quotation's words that are said, numbers and order aside."""
    return align(tokens(quoted), tokens(said)).wording


def _overlap(item: Item, check: CitationCheck) -> bool:
    mine = _place(item.must_include, check.source)
    theirs = _place(check.text, check.source)
    return bool(mine and theirs and mine[0] < theirs[1] and theirs[0] < mine[1])


@lru_cache(maxsize=1024)
def _words(text: str) -> str:
    """Letters and digits, words of western scripts set off by a line break."""
    found = re.findall(r"[^\W_\u3400-\u9fff]+|[\u3400-\u9fff]", normalised(text, fold_case=True))
    return "\n" + "\n".join(found) + "\n" if found else ""


def _is_shortened(quote: str, text: str) -> bool:
    pieces = _DOTS.split(text)
    heads = [len(_shared(_words(piece), quote)) for piece in pieces]
    tails = [len(_shared(_words(piece)[::-1], quote[::-1])) for piece in pieces]
    return any(
        head > _LEAST and max(tails[place:], default=0) > _LEAST
        for place, head in enumerate(heads[:-1], 1)
    )


def _shared(text: str, quote: str) -> str:
    """The longest beginning of ``quote`` that ``text`` ends with, whole words."""
    size = min(len(text), len(quote))
    while size > 1:
        if text.endswith(quote[:size]) and quote[size - 1] == "\n":
            return quote[:size]
        size -= 1
    return ""
