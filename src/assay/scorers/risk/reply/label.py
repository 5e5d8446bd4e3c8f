"""Names of the parts of a review in three languages, and words for "none"."""

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from assay.scorers.evidence import simplified_han
from assay.scorers.risk.level import Level
from assay.text import Language, normalised

Part: TypeAlias = Literal["risk", "level", "risk_ids", "evidence", "analysis", "laws", "suggestion"]

_NAMES: Final[Mapping[Part, str]] = {
    "risk": "风险|风险点|风险名称|风险项|风险类型|主要风险|risk|risk name|risk title|risk type|"
    "риск|название риска|вид риска",
    "level": "等级|风险等级|级别|风险级别|总体等级|总体风险等级|综合等级|综合风险等级|整体风险等级|最终等级|"
    "level|risk level|overall level|overall risk level|overall risk|final level|risk rating|rating|"
    "уровень|уровень риска|степень риска|общий уровень|общий уровень риска|итоговый уровень|"
    "итоговый уровень риска",
    "risk_ids": "编号|风险编号|规则|规则编号|触发规则|风险id|规则id|risk id|risk ids|rule|rules|rule id|"
    "rule ids|rules fired|номер риска|код риска|правило|правила|id риска|код",
    "evidence": "证据|证据摘录|原文|原文摘录|条款原文|引用原文|原文引用|证据原文|evidence|quote|quotes|quotation|"
    "excerpt|clause evidence|доказательство|доказательства|цитата|цитаты|выдержка|из текста",
    "analysis": "分析|风险分析|理由|原因|说明|analysis|risk analysis|reason|reasons|reasoning|rationale|"
    "explanation|анализ|анализ риска|обоснование|пояснение|причина",
    "laws": "法条|法律|法律依据|法律条文|法律条款|相关法条|相关法律|法规|法规依据|依据|法条依据|law|laws|legal basis|"
    "legal grounds|statute|statutes|applicable law|норма|нормы|закон|законы|норма права|нормы права|"
    "правовая норма|правовое основание|правовые основания|нормы закона",
    "suggestion": "建议|修改建议|处理建议|改进建议|suggestion|suggestions|recommendation|recommendations|"
    "suggested change|advice|рекомендация|рекомендации|предложение|предложения|совет|"
    "рекомендуемая правка",
}
PARTS: Final[Mapping[str, Part]] = {
    name: part for part, names in _NAMES.items() for name in names.split("|")
}
"""The part for each of its names. The names are folded as by ``fold_label``."""

RISK_LISTS: Final = frozenset(
    ("risks", "风险列表", "风险", "риски", "findings", "expected_risks", "expected risks")
)
"""Keys of a JSON reply whose value is the list of risks."""

HEADINGS: Final[Mapping[Language, Mapping[Part, str]]] = {
    "zh": {
        "risk": "风险",
        "level": "等级",
        "risk_ids": "编号",
        "evidence": "证据",
        "analysis": "分析",
        "laws": "法条",
        "suggestion": "建议",
    },
    "ru": {
        "risk": "Риск",
        "level": "Уровень",
        "risk_ids": "Код риска",
        "evidence": "Доказательство",
        "analysis": "Анализ",
        "laws": "Норма",
        "suggestion": "Рекомендация",
    },
    "en": {
        "risk": "Risk",
        "level": "Level",
        "risk_ids": "Risk ID",
        "evidence": "Evidence",
        "analysis": "Analysis",
        "laws": "Law",
        "suggestion": "Suggestion",
    },
}
"""The heading of each part in a review that assay writes."""

LEVEL_WORDS: Final[Mapping[Language, Mapping[Level, str]]] = {
    "zh": {"high": "高", "medium": "中", "low": "低"},
    "ru": {"high": "Высокий", "medium": "Средний", "low": "Низкий"},
    "en": {"high": "High", "medium": "Medium", "low": "Low"},
}
"""The word for each level in a review that assay writes."""

_MAX_NONE_LENGTH: Final = 200
_NONE: Final = re.compile(
    r"\W*(?:无|没有|暂无|不适用|未发现(?:风险)?|无风险|none(?: found| identified)?|no risks?|n/?a|nil|"
    r"not applicable|nothing|нет|отсутству(?:ет|ют)|не\s(?:выявлен[оы]?|найден[оы]?)|"
    r"не применимо)?\W*"
)


def fold_label(name: str) -> str:
    """The form in which a name is looked up.

    It has lower case, е instead of ё, spaces instead of underscores, and simplified characters.

    >>> fold_label("Risk_Level ")
    'risk level'
    """
    return " ".join(normalised(simplified_han(name), fold_case=True).replace("_", " ").split())


def says_nothing(value: str) -> bool:
    """Whether a value is empty, has no letters or digits, or is a word for "none".

    >>> says_nothing("无。"), says_nothing(" — "), says_nothing("N/A"), says_nothing("无需修改")
    (True, True, True, False)
    """
    if len(value) > _MAX_NONE_LENGTH:
        return not any(map(str.isalnum, value))
    return _NONE.fullmatch(normalised(simplified_han(value), fold_case=True)) is not None
