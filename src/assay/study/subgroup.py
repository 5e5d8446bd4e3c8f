"""The groups of a run's questions: tables, sentences, and a note if a mean hides opposite effects."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from assay.errors import AssayError, UseError
from assay.records import Metric
from assay.report.label import metric_title
from assay.report.look import shown_p
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn, significance
from assay.results.results import Results
from assay.stats.analysis import Analysis, method_for
from assay.stats.effect import SHARE, Unit
from assay.stats.subgroup import (
    FEWEST_IN_GROUP,
    Comparison,
    Group,
    GroupTest,
    Opposite,
    Subgroups,
    opposite_effects,
    subgroups,
)
from assay.study.finding import VERDICTS, RunFindings
from assay.study.finding_text import opposite_sentence
from assay.study.question_field import (
    DOCUMENT,
    QuestionFields,
    file_fields,
    read_question_fields,
)
from assay.words.language import Lang
from assay.words.message import Message, Said, message, text_of
from assay.words.say import say_in

ALPHA: Final = 0.05
MOST_NOTED: Final = 8
"""A field with more groups is not looked through for opposite effects."""


class GroupedRun(Struct, frozen=True, kw_only=True):
    """A metric of a run in the groups of some fields."""

    metric: Metric
    baseline: str
    fields: tuple[Subgroups, ...]
    opposite: tuple[Opposite, ...]
    stops_early: bool
    unit: Unit
    doubt: Message | str = ""


def group_run(
    findings: RunFindings, fields: QuestionFields, names: Sequence[str], metric: Metric
) -> GroupedRun:
    """The groups of these fields; raises ``UseError`` if one cannot make groups.

    Groups have the units of the run, and their intervals are about the same: questions, or documents.
    """
    compared = _comparison(
        findings.results,
        findings.analysis,
        metric,
        "" if findings.stops_early else findings.baseline,
        findings.reordered,
    )
    groupings = [fields.grouping(name, compared.scores.items) for name in dict.fromkeys(names)]
    return GroupedRun(
        metric=metric,
        baseline=compared.baseline,
        fields=tuple(subgroups(compared, groupings)),
        opposite=tuple(opposite_effects(compared, groupings)),
        stops_early=findings.stops_early,
        unit=compared.method.unit,
        doubt=fields.doubt,
    )


def hidden_effects(
    results: Results, analysis: Analysis, metric: Metric, reordered: Sequence[str]
) -> tuple[Opposite, ...]:
    """The opposite effects in the groups of any field with 2 to ``MOST_NOTED`` groups.

    The rows are not read again for it, so fields that only rows have are left out.
    """
    if len(analysis.variants) < 2 or metric.kind in SHARE or analysis.baseline is None:
        return ()
    compared = _comparison(results, analysis, metric, analysis.baseline, reordered)
    try:
        items = compared.scores.items
        groupings = file_fields(results).small(items, MOST_NOTED)
        found = opposite_effects(compared, groupings)
        if any(each.field == DOCUMENT for each in found):  # now the names in the rows are needed
            groupings = read_question_fields(results).small(items, MOST_NOTED)
            found = opposite_effects(compared, groupings)
    except AssayError:  # a note must not cost a run its report
        return ()
    return tuple(found)


def _comparison(
    results: Results, analysis: Analysis, metric: Metric, baseline: str, reordered: Sequence[str]
) -> Comparison:
    scores = results.scores.in_order()
    if metric.kind not in SHARE:  # only percentiles are about single answers, as in ``analyse``
        scores = scores.mean_of_draws()
    method = method_for(
        scores,
        level=analysis.level,
        resamples=analysis.resamples,
        seed=analysis.seed,
        documents=analysis.estimand,
    )
    excluded = reordered if metric.by_rank else ()
    return Comparison(
        scores=scores, metric=metric, baseline=baseline, method=method, excluded=excluded
    )


def asked_fields(said: Sequence[str]) -> list[str]:
    """The names in the options ``--by``, each of which may have several after commas.

    >>> asked_fields(["language, kind", "document"])
    ['language', 'kind', 'document']
    """
    names = [name.strip() for each in said for name in each.split(",")]
    if not all(names):
        raise UseError("--by: name a field of the questions, for example --by language")
    return list(dict.fromkeys(names))


# Tables.

_DIFFERS: Final = message("Does the effect differ between groups?")
_RESULTS: Final = {
    "differs": message("the effect differs between groups"),
    "same": message("no difference between groups shown"),
    "few": message("too few questions or changes to tell"),
}


def group_tables(run: GroupedRun, lang: Lang = "en", *, with_sentences: bool = True) -> list[Table]:
    """A table for each field, and one with the tests of all of them."""
    listed = [_field_table(run, each, lang, with_sentences) for each in run.fields]
    rows = [(each, test) for each in run.fields for test in each.tests]
    if rows:
        listed.append(_test_table(rows, lang))
    return listed


def flat_table(run: GroupedRun) -> Table:
    """All groups of all fields in one table for programs, with the tests beside them."""
    columns = (
        TableColumn(key="field"),
        *_columns(run.metric, "en"),
        TableColumn(key="p_between_groups"),
        TableColumn(key="p_between_groups_adjusted"),
    )
    rows = []
    for each in run.fields:
        tests = {test.variant: test for test in each.tests}
        for group, variant in _cases(each):
            test = tests.get(variant)
            cells = (
                TableCell(value=each.grouping.field),
                *_cells(group, variant, "en"),
                TableCell(value=test.p_value if test else None),
                TableCell(value=test.p_adjusted if test else None),
            )
            rows.append(LabelledRow(label=group.label, cells=cells))
    return Table(columns=columns, rows=tuple(rows), label_key="group")


def _cases(each: Subgroups) -> Iterator[tuple[Group, str]]:
    return ((group, variant) for group in each.groups for variant in group.cells)


def _field_table(run: GroupedRun, each: Subgroups, lang: Lang, with_sentences: bool) -> Table:
    said = group_sentences(run, each) if with_sentences else ()
    metric, field = metric_title(run.metric, lang), each.grouping.field
    return Table(
        title=say_in(lang, "{metric} by {variable}", metric=metric, variable=field),
        label_title=each.grouping.field,
        label_key="group",
        columns=_columns(run.metric, lang),
        rows=tuple(
            LabelledRow(label=group.label, cells=_cells(group, variant, lang))
            for group, variant in _cases(each)
        ),
        notes=tuple(text_of(note, lang) for note in (*said, *_notes(run, each))),
    )


def _columns(metric: Metric, lang: Lang) -> tuple[TableColumn, ...]:
    return (
        TableColumn(key="variant", title=say_in(lang, "variant"), align="left"),
        TableColumn(key="n", title="n"),
        TableColumn(key="value", title=metric_title(metric, lang)),
        TableColumn(key="difference", title=say_in(lang, "difference"), signed=True),
        TableColumn(
            key="p_adjusted", title=say_in(lang, "p (corrected)"), digits=4, never_zero=True
        ),
        TableColumn(key="verdict", title=say_in(lang, "verdict"), align="left"),
    )


def _cells(group: Group, variant: str, lang: Lang) -> tuple[TableCell, ...]:
    cell, effect = group.cells[variant], group.effects.get(variant)
    return (
        TableCell(value=variant),
        TableCell(value=cell.n if effect is None else effect.n),
        TableCell(value=cell.value, interval=cell.interval),
        TableCell(
            value=effect.difference if effect else None,
            interval=effect.interval if effect else None,
        ),
        TableCell(
            value=effect.p_adjusted if effect else None,
            significance=significance(effect.p_adjusted if effect else None),
        ),
        TableCell(value=_verdict(group, variant, lang)),
    )


def _verdict(group: Group, variant: str, lang: Lang) -> str | None:
    effect = group.effects.get(variant)
    if effect is None:
        return None
    if group.questions < FEWEST_IN_GROUP:
        return say_in(lang, "fewer than {n} questions", n=FEWEST_IN_GROUP)
    if effect.verdict == "unclear" and not effect.test:
        return None
    return VERDICTS[effect.verdict].text_in(lang)


def _notes(run: GroupedRun, each: Subgroups) -> Iterator[Said]:
    """What is to be known about the groups of a field."""
    if each.grouping.note:
        yield each.grouping.note
    tested = sum(
        effect.p_value is not None
        for field in run.fields
        for group in field.groups
        for effect in group.effects.values()
    )
    if tested > 1:
        yield message(
            "Differences and their p-values are corrected together for {n} comparisons, groups and variants.",
            n=tested,
        )
    if run.unit == "document" and any(
        cell.n and cell.interval is None for group in each.groups for cell in group.cells.values()
    ):
        yield message(
            "The run is about documents like these, so a group of one document has no interval."
        )
    if run.stops_early:
        yield message(
            "The answers decided which questions were asked, so there are no differences by group."
        )
    if run.doubt:
        yield message("{doubt}, so only the fields of its rows are known.", doubt=run.doubt)


def group_sentences(run: GroupedRun, each: Subgroups) -> Iterator[Message]:
    """For each variant whether its effect differs between the groups, and opposite effects."""
    for test in each.tests:
        fields = {"variant": test.variant, "field": each.grouping.field}
        p = shown_p(test.p_adjusted)
        shown = f"= {p}" if p[0].isdigit() else p
        if test.p_adjusted is None:
            yield message(
                "{variant}: too few questions or changes to tell whether the effect differs between groups ({field}).",
                **fields,
            )
        elif test.p_adjusted < ALPHA:
            yield message(
                "{variant}: the effect differs between groups ({field}, p corrected {p}).",
                p=shown,
                **fields,
            )
        else:
            yield message(
                "{variant}: no difference between groups shown ({field}, p corrected {p}).",
                p=shown,
                **fields,
            )
    for opposite in run.opposite:
        if opposite.field == each.grouping.field:
            yield opposite_sentence(opposite, run.metric)


def _test_table(rows: Sequence[tuple[Subgroups, GroupTest]], lang: Lang) -> Table:
    notes = [
        say_in(
            lang,
            "This test compares the groups with each other. It may show that the effect differs although no group is large enough to show a difference by itself.",
        )
    ]
    count = sum(test.p_value is not None for _, test in rows)
    if count > 1:
        notes.append(say_in(lang, "p (corrected): Holm's method, for {n} tests.", n=count))
    return Table(
        title=_DIFFERS.text_in(lang),
        columns=(
            TableColumn(key="field", title=say_in(lang, "field"), align="left"),
            TableColumn(key="groups", title=say_in(lang, "groups")),
            TableColumn(key="p", title="p", digits=4, never_zero=True),
            TableColumn(
                key="p_adjusted", title=say_in(lang, "p (corrected)"), digits=4, never_zero=True
            ),
            TableColumn(key="result", title=say_in(lang, "result"), align="left"),
        ),
        rows=tuple(
            LabelledRow(
                label=test.variant,
                cells=(
                    TableCell(value=each.grouping.field),
                    TableCell(value=test.groups),
                    TableCell(value=test.p_value),
                    TableCell(value=test.p_adjusted),
                    TableCell(value=_RESULTS[_result(test)].text_in(lang)),
                ),
            )
            for each, test in rows
        ),
        notes=tuple(notes),
    )


def _result(test: GroupTest) -> str:
    if test.p_adjusted is None:
        return "few"
    return "differs" if test.p_adjusted < ALPHA else "same"
