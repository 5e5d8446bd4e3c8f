"""Prepare reviews of contract clauses: read, check and plan them."""

import hashlib
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from assay import __version__
from assay.checks.quotation import THRESHOLD
from assay.config.document import ConfigDocument, ExperimentFile, parse_document
from assay.config.experiment import REFERENCE, Experiment, check_name
from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.jobs.contract.classification import RISK_SCORES
from assay.jobs.contract.clause import ClauseFile, read_clause_file, read_risk_scores
from assay.jobs.contract.handler import JOB, ReviewHandler, truth_of
from assay.jobs.contract.reply_check import Judge, is_default
from assay.jobs.contract.reviewer import Reviewer
from assay.jobs.contract.source import (
    REVIEWER,
    SAMPLE_CLAUSES,
    ReviewOptions,
    load_embedder,
    load_remote_judge,
    load_reranker,
    load_reviewer_and_laws,
    make_review_context,
)
from assay.jobs.experiment import (
    ExperimentChoice,
    all_experiments,
    choose_experiments,
    lay_out_variants,
    primary_metric,
    refuse_same_names,
)
from assay.jobs.prepared import JobRuns, PreparedRun, RunOptions
from assay.mask import mask_identifier
from assay.records import Metric, Question, RunHeader, Variant, digest
from assay.report.description import noted, primary_line
from assay.runs.plan import Layout, Placement, product_plan
from assay.systems.load import SystemContext, default_system, load_configuration
from assay.systems.protocol import System, local_copy, with_configuration
from assay.text.width import labelled
from assay.words.say import listed, marked, say, say_n

# The experiments with a reviewer that come with assay, and what is compared without one.

PRESETS: Final = "presets_review.yaml"
VARIANT: Final = "review"
"""The only variant of a system whose settings are not those of the reviewer."""
_OF_RULES: Final = frozenset({"rules_enabled", "law_lookup_enabled"})


def review_presets() -> ConfigDocument[ExperimentFile]:
    """The experiments with a reviewer that come with assay; they run on any clauses."""
    text = files("assay.config").joinpath(PRESETS).read_text(encoding="utf-8")
    return parse_document(text, ExperimentFile, Path("assay", PRESETS))


def is_preset(choice: ExperimentChoice) -> bool:
    """Whether the experiment comes with assay, and not from a file of the user."""
    return choice.document.path == Path("assay", PRESETS)


def lay_out_preset(choice: ExperimentChoice, system: System, *, is_named: bool) -> Layout:
    """The variants of a preset for this system.

    The presets compare parts of the reviewer that comes with assay. Another system is asked once
    for each clause, unless the user named the preset and the system declares the same settings.
    A reviewer without rules has none to leave out.
    """
    file, experiment = choice.document.value, choice.experiment
    variables = experiment.ablation_variable or []
    reviewer = local_copy(system)
    if not isinstance(reviewer, Reviewer):
        if is_named and set(variables) <= (system.settings or {}).keys():
            return lay_out_variants(choice.document, choice.number, system)
        variant = with_configuration(Variant(name=VARIANT), system)
        return Layout(variants=(variant,), baseline=VARIANT)
    if reviewer.has_rules:
        return lay_out_variants(choice.document, choice.number, system)
    kept = replace(
        experiment,
        ablation_variable=[name for name in variables if name not in _OF_RULES],
        variants=[variant for variant in experiment.variants if not _OF_RULES & variant.keys()],
    )
    document = replace(choice.document, value=replace(file, experiments=[kept]))
    return lay_out_variants(document, 0, system)


SAMPLE_NAME: Final = marked("the sample's clauses")
_ONCE: Final = Placement(label="run=1", values={"run": 1})


