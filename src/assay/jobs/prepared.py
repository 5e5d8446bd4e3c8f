"""What a job returns to be run: everything is loaded and checked, and nothing is asked yet.

A job only describes its runs. ``PreparedRun`` says what is asked of which system, how its rows are made
and where they go. ``run_prepared`` does the rest in the same way for every job, and
``assay.cli.run_command`` adds what a terminal shows.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from assay.checks.own_scorer import OwnScorer, with_declarations
from assay.config.document import ConfigDocument, ExperimentFile
from assay.config.experiment import REFERENCE, RunSettings
from assay.config.system import ClusterOptions, read_cluster_options
from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.jobs.estimate import Estimate, Pace, estimate, expectation_line, model_facts, past_pace
from assay.mask import mask_json, mask_text, redactor, sealed
from assay.records import Estimand, RunHeader
from assay.results.job import job_spec, refuse_clash
from assay.runs.asking_order import estimand_of_questions
from assay.runs.handler import CaseHandler
from assay.runs.own_scorer import GivenScorer, read_scorers
from assay.runs.plan import Plan, repeated_plan
from assay.runs.progress import Reporter
from assay.runs.resume import Resume
from assay.runs.run import check_run, run_plan
from assay.runs.summary import RunResult, Summary, read_summary
from assay.runs.survey import Survey
from assay.runs.write import summary_path
from assay.study.recorded import RecordedRun
from assay.systems.load import SideBySide
from assay.systems.protocol import (
    HasNotes,
    Replays,
    System,
    described_variant,
    is_imported,
    local_copy,
)
from assay.text.width import labelled
from assay.words.message import Message, joined, message
from assay.words.say import listed, say, say_n

# A name that belongs to another run already: its summary must not be replaced unnoticed.


def refuse_taken_name(journal: Path, header: RunHeader, *, other_systems: bool) -> None:
    """Refuse a run whose name has the results of another job, or of other systems.

    A run that loses none of its systems goes on. ``other_systems`` is true if they are refused too.
    A summary whose rows are gone belongs to no run.

    Raises:
        UseError: The name is taken.
    """
    previous = read_summary(summary_path(journal))
    if previous is None or not journal.is_file() or not journal.stat().st_size:
        return
    if previous.job != header.job:
        raise UseError(_line(journal, f"the job {previous.job}"))
    recorded = _names(previous)
    chosen = _names(header)
    if other_systems and not any(
        recorded <= names for names in (chosen, set(map(mask_text, chosen)))
    ):
        raise UseError(_line(journal, _listed(recorded)))


def _names(run: Summary | RunHeader) -> set[str]:
    return {variant.name for variant in run.variants}


def _listed(names: Iterable[str]) -> str:
    return " and ".join(sorted(names))


def _line(journal: Path, owner: str) -> str:
    return (
        f"{journal}: this name belongs to a run of {owner}, and its summary would be replaced; use "
        "another --name, or --resume fresh if that is meant (the old files are kept)"
    )


# What a run with redaction has to tell before it begins.

OWN_CODE = ("python:", "command:")
"""How the identities of systems begin that run code of the user."""


def learn_plain_rows(journal: Path) -> None:
    """Search rows that were written without redaction, before they are shown with it."""
    summary = read_summary(summary_path(journal))
    if redactor() is None or (summary is not None and summary.redact is not UNSET):
        return
    with journal.open("rb") as file:
        for line in file:
            mask_json(line)


def redaction_notes(system: System, journal: Path) -> Iterator[Message | str]:
    """One line for each note; none without redaction."""
    active = redactor()
    if active is None:
        return
    yield joined(
        [
            message(
                "personal data is masked in calls to other computers, and in everything that is written or shown"
            )
            if active.mode == "calls"
            else message("personal data is masked in everything that is written or shown"),
            "" if active.has_key else message("no key is kept, and there is no call cache"),
        ]
    )
    if active.mode == "calls" and system.identity.startswith(OWN_CODE):
        yield (
            message(
                "what {system} itself sends to other computers cannot be seen, and is not masked",
                system=system.identity.partition("#")[0],
            )
        )
    previous = read_summary(summary_path(journal))
    if previous is not None and previous.redact is UNSET and journal.exists():
        yield (
            message(
                "{name} has rows that were written without redaction; mask them with: assay redact rewrite",
                name=journal.name,
            )
        )


MOST_ON_WORKERS: Final = 1024
"""The most questions that are asked at once if it is not known how many the workers take."""


RUNS: Final = "runs"
"""The field in ``extra`` of a header that says how often each case is asked; absent if once."""


class RunOptions(Struct, frozen=True, kw_only=True):
    """The options that all run commands share. ``None`` keeps the configured value."""

    root: Path | None = None
    allow_outside_root: bool = False
    concurrency: int | None = None
    timeout: float | None = None
    retries: int | None = None
    max_cost: float | None = None
    max_minutes: float | None = None
    count_filtered: bool = False
    resume: Resume = "ask"
    documents: Estimand | None = None
    dry_run: bool = False
    no_call_cache: bool = False
    log_lines: bool = False
    no_report: bool = False
    charts: str = "png"
    runs: int | None = None
    shard: str | None = None
    on: str | None = None
    workers: int | None = None
    worker_cpus: float | None = None
    worker_gpus: float | None = None
    worker_files: str | None = None
    scorer: Sequence[GivenScorer] | None = None
    as_json: bool = False

    @property
    def scorers(self) -> tuple[OwnScorer, ...]:
        """The scorers of the user. Raises ``UseError`` if one cannot be used."""
        return read_scorers(self.scorer or ())

    @property
    def cluster(self) -> ClusterOptions | None:
        """The cluster that the system answers in; None if it answers in this process."""
        return read_cluster_options(
            self.on,
            workers=self.workers,
            cpus=self.worker_cpus,
            gpus=self.worker_gpus,
            files=self.worker_files,
        )

    def find_workspace(self) -> Workspace:
        """The workspace that the command works in."""
        return Workspace.find(self.root, allow_outside_root=self.allow_outside_root)

    def run_settings(self, document: ConfigDocument[ExperimentFile] | None) -> RunSettings:
        """The configured settings of a run, replaced where the command line says otherwise."""
        configured = document.value.defaults.run if document else RunSettings()
        chosen = {
            "concurrency": self.concurrency,
            "timeout_s": self.timeout,
            "retries": self.retries,
            "max_cost": self.max_cost,
            "max_minutes": self.max_minutes,
            "count_filtered": self.count_filtered or None,
        }
        for name, value in chosen.items():
            if isinstance(value, float) and not math.isfinite(value):
                option = f"--{name.removesuffix('_s').replace('_', '-')}"
                raise UseError(f"{option} {value}: give a finite number")
        return replace(configured, **{k: v for k, v in chosen.items() if v is not None})


def asked_systems(system: System) -> list[str]:
    """What is asked, in the words of ``--system`` as far as the identity has them."""
    if isinstance(system, SideBySide):
        return [name for each in system.distinct for name in asked_systems(each)]
    identity = system.identity
    if identity.startswith(f"{REFERENCE}:"):
        return [say("the reference pipeline")]
    is_code = identity.startswith("python:")
    return [identity.partition("@")[0] if is_code else sealed(identity)]


class FinishedRun(RunResult, frozen=True, kw_only=True):
    """How a run ended, and what it has recorded."""

    recorded: RecordedRun


class PreparedRun(Struct, frozen=True, kw_only=True):
    """One run that could begin now.

    - ``description``: what is about to run, in a few lines;
    - ``preamble``: a first line without a key for a journal that is still empty;
    - ``check``: refuses the run before anything is paid for, called with the options;
    - ``finish``: what the job does with the result, such as writing a file of its own;
    - ``make_estimate``: the job's own estimate (concurrency, fresh), if the job knows more than
      the recorded rows show; ``has_estimate`` is false if the estimate of another run of the
      command includes this run;
    - ``title``: a line before the result, if a command has several runs;
    - ``outcome``: lines about the result; ``writes_report``: whether a report page follows;
    - ``own_notes``: what the job has to tell the user before the run;
    - ``is_named``: the user has named the run (``--name``), so its systems decide whether it is the
      run of that name;
    - ``is_recorded``: the answers and failures exist already, so nothing is asked: what changed is
      scored again without a question, and a failure is not one of this run;
    - ``scorers``: those of the user, besides the registered ones;
    - ``runs``: how often the configuration wants each case to be asked (see ``repeated_run``);
      ``None`` if it is asked once whatever is typed.
    """

    plan: Plan
    system: System
    handler: CaseHandler
    header: RunHeader
    journal: Path
    description: tuple[str, ...] = ()
    preamble: bytes | None = None
    check: Callable[[Resume], None] = lambda _resume: None
    finish: Callable[[FinishedRun], FinishedRun] = lambda result: result
    make_estimate: Callable[[int, bool], Estimate] | None = None
    has_estimate: bool = True
    outcome: Callable[[FinishedRun], Sequence[str]] = lambda _result: ()
    title: str = ""
    writes_report: bool = False
    own_notes: tuple[Message | str, ...] = ()
    is_named: bool = False
    is_recorded: bool = False
    runs: int | None = 1
    scorers: tuple[OwnScorer, ...] = ()

    def scored_by(self, scorers: tuple[OwnScorer, ...]) -> "PreparedRun":
        """The run with scorers of the user.

        Raises:
            UseError: One has the name of something else in the rows.
        """
        refuse_clash(self.header.job, scorers)
        extra = with_declarations(self.header.extra, None, scorers)
        return replace(self, scorers=scorers, header=replace(self.header, extra=extra))

    def about(self, documents: Estimand | None) -> "PreparedRun":
        """The run with what the user wants it to be about in its header.

        Raises:
            UseError: It is to be about documents like these, and there are too few of them.
        """
        if documents is None or self.plan.early_stop is not None:
            return self  # a run that stops early has it in its rule
        if documents == "sample":
            estimand_of_questions((case.question for case in self.plan.cases()), documents)
        return replace(
            self, header=replace(self.header, extra={**self.header.extra, "estimand": documents})
        )

    @property
    def lines(self) -> tuple[str, ...]:
        """The description, after a line that says what is asked; none if there is no description."""
        if not self.description:
            return ()
        if self.is_recorded:
            return self.description
        return (labelled(say("asks"), listed(asked_systems(self.system))), *self.description)

    def estimate(self, concurrency: int, *, fresh: bool) -> Estimate:
        """The calls, cost and time of the run; with ``fresh``, as if nothing were recorded."""
        if self.make_estimate is not None:
            return self.make_estimate(concurrency, fresh)
        price, averages = model_facts(self.system)
        return estimate(
            self.plan,
            self.system,
            self.journal,
            concurrency=concurrency,
            price=price,
            averages=averages,
            pace=self.pace(),
            fresh=fresh,
        )

    def refuse(self, *, resume: Resume = "ask") -> None:
        """Refuse what the run itself would refuse before its first call; nothing is changed."""
        if resume != "fresh":  # with it, the check of a job may move files away
            self.refuse_taken_name(resume)
            if resume == "ask" and not is_imported(self.system):
                resume = "keep"  # of which version the recorded answers are is not known
            self.check(resume)
        check_run(self.plan, self.journal, resume=resume)

    def refuse_taken_name(self, resume: Resume) -> None:
        """Refuse a name that another job or other systems have; nothing is changed."""
        refuse_taken_name(
            self.journal, self.header, other_systems=self.is_named and resume == "ask"
        )

    def notes(self) -> tuple[Message | str, ...]:
        """What the system, the job and redaction have to tell the user before the run."""
        system_notes = tuple(self.system.notes) if isinstance(self.system, HasNotes) else ()
        return (*system_notes, *self.own_notes, *redaction_notes(self.system, self.journal))

    def expectation(self, survey: Survey, concurrency: int, pace: Pace | None) -> str:
        """The expected size and time of the run in one line; empty if both are unknown."""
        return expectation_line(self.plan, self.system, survey, concurrency=concurrency, pace=pace)

    def own_settings(self, settings: RunSettings, options: RunOptions) -> RunSettings:
        """The settings; unless somebody says how many, the workers say how many they take at once."""
        if options.concurrency is not None or local_copy(self.system) is self.system:
            return settings
        return replace(settings, concurrency=self.system.max_concurrency or MOST_ON_WORKERS)

    def pace(self) -> Pace | None:
        """How fast the system answered in earlier runs, this one's earlier part among them."""
        return past_pace(
            self.journal.parent, self.header.job, self.plan, imported=is_imported(self.system)
        )


