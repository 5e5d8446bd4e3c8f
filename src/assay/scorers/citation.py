"""Citations of an answer: which they are, and whether they are in order."""

from collections.abc import Collection, Sequence

from assay.records import Passage
from assay.text import (
    citations_ok,
    extract_citation_numbers,
    extract_page_numbers,
    marked_page_numbers,
)


def citation_numbers(text: str) -> list[int]:
    """The passage numbers cited as ``[n]``, each once, in order of first appearance.

    >>> citation_numbers("Thirty days [2], or more [1, 2].")
    [2, 1]
    """
    return extract_citation_numbers(text)


def citation_range_ok(
    text: str, passages_count: int, *, pages: Collection[int] | None = None
) -> bool:
    """Whether nothing is cited that was not there; an answer without citations holds.

    Every ``[n]`` has 1 ≤ n ≤ ``passages_count``; with ``pages``, the pages of the passages, a
    page alone in brackets must be one of them too.

    >>> citation_range_ok("Thirty days [3].", 2), citation_range_ok("Thirty days.", 2)
    (False, True)
    """
    in_range = all(1 <= number <= passages_count for number in citation_numbers(text))
    if pages is None:
        return in_range
    return in_range and all(page in pages for page in marked_page_numbers(text))


def cite_ok(answer_text: str, passages_count: int, *, pages: Collection[int] | None = None) -> bool:
    """Whether an answer's citations are in order.

    True for the strict no-mention sentence (``assay.text.citation.NO_MENTION``); else there must
    be at least one citation ``[n]``, and all of them with 1 ≤ n ≤ ``passages_count``. Any other
    wording of an abstention has nothing to cite and is not in order: the rule is about form.
    With ``pages``, the pages of the passages, a page may be cited instead. Always defined.

    >>> cite_ok("三十日[1]。", 2), cite_ok("三十日。", 2), cite_ok("文档未提及。", 0)
    (True, False, True)
    """
    return citations_ok(answer_text, passages_count, pages=pages)


def cited_chunk_ids(text: str, passages: Sequence[Passage], *, pages: bool = True) -> list[str]:
    """The ids of the passages that ``text`` cites, each once, in the order they are cited.

    Numbers come first; a number out of range cites nothing. With ``pages``, a cited page cites
    every passage of it; a page in running text counts only where nothing is cited in brackets.

    >>> passages = [Passage(id="a", page=4), Passage(id="b", page=5), Passage(id="c", page=5)]
    >>> cited_chunk_ids("Yes [2][9].", passages), cited_chunk_ids("Да (стр. 5).", passages)
    (['b'], ['b', 'c'])
    """
    numbers = citation_numbers(text)
    cited = [passages[number - 1].id for number in numbers if 1 <= number <= len(passages)]
    if pages:
        named = marked_page_numbers(text) or ([] if numbers else extract_page_numbers(text))
        cited += [passage.id for page in named for passage in passages if passage.page == page]
    return list(dict.fromkeys(cited))
