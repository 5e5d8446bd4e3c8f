"""Answers to questions of the legal benchmark: right ones kept and wrong ones accepted.

``legal_…_author.jsonl`` were written by readers who had not seen the rules, and judged once after the
code was frozen; then the rules were mended on them. A number is judged as
``amount_total`` and a percentage as ``text_answer``, a complete date as ``date``, yes and no as
``boolean_answer``, and anything else as ``text_answer``. A gap is a question that the text does not
answer: an answer to it is right if it abstains.
"""

from collections import Counter
from typing import Any

from assay import abstains
from assay.data.legal import ExpectedFact, FactQuestion, FactScoring, RequiredEvidence
from assay.scorers.legal.answer import BenchAnswer
from assay.scorers.legal.fact import fact_score
from assay.text import dates, numbers
from detectors.author import written
from detectors.table import Options, Row

NAME = "legal benchmark"
YES = frozenset(["yes", "да", "是", "能", "可以", "有", "属于", "有效", "会"])


def rows(options: Options) -> list[Row]:
    """A row for each kind of question and one for each language."""
    counts: Counter[tuple[str, str, str, bool, bool]] = Counter()
    for author, item in written("legal"):
        verdict = is_right(item)
        if options.failures and item["set"] == "tuned" and verdict is not item["right"]:
            print("  ", item["kind"], item["right"], item["gold"], item["answer"], sep=" | ")
        for source, language in ((item["kind"], "all"), ("all", item["lang"])):
            key = item["set"], f"{author}: {source}", language, item["right"], verdict
            counts[key] += 1
    return [
        Row(
            set=part,
            source=source,
            language=language,
            first=("right kept", *_share(counts, (part, source, language, True))),
            second=("wrong accepted", *_share(counts, (part, source, language, False))),
        )
        for part, source, language in sorted({key[:3] for key in counts})
    ]


def _share(
    counts: Counter[tuple[str, str, str, bool, bool]], key: tuple[str, str, str, bool]
) -> tuple[int, int]:
    """How many answers were taken for right, of how many."""
    accepted = counts[*key, True]
    return accepted, accepted + counts[*key, False]


def is_right(item: dict[str, Any]) -> bool:
    """Whether the scorer of the benchmark takes the answer for right; for a gap, if it abstains."""
    if item["kind"] == "gap":
        return abstains(item["answer"], item["question"])
    question = FactQuestion(
        id="q",
        question=item["question"],
        expected=_expected(item["kind"], item["gold"]),
        required_evidence=_evidence(item["kind"], item["gold"]),
        scoring=FactScoring(citation_required=False),
    )
    return fact_score(question, BenchAnswer(text=item["answer"]), []).exact_match


def _evidence(kind: str, gold: str) -> tuple[RequiredEvidence, ...]:
    """The expected amount as it is written, from which its currency is known."""
    return (RequiredEvidence(must_include=gold),) if kind == "amount" else ()


def _expected(kind: str, gold: str) -> ExpectedFact:
    if kind == "yes_no":
        return ExpectedFact(boolean_answer=gold.lower() in YES)
    found = dates(gold) if kind == "date" else []
    if found and found[0].year and found[0].day:
        return ExpectedFact(date=found[0].iso)
    values = numbers(gold) if kind in {"number", "amount"} else []
    is_amount = bool(values) and values[0].unit != "percent"
    return (
        ExpectedFact(amount_total=float(values[0].value))
        if is_amount
        else ExpectedFact(text_answer=gold)
    )
