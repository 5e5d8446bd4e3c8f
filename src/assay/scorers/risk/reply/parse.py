"""What a reviewer's reply says: a tolerant reading of Markdown or JSON in three languages.

Parts are found by their names at the beginning of a line (``## 风险：…``, ``- **Level**: …``,
``Рекомендация: …``) or, in JSON, by their keys. A level is only ever taken from a part that
states it, never from prose. Whatever could not be read is told in ``unread``.
"""

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from assay.scorers.risk.level import Level, highest_level
from assay.scorers.risk.reply.block import markdown_risks
from assay.scorers.risk.reply.json_reply import json_risks
from assay.scorers.risk.reply.risk import Risk

_MOST_SHOWN: Final = 80
# A thought that was cut short has no end, and some servers leave out its beginning.
_THOUGHT: Final = re.compile(
    r"\A(?:(?!<think).)*</think(?:ing)?>|<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)",
    re.DOTALL | re.IGNORECASE,
)


class ParsedReview(Struct, frozen=True, kw_only=True):
    """All risks of a reply, and what of the reply could not be read."""

    risks: tuple[Risk, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def risk_level(self) -> Level | None:
        """The verdict on the clause: the highest level of its risks.

        ``None``, unparsed, where no level is stated, and where one is that cannot be read,
        unless another is high already: the unread one might be higher than the rest.
        """
        level = highest_level([risk.level for risk in self.risks if risk.level])
        uncertain = any(risk.level_written for risk in self.risks)
        return level if level == "high" or not uncertain else None

    @property
    def parsed(self) -> bool:
        """Whether there is a verdict."""
        return self.risk_level is not None

    @property
    def evidence(self) -> list[str]:
        """Every quotation, each once."""
        return _distinct(item for risk in self.risks for item in risk.evidence)

    @property
    def laws(self) -> list[str]:
        """Every law cited, each once, with what is quoted from it."""
        return _distinct(item for risk in self.risks for item in risk.laws)

    @property
    def risk_ids(self) -> list[str]:
        """Every risk id named, each once."""
        return _distinct(item for risk in self.risks for item in risk.risk_ids)

    @property
    def analysis(self) -> str:
        """The analyses, one below the other."""
        return "\n".join(risk.analysis for risk in self.risks if risk.analysis)

    @property
    def suggestion(self) -> str:
        """The suggestions, one below the other; empty where there is none."""
        return "\n".join(risk.suggestion for risk in self.risks if risk.suggestion)


def parse_review(reply: str) -> ParsedReview:
    r"""The risks of a reply; nothing makes it raise.

    >>> review = parse_review("## 风险：违约金过高\n- **等级**：高\n- **证据**：“每日百分之五”")
    >>> review.risk_level, review.evidence, review.risks[0].title
    ('high', ['每日百分之五'], '违约金过高')
    >>> parse_review("低风险时无需修改。").risk_level is None
    True
    """
    text = _THOUGHT.sub("", reply)
    found = json_risks(text)
    risks, unread = found if found is not None else markdown_risks(text)
    notes = [
        *unread,
        *(
            f"the level {_excerpt(risk.level_written)} is none of high, medium, low"
            for risk in risks
            if risk.level_written
        ),
    ]
    review = ParsedReview(risks=tuple(risks))
    if review.risk_level is None:
        notes.append("no level is stated" if not notes else "no verdict")
    return ParsedReview(risks=review.risks, unread=tuple(_distinct(notes)))


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]}…")


def _distinct(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))
