"""Expand an experiment into variants with complete settings, and check them before any call.

Every error message begins with ``file:line`` and says what to write instead.

The settings of early stopping are read here too.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from assay.checks.known_name import unknown_metric
from assay.config.document import ConfigDocument, ExperimentFile
from assay.config.experiment import EarlyStopSettings, Experiment
from assay.errors import ConfigError, UseError
from assay.records import Metric, Question, Variant
from assay.registry import nearest
from assay.results.job import job_spec
from assay.runs.early_stop import EarlyStop
from assay.runs.plan import Layout, numeric_values, varied_order_settings
from assay.systems.protocol import (
    FAST_MODE,
    Setting,
    System,
    check_settings,
    has_implied_mode,
    is_imported,
    with_configuration,
)
from assay.text.width import padded
from assay.words.say import marked, say

# The variants of a design, and the names that variants get from their settings.


def design_rows(design: str, names: tuple[str, ...]) -> list[tuple[str, frozenset[str]]]:
    """The name of each variant of a design and its components that are on; baseline first.

    >>> [name for name, _ in design_rows("leave_one_out", ("hyde_enabled", "rrf_enabled"))]
    ['full', 'without_hyde', 'without_rrf']
    >>> [name for name, _ in design_rows("factorial", ("hyde_enabled", "rrf_enabled"))]
    ['none', 'rrf', 'hyde', 'hyde+rrf']
    """
    everything = frozenset(names)
    if design == "leave_one_out":
        return [
            ("full", everything),
            *((f"without_{short_name(name)}", everything - {name}) for name in names),
        ]
    if design == "add_one":
        return [
            ("bare", frozenset()),
            *((f"with_{short_name(name)}", frozenset({name})) for name in names),
        ]
    rows = []
    for pattern in product((False, True), repeat=len(names)):
        on = [name for name, is_on in zip(names, pattern, strict=True) if is_on]
        rows.append(("+".join(map(short_name, on)) or "none", frozenset(on)))
    return rows


def short_name(setting: str) -> str:
    """The short name of a setting that names of variants use.

    >>> short_name("hyde_enabled"), short_name("search_dim")
    ('hyde', 'dim')
    """
    return setting.removesuffix("_enabled").removeprefix("search_")


def value_text(value: Any) -> str:
    """The value as text: ``on`` and ``off`` for a switch, ``none`` for None."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None else str(value)


NORMAL_BASELINE = "normal_baseline"
MODES: Mapping[str, Mapping[str, Any]] = {
    "fast": {FAST_MODE: True},
    "normal": {FAST_MODE: False},
}
MOST_COMPONENTS = 6
"""The most components of a factorial design; 6 components make 64 variants."""

Settings = Mapping[str, Any]


def _with_mode(known: Mapping[str, Setting]) -> dict[str, Setting]:
    """The settings of a backend that takes the mode with the request, with the mode among them."""
    dependent = {
        name: replace(setting, only_when={FAST_MODE: True})
        for name, setting in known.items()
        if name.endswith(f"_{FAST_MODE}") and not setting.only_when
    }
    return {**known, **dependent, FAST_MODE: Setting(kind=bool, initial=False)}


class _Sketch(Struct, frozen=True, kw_only=True):
    """A variant before its settings are completed: its changes, and its keys in the YAML file."""

    name: str
    changes: Settings
    yaml_path: tuple[str | int, ...] = ()
    switched: Mapping[str, bool] = {}


def lay_out_variants(
    document: ConfigDocument[ExperimentFile], number: int, system: System
) -> Layout:
    """Expand the experiment with index ``number`` into variants for ``system``.

    Raises:
        ConfigError: The experiment has an error, for example an unknown setting, a setting
            without effect, or two equal variants.
    """
    return _Expansion(document, number, system).layout()


