"""A review as Markdown, in the form that ``parse_review`` reads back."""

from collections.abc import Sequence

from assay.scorers.risk.reply.label import HEADINGS, LEVEL_WORDS
from assay.scorers.risk.reply.risk import QUOTES, Risk, quotations
from assay.text import Language


def review_markdown(risks: Sequence[Risk], language: Language = "en") -> str:
    r"""Risks one below the other, each part under its heading; parts that are empty are left out.

    >>> print(review_markdown([Risk(title="penalty", level="high", evidence=("5% a day",))]))
    ## Risk: penalty
    - **Level**: High
    - **Evidence**:
      - “5% a day”
    """
    return "\n\n".join(_block(risk, language) for risk in risks)


def _block(risk: Risk, language: Language) -> str:
    names = HEADINGS[language]
    colon = "：" if language == "zh" else ": "
    lines = [f"## {names['risk']}{colon}{risk.title}".rstrip()]

    def put(heading: str, value: str) -> None:
        if value:
            lines.append(f"- **{heading}**{colon}{value}")

    def put_list(heading: str, items: Sequence[str]) -> None:
        if items:
            lines.append(f"- **{heading}**{colon.rstrip()}")
            lines.extend(f"  - {item}" for item in items)

    written = LEVEL_WORDS[language][risk.level] if risk.level else risk.level_written
    put(names["level"], written)
    put(names["risk_ids"], ", ".join(risk.risk_ids))
    put_list(names["evidence"], [_quoted(item) for item in risk.evidence])
    put(names["analysis"], risk.analysis)
    put_list(names["laws"], risk.laws)
    put(names["suggestion"], risk.suggestion)
    return "\n".join(lines)


def _quoted(item: str) -> str:
    """The item in the first marks that give it back when read; bare where none do."""
    for pair in QUOTES[:5]:
        marked = f"{pair[0]}{item}{pair[1]}"
        if quotations([f"- {marked}"]) == [item]:
            return marked
    return item
