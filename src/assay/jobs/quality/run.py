"""Ask about one PDF: plan, ask, judge, sum up."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec import Struct
from msgspec.structs import replace

from assay.config import Document, ExperimentFile, RunSettings, Workspace
from assay.data.quality import QualityQuestion, read_quality_questions
from assay.errors import UseError
from assay.jobs.quality.handler import JOB, QualityHandler, judge_anew
from assay.jobs.quality.source import Source, prepare_source, with_source
from assay.jobs.setup import make_system_context
from assay.jobs.study import summarise_run
from assay.journal import summary_path, write_summary
from assay.records import Question, RunHeader, Variant
from assay.runner import Placement, Plan, Reporter, RunResult, product_plan, run_plan
from assay.systems import System, SystemContext, check_settings, load_system

VARIANT: Final = "quality"
"""The one variant of a run; its settings are those the command line gives."""


class Choice(Struct, frozen=True, kw_only=True):
    """What is asked how: the same for every document of a benchmark."""

    system: str | None = None
    settings: Mapping[str, Any] = {}
    top_k: int | None = None
    limit: int = 0
    runs: int = 1


class QualityData(Struct, frozen=True, kw_only=True):
    """A PDF and its questions, read and found to be in order."""

    source: Source
    pdf_name: str
    questions: tuple[QualityQuestion, ...]
    questions_name: str
    questions_sha256: str


class Quality(Struct, frozen=True, kw_only=True):
    """A run made ready: checked, with its system and plan."""

    name: str
    material: QualityData
    questions: tuple[QualityQuestion, ...]
    choice: Choice
    system: System
    variant: Variant
    top_k: int
    plan: Plan
    journal: Path
    around: SystemContext


def read_quality_data(pdf: Path, questions: Path, workspace: Workspace) -> QualityData:
    """Read both files; the questions first, for they are quick to read and often at fault."""
    asked = read_quality_questions(questions)
    return QualityData(
        source=prepare_source(pdf, workspace),
        pdf_name=pdf.as_posix(),
        questions=tuple(asked),
        questions_name=questions.as_posix(),
        questions_sha256=hashlib.sha256(questions.read_bytes()).hexdigest(),
    )


def prepare_quality(
    name: str,
    material: QualityData,
    journal: Path,
    choice: Choice,
    workspace: Workspace,
    document: Document[ExperimentFile] | None,
    *,
    use_cache: bool = True,
) -> Quality:
    """Load and check everything the run needs; nothing is asked. Close its ``around`` at the end.

    Repetitions are drawn afresh: with several runs no model call is replayed.
    """
    source = material.source
    configured = with_source(document, source, workspace)
    use_cache = use_cache and choice.runs == 1
    around = make_system_context(workspace, configured, use_cache=use_cache)
    defaults = configured.value.defaults
    system = load_system(choice.system or defaults.system, around)
    variant = Variant(name=VARIANT, settings=_settings(system, choice.settings))
    check_settings(system, variant.settings, "--set")
    top_k = choice.top_k or defaults.top_k
    asked = material.questions[: choice.limit] if choice.limit else material.questions
    plan = product_plan(
        questions=[Question(id=question.id, text=question.text) for question in asked],
        variants=[variant],
        placements=[
            Placement(label=f"run={number}", top_k=top_k, values={"run": number})
            for number in range(1, choice.runs + 1)
        ],
        # a system of the user's own may read the PDF by itself: another PDF, other answers
        system=f"{system.identity} on pdf {source.sha256[:16]}",
    )
    return Quality(
        name=name,
        material=material,
        questions=asked,
        choice=choice,
        system=system,
        variant=variant,
        top_k=top_k,
        plan=plan,
        journal=journal,
        around=around,
    )


def run_quality(
    quality: Quality,
    *,
    settings: RunSettings,
    reporter: Callable[[QualityHandler], Reporter],
    began: Callable[[], None] = lambda: None,
    fresh: bool = False,
    keep_stale: bool = False,
) -> RunResult:
    """Ask what is not recorded yet; judge what is by today's questions and rules."""
    material = quality.material
    pages = material.source.pages
    work = QualityHandler(
        quality.system, quality.questions, pages, source=material.source.path.name, began=began
    )
    try:
        result = run_plan(
            quality.plan,
            work,
            header(quality),
            quality.journal,
            settings=settings,
            reporter=reporter(work),
            aggregate=summarise_run,
            fresh=fresh,
            keep_stale=keep_stale,
        )
    finally:
        quality.around.close()
    changed = judge_anew(quality.journal, quality.questions, pages)
    if changed or result.summary.questions_sha256 != material.questions_sha256:
        summary = replace(
            result.summary,
            questions_sha256=material.questions_sha256,
            results=summarise_run(quality.journal),
        )
        write_summary(summary_path(quality.journal), summary)
        result = replace(result, summary=summary)
    return result


def header(quality: Quality) -> RunHeader:
    """What was run on what, enough to repeat it."""
    material, source = quality.material, quality.material.source
    return RunHeader(
        job=JOB,
        name=quality.name,
        system=quality.plan.system,
        variants=(quality.variant,),
        total=quality.plan.total,
        questions_path=material.questions_name,
        questions_sha256=material.questions_sha256,
        limit=quality.choice.limit,
        top_k=quality.top_k,
        extra={
            "pdf": material.pdf_name,
            "pdf_sha256": source.sha256,
            "pages": len(source.pages),
            "questions": len(quality.questions),
            "runs": quality.choice.runs,
        },
    )


def describe(quality: Quality) -> list[str]:
    """What is about to run, in a few lines."""
    material, source = quality.material, quality.material.source
    given = ", ".join(f"{name} {value}" for name, value in quality.variant.settings.items())
    runs = f", {quality.choice.runs} runs" if quality.choice.runs > 1 else ""
    asked = f"{len(quality.questions)} of {len(material.questions)} in {material.questions_name}"
    lines = [
        f"document    {material.pdf_name}: {len(source.pages)} pages, {source.chunks} chunks",
        f"questions   {asked}{runs}",
        f"system      {quality.system.identity}" + (f"; {given}" if given else ""),
    ]
    if source.empty_pages:
        numbers = ", ".join(map(str, source.empty_pages[:10]))
        more = " …" if len(source.empty_pages) > 10 else ""
        lines.append(
            f"note        {len(source.empty_pages)} pages have no text ({numbers}{more}): "
            "blank, or scanned and in need of OCR"
        )
    return lines


def parse_settings(given: Sequence[str]) -> dict[str, Any]:
    """Settings from words such as ``fast_mode=true``; values are read as YAML.

    >>> parse_settings(["fast_mode=true", "top_k=5", "repack_strategy=none"])
    {'fast_mode': True, 'top_k': 5, 'repack_strategy': 'none'}
    """
    settings = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise UseError(f"--set {word}: write it as NAME=VALUE")
        try:
            settings[name.strip()] = yaml.safe_load(value)
        except yaml.YAMLError:
            settings[name.strip()] = value
    return settings


def _settings(system: System, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the variant is set to: pages are cited where the system can be told to."""
    cites = "citation_style" in (system.settings or {})
    return {**({"citation_style": "page"} if cites else {}), **given}
