"""Review clauses with the variants of a reviewer: plan, ask, check, judge, sum up."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from assay.config import Document, ExperimentFile, RunSettings, Workspace, nearest
from assay.data.contract import ClauseQuestion, read_clauses, read_risk_scores
from assay.errors import UseError
from assay.jobs.ablation import ExperimentChoice, Layout, lay_out_variants
from assay.jobs.review.check import Judge, is_default
from assay.jobs.review.handler import JOB, ReviewHandler, judge_anew
from assay.jobs.review.preset import review_presets
from assay.jobs.review.source import (
    REVIEWER,
    SAMPLE_CLAUSES,
    ReviewSources,
    load_embedder,
    load_reranker,
    load_reviewer_and_laws,
)
from assay.jobs.study import summarise_run
from assay.journal import summary_path, write_summary
from assay.records import Question, RunHeader
from assay.runner import Placement, Plan, Reporter, RunResult, product_plan, run_plan
from assay.scorers.evidence import THRESHOLD
from assay.scorers.risk import RISK_SCORES
from assay.systems import System, SystemContext

SAMPLE_NAME: Final = "the sample's clauses"
_JUDGING: Final = frozenset({"threshold", "verifier", "laws_sha256", "costs"})
"""What a header says of how replies are judged, which may change without a question."""
_ONCE: Final = Placement(label="run=1", values={"run": 1})


class Review(Struct, frozen=True, kw_only=True):
    """A review made ready: checked, with its system, clauses, variants and plan."""

    chosen: ExperimentChoice
    name: str
    system: System
    spec: str
    clauses: tuple[ClauseQuestion, ...]
    data: Path
    data_name: str
    layout: Layout
    judge: Judge
    plan: Plan
    limit: int
    journal: Path


def choose_reviews(
    document: Document[ExperimentFile] | None, names: Sequence[str], *, configured: bool
) -> list[ExperimentChoice]:
    """The experiments to run: those named, else all of the ``--config``, else the one shipped.

    A shipped experiment runs with the defaults and baselines of the workspace.
    """
    shipped = review_presets()
    sources = [shipped]
    if document is not None:
        value = replace(document.value, experiments=shipped.value.experiments)
        sources = [document, replace(shipped, value=value)]
    if not names:
        own = sources[0] if configured and sources[0].value.experiments else sources[-1]
        count = len(own.value.experiments)
        return _distinct([ExperimentChoice(document=own, number=number) for number in range(count)])
    return [_named(sources, name) for name in dict.fromkeys(names)]


def _named(sources: Sequence[Document[ExperimentFile]], name: str) -> ExperimentChoice:
    for source in sources:
        for number, experiment in enumerate(source.value.experiments):
            if experiment.name == name:
                return ExperimentChoice(document=source, number=number)
    known = [one.name for source in sources for one in source.value.experiments]
    raise UseError(f"there is no experiment {name!r}{nearest(name, known)}")


def _distinct(chosen: list[ExperimentChoice]) -> list[ExperimentChoice]:
    names = [one.experiment.name for one in chosen]
    for name in names:
        if names.count(name) > 1:
            raise UseError(f"two experiments are named {name!r}; their results would mix")
    return chosen


def prepare_review(
    chosen: ExperimentChoice, workspace: Workspace, around: SystemContext, given: ReviewSources
) -> Review:
    """Load and check everything the review needs; nothing is asked.

    Raises ``UseError`` or ``DatasetError`` for whatever is wrong.
    """
    experiment, defaults = chosen.experiment, chosen.document.value.defaults
    data = _data_path(chosen, workspace, given)
    clauses = read_clauses(data)
    limit = given.limit if given.limit is not None else experiment.question_limit or 0
    # the default of `defaults` answers questions from a corpus, which is no review
    usual = defaults.system if defaults.system != "reference" else REVIEWER
    spec = given.system or experiment.system or usual
    system, laws = load_reviewer_and_laws(spec, around, given)
    layout = lay_out_variants(chosen.document, chosen.number, system)
    asked = tuple(clauses[:limit] if limit else clauses)
    judge = Judge(
        embedder=load_embedder(given.embedder),
        reranker=load_reranker(given.verifier),
        threshold=THRESHOLD if given.threshold is None else given.threshold,
        laws=laws,
        worth=RISK_SCORES if given.costs is None else read_risk_scores(given.costs),
    )
    plan = product_plan(
        # the truth is no part of what is asked: correcting it asks nobody again
        questions=[Question(id=one.id, text=one.text, source=one.source) for one in asked],
        variants=layout.variants,
        placements=[_ONCE],
        system=system.identity,
    )
    # the sample's results do not stand in the way of a user's own
    name = f"{experiment.name}_sample" if given.sample else experiment.name
    return Review(
        chosen=chosen,
        name=name,
        system=system,
        spec=spec,
        clauses=asked,
        data=data,
        data_name=SAMPLE_NAME if given.sample else data.as_posix(),
        layout=layout,
        judge=judge,
        plan=plan,
        limit=limit,
        journal=(given.out_dir or workspace.experiments_dir) / f"{name}.jsonl",
    )


def _data_path(chosen: ExperimentChoice, workspace: Workspace, given: ReviewSources) -> Path:
    if given.sample:
        if given.data is not None:
            raise UseError("give --data or --sample, not both")
        return SAMPLE_CLAUSES
    if given.data is not None:
        return given.data
    if chosen.experiment.questions_path is not None:
        return workspace.resolve(chosen.experiment.questions_path, chosen.where)
    raise UseError(
        "name a file of clauses with --data, or say --sample to review those that come with assay"
    )


def run_review(
    review: Review,
    *,
    settings: RunSettings,
    reporter: Callable[[ReviewHandler], Reporter],
    fresh: bool = False,
    keep_stale: bool = False,
    judged: Callable[[int], None] = lambda _: None,
) -> RunResult:
    """Ask what is not recorded yet; judge what is as this run judges.

    ``judged`` is told how many replies on record were judged anew, if any were.
    """
    work = ReviewHandler(review.system, review.clauses, review.judge)
    head = header(review)
    result = run_plan(
        review.plan,
        work,
        head,
        review.journal,
        settings=settings,
        reporter=reporter(work),
        aggregate=summarise_run,
        fresh=fresh,
        keep_stale=keep_stale,
    )
    changed = judge_anew(review.journal, review.clauses, review.judge)
    if changed:
        judged(changed)
    extra = {name: value for name, value in result.summary.extra.items() if name not in _JUDGING}
    extra |= {name: value for name, value in head.extra.items() if name in _JUDGING}
    if changed or result.summary.extra != extra:
        summary = replace(result.summary, extra=extra, questions_sha256=head.questions_sha256)
        # what is summed up depends on the header: on the costs, for one
        write_summary(summary_path(review.journal), summary)
        summary = replace(summary, results=summarise_run(review.journal))
        write_summary(summary_path(review.journal), summary)
        result = replace(result, summary=summary)
    return result


def header(review: Review) -> RunHeader:
    """What was run on what, enough to repeat it."""
    experiment, layout, judge = review.chosen.experiment, review.layout, review.judge
    extra: dict[str, Any] = {
        "description": experiment.description,
        "design": experiment.design,
        "baseline": layout.baseline,
        "ablation_variable": list(layout.variables),
        "questions": len(review.clauses),
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
    return RunHeader(
        job=JOB,
        name=review.name,
        system=review.system.identity,
        variants=layout.variants,
        total=review.plan.total,
        questions_path=review.data_name,
        questions_sha256=hashlib.sha256(review.data.read_bytes()).hexdigest(),
        limit=review.limit,
        extra=extra,
    )


def describe(review: Review) -> list[str]:
    """What is about to run, in a few lines."""
    experiment, layout, judge = review.chosen.experiment, review.layout, review.judge
    about = f": {experiment.description}" if experiment.description else ""
    names = ", ".join(variant.name for variant in layout.variants)
    cases = review.plan.total
    laws = f"{len(judge.laws.store)} articles" if judge.laws else "none given, so none is checked"
    lines = [
        f"review      {review.name}{about}",
        f"system      {review.system.identity}",
        f"variants    {names}; compared with {layout.baseline}",
        f"clauses     {len(review.clauses)} of {review.data_name}, {cases} cases",
        f"evidence    {judge.mark['verifier']}, valid from {judge.threshold:g}",
        f"laws        {laws}",
    ]
    if not is_default(judge.worth):
        lines.append("costs       as given")
    return lines
