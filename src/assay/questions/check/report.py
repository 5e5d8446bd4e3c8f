"""A check as lines for the terminal, as a page in Markdown, and as JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from assay.questions.check.check import SetCheck
from assay.questions.check.item import LEVELS, QuestionFault
from assay.report.label import retold, value_word, word
from assay.report.table.format import as_markdown, escape_markdown
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn
from assay.words.language import Lang

MOST_ON_PAGE = 1000
"""How many questions with findings a page lists."""


def kind_table(check: SetCheck, lang: Lang = "en") -> Table:
    """How many findings there are of each kind."""
    return Table(
        label_title=word("check finding", lang),
        label_key="finding",
        columns=(
            TableColumn(key="name", title=word("check name", lang), align="left"),
            TableColumn(key="level", title=word("check level", lang), align="left"),
            TableColumn(key="count", title=word("check count", lang)),
        ),
        rows=tuple(
            LabelledRow(
                label=value_word("question_check", kind, lang),
                cells=(
                    TableCell(value=kind),
                    TableCell(value=value_word("question_level", LEVELS[kind], lang)),
                    TableCell(value=count),
                ),
            )
            for kind, count in check.counts.items()
        ),
    )


def summary_lines(check: SetCheck, lang: Lang = "en") -> list[str]:
    """What was checked, what could not be, and the figures of the whole set."""
    languages = ", ".join(f"{name} {count}" for name, count in check.languages.items())
    total = len(check.questions) + sum(finding.kind == "file_problem" for finding in check.findings)
    shares = [each.overlap for each in check.questions if each.overlap is not None]
    figures = [
        f"{word('check questions', lang)}: {total}",
        f"{word('check languages', lang)}: {languages or '–'}",
        f"{word('check corpus', lang)}: {check.corpus or word('check no corpus', lang)}",
        f"{word('check clean', lang)}: {total - check.flagged}",
        f"{word('check score', lang)}: {check.score:.3f}",
    ]
    if shares:
        figures.append(f"{word('check overlap', lang)}: {sum(shares) / len(shares):.0%}")
    if check.without_gold:
        figures.append(word("check without gold", lang).format(count=check.without_gold))
    if check.without_evidence:
        known = "check evidence not found" if check.corpus else "check without evidence"
        figures.append(word(known, lang).format(count=check.without_evidence))
    if check.closed_book is None:
        figures.append(word("check no model", lang))
    return figures


def finding_line(check: SetCheck, finding: QuestionFault, lang: Lang = "en") -> str:
    """A finding on one line, as compilers write it."""
    where = f"{check.path}:{finding.line}: " if finding.line else f"{check.path}: "
    name = f"{finding.id}: " if finding.id else ""
    return f"{where}{name}{finding.kind}: {retold('finding', finding.what, lang)}"


def as_page(check: SetCheck, lang: Lang = "en") -> str:
    """The page of a check."""
    parts = [
        f"# {escape_markdown(word('check title', lang).format(name=check.path.name))}",
        "\n".join(f"- {escape_markdown(line)}" for line in summary_lines(check, lang)),
    ]
    if check.findings:
        parts.append(as_markdown(kind_table(check, lang), lang).strip())
    parts += [
        f"- {escape_markdown(retold('finding', finding.what, lang))}"
        for finding in check.findings
        if not finding.line
    ]
    parts += [
        as_markdown(table, lang).strip() for table in _balance_tables(check, lang) if table.rows
    ]
    listed = _question_table(check, lang)
    if listed.rows:
        parts.append(as_markdown(listed, lang).strip())
    parts.append(escape_markdown(word("check rule", lang)))
    return "\n\n".join(parts) + "\n"


def as_json(check: SetCheck) -> str:
    """The check with all questions and findings."""
    content: dict[str, Any] = msgspec.to_builtins(check, enc_hook=str)
    content["findings"] = [
        {"level": finding.level, **msgspec.to_builtins(finding)} for finding in check.findings
    ]
    figures = {
        "counts": check.counts,
        "flagged": check.flagged,
        "score": round(check.score, 4),
        "passed": check.passed,
    }
    return msgspec.json.format(msgspec.json.encode({**figures, **content}), indent=2).decode()


def _balance_tables(check: SetCheck, lang: Lang) -> Iterator[Table]:
    balance = check.balance
    columns = (TableColumn(key="count", title=word("check questions", lang)),)
    if len(balance.sources) > 1:
        yield Table(
            title=word("check sources", lang),
            label_title=word("check source", lang),
            label_key="source",
            columns=columns,
            rows=_counted(balance.sources.items()),
        )
    if balance.located:
        yield Table(
            title=word("check fifths", lang),
            label_title=word("check fifth", lang),
            label_key="fifth",
            columns=columns,
            rows=_counted((str(number), round(n)) for number, n in enumerate(balance.fifths, 1)),
        )


def _counted(pairs: Any) -> tuple[LabelledRow, ...]:
    return tuple(LabelledRow(label=name, cells=(TableCell(value=count),)) for name, count in pairs)


def _question_table(check: SetCheck, lang: Lang) -> Table:
    """The questions with findings, the worst first."""
    by_line: dict[int, list[QuestionFault]] = {}
    for finding in check.findings:
        if finding.line:
            by_line.setdefault(finding.line, []).append(finding)
    known = {question.line: question for question in check.questions}
    scores = {line: known[line].score if line in known else 0.0 for line in by_line}
    order = sorted(by_line, key=lambda line: (scores[line], line))
    more = len(order) - MOST_ON_PAGE
    return Table(
        title=word("check by question", lang),
        label_title=word("check line", lang),
        label_key="line",
        columns=(
            TableColumn(key="id", title=word("check id", lang), align="left"),
            TableColumn(key="score", title=word("check one score", lang), digits=2),
            TableColumn(key="overlap", title=word("check one overlap", lang), digits=2),
            TableColumn(key="what", title=word("check what", lang), align="left"),
        ),
        rows=tuple(
            LabelledRow(
                label=str(line),
                cells=(
                    TableCell(value=by_line[line][0].id or None),
                    TableCell(value=scores[line]),
                    TableCell(value=known[line].overlap if line in known else None),
                    TableCell(value=_said(by_line[line], lang)),
                ),
            )
            for line in order[:MOST_ON_PAGE]
        ),
        notes=(word("check more", lang).format(count=more),) if more > 0 else (),
    )


def _said(findings: Sequence[QuestionFault], lang: Lang) -> str:
    return "; ".join(
        f"{value_word('question_check', finding.kind, lang)}: {retold('finding', finding.what, lang)}"
        for finding in findings
    )
