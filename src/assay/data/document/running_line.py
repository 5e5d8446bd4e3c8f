"""Running headers, footers and page numbers: found by what repeats at the edges of pages."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

EDGE_LINES: Final = 2
"""How many lines at the top and at the bottom of a page may be a header or a footer."""

MAX_RUNNING: Final = 200
"""A longer line is running text, wherever it stands."""

_GROWS: Final = "\0"
_GROWTH: Final = re.compile(r"\0(-?[0-9]+)")
_NUMBER: Final = re.compile(r"(?<![0-9A-Za-zА-яЁё.,])[0-9]{1,5}(?![0-9A-Za-zА-яЁё]|[.,][0-9])")
_PAGE_WORDS: Final = re.compile(
    r"(?i:page|pg|p|of|стр|страница|с|из|第|页|頁|共|[\s\0\-–—.·•|/\[\]()0-9])*"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
# The number of an article grows from page to page too, and is no page number; one that comes
# after it may be.
_NUMBERED_PART: Final = re.compile(
    r"(?i:article|section|chapter|part|title|annex|appendix|schedule|статья|глава|раздел|часть"
    r"|приложение|пункт|附件|附录)\b\s*№?\s*[0-9]*"
    r"|第\s?[0-9]+\s?[编章节条]|[0-9]+(?:\.[0-9]+)+[.)]?\s+[^\W\d_]|[0-9]+[.)]\s"
)


def without_running_lines(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The pages without lines that stand at the same edge of at least three of them.

    A number in such a line may grow with the page: ``Page 3 of 9`` and ``Page 4 of 9`` are
    the same line. The name of a short chapter goes with the page number beside it. Where a file has only two pages, only a line whose number grows is taken.

    >>> without_running_lines([["Report", f"Text {word}", str(n)]
    ...                        for n, word in enumerate(["a", "b", "c"], 7)])
    [['Text a'], ['Text b'], ['Text c']]
    """
    keys = [_edge_keys(page, number) for number, page in enumerate(pages)]
    counts = Counter(key for page in keys for key in set().union(*page.values()))
    sure = {key for key, count in counts.items() if count >= _needed(key, len(pages))}
    offsets = {_offset(form) for _, form in sure} - {None}
    running = sure | {
        key
        for key, count in counts.items()
        if _offset(key[1]) in offsets and _is_title(key[1], count)
    }
    return [
        [line for index, line in enumerate(page) if not own.get(index, set()) & running]
        for page, own in zip(pages, keys, strict=True)
    ]


def _offset(form: str) -> str | None:
    """By how much a number that grows differs from the page's place; ``None`` without one."""
    found = _GROWTH.search(form)
    return found[1] if found else None


def _is_title(form: str, count: int) -> bool:
    """A chapter's name beside the page's number, even if the chapter has only a page or two."""
    return len(_WORD.findall(form)) > 1 and (count > 1 or bool(_NUMBERED_PART.match(form)))


def _edge_keys(page: Sequence[str], number: int) -> dict[int, set[tuple[str, str]]]:
    """Line index to the forms under which the line may repeat, with the edge it stands at."""
    filled = [index for index, line in enumerate(page) if line.strip()]
    edges = dict.fromkeys(filled[-EDGE_LINES:], "bottom")
    edges.update((index, "top") for index in filled[:EDGE_LINES])
    if len(filled) <= 2 * EDGE_LINES:
        # so short a page has no middle: each line may be at either edge
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
    plain = " ".join(line.split())
    if len(plain) > MAX_RUNNING:
        return
    yield plain
    part = _NUMBERED_PART.match(plain)
    for match in _NUMBER.finditer(plain, part.end() if part else 0):
        offset = int(match.group()) - number
        yield f"{plain[: match.start()]}{_GROWS}{offset}{plain[match.end() :]}"


def _needed(key: tuple[str, str], pages: int) -> int:
    form = key[1]
    if _GROWS not in form:
        return 3
    if _PAGE_WORDS.fullmatch(_NUMBER.sub("", form)):
        return min(3, max(2, pages))
    # "Step 3" may be the third of many steps, a page each; a title with a number is no such name
    return 3 if len(_WORD.findall(form)) > 2 else max(3, math.ceil(pages / 2))
