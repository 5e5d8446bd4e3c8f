"""The scores of a run as arrays; all statistics are computed from them."""

from collections.abc import Mapping, Sequence
from itertools import islice
from operator import le

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.errors import UseError
from assay.records import Estimand, Tally
from assay.stats.effect import Method
from assay.stats.repeat import draw_means
from assay.stats.resample import cluster_count

# What a run is about, and so what its units are.
#
# An item is a question at a placement. Answers to one question at several lengths, depths or
# repetitions are related, as questions about one document are.

FEWEST_DOCUMENTS = 10
"""From so many documents on, a run is about documents like these unless it is told otherwise. With
fewer it cannot be: they say too little about others."""

Numbers = NDArray[np.integer]


def method_of_units(
    documents: Numbers | None,
    questions: Numbers | None = None,
    *,
    chosen: Estimand | None = None,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Method:
    """The method for items of these documents and questions.

    Args:
        documents: the number of each item's document, or ``None`` if they are unknown.
        questions: the number of each item's question, or ``None`` if every item is a question.
        chosen: whether the run is about these documents (``fixed``) or about documents like these
            (``sample``). By default it depends on their number.
        level: the confidence level.
        resamples: the number of random draws.
        seed: the seed of these draws.

    >>> method_of_units(None, np.array([0, 0, 1, 1])).unit
    'question'
    >>> method_of_units(None, np.array([0, 1, 2, 3])).units is None
    True
    """
    repeated = questions if is_repeated(questions) else None
    estimand = estimand_of(documents, chosen)
    method = Method(level=level, resamples=resamples, seed=seed, estimand=estimand)
    whole = whole_documents(documents, repeated) if estimand == "sample" else None
    asked = repeated if repeated is not None else np.arange(0 if whole is None else len(whole))
    if whole is not None and cluster_count(whole) < cluster_count(asked):
        return replace(method, units=_numbers(whole), unit="document")
    if repeated is not None:
        return replace(method, units=_numbers(repeated), unit="question")
    return method


def estimand_of(documents: Numbers | None, chosen: Estimand | None = None) -> Estimand | None:
    """What a run on these documents is about; ``None`` if the documents are unknown.

    >>> estimand_of(np.arange(10)), estimand_of(np.arange(9)), estimand_of(None)
    ('sample', 'fixed', None)
    """
    return None if documents is None else estimand_of_count(cluster_count(documents), chosen)


def estimand_of_count(count: int, chosen: Estimand | None = None) -> Estimand:
    """What a run on so many documents is about.

    >>> estimand_of_count(10), estimand_of_count(10, "fixed")
    ('sample', 'fixed')
    """
    if chosen == "sample" and count < FEWEST_DOCUMENTS:
        raise UseError(
            f"documents: sample needs {FEWEST_DOCUMENTS} documents, and the questions come from "
            f"{count}: so few say too little about other documents; choose fixed"
        )
    return chosen or ("sample" if count >= FEWEST_DOCUMENTS else "fixed")


def estimand_so_far(documents: Numbers | None, recorded: Estimand | None) -> Estimand | None:
    """What was chosen for a run, unless too few of its documents have answers yet.

    >>> estimand_so_far(np.arange(12), "sample"), estimand_so_far(np.arange(3), "sample")
    ('sample', None)
    """
    count = 0 if documents is None else cluster_count(documents)
    return None if recorded == "sample" and count < FEWEST_DOCUMENTS else recorded


def is_repeated(questions: Numbers | None) -> bool:
    """Whether a question is in several items.

    >>> is_repeated(np.array([0, 1, 0])), is_repeated(np.array([0, 1])), is_repeated(None)
    (True, False, False)
    """
    return questions is not None and cluster_count(questions) < len(questions)


def whole_documents(documents: Numbers | None, questions: Numbers | None) -> Numbers | None:
    """The document of each item, so that no question is divided: that of its first item.

    >>> whole_documents(np.array([4, 5, 6]), np.array([0, 0, 1])).tolist()
    [4, 4, 6]
    """
    if documents is None or questions is None:
        return documents
    _, first, places = np.unique(questions, return_index=True, return_inverse=True)
    return documents[first][places]


def _numbers(clusters: Numbers) -> Numbers:
    """The clusters numbered from 0 in the order of their first items."""
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
    number of its question; ``None`` if every item is a question of its own. ``draws`` has the same
    number for items that are draws of one case; ``None`` if every case was asked once. A value is used only if
    it is a finite number and its status is ``SCORED``. The value of a case that failed, was
    skipped, spared or not judged yet is ignored.
    """

    items: Sequence[str]
    variants: tuple[str, ...]
    status: NDArray[np.uint8]
    values: Mapping[str, NDArray[np.floating]]
    clusters: NDArray[np.integer] | None = None
    questions: NDArray[np.integer] | None = None
    draws: NDArray[np.integer] | None = None

    def __post_init__(self) -> None:
        shape = (len(self.variants), len(self.items))
        for name, array in (("status", self.status), *self.values.items()):
            if array.shape != shape:
                raise ValueError(f"{name}: the shape is {array.shape}, but it must be {shape}")
        for name, numbers in (
            ("clusters", self.clusters),
            ("questions", self.questions),
            ("draws", self.draws),
        ):
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
            draws=None if self.draws is None else self.draws[order],
        )

    def mean_of_draws(self) -> "Scores":
        """The scores with one item for each case: its values are the means over its draws.

        An undefined value of a draw, or one that failed, is left out. A case is scored if one of
        its draws is; its name, document and question are those of its first item.
        """
        if self.draws is None:
            return self
        _, first, places = np.unique(self.draws, return_index=True, return_inverse=True)
        scored = np.array([np.bincount(places, row == SCORED) > 0 for row in self.status])
        status = np.where(scored, np.uint8(SCORED), self.status[:, first])
        return Scores(
            items=[self.items[place] for place in first],
            variants=self.variants,
            status=status.reshape(len(self.variants), len(first)),
            values={
                field: np.array(
                    [draw_means(self.column(field, name), places) for name in self.variants]
                ).reshape(len(self.variants), len(first))
                for field in self.values
            },
            clusters=None if self.clusters is None else self.clusters[first],
            questions=None if self.questions is None else self.questions[first],
        ).in_order()

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
