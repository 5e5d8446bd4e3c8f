"""The judges of a run as the page shows them: what ``assay judge check`` and ``pair`` print."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.judge.calibration import Calibration, JudgeAgreement, compare_judges
from assay.judge.verdict import TWO_ANSWERS, JudgeVerdicts, read_verdicts
from assay.judge.workbench import (
    OpenRun,
    ScoredBy,
    check_judge,
    judge_scores,
    labels_of,
    paired_cases,
)
from assay.stats.difference import mcnemar
from assay.stats.judge_error import Share
from assay.web.compare_view import interval_view
from assay.web.judge.api import (
    JudgedRate,
    JudgeGroup,
    JudgeGroupKind,
    JudgePairView,
    JudgePreference,
    JudgeShare,
    JudgeView,
)

# What one judge said about the answers of a run.

Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]


class Judged(Struct, frozen=True, eq=False):
    """What one judge said: its scores, and where it stands against others, by variant and item."""

    judge: JudgeVerdicts
    score: Floats
    unparsed: Bools
    against_people: Bools
    against_judges: Bools


class JudgeViews(Struct, frozen=True):
    """The parts of ``RunView`` that are about judges."""

    judges: tuple[JudgeView, ...] = ()
    pairs: tuple[JudgePairView, ...] = ()
    preferences: tuple[JudgePreference, ...] = ()


def judge_views(run: OpenRun, judges: Sequence[Judged]) -> JudgeViews:
    """Everything about the judges of a run except single verdicts."""
    return JudgeViews(
        tuple(_judge(run, each) for each in judges),
        tuple(_pairs(run, [each.judge for each in judges])),
        tuple(_preferences(run)),
    )


def _judge(run: OpenRun, judged: Judged) -> JudgeView:
    judge = judged.judge
    scored = ScoredBy(
        name=f"judge.{judge.name}",
        scores=judge_scores(judge),
        rubric=judge.rubric,
        identity=judge.identity,
    )
    found = check_judge(run, scored, labels_of(run, None, judge.rubric))
    errors = found.overall.errors
    left_out = msgspec.structs.asdict(found.counts)
    used = left_out.pop("used")
    del left_out["first_unknown"]  # assay judge check names them
    return JudgeView(
        name=judge.name,
        rubric=judge.rubric,
        identity=judge.identity,
        answers=len(judge.findings) - judge.unparsed,
        unparsed=judge.unparsed,
        undefined=judge.undefined,
        paid=judge.paid,
        earlier=judge.earlier,
        labelled=used,
        left_out={name: count for name, count in left_out.items() if count},
        matrix=(errors.hits, errors.false_alarms, errors.misses, errors.rejections),
        groups=tuple(_groups(found)),
        errors_differ=found.errors_differ,
        is_biased=found.is_biased,
        rates=tuple(_rates(found)),
        against_people=int(np.count_nonzero(judged.against_people)),
        against_judges=int(np.count_nonzero(judged.against_judges)),
    )


def _groups(found: Calibration) -> Iterator[JudgeGroup]:
    yield _group("all", found.overall)
    if len(found.variants) > 1:
        yield from (_group("variant", each) for each in found.variants)
    if len(found.languages) > 1:
        yield from (_group("language", each) for each in found.languages)


def _group(kind: JudgeGroupKind, agreement: JudgeAgreement) -> JudgeGroup:
    return JudgeGroup(
        kind=kind,
        name=agreement.group,
        labelled=agreement.labelled,
        sensitivity=_share(agreement.errors.sensitivity),
        specificity=_share(agreement.errors.specificity),
        kappa=agreement.kappa,
        kappa_interval=interval_view(agreement.kappa_interval),
    )


def _share(share: Share) -> JudgeShare:
    return JudgeShare(rate=share.rate, interval=interval_view(share.interval), n=share.n)


def _rates(found: Calibration) -> Iterator[JudgedRate]:
    differences = {each.variant: each.corrected for each in found.differences}
    for rate in found.rates:
        corrected, difference = rate.corrected, differences.get(rate.variant)
        yield JudgedRate(
            variant=rate.variant,
            n=corrected.n,
            raw=corrected.raw if corrected.n else None,
            raw_interval=interval_view(rate.raw_interval),
            corrected=corrected.estimate,
            interval=interval_view(corrected.interval),
            labelled=corrected.labelled,
            missing=corrected.missing,
            raw_difference=difference.raw if difference and difference.n else None,
            difference=difference.estimate if difference else None,
            difference_interval=interval_view(difference.interval) if difference else None,
        )


def _pairs(run: OpenRun, judges: list[JudgeVerdicts]) -> Iterator[JudgePairView]:
    questions = {case.case.key: case.case.question.id for case in run.cases}
    for one, other in combinations(judges, 2):
        if one.rubric != other.rubric:
            continue
        scores = [
            (first, second, question)
            for key, question in questions.items()
            if (first := one.score(key)) is not None and (second := other.score(key)) is not None
        ]
        compared = compare_judges((one.name, other.name), scores, 0.5)
        fields = msgspec.structs.asdict(compared)
        yield JudgePairView(**fields | {"kappa_interval": interval_view(compared.kappa_interval)})


def _preferences(run: OpenRun) -> Iterator[JudgePreference]:
    """Who won how often, for each pair of variants that a judge has compared."""
    names = dict.fromkeys(case.case.variant.name for case in run.cases)
    for first, second in ((one, other) for one in names for other in names if one != other):
        cases = paired_cases(run, first, second)
        for judge in read_verdicts(run.journal, cases, TWO_ANSWERS).values():
            labels = Counter(found.label for found in judge.findings.values() if not found.unparsed)
            if not judge.findings:
                continue
            yield JudgePreference(
                judge=judge.name,
                first=first,
                second=second,
                first_wins=labels["first"],
                second_wins=labels["second"],
                equal=labels["equal"],
                tie=labels["tie"],
                unparsed=judge.unparsed,
                p=mcnemar(labels["first"], labels["second"]),
            )
