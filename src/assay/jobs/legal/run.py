"""Run the legal benchmark: plan, ask, judge, sum up."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from assay.config import Document, ExperimentFile, RunSettings, Workspace
from assay.jobs.legal.benchmark import BenchmarkData
from assay.jobs.legal.handler import (
    JOB,
    AskedQuestion,
    BenchHandler,
    DocumentQuestion,
    PagedSource,
    judge_anew,
)
from assay.jobs.legal.summary import bench_summary
from assay.jobs.legal.system import load_bench_system
from assay.journal import last_rows, summary_path, write_summary
from assay.records import RunHeader, Variant
from assay.runner import Plan, Reporter, RunResult, product_plan, run_plan, top_k_placement
from assay.systems import System, SystemContext, check_settings

VARIANT: Final = "bench"
"""The one variant of a run; its settings are those the command line gives."""


class Choice(Struct, frozen=True, kw_only=True):
    """What is asked how."""

    system: str | None = None
    settings: Mapping[str, Any] = {}
    top_k: int | None = None


class Bench(Struct, frozen=True, kw_only=True):
    """A run made ready: checked, with its system and plan."""

    name: str
    material: BenchmarkData
    system: System
    variant: Variant
    top_k: int
    plan: Plan
    journal: Path

    @property
    def questions(self) -> tuple[AskedQuestion, ...]:
        """What is asked."""
        return self.material.questions

    @property
    def documents(self) -> Mapping[str, PagedSource]:
        """What the answers are judged by."""
        return self.material.documents


def run_name(path: Path, question_type: str | None = None) -> str:
    """The name of a run's results: after the benchmark, and the type where one is chosen.

    >>> run_name(Path("data/contracts.json"), "fact_exact")
    'bench-contracts-fact_exact'
    """
    own = path.resolve().stem if path.suffix == ".json" else path.resolve().name
    return "-".join(["bench", own, *([question_type] if question_type else [])])


def prepare_bench(
    name: str,
    material: BenchmarkData,
    journal: Path,
    choice: Choice,
    workspace: Workspace,
    document: Document[ExperimentFile] | None,
    around: SystemContext,
) -> Bench:
    """Load and check the system; nothing is asked."""
    defaults = (document.value if document is not None else ExperimentFile()).defaults
    spec = choice.system or defaults.system
    system = load_bench_system(spec, material.documents, around, workspace)
    return prepare_with_system(
        name,
        material,
        system,
        journal,
        settings=choice.settings,
        top_k=choice.top_k or defaults.top_k,
    )


def prepare_with_system(
    name: str,
    material: BenchmarkData,
    system: System,
    journal: Path,
    *,
    settings: Mapping[str, Any] | None = None,
    top_k: int = 10,
) -> Bench:
    """The run of ``system`` on ``material``; pages are cited where the system can be told to."""
    cites = "citation_style" in (system.settings or {})
    chosen = {**({"citation_style": "page"} if cites else {}), **(settings or {})}
    check_settings(system, chosen, "--set")
    variant = Variant(name=VARIANT, settings=chosen)
    plan = product_plan(
        questions=[
            DocumentQuestion(
                id=one.id,
                text=one.question.question,
                source=one.document,
                document_sha256=material.documents[one.document].sha256,
            )
            for one in material.questions
        ],
        variants=[variant],
        placements=[top_k_placement(top_k)],
        system=system.identity,
    )
    return Bench(
        name=name,
        material=material,
        system=system,
        variant=variant,
        top_k=top_k,
        plan=plan,
        journal=journal,
    )


def run_bench(
    bench: Bench,
    *,
    settings: RunSettings,
    reporter: Callable[[BenchHandler], Reporter] | None = None,
    borrowed: bool = False,
    fresh: bool = False,
    keep_stale: bool = False,
) -> RunResult:
    """Ask what is not recorded yet; judge what is by today's gold and rules."""
    work = BenchHandler(bench.system, bench.questions, bench.documents, borrowed=borrowed)
    result = run_plan(
        bench.plan,
        work,
        header(bench),
        bench.journal,
        settings=settings,
        reporter=reporter(work) if reporter else None,
        aggregate=_summed_up,
        fresh=fresh,
        keep_stale=keep_stale,
    )
    if judge_anew(bench.journal, bench.questions, bench.documents, but=work.judged):
        own = header(bench)
        summary = replace(
            result.summary,
            questions_sha256=own.questions_sha256,
            extra=own.extra,
            results=_summed_up(bench.journal),
        )
        write_summary(summary_path(bench.journal), summary)
        result = replace(result, summary=summary)
    return result


def summarise_results(bench: Bench) -> dict[str, Any]:
    """The benchmark's outcome from the recorded rows, questions in their own order."""
    keys = [key for key, _ in bench.plan.marks()]
    rows = last_rows(bench.journal)
    own = [rows[key] for key in keys if key in rows]
    return {
        "benchmark": bench.material.path.as_posix(),
        "question_type": bench.material.question_type,
        "system": bench.plan.system,
        **bench_summary(own, total=len(keys)),
    }


def _summed_up(journal: Path) -> Mapping[str, Any]:
    # NumPy takes 0.2 s to import, and only the end of a run needs it
    from assay.jobs.study import summarise_run  # noqa: PLC0415

    return summarise_run(journal)


def header(bench: Bench) -> RunHeader:
    """What was run on what, enough to repeat it."""
    material = bench.material
    return RunHeader(
        job=JOB,
        name=bench.name,
        system=bench.plan.system,
        variants=(bench.variant,),
        total=bench.plan.total,
        questions_path=material.path.as_posix(),
        questions_sha256=material.sha256,
        top_k=bench.top_k,
        extra={
            "question_type": material.question_type,
            "questions": len(material.questions),
            "files": list(material.files),
            "documents": {name: one.sha256 for name, one in material.documents.items()},
        },
    )


def describe(bench: Bench) -> list[str]:
    """What is about to run, in a few lines."""
    material = bench.material
    given = ", ".join(f"{name} {value}" for name, value in bench.variant.settings.items())
    kind = f" of type {material.question_type}" if material.question_type else ""
    about = f"{len(material.files)} files, {len(material.documents)} documents"
    return [
        f"benchmark   {material.path}: {about}",
        f"questions   {len(material.questions)}{kind}",
        f"system      {bench.system.identity}" + (f"; {given}" if given else ""),
    ]
