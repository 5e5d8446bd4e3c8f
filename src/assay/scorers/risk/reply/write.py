"""Writes a review as Markdown that ``parse_review`` can read back."""

from collections.abc import Sequence

from assay.scorers.risk.reply.label import heading, level_word
from assay.scorers.risk.reply.risk import QUOTES, Risk, quotations
from assay.text import Language


def review_markdown(risks: Sequence[Risk], language: Language = "en") -> str:
    r"""The risks as Markdown: one block for each risk, one heading for each part.

    Empty parts are left out.

    >>> print(review_markdown([Risk(title="penalty", level="high", evidence=("5% a day",))]))
    ## Risk: penalty
    - **Level**: High
    - **Evidence**:
      - “5% a day”
    """
    return "\n\n".join(_block(risk, language) for risk in risks)


def _block(risk: Risk, language: Language) -> str:
    colon = "：" if language == "zh" else ": "
    lines = [f"## {heading('risk', language)}{colon}{risk.title}".rstrip()]

    def add(title: str, value: str) -> None:
        if value:
            lines.append(f"- **{title}**{colon}{value}")

    def add_list(title: str, items: Sequence[str]) -> None:
        if items:
            lines.append(f"- **{title}**{colon.rstrip()}")
            lines.extend(f"  - {item}" for item in items)

    level = level_word(risk.level, language) if risk.level else risk.level_written
    add(heading("level", language), level)
    add(heading("risk_ids", language), ", ".join(risk.risk_ids))
    add_list(heading("evidence", language), [_with_quotes(item) for item in risk.evidence])
    add(heading("analysis", language), risk.analysis)
    add_list(heading("laws", language), risk.laws)
    add(heading("suggestion", language), risk.suggestion)
    return "\n".join(lines)


def _with_quotes(item: str) -> str:
    """The item in quotation marks that ``quotations`` removes again.

    The item is returned unchanged if no pair of marks can be removed again without a change.
    """
    for pair in QUOTES[:5]:
        quoted = f"{pair[0]}{item}{pair[1]}"
        if quotations([f"- {quoted}"]) == [item]:
            return quoted
    return item
