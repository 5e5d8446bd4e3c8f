"""The scores of one answer in an ablation, and the metrics that summarise them.

A row contains the scores in two forms:

* The flat fields (``cite_ok``, ``gold_metrics`` and so on) follow the row format and are defined
  for every question. For example, the coverage of a question without gold is 0.0. They are
  ``None`` if the reply does not say what was retrieved.
* ``scores`` contains the values that the tables average. A value that is undefined for the
  question is ``None`` there: gold scores of a question without gold,
  ``abstained_when_unanswerable`` of a question that has an answer, and
  ``answered_when_answerable`` of a question that has none. Both are ``None`` if it is not known
  whether there is an answer.

All metrics below except the latencies use ``scores``, so an average includes only the questions
for which the metric is defined.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final

from assay.records import Answer, GoldSpan, Metric
from assay.scorers import correctness
from assay.scorers.abstention import abstains
from assay.scorers.citation import citation_numbers, citation_range_ok, cite_ok, cited_chunk_ids
from assay.scorers.latency import LATENCY
from assay.scorers.retrieval import (
    gold_metrics,
)
from assay.scorers.span import SPAN_SHARE
from assay.text import CitationStyle, without_thoughts

_NO_GOLD: Final = "the question has no gold, or the reply does not say what was retrieved"
_NO_RANK: Final = f"{_NO_GOLD} or in which order of relevance"
_NO_BEST: Final = f"{_NO_GOLD}; or it lists more than k chunks, and their ranks are not known"

METRICS: Final[tuple[Metric, ...]] = (
    Metric(
        name="cite_ok_rate",
        field="scores.cite_ok",
        title="Valid citations",
        title_zh="引用合规率",
        title_ru="верные ссылки",
        kind="rate",
        formula="1 if the answer cites and every [n] is one of its passages, or if it is the fixed "
        "sentence that the document does not mention it, otherwise 0",
        undefined="the answer cites and the reply does not say what was retrieved",
        function="assay.scorers.citation:cite_ok",
    ),
    Metric(
        name="gold_hit_any_rate",
        field="scores.gold_hit_any",
        title="Hit@{k}",
        title_zh="Hit@{k}",
        title_ru="Hit@{k}",
        kind="rate",
        formula="1 if a gold chunk is among the best k, otherwise 0",
        undefined=_NO_BEST,
        function="assay.scorers.retrieval:gold_hit_any",
    ),
    Metric(
        name="gold_hit_all_rate",
        field="scores.gold_hit_all",
        title="All-hit@{k}",
        title_zh="All-hit@{k}",
        title_ru="All-hit@{k}",
        kind="rate",
        formula="1 if all gold chunks are among the best k, otherwise 0",
        undefined=_NO_BEST,
        function="assay.scorers.retrieval:gold_hit_all",
    ),
    Metric(
        name="avg_gold_coverage",
        field="scores.gold_coverage",
        title="Recall@{k}",
        title_zh="Recall@{k}",
        title_ru="Recall@{k}",
        formula="gold chunks among the best k / gold chunks",
        undefined=_NO_BEST,
        function="assay.scorers.retrieval:gold_coverage",
    ),
    Metric(
        name="gold_precision",
        field="scores.gold_precision",
        title="Precision",
        title_zh="精确率",
        title_ru="точность",
        formula="retrieved gold chunks / retrieved chunks; 0 if nothing is retrieved",
        undefined=_NO_GOLD,
        function="assay.scorers.retrieval:gold_precision",
    ),
    Metric(
        name="gold_mrr",
        field="scores.gold_mrr",
        title="MRR",
        title_zh="MRR",
        title_ru="MRR",
        formula="1 / the rank of the first gold chunk; 0 if none is retrieved",
        undefined=_NO_RANK,
        by_rank=True,
        function="assay.scorers.retrieval:reciprocal_rank",
    ),
    Metric(
        name="gold_ndcg",
        field="scores.gold_ndcg",
        title="nDCG@{k}",
        title_zh="nDCG@{k}",
        title_ru="nDCG@{k}",
        formula="Σ 1 / log2(rank + 1) over the gold chunks among the best k / the same sum of an "
        "ideal ranking; 0 if nothing is retrieved",
        undefined=_NO_RANK,
        by_rank=True,
        function="assay.scorers.retrieval:ndcg",
    ),
    Metric(
        name="correct_abstention_rate",
        field="scores.abstained_when_unanswerable",
        title="Abstained when unanswerable",
        title_zh="无答案时正确拒答",
        title_ru="верные отказы, когда ответа нет",
        kind="rate",
        formula="1 if the answer abstains, otherwise 0",
        undefined="the documents answer the question, or it is not known whether they do",
        function="assay.scorers.abstention:abstains",
    ),
    Metric(
        name="answered_rate",
        field="scores.answered_when_answerable",
        title="Answered when answerable",
        title_zh="有答案时作答",
        title_ru="ответы при наличии ответа",
        kind="rate",
        formula="1 if the answer does not abstain, otherwise 0",
        undefined="the documents do not answer the question, or it is not known whether they do",
        function="assay.scorers.abstention:abstains",
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
    order_is_rank: bool = True,
    top_k: int | None = None,
    question: str | None = None,
    spans: Sequence[GoldSpan] = (),
    span_share: float = SPAN_SHARE,
    accepted: Sequence[str] = (),
) -> dict[str, Any]:
    """The fields that scoring adds to a row.

    Args:
        question_gold: ids of the chunks that support the correct answer; empty if unknown.
        answerable: whether the documents contain an answer. If not, the system should abstain.
            ``None`` if it is not known; then abstention is not scored.
        answer: the answer of the system, with the passages it retrieved.
        citation_style: ``"page"`` if the system may cite pages instead of passage numbers.
        order_is_rank: whether the order of passages without ranks is their rank.
        top_k: how many passages were asked for; the metrics at k are about the best of them.
        question: the text of the question, which decides what would answer it.
        spans: stretches of documents that are gold too.
        span_share: the share of a span that the passages must cover.
        accepted: the expected answers; an answer that is one of them never abstains.

    >>> row = score_answer(["a"], True, Answer(text="Thirty days.", passages=()))
    >>> row["cite_ok"], row["scores"]["gold_coverage"], row["scores"]["answered_when_answerable"]
    (False, 0.0, True)
    >>> score_answer(["a"], True, Answer(text="Thirty days."))["scores"]["gold_coverage"] is None
    True
    """
    text, passages = without_thoughts(answer.text), answer.passages or ()
    pages = None
    if citation_style == "page":
        pages = {passage.page for passage in passages if passage.page is not None}
    is_known = answer.passages is not None
    in_range: bool | None = citation_range_ok(text, len(passages), pages=pages)
    citations_ok: bool | None = cite_ok(text, len(passages), pages=pages)
    if not is_known and not in_range:  # it cites passages, and it is not known how many there are
        in_range = citations_ok = None
    gold_scores: dict[str, Any] = dict(
        gold_metrics(
            question_gold,
            answer.passages,
            order_is_rank=order_is_rank,
            top_k=top_k,
            spans=spans,
            span_share=span_share,
        )
    )
    abstained = abstains(text, question)
    if abstained and answerable and accepted:
        abstained = correctness.is_wrong_abstention(accepted, text, question or "")
    return {
        "citation_numbers": citation_numbers(text),
        "citation_range_ok": in_range,
        "cite_ok": citations_ok,
        "cited_chunk_ids": cited_chunk_ids(text, passages, pages=pages is not None),
        "retrieved_chunk_ids": [passage.id for passage in passages] if is_known else None,
        "gold_chunk_ids": list(question_gold),
        "gold_metrics": gold_scores,
        "abstained": abstained,
        "scores": {
            "cite_ok": citations_ok,
            **(gold_scores if question_gold or spans else dict.fromkeys(gold_scores)),
            "abstained_when_unanswerable": abstained if answerable is False else None,
            "answered_when_answerable": not abstained if answerable else None,
        },
    }
