"""What the reviewer uses if rules are switched off: a few words that often indicate a risk."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from assay.data.contract import Rule, folded_text
from assay.scorers.risk import Level
from assay.text import Language

_WORDS: Final[Mapping[Language, Mapping[Level, str]]] = {
    "zh": {
        "high": "不承担 免责 无限 连带 无偿 任何责任 复利 任意 随时解除 单方解除",
        "medium": "违约金 罚款 单方 自动 视为 放弃 不予退还 概不 赔偿 独家 永久 滞纳金 管辖",
    },
    "ru": {
        "high": "не несёт|не отвечает|без ограничения|безвозмездно|любой ответственности|"
        "без объяснения|проценты на проценты|всем своим имуществом",
        "medium": "неустойк|штраф|пен[яию]|в одностороннем|автоматическ|считается|утрачивает|"
        "не возвраща|исключительно|бессрочно|подсудн|убытк",
    },
    "en": {
        "high": "no liability|not liable|unlimited|without limit|at any time|any reason|"
        "sole discretion|interest on interest|compounded",
        "medium": "penalty|forfeit|automatic|deemed|waive|non-refundable|exclusive|perpetu|"
        "indefinite|jurisdiction|damages|terminate",
    },
}
NAME: Final[Mapping[Language, str]] = {
    "zh": "可疑表述",
    "ru": "Подозрительная формулировка",
    "en": "Suspicious wording",
}
SUGGESTION: Final[Mapping[Language, str]] = {
    "zh": "请人工复核该表述，必要时与对方协商修改。",
    "ru": "Проверить формулировку и при необходимости согласовать правку.",
    "en": "Have the wording checked and negotiate a change where needed.",
}


@cache
def lexicon() -> tuple[Rule, ...]:
    """The words as two rules, one for high and one for medium risk."""
    return tuple(
        Rule(
            risk_id=f"words-{level}",
            level=level,
            name=NAME,
            patterns={
                language: tuple(
                    re.compile(folded_text(word), re.IGNORECASE)
                    for word in re.split(r"[| ]" if language == "zh" else r"\|", words[level])
                )
                for language, words in _WORDS.items()
            },
            laws=dict.fromkeys(_WORDS, ()),
            suggestion=SUGGESTION,
        )
        for level in ("high", "medium")
    )
