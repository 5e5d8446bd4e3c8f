"""The variants of an experiment, and what is known about them together."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct

from assay.records import Variant
from assay.systems.protocol import System, order_settings


class Layout(Struct, frozen=True, kw_only=True):
    """The variants of an experiment, and the name of the one they are compared with.

    For a design, ``switched`` says which components are on in each variant. For a numeric
    variable, for example a dimension or a weight, ``ordered`` has its value in each variant.
    ``order_settings`` are the settings that differ between the variants and change only the order
    of the passages.
    """

    variants: tuple[Variant, ...]
    baseline: str
    variables: tuple[str, ...] = ()
    switched: Mapping[str, Mapping[str, bool]] = {}
    ordered: Mapping[str, float] = {}
    order_settings: tuple[str, ...] = ()

    def reordered(self) -> frozenset[str]:
        """The variants whose passages are in another order than those of the baseline."""
        settings = {variant.name: variant.settings for variant in self.variants}
        base = settings[self.baseline]
        return frozenset(
            name
            for name, chosen in settings.items()
            if any(chosen.get(order) != base.get(order) for order in self.order_settings)
        )


def differs_in_order_only(
    first: Mapping[str, Any], second: Mapping[str, Any], order_settings: Collection[str]
) -> bool:
    """Whether two variants differ, and only in the order of their passages.

    >>> differs_in_order_only({"repack": "forward"}, {"repack": "reverse"}, ["repack"])
    True
    """
    differing = {name for name in {*first, *second} if first.get(name) != second.get(name)}
    return bool(differing) and differing <= set(order_settings)


def numeric_values(variants: Sequence[Variant], variables: tuple[str, ...]) -> dict[str, float]:
    """The value of the first variable in each variant; empty unless all are different numbers."""
    if not variables:
        return {}
    values = {variant.name: variant.settings.get(variables[0]) for variant in variants}
    numbers = {
        name: float(value)
        for name, value in values.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    all_numeric = len(numbers) == len(variants) > 1
    return numbers if all_numeric and len(set(numbers.values())) == len(numbers) else {}


def varied_order_settings(variants: Sequence[Variant], system: System) -> tuple[str, ...]:
    """The settings that differ between the variants and change only the order of the passages."""
    names = {name for variant in variants for name in variant.settings} & order_settings(system)
    values = {name: [variant.settings.get(name) for variant in variants] for name in names}
    return tuple(
        sorted(name for name in names if values[name].count(values[name][0]) < len(variants))
    )