def prepare(options: ReviewOptions, run: RunOptions) -> JobRuns:
    """Read the configuration and prepare all reviews; all are checked before the first one runs."""
    workspace = run.find_workspace()
    document = load_configuration(workspace, options.config)
    choices = _choose(document, options)
    if options.name is not None and len(choices) > 1:
        raise UseError(f"--name names one run, and these are {len(choices)}: add --experiment NAME")
    context = make_review_context(
        workspace,
        document,
        options,
        use_cache=not run.no_call_cache,
        concurrency=run.concurrency,
        cluster=run.cluster,
        imports=not run.dry_run,
    )

    def prepared() -> Iterator[PreparedRun]:
        yield from [
            prepare_review(choice, workspace, context, options, run.scorers) for choice in choices
        ]

    return JobRuns(settings=run.run_settings(document), prepared=prepared, close=context.close)


def _choose(
    document: ConfigDocument[ExperimentFile] | None, options: ReviewOptions
) -> list[ExperimentChoice]:
    """Choose the experiments to run.

    They are the named ones; if none is named, all of ``--config``; if that has none either,
    the presets, with the defaults and baselines of the workspace.
    """
    presets = review_presets()
    if options.experiments:
        return choose_experiments(document, presets, options.experiments)
    if options.config is not None and document is not None and document.value.experiments:
        choices = all_experiments(document)
    else:
        names = [experiment.name for experiment in presets.value.experiments]
        defaults_only = (
            replace(document, value=replace(document.value, experiments=[])) if document else None
        )
        choices = choose_experiments(defaults_only, presets, names)
    refuse_same_names(choices)
    return choices


def prepare_review(
    choice: ExperimentChoice,
    workspace: Workspace,
    context: SystemContext,
    options: ReviewOptions,
    scorers: Sequence[Metric] = (),
) -> PreparedRun:
    """Load and check everything the review needs; no question is asked yet.

    Raises:
        UseError: The options or the configuration are wrong.
        DatasetError: The clauses, the laws or another file cannot be used.
    """
    experiment, defaults = choice.experiment, choice.document.value.defaults
    path = _data_path(choice, workspace, options)
    file = read_clause_file(path)
    clauses = file.clauses
    limit = options.limit if options.limit is not None else experiment.question_limit or 0
    primary = primary_metric(JOB, choice, options.primary, scorers=scorers)
    # the general default "reference" answers questions about a corpus and cannot review
    named = REVIEWER if defaults.system == REFERENCE or options.sample else defaults.system
    spec = options.system or experiment.system or named
    if spec is None:
        spec = default_system(defaults, workspace, REVIEWER)
    system, laws = load_reviewer_and_laws(spec, context, options, file.rule_levels)
    if is_preset(choice):
        layout = lay_out_preset(choice, system, is_named=bool(options.experiments))
    else:
        layout = lay_out_variants(choice.document, choice.number, system)
    selected = tuple(clauses[:limit] if limit else clauses)
    judge = Judge(
        embedder=load_embedder(options.embedder),
        reranker=load_reranker(options.verifier, context),
        threshold=THRESHOLD if options.threshold is None else options.threshold,
        laws=laws,
        worth=RISK_SCORES if options.costs is None else read_risk_scores(options.costs),
    )
    truths = {clause.id: truth_of(clause) for clause in selected}
    plan = product_plan(
        # without the true verdict, so that a correction to it does not ask again
        questions=[
            Question(id=clause.id, text=clause.text, source=clause.source) for clause in selected
        ],
        variants=layout.variants,
        placements=[_ONCE],
        system=system.identity,
        against=lambda question: [truths[question.id], judge.mark],
    )
    # so that results of the sample do not mix with the user's own results
    name = f"{experiment.name}_sample" if options.sample else experiment.name
    name = name if options.name is None else check_name(options.name)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    header = RunHeader(
        job=JOB,
        name=name,
        system=system.identity,
        variants=layout.variants,
        total=plan.total,
        questions_path=SAMPLE_NAME if options.sample else path.as_posix(),
        questions_sha256=sha256,
        limit=limit,
        judging=digest([__version__, sha256, judge.mark]),
        extra=_extra_fields(experiment, layout, primary, judge, len(selected)),
    )
    journal = (options.out or workspace.experiments_dir) / f"{mask_identifier(name)}.jsonl"
    return PreparedRun(
        plan=plan,
        system=system,
        handler=ReviewHandler(
            system,
            selected,
            judge,
            load_remote_judge(judge, options.embedder, options.verifier, context),
        ),
        header=header,
        journal=journal,
        description=(
            *_describe(experiment, layout, primary, judge, header, system, len(selected)),
            *(labelled(say("note"), noted(note)) for note in _notes(path, file, options, judge)),
        ),
        writes_report=True,
        runs=experiment.runs,
    )


