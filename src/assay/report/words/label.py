"""The words that tables and charts put beside the data, in English, Chinese and Russian."""

from typing import TypeAlias

from assay.records import Metric
from assay.text import Language

Lang: TypeAlias = Language

_ORDER: tuple[Lang, ...] = ("en", "zh", "ru")

_WORDS: dict[str, tuple[str, str, str]] = {
    "variant": ("variant", "变体", "вариант"),
    "baseline": ("baseline", "基线", "база"),
    "scored": ("scored", "已评分", "оценено"),
    "failed": ("failed", "失败", "сбой"),
    "skipped": ("skipped", "跳过", "пропущено"),
    "difference": ("difference to {baseline}", "与 {baseline} 之差", "разность с {baseline}"),
    "interval": ("{percent}% interval", "{percent}% 区间", "интервал {percent}\u00a0%"),
    "better": ("better", "更好", "лучше"),
    "significant": ("p < 0.05", "p < 0.05", "p < 0,05"),
    "not significant": ("not significant", "不显著", "незначимо"),
    "front": ("Pareto front", "帕累托前沿", "фронт Парето"),
    "dominated": ("dominated", "被支配", "доминируемые"),
    "not shown": ("no value: {names}", "无数值：{names}", "нет значения: {names}"),
    "no data": ("no values", "无数据", "нет данных"),
    "interval note": (
        "In brackets: {percent}% interval.",
        "方括号内为 {percent}% 区间。",
        "В скобках: интервал {percent}\u00a0%.",
    ),
    "mark note": (
        "Bold: best of the column. Italic: worst.",
        "粗体：该列最佳；斜体：该列最差。",
        "Полужирным: лучшее в столбце. Курсивом: худшее.",
    ),
    "significance note": (
        "Against the baseline, corrected: * p < 0.05, ** p < 0.01, *** p < 0.001.",
        "与基线相比（已校正）：* p < 0.05，** p < 0.01，*** p < 0.001。",
        "В сравнении с базой, с поправкой: * p < 0,05, ** p < 0,01, *** p < 0,001.",
    ),
    "missing note": (
        "{missing}: undefined, not zero.",
        "{missing}：未定义，并非零。",
        "{missing}: не определено, это не ноль.",
    ),
    "quality": ("Quality", "质量", "Качество"),
    "latency title": ("Latency", "延迟", "Задержка"),
    "effects": ("Differences to the baseline", "与基线之差", "Разности с базой"),
    "combined": (
        "Main effects and interactions",
        "主效应与交互效应",
        "Главные эффекты и взаимодействия",
    ),
    "bill": ("Calls and cost", "调用与费用", "Вызовы и стоимость"),
    "findings": ("Findings", "结论", "Выводы"),
    "charts": ("Charts", "图表", "Графики"),
    "changes": ("What changed", "变化明细", "Что изменилось"),
    "more changes": (
        "… and {n} more; assay report --changes 0 lists all.",
        "……另有 {n} 题；assay report --changes 0 列出全部。",
        "… и ещё {n}; все покажет assay report --changes 0.",
    ),
    "metric": ("metric", "指标", "метрика"),
    "pairs": ("pairs", "配对数", "пар"),
    "difference title": ("difference", "差值", "разность"),
    "gained": ("up", "上升", "выше"),
    "lost": ("down", "下降", "ниже"),
    "test": ("test", "检验", "критерий"),
    "detectable": ("detectable", "可检出差值", "различимая разность"),
    "verdict": ("verdict", "判定", "вывод"),
    "verdict better": ("better", "更好", "лучше"),
    "verdict worse": ("worse", "更差", "хуже"),
    "verdict unclear": ("no difference shown", "未显示差异", "различие не показано"),
    "verdict too few": ("too few to say", "样本过少", "слишком мало данных"),
    "calls": ("calls", "调用", "вызовы"),
    "replayed_calls": ("of them replayed", "其中重放", "из них повторов"),
    "prompt_tokens": ("tokens in", "输入词元", "токены на входе"),
    "completion_tokens": ("tokens out", "输出词元", "токены на выходе"),
    "cost": ("cost", "费用", "стоимость"),
    "paid": ("paid", "实付", "оплачено"),
    "system": ("system", "系统", "система"),
    "questions": ("questions", "问题", "вопросы"),
    "top_k": ("top_k", "top_k", "top_k"),
    "state": ("state", "状态", "состояние"),
    "started": ("started", "开始", "начато"),
    "completed": ("completed", "完成", "завершено"),
    "baseline note": (
        "Baseline: {baseline}.",
        "基线：{baseline}。",
        "База: {baseline}.",
    ),
    "holm note": (
        "p-values are corrected for {n} comparisons (Holm).",
        "p 值已按 {n} 次比较校正（Holm）。",
        "Значения p с поправкой на {n} сравнений (Холм).",
    ),
    "clustered note": (
        "Intervals and tests resample whole documents ({n}).",
        "区间与检验按整份文档重抽样（{n} 份）。",
        "Интервалы и критерии: перевыборка целых документов ({n}).",
    ),
    "documents note": (
        (
            "The questions come from {n} documents, too few to resample: intervals and tests are "
            "about questions of these documents."
        ),
        "问题仅来自 {n} 份文档，不足以按文档重抽样：区间与检验只说明这些文档的问题。",
        (
            "Документов всего {n}, слишком мало для перевыборки: интервалы и критерии относятся к "
            "вопросам этих документов."
        ),
    ),
    "gold note": (
        (
            "{n} questions have no gold and count in no gold column ({unanswerable} of them are "
            "known to have no answer)."
        ),
        "{n} 个问题没有金标，不计入金标各列（其中 {unanswerable} 个已知无答案）。",
        (
            "Вопросов без эталона: {n}; в столбцы эталона они не входят (из них заведомо без "
            "ответа: {unanswerable})."
        ),
    ),
    "replayed note": (
        "Some calls were replayed from the cache: their latency is the recorded one.",
        "部分调用由缓存重放：其延迟为当时记录的延迟。",
        "Часть вызовов взята из кэша: их задержка записана при первом вызове.",
    ),
    "corpus": ("The whole set", "整体指标", "Весь набор"),
    "corpus note": (
        (
            "Intervals by bootstrap over clauses; Wilson's for a rate of 0 or 1. Rates of "
            "hallucination and of rules are pooled: counts over all clauses, not a mean of clauses."
        ),
        "区间由条款自助法得出；比率为 0 或 1 时用 Wilson 区间。幻觉率与规则指标为汇总计数之比，而非各条款比率的均值。",
        (
            "Интервалы: бутстреп по условиям, для доли 0 или 1 по Уилсону. Доли вымысла и правил "
            "взяты по общему счёту, это не средние по условиям."
        ),
    ),
    "kappa note": (
        "Kappa is over the replies that could be read; an unparsed reply is wrong elsewhere.",
        "Kappa 仅计可解析的回复；其余指标将未解析的回复计为错误。",
        "Каппа: по разобранным ответам; в остальном неразобранный ответ считается ошибкой.",
    ),
    "quotations": ("quotations", "引文数", "цитат"),
    "laws_cited": ("laws cited", "引用法条数", "ссылок на закон"),
    "unparsed": ("unparsed", "未解析", "не разобрано"),
    "classes": ("By level of risk", "按风险等级", "По уровням риска"),
    "of a class": ("{level}: {metric}", "{level}：{metric}", "{level}: {metric}"),
    "class_precision": ("precision", "精确率", "точность"),
    "class_recall": ("recall", "召回率", "полнота"),
    "class_f1": ("F1", "F1", "F1"),
    "level High": ("High", "高", "Высокий"),
    "level Medium": ("Medium", "中", "Средний"),
    "level Low": ("Low", "低", "Низкий"),
    "level Unparsed": ("Unparsed", "未解析", "Не разобрано"),
    "confusion": (
        "Confusion: levels that are true by levels that were said",
        "混淆矩阵：实际等级与预测等级",
        "Путаница: уровни на самом деле и в ответе",
    ),
    "true level": ("variant: true level", "变体：实际等级", "вариант: на самом деле"),
    "sweep": (
        "{metric}, by the threshold of verification",
        "不同核验阈值下的{metric}",
        "{metric} при других порогах проверки",
    ),
    "sweep note": (
        "The run's own threshold is {threshold}.",
        "本次运行的阈值为 {threshold}。",
        "Порог этого прогона: {threshold}.",
    ),
    "bench overall": (
        "Benchmark: percentage of the points",
        "基准得分率",
        "Бенчмарк: доля баллов, %",
    ),
    "bench by_type": ("By type of question", "按题型", "По типам вопросов"),
    "bench by_category": ("By category", "按分类", "По категориям"),
    "bench by_difficulty": ("By difficulty", "按难度", "По сложности"),
    "bench by_document": ("By document", "按文档", "По документам"),
    "group": ("group", "分组", "группа"),
    "overall": ("overall, %", "总得分率（%）", "всего, %"),
    "percentage": ("points, %", "得分率（%）", "баллы, %"),
    "passed": ("passed", "通过", "зачтено"),
    "type fact_exact": ("fact_exact", "事实型", "точный факт"),
    "type evidence_set": ("evidence_set", "证据集合型", "набор доказательств"),
    "type conflict_gap": ("conflict_gap", "冲突/缺口型", "противоречие или пробел"),
    "difficulty easy": ("easy", "简单", "лёгкие"),
    "difficulty medium": ("medium", "中等", "средние"),
    "difficulty hard": ("hard", "困难", "трудные"),
    "difficulty unspecified": ("unspecified", "未注明", "не указано"),
    "category unspecified": ("unspecified", "未注明", "не указано"),
    "state running": ("running", "进行中", "идёт"),
    "state complete": ("complete", "已完成", "завершён"),
    "state partial": ("partial", "未完成", "не закончен"),
    "test mcnemar-exact": ("mcnemar-exact", "McNemar 精确检验", "точный Макнемара"),
    "test wilcoxon": ("wilcoxon", "Wilcoxon 符号秩检验", "Уилкоксона"),
    "test cluster-permutation": ("cluster-permutation", "整群置换检验", "перестановка документов"),
    "p holm": ("p (Holm)", "p（Holm）", "p (Холм)"),
    "unit s": ("s", "秒", "с"),
    "source the sample's clauses": (
        "the sample's clauses",
        "示例条款",
        "условия из примера",
    ),
}

