"""Places in the repository, named once, so that a test may move to another folder."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
JUDGED: Final = ROOT / "tests" / "judged"
"""Answers and quotations that were labelled by hand."""