def repeated_run(run: PreparedRun, runs: int | None = None) -> PreparedRun:
    """The run with each case asked ``runs`` times, or as often as its configuration says.

    Raises:
        UseError: the answers are recorded ones, or the run stops early.
    """
    count = 1 if run.runs is None else runs or run.runs
    if count == 1:
        return run
    if isinstance(run.system, Replays) and (files := run.system.replayed_files):
        raise UseError(
            f"--runs {count}: {files[0][0]} is a recording and has one answer to each question; ask "
            "a system that can answer again, or leave --runs out"
        )
    plan = repeated_plan(run.plan, count)
    header = replace(run.header, total=plan.total, extra={**run.header.extra, RUNS: count})
    cases = say_n("{n} case", "{n} cases", plan.total)
    each = say("{n} of each question: {cases}", n=count, cases=cases)
    return replace(
        run,
        plan=plan,
        header=header,
        description=(*run.description, labelled(say("draws"), each)),
    )


class JobRuns(Struct, frozen=True, kw_only=True):
    """All runs of one command.

    ``prepared`` prepares them one after the other, each when it is its turn, so that it can use
    what an earlier one recorded. ``outcome`` gives lines about all runs together once they have
    ended, ``outcome_json`` the same for programs. ``close`` releases what the runs share.
    """

    settings: RunSettings
    prepared: Callable[[], Iterator[PreparedRun]]
    close: Callable[[], None] = lambda: None
    outcome: Callable[[], Sequence[str]] = lambda: ()
    outcome_json: Callable[[], Any] | None = None


