"""``experiments.yaml``: what to run, on what, within which limits.

The names are public API and follow the seed format: ``defaults`` and a list of
``experiments``. ``assay schema`` prints the JSON Schema made from these structs.
"""

from typing import Annotated, Any

from msgspec import Meta, Struct, field

Positive = Annotated[int, Meta(ge=1)]
Amount = Annotated[float, Meta(ge=0)]
Seconds = Annotated[float, Meta(gt=0)]


class RunSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a run behaves; every field has a command-line option that wins over it."""

    concurrency: Annotated[
        Positive, Meta(description="Cases in flight at most; halved on 429, grown back slowly.")
    ] = 8
    timeout_s: Annotated[
        Seconds, Meta(description="Deadline of one case, retries included, waiting in line not.")
    ] = 300.0
    retries: Annotated[
        int, Meta(ge=0, description="Further tries after a failure that may pass by itself.")
    ] = 3
    max_cost: Annotated[
        Amount | None, Meta(description="Stop when the results file has cost this much.")
    ] = None
    max_minutes: Annotated[
        Amount | None, Meta(description="Stop this many minutes after the start.")
    ] = None


class Defaults(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What experiments share unless they say otherwise. Paths are relative to the root."""

    questions_path: str | None = None
    chunks_manifest: str | None = None
    embedding_cache_dir: str | None = None
    top_k: Positive = 10
    system: Annotated[
        str, Meta(description="Which system to ask, e.g. python:package.module:callable.")
    ] = "reference"
    run: RunSettings = field(default_factory=RunSettings)


class Experiment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One experiment: a baseline and the variants compared with it."""

    name: Annotated[
        str, Meta(pattern=r"^\w[\w.-]*$(?!\n)", description="Also the name of the results file.")
    ]
    description: str = ""
    baseline: str = "normal"
    ablation_variable: str | None = None
    variants: Annotated[
        list[dict[str, Any]],
        Meta(description="Each a name and the settings it changes: {name: x, search_dim: 128}."),
    ] = []
    include_normal_baseline: bool = False
    question_limit: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="First N questions in file order; 0 or absent: all."),
    ] = None
