"""Numbers and dates: how many judged expressions are read, and how many with a wrong value.

The expressions are in tests/judged/expression. The figures are in docs/library.md.
"""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from detectors.table import Options, Row
from tests.support.expression import expressions, outcome

NAME = "numbers and dates"


def rows(options: Options) -> list[Row]:
    """A row for each kind, language and part."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for part in ("tuned", "untouched"):
        for expression in expressions(part):
            result = outcome(expression)
            counts[part, expression.kind, expression.language, result] += 1
            if options.failures and part == "tuned" and result != "read":
                print("  ", result, expression.text, expression.expected, sep=" | ")
    totals: Counter[tuple[str, str, str]] = Counter()
    for (part, kind, language, _), count in counts.items():
        totals[part, kind, language] += count
    return [
        Row(
            set=part,
            source=f"{kind}s",
            language=language,
            first=("read", counts[part, kind, language, "read"], total),
            second=("wrong", counts[part, kind, language, "wrong"], total),
        )
        for (part, kind, language), total in totals.items()
    ]
