"""The parts of ``experiments.yaml`` that say what to run, on which data and with which limits.

The field names are public API and follow the seed format: ``defaults`` and a list of
``experiments``. ``assay schema`` prints a JSON Schema that is generated from these structs.
"""

import re
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct, field

from assay.errors import UseError
from assay.records import Estimand

# Names of results: they become names of files, so they must stay inside their folder.

NAME_PATTERN: Final = r"^\w[\w.-]*$(?!\n)"
"""Letters and digits of any language, ``_``, ``-`` and ``.``, but not first."""
LONGEST_NAME: Final = 150
"""In bytes: file systems allow 255, and the names of files beside it are longer."""


def check_name(name: str, option: str = "--name") -> str:
    """The name, if it is the name of a file; raises ``UseError`` that names ``option``.

    >>> check_name("договор_2.v1")
    'договор_2.v1'
    >>> check_name("../../x")
    Traceback (most recent call last):
    assay.errors.UseError: --name '../../x': use letters, digits, '_', '-' and '.', and begin with a letter or digit
    """
    if not re.match(NAME_PATTERN, name):
        raise UseError(
            f"{option} {name!r}: use letters, digits, '_', '-' and '.', and begin with a letter or "
            "digit"
        )
    if len(name.encode(errors="replace")) > LONGEST_NAME:
        raise UseError(f"{option}: the name is longer than {LONGEST_NAME} bytes")
    return name


Positive = Annotated[int, Meta(ge=1)]
LARGEST = 1e15
"""No amount or time is larger. The bound also refuses infinity, and ``NaN`` compares with nothing."""
Amount = Annotated[float, Meta(ge=0, le=LARGEST)]
Seconds = Annotated[float, Meta(gt=0, le=LARGEST)]


REFERENCE: Final = "reference"
"""The system that is asked if none is named."""


class RunSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a run behaves. Each field has a command-line option that overrides it."""

    concurrency: Annotated[
        Positive,
        Meta(
            description="Maximum number of cases at the same time; halved on status 429, "
            "then increased slowly."
        ),
    ] = 8
    timeout_s: Annotated[
        Seconds,
        Meta(
            description="Deadline of one case in seconds, including retries, "
            "without the time it waits in the queue."
        ),
    ] = 300.0
    retries: Annotated[
        int, Meta(ge=0, description="How often a case is tried again after a temporary failure.")
    ] = 3
    max_cost: Annotated[
        Amount | None,
        Meta(
            description="Stop when the rows of the results file have cost this much, or when the "
            "cost of a call is not known."
        ),
    ] = None
    max_minutes: Annotated[
        Amount | None, Meta(description="Stop this many minutes after the start of the run.")
    ] = None
    count_filtered: Annotated[
        bool,
        Meta(
            description="Count an answer that the provider's filter withheld as a wrong answer "
            "instead of a failed case."
        ),
    ] = False


class Defaults(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Values for all experiments; an experiment may override them. Paths start at the root."""

    questions_path: str | None = None
    corpus_dir: Annotated[
        str | None,
        Meta(description="The folder of the documents, for your own scripts; it is not read."),
    ] = None
    chunks_manifest: str | None = None
    embedding_cache_dir: str | None = None
    top_k: Positive = 10
    gold_span_share: Annotated[
        float,
        Meta(
            gt=0,
            le=1,
            description="The share of a gold span's characters that the passages must cover.",
        ),
    ] = 0.5
    system: Annotated[
        str | None,
        Meta(
            description="The system under test, for example python:package.module:callable. "
            "Default: reference, the pipeline that comes with assay."
        ),
    ] = None
    draft: Annotated[
        str | None,
        Meta(description="The model that drafts questions in assay start. Default: none, rules."),
    ] = None
    run: RunSettings = field(default_factory=RunSettings)

    @property
    def asked_system(self) -> str:
        """The system, which is the reference pipeline if the file names none."""
        return self.system or REFERENCE


class EarlyStopSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a variant is asked no further, because its comparison on the primary metric is decided."""

    level: Annotated[
        float,
        Meta(gt=0, lt=1, description="The probability that any decision of the run is wrong."),
    ] = 0.05
    margin: Annotated[
        float,
        Meta(
            ge=0,
            lt=1,
            description="The smallest difference that matters. A variant that certainly differs by "
            "less is equivalent; with 0, no variant is.",
        ),
    ] = 0.0
    max_questions: Annotated[
        Positive | None, Meta(description="Ask at most this many questions, decided or not.")
    ] = None
    about: Annotated[
        Literal["questions like these", "this set"],
        Meta(description="What the decisions are about."),
    ] = "questions like these"
    seed: Annotated[int, Meta(description="Decides the order of asking.")] = 0


class Experiment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One experiment: a baseline and the variants that are compared with it.

    ``design: single`` changes only ``ablation_variable``. It takes its values from ``variants``
    (which have names), or from ``values`` (names are generated), or, if neither is present,
    tries all possible values. The other designs switch ``components`` on and off:
    ``leave_one_out`` removes each one from the full pipeline, ``add_one`` adds each one to the
    pipeline without any, and ``factorial`` tries every combination.
    """

    name: Annotated[
        str,
        Meta(pattern=NAME_PATTERN, description="It is also the name of the results file."),
    ]
    description: str = ""
    baseline: Annotated[
        str, Meta(description="fast, normal, or the name of a block under 'baselines'.")
    ] = "normal"
    design: Literal["single", "leave_one_out", "add_one", "factorial"] = "single"
    ablation_variable: Annotated[
        str | list[str] | None,
        Meta(
            description="The setting that changes, or a list if several change together. Any other "
            "word is a label for the one setting that the variants change."
        ),
    ] = None
    variants: Annotated[
        list[dict[str, Any]],
        Meta(
            description="Each variant is a name and the settings it changes: "
            "{name: x, search_dim: 128}."
        ),
    ] = []
    values: Annotated[
        list[Any],
        Meta(description="Values of ablation_variable; each becomes a variant."),
    ] = []
    components: Annotated[
        list[str] | dict[str, Annotated[list[Any], Meta(min_length=2, max_length=2)]],
        Meta(
            description="The settings that a design switches: a list of names, or each name "
            "with its [off, on] values."
        ),
    ] = []
    compare_to: Annotated[
        str | None, Meta(description="The variant that the others are compared with.")
    ] = None
    primary: Annotated[
        str | None,
        Meta(
            description="The metric that decides, chosen in advance; its p-values are corrected "
            "for the variants only. Default: the main metric of the job."
        ),
    ] = None
    allow_multiple: Annotated[
        bool, Meta(description="Allow a variant to change other settings than ablation_variable.")
    ] = False
    include_normal_baseline: bool = False
    question_limit: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="Use the first N questions of the file; 0 or absent means all."),
    ] = None
    runs: Annotated[
        Positive, Meta(description="Ask each question so many times, with new model calls.")
    ] = 1
    system: Annotated[
        str | None, Meta(description="The system for this experiment instead of the default one.")
    ] = None
    questions_path: Annotated[
        str | None,
        Meta(description="The questions for this experiment instead of the default ones."),
    ] = None
    top_k: Positive | None = None
    documents: Annotated[
        Estimand | None,
        Meta(
            description="What all values and tests are about. fixed: questions on these documents; "
            "sample: documents like these, at least ten. Default: sample from ten documents on."
        ),
    ] = None
    early_stop: Annotated[
        EarlyStopSettings | None,
        Meta(description="Stop asking a variant when it is decided; {} takes the defaults."),
    ] = None
