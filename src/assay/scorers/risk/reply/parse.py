"""A tolerant parser for a reviewer's reply: Markdown or JSON in three languages.

Parts are recognised by their names at the beginning of a line (``## 风险：…``,
``- **Level**: …``, ``Рекомендация: …``) or, in JSON, by their keys. A level is taken only from a
part that states it, never from prose. ``unread`` describes everything that could not be parsed.
"""

from collections.abc import Iterable

from msgspec import Struct

from assay.scorers.risk.level import Level, highest_level, says_several
from assay.scorers.risk.reply.block import markdown_risks
from assay.scorers.risk.reply.json_reply import json_risks
from assay.scorers.risk.reply.risk import Risk
from assay.scorers.risk.unread import excerpt
from assay.text import scored_text


class ParsedReview(Struct, frozen=True, kw_only=True):
    """All risks of a reply, and notes about the text that could not be parsed."""

    risks: tuple[Risk, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def risk_level(self) -> Level | None:
        """The verdict on the clause: the highest level of its risks.

        ``None`` (unparsed) if no level is stated. Also ``None`` if one of the stated levels is
        unknown, because it might be the highest one, unless another level is high.
        """
        level = highest_level([risk.level for risk in self.risks if risk.level])
        uncertain = any(risk.level_written for risk in self.risks)
        return level if level == "high" or not uncertain else None

    @property
    def parsed(self) -> bool:
        """Whether the reply has a verdict."""
        return self.risk_level is not None

    @property
    def evidence(self) -> list[str]:
        """All quotations, without repetitions."""
        return _distinct(item for risk in self.risks for item in risk.evidence)

    @property
    def laws(self) -> list[str]:
        """All cited laws with the text quoted from them, without repetitions."""
        return _distinct(item for risk in self.risks for item in risk.laws)

    @property
    def risk_ids(self) -> list[str]:
        """All risk ids, without repetitions."""
        return _distinct(item for risk in self.risks for item in risk.risk_ids)

    @property
    def reports_rules(self) -> bool:
        """Whether the reply names a risk id, or says that there is none."""
        return any(risk.risk_ids or risk.names_no_rule for risk in self.risks)

    @property
    def analysis(self) -> str:
        """The analyses of all risks, separated by line breaks; empty if there are none."""
        return "\n".join(risk.analysis for risk in self.risks if risk.analysis)

    @property
    def suggestion(self) -> str:
        """The suggestions for all risks, separated by line breaks; empty if there are none."""
        return "\n".join(risk.suggestion for risk in self.risks if risk.suggestion)

    @property
    def suggests_nothing(self) -> bool:
        """Whether a risk says that there is nothing to suggest, and none makes a suggestion."""
        return not self.suggestion and any(risk.suggests_nothing for risk in self.risks)


def parse_review(reply: str) -> ParsedReview:
    r"""Parse a reply. Never raises: text that cannot be parsed is reported in ``unread``.

    >>> review = parse_review("## 风险：违约金过高\n- **等级**：高\n- **证据**：“每日百分之五”")
    >>> review.risk_level, review.evidence, review.risks[0].title
    ('high', ['每日百分之五'], '违约金过高')
    >>> parse_review("低风险时无需修改。").risk_level is None
    True
    """
    text = scored_text(reply)
    from_json = json_risks(text)
    risks, unread = from_json if from_json is not None else markdown_risks(text)
    notes = [
        *unread,
        *(_level_note(risk.level_written) for risk in risks if risk.level_written),
    ]
    review = ParsedReview(risks=tuple(risks))
    if review.risk_level is None:
        notes.append("no level is stated" if not notes else "no verdict")
    return ParsedReview(risks=review.risks, unread=tuple(_distinct(notes)))


def _level_note(written: str) -> str:
    said = "names more than one" if says_several(written) else "is none of high, medium, low"
    return f"the level {excerpt(written)} {said}"


def _distinct(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))
