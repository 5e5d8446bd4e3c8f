"""The other four jobs on the samples: each is run and summed up in one sentence and one picture."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from assay.config.workspace import Workspace
from assay.data.samples.sample import sample_document_bytes
from assay.errors import UseError
from assay.jobs.answers.preparation import AblationOptions, prepare
from assay.jobs.contract.preparation import prepare as prepare_review
from assay.jobs.contract.source import ReviewOptions
from assay.jobs.corpus.new_workspace import create_workspace
from assay.jobs.depth.map.mean import DepthMap, depth_map
from assay.jobs.depth.map.results import read_cells
from assay.jobs.depth.novel_data import LENGTHS
from assay.jobs.depth.plan import LayoutOptions
from assay.jobs.depth.preparation import DepthOptions
from assay.jobs.depth.preparation import prepare as prepare_depth
from assay.jobs.legal.preparation import BenchOptions
from assay.jobs.legal.preparation import prepare as prepare_bench
from assay.jobs.prepared import FinishedRun, JobRuns, PreparedRun, RunOptions, run_prepared
from assay.jobs.quality.batch import prepare as prepare_quality
from assay.jobs.quality.preparation import QualityOptions
from assay.report.description import band_text
from assay.runs.handler import CaseHandler
from assay.runs.progress import Reporter
from assay.runs.summary import RunResult
from assay.study.page import Report, write_report
from assay.words.language import Lang
from assay.words.say import say, say_n

PDF: Final = Path("documents", "ru", "report.pdf")


class TourResult(Struct, frozen=True, kw_only=True):
    """How a job's run ended; what it found and where its picture is, if it scored anything."""

    result: RunResult
    sentence: str = ""
    picture: Path | None = None


class TourStop(Struct, frozen=True, kw_only=True):
    """One stop of the tour: the job, the question it answers, the command, and how to show it."""

    job: str
    question: str
    command: str
    show: Callable[["Tour"], TourResult]


class Tour(Struct, frozen=True, kw_only=True):
    """What every stop of the tour uses: workspace, progress display, language, and the depth map."""

    workspace: Workspace
    reporter: Callable[[CaseHandler], Reporter]
    draw_map: Callable[[Path, Path], None]
    lang: Lang = "en"

    @property
    def options(self) -> RunOptions:
        """The options of every run: the usual ones, in the workspace of the tour."""
        return RunOptions(root=self.workspace.root)

    def run(self, runs: JobRuns) -> tuple[Path, FinishedRun]:
        """Run a job that has one run; returns its journal and its result."""
        try:
            (run,) = runs.prepared()
            result = run_prepared(run, settings=runs.settings, reporter=self.reporter)
        finally:
            runs.close()
        return run.journal, result


def show_depth(tour: Tour) -> TourResult:
    """A reader that drops the middle of a prompt that is longer than its window."""
    options = DepthOptions(
        layout=LayoutOptions(mode="uniform", usual_lengths=LENGTHS),
        sample=True,
        lang=tour.lang,
    )
    journal, result = tour.run(prepare_depth(options, tour.options))
    if result.stopped is not None or not result.tally.scored:
        return TourResult(result=result)
    models = read_cells([journal])
    page = journal.with_suffix(".html")
    tour.draw_map(journal, page)
    return TourResult(result=result, sentence=depth_sentence(depth_map(models[0])), picture=page)


def depth_sentence(result_map: DepthMap) -> str:
    """A sentence about the length up to which everything is found, and the depths that are lost."""
    perfect = [length for length, mean in result_map.by_length.items() if mean.of_cells == 1.0]
    longest = max(result_map.by_length)
    lost = [
        cell.depth_bin
        for cell in result_map.cells
        if cell.context_length == longest and cell.accuracy is not None and cell.accuracy < 0.5
    ]
    safe = say("no length is safe")
    if perfect:
        safe = say("everything is found up to {n:,} tokens", n=max(perfect))
    if not lost:
        return say("{safe}, and at {n:,} too", safe=safe, n=longest)
    depths = ", ".join(lost)
    return say(
        "{safe}; at {n:,} what lies at {depths} is lost", safe=safe, n=longest, depths=depths
    )


