"""The questions whose result changed against the baseline, with both answers side by side."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from assay.jobs.results import Results, item_name
from assay.jobs.row_text import RowText, read_row_texts
from assay.records import Metric


class Change(Struct, frozen=True, kw_only=True):
    """One question that a variant answered better or worse than the baseline did."""

    question_id: str
    question: str
    variant: str
    before: float
    after: float
    answer_before: str
    answer_after: str


def changed_questions(
    results: Results, metric: Metric, variant: str, baseline: str, *, most: int = 20
) -> tuple[list[Change], int]:
    """The items whose ``metric`` differs, the worst losses first, and their total number.

    If neither higher nor lower is better, decreases come before increases. At most ``most``
    items are returned; 0 returns all.
    """
    scores = results.scores
    index, base = scores.variants.index(variant), scores.variants.index(baseline)
    after, before = scores.values[metric.field][index], scores.values[metric.field][base]
    difference = after - before
    changed = np.flatnonzero(~np.isnan(difference) & (difference != 0))
    gain = -difference[changed] if metric.better == "lower" else difference[changed]
    changed = changed[np.argsort(gain, kind="stable")]
    shown = changed[:most] if most else changed
    texts = _texts(results, [(place, item) for item in shown for place in (index, base)])
    changes = []
    for item in shown.tolist():
        name = scores.items[item]
        now, then = texts.get((index, item), RowText()), texts.get((base, item), RowText())
        changes.append(
            Change(
                question_id=name,
                question=now.question or then.question or "",
                variant=variant,
                before=float(before[item]),
                after=float(after[item]),
                answer_before=then.answer or "",
                answer_after=now.answer or "",
            )
        )
    return changes, len(changed)


def _texts(results: Results, wanted: Sequence[tuple[int, int]]) -> dict[tuple[int, int], RowText]:
    """The rows of these (variant, item) pairs; only the blocks that contain them are read."""
    scores = results.scores
    at = {
        (scores.variants[variant], scores.items[item]): (variant, item) for variant, item in wanted
    }
    blocks = {int(results.block_of[variant, item]) for variant, item in wanted} - {-1}
    texts = {}
    for row in read_row_texts(results.path, [results.blocks[number] for number in blocks]):
        item, _ = item_name(row.key, row.question_id, row.config, results.label)
        place = at.get((row.config, item))
        if place is not None:
            texts[place] = row  # the row in a later block replaces the earlier one
    return texts
