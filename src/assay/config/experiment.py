"""``experiments.yaml``: what to run, on what, within which limits.

The names are public API and follow the seed format: ``defaults`` and a list of
``experiments``. ``assay schema`` prints the JSON Schema made from these structs.
"""

from typing import Annotated, Any, Literal

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
    """One experiment: a baseline and the variants compared with it.

    ``design: single`` changes ``ablation_variable`` alone, over ``variants`` (named), over
    ``values`` (names are made), or over all it can be where neither is given. The other
    designs switch ``components``: ``leave_one_out`` takes each from the full pipeline,
    ``add_one`` adds each to the bare one, ``factorial`` tries every combination.
    """

    name: Annotated[
        str, Meta(pattern=r"^\w[\w.-]*$(?!\n)", description="Also the name of the results file.")
    ]
    description: str = ""
    baseline: Annotated[
        str, Meta(description="fast, normal, or the name of a block under 'baselines'.")
    ] = "normal"
    design: Literal["single", "leave_one_out", "add_one", "factorial"] = "single"
    ablation_variable: Annotated[
        str | list[str] | None,
        Meta(description="The setting that changes; a list where several change together."),
    ] = None
    variants: Annotated[
        list[dict[str, Any]],
        Meta(description="Each a name and the settings it changes: {name: x, search_dim: 128}."),
    ] = []
    values: Annotated[
        list[Any], Meta(description="Values of ablation_variable; variants are made of them.")
    ] = []
    components: Annotated[
        list[str] | dict[str, Annotated[list[Any], Meta(min_length=2, max_length=2)]],
        Meta(description="Switches of a design, or each with its [off, on] values."),
    ] = []
    compare_to: Annotated[
        str | None, Meta(description="The variant that the others are compared with.")
    ] = None
    allow_multiple: Annotated[
        bool, Meta(description="Let a variant change more than ablation_variable.")
    ] = False
    include_normal_baseline: bool = False
    question_limit: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="First N questions in file order; 0 or absent: all."),
    ] = None
    system: Annotated[str | None, Meta(description="Another system than the default one.")] = None
    questions_path: Annotated[str | None, Meta(description="Other questions.")] = None
    top_k: Positive | None = None