_METRICS: dict[str, tuple[str, str]] = {
    "cite_ok_rate": ("引用合规率", "верные ссылки"),
    "gold_hit_any_rate": ("命中任一金标片段", "найден хотя бы один эталон"),
    "gold_hit_all_rate": ("命中全部金标片段", "найдены все эталоны"),
    "avg_gold_coverage": ("金标覆盖率", "покрытие эталона"),
    "avg_latency_s": ("平均延迟（秒）", "средняя задержка, с"),
    "gold_precision": ("金标精确率", "точность эталона"),
    "gold_mrr": ("金标 MRR", "MRR эталона"),
    "gold_ndcg": ("金标 nDCG", "nDCG эталона"),
    "correct_abstention_rate": ("无答案时正确拒答", "верные отказы без ответа"),
    "answered_rate": ("有答案时作答", "ответы при наличии ответа"),
    "p50_latency_s": ("延迟中位数（秒）", "медиана задержки, с"),
    "p95_latency_s": ("延迟 P95（秒）", "задержка P95, с"),
    "accuracy": ("准确率", "доля верных"),
    "weighted_accuracy": ("加权准确率", "взвешенная доля верных"),
    "high_risk_recall": ("高风险召回率", "найдено высоких рисков"),
    "task_success_rate": ("任务成功率", "задача выполнена"),
    "parse_rate": ("解析成功率", "разобрано"),
    "risk_id_accuracy": ("风险编号准确率", "верный код риска"),
    "clauses_with_invented_evidence": ("含虚构证据的条款", "условия с вымышленными цитатами"),
    "linear_weighted_kappa": ("线性加权 Kappa", "каппа, линейные веса"),
    "quadratic_weighted_kappa": ("二次加权 Kappa", "каппа, квадратичные веса"),
    "high_risk_f2": ("高风险 F2", "F2 высокого риска"),
    "macro_f1": ("宏平均 F1", "макро-F1"),
    "macro_precision": ("宏平均精确率", "макроточность"),
    "macro_recall": ("宏平均召回率", "макрополнота"),
    "hallucination_rate": ("综合幻觉率", "доля вымысла"),
    "clause_hallucination_rate": ("条款证据幻觉率", "вымысел в цитатах"),
    "law_hallucination_rate": ("法条引用幻觉率", "вымысел в законах"),
    "rule_recall": ("规则召回率", "полнота правил"),
    "rule_precision": ("规则精确率", "точность правил"),
    "score": ("得分", "балл"),
    "passed_rate": ("通过率", "зачтено"),
    "exact_match": ("事实精确匹配", "точные факты"),
    "citation_correct": ("事实引用正确", "верные ссылки на факты"),
    "partial": ("事实字段正确率", "доля верных полей"),
    "evidence_recall": ("证据召回率", "полнота доказательств"),
    "evidence_precision": ("证据精确率", "точность доказательств"),
    "correct_abstention": ("拒答恰当", "уместные отказы"),
    "no_hallucination": ("无编造", "без вымысла"),
    "quote_included": ("含所需原话", "цитата приведена"),
    "hallucination_severity": ("编造严重度", "тяжесть вымысла"),
    "include_rate": ("必含短语覆盖率", "названо обязательных фраз"),
    "safe_ok": ("无禁用短语", "без запретных фраз"),
    "citation_ok": ("按要求标注页码", "страница указана, где нужно"),
    "citation_page_exists": ("所引页码存在", "указанные страницы есть"),
    "citation_supported": ("所引页面载有事实", "факты есть на указанных страницах"),
    "accuracy_parsed": ("已解析回答的准确率", "доля верных среди разобранных"),
    "exact_rate": ("完全正确率", "полностью верно"),
    "truncated_rate": ("截断率", "обрезано"),
}
"""Titles in Chinese and Russian; a metric brings its English title itself."""


