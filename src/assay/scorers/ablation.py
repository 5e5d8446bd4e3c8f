"""The scores of one answer in an ablation, and the metrics that summarise them.

A row contains the scores in two forms:

* The flat fields (``cite_ok``, ``gold_metrics`` and so on) follow the row format and are defined
  for every question. For example, the coverage of a question without gold is 0.0.
* ``scores`` contains the values that the tables average. A value that is undefined for the
  question is ``None`` there: gold scores of a question without gold,
  ``abstained_when_unanswerable`` of a question that has an answer, and
  ``answered_when_answerable`` of a question that has none. Both are ``None`` if it is not known
  whether there is an answer.

All metrics below except the latencies use ``scores``, so an average includes only the questions
for which the metric is defined.
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
        question_gold: ids of the chunks that support the correct answer; empty if unknown.
        answerable: whether the documents contain an answer. If not, the system should abstain.
            ``None`` if it is not known; then abstention is not scored.
        answer: the answer of the system, with the passages it retrieved.
        citation_style: ``"page"`` if the system may cite pages instead of passage numbers.

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
    citations_ok = cite_ok(text, len(passages), pages=pages)
    gold_scores: dict[str, Any] = dict(gold_metrics(question_gold, passages))
    abstained = abstains(text)
    return {
        "citation_numbers": citation_numbers(text),
        "citation_range_ok": citation_range_ok(text, len(passages), pages=pages),
        "cite_ok": citations_ok,
        "cited_chunk_ids": cited_chunk_ids(text, passages, pages=pages is not None),
        "retrieved_chunk_ids": [passage.id for passage in passages],
        "gold_chunk_ids": list(question_gold),
        "gold_metrics": gold_scores,
        "abstained": abstained,
        "scores": {
            "cite_ok": citations_ok,
            **(gold_scores if question_gold else dict.fromkeys(gold_scores)),
            "abstained_when_unanswerable": abstained if answerable is False else None,
            "answered_when_answerable": not abstained if answerable else None,
        },
    }
