"""What is resampled and flipped: items, whole questions, or whole documents.

An item is a question at a placement. Answers to one question at several lengths, depths or
repetitions are related, as questions about one document are. So the larger unit counts: documents
where there are enough of them, otherwise questions.
"""

import numpy as np
from numpy.typing import NDArray

from assay.stats.effect import Method

FEWEST_CLUSTERS = 10
"""The smallest number of documents (with several questions each) for which tests flip documents.

With fewer documents there are too few ways to flip them, and the result says little about other
documents. Then questions are flipped, and the verdict is only about these documents."""
FEWEST_DOCUMENTS = 3
"""The smallest number of documents (with several questions each) for which the interval of a value
is about new documents."""

Numbers = NDArray[np.integer]


def method_of_units(
    documents: Numbers | None,
    questions: Numbers | None = None,
    *,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Method:
    """The method for items of these documents and questions.

    Questions that stand in several items are the units of tests and intervals, however few they
    are, unless there are enough documents: new questions would be other ones, not the same at
    another placement.

    Args:
        documents: the number of each item's document, or ``None`` if they are unknown.
        questions: the number of each item's question, or ``None`` if every item is a question.
        level: the confidence level.
        resamples: the number of random draws.
        seed: the seed of these draws.

    >>> method_of_units(None, np.array([0, 0, 1, 1])).by_question
    True
    >>> method_of_units(None, np.array([0, 1, 2, 3])).clusters is None
    True
    """
    repeated = questions if is_repeated(questions) else None
    whole = whole_documents(documents, repeated)
    several = document_count(documents, repeated)
    clusters = _numbers(whole) if several >= FEWEST_CLUSTERS else None
    by_question = clusters is None and repeated is not None
    return Method(
        level=level,
        resamples=resamples,
        seed=seed,
        clusters=_numbers(repeated) if by_question else clusters,
        documents=_numbers(whole) if several >= FEWEST_DOCUMENTS else None,
        by_question=by_question,
        few_documents=few_documents(documents, repeated),
    )


def is_repeated(questions: Numbers | None) -> bool:
    """Whether a question stands in several items.

    >>> is_repeated(np.array([0, 1, 0])), is_repeated(np.array([0, 1])), is_repeated(None)
    (True, False, False)
    """
    return questions is not None and len(np.unique(questions)) < len(questions)


def document_count(documents: Numbers | None, questions: Numbers | None = None) -> int:
    """The number of documents that have several questions.

    >>> document_count(np.array([5, 5, 5, 6, 6]), np.array([0, 0, 1, 2, 2]))
    1
    """
    return int(np.count_nonzero(_sizes(documents, questions) > 1))


def few_documents(documents: Numbers | None, questions: Numbers | None = None) -> int:
    """The number of documents that most questions are about if it is one or two, else 0.

    A document with a single question says as much about new documents as any other, so documents
    with several questions do not count if most questions are about others.

    >>> few_documents(np.array([0, 0, 0, 1, 1])), few_documents(np.array([0, 0, 1, 2, 3]))
    (2, 0)
    """
    sizes = _sizes(documents, questions)
    several = sizes[sizes > 1]
    is_most = 2 * several.sum() > sizes.sum()
    return len(several) if is_most and 0 < len(several) < FEWEST_DOCUMENTS else 0


def whole_documents(documents: Numbers | None, questions: Numbers | None) -> Numbers | None:
    """The document of each item, so that no question is divided: that of its first item.

    >>> whole_documents(np.array([4, 5, 6]), np.array([0, 0, 1])).tolist()
    [4, 4, 6]
    """
    if documents is None or questions is None:
        return documents
    _, first, places = np.unique(questions, return_index=True, return_inverse=True)
    return documents[first][places]


def _sizes(documents: Numbers | None, questions: Numbers | None) -> Numbers:
    """How many questions each document has; empty if documents are unknown."""
    if documents is None:
        return np.array([], dtype=np.intp)
    if questions is not None:
        documents = documents[np.unique(questions, return_index=True)[1]]
    return np.unique(documents, return_counts=True)[1]


def _numbers(clusters: Numbers | None) -> Numbers | None:
    """The clusters numbered from 0 in the order of their first items."""
    if clusters is None:
        return None
    _, first, dense = np.unique(clusters, return_index=True, return_inverse=True)
    places = np.empty(len(first), dtype=np.intp)
    places[np.argsort(first)] = np.arange(len(first))
    return places[dense]
