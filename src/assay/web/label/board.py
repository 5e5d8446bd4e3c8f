"""The labels of a run as the page shows them: people, agreement, disagreements, preferences."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from assay.jobs.row_text import Case
from assay.labels import Label, Preference, agreement, current, disagreements, read_labels
from assay.stats import ANSWERED, SCORED, wilson
from assay.web.difference import interval_view
from assay.web.label.api import (
    Disagreement,
    LabelBoard,
    LabelPair,
    LabelPerson,
    PairCount,
)
from assay.web.label.desk import Desk

MOST_SHOWN: Final = 200
"""How many disagreements are listed."""


def label_board(desk: Desk) -> LabelBoard:
    """Everything about the labels of a run."""
    every = current(read_labels(desk.path))
    valid = desk.valid(every)
    labels = [label for said in valid.values() for label in said]
    found, differing = agreement(labels), disagreements(labels)
    status = desk.index.findings.results.scores.status
    return LabelBoard(
        file=f"labels/{desk.path.name}",
        answers=int(np.count_nonzero(np.isin(status, (SCORED, ANSWERED)))),
        labelled=len(valid),
        distinct=found.answers,
        outdated=len(every) - len(labels),
        people=tuple(
            LabelPerson(name=name, verdicts=verdicts)
            for name, verdicts in zip(found.people, found.verdicts, strict=True)
        ),
        shared=found.n,
        alpha=found.alpha,
        interval=interval_view(found.interval),
        pairs=tuple(
            LabelPair(
                first=pair.first,
                second=pair.second,
                n=pair.n,
                same=pair.same,
                kappa=pair.kappa,
                interval=interval_view(pair.interval),
            )
            for pair in found.pairs
        ),
        disagreements=_disagreements(desk, valid, differing[:MOST_SHOWN]),
        disagreement_count=len(differing),
        preferences=_preferences(desk.valid_preferences()),
    )


def _disagreements(
    desk: Desk, valid: Mapping[Case, Sequence[Label]], differing: Sequence[Sequence[Label]]
) -> tuple[Disagreement, ...]:
    items = {
        (label.case_id, label.variant): item for (item, _), said in valid.items() for label in said
    }
    return tuple(
        Disagreement(
            item=items[said[0].case_id, said[0].variant],
            id=said[0].case_id,
            question=desk.index.listed.questions[items[said[0].case_id, said[0].variant]],
            variants=tuple(dict.fromkeys(label.variant for label in said)),
            said=tuple(
                dict.fromkeys(
                    (label.labeller, label.verdict, label.comment or "") for label in said
                )
            ),
        )
        for said in differing
    )


def _preferences(rows: Sequence[Preference]) -> tuple[PairCount, ...]:
    """How often which variant won; one person's preference on one question is one vote."""
    votes = Counter((row.variant, row.other_variant, row.choice) for row in rows)
    pairs = sorted({(row.variant, row.other_variant) for row in rows})
    return tuple(
        PairCount(
            first=first,
            second=second,
            first_wins=(wins := votes[first, second, "first"]),
            second_wins=(losses := votes[first, second, "second"]),
            equal=votes[first, second, "equal"],
            unclear=votes[first, second, "unclear"],
            interval=interval_view(wilson(wins, wins + losses)),
        )
        for first, second in pairs
    )
