"""Numbers and dates: how many judged expressions are read, and how many with a wrong value.

The expressions are in tests/judged/expression; those of authors who had not seen the readers are in
``data/expression_…_author.jsonl``: the readers were mended on them later. The figures are in docs/library.md.
"""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from detectors.author import written
from detectors.table import Options, Row
from tests.support.expression import Expression, expressions, outcome

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
    for author, item in written("expression"):
        expression = _expression(item)
        kind = f"{author}: {expression.kind}"
        counts[item["set"], kind, expression.language, _outcome(expression)] += 1
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


def _outcome(expression: Expression) -> str:
    """As ``outcome``, but a value that is written twice, as in "thirty (30)", counts once."""
    result = outcome(expression)
    if result != "wrong" or expression.kind != "number":
        return result
    twice = f"{expression.expected},{expression.expected.lstrip('~')}"
    return outcome(expression._replace(expected=twice))


def _expression(item: dict[str, Any]) -> Expression:
    is_approximate = item.get("approximate") and item["kind"] == "number"
    expected = ("~" if is_approximate else "") + str(item["value"])
    return Expression(item["kind"], item["lang"], item["text"], expected)
