"""Prepare runs of the legal benchmark: read, check and plan them."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from assay import __version__
from assay.config.document import ExperimentFile
from assay.config.experiment import check_name
from assay.data.samples.sample import sample_benchmark
from assay.errors import UseError
from assay.jobs.legal.benchmark import BenchmarkData, read_benchmark_data
from assay.jobs.legal.document_system import load_bench_system
from assay.jobs.legal.handler import (
    JOB,
    BenchHandler,
    DocumentQuestion,
    expectation_digest,
    outcome_lines,
)
from assay.jobs.legal.summary import bench_summary, mean_rows, origin_summary
from assay.jobs.prepared import RUNS, FinishedRun, JobRuns, PreparedRun, RunOptions
from assay.mask import mask_identifier, sealed
from assay.records import RunHeader, Variant, digest, without_draw
from assay.report.description import noted
from assay.runs.plan import product_plan, top_k_placement
from assay.runs.summary import now
from assay.runs.write import check_rows_path
from assay.systems.load import (
    default_system,
    load_configuration,
    make_system_context,
    parse_settings,
)
from assay.systems.protocol import System, check_settings, with_configuration
from assay.text.width import labelled
from assay.words.say import listed, say, say_n

VARIANT: Final = "bench"
"""The only variant of a run; its settings are those of the command line."""
SYSTEM_VARIABLE: Final = "ASSAY_SYSTEM"
"""The environment variable that names the system if no option does."""


class BenchOptions(Struct, frozen=True, kw_only=True):
    """The options of ``assay bench`` besides those that all run commands share."""

    path: Path | None = None
    document: Path | None = None
    sample: bool = False
    question_type: str | None = None
    system: str | None = None
    settings: Sequence[str] = ()
    top_k: int | None = None
    limit: int | None = None
    name: str | None = None
    out: Path | None = None


class BenchRun(Struct, frozen=True, kw_only=True):
    """A prepared run together with its benchmark."""

    run: PreparedRun
    benchmark: BenchmarkData


def run_name(path: Path, question_type: str | None = None) -> str:
    """The name of a run: the name of the benchmark, and the type of question if one is chosen.

    >>> run_name(Path("data/contracts.json"), "fact_exact")
    'bench-contracts-fact_exact'
    """
    benchmark = path.resolve().stem if path.suffix == ".json" else path.resolve().name
    name = mask_identifier(benchmark)
    return "-".join(["bench", name, *([question_type] if question_type else [])])


def prepare(options: BenchOptions, run: RunOptions) -> JobRuns:
    """Read the benchmark and the configuration, and load the system; nothing is asked."""
    path = _benchmark_path(options)
    workspace = run.find_workspace()
    bounds = None if options.sample else workspace.bounds
    benchmark = read_benchmark_data(path, bounds, options.document).of_type(options.question_type)
    benchmark = benchmark.first(options.limit)
    document = load_configuration(workspace)
    named_after = Path("sample") if options.sample else path
    default = run_name(named_after, options.question_type)
    name = default if options.name is None else mask_identifier(check_name(options.name))
    folder = _make_folder(options.out or workspace.experiments_dir)
    context = make_system_context(
        workspace,
        document,
        use_cache=not run.no_call_cache,
        concurrency=run.concurrency,
        cluster=run.cluster,
        imports=not run.dry_run,
    )
    defaults = (document.value if document is not None else ExperimentFile()).defaults
    finished: list[tuple[BenchRun, FinishedRun]] = []

    def prepared() -> Iterator[PreparedRun]:
        spec = options.system or (
            defaults.asked_system if options.sample else default_system(defaults, workspace)
        )
        system = load_bench_system(spec, benchmark.documents, context, workspace)
        bench = prepare_with_system(
            name,
            benchmark,
            system,
            check_rows_path(folder / f"{name}.jsonl"),
            settings=parse_settings(options.settings),
            top_k=options.top_k or defaults.top_k,
            limit=options.limit,
        )

        def finish(result: FinishedRun) -> FinishedRun:
            finished.append((bench, bench.run.finish(result)))
            return finished[-1][1]

        yield replace(bench.run, finish=finish)

    return JobRuns(
        settings=run.run_settings(document),
        prepared=prepared,
        close=context.close,
        outcome_json=lambda: summarise_results(*finished[0]),
    )


def _benchmark_path(options: BenchOptions) -> Path:
    if options.sample:
        if options.path is not None:
            raise UseError("give a benchmark's PATH or --sample, not both")
        if options.document is not None:
            raise UseError("--document does not go with --sample, which has its own documents")
        return sample_benchmark()
    if options.path is None:
        raise UseError("name a benchmark file or a folder of benchmark files, or use --sample")
    return options.path


def _make_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UseError(f"{folder}: cannot be created: {error.strerror}") from None
    return folder


def prepare_with_system(
    name: str,
    benchmark: BenchmarkData,
    system: System,
    journal: Path,
    *,
    settings: Mapping[str, Any] | None = None,
    top_k: int = 10,
    limit: int | None = None,
    borrowed: bool = False,
) -> BenchRun:
    """Prepare a run that asks ``system`` the questions of ``benchmark``.

    If the system has a setting ``citation_style``, it is set to ``page``, unless a document has
    no page marks. A ``borrowed`` system is not closed when the run ends.
    """
    has_citation_style = "citation_style" in (system.settings or {})
    has_pages = all(source.has_page_marks for source in benchmark.documents.values())
    cites_pages = has_citation_style and has_pages
    chosen = {
        **({"citation_style": "page"} if cites_pages else {}),
        **(settings or {}),
    }
    check_settings(system, chosen, "--set")
    variant = with_configuration(Variant(name=VARIANT, settings=chosen), system)
    expectations = {
        item.id: expectation_digest(item, benchmark.documents[item.document])
        for item in benchmark.questions
    }
    plan = product_plan(
        questions=[
            DocumentQuestion(
                id=item.id,
                text=item.question.question,
                source=item.document,
                document_sha256=benchmark.documents[item.document].sha256,
            )
            for item in benchmark.questions
        ],
        variants=[variant],
        placements=[top_k_placement(top_k)],
        system=system.identity,
        against=lambda question: expectations[question.id],
    )
    header = RunHeader(
        job=JOB,
        name=name,
        system=plan.system,
        variants=(variant,),
        total=plan.total,
        questions_path=benchmark.path.as_posix(),
        questions_sha256=benchmark.sha256,
        limit=limit or None,
        top_k=top_k,
        judging=digest([__version__, benchmark.sha256]),
        extra={
            "question_type": benchmark.question_type,
            "questions": len(benchmark.questions),
            "files": list(benchmark.files),
            "documents": {name: source.sha256 for name, source in benchmark.documents.items()},
            **({"notes": [*map(str, benchmark.notes)]} if benchmark.notes else {}),
            **({"benchmark": dict(benchmark.roots)} if benchmark.roots else {}),
        },
    )
    handler = BenchHandler(system, benchmark.questions, benchmark.documents, borrowed=borrowed)
    run = PreparedRun(
        plan=plan,
        system=system,
        handler=handler,
        header=header,
        journal=journal,
        description=tuple(_describe(benchmark, system, variant)),
        writes_report=True,
    )
    bench: BenchRun = BenchRun(
        run=replace(
            run,
            outcome=lambda result: outcome_lines(summarise_results(bench, result)),
        ),
        benchmark=benchmark,
    )
    return bench


def summarise_results(bench: BenchRun, result: FinishedRun) -> dict[str, Any]:
    """Summarise the recorded rows; the questions are in the order of the benchmark."""
    keys = [key for key, _ in bench.run.plan.marks()]
    results = result.recorded.results
    in_order = [row for _, row in sorted(results.job_rows.items())]
    questions = {without_draw(row.key): row for row in mean_rows(in_order)}
    rows = [questions[key] for key in keys if key in questions]
    runs = results.summary.extra.get(RUNS, 1) if results.summary else 1
    return {
        "benchmark": bench.benchmark.path.as_posix(),
        "question_type": bench.benchmark.question_type,
        "system": bench.run.plan.system,
        **({"runs": runs} if runs > 1 else {}),
        **bench_summary(rows, total=len(keys)),
        **origin_summary(rows, total=len(keys), timestamp=now()),
        "notes": [*map(str, bench.benchmark.notes)],
    }


def _describe(benchmark: BenchmarkData, system: System, variant: Variant) -> Iterator[str]:
    """A few lines that describe the run before it starts."""
    settings = ", ".join(f"{name} {value}" for name, value in variant.settings.items())
    questions = len(benchmark.questions)
    count = str(questions)
    if benchmark.question_type:
        count = say("{n} of type {type}", n=questions, type=benchmark.question_type)
    documents = say_n("{n} document", "{n} documents", len(benchmark.documents))
    contents = listed([say_n("{n} file", "{n} files", len(benchmark.files)), documents])
    yield labelled(say("benchmark"), f"{benchmark.path}: {contents}")
    yield labelled(say("questions"), count)
    yield labelled(say("system"), sealed(system.identity) + (f"; {settings}" if settings else ""))
    for note in benchmark.notes:
        yield labelled(say("note"), noted(note))
