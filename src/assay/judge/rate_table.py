"""The rates of judges as a table: the judge alone, corrected, and the number of labels."""

from collections.abc import Sequence
from pathlib import Path

from assay.config.workspace import Workspace
from assay.judge.calibration import JUDGE_PREFIX, Calibration, calibrate
from assay.judge.labelled_answers import make_sample
from assay.judge.verdict import read_verdicts
from assay.judge.workbench import judge_scores, labels_of, open_run
from assay.report.label import word
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn
from assay.runs.write import verdicts_path
from assay.words.language import Lang


def rates_table(calibrations: Sequence[tuple[Calibration, int]], lang: Lang = "en") -> Table:
    """One row for each judge and variant; each calibration comes with its unparsed replies."""
    rows = []
    notes = [word("judge note", lang)]
    for calibration, unparsed in calibrations:
        for rate in calibration.rates:
            corrected = rate.corrected
            key = "judge missing answers" if corrected.is_small else "judge missing"
            missing = word(key, lang).format(count=corrected.missing)
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
            note = word("judge biased", lang)
            notes.append(note.format(judge=calibration.judge, p=calibration.errors_differ))
        if calibration.counts.not_drawn:
            note = word("judge left out", lang)
            count = calibration.counts.not_drawn
            notes.append(note.format(judge=calibration.judge, count=count))
        if unparsed:
            notes.append(f"{calibration.judge}: {word('judge unparsed', lang)} {unparsed}")
    return Table(
        columns=(
            TableColumn(key="answers", title=word("judge answers", lang)),
            TableColumn(key="judge_alone", title=word("judge raw", lang)),
            TableColumn(key="corrected", title=word("judge corrected", lang)),
            TableColumn(key="labelled", title=word("judge labelled", lang)),
        ),
        rows=tuple(rows),
        title=word("judge title", lang),
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