def word(key: str, lang: Lang = "en") -> str:
    """A word or line of tables and charts; a few hold ``{}`` fields to fill.

    >>> word("failed", "zh"), word("failed", "ru")
    ('失败', 'сбой')
    """
    return _WORDS[key][_ORDER.index(lang)]


def value_word(kind: str, value: str, lang: Lang = "en") -> str:
    """A value of a fixed vocabulary, such as a state or a test; one of the user's own stays.

    >>> value_word("difficulty", "easy", "zh"), value_word("difficulty", "fiendish", "zh")
    ('简单', 'fiendish')
    """
    key = f"{kind} {value}"
    return word(key, lang) if key in _WORDS else value


def metric_title(metric: Metric, lang: Lang = "en") -> str:
    """What a metric is called on an axis or over a column.

    A title that the metric brings itself stands in English; in other languages a known name
    is translated, and an unknown one keeps its title or its name.

    >>> metric_title(Metric(name="avg_gold_coverage", field="gold_coverage"), "ru")
    'покрытие эталона'
    """
    if lang == "en" and metric.title:
        return f"{metric.title}, {metric.unit}" if metric.unit else metric.title
    known = None if lang == "en" else _METRICS.get(metric.name)
    return known[0 if lang == "zh" else 1] if known else metric.title or metric.name
