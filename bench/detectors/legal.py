"""Answers to questions of the legal benchmark: right ones kept and wrong ones accepted.

``legal_seventh_author.jsonl`` was written by a reader who had not seen the rules, and judged once
after the code was frozen; then the rules were mended on it. A number is judged as ``amount_total`` and a percentage as ``text_answer``, a complete date as ``date``, yes
and no as ``boolean_answer``, and anything else as ``text_answer``.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from assay.data.legal import ExpectedFact, FactQuestion, FactScoring
from assay.scorers.legal.answer import BenchAnswer
from assay.scorers.legal.fact import fact_score
from assay.text import dates, numbers
from detectors.table import Options, Row

NAME = "legal benchmark"
SEVENTH = Path(__file__).parent / "data" / "legal_seventh_author.jsonl"
YES = frozenset(["yes", "да", "是", "能", "可以", "有", "属于", "有效", "会"])


def rows(options: Options) -> list[Row]:
    """A row for each kind of question and one for each language."""
    counts: Counter[tuple[str, str, bool, bool]] = Counter()
    for item in items():
        verdict = is_right(item)
        if options.failures and item["set"] == "tuned" and verdict is not item["right"]:
            print("  ", item["kind"], item["right"], item["gold"], item["answer"], sep=" | ")
        for source, language in ((item["kind"], "all"), ("all", item["lang"])):
            counts[source, language, item["right"], verdict] += 1
    return [
        Row(
            set="tuned",
            source=f"seventh author: {source}",
            language=language,
            first=(
                "right kept",
                counts[source, language, True, True],
                sum(counts[source, language, True, verdict] for verdict in (True, False)),
            ),
            second=(
                "wrong accepted",
                counts[source, language, False, True],
                sum(counts[source, language, False, verdict] for verdict in (True, False)),
            ),
        )
        for source, language in sorted({key[:2] for key in counts})
    ]


def items() -> list[dict[str, Any]]:
    """The answers of the seventh author."""
    return list(map(json.loads, SEVENTH.read_text(encoding="utf-8").splitlines()))


def is_right(item: dict[str, Any]) -> bool:
    """Whether the scorer of the benchmark takes the answer for right."""
    question = FactQuestion(
        id="q",
        question=item["question"],
        expected=_expected(item["kind"], item["gold"]),
        scoring=FactScoring(citation_required=False),
    )
    return fact_score(question, BenchAnswer(text=item["answer"]), []).exact_match


def _expected(kind: str, gold: str) -> ExpectedFact:
    if kind == "yes_no":
        return ExpectedFact(boolean_answer=gold in YES)
    found = dates(gold) if kind == "date" else []
    if found and found[0].year and found[0].day:
        return ExpectedFact(date=found[0].iso)
    values = numbers(gold) if kind == "number" else []
    is_amount = bool(values) and values[0].unit != "percent"
    return (
        ExpectedFact(amount_total=float(values[0].value))
        if is_amount
        else ExpectedFact(text_answer=gold)
    )
