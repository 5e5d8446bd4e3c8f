"""Runs compared by a judge or a check, corrected by labels where there are enough.

A judge (``--metric judge.NAME``) or a check of answers alone is wrong as often as it errs. If both
runs have enough labels of randomly drawn answers, the difference is corrected by them
(``stats/corrected.py``), and the gate decides by the corrected difference; the report says which
one it used.
"""

from pathlib import Path

from msgspec.structs import replace

from assay.checks.correctness import CHECK
from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.gate.compared_run import ComparedCase, ComparedRun, Key, OtherMetric, merge_cases
from assay.gate.correction import JudgedSide, Labelled
from assay.gate.journal_rows import item_key, run_of_rows
from assay.judge.calibration import JUDGE_PREFIX
from assay.judge.label_store import labels_path
from assay.judge.labelled_answers import Sample, item_names
from assay.judge.planning import sample_of
from assay.judge.verdict import JudgeVerdicts, verdict_notes
from assay.judge.workbench import (
    CORRECTNESS,
    OpenRun,
    ScoredBy,
    judge_scores,
    judge_verdicts,
    labels_of,
    open_run,
)
from assay.records import Metric
from assay.runs.write import draw_path
from assay.words.message import Message, message, message_n
from assay.words.say import say_in


def judged_side(
    path: Path,
    metric: str,
    variant: str | None,
    preferred: str | None,
    labels: Path | None,
) -> JudgedSide:
    """Read one side of a comparison by a judge."""
    journal = _journal(path)
    if not journal.is_file():
        raise UseError(f"{journal}: no such file of rows; a judge judges the rows of a run")
    run = run_of_rows(journal, None, variant, preferred)
    opened = open_run(Workspace.find(start=journal.parent), str(journal))
    verdicts = judge_verdicts(opened, metric.removeprefix(JUDGE_PREFIX))
    cases = _cases(opened, verdicts, run)
    items = {key: _judged(run, key, values) for key, values in cases.items()}
    graded = any(case.value not in {None, 0.0, 1.0} for case in items.values())
    scored = ScoredBy(name=metric, scores=judge_scores(verdicts))
    sample = sample_of(opened, scored, labels_of(opened, labels, verdicts.rubric))
    return JudgedSide(
        run=replace(
            run,
            metric=_metric(verdicts, is_graded=graded),
            items=items,
            primary=metric,
            metric_names=None,
            others=(OtherMetric(metric=run.metric, items=run.items), *run.others),
            judging={**run.judging, f"judge {verdicts.name}": verdicts.identity},
            notes=(*run.notes, *_notes(journal, verdicts, opened, sample.counts.not_drawn)),
        ),
        labelled=_labelled(opened, sample, run),
        has_repetitions=any(len(values) > 1 for values in cases.values()),
    )


def labelled_sides(
    paths: tuple[Path, Path], sides: tuple[ComparedRun, ComparedRun], labels: Path | None
) -> tuple[JudgedSide, JudgedSide] | None:
    """Both runs with labels that correct their metric; ``None`` if there are none.

    ``paths`` are the files that the runs were read from. The labels are those of ``labels``. By
    default they are those of the workspace, if the metric is the check of answers, and if answers of
    both runs were drawn for them.
    """
    metric = sides[1].metric
    journals = _journal(paths[0]), _journal(paths[1])
    is_rate = metric.kind == "rate" and all(run.journal is not None for run in sides)
    if labels is not None and not is_rate:
        raise UseError(
            f"--labels corrects a judge or a yes/no metric of runs with rows, and {metric.name} of "
            "these runs is none"
        )
    if labels is None and not (
        is_rate and metric.name == CHECK and all(map(_has_drawn_labels, journals))
    ):
        return None
    base, cand = (
        _labelled_side(journal, run, labels) for journal, run in zip(journals, sides, strict=True)
    )
    return base, cand


def _journal(path: Path) -> Path:
    return path.with_suffix(".jsonl") if path.suffix == ".json" else path


def _has_drawn_labels(journal: Path) -> bool:
    return draw_path(journal).is_file() and labels_path(journal).is_file()


def _labelled_side(journal: Path, run: ComparedRun, labels: Path | None) -> JudgedSide:
    opened = open_run(Workspace.find(start=journal.parent), str(journal))
    keys = {
        each.case.key: key
        for each in opened.cases
        if each.case.variant.name == run.variant
        and (key := item_key(each.case.key, each.case.question.id, run.variant)) in run.items
    }
    scored = ScoredBy(
        name=run.metric.name,
        scores={name: run.items[key].value for name, key in keys.items()},
        unsure=frozenset(name for name, key in keys.items() if run.items[key].at_least is not None),
    )
    sample = sample_of(opened, scored, labels_of(opened, labels, CORRECTNESS))
    return JudgedSide(
        run=run,
        labelled=_labelled(opened, sample, run),
        has_repetitions=len(set(keys.values())) < len(keys),
    )


def _cases(
    opened: OpenRun, verdicts: JudgeVerdicts, run: ComparedRun
) -> dict[Key, list[float | None]]:
    cases: dict[Key, list[float | None]] = {key: [] for key in run.items}
    for each in opened.cases:
        if each.case.variant.name == run.variant:
            key = item_key(each.case.key, each.case.question.id, each.case.variant.name)
            if key in cases:
                cases[key].append(verdicts.score(each.case.key))
    return cases


def _judged(run: ComparedRun, key: Key, values: list[float | None]) -> ComparedCase:
    """The case with the score of the judge in place of that of the job."""
    case = run.items[key]
    if not values:
        return replace(case, value=None)
    return merge_cases([replace(case, status="scored", value=value) for value in values])


def _labelled(opened: OpenRun, sample: Sample, run: ComparedRun) -> dict[Key, Labelled]:
    side = sample.sides.get(run.variant or "")
    if side is None:
        return {}
    names = item_names(opened.cases)
    places = {name: number for number, name in enumerate(sample.items)}
    found: dict[Key, Labelled] = {}
    for each in opened.cases:
        if each.case.variant.name == run.variant:
            place = places[names[each.case.key]]
            key = item_key(each.case.key, each.case.question.id, each.case.variant.name)
            found[key] = (
                float(side.judged[place]),
                float(side.labels[place]),
                float(side.weights[place]),
                side.unsure is not None and bool(side.unsure[place]),
            )
    return found


def _metric(verdicts: JudgeVerdicts, *, is_graded: bool) -> Metric:
    name = f"{JUDGE_PREFIX}{verdicts.name}"
    return Metric(
        name=name,
        field=name,
        title=f"Judge {verdicts.name}, {verdicts.rubric}",
        title_zh=f"评判 {verdicts.name}，{say_in('zh', verdicts.rubric, 'rubric')}",
        title_ru=f"Судья {verdicts.name}, {say_in('ru', verdicts.rubric, 'rubric')}",
        kind="mean" if is_graded else "rate",
    )


def _notes(
    journal: Path, verdicts: JudgeVerdicts, opened: OpenRun, not_drawn: int
) -> list[Message]:
    notes = [*verdict_notes(verdicts, len(opened.cases))]
    if not_drawn:
        notes.append(
            message_n(
                "{n} label corrects nothing: chosen by hand, or not of a draw that is labelled in its order (assay judge check says more)",
                "{n} labels correct nothing: chosen by hand, or not of a draw that is labelled in its order (assay judge check says more)",
                not_drawn,
            )
        )
    if verdicts.unparsed:
        notes.append(message("{n} replies of the judge could not be read", n=verdicts.unparsed))
    return [message("{file}: {what}", file=journal, what=note) for note in notes]
