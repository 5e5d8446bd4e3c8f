"""The runs that a job has prepared, performed one after the other: by commands and by programs."""

from collections.abc import Callable, Iterator, Sequence

from assay.config.experiment import RunSettings
from assay.jobs.part import part_of_run
from assay.jobs.prepared import (
    FinishedRun,
    JobRuns,
    PreparedRun,
    RunOptions,
    repeated_run,
    run_prepared,
)
from assay.library.privacy import keep_run_private
from assay.runs.handler import CaseHandler
from assay.runs.plan import parse_shard
from assay.runs.progress import Reporter


def each_prepared(runs: JobRuns, options: RunOptions) -> Iterator[PreparedRun]:
    """The runs, each prepared when it is its turn, as the options want them: draws, part, documents."""
    shard = parse_shard(options.shard) if options.shard is not None else None
    scorers = options.scorers
    for whole in runs.prepared():
        run = repeated_run(whole, options.runs).about(options.documents).scored_by(scorers)
        yield run if shard is None else part_of_run(run, shard)


def perform(
    run: PreparedRun,
    settings: RunSettings,
    options: RunOptions,
    *,
    reporter: Callable[[CaseHandler], Reporter] | None = None,
    begin: Callable[[str], None] = lambda _expectation: None,
    command: Sequence[str] = (),
) -> FinishedRun:
    """Ask the cases that are not recorded yet and write the summary.

    ``begin`` is told once what to expect, before the first case is asked. ``command`` is what was typed.
    """
    pace = run.pace()  # before the summary of an earlier run is replaced
    keep_run_private(run.journal)
    own = run.own_settings(settings, options)
    return run_prepared(
        run,
        settings=own,
        reporter=reporter,
        resume="refresh" if run.is_recorded and options.resume == "ask" else options.resume,
        begin=lambda survey: begin(run.expectation(survey, own.concurrency, pace)),
        command=command,
    )
