"""Prepare experiments of ``experiments.yaml``: read, check and plan them.

The ids of questions that have none of their own follow from the question's text. Earlier versions
numbered the rows of the file instead; a run that they recorded keeps its numbers, because they are
in the keys of its rows.
"""

import asyncio
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from assay import __version__
from assay.checks.correctness import EXPECTED
from assay.checks.known_name import unknown_metric
from assay.checks.retrieval import SPAN_SHARE
from assay.checks.scorer import DESCRIBED, Scorer
from assay.config.document import ConfigDocument, ExperimentFile, presets
from assay.config.experiment import Experiment
from assay.config.workspace import Workspace
from assay.data.jsonl import unreadable_error
from assay.data.question import CorpusQuestion, read_further_fields, read_questions, set_version
from assay.data.question_set import (
    BY_MASKED_TEXT,
    BY_TEXT,
    IDS,
    IdsBy,
    foreign_table,
    has_own_ids,
    is_own_format,
)
from assay.data.set_note import odd_question_notes, question_notes
from assay.errors import ConfigError, UseError
from assay.jobs.answers.failed_question import EndedRuns
from assay.jobs.answers.handler import (
    JOB,
    AblationHandler,
    asked,
    compared_with,
    refuse_recut_gold,
    unchecked_gold_notes,
    with_known_gold,
    with_recorded_gold,
    without_gold,
)
from assay.jobs.answers.unread_draft import unread_drafts
from assay.jobs.experiment import (
    ExperimentChoice,
    all_experiments,
    choose_experiments,
    describe_early_stop,
    early_stop,
    early_stop_fields,
    lay_out_variants,
    primary_metric,
    refuse_same_names,
)
from assay.jobs.prepared import JobRuns, PreparedRun, RunOptions
from assay.mask import mask_identifier, redactor, same_hash
from assay.records import Estimand, Metric, RunHeader, digest
from assay.report.description import noted, primary_line
from assay.results.job import common_top_k, job_spec
from assay.runs.asking_order import ordered_rule, read_order
from assay.runs.plan import Layout, product_plan, top_k_placement
from assay.runs.summary import read_summary
from assay.runs.write import summary_path
from assay.systems.load import (
    SystemContext,
    default_system,
    load_configuration,
    load_system,
    make_system_context,
)
from assay.systems.protocol import (
    Replays,
    System,
    TakesRow,
    corpus_sha256,
    lists_by_rank,
    packs_passages,
)
from assay.text.width import labelled
from assay.words.say import say, say_n


def ids_of_run(
    journal: Path,
    questions: Path,
    sha256: str,
    columns: Mapping[str, str] | None = None,
    *,
    fresh: bool,
) -> IdsBy:
    """What the ids of questions without one follow from: a run that goes on keeps them.

    Raises:
        UseError: from their numbers, but the file has changed since: a number may mean another
            question now.
    """
    summary = read_summary(summary_path(journal)) if journal.is_file() else None
    if summary is not None and summary.extra.get(IDS) == BY_TEXT:
        return "text" if fresh else "plain text"
    is_masked = summary is None or summary.extra.get(IDS) == BY_MASKED_TEXT
    if is_masked or has_own_ids(questions, columns):
        return "text"
    assert summary is not None
    if summary.questions_sha256 and same_hash(summary.questions_sha256, sha256) is not False:
        return "number"
    raise UseError(
        f"{journal}: recorded by an earlier version of assay, which named the questions of a file "
        f"without ids by their rows; {questions} has changed since, so its rows are not known to "
        "be the same questions: give the new run another --name"
    )


def id_fields(
    questions: Path, columns: Mapping[str, str] | None = None, *, ids_by: IdsBy
) -> dict[str, Any]:
    """What the header says about the ids."""
    if ids_by == "number" or has_own_ids(questions, columns):
        return {}
    is_masked = redactor() is not None and ids_by == "text"
    return {IDS: BY_MASKED_TEXT if is_masked else BY_TEXT}


