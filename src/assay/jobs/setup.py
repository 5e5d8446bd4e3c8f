"""What every run command sets up first: the workspace's configuration and its surroundings."""

from pathlib import Path

from assay.config import Document, ExperimentFile, Workspace
from assay.systems import SystemContext


def load_configuration(
    workspace: Workspace, path: Path | None = None
) -> Document[ExperimentFile] | None:
    """The configuration at ``path`` or the workspace's own; ``None`` where there is none."""
    if path is None and not workspace.experiments_file.exists():
        return None
    return workspace.load_experiments(path)


def make_system_context(
    workspace: Workspace, document: Document[ExperimentFile] | None, *, use_cache: bool = True
) -> SystemContext:
    """Models and systems that can be named, keys, and the call cache."""
    file = document.value if document is not None else ExperimentFile()
    return SystemContext(
        workspace.root,
        locate=workspace.resolve,
        models=file.models,
        systems=file.systems,
        defaults=file.defaults,
        cache_path=workspace.call_cache if use_cache else None,
    )
