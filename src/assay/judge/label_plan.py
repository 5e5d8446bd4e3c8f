"""How many labels an interval of a wanted width needs, which answers to label next, and the sheet."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.judge.calibration import JUDGE_PREFIX, is_check
from assay.judge.draw import Drawn, check_draw, draw, read_drawn, read_draws, size, write_drawn
from assay.judge.label import Label, text_hash
from assay.judge.labelled_answers import Sample, Scores, item_names, make_sample
from assay.judge.subject import RecordedCase
from assay.judge.verdict import read_verdicts
from assay.judge.workbench import OpenRun, ScoredBy, judge_scores
from assay.runs.summary import now
from assay.stats.corrected import FEWEST_LABELS, JudgedScores, labels_for_difference, labels_needed
from assay.stats.resample import Floats

USUAL: Final = (0.85, 0.15)
"""The share of right answers among those that a judge calls right and wrong, if nothing is known."""
FEWEST_KNOWN: Final = 5
"""With fewer labels of a kind, the usual share is assumed."""


class VariantPlan(Struct, frozen=True, kw_only=True):
    """The labels of a variant: how many there are, and how many give the wanted width.

    ``needed`` is ``None`` if not even labels for all answers give it. ``assumed`` if the errors of
    the judge are a guess, because there are too few labels yet.
    """

    variant: str
    answers: int
    labelled: int
    needed: int | None
    assumed: bool

    @property
    def missing(self) -> int | None:
        """How many labels are still missing."""
        return None if self.needed is None else max(0, self.needed - self.labelled)


class DifferencePlan(Struct, frozen=True, kw_only=True):
    """How many labels of each side give the difference to ``base`` an interval of the wanted width.

    ``pairs`` is the number of questions with a score on both sides; the rest as of a variant.
    """

    variant: str
    base: str
    pairs: int
    needed: int | None
    assumed: bool


class LabelPlan(Struct, frozen=True, kw_only=True):
    """What ``assay labels plan`` says."""

    judge: str
    width: float
    variants: tuple[VariantPlan, ...]
    differences: tuple[DifferencePlan, ...] = ()

    @property
    def by_check(self) -> bool:
        """Whether the labels are for an offline check, and not for a judge."""
        return is_check(self.judge)


def plan_labels(
    judge: str,
    sample: Sample,
    *,
    width: float,
    threshold: float,
    baseline: str = "",
    base: Sample | None = None,
) -> LabelPlan:
    """How many labels each variant needs for an interval of this width, and each difference.

    Variants are compared with those of the same name in the run ``base``, or with its only one;
    without a ``base`` with the ``baseline`` of their own run.
    """
    return LabelPlan(
        judge=judge,
        width=width,
        variants=tuple(
            _variant_plan(name, side, width, threshold) for name, side in sample.sides.items()
        ),
        differences=tuple(_difference_plans(sample, base, baseline, width, threshold)),
    )


def _difference_plans(
    sample: Sample, base: Sample | None, baseline: str, width: float, threshold: float
) -> Iterator[DifferencePlan]:
    other = sample if base is None else base
    places = {item: number for number, item in enumerate(other.items)}
    shared = [number for number, item in enumerate(sample.items) if item in places]
    theirs = [places[sample.items[number]] for number in shared]
    for name, side in sample.sides.items():
        before = _before(name, list(other.sides), baseline if base is None else name)
        if before is None or (base is None and before == name):
            continue
        yield plan_difference(
            (before, other.sides[before].chosen(np.array(theirs, np.intp))),
            (name, side.chosen(np.array(shared, np.intp))),
            width=width,
            threshold=threshold,
        )


def _before(name: str, known: Sequence[str], wanted: str) -> str | None:
    """The variant with which another one is compared: the wanted one, or the only possible one."""
    others = known if len(known) == 1 else [each for each in known if each != name]
    return wanted if wanted in known else others[0] if len(others) == 1 else None


def plan_difference(
    base: tuple[str, JudgedScores],
    cand: tuple[str, JudgedScores],
    *,
    width: float,
    threshold: float = 0.5,
) -> DifferencePlan:
    """How many labels of each side a difference needs; both sides have the same questions, by name."""
    both = np.isfinite(base[1].judged) & np.isfinite(cand[1].judged)
    before, after = (_chances(side.chosen(both), threshold) for _, side in (base, cand))
    needed = labels_for_difference(before.chances, after.chances, width)
    return DifferencePlan(
        variant=cand[0],
        base=base[0],
        pairs=int(both.sum()),
        needed=None if needed is None else min(int(both.sum()), max(needed, FEWEST_LABELS)),
        assumed=before.assumed or after.assumed,
    )


class _Chances(NamedTuple):
    """The chance that each answer is right, by what the judge says of it."""

    chances: Floats
    assumed: bool


def _chances(side: JudgedScores, threshold: float) -> _Chances:
    """The chances by the labels of answers of which the judge says the same, as surely.

    Where labels are too few, sure and unsure answers are put together, or the usual chance is taken.
    """
    said = side.judged >= threshold
    doubtful = np.zeros(len(said), np.bool_) if side.unsure is None else side.unsure
    chances, assumed = np.zeros(len(said)), False
    for group, usual in ((said, USUAL[0]), (~said, USUAL[1])):
        parts = [group & ~doubtful, group & doubtful]
        if min(int((part & side.labelled).sum()) for part in parts) < FEWEST_KNOWN:
            parts = [group]
        for part in parts:
            share = _share(side, part)
            chances[part] = usual if share is None else share
            assumed = assumed or (share is None and bool(part.any()))
    return _Chances(chances, assumed)


def _share(side: JudgedScores, group: NDArray[np.bool_]) -> float | None:
    """The share of right answers in a group by its labels; ``None`` if there are too few of them."""
    known = group & side.labelled
    labels = side.labels[known]
    if len(labels) < FEWEST_KNOWN:
        return None
    mean = float(np.average(labels, weights=side.weights[known]))
    return (mean * len(labels) + 0.5) / (len(labels) + 1)


def _variant_plan(name: str, side: JudgedScores, width: float, threshold: float) -> VariantPlan:
    side = side.chosen(np.isfinite(side.judged))
    said = side.judged >= threshold
    shares, assumed = [], False
    for group, usual in ((said, USUAL[0]), (~said, USUAL[1])):
        known = _share(side, group)
        shares.append(usual if known is None else known)
        assumed = assumed or (known is None and bool(group.any()))
    n = len(said)
    share = float(said.mean()) if n else 0.0
    needed = labels_needed(share, shares[0], shares[1], n, width) if n else None
    return VariantPlan(
        variant=name,
        answers=n,
        labelled=int(side.labelled.sum()),
        needed=None if needed is None else min(n, max(needed, FEWEST_LABELS)),
        assumed=assumed,
    )


class NewDraw(Struct, frozen=True, kw_only=True):
    """A draw: all its answers, and those of them that have no label yet."""

    path: Path
    drawn: tuple[Drawn, ...]
    unlabelled: tuple[RecordedCase, ...]


def draw_answers(
    run: OpenRun,
    judge: ScoredBy,
    labels: Sequence[Label],
    *,
    count: int,
    seed: int,
    threshold: float,
) -> NewDraw:
    """Draw ``count`` answers of each variant, those of earlier draws among them.

    Answers on which judges disagree, scores near the threshold and answers that a check is unsure
    of are likelier, all are possible.
    Raises ``UseError`` if an earlier draw was larger or had another seed; nothing is written then.
    """
    scores, others = judge.scores, _other_judges(run, judge.name)
    names = item_names(run.cases)
    drawn: list[Drawn] = []
    cases: dict[tuple[str, str, str], RecordedCase] = {}
    for variant in dict.fromkeys(case.case.variant.name for case in run.cases):
        chosen = [
            case
            for case in run.cases
            if case.case.variant.name == variant and scores.get(case.case.key) is not None
        ]
        answers = [(names[case.case.key], variant, text_hash(case.answer.text)) for case in chosen]
        check_draw(run.journal, set(answers), count, seed)
        sizes = [
            size(
                scores[case.case.key],
                _others(case, others),
                threshold,
                is_unsure=case.case.key in judge.unsure,
            )
            for case in chosen
        ]
        for place, probability in draw(answers, [each for each, _ in sizes], count, seed):
            item, _, version = answers[place]
            cases[answers[place]] = chosen[place]
            drawn.append(
                Drawn(
                    run=run_id(run),
                    case_id=item,
                    variant=variant,
                    answer_hash=version,
                    probability=probability,
                    why=sizes[place][1],
                    seed=seed,
                    count=count,
                )
            )
    path = write_drawn(run.journal, drawn)
    stated = {(row.answer, row.probability) for row in read_draws(run.journal)}
    labelled = set()
    for label in labels:
        each = (label.case_id, label.variant, label.answer_hash)
        if label.probability is None or (each, label.probability) in stated:
            labelled.add(each)
    unlabelled = [case for answer, case in cases.items() if answer not in labelled]
    return NewDraw(path=path, drawn=tuple(drawn), unlabelled=tuple(unlabelled))


def _other_judges(run: OpenRun, judge: str) -> dict[str, Scores]:
    """The scores of other judges with the same rubric, by name."""
    found = read_verdicts(run.journal, run.cases)
    verdicts = {f"{JUDGE_PREFIX}{name}": each for name, each in found.items()}
    chosen = verdicts.pop(judge, None)
    return {
        name: judge_scores(each)
        for name, each in verdicts.items()
        if chosen is not None and each.rubric == chosen.rubric
    }


def _others(case: RecordedCase, others: Mapping[str, Scores]) -> dict[str, float | None]:
    return {name: scores.get(case.case.key) for name, scores in others.items()}


def run_id(run: OpenRun) -> str:
    """The id of the run, as labels have it: its path in the workspace without ``.jsonl``."""
    journal, root = run.journal.resolve(), run.workspace.root.resolve()
    name = journal.relative_to(root) if journal.is_relative_to(root) else Path(journal.name)
    return name.with_suffix("").as_posix()


def label_sheet(run: OpenRun, cases: Sequence[RecordedCase], labeller: str) -> list[dict[str, Any]]:
    """Rows to fill in: a label for each answer with the verdict "unclear", and its texts."""
    names = item_names(run.cases)
    drawn = {(row.case_id, row.variant): row.probability for row in read_drawn(run.journal)}
    return [_sheet_row(run, case, names[case.case.key], labeller, drawn) for case in cases]


def _sheet_row(
    run: OpenRun,
    case: RecordedCase,
    name: str,
    labeller: str,
    drawn: Mapping[tuple[str, str], float],
) -> dict[str, Any]:
    variant = case.case.variant.name
    label = Label(
        run=run_id(run),
        case_id=name,
        variant=variant,
        answer_hash=text_hash(case.answer.text),
        labeller=labeller,
        time=now(),
        verdict="unclear",
        probability=drawn.get((name, variant)),
    )
    texts = {"question": case.case.question.text, "answer": case.answer.text}
    if case.expected:
        texts["expected"] = " | ".join(case.expected)
    return {**texts, **msgspec.to_builtins(label)}


def sample_of(
    run: OpenRun, judge: ScoredBy, labels: Sequence[Label], *, drawn_at_random: bool = False
) -> Sample:
    """The scores of a judge beside the labels."""
    return make_sample(
        run.journal,
        run.cases,
        judge.scores,
        labels,
        unsure=judge.unsure,
        drawn_at_random=drawn_at_random,
    )