def show_quality(tour: Tour) -> TourResult:
    """Answers about a Russian annual report."""
    pdf = tour.workspace.root / PDF
    if not pdf.exists():
        pdf.parent.mkdir(parents=True, exist_ok=True)
        pdf.write_bytes(sample_document_bytes("ru/report.pdf"))
    questions = tour.workspace.root / "eval" / "questions.jsonl"
    runs = prepare_quality(QualityOptions(pdf=pdf, questions=questions), tour.options)
    _, result = tour.run(runs)
    if result.stopped is not None or not result.tally.scored or runs.outcome_json is None:
        return TourResult(result=result)
    score = runs.outcome_json()["weighted_score"]
    sentence = say_n(
        "weighted score {score:.3f} over {n} question; keep the file and `assay compare` tells whether a change made it worse",
        "weighted score {score:.3f} over {n} questions; keep the file and `assay compare` tells whether a change made it worse",
        result.tally.scored,
        score=score,
    )
    report = write_report(result.recorded.findings, lang=tour.lang)
    return TourResult(result=result, sentence=sentence, picture=_picture(report, "profile"))


def show_review(tour: Tour) -> TourResult:
    """A rule engine's verdicts on contract clauses, with and without its parts."""
    _, result = tour.run(prepare_review(ReviewOptions(sample=True), tour.options))
    if result.stopped is not None or not result.tally.scored:
        return TourResult(result=result)
    report = write_report(result.recorded.findings, lang=tour.lang)
    return TourResult(
        result=result, sentence=report.sentences[0], picture=_picture(report, "effect")
    )


def show_bench(tour: Tour) -> TourResult:
    """Facts, evidence sets and gaps in interviews, contracts and rulings."""
    _, result = tour.run(prepare_bench(BenchOptions(sample=True), tour.options))
    if result.stopped is not None or not result.tally.scored:
        return TourResult(result=result)
    report = write_report(result.recorded.findings, lang=tour.lang)
    variant = next(iter(result.summary.results["variants"].values()))
    sentence = say_n(
        "{points} of 100 points over {n} question of three types; the page says which fact, evidence or abstention each one lacks",
        "{points} of 100 points over {n} questions of three types; the page says which fact, evidence or abstention each one lacks",
        result.tally.scored,
        points=f"{100 * variant['score']:.1f}{_band(variant)}",
    )
    return TourResult(result=result, sentence=sentence, picture=_picture(report, "profile"))


def _band(variant: Mapping[str, Any]) -> str:
    """What unsure answers leave open of the points, in brackets; empty if there are none."""
    unsure = variant.get("unsure", {}).get("score")
    if unsure is None:
        return ""
    return f" ({band_text(100 * unsure['low'], 100 * unsure['high'], unsure['n'], digits=1)})"


def _picture(report: Report, kind: str) -> Path | None:
    """The first chart of this kind, or else the first chart of the report."""
    of_kind = (chart for chart in report.charts if chart.stem.startswith(kind))
    return next(of_kind, next(iter(report.charts), None))


STOPS: Final = (
    TourStop(
        job="depth",
        question="Where in a long context does a reader stop finding things?",
        command="assay depth --sample --depth-mode uniform",
        show=show_depth,
    ),
    TourStop(
        job="quality",
        question="Does each answer hold what it must, and nothing it must not?",
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
        question="Wrong facts, incomplete evidence, invented details: which of them?",
        command="assay bench --sample",
        show=show_bench,
    ),
)


# A workspace of samples, and an offline ablation of three variables.

EXPERIMENTS: Final = ("mrl_dimension", "llm_rerank", "hyde")
QUESTIONS: Final = 90


def demo_workspace(folder: Path) -> Workspace:
    """The workspace in ``folder``, which is created unless an earlier demonstration did so."""
    if not folder.is_dir() or not any(folder.iterdir()):
        create_workspace(folder)
    workspace = Workspace(root=folder.resolve())
    if not workspace.experiments_file.exists():
        raise UseError(f"{folder} holds something else than a workspace; name a new folder")
    return workspace


def demonstrate(
    workspace: Workspace,
    *,
    questions: int = QUESTIONS,
    begin: Callable[[PreparedRun], None],
    reporter: Callable[[CaseHandler], Reporter],
) -> Iterator[tuple[PreparedRun, FinishedRun]]:
    """Run the experiments one after another; ``begin`` is called before each of them."""
    runs = prepare(
        AblationOptions(experiments=EXPERIMENTS, limit=questions),
        RunOptions(root=workspace.root),
    )
    try:
        for run in runs.prepared():
            begin(run)
            result = run_prepared(run, settings=runs.settings, reporter=reporter)
            yield run, result
            if result.stopped is not None:
                return
    finally:
        runs.close()
