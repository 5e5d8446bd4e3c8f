"""Run an experiment of ``experiments.yaml``: plan, ask, sum up."""

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from assay.config import (
    Document,
    Experiment,
    ExperimentFile,
    RunSettings,
    Workspace,
    nearest,
)
from assay.data.question import CorpusQuestion, read_questions
from assay.errors import UseError
from assay.jobs.ablation.handler import JOB, AblationHandler
from assay.jobs.ablation.preset import presets
from assay.jobs.ablation.variant import Layout, lay_out_variants
from assay.records import RunHeader
from assay.runner import Plan, Reporter, RunResult, product_plan, run_plan, top_k_placement
from assay.systems import System, SystemContext, load_system


class Ablation(Struct, frozen=True, kw_only=True):
    """An experiment made ready: checked, with its system, questions, variants and plan."""

    experiment: Experiment
    system: System
    questions: tuple[CorpusQuestion, ...]
    questions_path: Path
    questions_name: str
    layout: Layout
    plan: Plan
    top_k: int
    limit: int
    journal: Path


class ExperimentChoice(Struct, frozen=True, kw_only=True):
    """An experiment by its place in the document that holds it."""

    document: Document[ExperimentFile]
    number: int

    @property
    def experiment(self) -> Experiment:
        """The experiment itself."""
        return self.document.value.experiments[self.number]

    @property
    def where(self) -> str:
        """``file:line`` of it."""
        return self.document.where("experiments", self.number)


class Overrides(Struct, frozen=True, kw_only=True):
    """What the command line gave in place of what the file says."""

    system: str | None = None
    limit: int | None = None
    top_k: int | None = None
    out_dir: Path | None = None


def choose_experiments(
    document: Document[ExperimentFile] | None, names: Sequence[str], *, everything: bool = False
) -> list[ExperimentChoice]:
    """The experiments of these names, the file's own before presets; or all of the file's."""
    own = document.value.experiments if document is not None else []
    if everything:
        if names:
            raise UseError("give --experiment or --all, not both")
        if document is None or not own:
            raise UseError("there are no experiments to run all of; see --experiment")
        return [ExperimentChoice(document=document, number=number) for number in range(len(own))]
    if not names:
        known = ", ".join(one.name for one in own or presets().value.experiments)
        raise UseError(f"name an experiment with --experiment, or say --all; there are: {known}")
    return [_chosen(document, name) for name in dict.fromkeys(names)]


def _chosen(document: Document[ExperimentFile] | None, name: str) -> ExperimentChoice:
    shipped = presets()
    if document is not None:  # a preset runs with the workspace's defaults and baselines
        value = replace(document.value, experiments=shipped.value.experiments)
        shipped = replace(shipped, value=value)
    sources = [document, shipped] if document is not None else [shipped]
    for source in sources:
        for number, experiment in enumerate(source.value.experiments):
            if experiment.name == name:
                return ExperimentChoice(document=source, number=number)
    known = [one.name for source in sources for one in source.value.experiments]
    raise UseError(f"there is no experiment {name!r}{nearest(name, known)}")


def check_experiments(
    chosen: Sequence[ExperimentChoice],
    workspace: Workspace,
    around: SystemContext,
    overrides: Overrides,
) -> None:
    """Check all of them before the first runs, each system and question file read once."""
    systems: dict[str, System] = {}
    read: set[Path] = set()
    try:
        for one in chosen:
            spec = _system_spec(one, overrides)
            if spec not in systems:
                systems[spec] = load_system(spec, around)
            lay_out_variants(one.document, one.number, systems[spec])
            _, path = _questions_path(one, workspace)
            if path not in read:
                read_questions(path)
                read.add(path)
    finally:
        for system in systems.values():
            close_system(system)
    names = [one.experiment.name for one in chosen]
    for name in names:
        if names.count(name) > 1:
            raise UseError(f"two experiments are named {name!r}; their results would mix")