def run_prepared(
    run: PreparedRun,
    *,
    settings: RunSettings,
    reporter: Callable[[CaseHandler], Reporter] | None = None,
    resume: Resume = "ask",
    begin: Callable[[Survey], None] | None = None,
    command: Sequence[str] = (),
) -> FinishedRun:
    """Ask the cases that are not recorded yet, write the summary, and call the job's ``finish``.

    ``begin`` is called once, after the journal was read and before the first case is asked.
    ``command`` is what was typed; the summary keeps it.
    """
    if resume != "fresh":
        run.refuse_taken_name(resume)
    run.check(resume)
    recorded = RecordedRun(run.journal, run.header.job)
    result = run_plan(
        run.plan,
        run.handler,
        replace(
            run.header,
            variants=tuple(described_variant(each, run.system) for each in run.header.variants),
        ),
        run.journal,
        settings=settings,
        reporter=reporter(run.handler) if reporter else None,
        aggregate=lambda _: recorded.summary_results(),
        resume=resume,
        preamble=run.preamble,
        begin=begin,
        metrics=(*job_spec(run.header.job).metrics, *run.scorers),
        command=command,
        scorers=run.scorers,
    )
    ended = {name: getattr(result, name) for name in RunResult.__struct_fields__}
    return run.finish(FinishedRun(**ended, recorded=recorded))
