"""The other four jobs on the samples: each is run, then shown with a sentence and a picture."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from assay.config import RunSettings, Workspace
from assay.data.samples import sample_document_bytes
from assay.jobs.depth import LENGTHS, SYSTEM, prepare_depth, run_depth, sample_novel_data
from assay.jobs.depth.map import DepthMap, depth_heatmap, depth_map, read_cells
from assay.jobs.depth.plan import LayoutOptions, layout_of
from assay.jobs.legal import Choice as BenchChoice
from assay.jobs.legal import prepare_bench, run_bench, sample_path
from assay.jobs.legal import read_benchmark_data as read_benchmark
from assay.jobs.quality import Choice as QualityChoice
from assay.jobs.quality import journal_path, open_batch
from assay.jobs.review import (
    ReviewSources,
    choose_reviews,
    make_review_context,
    prepare_review,
    run_review,
)
from assay.jobs.setup import make_system_context
from assay.jobs.study import Report, write_report
from assay.journal import write_atomically
from assay.report.heatmap import as_html
from assay.report.words import Lang
from assay.runner import CaseHandler, Reporter, RunResult
from assay.systems import load_system

PDF: Final = Path("documents", "ru", "report.pdf")


class TourResult(Struct, frozen=True, kw_only=True):
    """The result of a job's run; ``sentence`` and ``picture`` show it if anything was scored."""

    result: RunResult
    sentence: str = ""
    picture: Path | None = None


class TourStop(Struct, frozen=True, kw_only=True):
    """One stop of the tour: the job, the question it answers, its command, and how it is run."""

    job: str
    question: str
    command: str
    show: Callable[["Tour"], TourResult]


class Tour(Struct, frozen=True, kw_only=True):
    """What every stop of the tour needs."""

    workspace: Workspace
    settings: RunSettings
    reporter: Callable[[CaseHandler], Reporter]
    lang: Lang = "en"


def show_depth(tour: Tour) -> TourResult:
    """Test a reader that drops the middle of texts that do not fit its window."""
    workspace = tour.workspace
    layout = layout_of(LayoutOptions(usual_mode="uniform", usual_lengths=LENGTHS))
    context = make_system_context(workspace, workspace.load_experiments())
    depth = prepare_depth(
        sample_novel_data(tour.lang, longest=LENGTHS[-1]),
        layout,
        lambda: load_system(SYSTEM, context),
        folder=workspace.experiments_dir,
    )
    try:
        result = run_depth(depth, settings=tour.settings, reporter=tour.reporter)
    finally:
        context.close()
    if result.stopped is not None or not result.tally.scored:
        return TourResult(result=result)
    results = read_cells([depth.journal])
    page = depth.journal.with_suffix(".html")
    write_atomically(page, as_html(depth_heatmap(results, lang=tour.lang)).encode())
    return TourResult(result=result, sentence=depth_sentence(depth_map(results[0])), picture=page)


def depth_sentence(result_map: DepthMap) -> str:
    """A sentence about the length up to which everything is found, and the depths that are lost."""
    perfect = [length for length, mean in result_map.by_length.items() if mean.of_cells == 1.0]
    longest = max(result_map.by_length)
    lost = [
        cell.depth_bin
        for cell in result_map.cells
        if cell.context_length == longest and cell.accuracy is not None and cell.accuracy < 0.5
    ]
    safe = f"everything is found up to {max(perfect):,} tokens" if perfect else "no length is safe"
    if not lost:
        return f"{safe}, and at {longest:,} too"
    return f"{safe}; at {longest:,} what lies at {', '.join(lost)} is lost"


def show_quality(tour: Tour) -> TourResult:
    """Score answers about a Russian annual report."""
    workspace = tour.workspace
    pdf = workspace.root / PDF
    if not pdf.exists():
        pdf.parent.mkdir(parents=True, exist_ok=True)
        pdf.write_bytes(sample_document_bytes("ru/report.pdf"))
    batch = open_batch(
        workspace,
        workspace.load_experiments(),
        pdf=pdf,
        questions=workspace.root / "eval" / "questions.jsonl",
    )
    prepared = batch.prepare("", QualityChoice())
    result = batch.run("", prepared, settings=tour.settings, reporter=tour.reporter)
    if result.stopped is not None or not result.tally.scored:
        return TourResult(result=result)
    summary: Mapping[str, Any] = batch.content()["summary"]
    sentence = (
        f"weighted score {summary['weighted_score']:.3f} over {result.tally.scored} questions; "
        "keep the file, and `assay compare` shows whether a change made it worse"
    )
    report = write_report(journal_path(batch.out), lang=tour.lang)
    return TourResult(result=result, sentence=sentence, picture=_picture(report, "profile"))


def show_review(tour: Tour) -> TourResult:
    """Score a rule engine's verdicts on contract clauses, with and without its parts."""
    workspace = tour.workspace
    document = workspace.load_experiments()
    sources = ReviewSources(sample=True)
    context = make_review_context(workspace, document, sources)
    (chosen,) = choose_reviews(document, [], configured=False)
    try:
        review = prepare_review(chosen, workspace, context, sources)
        result = run_review(review, settings=tour.settings, reporter=tour.reporter)
    finally:
        context.close()
    if result.stopped is not None or not result.tally.scored:
        return TourResult(result=result)
    report = write_report(review.journal, lang=tour.lang)
    return TourResult(
        result=result, sentence=report.sentences[0], picture=_picture(report, "effect")
    )


def show_bench(tour: Tour) -> TourResult:
    """Score answers about facts, evidence sets and gaps in interviews, contracts and rulings."""
    workspace = tour.workspace
    document = workspace.load_experiments()
    context = make_system_context(workspace, document)
    journal = workspace.experiments_dir / "bench-sample.jsonl"
    try:
        bench = prepare_bench(
            journal.stem,
            read_benchmark(sample_path()),
            journal,
            BenchChoice(),
            workspace,
            document,
            context,
        )
        result = run_bench(bench, settings=tour.settings, reporter=tour.reporter)
    finally:
        context.close()
    if result.stopped is not None or not result.tally.scored:
        return TourResult(result=result)
    report = write_report(journal, lang=tour.lang)
    variant = next(iter(result.summary.results["variants"].values()))
    sentence = (
        f"{100 * variant['score']:.1f} of 100 points over {result.tally.scored} questions of "
        "three types; the report says which fact, evidence or abstention each answer lacks"
    )
    return TourResult(result=result, sentence=sentence, picture=_picture(report, "profile"))


def _picture(report: Report, kind: str) -> Path | None:
    """The chart of this kind, else the first chart; None if there is no chart."""
    charts = (chart for chart in report.charts if chart.stem.startswith(kind))
    return next(charts, next(iter(report.charts), None))


STOPS: Final = (
    TourStop(
        job="depth",
        question="Where in a long context does a reader stop finding things?",
        command="assay depth --sample",
        show=show_depth,
    ),
    TourStop(
        job="quality",
        question="Does each answer contain what it must, and nothing that it must not?",
        command="assay quality --pdf documents/ru/report.pdf --questions eval/questions.jsonl",
        show=show_quality,
    ),
    TourStop(
        job="review",
        question="How far can a contract-risk reviewer be trusted?",
        command="assay review --sample",
        show=show_review,
    ),
    TourStop(
        job="bench",
        question="Does a system give wrong facts, incomplete evidence or invented details?",
        command="assay bench --sample",
        show=show_bench,
    ),
)
