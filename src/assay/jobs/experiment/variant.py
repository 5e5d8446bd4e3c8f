"""From an experiment to its variants: complete settings, each checked before the first call.

Every refusal begins with ``file:line`` of the experiment and says what to write instead.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any

from msgspec import UNSET, Struct

from assay.config import Document, ExperimentFile, nearest
from assay.errors import ConfigError, UseError
from assay.records import Variant
from assay.systems import Setting, System, check_settings

NORMAL_BASELINE = "normal_baseline"
MODES: Mapping[str, Mapping[str, Any]] = {
    "fast": {"fast_mode": True},
    "normal": {"fast_mode": False},
}
MOST_COMPONENTS = 6
"""Of a factorial design: 64 variants."""

Settings = Mapping[str, Any]


class Layout(Struct, frozen=True, kw_only=True):
    """An experiment's variants, and the one that the others are compared with.

    ``switched`` says of each variant of a design which components are on; ``ordered`` holds
    the values of a variable that can be ordered (a dimension, a weight), by variant.
    """

    variants: tuple[Variant, ...]
    baseline: str
    variables: tuple[str, ...] = ()
    switched: Mapping[str, Mapping[str, bool]] = {}
    ordered: Mapping[str, float] = {}


class _Sketch(Struct, frozen=True, kw_only=True):
    """A variant before its settings are completed: what it changes, and the line it stands on."""

    name: str
    changes: Settings
    place: tuple[str | int, ...] = ()
    switched: Mapping[str, bool] = {}


def lay_out_variants(document: Document[ExperimentFile], number: int, system: System) -> Layout:
    """The variants of the ``number``-th experiment for ``system``; refuse what cannot be meant."""
    return _Expansion(document, number, system).layout()


class _Expansion:
    """One experiment on its way from YAML to variants."""

    def __init__(self, document: Document[ExperimentFile], number: int, system: System) -> None:
        self.document = document
        self.experiment = document.value.experiments[number]
        self.place = ("experiments", number)
        self.system = system
        self.known: Mapping[str, Setting] | None = system.settings
        self.aliases = {
            alias: name
            for name, setting in (self.known or {}).items()
            for alias in setting.aliases
            if alias not in (self.known or {})
        }

    def layout(self) -> Layout:
        """Expand and check."""
        experiment = self.experiment
        base = self._base()
        self._check(base, "baseline", "baseline")
        variables = self._variables()
        if experiment.design == "single":
            sketches = self._single(variables)
            self._check_single(sketches, variables, base)
        else:
            sketches = self._designed(base)
            variables = tuple(self._components())
        variants = [self._variant(sketch, base) for sketch in sketches]
        if experiment.include_normal_baseline:
            variants.append(self._normal_baseline())
        self._check_distinct(variants)
        return Layout(
            variants=tuple(variants),
            baseline=self._compared_with(variants, base),
            variables=variables,
            switched={sketch.name: sketch.switched for sketch in sketches if sketch.switched},
            ordered=_ordered(variants[: len(sketches)], variables),
        )

    # --- the baseline -------------------------------------------------------------------

    def _base(self) -> Settings:
        """What the variants start from, as the experiment's ``baseline`` names it."""
        name = self.experiment.baseline
        blocks = self.document.value.baselines
        if name in blocks:
            return self._renamed(blocks[name])
        if name in MODES:
            has_modes = self.known is None or "fast_mode" in self.known
            if not has_modes and name == "fast":
                raise self._refusal(
                    "this system has no fast_mode; leave baseline out, or name a block "
                    "under 'baselines'",
                    "baseline",
                )
            return MODES[name] if has_modes else {}
        raise self._refusal(
            f"unknown baseline {name!r}{nearest(name, [*MODES, *blocks])}", "baseline"
        )

    def _normal_baseline(self) -> Variant:
        if self.known is not None and "fast_mode" not in self.known:
            raise self._refusal(
                "this system has no fast_mode, so there is no normal baseline to include",
                "include_normal_baseline",
            )
        blocks = self.document.value.baselines
        settings = self._renamed(blocks.get("normal", MODES["normal"]))
        return Variant(name=NORMAL_BASELINE, settings=self._complete(settings))

    # --- single variable ----------------------------------------------------------------

    def _variables(self) -> tuple[str, ...]:
        given = self.experiment.ablation_variable
        names = (given,) if isinstance(given, str) else tuple(given or ())
        variables = tuple(self.aliases.get(name, name) for name in names)
        for name in variables:
            if self.known is not None and name not in self.known:
                raise self._refusal(
                    f"unknown setting {name!r}{nearest(name, self.known)}", "ablation_variable"
                )
        return variables

    def _single(self, variables: tuple[str, ...]) -> list[_Sketch]:
        experiment = self.experiment
        if experiment.components:
            raise self._refusal(
                "'components' belong to a design; say design: leave_one_out, add_one or factorial",
                "components",
            )
        if experiment.variants and experiment.values:
            raise self._refusal("give 'variants' or 'values', not both", "values")
        if experiment.variants:
            return [self._named(number, given) for number, given in enumerate(experiment.variants)]
        if len(variables) != 1:
            raise self._refusal(
                "needs 'variants', or one 'ablation_variable' with 'values'", "ablation_variable"
            )
        variable = variables[0]
        values = experiment.values or self._all_values(variable)
        return [
            _Sketch(
                name=f"{short_name(variable)}_{_word(value)}",
                changes={variable: value},
                place=("values", number),
            )
            for number, value in enumerate(values)
        ]

    def _named(self, number: int, given: Mapping[str, Any]) -> _Sketch:
        place = ("variants", number)
        changes = self._renamed({key: value for key, value in given.items() if key != "name"})
        name = given.get("name")
        if name is None:
            name = "_".join(f"{short_name(key)}_{_word(value)}" for key, value in changes.items())
        # YAML takes a bare `on` for a truth value, and 128 for a number
        name = name if isinstance(name, str) else _word(name)
        if not name.strip():
            raise self._refusal("a variant needs a 'name'", *place)
        return _Sketch(name=name, changes=changes, place=place)

    def _all_values(self, variable: str) -> Sequence[Any]:
        """What a setting can be: on and off, or its choices."""
        setting = (self.known or {}).get(variable, Setting())
        if setting.kind is bool:
            return (True, False)
        if choices := [choice for choice in setting.choices if choice is not None]:
            return choices
        raise self._refusal(f"give the 'values' that {variable} should have", "ablation_variable")

    def _check_single(
        self, sketches: Sequence[_Sketch], variables: tuple[str, ...], base: Settings
    ) -> None:
        complete = self._complete(base)
        for sketch in sketches:
            self._check(sketch.changes, f"variant {sketch.name!r}", *sketch.place)
            if not variables or self.experiment.allow_multiple:
                continue
            for name, value in sketch.changes.items():
                if name not in variables and complete.get(name, UNSET) != value:
                    raise self._refusal(
                        f"variant {sketch.name!r} changes {name} besides "
                        f"{', '.join(variables)}; an effect could be of either. Take it out, "
                        "name both in ablation_variable, or say allow_multiple: true",
                        *sketch.place,
                        name,
                    )

    # --- designs ------------------------------------------------------------------------

    def _components(self) -> dict[str, tuple[Any, Any]]:
        """Each component with its values when off and when on."""
        given = self.experiment.components
        if isinstance(given, dict):
            return {
                self.aliases.get(name, name): (values[0], values[1])
                for name, values in given.items()
            }
        return {self.aliases.get(name, name): (False, True) for name in given}

    def _designed(self, base: Settings) -> list[_Sketch]:
        experiment = self.experiment
        if experiment.variants or experiment.values:
            raise self._refusal(
                f"design: {experiment.design} makes its own variants from 'components'",
                "variants" if experiment.variants else "values",
            )
        components = self._components()
        if not components:
            raise self._refusal(
                f"design: {experiment.design} needs 'components', the switches to try", "design"
            )
        for name, (off, on) in components.items():
            for value in (off, on):
                self._check({name: value}, "components", "components")
            self._check_effect({**base, name: on}, name, "components")
        if experiment.design == "factorial" and len(components) > MOST_COMPONENTS:
            raise self._refusal(
                f"{len(components)} components make {2 ** len(components)} variants; "
                f"at most {MOST_COMPONENTS}",
                "components",
            )
        return [
            _Sketch(
                name=name,
                changes={one: values[is_on] for one, values, is_on in _settled(components, on)},
                switched={one: one in on for one in components},
            )
            for name, on in design_rows(experiment.design, tuple(components))
        ]

    # --- what all variants go through ---------------------------------------------------

    def _variant(self, sketch: _Sketch, base: Settings) -> Variant:
        settings = {**base, **sketch.changes}
        if not sketch.switched:
            for name in sketch.changes:
                self._check_effect(settings, name, *sketch.place)
        return Variant(name=sketch.name, settings=self._complete(settings))

    def _complete(self, settings: Settings) -> dict[str, Any]:
        """The settings with the system's defaults for the rest, so that a row says it all."""
        defaults = {
            name: setting.default
            for name, setting in (self.known or {}).items()
            if setting.default is not UNSET
        }
        return {**defaults, **settings}

    def _renamed(self, settings: Settings) -> dict[str, Any]:
        return {self.aliases.get(name, name): value for name, value in settings.items()}

    def _check(self, settings: Settings, what: str, *place: str | int) -> None:
        try:
            check_settings(self.system, settings, what)
        except UseError as error:
            name = next((name for name in settings if repr(name) in str(error)), None)
            raise self._refusal(str(error), *place, *((name,) if name else ())) from None

    def _check_effect(self, settings: Settings, name: str, *place: str | int) -> None:
        """Refuse a setting that has no effect with the others as they are."""
        needed = (self.known or {}).get(name, Setting()).only_when
        complete = self._complete(settings)
        for other, value in needed.items():
            if complete.get(other) != value:
                raise self._refusal(
                    f"{name} has no effect with {other}: {_word(complete.get(other))}"
                    f"{self._remedy(other, value)}",
                    *place,
                    name,
                )

    def _remedy(self, other: str, value: Any) -> str:
        mode = next((mode for mode, block in MODES.items() if block.get(other) == value), None)
        return f"; use baseline: {mode}" if mode else f"; set {other}: {_word(value)}"

    def _check_distinct(self, variants: Sequence[Variant]) -> None:
        if len(variants) < 2:
            raise self._refusal("has one variant; there is nothing to compare", "name")
        for one, other in combinations(variants, 2):
            if one.name == other.name:
                raise self._refusal(f"two variants are named {one.name!r}", "name")
            if one.settings == other.settings and other.name != NORMAL_BASELINE:
                raise self._refusal(
                    f"variants {one.name!r} and {other.name!r} have the same settings", "name"
                )

    def _compared_with(self, variants: Sequence[Variant], base: Settings) -> str:
        """The variant the experiment names; else the one that is the baseline; else the first."""
        names = [variant.name for variant in variants]
        wanted = self.experiment.compare_to
        if wanted is not None:
            if wanted not in names:
                raise self._refusal(
                    f"compare_to: there is no variant {wanted!r}{nearest(wanted, names)}",
                    "compare_to",
                )
            return wanted
        complete = self._complete(base)
        same = (variant.name for variant in variants if variant.settings == complete)
        return names[0] if self.experiment.design != "single" else next(same, names[0])

    def _refusal(self, what: str, *place: str | int) -> ConfigError:
        where = self.document.where(*self.place, *place)
        return ConfigError(f"{where}: experiment {self.experiment.name!r}: {what}")


