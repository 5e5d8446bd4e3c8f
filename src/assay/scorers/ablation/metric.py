"""The metrics that summarise the scores of an ablation.

All except the latencies use ``scores`` of a row (see ``score.py``), so an average includes only the
questions for which the metric is defined.
"""

from typing import Final

from assay.records import Metric
from assay.scorers.latency import LATENCY

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
        undefined="the reply does not say what was retrieved",
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
        by_check=True,
        function="assay.checks:abstains",
    ),
    Metric(
        name="answered_rate",
        field="scores.answered_when_answerable",
        title="Answered when answerable",
        title_zh="有答案时作答",
        title_ru="ответы при наличии ответа",
        kind="rate",
        formula="1 if there is an answer that does not abstain, otherwise 0",
        undefined="the documents do not answer the question, the expected answer says that there is none, "
        "or it is not known whether they do",
        by_check=True,
        function="assay.checks:abstains",
    ),
    *LATENCY,
)
"""The columns of the ablation tables, in order."""