class _Expansion:
    """Expands one experiment of a YAML file into variants."""

    def __init__(
        self, document: ConfigDocument[ExperimentFile], number: int, system: System
    ) -> None:
        self.document = document
        self.experiment = document.value.experiments[number]
        self.yaml_path = ("experiments", number)
        self.system = system
        self.known: Mapping[str, Setting] | None = system.settings
        self.has_implied_mode = self.experiment.baseline in MODES and has_implied_mode(
            self.known or ()
        )
        if self.known is not None and self.has_implied_mode:
            self.known = _with_mode(self.known)
        self.aliases = {
            alias: name
            for name, setting in (self.known or {}).items()
            for alias in setting.aliases
            if alias not in (self.known or {})
        }

    def layout(self) -> Layout:
        """Expand the experiment and check it."""
        experiment = self.experiment
        base = self._base()
        self._check(base, "baseline", "baseline")
        variables = self._variables(base)
        problems: list[str] = []
        if experiment.design == "single":
            sketches = self._single_sketches(variables)
            for sketch in sketches:
                _collect(problems, self._check_sketch, sketch, variables, base)
        else:
            sketches = self._design_sketches(base)
            variables = tuple(self._components())
        for sketch in sketches:
            _collect(problems, self._check_effects, sketch, base)
        if problems:
            raise ConfigError(*problems)
        chosen = [self._variant(sketch, base) for sketch in sketches]
        if experiment.include_normal_baseline:
            chosen.append(self._normal_baseline())
        self._check_distinct(chosen)
        variants = [with_configuration(variant, self.system) for variant in chosen]
        return Layout(
            variants=tuple(variants),
            baseline=self._baseline_name(variants, base),
            variables=variables,
            switched={sketch.name: sketch.switched for sketch in sketches if sketch.switched},
            ordered=numeric_values(variants[: len(sketches)], variables),
            order_settings=varied_order_settings(variants, self.system),
        )

    # --- the baseline -------------------------------------------------------------------

    def _base(self) -> Settings:
        """The settings that all variants start from, as named by the key ``baseline``."""
        name = self.experiment.baseline
        blocks = self.document.value.baselines
        if name in blocks:
            return self._without_aliases(blocks[name])
        if name in MODES:
            has_modes = self.known is None or FAST_MODE in self.known
            if not has_modes and name == "fast":
                raise self._refusal(
                    "this system has no fast_mode; leave baseline out, name a block under "
                    "'baselines', or add it to the settings that your module declares: "
                    "class SETTINGS(Settings): fast_mode: bool = False",
                    "baseline",
                )
            # with an implied mode, normal is what a backend does if nobody says anything
            is_said = has_modes and not (self.has_implied_mode and name == "normal")
            return MODES[name] if is_said else {}
        raise self._refusal(
            f"unknown baseline {name!r}{nearest(name, [*MODES, *blocks])}", "baseline"
        )

    def _normal_baseline(self) -> Variant:
        if self.known is not None and FAST_MODE not in self.known:
            raise self._refusal(
                "this system has no fast_mode, so there is no normal baseline to include",
                "include_normal_baseline",
            )
        blocks = self.document.value.baselines
        settings = self._without_aliases(blocks.get("normal", MODES["normal"]))
        return Variant(name=NORMAL_BASELINE, settings=self._complete(settings))

    # --- single variable ----------------------------------------------------------------

    def _variables(self, base: Settings) -> tuple[str, ...]:
        configured = self.experiment.ablation_variable
        names = (configured,) if isinstance(configured, str) else tuple(configured or ())
        variables = tuple(self.aliases.get(name, name) for name in names)
        changed = self._changed(base)
        if isinstance(configured, str) and changed and not self._is_setting(variables[0], changed):
            return self._labelled(configured, changed)
        for name in variables:
            if self.known is not None and name not in self.known:
                raise self._refusal(
                    f"unknown setting {name!r}{nearest(name, self.known)}", "ablation_variable"
                )
        return variables

    def _is_setting(self, name: str, changed: Sequence[str]) -> bool:
        return name in changed or (self.known is not None and name in self.known)

    def _changed(self, base: Settings) -> tuple[str, ...]:
        """The settings that some entry of ``variants`` gives another value than the baseline."""
        complete = self._complete(base)
        changes = [
            self._without_aliases({key: value for key, value in entry.items() if key != "name"})
            for entry in self.experiment.variants
        ]
        return tuple(
            dict.fromkeys(
                name
                for change in changes
                for name, value in change.items()
                if complete.get(name, UNSET) != value
            )
        )

    def _labelled(self, label: str, changed: tuple[str, ...]) -> tuple[str, ...]:
        """The settings that ``ablation_variable`` stands for if it is only a label."""
        if len(changed) > 1 and not self.experiment.allow_multiple:
            raise self._refusal(
                f"{label!r} is not a setting, and the variants change {' and '.join(changed)}; name "
                "them in ablation_variable as a list, or set allow_multiple: true",
                "ablation_variable",
            )
        return changed

    def _single_sketches(self, variables: tuple[str, ...]) -> list[_Sketch]:
        """The variants of ``variants``, or one for each of ``values`` of the variable."""
        experiment = self.experiment
        if experiment.components:
            raise self._refusal(
                "'components' belong to a design; add design: leave_one_out, add_one or factorial",
                "components",
            )
        if experiment.variants and experiment.values:
            raise self._refusal("give 'variants' or 'values', not both", "values")
        if experiment.variants:
            return [
                self._variant_sketch(number, entry)
                for number, entry in enumerate(experiment.variants)
            ]
        if len(variables) != 1:
            raise self._refusal(
                "needs 'variants', or one 'ablation_variable' with 'values'", "ablation_variable"
            )
        variable = variables[0]
        values = experiment.values or self._all_values(variable)
        return [
            _Sketch(
                name=f"{short_name(variable)}_{value_text(value)}",
                changes={variable: value},
                yaml_path=("values", number),
            )
            for number, value in enumerate(values)
        ]

    def _variant_sketch(self, number: int, entry: Mapping[str, Any]) -> _Sketch:
        """The variant of one entry of ``variants``."""
        yaml_path = ("variants", number)
        changes = self._without_aliases(
            {key: value for key, value in entry.items() if key != "name"}
        )
        name = entry.get("name")
        if name is None:
            name = "_".join(
                f"{short_name(key)}_{value_text(value)}" for key, value in changes.items()
            )
        # YAML reads an unquoted `on` as a boolean, and 128 as a number
        name = name if isinstance(name, str) else value_text(name)
        if not name.strip():
            raise self._refusal("a variant needs a 'name'", *yaml_path)
        return _Sketch(name=name, changes=changes, yaml_path=yaml_path)

    def _all_values(self, variable: str) -> Sequence[Any]:
        """All values of a setting: on and off for a switch, otherwise its choices."""
        setting = (self.known or {}).get(variable, Setting())
        if setting.kind is bool:
            return (True, False)
        if choices := [choice for choice in setting.choices if choice is not None]:
            return choices
        problem = f"give the 'values' that {variable} should have"
        if not is_imported(self.system):
            problem += "; a dry run does not import the code that may declare them"
        raise self._refusal(problem, "ablation_variable")

    def _check_sketch(self, sketch: _Sketch, variables: tuple[str, ...], base: Settings) -> None:
        complete = self._complete(base)
        self._check(sketch.changes, f"variant {sketch.name!r}", *sketch.yaml_path)
        if not variables or self.experiment.allow_multiple:
            return
        for name, value in sketch.changes.items():
            if name not in variables and complete.get(name, UNSET) != value:
                raise self._refusal(
                    f"variant {sketch.name!r} changes {name} besides "
                    f"{', '.join(variables)}, so the cause of an effect would be unclear; "
                    "remove it, name both in ablation_variable, or set allow_multiple: true",
                    *sketch.yaml_path,
                    name,
                )

    # --- designs ------------------------------------------------------------------------

    def _components(self) -> dict[str, tuple[Any, Any]]:
        """Each component with its value when off and its value when on."""
        configured = self.experiment.components
        if isinstance(configured, dict):
            return {
                self.aliases.get(name, name): (values[0], values[1])
                for name, values in configured.items()
            }
        return {self.aliases.get(name, name): (False, True) for name in configured}

    def _design_sketches(self, base: Settings) -> list[_Sketch]:
        """The variants of a design, made from ``components``."""
        experiment = self.experiment
        if experiment.variants or experiment.values:
            raise self._refusal(
                f"design: {experiment.design} makes its variants from 'components'; "
                "remove 'variants' and 'values'",
                "variants" if experiment.variants else "values",
            )
        components = self._components()
        if not components:
            raise self._refusal(
                f"design: {experiment.design} needs 'components', a list of switches", "design"
            )
        for name, (off, on) in components.items():
            for value in (off, on):
                self._check({name: value}, "components", "components")
            self._check_effect({**base, name: on}, name, "components")
        if experiment.design == "factorial" and len(components) > MOST_COMPONENTS:
            raise self._refusal(
                f"{len(components)} components make {2 ** len(components)} variants; "
                f"a factorial design may have at most {MOST_COMPONENTS} components",
                "components",
            )
        return [
            _Sketch(
                name=name,
                changes={
                    component: values[component in on] for component, values in components.items()
                },
                switched={component: component in on for component in components},
            )
            for name, on in design_rows(experiment.design, tuple(components))
        ]

    # --- steps for all variants ---------------------------------------------------------

    def _check_effects(self, sketch: _Sketch, base: Settings) -> None:
        if not sketch.switched:
            for name in sketch.changes:
                self._check_effect({**base, **sketch.changes}, name, *sketch.yaml_path)

    def _variant(self, sketch: _Sketch, base: Settings) -> Variant:
        return Variant(name=sketch.name, settings=self._complete({**base, **sketch.changes}))

    def _complete(self, settings: Settings) -> dict[str, Any]:
        """The settings and the system's defaults for all others, so that a row has all settings."""
        defaults = {
            name: setting.default
            for name, setting in (self.known or {}).items()
            if setting.default is not UNSET
        }
        return {**defaults, **settings}

    def _without_aliases(self, settings: Settings) -> dict[str, Any]:
        """The settings by their own names instead of their aliases."""
        return {self.aliases.get(name, name): value for name, value in settings.items()}

    def _check(self, settings: Settings, what: str, *yaml_path: str | int) -> None:
        """Raise ``ConfigError`` at ``yaml_path`` if the system refuses the settings."""
        if self.has_implied_mode:
            settings = {name: value for name, value in settings.items() if name != FAST_MODE}
        try:
            check_settings(self.system, settings, what)
        except UseError as error:
            name = next((name for name in settings if repr(name) in str(error)), None)
            raise self._refusal(str(error), *yaml_path, *((name,) if name else ())) from None

    def _check_effect(self, settings: Settings, name: str, *yaml_path: str | int) -> None:
        """Raise ``ConfigError`` if the setting ``name`` has no effect with the other settings."""
        needed = (self.known or {}).get(name, Setting()).only_when
        complete = self._complete(settings)
        for other, value in needed.items():
            current = complete.get(other, (self.known or {}).get(other, Setting()).initial)
            if current is not UNSET and current != value:
                raise self._refusal(
                    f"{name} has no effect with {other}: {value_text(current)}"
                    f"{self._remedy(other, value)}",
                    *yaml_path,
                    name,
                )

    def _remedy(self, other: str, value: Any) -> str:
        mode = next((mode for mode, block in MODES.items() if block.get(other) == value), None)
        return f"; use baseline: {mode}" if mode else f"; set {other}: {value_text(value)}"

    def _check_distinct(self, variants: Sequence[Variant]) -> None:
        if len(variants) < 2:
            raise self._refusal("has one variant, so there is nothing to compare", "name")
        for first, second in combinations(variants, 2):
            if first.name == second.name:
                raise self._refusal(f"two variants are named {first.name!r}", "name")
            if first.settings == second.settings and second.name != NORMAL_BASELINE:
                raise self._refusal(
                    f"variants {first.name!r} and {second.name!r} have the same settings", "name"
                )

    def _baseline_name(self, variants: Sequence[Variant], base: Settings) -> str:
        """The name of the variant that the others are compared with.

        It is the variant that ``compare_to`` names. Without this key it is the first variant of
        a design; otherwise the variant with the settings of the baseline, or the first one. A
        setting that is not set has the value that the system declares, if it declares one.
        """
        names = [variant.name for variant in variants]
        compare_to = self.experiment.compare_to
        if compare_to is not None:
            if compare_to not in names:
                raise self._refusal(
                    f"compare_to: there is no variant {compare_to!r}{nearest(compare_to, names)}",
                    "compare_to",
                )
            return compare_to
        declared = {
            name: setting.initial
            for name, setting in (self.known or {}).items()
            if setting.initial is not UNSET
        }
        complete = {**declared, **self._complete(base)}
        same = (each.name for each in variants if {**declared, **each.settings} == complete)
        return names[0] if self.experiment.design != "single" else next(same, names[0])

    def _refusal(self, what: str, *yaml_path: str | int) -> ConfigError:
        """The error about the experiment, with ``file:line`` of the key at ``yaml_path``."""
        where = self.document.where(*self.yaml_path, *yaml_path)
        return ConfigError(f"{where}: experiment {self.experiment.name!r}: {what}")


