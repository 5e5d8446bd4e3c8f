"""The scores of one answer in an ablation, and how they are summed up.

A row has two views of the same judgement. The flat fields (``cite_ok``, ``gold_metrics`` and
so on) are as the row format has them, defined for every question: without gold the coverage
is 0.0. ``scores`` holds what the tables average, and there everything that the question leaves
undefined is ``None``: the gold scores of a question without gold, ``abstained_when_unanswerable``
of one that has an answer, ``answered_when_answerable`` of one that has none, both where it is
not known. Every metric below but the latencies points into ``scores``, so that an average never
takes in a question that it is not about.
"""

from collections.abc import Collection
from typing import Any, Final

from assay.records import Answer, Metric
from assay.scorers.abstention import abstains
from assay.scorers.citation import citation_numbers, citation_range_ok, cite_ok, cited_chunk_ids
from assay.scorers.latency import LATENCY
from assay.scorers.retrieval import gold_metrics
from assay.text import CitationStyle

METRICS: Final[tuple[Metric, ...]] = (
    Metric(name="cite_ok_rate", field="scores.cite_ok", title="Citations in order", kind="rate"),
    Metric(
        name="gold_hit_any_rate", field="scores.gold_hit_any", title="Any gold chunk", kind="rate"
    ),
    Metric(
        name="gold_hit_all_rate", field="scores.gold_hit_all", title="All gold chunks", kind="rate"
    ),
    Metric(name="avg_gold_coverage", field="scores.gold_coverage", title="Gold coverage"),
    Metric(name="gold_precision", field="scores.gold_precision", title="Gold precision"),
    Metric(name="gold_mrr", field="scores.gold_mrr", title="Gold MRR"),
    Metric(name="gold_ndcg", field="scores.gold_ndcg", title="Gold nDCG"),
    Metric(
        name="correct_abstention_rate",
        field="scores.abstained_when_unanswerable",
        title="Abstained when unanswerable",
        kind="rate",
    ),
    Metric(
        name="answered_rate",
        field="scores.answered_when_answerable",
        title="Answered when answerable",
        kind="rate",
    ),
    *LATENCY,
)
"""The columns of the ablation tables, in order."""


def score_answer(
    question_gold: Collection[str],
    answerable: bool | None,
    answer: Answer,
    *,
    citation_style: CitationStyle = "index",
) -> dict[str, Any]:
    """The fields that scoring adds to a row.

    Args:
        question_gold: ids of the chunks a right answer rests on; empty where none are known.
        answerable: whether there is an answer; where there is none, the right one is to
            abstain. ``None`` where it is not known: then neither is judged.
        answer: what the system said, with the passages it had.
        citation_style: ``"page"`` where the system may cite pages instead of numbers.

    >>> row = score_answer(["a"], True, Answer(text="Thirty days.", passages=()))
    >>> row["cite_ok"], row["scores"]["gold_coverage"], row["scores"]["answered_when_answerable"]
    (False, 0.0, True)
    >>> score_answer([], None, Answer(text="Thirty days."))["scores"]["gold_coverage"] is None
    True
    """
    text, passages = answer.text, answer.passages
    pages = None
    if citation_style == "page":
        pages = {passage.page for passage in passages if passage.page is not None}
    in_order = cite_ok(text, len(passages), pages=pages)
    gold_scores: dict[str, Any] = dict(gold_metrics(question_gold, passages))
    abstained = abstains(text)
    return {
        "citation_numbers": citation_numbers(text),
        "citation_range_ok": citation_range_ok(text, len(passages), pages=pages),
        "cite_ok": in_order,
        "cited_chunk_ids": cited_chunk_ids(text, passages, pages=pages is not None),
        "retrieved_chunk_ids": [passage.id for passage in passages],
        "gold_chunk_ids": list(question_gold),
        "gold_metrics": gold_scores,
        "abstained": abstained,
        "scores": {
            "cite_ok": in_order,
            **(gold_scores if question_gold else dict.fromkeys(gold_scores)),
            "abstained_when_unanswerable": abstained if answerable is False else None,
            "answered_when_answerable": not abstained if answerable else None,
        },
    }
