"""Which rules scored an answer: two runs are compared only if the same ones did."""

from collections.abc import Mapping
from typing import Any, Final

RULER: Final = "checks 2"
"""The name of the present rules; it changes with every change of a verdict of ``assay.checks``.

``tests/scorers/test_ruler.py`` fails if a verdict changes and this does not."""
FIELD: Final = "ruler"
"""Where the summary of a run has it, in ``extra``."""
MIXED: Final = "mixed"
"""Stands there while the answers of a run are not all scored by the same rules."""


def ruler_of(extra: Mapping[str, Any]) -> str:
    """The rules that scored a run; empty for one of a version that had no name for them."""
    return str(extra.get(FIELD, ""))
