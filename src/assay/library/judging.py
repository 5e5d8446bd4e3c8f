"""Judges of the configuration, asked about the answers of a run that a program has made."""

from collections.abc import Iterator
from pathlib import Path

from assay.config.workspace import Workspace
from assay.jobs.prepared import RunOptions
from assay.judge.judge_run import JudgedRun, judge_answers
from assay.judge.verdict import read_verdicts
from assay.judge.workbench import judge_scores, judgeable, open_judge, open_run
from assay.runs.write import verdicts_path


def judge_run(journal: Path, name: str, options: RunOptions) -> JudgedRun:
    """Ask a judge about the answers that it has not judged yet, as ``assay judge`` does."""
    opened = open_run(options.find_workspace(), str(journal))
    with open_judge(opened, name, retries=options.retries) as (judge, document):
        cases, skipped = judgeable(opened, judge)
        settings = options.run_settings(document)
        return judge_answers(opened.journal, judge, cases, settings=settings, skipped=skipped)


def judge_columns(journal: Path) -> Iterator[tuple[str, dict[str, float | None]]]:
    """The scores of each judge of a run by the keys of its rows; nothing if none has judged it."""
    if not verdicts_path(journal).exists():
        return
    opened = open_run(Workspace.find(start=journal.resolve().parent), str(journal))
    for name, verdicts in read_verdicts(journal, opened.cases).items():
        yield f"judge.{name}", dict(judge_scores(verdicts))
