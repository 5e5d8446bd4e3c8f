"""All problems of a file together, so that they can be mended in one go."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

MOST_PROBLEMS: Final = 20
"""At most this many problems are listed; the number of further ones is given."""


def limited(problems: Sequence[str], path: Path) -> list[str]:
    """The first problems of a file, and how many more there are.

    >>> limited(["a.jsonl:1: no id"], Path("a.jsonl"))
    ['a.jsonl:1: no id']
    >>> limited(["x"] * 23, Path("a.jsonl"))[-1]
    'a.jsonl: and 3 more problems'
    """
    shown = list(problems[:MOST_PROBLEMS])
    if len(problems) > len(shown):
        shown.append(f"{path}: and {len(problems) - len(shown)} more problems")
    return shown
