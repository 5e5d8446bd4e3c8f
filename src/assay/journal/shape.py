"""The kinds of the free fields of a summary that other rooms rely on.

``extra`` and ``results`` may contain anything, but a name listed here has this kind of value: a file
that another program wrote or that was damaged is refused when it is read, not where it is used.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

Text = str | None
Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class _Extra(Struct):
    ablation_variable: list[str] = []
    baseline: Text = None
    costs: list[list[float]] | None = None
    description: Text = None
    design: Text = None
    order_settings: list[str] = []
    ordered: dict[str, Any] = {}
    primary: Text = None
    question_type: Text = None
    questions: Count | None = None
    questions_left_out: Count | None = None
    runs: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    switched: dict[str, dict[str, Any]] = {}
    threshold: float | None = None
    verifier: Text = None


class _Variant(Struct):
    n: dict[str, Any] | None = None
    scored: Count = 0


class _Results(Struct):
    headline: str = ""
    outside_rows: Count = 0
    questions: Count | None = None
    variants: dict[str, _Variant] = {}


def check_free_fields(extra: Mapping[str, Any], results: Mapping[str, Any]) -> None:
    """Raise ``msgspec.ValidationError`` if a value is not of the kind that its name promises."""
    msgspec.convert(extra, _Extra)
    msgspec.convert(results, _Results)