def file_sha256(path: Path) -> str:
    """The hash of a file of questions; raises ``DatasetError`` if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise unreadable_error(path, error) from None


# A set of questions whose own answers are scored: ``assay run --questions F --system replay:F``.


def is_replayed(system: System, path: Path, columns: Mapping[str, str] | None = None) -> bool:
    """Whether the answers of the system come from the file of the questions.

    Raises:
        UseError: they do, and are also the expected ones, so that all of them would be right.
    """
    files = system.replayed_files if isinstance(system, Replays) else ()
    named = [column for file, column in files if file.exists() and file.samefile(path)]
    if any(_is_expected(path, columns, column) for column in named):
        raise UseError(
            f"{path}: its answers are the expected ones, and no other column holds answers of a "
            "system; call that column response, name it as in replay:FILE#COLUMN, or give replay: "
            "another file"
        )
    return bool(named)


def _is_expected(path: Path, columns: Mapping[str, str] | None, column: str) -> bool:
    """Whether the answers in this column are the expected ones; no column is the known one."""
    if is_own_format(path, columns):
        return column in {"", "answer", "answers"}
    named = foreign_table(path, columns).columns
    return column == named.roles.get("answer") if column else not named.response


# The metric that decides an ablation if nobody names one.

GOLD_FIELDS = "scores.gold_"


def main_metric(questions: Sequence[CorpusQuestion]) -> str:
    """The name of the main metric, if the questions define it.

    Questions without gold have no recall; then whether the answer says an expected one decides, if
    there is one. Shared words do not: a short wrong answer shares more of them than a long right one.
    If nothing is known about right answers, it is how often they abstain, which says nothing about right and wrong.
    """
    if any(question.gold or question.spans for question in questions):
        return job_spec(JOB).headline
    return "abstained" if is_unlabelled(questions) else "answer_contained"


def is_unlabelled(questions: Iterable[CorpusQuestion]) -> bool:
    """Whether nothing says what a right answer to any of the questions is.

    Then answers are described: scored by what can be seen in them (``assay.checks.scorer.DESCRIBED``).
    """
    return not any(question.gold or question.spans or question.answers for question in questions)


def refuse_undecidable(metric: Metric, questions: Sequence[CorpusQuestion]) -> None:
    """Refuse to stop by a metric that no question defines: nothing could ever be decided.

    Raises:
        UseError: The metric needs gold or an expected answer, and no question has it.
    """
    missing = ""
    if metric.field.startswith(GOLD_FIELDS) and not any(q.gold or q.spans for q in questions):
        missing = "gold"
    if "expected_answer" in getattr(metric, "needs", ()) and not any(q.answers for q in questions):
        missing = "an expected answer"
    if missing:
        raise UseError(
            f"--stop-early: no question has {missing}, so {metric.name} is undefined and nothing "
            f"can be decided; name another metric, for example --primary {main_metric(questions)}"
        )


class AblationOptions(Struct, frozen=True, kw_only=True):
    """The options of ``assay ablate`` besides those that all run commands share.

    A program may pass its own ``document`` instead of a configuration, its ``questions``, and a system
    as an object; those in ``borrowed`` are not closed.
    """

    experiments: Sequence[str] = ()
    all_experiments: bool = False
    config: Path | None = None
    document: ConfigDocument[ExperimentFile] | None = None
    questions: Path | None = None
    system: str | System | None = None
    borrowed: Sequence[System] = ()
    limit: int | None = None
    top_k: int | None = None
    primary: str | None = None
    out: Path | None = None
    allow_missing_gold: bool = False
    span_share: float | None = None
    stop_early: bool = False
    scorers: Sequence[Metric] = ()


def prepare(options: AblationOptions, run: RunOptions) -> JobRuns:
    """Read the configuration and choose the experiments; no question is asked yet."""
    options = replace(options, scorers=run.scorers)
    workspace = run.find_workspace()
    document = options.document or load_configuration(workspace, options.config)
    choices = _choose(document, options)
    context = make_system_context(
        workspace,
        document,
        use_cache=not run.no_call_cache,
        concurrency=run.concurrency,
        cluster=run.cluster,
        imports=not run.dry_run,
    )

    ended = EndedRuns()

    def prepared() -> Iterator[PreparedRun]:
        if len(choices) > 1:
            check_experiments(choices, workspace, context, options)
        for choice in choices:
            prepared_run = prepare_experiment(
                choice,
                workspace,
                context,
                options,
                documents=run.documents,
                fresh=run.resume == "fresh",
            )
            yield ended.collecting(prepared_run)

    return JobRuns(
        settings=run.run_settings(document),
        prepared=prepared,
        close=context.close,
        outcome_json=lambda: {"experiments": ended.as_json()},
    )


def _choose(
    document: ConfigDocument[ExperimentFile] | None, options: AblationOptions
) -> list[ExperimentChoice]:
    if options.all_experiments:
        if options.experiments:
            raise UseError("give --experiment or --all, not both")
        if document is None or not document.value.experiments:
            raise UseError("--all: the configuration has no experiments; use --experiment")
        return all_experiments(document)
    if not options.experiments:
        configured = document.value.experiments if document is not None else ()
        experiments = configured or presets().value.experiments
        known = ", ".join(experiment.name for experiment in experiments)
        raise UseError(f"name an experiment with --experiment, or use --all; there are: {known}")
    return choose_experiments(document, presets(), options.experiments)


def check_experiments(
    choices: Sequence[ExperimentChoice],
    workspace: Workspace,
    context: SystemContext,
    options: AblationOptions,
) -> None:
    """Check all experiments before the first one runs; each file and system is loaded once.

    Raises:
        UseError: An experiment or its system is wrong, or two experiments share a name.
        DatasetError: A file of questions cannot be used.
    """
    systems: dict[str | System, System] = {}
    questions: dict[Path, list[CorpusQuestion]] = {}
    problems: list[str] = []
    try:
        for choice in choices:
            spec = _system_spec(choice, options, workspace)
            if spec not in systems:
                systems[spec] = _loaded(spec, context)
            try:
                lay_out_variants(choice.document, choice.number, systems[spec])
            except ConfigError as error:
                problems.extend(error.lines)
                continue
            name, path = _questions_path(choice, workspace, options)
            if path not in questions:
                questions[path] = read_questions(path)
            selected = _limited(questions[path], choice, options)
            primary_metric(
                JOB, choice, options.primary, main=main_metric(selected), scorers=options.scorers
            )
            with_known_gold(selected, systems[spec], name, allow=options.allow_missing_gold)
    finally:
        for spec, system in systems.items():
            if isinstance(spec, str):
                asyncio.run(system.close())
    if problems:
        raise ConfigError(*problems)
    refuse_same_names(choices)


def prepare_experiment(
    choice: ExperimentChoice,
    workspace: Workspace,
    context: SystemContext,
    options: AblationOptions,
    *,
    documents: Estimand | None = None,
    fresh: bool = False,
) -> PreparedRun:
    """Load and check everything an experiment needs; no question is asked yet.

    ``documents`` is what it is about in place of what the experiment says. With ``fresh``, what is recorded already does not count.

    Raises:
        UseError: The experiment, its system or the options are wrong.
        DatasetError: The file of questions cannot be used.
    """
    experiment, defaults = choice.experiment, choice.document.value.defaults
    questions_name, path = _questions_path(choice, workspace, options)
    folder = options.out or workspace.experiments_dir
    journal = folder / f"{mask_identifier(experiment.name)}.jsonl"
    sha256 = file_sha256(path)
    ids_by = ids_of_run(journal, path, sha256, fresh=fresh)
    limited = _limited(read_questions(path, ids_by=ids_by), choice, options)
    primary = primary_metric(
        JOB, choice, options.primary, main=main_metric(limited), scorers=options.scorers
    )
    system = _loaded(_system_spec(choice, options, workspace), context)
    layout = lay_out_variants(choice.document, choice.number, system)
    top_k = options.top_k or experiment.top_k or defaults.top_k
    selected = with_known_gold(limited, system, questions_name, allow=options.allow_missing_gold)
    refuse_recut_gold(selected, layout.variants, questions_name)
    describes = is_unlabelled(selected)
    early = early_stop(
        primary, layout.variants, layout.baseline, is_asked_for=options.stop_early, choice=choice
    )
    documents = documents or experiment.documents
    if early is not None:
        refuse_undecidable(primary, selected)
        begun = None if fresh else read_order(journal)
        early, ordered = ordered_rule(early, selected, begun, documents)
        selected = tuple(ordered)
    reordered = layout.reordered() | {
        variant.name for variant in layout.variants if packs_passages(variant, system)
    }
    span_share = options.span_share or defaults.gold_span_share
    takes_row = isinstance(system, TakesRow) and system.takes_row
    rows = read_further_fields(path, ids_by=ids_by) if takes_row else None
    plan = product_plan(
        questions=selected,
        variants=layout.variants,
        placements=[top_k_placement(top_k)],
        system=system.identity,
        asked=partial(asked, rows=rows),
        against=compared_with,
        with_recorded_gold=with_recorded_gold,
        early_stop=early,
        header_covers_questions=True,
    )
    left_out = len(limited) - len(selected)
    header = RunHeader(
        job=JOB,
        name=experiment.name,
        system=system.identity,
        variants=layout.variants,
        total=plan.total,
        questions_path=questions_name,
        questions_sha256=sha256,
        limit=_limit(choice, options),
        top_k=top_k,
        judging=_judging(sha256, system, reordered, span_share, describes=describes),
        extra={
            **_extra_fields(experiment, layout, primary, system, len(selected), left_out),
            "questions_version": set_version(path),
            **without_gold(selected),
            **unread_drafts(path, selected, ids_by=ids_by),
            **id_fields(path, ids_by=ids_by),
            **early_stop_fields(early, selected),
        },
    )
    prepared_run = PreparedRun(
        plan=plan,
        system=system,
        handler=AblationHandler(
            system,
            reordered,
            rows,
            span_share=span_share,
            describes=describes,
            borrowed=options.borrowed,
        ),
        header=header,
        journal=journal,
        description=(
            *_describe(experiment, layout, primary, header, len(selected), left_out),
            *describe_early_stop(early),
        ),
        writes_report=True,
        runs=experiment.runs,
        own_notes=(
            *map(noted, question_notes(path, is_replayed=is_replayed(system, path))),
            *map(noted, odd_question_notes(path, limited)),
            *unchecked_gold_notes(system, allow=options.allow_missing_gold),
        ),
    )
    return prepared_run.about(documents)


def _judging(
    questions_sha256: str,
    system: System,
    reordered: Iterable[str],
    span_share: float,
    *,
    describes: bool,
) -> str:
    """The digest of what answers are compared with besides their questions."""
    return digest(
        [
            __version__,
            questions_sha256,
            lists_by_rank(system),
            sorted(reordered),
            *([span_share] if span_share != SPAN_SHARE else []),
            *([DESCRIBED] if describes else []),
        ]
    )


def _limit(choice: ExperimentChoice, options: AblationOptions) -> int:
    return options.limit if options.limit is not None else choice.experiment.question_limit or 0


def _limited(
    questions: Sequence[CorpusQuestion], choice: ExperimentChoice, options: AblationOptions
) -> Sequence[CorpusQuestion]:
    limit = _limit(choice, options)
    return questions[:limit] if limit else questions


def _loaded(asked: str | System, context: SystemContext) -> System:
    return load_system(asked, context) if isinstance(asked, str) else asked


def _system_spec(
    choice: ExperimentChoice, options: AblationOptions, workspace: Workspace
) -> str | System:
    named = options.system or choice.experiment.system
    return named or default_system(choice.document.value.defaults, workspace)


def _questions_path(
    choice: ExperimentChoice, workspace: Workspace, options: AblationOptions
) -> tuple[str, Path]:
    if options.questions is not None:
        return str(options.questions), options.questions
    configured = choice.experiment.questions_path or choice.document.value.defaults.questions_path
    if configured is None:
        raise UseError(
            f"{choice.where}: no questions; name the file as questions_path under 'defaults' "
            f"in {workspace.experiments_file}"
        )
    return configured, workspace.resolve(configured, choice.where)


def _extra_fields(
    experiment: Experiment,
    layout: Layout,
    primary: Metric,
    system: System,
    questions: int,
    left_out: int,
) -> dict[str, Any]:
    """The fields of the header that only an ablation has."""
    extra: dict[str, Any] = {
        "description": experiment.description,
        "design": experiment.design,
        "baseline": layout.baseline,
        "primary": primary.name,
        "ablation_variable": list(layout.variables),
        "questions": questions,
    }
    if left_out:
        extra["questions_left_out"] = left_out
    if layout.switched:
        extra["switched"] = layout.switched
    if layout.ordered:
        extra["ordered"] = layout.ordered
    if layout.order_settings:
        extra["order_settings"] = layout.order_settings
    if sha256 := corpus_sha256(system):
        extra["corpus_sha256"] = sha256
    return extra


def _describe(
    experiment: Experiment,
    layout: Layout,
    primary: Metric,
    header: RunHeader,
    questions: int,
    left_out: int,
) -> Iterator[str]:
    """A few lines that describe the run before it starts."""
    about = f": {experiment.description}" if experiment.description else ""
    yield labelled(say("experiment"), f"{experiment.name}{about}")
    yield labelled(say("system"), header.system)
    variables = ", ".join(layout.variables) or say("the settings of the variants")
    baseline = say("baseline {name}", name=experiment.baseline)
    yield labelled(say("changes"), f"{variables} ({experiment.design}{say(', ')}{baseline})")
    names = ", ".join(variant.name for variant in layout.variants)
    compared = say("{names}; compared with {baseline}", names=names, baseline=layout.baseline)
    yield labelled(say("variants"), compared)
    yield labelled(say("primary"), primary_line(primary, common_top_k(header)))
    counts = say_n(
        "{n} of {file}, top_k {k}, {cases} case",
        "{n} of {file}, top_k {k}, {cases} cases",
        header.total,
        n=questions,
        file=header.questions_path,
        k=header.top_k,
        cases=header.total,
    )
    yield labelled(say("questions"), counts)
    if left_out:
        yield labelled(
            say("left out"),
            say_n(
                "{n} question whose gold chunks are not all in the corpus",
                "{n} questions whose gold chunks are not all in the corpus",
                left_out,
            ),
        )


# The metric that decides a run without an experiment file, and the questions that it is about.


def plain_primary(
    chosen: str | None,
    questions: Sequence[CorpusQuestion],
    option: str = "--primary",
    scorers: Sequence[Metric] = (),
) -> Metric:
    """The metric that decides: the named one, or the main metric, if the questions define it.

    Questions without gold have no recall; then an expected answer decides, if there is one.
    ``option`` is the option that named it. ``scorers`` are those of the user.
    """
    spec = job_spec(JOB)
    spec = replace(spec, metrics=(*spec.metrics, *scorers))
    chosen = chosen or main_metric(questions)
    metric = spec.find_metric(chosen)
    if metric is None or metric.is_percentile:
        names = [metric.name for metric in spec.metrics if not metric.is_percentile]
        raise UseError(f"{option} {chosen}: no such mean or rate{unknown_metric(chosen, names)}")
    return metric


def has_value(metric: Metric, question: CorpusQuestion) -> bool:
    """Whether a metric can have a value for an answer to the question."""
    if isinstance(metric, Scorer) and EXPECTED in metric.needs:
        return bool(question.answers)
    name = metric.field.removeprefix("scores.")
    if name.startswith("gold_"):
        return bool(question.gold or question.spans)
    if name == "abstained_when_unanswerable":
        return question.answerable is False
    return name != "answered_when_answerable" or question.answerable is True
