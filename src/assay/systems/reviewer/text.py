"""What the offline reviewer writes, in each language and each style."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from assay.scorers.risk.reply import HEADINGS, LEVEL_WORDS, Risk, review_markdown
from assay.text import Language

Style: TypeAlias = Literal["raw", "basic", "guided"]

_ANALYSIS: Final[Mapping[Language, str]] = {
    "zh": "条款中出现“{words}”，可能对一方不利。",
    "ru": "В условии сказано «{words}», что может быть невыгодно одной из сторон.",
    "en": "The clause says “{words}”, which may burden one of the parties.",
}
_NOTHING: Final[Mapping[Language, Risk]] = {
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
_PLAIN: Final[Mapping[Language, tuple[str, str]]] = {
    "zh": ("{title}：{analysis}", "看来没有什么问题，条款可以照用。"),
    "ru": ("{title}. {analysis}", "Замечаний нет, условие можно оставить."),
    "en": ("{title}. {analysis}", "This looks fine to me; the clause can stay as it is."),
}


def analysis_of(words: str, spoken: Language) -> str:
    """Why a clause with these words is a risk."""
    return _ANALYSIS[spoken].format(words=words)


def written_review(risks: Sequence[Risk], style: Style, spoken: Language) -> str:
    """A reply as strict as its style.

    ``guided``: a block for every risk. ``basic``: a block for the gravest. ``raw``: a level and
    a sentence of prose where there is a risk, and prose alone, which states no level, where
    there is none, as an unguided reviewer would.
    """
    if style == "raw":
        return _raw(risks, spoken)
    found = list(risks) or [_NOTHING[spoken]]
    return review_markdown(found if style == "guided" else found[:1], spoken)


def _raw(risks: Sequence[Risk], spoken: Language) -> str:
    some, nothing = _PLAIN[spoken]
    if not risks:
        return nothing
    gravest = risks[0]
    assert gravest.level is not None
    heading, level = HEADINGS[spoken]["level"], LEVEL_WORDS[spoken][gravest.level]
    colon = "：" if spoken == "zh" else ": "
    told = some.format(title=gravest.title, analysis=gravest.analysis)
    return f"{told}\n{heading}{colon}{level}"
