"""The rates of judges as a table: the judge alone, corrected, and the number of labels."""

from collections.abc import Sequence
from pathlib import Path

from assay.config.workspace import Workspace
from assay.judge.calibration import JUDGE_PREFIX, Calibration, calibrate
from assay.judge.labelled_answers import make_sample
from assay.judge.verdict import read_verdicts
from assay.judge.workbench import judge_scores, labels_of, open_run
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn
from assay.runs.write import verdicts_path
from assay.words.language import Lang
from assay.words.say import say_in


def rates_table(calibrations: Sequence[tuple[Calibration, int]], lang: Lang = "en") -> Table:
    """One row for each judge and variant; each calibration comes with its unparsed replies."""
    rows = []
    notes = [
        say_in(
            lang,
            "Corrected: by the labels of people, with an interval that contains the error of the questions and that of the labels. The judge alone is not corrected.",
        )
    ]
    for calibration, unparsed in calibrations:
        for rate in calibration.rates:
            corrected = rate.corrected
            missing = (
                say_in(lang, "{count} more labelled answers needed", count=corrected.missing)
                if corrected.is_small
                else say_in(lang, "{count} labels missing", count=corrected.missing)
            )
            rows.append(
                LabelledRow(
                    label=f"{calibration.judge}: {rate.variant}",
                    cells=(
                        TableCell(value=corrected.n),
                        TableCell(
                            value=corrected.raw if corrected.n else None, interval=rate.raw_interval
                        ),
                        TableCell(value=corrected.estimate, interval=corrected.interval)
                        if corrected.estimate is not None
                        else TableCell(value=missing),
                        TableCell(value=corrected.labelled),
                    ),
                )
            )
        if calibration.is_biased:
            notes.append(
                say_in(
                    lang,
                    "{judge}: its errors differ between the variants (p = {p:.3f}): a comparison by the judge alone is biased.",
                    judge=calibration.judge,
                    p=calibration.errors_differ,
                )
            )
        if calibration.counts.not_drawn:
            notes.append(
                say_in(
                    lang,
                    "{judge}: {count} labels correct nothing: chosen by hand, or not of a draw labelled in its order",
                    judge=calibration.judge,
                    count=calibration.counts.not_drawn,
                )
            )
        if unparsed:
            notes.append(
                f"{calibration.judge}: {say_in(lang, 'unparsed', context='judge')} {unparsed}"
            )
    return Table(
        columns=(
            TableColumn(key="answers", title=say_in(lang, "answers")),
            TableColumn(key="judge_alone", title=say_in(lang, "judge alone")),
            TableColumn(key="corrected", title=say_in(lang, "corrected")),
            TableColumn(key="labelled", title=say_in(lang, "labelled")),
        ),
        rows=tuple(rows),
        title=say_in(lang, "Judges"),
        notes=tuple(notes),
    )


def judge_tables(journal: Path, workspace: Workspace, lang: Lang = "en") -> list[Table]:
    """The table of all judges of a run for its report; none if no judge has judged it."""
    if not verdicts_path(journal).exists():
        return []
    run = open_run(workspace, str(journal))
    verdicts = read_verdicts(journal, run.cases)
    if not verdicts:
        return []
    calibrations = [
        (
            calibrate(
                f"{JUDGE_PREFIX}{name}",
                make_sample(
                    journal,
                    run.cases,
                    judge_scores(judge),
                    labels_of(run, None, judge.rubric),
                ),
                baseline=run.baseline,
            ),
            judge.unparsed,
        )
        for name, judge in verdicts.items()
    ]
    return [rates_table(calibrations, lang)]
