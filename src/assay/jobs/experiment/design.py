"""The variants of a design, and the names that variants get from their settings."""

from itertools import product
from typing import Any


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
