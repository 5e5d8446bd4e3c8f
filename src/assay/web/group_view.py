"""The groups of a run's questions as the page shows them."""

from msgspec.structs import replace

from assay.study.subgroup import GroupedRun, group_run, group_sentences, group_tables
from assay.web.api import GroupPlot, GroupView
from assay.web.compare_view import difference_view
from assay.web.run_index import RunIndex
from assay.web.run_view import table_view
from assay.words.language import LANGUAGES


def group_view(index: RunIndex, field: str, metric: str = "") -> GroupView:
    """A metric, by default the primary one, in the groups of a field; raises ``UseError``."""
    findings = index.findings
    chosen = findings.job.metric(metric or findings.analysis.primary)
    key = ("groups", field, chosen.name)
    if key not in index.kept:
        index.kept[key] = _view(group_run(findings, index.fields, [field], chosen))
    view: GroupView = index.kept[key]
    return view


def _view(run: GroupedRun) -> GroupView:
    (each,) = run.fields
    listed = [group_tables(run, lang, with_sentences=False) for lang in LANGUAGES]
    variants = dict.fromkeys(name for group in each.groups for name in group.effects)
    return GroupView(
        field=each.grouping.field,
        metric=run.metric.name,
        sentences=tuple(group_sentences(run, each)),
        plots=tuple(
            GroupPlot(
                variant=name,
                differences=tuple(
                    replace(difference_view(group.effects[name]), variant=group.label)
                    for group in each.groups
                ),
            )
            for name in variants
        ),
        tables=tuple(table_view(*tables) for tables in zip(*listed, strict=True)),
    )
