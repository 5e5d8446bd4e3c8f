"""What every run command sets up first: the workspace's configuration, systems and settings."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from assay.config import ClusterOptions, Document, ExperimentFile, Workspace
from assay.errors import UseError
from assay.systems import SystemContext


def load_configuration(
    workspace: Workspace, path: Path | None = None
) -> Document[ExperimentFile] | None:
    """The configuration at ``path`` or of the workspace; ``None`` if there is none."""
    return workspace.load_configuration(path)


def make_system_context(
    workspace: Workspace,
    document: Document[ExperimentFile] | None,
    *,
    use_cache: bool = True,
    concurrency: int | None = None,
    cluster: ClusterOptions | None = None,
    columns: Mapping[str, str] | None = None,
) -> SystemContext:
    """Models and systems that can be named, keys, and the call cache.

    ``concurrency`` is what the user says on the command line, if anything; with a ``cluster`` it is
    the number of questions in all workers together, and says nothing about one of them. ``columns``
    are the columns of tables with recorded answers that the user names.
    """
    file = document.value if document is not None else ExperimentFile()
    return SystemContext(
        workspace.root,
        locate=workspace.resolve,
        bounds=workspace.bounds,
        models=file.models,
        systems=file.systems,
        defaults=file.defaults,
        cache_path=workspace.call_cache if use_cache else None,
        concurrency=concurrency if cluster is None else None,
        cluster=cluster,
        columns=columns,
    )


def parse_settings(words: Sequence[str]) -> dict[str, Any]:
    """Settings from words such as ``fast_mode=true``; values are parsed as YAML.

    >>> parse_settings(["fast_mode=true", "top_k=5", "repack_strategy=none"])
    {'fast_mode': True, 'top_k': 5, 'repack_strategy': 'none'}
    """
    settings = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise UseError(f"--set {word}: write it as NAME=VALUE")
        try:
            settings[name.strip()] = yaml.safe_load(value)
        except yaml.YAMLError:
            settings[name.strip()] = value
    return settings
