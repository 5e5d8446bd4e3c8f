"""The scores of a run as arrays; all statistics are computed from them."""

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from operator import le

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.records import Tally
from assay.stats.effect import Method
from assay.stats.mean_interval import skew_reach

# What is resampled and flipped: items, whole questions, or whole documents.
#
# An item is a question at a placement. Answers to one question at several lengths, depths or
# repetitions are related, as questions about one document are. So the larger unit counts: documents
# where there are enough of them, otherwise questions.

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

    Questions that are in several items are the units of tests and intervals, however few they
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
    """Whether a question is in several items.

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


ABSENT, SCORED, FAILED, SKIPPED, ANSWERED, SPARED = 0, 1, 2, 3, 4, 5
"""The values of ``Scores.status``."""


class Scores(Struct, frozen=True, kw_only=True, eq=False):
    """One array for each field, with one row for each variant and one column for each item.

    ``items`` are the names by which values are paired: question ids, or ids with a placement.
    ``clusters`` contains the number of the source document of each item, and ``questions`` the
    number of its question; ``None`` if every item is a question of its own. A value is used only if
    it is a finite number and its status is ``SCORED``. The value of a case that failed, was
    skipped, spared or not judged yet is ignored.
    """

    items: Sequence[str]
    variants: tuple[str, ...]
    status: NDArray[np.uint8]
    values: Mapping[str, NDArray[np.floating]]
    clusters: NDArray[np.integer] | None = None
    questions: NDArray[np.integer] | None = None

    def __post_init__(self) -> None:
        shape = (len(self.variants), len(self.items))
        for name, array in (("status", self.status), *self.values.items()):
            if array.shape != shape:
                raise ValueError(f"{name}: the shape is {array.shape}, but it must be {shape}")
        for name, numbers in (("clusters", self.clusters), ("questions", self.questions)):
            if numbers is not None and numbers.shape != shape[1:]:
                raise ValueError(
                    f"{name}: the shape is {numbers.shape}, but there are {shape[1]} items"
                )
        if len(set(self.variants)) != shape[0]:
            raise ValueError(f"a variant appears twice in {', '.join(self.variants)}")
        if len(set(self.items)) != shape[1]:
            raise ValueError("an item appears twice, so values cannot be paired")

    def in_order(self) -> "Scores":
        """The same scores with the items sorted by name.

        Random signs and draws belong to places, so the order of the items must not depend on the
        order in which they were answered.
        """
        if all(map(le, self.items, islice(self.items, 1, None))):
            return self
        order = np.array(sorted(range(len(self.items)), key=self.items.__getitem__))
        return Scores(
            items=[self.items[place] for place in order],
            variants=self.variants,
            status=self.status[:, order],
            values={field: values[:, order] for field, values in self.values.items()},
            clusters=None if self.clusters is None else self.clusters[order],
            questions=None if self.questions is None else self.questions[order],
        )

    def column(self, field: str, variant: str) -> NDArray[np.floating]:
        """The values of one variant, with NaN for items that have no value.

        If the field or the variant does not exist, all values are NaN.
        """
        if field not in self.values or variant not in self.variants:
            return np.full(len(self.items), np.nan)
        row = self.variants.index(variant)
        values: NDArray[np.floating] = self.values[field][row]
        scored = self.status[row] == SCORED
        if not np.issubdtype(values.dtype, np.floating):
            values = values.astype(np.float64)
        has_others = not scored.all() and not (scored | np.isnan(values)).all()
        if not has_others and not np.isinf(values).any():
            return values
        column = values.copy()
        column[~scored | np.isinf(values)] = np.nan
        return column

    def tally(self, variant: str) -> Tally:
        """How many cases of a variant ended in each way."""
        counts = np.bincount(self.status[self.variants.index(variant)], minlength=6).tolist()
        return Tally(
            scored=counts[SCORED],
            answered=counts[ANSWERED],
            failed=counts[FAILED],
            skipped=counts[SKIPPED],
            spared=counts[SPARED] or msgspec.UNSET,
        )


# The statistic of the sign flips, Student's t, and what skewed changes take from them.
#
# The statistic of ``n`` changes is ``T = |Σ d| / √Σ d²``, a monotone function of Student's t. Flipped
# signs make every sample symmetric. If the changes are skewed (many questions win a little, few lose
# much), a mean of 0 is often far from 0 in the direction away from the rare changes, because few of
# them, or none, are in the sample. Such a mean needs a larger t: ``c + γ (2 c² + 1) / 6 √n`` instead
# of ``c``, the first term of the expansion of the studentised bootstrap (P. Hall, Annals of Statistics
# 16, 1988; N. J. Johnson, JASA 73, 1978, corrects t in the same way). A mean in the direction of the
# skew needs no more than ``c``, and less is not asked.


def flip_statistic(t: float, units: int) -> float:
    """The statistic of ``units`` changes that have this t statistic.

    >>> round(flip_statistic(2.046, 20), 2)
    1.9
    """
    return t * math.sqrt(units / (units - 1 + t * t))


def student_statistic(statistic: float, units: int) -> float:
    """The t statistic of ``units`` changes whose statistic of the sign flips is ``statistic``.

    >>> round(student_statistic(1.9, 20), 3)
    2.046
    """
    return statistic * math.sqrt((units - 1) / (units - statistic * statistic))


def skewed_demand(statistic: float, skew: float, units: int) -> float:
    """The statistic that a mean against the skew needs, where ``statistic`` would be enough.

    >>> round(skewed_demand(1.9, -3.0, 30), 2), skewed_demand(1.9, 0.0, 30)
    (2.53, 1.9)
    """
    if skew == 0 or statistic * statistic >= units:
        return statistic
    t = student_statistic(statistic, units)
    return flip_statistic(t + skew_reach(abs(skew), units, t), units)


def without_skew(statistic: float, skew: float, units: int) -> float:
    """What is left of the statistic of a mean against the skew; ``skewed_demand`` reversed.

    It is 0 if skew alone explains the mean.

    >>> round(without_skew(2.5319, -3.0, 30), 2), without_skew(0.05, -3.0, 30)
    (1.9, 0.0)
    """
    if skew == 0 or statistic * statistic >= units:
        return statistic
    t = student_statistic(statistic, units)
    slope = abs(skew) / (6 * math.sqrt(units))
    if t <= slope:
        return 0.0
    # the positive root of 2 slope c² + c + slope = t, in the form that is exact for small slopes
    left = 2 * (t - slope) / (1 + math.sqrt(1 + 8 * slope * (t - slope)))
    return flip_statistic(left, units)
