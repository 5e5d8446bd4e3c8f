"""Citations of an answer: which passages it cites, and whether the citations are valid."""

from collections.abc import Collection, Sequence

from assay.records import Passage
from assay.text.citation import (
    citations_ok,
    extract_citation_numbers,
    extract_page_numbers,
    marked_page_numbers,
)


def citation_numbers(text: str) -> list[int]:
    """The passage numbers cited as ``[n]``, without repetitions, in order of first appearance.

    >>> citation_numbers("Thirty days [2], or more [1, 2].")
    [2, 1]
    """
    return extract_citation_numbers(text)


def citation_range_ok(
    text: str, passages_count: int, *, pages: Collection[int] | None = None
) -> bool:
    """Whether there is a citation and all of them refer to existing passages.

    Every ``[n]`` must have 1 ≤ n ≤ ``passages_count``. If ``pages``, the page numbers of the
    passages, are passed, every page cited in brackets must be one of them too.

    >>> [citation_range_ok(text, 2) for text in ("Thirty days [3].", "Thirty days.", "文档未提及。")]
    [False, False, False]
    """
    numbers = citation_numbers(text)
    marked = [] if pages is None else marked_page_numbers(text)
    in_range = all(1 <= number <= passages_count for number in numbers)
    return bool(numbers or marked) and in_range and all(page in (pages or ()) for page in marked)


def cite_ok(answer_text: str, passages_count: int, *, pages: Collection[int] | None = None) -> bool:
    """Whether the citations of an answer are valid. Always defined.

    True for the fixed sentence which says that the document does not mention the subject
    (``assay.text.citation.NO_MENTION``). Any other answer must have at least one citation
    ``[n]``, and all of them must have 1 ≤ n ≤ ``passages_count``. An abstention in other words
    cites nothing and is not valid, because the rule is about form. If ``pages``, the page
    numbers of the passages, are passed, a page may be cited instead.

    >>> cite_ok("三十日[1]。", 2), cite_ok("三十日。", 2), cite_ok("文档未提及。", 0)
    (True, False, True)
    """
    return citations_ok(answer_text, passages_count, pages=pages)


def cited_chunk_ids(text: str, passages: Sequence[Passage], *, pages: bool = True) -> list[str]:
    """The ids of the passages that ``text`` cites, without repetitions.

    Passages cited by number come first, in the order of citation; a number out of range cites
    nothing. If ``pages`` is true, a cited page cites every passage on that page. A page that is
    mentioned outside brackets counts only if nothing is cited in brackets.

    >>> passages = [Passage(id="a", page=4), Passage(id="b", page=5), Passage(id="c", page=5)]
    >>> cited_chunk_ids("Yes [2][9].", passages), cited_chunk_ids("Да (стр. 5).", passages)
    (['b'], ['b', 'c'])
    """
    numbers = citation_numbers(text)
    cited = [passages[number - 1].id for number in numbers if 1 <= number <= len(passages)]
    if pages:
        cited_pages = marked_page_numbers(text) or ([] if numbers else extract_page_numbers(text))
        cited += [
            passage.id for page in cited_pages for passage in passages if passage.page == page
        ]
    return list(dict.fromkeys(cited))
