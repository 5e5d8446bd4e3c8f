"""Which rules scored an answer: two runs are compared only if the same ones did."""

from typing import Final

RULER: Final = "checks 1"
"""The name of the present rules; it changes with every change of a verdict of ``assay.checks``."""
FIELD: Final = "ruler"
"""Where the summary of a run has it, in ``extra``."""
