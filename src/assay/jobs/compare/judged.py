"""Runs compared by a judge: ``--metric judge.NAME``, corrected by labels where there are enough.

The judge alone is wrong as often as it errs. If both runs have enough labels of randomly drawn
answers, the difference is corrected by them (``stats/corrected.py``), and the gate decides by the
corrected difference; the report says which one it used.
"""

from pathlib import Path

from msgspec.structs import replace

from assay.config import Workspace
from assay.errors import UseError
from assay.jobs.compare.compared_run import ComparedCase, ComparedRun, Key, OtherMetric, merge_cases
from assay.jobs.compare.correction import JUDGE_PREFIX, JudgedSide, Labelled
from assay.jobs.compare.journal_rows import item_key, run_of_rows
from assay.jobs.judge import (
    JudgeVerdicts,
    OpenRun,
    Sample,
    item_names,
    judge_scores,
    judge_verdicts,
    labels_of,
    open_run,
    sample_of,
    verdict_notes,
)
from assay.records import Metric
from assay.report.words import value_word
from assay.text import counted


def judged_side(
    path: Path,
    metric: str,
    variant: str | None,
    preferred: str | None,
    labels: Path | None,
) -> JudgedSide:
    """Read one side of a comparison by a judge."""
    journal = path.with_suffix(".jsonl") if path.suffix == ".json" else path
    if not journal.is_file():
        raise UseError(f"{journal}: no such file of rows; a judge judges the rows of a run")
    run = run_of_rows(journal, None, variant, preferred)
    opened = open_run(Workspace.find(start=journal.parent), str(journal))
    verdicts = judge_verdicts(opened, metric.removeprefix(JUDGE_PREFIX))
    cases = _cases(opened, verdicts, run)
    items = {key: _judged(run, key, values) for key, values in cases.items()}
    graded = any(case.value not in {None, 0.0, 1.0} for case in items.values())
    sample = sample_of(opened, judge_scores(verdicts), labels_of(opened, labels, verdicts.rubric))
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
            )
    return found


def _metric(verdicts: JudgeVerdicts, *, is_graded: bool) -> Metric:
    name = f"{JUDGE_PREFIX}{verdicts.name}"
    return Metric(
        name=name,
        field=name,
        title=f"Judge {verdicts.name}, {verdicts.rubric}",
        title_zh=f"评判 {verdicts.name}，{value_word('rubric', verdicts.rubric, 'zh')}",
        title_ru=f"Судья {verdicts.name}, {value_word('rubric', verdicts.rubric, 'ru')}",
        kind="mean" if is_graded else "rate",
    )


def _notes(journal: Path, verdicts: JudgeVerdicts, opened: OpenRun, not_drawn: int) -> list[str]:
    notes = [f"{journal}: {note}" for note in verdict_notes(verdicts, len(opened.cases))]
    if not_drawn:
        notes.append(
            f"{journal}: {counted(not_drawn, 'label corrects', 'labels correct')} nothing: chosen "
            "by hand, or not of a draw that is labelled in its order (assay judge check says more)"
        )
    if verdicts.unparsed:
        notes.append(f"{journal}: {verdicts.unparsed} replies of the judge could not be read")
    return notes
