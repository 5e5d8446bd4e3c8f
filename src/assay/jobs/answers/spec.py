"""The ablation job as other commands see it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, UnsetType

from assay.checks.latency import LATENCY
from assay.records import GoldSpan, Metric
from assay.registry import lazy_function
from assay.results.job import JobSpec, question_file
from assay.runs.row import Row
from assay.runs.summary import Summary
from assay.words.say import marked

# The metrics that summarise the scores of an ablation.
#
# All except the latencies use ``scores`` of a row (see ``score.py``), so an average includes only the
# questions for which the metric is defined.

_NO_GOLD: Final = marked(
    "the question has no gold, or the reply does not say what was retrieved", "undefined"
)
_NO_RANK: Final = marked(
    "the question has no gold, or the reply does not say what was retrieved "
    "or in which order of relevance",
    "undefined",
)
_NO_BEST: Final = marked(
    "the question has no gold, or the reply does not say what was retrieved; "
    "or it lists more than k chunks, and their ranks are not known",
    "undefined",
)

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
        undefined="the reply does not say what was retrieved, or no answer of the run cites anything",
        only_if="cites",
        function="assay.checks.citation:cite_ok",
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
        function="assay.checks.retrieval:gold_hit_any",
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
        function="assay.checks.retrieval:gold_hit_all",
    ),
    Metric(
        name="avg_gold_coverage",
        field="scores.gold_coverage",
        title="Recall@{k}",
        title_zh="Recall@{k}",
        title_ru="Recall@{k}",
        formula="gold chunks among the best k / gold chunks",
        undefined=_NO_BEST,
        function="assay.checks.retrieval:gold_coverage",
    ),
    Metric(
        name="gold_precision",
        field="scores.gold_precision",
        title="Precision",
        title_zh="精确率",
        title_ru="точность",
        formula="retrieved gold chunks / retrieved chunks; 0 if nothing is retrieved",
        undefined=_NO_GOLD,
        function="assay.checks.retrieval:gold_precision",
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
        function="assay.checks.retrieval:reciprocal_rank",
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
        function="assay.checks.retrieval:ndcg",
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
        function="assay.checks.abstention:abstains",
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
        function="assay.checks.abstention:abstains",
    ),
    *LATENCY,
)
"""The columns of the ablation tables, in order."""


def _label(summary: Summary) -> str | None:
    from assay.runs.plan import top_k_placement  # noqa: PLC0415 - slow to import, rarely needed

    return None if summary.top_k is None else top_k_placement(summary.top_k).label


SPEC: Final = JobSpec(
    name="ablation",
    metrics=METRICS,
    headline="avg_gold_coverage",
    corrected_gold="score",
    fallback="answer_contained",
    overview=(
        "cite_ok_rate",
        "gold_hit_any_rate",
        "gold_hit_all_rate",
        "avg_gold_coverage",
        "answer_contained",
        "avg_latency_s",
        "p50_latency_s",
        "p95_latency_s",
    ),
    rescore=lazy_function("assay.jobs.answers.handler:rescore_row"),
    label=_label,
    questions=question_file(lazy_function("assay.data.question:read_questions")),
)


# The row of an ablation: the fields of the published format.


class AblationRow(Row, kw_only=True):
    """What an ablation adds to a row. The fields from ``citation_numbers`` on are scores.

    ``passages_known`` is false if the reply does not say what was retrieved. ``prompt_order`` is
    true if the order of passages without ranks is not their rank. ``ranks_known`` is false if only
    some passages have a rank, or two have the same. ``more_than_top_k`` is true if there are more
    passages than were asked for. ``gold_spans`` are parts of documents that are gold, and
    ``gold_span_share`` is the share of them that must be covered. ``described`` is true if the answer is
    also scored by what can be seen in it without knowing what is right, ``rating`` is what users gave it,
    ``logged_cost`` what a log says that it cost, and ``cites`` is false if it cites nothing. Other rows do not have these fields.
    """

    fast_mode: Any = None
    dim: Any = None
    gold_chunk_ids: Sequence[str] = ()
    gold_spans: Sequence[GoldSpan] | UnsetType = UNSET
    gold_span_share: float | UnsetType = UNSET
    citation_style: str | UnsetType = UNSET
    answerable: bool | UnsetType = UNSET
    described: bool | UnsetType = UNSET
    rating: bool | float | UnsetType = UNSET
    logged_cost: float | UnsetType = UNSET
    passages_known: bool | UnsetType = UNSET
    prompt_order: bool | UnsetType = UNSET
    ranks_known: bool | UnsetType = UNSET
    more_than_top_k: bool | UnsetType = UNSET
    evaluation: Mapping[str, Any] | UnsetType = UNSET
    citation_numbers: Sequence[int] | UnsetType = UNSET
    citation_range_ok: bool | UnsetType | None = UNSET
    cites: bool | UnsetType = UNSET
    cite_ok: bool | UnsetType | None = UNSET
    cited_chunk_ids: Sequence[str] | UnsetType = UNSET
    retrieved_chunk_ids: Sequence[str] | UnsetType | None = UNSET
    gold_metrics: Mapping[str, Any] | UnsetType = UNSET
    abstained: bool | UnsetType = UNSET