def _collect(problems: list[str], check: Callable[..., None], *arguments: Any) -> None:
    """Call a check and add its refusal to the problems, so that all are reported together."""
    try:
        check(*arguments)
    except ConfigError as error:
        problems.extend(error.lines)


# Choose the experiments of a command: by name, all of a file, or one that comes with assay.


class ExperimentChoice(Struct, frozen=True, kw_only=True):
    """An experiment, by its index in the document that contains it."""

    document: ConfigDocument[ExperimentFile]
    number: int

    @property
    def experiment(self) -> Experiment:
        """The chosen experiment."""
        return self.document.value.experiments[self.number]

    @property
    def where(self) -> str:
        """The position of the experiment as ``file:line``."""
        return self.document.where("experiments", self.number)


def choose_experiments(
    document: ConfigDocument[ExperimentFile] | None,
    presets: ConfigDocument[ExperimentFile],
    names: Sequence[str],
) -> list[ExperimentChoice]:
    """The experiments with these names, from the user's file or else from the presets.

    A preset uses the defaults and baselines of the user's file. A repeated name counts once.

    Raises:
        UseError: Neither the file nor the presets have an experiment with this name.
    """
    sources = [presets]
    if document is not None:
        value = replace(document.value, experiments=presets.value.experiments)
        sources = [document, replace(presets, value=value)]
    return [_find(sources, name) for name in dict.fromkeys(names)]


