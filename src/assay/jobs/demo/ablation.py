"""The demonstration's workspace, and an offline ablation of three variables in it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from assay.config import RunSettings, Workspace
from assay.errors import UseError
from assay.jobs.ablation import (
    Ablation,
    AblationHandler,
    Overrides,
    choose_experiments,
    prepare_ablation,
    run_ablation,
)
from assay.jobs.corpus import create_workspace
from assay.jobs.setup import make_system_context
from assay.runner import Reporter, RunResult

EXPERIMENTS: Final = ("mrl_dimension", "llm_rerank", "hyde")
QUESTIONS: Final = 90


class Step(Struct, frozen=True, kw_only=True):
    """One experiment of the demonstration and its result."""

    ablation: Ablation
    result: RunResult


def demo_workspace(folder: Path) -> Workspace:
    """The workspace in ``folder``, which is created if the folder is empty or does not exist.

    Raises ``UseError`` if the folder contains something else.
    """
    if not folder.is_dir() or not any(folder.iterdir()):
        create_workspace(folder)
    workspace = Workspace(root=folder.resolve())
    if not workspace.experiments_file.exists():
        raise UseError(f"{folder} is not empty and not a workspace; name a new folder")
    return workspace


def demonstrate(
    workspace: Workspace,
    *,
    questions: int = QUESTIONS,
    settings: RunSettings,
    begin: Callable[[Ablation], None],
    reporter: Callable[[AblationHandler], Reporter],
) -> Iterator[Step]:
    """Run the experiments one after another; ``begin`` is called before each of them."""
    document = workspace.load_experiments()
    context = make_system_context(workspace, document)
    try:
        for chosen in choose_experiments(document, EXPERIMENTS):
            ablation = prepare_ablation(chosen, workspace, context, Overrides(limit=questions))
            begin(ablation)
            result = run_ablation(ablation, settings=settings, reporter=reporter)
            yield Step(ablation=ablation, result=result)
            if result.stopped is not None:
                return
    finally:
        context.close()
