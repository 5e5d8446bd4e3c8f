"""The replies of the offline reviewer, in each language and each style."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from assay.scorers.risk.reply import Risk, heading, level_word, review_markdown
from assay.text import Language

Style: TypeAlias = Literal["raw", "basic", "guided"]

_ANALYSIS: Final[Mapping[Language, str]] = {
    "zh": "条款中出现“{words}”，可能对一方不利。",
    "ru": "В условии сказано «{words}», что может быть невыгодно одной из сторон.",
    "en": "The clause says “{words}”, which may burden one of the parties.",
}
_NO_RISK: Final[Mapping[Language, Risk]] = {
    "zh": Risk(
        title="未见风险", level="low", analysis="没有发现不利的约定。", suggestion="无需修改。"
    ),
    "ru": Risk(
        title="Риск не обнаружен",
        level="low",
        analysis="Невыгодных условий не найдено.",
        suggestion="Изменения не нужны.",
    ),
    "en": Risk(
        title="No risk seen",
        level="low",
        analysis="Nothing one-sided was found.",
        suggestion="No change is needed.",
    ),
}
_PROSE: Final[Mapping[Language, tuple[str, str]]] = {
    "zh": ("{title}：{analysis}", "看来没有什么问题，条款可以照用。"),
    "ru": ("{title}. {analysis}", "Замечаний нет, условие можно оставить."),
    "en": ("{title}. {analysis}", "This looks fine to me; the clause can stay as it is."),
}


def analysis_of(words: str, language: Language) -> str:
    """A sentence that says why a clause with these words is a risk."""
    return _ANALYSIS[language].format(words=words)


def written_review(risks: Sequence[Risk], style: Style, language: Language) -> str:
    """The reply for these risks, which are ordered from the most serious, in the given style.

    ``guided``: one block for each risk. ``basic``: one block for the most serious risk. ``raw``:
    a sentence of prose and a level if there is a risk; only prose, without a level, if there is
    none, as a reviewer without instructions would write.
    """
    if style == "raw":
        return _raw(risks, language)
    blocks = list(risks) or [_NO_RISK[language]]
    return review_markdown(blocks if style == "guided" else blocks[:1], language)


def _raw(risks: Sequence[Risk], language: Language) -> str:
    with_risk, without_risk = _PROSE[language]
    if not risks:
        return without_risk
    most_serious = risks[0]
    prose = with_risk.format(title=most_serious.title, analysis=most_serious.analysis)
    if most_serious.level is None:
        return prose
    level = level_word(most_serious.level, language)
    colon = "：" if language == "zh" else ": "
    return f"{prose}\n{heading('level', language)}{colon}{level}"