def all_experiments(document: ConfigDocument[ExperimentFile]) -> list[ExperimentChoice]:
    """All experiments of a document in their order."""
    count = len(document.value.experiments)
    return [ExperimentChoice(document=document, number=number) for number in range(count)]


def refuse_same_names(choices: Sequence[ExperimentChoice]) -> None:
    """Raise ``UseError`` if two experiments have the same name, and so the same results file."""
    names = [choice.experiment.name for choice in choices]
    for name in names:
        if names.count(name) > 1:
            raise UseError(
                f"two experiments are named {name!r}, so their results would be mixed; rename one"
            )


def _find(sources: Sequence[ConfigDocument[ExperimentFile]], name: str) -> ExperimentChoice:
    for source in sources:
        for number, experiment in enumerate(source.value.experiments):
            if experiment.name == name:
                return ExperimentChoice(document=source, number=number)
    known = [experiment.name for source in sources for experiment in source.value.experiments]
    raise UseError(f"there is no experiment {name!r}{nearest(name, known)}")


# The primary metric of an experiment: the one that decides, chosen before the first answer.


def primary_metric(
    job: str,
    choice: ExperimentChoice,
    option: str | None,
    *,
    main: str | None = None,
    scorers: Sequence[Metric] = (),
) -> Metric:
    """The metric of ``--primary``, of the experiment, or else ``main``.

    By default, ``main`` is the main metric of the job. ``scorers`` are those of the user.

    Raises:
        UseError: The job has no such metric, or it is a percentile, which has no test.
    """
    spec = job_spec(job)
    spec = replace(spec, metrics=(*spec.metrics, *scorers))
    name = option or choice.experiment.primary or main or spec.headline
    metric = spec.find_metric(name)
    if metric is None:
        names = [metric.name for metric in spec.metrics]
        problem = f"there is no metric {name!r}{unknown_metric(name, names)}"
    elif metric.is_percentile:
        problem = f"{name} is a percentile, which has no test; choose a mean or a rate"
    else:
        return metric
    if option:
        raise UseError(f"--primary {option}: {problem}")
    where = choice.document.where("experiments", choice.number, "primary")
    raise ConfigError(f"{where}: {problem}")


