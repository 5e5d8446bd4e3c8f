"""The first line of a results file: metadata of the test, under the published names.

It contains no API key: only the part of a model's configuration that affects its answers is
written, and everything that looks like a secret is left out of the question set's metadata.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from assay import __version__
from assay.data.secret_field import without_secrets
from assay.errors import UseError
from assay.jobs.depth.novel_data import NovelData
from assay.jobs.depth.plan import DepthPlan, Layout
from assay.journal import now, read_metadata
from assay.systems import System

_MAY_DIFFER: Final = frozenset({"tested_at", "assay_version"})


def metadata(novel_data: NovelData, plan: DepthPlan, system: System) -> dict[str, Any]:
    """The metadata of a run, for the first line of its results file."""
    layout = plan.layout
    return {
        "tested_at": now(),
        "model_name": model_name(system),
        "novel_path": novel_data.novel_name,
        "question_set_path": novel_data.questions_name,
        "depth_mode": layout.mode,
        "context_lengths": list(layout.lengths),
        "fixed_depth": None if layout.depth is None else round(100 * layout.depth, 4),
        "depth_bins": list(layout.bins),
        "padding_size": largest_padding(novel_data, layout),
        "total_questions": plan.questions,
        "total_cases": len(plan.slots),
        "per_cell": layout.per_cell,
        "min_per_cell": layout.min_per_cell if layout.mode == "uniform" else None,
        "tokenizer": novel_data.novel.tokenizer.name,
        **_position_facts(novel_data),
        "novel_tokens": novel_data.novel.tokens,
        "novel_sha256": novel_data.novel_sha256,
        "config": _config(system),
        "question_set_metadata": without_secrets(novel_data.set_metadata),
        "assay_version": __version__,
    }


def largest_padding(novel_data: NovelData, layout: Layout) -> int:
    """The padding of the test; by default, questions with quoted evidence have none."""
    if layout.padding is not None:
        return layout.padding
    return max(map(layout.padding_of, novel_data.questions), default=0)


def _position_facts(novel_data: NovelData) -> dict[str, Any]:
    """The tokenizer of the positions and its count of the novel, if it is not that of the run."""
    positions = novel_data.positions
    if positions is None:
        return {}
    return {"position_tokenizer": positions.tokenizer.name, "total_tokens": positions.tokens}


def model_name(system: System) -> str:
    """The name of the model, or the identity of a system that is not a single model."""
    config = getattr(system, "model_config", None)
    return str(config.model) if config is not None else without_secrets(system.identity)


def _config(system: System) -> dict[str, Any]:
    config = getattr(system, "model_config", None)
    if config is None:
        return {"system": without_secrets(system.identity)}
    return {
        "model_name": config.model,
        "base_url": without_secrets(config.base_url),
        **without_secrets(config.parameters),
        "timeout": config.timeout_s,
    }


def first_line(facts: Mapping[str, Any]) -> bytes:
    """The metadata as the bytes of the first line, without the line break."""
    return msgspec.json.encode({"metadata": facts})


def refuse_other_test(journal: Path, facts: Mapping[str, Any]) -> None:
    """Raise ``UseError`` if the file has results of another test, so that they are not mixed."""
    try:
        first_line = read_metadata(journal)
    except OSError as error:
        raise UseError(f"{journal}: cannot be read: {error.strerror or error}") from None
    if first_line is None:
        return
    recorded = first_line.get("metadata")
    if not isinstance(recorded, dict):
        raise UseError(
            f"{journal}: not a results file of assay depth (its first line has no metadata); "
            "name another --output"
        )
    current = msgspec.json.decode(msgspec.json.encode(facts))
    differing = [
        f"{name} {_short_json(recorded.get(name))}, now {_short_json(value)}"
        for name, value in current.items()
        if name not in _MAY_DIFFER and recorded.get(name) != value
    ]
    if differing:
        raise UseError(
            f"{journal} contains results of another test ({'; '.join(differing[:3])}); name "
            "another --output, or use --fresh to start again (the old file is kept)"
        )


def _short_json(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:59]}…"