def design_rows(design: str, names: tuple[str, ...]) -> list[tuple[str, frozenset[str]]]:
    """The variants of a design, the baseline first: a name, and the components that are on.

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
    made = []
    for pattern in product((False, True), repeat=len(names)):
        on = [name for name, is_on in zip(names, pattern, strict=True) if is_on]
        made.append(("+".join(map(short_name, on)) or "none", frozenset(on)))
    return made


def short_name(setting: str) -> str:
    """A setting's name as it stands in the names of variants.

    >>> short_name("hyde_enabled"), short_name("search_dim")
    ('hyde', 'dim')
    """
    return setting.removesuffix("_enabled").removeprefix("search_")


def _settled(
    components: Mapping[str, tuple[Any, Any]], on: frozenset[str]
) -> list[tuple[str, tuple[Any, Any], bool]]:
    return [(name, values, name in on) for name, values in components.items()]


def _ordered(variants: Sequence[Variant], variables: tuple[str, ...]) -> dict[str, float]:
    """The values of the one variable, where all of them are different numbers."""
    if not variables:
        return {}
    values = {variant.name: variant.settings.get(variables[0]) for variant in variants}
    numbers = {
        name: float(value)
        for name, value in values.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    is_whole = len(numbers) == len(variants) > 1
    return numbers if is_whole and len(set(numbers.values())) == len(numbers) else {}


def _word(value: Any) -> str:
    """A value as YAML and people write it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None else str(value)