def _data_path(choice: ExperimentChoice, workspace: Workspace, options: ReviewOptions) -> Path:
    if options.sample:
        if options.data is not None:
            raise UseError("give --data or --sample, not both")
        return SAMPLE_CLAUSES
    if options.data is not None:
        return options.data
    if choice.experiment.questions_path is not None:
        return workspace.resolve(choice.experiment.questions_path, choice.where)
    raise UseError(
        "name a file of clauses with --data, or use --sample for those that come with assay"
    )


def _notes(path: Path, file: ClauseFile, options: ReviewOptions, judge: Judge) -> Iterator[str]:
    """What the user should know about clauses and laws; the system has its own notes."""
    yield from (f"{path.name}: {note}" for note in file.notes)
    if judge.laws is not None:
        name = options.laws.name if options.laws else "laws"
        yield from (f"{name}: {note}" for note in judge.laws.notes)


def _extra_fields(
    experiment: Experiment, layout: Layout, primary: Metric, judge: Judge, clauses: int
) -> dict[str, Any]:
    """The fields of the header that only a review has."""
    extra: dict[str, Any] = {
        "description": experiment.description if len(layout.variants) > 1 else "",
        "design": experiment.design,
        "baseline": layout.baseline,
        "primary": primary.name,
        "ablation_variable": list(layout.variables),
        "questions": clauses,
        "threshold": judge.threshold,
        "verifier": judge.mark["verifier"],
        "laws_sha256": judge.laws.sha256 if judge.laws else None,
    }
    if layout.switched:
        extra["switched"] = {name: dict(on) for name, on in layout.switched.items()}
    if layout.ordered:
        extra["ordered"] = dict(layout.ordered)
    if not is_default(judge.worth):
        extra["costs"] = [list(row) for row in judge.worth]
    return extra


def _describe(
    experiment: Experiment,
    layout: Layout,
    primary: Metric,
    judge: Judge,
    header: RunHeader,
    system: System,
    clauses: int,
) -> Iterator[str]:
    """A few lines that describe the run before it starts."""
    is_compared = len(layout.variants) > 1
    about = f": {experiment.description}" if experiment.description and is_compared else ""
    names = ", ".join(variant.name for variant in layout.variants)
    laws = say("none (--laws), so cited laws cannot be checked")
    if judge.laws:
        laws = say_n("{n} article", "{n} articles", len(judge.laws.store))
    yield labelled(say("review"), f"{header.name}{about}")
    yield labelled(say("system"), header.system)
    if is_compared:
        compared = say("{names}; compared with {baseline}", names=names, baseline=layout.baseline)
        yield labelled(say("variants"), compared)
        yield labelled(say("primary"), primary_line(primary))
    cases = say_n("{n} case", "{n} cases", header.total)
    name = say(header.questions_path or "")
    of_file = say("{n} of {file}", n=clauses, file=name)
    yield labelled(say("clauses"), listed([of_file, cases]))
    reviewer = local_copy(system)
    if isinstance(reviewer, Reviewer) and not reviewer.has_rules:
        yield labelled(
            say("rules"),
            say("none (--rules): only words that are often near a risk are looked for"),
        )
    valid = say(
        "{verifier}, valid from {threshold:g}",
        verifier=judge.mark["verifier"],
        threshold=judge.threshold,
    )
    yield labelled(say("quotations"), valid)
    yield labelled(say("laws"), laws)
    if not is_default(judge.worth):
        yield labelled(say("costs"), say("from the file of --costs"))
