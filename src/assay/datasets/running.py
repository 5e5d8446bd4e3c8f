"""Running headers, footers and page numbers: found by what repeats at the edges of pages."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

EDGE_LINES: Final = 2
"""How many lines at the top and at the bottom of a page may be a header or a footer."""

_NUMBER: Final = re.compile(r"[0-9]{1,5}")


def without_running_lines(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The pages without lines that stand at the same edge of at least three of them.

    A number in such a line may grow with the page: ``Page 3 of 9`` and ``Page 4 of 9`` are
    the same line. Where a file has only two pages, only a line whose number grows is taken.

    >>> without_running_lines([["Report", f"Text {word}", str(n)]
    ...                        for n, word in enumerate(["a", "b", "c"], 7)])
    [['Text a'], ['Text b'], ['Text c']]
    """
    counts = Counter(
        key
        for number, page in enumerate(pages)
        for key in set().union(*_edge_keys(page, number).values())
    )
    kept = []
    for number, page in enumerate(pages):
        running = {
            index
            for index, keys in _edge_keys(page, number).items()
            if any(counts[key] >= _needed(key, len(pages)) for key in keys)
        }
        kept.append([line for index, line in enumerate(page) if index not in running])
    return kept


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
    yield plain
    for match in _NUMBER.finditer(plain):
        offset = int(match.group()) - number
        yield f"{plain[: match.start()]}\0{offset}{plain[match.end() :]}"


def _needed(key: tuple[str, str], pages: int) -> int:
    return min(3, max(2, pages)) if "\0" in key[1] else 3
