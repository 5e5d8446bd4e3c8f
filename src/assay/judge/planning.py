"""Which answers to label next, and the sheet for a person."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from assay.judge.calibration import JUDGE_PREFIX
from assay.judge.draw import Drawn, check_draw, draw, read_drawn, read_draws, size, write_drawn
from assay.judge.label import Label
from assay.judge.labelled_answers import Sample, ScoreByName, item_names, make_sample
from assay.judge.subject import RecordedCase
from assay.judge.verdict import read_verdicts
from assay.judge.workbench import OpenRun, ScoredBy, judge_scores
from assay.runs.summary import now


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
        answers = [(names[case.case.key], variant, case.version) for case in chosen]
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


def _other_judges(run: OpenRun, judge: str) -> dict[str, ScoreByName]:
    """The scores of other judges with the same rubric, by name."""
    found = read_verdicts(run.journal, run.cases)
    verdicts = {f"{JUDGE_PREFIX}{name}": each for name, each in found.items()}
    chosen = verdicts.pop(judge, None)
    return {
        name: judge_scores(each)
        for name, each in verdicts.items()
        if chosen is not None and each.rubric == chosen.rubric
    }


def _others(case: RecordedCase, others: Mapping[str, ScoreByName]) -> dict[str, float | None]:
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
        answer_hash=case.version,
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
