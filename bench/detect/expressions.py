"""Numbers and dates: how many judged expressions are read, not read, and read wrongly.

    python bench/detect/expressions.py

The expressions are in tests/judged/expression. Precision is the share of the expressions with a
reading whose reading is right; recall is the share of all expressions. The figures are in
docs/functions.md.
"""

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.support.expression import expressions, outcome


def lines() -> Iterable[str]:
    """The table, line by line."""
    yield "| kind | language | part | expressions | read | not marked | not read | wrong | precision | recall |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for part in ("tuned", "untouched"):
        counts: dict[tuple[str, str], Counter[str]] = {}
        for expression in expressions(part):
            key = expression.kind, expression.language
            counts.setdefault(key, Counter())[outcome(expression)] += 1
        for (kind, language), count in counts.items():
            total, read = count.total(), count["read"] + count["unmarked"]
            precision = read / (read + count["wrong"])
            yield (
                f"| {kind} | {language} | {part} | {total} | {count['read']} | {count['unmarked']}"
                f" | {count['unread']} | {count['wrong']} | {precision:.3f} | {read / total:.3f} |"
            )


if __name__ == "__main__":
    for line in lines():
        print(line)