def early_stop(
    primary: Metric,
    variants: Sequence[Variant],
    baseline: str,
    *,
    is_asked_for: bool,
    choice: ExperimentChoice | None = None,
) -> EarlyStop | None:
    """The rule of the experiment, or of ``--stop-early``; ``None`` to ask all questions.

    Raises:
        UseError: The primary metric has no bounds, nothing says which values are better, or there is
            nothing to compare.
    """
    settings = choice.experiment.early_stop if choice is not None else None
    where = "--stop-early"
    if choice is not None and settings is not None:
        where = choice.document.where("experiments", choice.number, "early_stop")
    elif is_asked_for:
        settings = EarlyStopSettings()
    if settings is None:
        return None
    problem = ""
    if primary.unit or primary.better is None:
        problem = (
            f"{primary.name} cannot decide when to stop: its differences have no bounds; choose a "
            "primary metric that is a share from 0 to 1"
        )
    elif len(variants) == 1:
        problem = "there is nothing to compare; name two systems or prompts, or two variants"
    if problem:
        raise (UseError if where == "--stop-early" else ConfigError)(f"{where}: {problem}")
    return EarlyStop(
        metric=primary,
        baseline=baseline,
        level=settings.level,
        margin=settings.margin,
        about_set=settings.about == "this set",
        largest=settings.max_questions,
        seed=settings.seed,
    )


