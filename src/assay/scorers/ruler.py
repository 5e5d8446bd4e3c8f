"""Which rules scored an answer: two runs are compared only if the same ones did."""

from typing import Final

RULER: Final = "checks 2"
"""The name of the present rules; it changes with every change of a verdict of ``assay.checks``.

``tests/scorers/test_ruler.py`` fails if a verdict changes and this does not."""
FIELD: Final = "ruler"
"""Where the summary of a run has it, in ``extra``."""
