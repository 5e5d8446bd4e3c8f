"""Remove running headers, footers and page numbers: lines that repeat at the edges of pages.

To recognise a line whose number changes from page to page, each line is compared in several
forms. In a form, one number is replaced by ``_GROWS`` and its difference from the page's
index, which stays the same if the number grows with the page.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from assay.text.lexicon import alternatives, lazy_pattern

EDGE_LINES: Final = 2
"""This many lines at the top and at the bottom of a page may be a header or a footer."""

MAX_RUNNING: Final = 200
"""A line with more characters is body text, even at the edge of a page."""

_GROWS: Final = "\0"
_GROWTH: Final = re.compile(r"\0(-?[0-9]+)")
_NUMBER: Final = re.compile(r"(?<![0-9A-Za-zА-яЁё.,])[0-9]{1,5}(?![0-9A-Za-zА-яЁё]|[.,][0-9])")
_PAGE_WORDS: Final = lazy_pattern(
    lambda: rf"(?i:{alternatives('running_line.page')}|[\s\0\-–—.·•|/\[\]()0-9])*", re.NOFLAG
)
_WORD: Final = re.compile(r"[^\W\d_]+")
# The number of an article may also grow from page to page, but it is no page number. A number
# that follows it may be one.
_NUMBERED_PART: Final = lazy_pattern(lambda: alternatives("running_line.numbered_part"), re.NOFLAG)


def without_running_lines(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The pages without the lines that repeat at the same edge of at least three pages.

    A number in such a line may grow with the page: ``Page 3 of 9`` and ``Page 4 of 9`` count
    as the same line. A chapter title beside a page number is removed even if the chapter has
    only one or two pages. If a file has only two pages, only page numbers are removed.

    >>> without_running_lines([["Report", f"Text {word}", str(n)]
    ...                        for n, word in enumerate(["a", "b", "c"], 7)])
    [['Text a'], ['Text b'], ['Text c']]
    """
    keys = [_edge_keys(page, number) for number, page in enumerate(pages)]
    counts = Counter(key for page in keys for key in set().union(*page.values()))
    repeated = {key for key, count in counts.items() if count >= _required_count(key, len(pages))}
    offsets = {_offset(form) for _, form in repeated} - {None}
    running = repeated | {
        key
        for key, count in counts.items()
        if _offset(key[1]) in offsets and _is_title(key[1], count)
    }
    return [
        [line for index, line in enumerate(page) if not page_keys.get(index, set()) & running]
        for page, page_keys in zip(pages, keys, strict=True)
    ]


def _offset(form: str) -> str | None:
    """The difference between the number in a form and the page's index; None without a number."""
    match = _GROWTH.search(form)
    return match[1] if match else None


def _is_title(form: str, count: int) -> bool:
    """Whether a form that contains the page number can be a chapter title."""
    return len(_WORD.findall(form)) > 1 and (count > 1 or bool(_NUMBERED_PART.match(form)))


def _edge_keys(page: Sequence[str], number: int) -> dict[int, set[tuple[str, str]]]:
    """Map the index of each line at an edge to its keys: the edge, and a form of the line."""
    filled = [index for index, line in enumerate(page) if line.strip()]
    edges = dict.fromkeys(filled[-EDGE_LINES:], "bottom")
    edges.update((index, "top") for index in filled[:EDGE_LINES])
    if len(filled) <= 2 * EDGE_LINES:
        # such a short page has no middle, so each line may be at either edge
        return {
            index: {
                (edge, form) for edge in ("top", "bottom") for form in _forms(page[index], number)
            }
            for index in edges
        }
    return {
        index: {(edge, form) for form in _forms(page[index], number)}
        for index, edge in edges.items()
    }


def _forms(line: str, number: int) -> Iterator[str]:
    """The line itself, and the line with each of its numbers replaced (see the module)."""
    plain = " ".join(line.split())
    if len(plain) > MAX_RUNNING:
        return
    yield plain
    part = _NUMBERED_PART.match(plain)
    for match in _NUMBER.finditer(plain, part.end() if part else 0):
        offset = int(match.group()) - number
        yield f"{plain[: match.start()]}{_GROWS}{offset}{plain[match.end() :]}"


def _required_count(key: tuple[str, str], pages: int) -> int:
    """On how many pages a line must occur to be a running line."""
    form = key[1]
    if _GROWS not in form:
        return 3
    if _PAGE_WORDS.fullmatch(_NUMBER.sub("", form)):
        return min(3, max(2, pages))
    # "Step 3" may be the third of many steps with one page each; more words make a title
    return 3 if len(_WORD.findall(form)) > 2 else max(3, math.ceil(pages / 2))
