"""Numbers and dates: how many judged expressions are read, and how many with a wrong value.

The expressions are in tests/judged/expression; those of authors who had not seen the readers are in
``data/expression_…_author.jsonl``: the readers were mended on them later. The figures are in docs/library.md.
"""

import json
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from detectors.table import Options, Row
from tests.support.expression import Expression, expressions, outcome

NAME = "numbers and dates"
DATA = Path(__file__).parent / "data"
OTHER_AUTHORS = {
    "seventh author": "tuned",
    "ninth author": "tuned",
    "tenth author": "tuned",
    "eleventh author": "tuned",
    "thirteenth author": "tuned",
    "fourteenth author": "tuned",
    "fifteenth author": "untouched",
}


def rows(options: Options) -> list[Row]:
    """A row for each kind, language and part."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for part in ("tuned", "untouched"):
        for expression in expressions(part):
            result = outcome(expression)
            counts[part, expression.kind, expression.language, result] += 1
            if options.failures and part == "tuned" and result != "read":
                print("  ", result, expression.text, expression.expected, sep=" | ")
    for author, part in OTHER_AUTHORS.items():
        for expression in written_by(author):
            kind = f"{author}: {expression.kind}"
            counts[part, kind, expression.language, _outcome(expression)] += 1
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


def written_by(author: str) -> list[Expression]:
    """The expressions of an author."""
    path = DATA / f"expression_{author.replace(' ', '_')}.jsonl"
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        Expression(
            row["kind"],
            row["lang"],
            row["text"],
            ("~" if row.get("approximate") and row["kind"] == "number" else "") + str(row["value"]),
        )
        for row in rows
    ]