def early_stop_fields(rule: EarlyStop | None, questions: Iterable[Question]) -> dict[str, Any]:
    """The rule as it is recorded in the header of the run about these questions."""
    if rule is None:
        return {}
    recorded = {
        "level": rule.level,
        "margin": rule.margin,
        "max_questions": rule.largest,
        "about": "this set" if rule.about_set else "questions like these",
        "documents": rule.documents,
        "seed": rule.seed,
        "metric": rule.metric.name,
        "identity": rule.identity(question.id for question in questions),
    }
    return {"early_stop": recorded}


_ABOUT: Final = {
    "this set": marked("this set of questions"),
    "fixed": marked("questions like these on the same documents"),
    "sample": marked("documents like these"),
}


def describe_early_stop(rule: EarlyStop | None) -> Iterator[str]:
    """The line that describes the rule before the run starts."""
    if rule is None:
        return
    margin = ""
    if rule.margin:
        margin = say(", or within {n:g} points of the baseline", n=100 * rule.margin)
    about = say(_ABOUT["this set" if rule.about_set else rule.documents])
    at_most = say("; at most {n} questions", n=rule.largest) if rule.largest else ""
    text = say(
        "a variant is asked until it is better or worse{margin}; errors at most {level:g}%, about "
        "{about}{at_most}",
        margin=margin,
        level=100 * rule.level,
        about=about,
        at_most=at_most,
    )
    yield padded(say("stops early"), 12) + text
    if rule.metric.kind != "rate":
        yield " " * 12 + say(
            "graded scores that differ little need several times the questions of a test of fixed size"
        )
