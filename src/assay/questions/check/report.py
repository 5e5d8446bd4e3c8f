"""A check as lines for the terminal, as a page in Markdown, and as JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from assay.questions.check.check import SetCheck
from assay.questions.check.item import KINDS, LEVELS, QuestionFault
from assay.report.table.format import as_markdown, escape_markdown
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn
from assay.words.language import Lang
from assay.words.message import text_of
from assay.words.say import say_in

MOST_ON_PAGE = 1000
"""How many questions with findings a page lists."""


def kind_table(check: SetCheck, lang: Lang = "en") -> Table:
    """How many findings there are of each kind."""
    return Table(
        label_title=say_in(lang, "finding"),
        label_key="finding",
        columns=(
            TableColumn(key="name", title=say_in(lang, "name"), align="left"),
            TableColumn(key="level", title=say_in(lang, "level"), align="left"),
            TableColumn(key="count", title=say_in(lang, "count")),
        ),
        rows=tuple(
            LabelledRow(
                label=KINDS[kind].text_in(lang),
                cells=(
                    TableCell(value=kind),
                    TableCell(value=say_in(lang, LEVELS[kind], "question_level")),
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
        f"{say_in(lang, 'questions')}: {total}",
        f"{say_in(lang, 'languages')}: {languages or '–'}",
        f"{say_in(lang, 'corpus')}: {check.corpus or say_in(lang, 'none; the texts that the set quotes')}",
        f"{say_in(lang, 'without a finding')}: {total - check.flagged}",
        f"{say_in(lang, 'mean score')}: {check.score:.3f}",
    ]
    if shares:
        figures.append(
            f"{say_in(lang, 'words shared with the gold passage, mean')}: {sum(shares) / len(shares):.0%}"
        )
    if check.without_gold:
        figures.append(
            say_in(
                lang,
                "answerable questions without gold: {count}; their evidence was not checked",
                count=check.without_gold,
            )
        )
    if check.without_evidence:
        figures.append(
            say_in(
                lang,
                "questions whose gold has no text in the corpus: {count}",
                count=check.without_evidence,
            )
            if check.corpus
            else say_in(
                lang,
                "questions whose gold has no known text: {count}; name the corpus with --corpus",
                count=check.without_evidence,
            )
        )
    if check.closed_book is None:
        figures.append(
            say_in(lang, "not asked without the document: no model was named (--closed-book MODEL)")
        )
    return figures


def finding_line(check: SetCheck, finding: QuestionFault, lang: Lang = "en") -> str:
    """A finding on one line, as compilers write it."""
    where = f"{check.path}:{finding.line}: " if finding.line else f"{check.path}: "
    name = f"{finding.id}: " if finding.id else ""
    return f"{where}{name}{finding.kind}: {text_of(finding.what, lang)}"


def as_page(check: SetCheck, lang: Lang = "en") -> str:
    """The page of a check."""
    parts = [
        f"# {escape_markdown(say_in(lang, 'Check of {name}', name=check.path.name))}",
        "\n".join(f"- {escape_markdown(line)}" for line in summary_lines(check, lang)),
    ]
    if check.findings:
        parts.append(as_markdown(kind_table(check, lang), lang).strip())
    parts += [
        f"- {escape_markdown(text_of(finding.what, lang))}"
        for finding in check.findings
        if not finding.line
    ]
    parts += [
        as_markdown(table, lang).strip() for table in _balance_tables(check, lang) if table.rows
    ]
    listed = _question_table(check, lang)
    if listed.rows:
        parts.append(as_markdown(listed, lang).strip())
    parts.append(
        escape_markdown(
            say_in(
                lang,
                "The score of a question is 1, less 0.5 for each kind of error, 0.2 for each kind of warning and 0.05 for each kind of note.",
            )
        )
    )
    return "\n\n".join(parts) + "\n"


def as_json(check: SetCheck) -> str:
    """The check with all questions and findings."""
    content: dict[str, Any] = msgspec.to_builtins(check, enc_hook=str)
    content["findings"] = [
        {"level": finding.level, **msgspec.to_builtins(finding), "what": str(finding.what)}
        for finding in check.findings
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
    columns = (TableColumn(key="count", title=say_in(lang, "questions")),)
    if len(balance.sources) > 1:
        yield Table(
            title=say_in(lang, "Questions by document"),
            label_title=say_in(lang, "document"),
            label_key="source",
            columns=columns,
            rows=_counted(balance.sources.items()),
        )
    if balance.located:
        yield Table(
            title=say_in(lang, "Questions by place in the document"),
            label_title=say_in(lang, "fifth"),
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
        title=say_in(lang, "Questions with findings"),
        label_title=say_in(lang, "line"),
        label_key="line",
        columns=(
            TableColumn(key="id", title=say_in(lang, "question"), align="left"),
            TableColumn(key="score", title=say_in(lang, "score"), digits=2),
            TableColumn(key="overlap", title=say_in(lang, "shared words"), digits=2),
            TableColumn(key="what", title=say_in(lang, "what is wrong"), align="left"),
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
        notes=(say_in(lang, "… and {count} more", count=more),) if more > 0 else (),
    )


def _said(findings: Sequence[QuestionFault], lang: Lang) -> str:
    return "; ".join(
        f"{KINDS[finding.kind].text_in(lang)}: {text_of(finding.what, lang)}"
        for finding in findings
    )