def prepare_ablation(
    chosen: ExperimentChoice, workspace: Workspace, around: SystemContext, overrides: Overrides
) -> Ablation:
    """Load and check everything an experiment needs; nothing is asked.

    Raises ``UseError`` or ``DatasetError`` for whatever is wrong.
    """
    experiment, defaults = chosen.experiment, chosen.document.value.defaults
    name, path = _questions_path(chosen, workspace)
    questions = read_questions(path)
    limit = overrides.limit if overrides.limit is not None else experiment.question_limit or 0
    system = load_system(_system_spec(chosen, overrides), around)
    layout = lay_out_variants(chosen.document, chosen.number, system)
    top_k = overrides.top_k or experiment.top_k or defaults.top_k
    asked = tuple(questions[:limit] if limit else questions)
    plan = product_plan(
        questions=asked,
        variants=layout.variants,
        placements=[top_k_placement(top_k)],
        system=system.identity,
    )
    folder = overrides.out_dir or workspace.experiments_dir
    return Ablation(
        experiment=experiment,
        system=system,
        questions=asked,
        questions_path=path,
        questions_name=name,
        layout=layout,
        plan=plan,
        top_k=top_k,
        limit=limit,
        journal=folder / f"{experiment.name}.jsonl",
    )


def close_system(system: System) -> None:
    """Let go of a system that was only looked at."""
    asyncio.run(system.close())


def _system_spec(chosen: ExperimentChoice, overrides: Overrides) -> str:
    return overrides.system or chosen.experiment.system or chosen.document.value.defaults.system


def _questions_path(chosen: ExperimentChoice, workspace: Workspace) -> tuple[str, Path]:
    configured = chosen.experiment.questions_path or chosen.document.value.defaults.questions_path
    if configured is None:
        raise UseError(
            f"{chosen.where}: no questions; name the file as questions_path under 'defaults' "
            f"in {workspace.experiments_file}"
        )
    return configured, workspace.resolve(configured, chosen.where)


def run_ablation(
    ablation: Ablation,
    *,
    settings: RunSettings,
    reporter: Callable[[AblationHandler], Reporter],
    fresh: bool = False,
    keep_stale: bool = False,
) -> RunResult:
    """Ask what is not recorded yet, and sum up what is."""
    work = AblationHandler(ablation.system)
    return run_plan(
        ablation.plan,
        work,
        header(ablation),
        ablation.journal,
        settings=settings,
        reporter=reporter(work),
        aggregate=_summed_up,
        fresh=fresh,
        keep_stale=keep_stale,
    )


def _summed_up(journal: Path) -> Mapping[str, Any]:
    # NumPy takes 0.2 s to import, and only the end of a run needs it
    from assay.jobs.study import summarise_run  # noqa: PLC0415

    return summarise_run(journal)


def header(ablation: Ablation) -> RunHeader:
    """What was run on what, enough to repeat it."""
    experiment, layout = ablation.experiment, ablation.layout
    extra: dict[str, Any] = {
        "description": experiment.description,
        "design": experiment.design,
        "baseline": layout.baseline,
        "ablation_variable": list(layout.variables),
        "questions": len(ablation.questions),
    }
    if layout.switched:
        extra["switched"] = layout.switched
    if layout.ordered:
        extra["ordered"] = layout.ordered
    corpus = _corpus_hash(ablation.system)
    if corpus:
        extra["corpus_sha256"] = corpus
    return RunHeader(
        job=JOB,
        name=experiment.name,
        system=ablation.system.identity,
        variants=layout.variants,
        total=ablation.plan.total,
        questions_path=ablation.questions_name,
        questions_sha256=hashlib.sha256(ablation.questions_path.read_bytes()).hexdigest(),
        limit=ablation.limit,
        top_k=ablation.top_k,
        extra=extra,
    )


def _corpus_hash(system: System) -> str | None:
    """The hash of the corpus a system answers from, where it has one."""
    found = getattr(system, "corpus_sha256", None)
    return found if isinstance(found, str) else None


def describe(ablation: Ablation) -> list[str]:
    """What is about to run, in a few lines."""
    experiment, layout = ablation.experiment, ablation.layout
    lines = [
        f"experiment  {experiment.name}"
        + (f": {experiment.description}" if experiment.description else "")
    ]
    lines.append(f"system      {ablation.system.identity}")
    variable = ", ".join(layout.variables) or "as the variants say"
    lines.append(f"changes     {variable} ({experiment.design}, baseline {experiment.baseline})")
    lines.append(
        f"variants    {', '.join(variant.name for variant in layout.variants)}; compared with {layout.baseline}"
    )
    lines.append(
        f"questions   {len(ablation.questions)} of {ablation.questions_name}, "
        f"top_k {ablation.top_k}, {ablation.plan.total} cases"
    )
    return lines
