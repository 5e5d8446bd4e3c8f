"""The review job as other commands see it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType, field

from assay.checks.latency import LATENCY
from assay.jobs.contract.level import Level
from assay.records import Metric
from assay.registry import lazy_function
from assay.results.job import JobSpec, question_file
from assay.runs.row import Row

# The metrics of a contract-risk review: means over clauses, and metrics of all clauses.

METRICS: Final[tuple[Metric, ...]] = (
    Metric(
        name="accuracy",
        field="scores.level_correct",
        title="Accuracy",
        title_zh="准确率",
        title_ru="доля верных",
        kind="rate",
        formula="1 if the stated level is the true level, otherwise 0; 0 if the reply cannot be "
        "parsed",
        function="assay.jobs.contract.score:score_review",
    ),
    Metric(
        name="weighted_accuracy",
        field="scores.weighted_score",
        title="Weighted accuracy",
        title_zh="加权准确率",
        title_ru="взвешенная доля верных",
        formula="the value of the stated level for the true level, from the table of costs; 0 if "
        "the reply cannot be parsed",
        function="assay.jobs.contract.score:score_review",
    ),
    Metric(
        name="high_risk_recall",
        field="scores.high_risk_found",
        title="High-risk recall",
        title_zh="高风险召回率",
        title_ru="найдено высоких рисков",
        kind="rate",
        formula="1 if the stated level is high, otherwise 0",
        undefined="the true level is not high",
        function="assay.jobs.contract.score:score_review",
    ),
    Metric(
        name="task_success_rate",
        field="scores.task_success",
        title="Task success rate",
        title_zh="任务成功率",
        title_ru="задача выполнена",
        kind="rate",
        formula="1 if the level is right, nothing is invented and a suggestion is made (or, for a "
        "low level, the reply says that there is none), otherwise 0",
        function="assay.jobs.contract.score:score_review",
    ),
    Metric(
        name="parse_rate",
        field="scores.parse_success",
        title="Parse rate",
        title_zh="解析成功率",
        title_ru="разобрано",
        kind="rate",
        formula="1 if a level could be parsed from the reply, otherwise 0",
        function="assay.jobs.contract.score:score_review",
    ),
    Metric(
        name="risk_id_accuracy",
        field="scores.risk_id_match",
        title="Risk id accuracy",
        title_zh="风险编号准确率",
        title_ru="верный код риска",
        kind="rate",
        formula="1 if the reply names the main risk of the clause, otherwise 0",
        undefined="the clause has no main risk, or the system reports no rules and no risk ids for any "
        "clause",
        reported_by="rules_reported",
        function="assay.jobs.contract.score:score_review",
    ),
    Metric(
        name="clauses_with_invented_evidence",
        field="scores.evidence_invented",
        title="Clauses with invented evidence",
        title_zh="含虚构证据的条款",
        title_ru="условия с вымышленными цитатами",
        kind="rate",
        better="lower",
        formula="1 if a quotation or a citation of the reply is invented, otherwise 0",
        undefined="the reply has no quotation and no citation that was checked",
        function="assay.jobs.contract.score:score_review",
    ),
    *LATENCY,
)
"""Metrics that are compared between variants clause by clause."""

CORPUS: Final[tuple[Metric, ...]] = (
    Metric(
        name="linear_weighted_kappa",
        field="linear_weighted_kappa",
        title="Linear weighted kappa",
        title_zh="线性加权 Kappa",
        title_ru="каппа, линейные веса",
        formula="1 − Σ w O / Σ w E with w = |i − j|; O are the observed counts and E the counts "
        "expected by chance, of the replies that could be parsed",
        undefined="no reply is parsed, or there is only one level",
        function="assay.jobs.contract.classification:linear_weighted_kappa",
    ),
    Metric(
        name="quadratic_weighted_kappa",
        field="quadratic_weighted_kappa",
        title="Quadratic weighted kappa",
        title_zh="二次加权 Kappa",
        title_ru="каппа, квадратичные веса",
        formula="as the linear weighted kappa, with w = |i − j|²",
        undefined="no reply is parsed, or there is only one level",
        function="assay.jobs.contract.classification:quadratic_weighted_kappa",
    ),
    Metric(
        name="high_risk_f2",
        field="high_risk_f2",
        title="High-risk F2",
        title_zh="高风险 F2",
        title_ru="F2 высокого риска",
        formula="5 TP / (5 TP + 4 FN + FP) of the level high",
        undefined="no clause is high and no reply says high",
        function="assay.jobs.contract.classification:f_beta",
    ),
    Metric(
        name="macro_f1",
        field="macro_f1",
        title="Macro F1",
        title_zh="宏平均 F1",
        title_ru="макро-F1",
        formula="2 TP / (2 TP + FN + FP), summed over the three levels and divided by 3; a level for "
        "which it is undefined counts as 0",
        undefined="there is no clause",
        function="assay.jobs.contract.classification:f_beta",
    ),
    Metric(
        name="macro_precision",
        field="macro_precision",
        title="Macro precision",
        title_zh="宏平均精确率",
        title_ru="макроточность",
        formula="TP / (TP + FP), summed over the three levels and divided by 3; a level that no reply "
        "states counts as 0",
        undefined="there is no clause",
        function="assay.jobs.contract.classification:precision",
    ),
    Metric(
        name="macro_recall",
        field="macro_recall",
        title="Macro recall",
        title_zh="宏平均召回率",
        title_ru="макрополнота",
        formula="TP / (TP + FN), summed over the three levels and divided by 3; a level that no "
        "clause has counts as 0",
        undefined="there is no clause",
        function="assay.jobs.contract.classification:recall",
    ),
    Metric(
        name="macro_f1_defined",
        field="macro_f1_defined",
        title="Macro F1, defined levels",
        title_zh="宏平均 F1（有定义的等级）",
        title_ru="макро-F1 по определённым уровням",
        formula="2 TP / (2 TP + FN + FP), averaged over the levels for which it is defined",
        undefined="there is no clause",
        function="assay.jobs.contract.classification:f_beta",
    ),
    Metric(
        name="macro_precision_defined",
        field="macro_precision_defined",
        title="Macro precision, stated levels",
        title_zh="宏平均精确率（有定义的等级）",
        title_ru="макроточность по названным уровням",
        formula="TP / (TP + FP), averaged over the levels that a reply states",
        undefined="no reply states a level",
        function="assay.jobs.contract.classification:precision",
    ),
    Metric(
        name="macro_recall_defined",
        field="macro_recall_defined",
        title="Macro recall, true levels",
        title_zh="宏平均召回率（有定义的等级）",
        title_ru="макрополнота по имеющимся уровням",
        formula="TP / (TP + FN), averaged over the levels that a clause has",
        undefined="there is no clause",
        function="assay.jobs.contract.classification:recall",
    ),
    Metric(
        name="hallucination_rate",
        field="hallucination_rate",
        title="Hallucination rate",
        title_zh="综合幻觉率",
        title_ru="доля вымысла",
        better="lower",
        formula="invalid quotations and citations / all that were checked",
        undefined="nothing is quoted and no citation is checked",
        function="assay.jobs.contract.classification:share",
    ),
    Metric(
        name="clause_hallucination_rate",
        field="clause_hallucination_rate",
        title="Clause hallucination rate",
        title_zh="条款证据幻觉率",
        title_ru="вымысел в цитатах",
        better="lower",
        formula="quotations that are not in the clause / quotations",
        undefined="nothing is quoted",
        function="assay.jobs.contract.classification:share",
    ),
    Metric(
        name="law_hallucination_rate",
        field="law_hallucination_rate",
        title="Law hallucination rate",
        title_zh="法条引用幻觉率",
        title_ru="вымысел в ссылках на законы",
        better="lower",
        formula="wrong citations of laws / checked citations of laws",
        undefined="no citation is checked",
        function="assay.jobs.contract.classification:share",
    ),
    Metric(
        name="rule_recall",
        field="rule_recall",
        title="Rule recall",
        title_zh="规则召回率",
        title_ru="полнота правил",
        formula="rules that fired and should fire / rules that should fire",
        undefined="no rule should fire, or the system reports no rules and no risk ids for any clause",
        function="assay.jobs.contract.classification:share",
    ),
    Metric(
        name="rule_precision",
        field="rule_precision",
        title="Rule precision",
        title_zh="规则精确率",
        title_ru="точность правил",
        formula="rules that fired and should fire / rules that fired",
        undefined="no rule fired, or the system reports no rules and no risk ids for any clause",
        function="assay.jobs.contract.classification:share",
    ),
)
"""Metrics of a variant that are not means over its clauses; the summary has their intervals."""

AFTER_VETO: Final = Metric(
    name="clause_hallucination_rate_after_veto",
    field="clause_hallucination_rate_after_veto",
    title="Quotations hallucinated, after the rules",
    title_zh="条款证据幻觉率（规则复核后）",
    title_ru="вымысел в цитатах после правил",
    better="lower",
    formula="quotations that the model or the rules refuse / quotations",
    undefined="no model checks the quotations",
    function="assay.jobs.contract.score:share_after_veto",
)
"""The rate after the veto of the rules; only for runs in which a model checks the quotations."""


# The fields of a recorded row that the metrics of a review are computed from.


class QuotationScore(Struct, frozen=True):
    """How well a quotation agrees with the clause; ``None`` if it was not compared.

    ``veto`` has the objections of the rules if a model gave the score, otherwise ``None``.
    """

    score: float | None = None
    text: str = ""
    valid: bool = False
    veto: tuple[str, ...] | None = None


class ReportRow(Struct, frozen=True, kw_only=True):
    """One clause, its true level, and what the reply says about it."""

    key: str = ""
    schema_version: int = 0
    config: str = ""
    question_id: str = ""
    status: str = "scored"
    expected_level: Level | None = None
    risk_level: Level | None = None
    elapsed_s: float | None = None
    clause_valid: int = 0
    clause_invalid: int = 0
    law_valid: int = 0
    law_invalid: int = 0
    rule_target: int = 0
    rule_correct: int = 0
    rule_trigger: int = 0
    risk_id_match: int = 0
    risk_id_total: int = 0
    rules_reported: bool = True
    task_success: bool = False
    unread: tuple[str, ...] = ()
    evidence: tuple[QuotationScore, ...] = field(default_factory=tuple)


SPEC: Final = JobSpec(
    name="review",
    metrics=METRICS,
    headline="weighted_accuracy",
    corrected_gold="run",
    rescore=lazy_function("assay.jobs.contract.handler:rescore_row"),
    row=ReportRow,
    report="assay.jobs.contract.review_table:ReviewFindings",
    variant_metrics=CORPUS,
    questions=question_file(lazy_function("assay.jobs.contract.clause:read_clauses")),
)


# The row of a review.


class ReviewRow(Row, kw_only=True):
    """What a review adds to a row. The fields from ``evidence`` on are checks and scores."""

    settings: Mapping[str, Any] = {}
    language: str | None = None
    ground_truth: Mapping[str, Any] = {}
    judged_by: Mapping[str, Any] | UnsetType = UNSET
    evidence: Sequence[Any] | UnsetType = UNSET
    citations: Sequence[Any] | UnsetType = UNSET
    unread: Sequence[str] | UnsetType = UNSET
    expected_level: str | UnsetType = UNSET
    risk_level: str | UnsetType | None = UNSET
    parse_success: bool | UnsetType = UNSET
    level_correct: bool | UnsetType = UNSET
    weighted_score: float | UnsetType = UNSET
    clause_valid: int | UnsetType = UNSET
    clause_invalid: int | UnsetType = UNSET
    clause_vetoed: int | UnsetType = UNSET
    law_valid: int | UnsetType = UNSET
    law_invalid: int | UnsetType = UNSET
    rule_target: int | UnsetType = UNSET
    rule_correct: int | UnsetType = UNSET
    rule_trigger: int | UnsetType = UNSET
    risk_id_match: int | UnsetType = UNSET
    risk_id_total: int | UnsetType = UNSET
    rules_reported: bool | UnsetType = UNSET
    has_suggestion: bool | UnsetType = UNSET
    task_success: bool | UnsetType = UNSET
