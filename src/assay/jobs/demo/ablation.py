"""A workspace of samples, and an offline ablation of three variables."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from assay.config import Workspace
from assay.errors import UseError
from assay.jobs.ablation import AblationOptions, prepare
from assay.jobs.corpus import create_workspace
from assay.jobs.prepared import FinishedRun, PreparedRun, RunOptions, run_prepared
from assay.runner import CaseHandler, Reporter

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
