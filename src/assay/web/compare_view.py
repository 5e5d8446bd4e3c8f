"""Two runs: the verdict of the gate, its settings, and the questions that changed."""

import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, get_args

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.errors import UseError
from assay.gate.compared_run import ComparedRun
from assay.gate.gate import Comparison, Limits, compare, is_shown_drop, with_texts
from assay.gate.journal_rows import Standing
from assay.gate.margin import MarginResult, amount_text
from assay.gate.report_wording import has_no_change, headline, margin_hint, open_sign
from assay.gate.run_file import read_runs
from assay.gate.shared import have_other_questions, on_shared_questions
from assay.records import Metric
from assay.report.label import title_of
from assay.report.table.table import significance
from assay.stats.corrected import Corrected
from assay.stats.effect import Effect
from assay.stats.interval import Interval as StatsInterval
from assay.stats.scores import SCORED, Scores
from assay.study.finding import RunFindings
from assay.web.about import metric_kind, shown_value
from assay.web.api import (
    ChangedItem,
    CompareView,
    CorrectedRate,
    Difference,
    MetricInfo,
    RunCard,
    SharedSets,
)
from assay.web.language import named_metric, undefined_text
from assay.web.run_index import RunIndex
from assay.web.text_store import Interval
from assay.words.message import Message, Said, message

# The comparisons of a run's variants with its baseline.

FEWEST: Final = 6
"""So many items or questions must differ at least before any test shows a difference at 5 %."""


def primary_metric(findings: RunFindings) -> Metric:
    """The metric that decides, or the headline of the job."""
    return findings.job.metric(findings.analysis.primary)


def run_effects(findings: RunFindings) -> list[Effect]:
    """The comparisons with the baseline that have a pair of values."""
    return [
        effect
        for effect in findings.analysis.effects
        if effect.baseline == findings.baseline and effect.n
    ]


def verdict_of(effect: Effect) -> str:
    """The verdict; ``same`` if no item differs and no early decision says more.

    ``same, too few`` if no verdict would have been possible even if all of them differed, and
    ``untested`` for a percentile, which has an interval but no test.
    """
    if effect.verdict == "unclear" and not effect.test and effect.decision is UNSET:
        return "untested"
    if effect.decision is not UNSET or effect.gained != 0 or effect.lost != 0:
        return effect.verdict
    units = effect.n if effect.units is UNSET else effect.units
    is_few = effect.verdict == "too few" and units < (effect.needed or FEWEST)
    return "same, too few" if is_few else "same"


def difference_view(effect: Effect) -> Difference:
    """A comparison as the page shows it."""
    is_shown = effect.verdict in {"better", "worse"}
    return Difference(
        variant=effect.variant,
        metric=effect.metric,
        difference=effect.difference,
        interval=interval_view(effect.interval),
        plain=interval_view(effect.plain_interval),
        p=effect.p_adjusted,
        verdict=verdict_of(effect),
        n=effect.n,
        gained=effect.gained,
        lost=effect.lost,
        family=effect.family,
        stars=significance(effect.p_adjusted) if is_shown else "",
        detectable=effect.detectable,
        at_most=None if effect.at_most is UNSET else effect.at_most,
        unit="item" if effect.unit is UNSET else effect.unit,
        decided_after=None if effect.decision is UNSET else effect.decision.questions,
    )


def interval_view(interval: StatsInterval | None) -> Interval | None:
    """An interval as the page shows it."""
    return None if interval is None else Interval(low=interval.low, high=interval.high)


def corrected_view(found: Corrected | None) -> CorrectedRate | None:
    """A rate corrected by labels as the page shows it."""
    if found is None or found.estimate is None:
        return None
    return CorrectedRate(
        value=found.estimate, interval=interval_view(found.interval), labelled=found.labelled
    )


def metric_infos(metrics: Iterable[Metric]) -> tuple[MetricInfo, ...]:
    """The declarations of metrics."""
    return tuple(
        MetricInfo(
            name=metric.name,
            title=title_of(metric),
            formula=metric.formula,
            undefined=undefined_text(metric),
            higher_is_better=None if metric.better is None else metric.better == "higher",
            unit=metric.unit,
            kind=metric_kind(metric),
            is_bounded=not metric.unit,
            family=metric.family,
        )
        for metric in metrics
    )


# Metrics of which two runs have no pair of values, so that they cannot be compared by them.


def unpaired_metrics(
    base: RunIndex, cand: RunIndex, variant: str, cand_variant: str
) -> Iterator[str]:
    """The names of the metrics of the base without a question that has a value in both runs.

    None is named if only one of the runs has several placements: its items have other names.
    """
    one, other = base.findings.results.scores, cand.findings.results.scores
    if variant not in one.variants or cand_variant not in other.variants:
        return
    places = _paired_places(one, other)
    if not places[0] and _questions(one) & _questions(other):
        return
    for metric in base.findings.metrics:
        if metric.field not in one.values:
            continue
        before = _is_defined(one, variant, metric.field)[places[0]]
        after = _is_defined(other, cand_variant, metric.field)[places[1]]
        if not np.any(before & after):
            yield metric.name


def _is_defined(scores: Scores, variant: str, field: str) -> NDArray[np.bool_]:
    row = scores.variants.index(variant)
    if field not in scores.values:
        return np.zeros(len(scores.items), dtype=np.bool_)
    is_scored = scores.status[row] == SCORED
    defined: NDArray[np.bool_] = is_scored & np.isfinite(scores.values[field][row])
    return defined


def _questions(scores: Scores) -> set[str]:
    return {name.rpartition("::")[0] or name for name in scores.items}


def _paired_places(one: Scores, other: Scores) -> tuple[list[int], list[int]]:
    """The places of the items that both have, in each of them."""
    places = {name: place for place, name in enumerate(other.items)}
    pairs = [(place, places[name]) for place, name in enumerate(one.items) if name in places]
    return [before for before, _ in pairs], [after for _, after in pairs]


MOST_CHANGED: Final = 200
"""How many questions that changed are sent, the worst first."""
MOST_NAMED: Final = 20
LONGEST_ANSWER: Final = 1_000
_STANDINGS: Final[Mapping[Standing, Message]] = {
    "worse": message("became worse"),
    "missing": message("without a value in the candidate"),
    "better": message("became better"),
    "same": message("the same"),
    "not compared": message("not compared"),
    "added": message("only in the candidate"),
}
INVALID: Final = 2


def compare_view(
    base: tuple[RunCard, RunIndex],
    cand: tuple[RunCard, RunIndex],
    *,
    variant: str = "",
    cand_variant: str = "",
    metric: str = "",
    limits: Limits | None = None,
    root: Path | None = None,
) -> CompareView:
    """What ``assay compare`` says about two runs with these limits: ``max_failed`` and a margin.

    Its command names the files from ``root``, the folder of the workspace. If cases failed, the
    command allows them.
    """
    limits = limits or Limits()
    base_variant = variant or _only(base[1])
    chosen = cand_variant or (variant if variant in _variants(cand[1]) else _only(cand[1]))
    paths = (from_folder(base[1].path, root), from_folder(cand[1].path, root))
    view = CompareView(
        base=base[0],
        cand=cand[0],
        exit_code=INVALID,
        headline=message("These runs cannot be compared."),
        reasons=(),
        settings=(),
        command=_command(*paths, base_variant, chosen, metric, limits),
        differences=(),
        metrics=(),
        changed=(),
        changed_total=0,
        max_failed=limits.max_failed,
        margin=limits.margin,
        equivalent=limits.equivalent,
        unpaired=tuple(unpaired_metrics(base[1], cand[1], base_variant, chosen)),
    )

    def refused(error: UseError) -> CompareView:
        return replace(view, reasons=tuple(_reasons(error.args, base[1], cand[1], root)))

    try:
        runs = read_runs(
            base[1].path,
            cand[1].path,
            metric=metric or None,
            variant=chosen or None,
            base_variant=base_variant or None,
        )
    except UseError as error:
        return refused(error)
    indexes = base[1], cand[1]
    unscored = max(run.failed + run.answered for run in runs)
    if unscored:
        allowed = replace(limits, max_failed=max(limits.max_failed, unscored))
        command = _command(*paths, base_variant, chosen, metric, allowed)
        view = replace(view, unscored=unscored, command=command)
    try:
        comparison = compare(*runs, limits)
    except UseError as error:
        return _on_shared(refused(error), runs, indexes, limits) or refused(error)
    names = f"{cand[0].name} [{chosen}]", f"{base[0].name} [{base_variant}]"
    return replace(
        _with_figures(view, comparison, indexes),
        exit_code=0 if comparison.passed else 1,
        outcome=_outcome_name(comparison),
        headline=_outcome(comparison, *names),
        reasons=tuple(
            (*_faults(comparison), *_doubts(comparison), *comparison.notes, *_hints(comparison))
            or (headline(comparison),)
        ),
    )


def _faults(comparison: Comparison) -> list[Message | str]:
    """Why the gate fails, without what the headline says of the margin."""
    return [
        fault
        for fault in comparison.faults
        if comparison.margin is None or fault is not comparison.delta_fault
    ]


def _hints(comparison: Comparison) -> list[Message | str]:
    """What else could be asked."""
    return [hint] if (hint := margin_hint(comparison)) else []


def _outcome_name(comparison: Comparison) -> Literal["passed", "failed", "unclear"]:
    """Whether the gate passes; ``unclear`` if it fails only because it cannot tell."""
    if comparison.passed:
        return "passed"
    is_unclear = comparison.margin is not None and comparison.margin.outcome == "unclear"
    return "unclear" if is_unclear and not comparison.regression_fault else "failed"


def _doubts(comparison: Comparison) -> list[Message | str]:
    """What a reader must know before the verdict is trusted."""
    doubt = open_sign(comparison)
    return [doubt, *comparison.warnings] if doubt else comparison.warnings


def _outcome(comparison: Comparison, cand: str, base: str) -> Message:
    """What the gate says, and of the difference what its test says: a lower mean alone is no loss.

    A candidate can break a limit (questions that lost, failed cases) and be better on average.
    """
    effect, names = comparison.effect, {"cand": cand, "base": base}
    if comparison.margin is not None:
        return _margin_outcome(comparison, comparison.margin, names)
    is_worse = is_shown_drop(effect, comparison.metric)
    if comparison.passed and has_no_change(effect):
        return message("The gate passes: no question differs between {cand} and {base}.", **names)
    if comparison.passed and effect.verdict == "better":
        return message("The gate passes: {cand} is better than {base} by more than noise.", **names)
    if comparison.passed:
        return message(
            "The gate passes: the mean of {cand} is not worse than that of {base}.", **names
        )
    if comparison.gain >= 0:
        return message(
            "The gate fails: {cand} breaks a limit against {base}, although its mean is not worse.",
            **names,
        )
    if is_worse:
        return message("The gate fails: {cand} is worse than {base} by more than noise.", **names)
    if comparison.base.stops_early or comparison.cand.stops_early:
        return message(
            "The gate fails: the mean of {cand} is worse than that of {base}; there is no test.",
            **names,
        )
    return message(
        "The gate fails on a change that noise may explain: it is not shown that {cand} is worse than {base}.",
        **names,
    )


def _margin_outcome(
    comparison: Comparison, margin: MarginResult, names: Mapping[str, str]
) -> Message:
    """What is known about the margin; other limits can be broken too."""
    known = margin.sentence(comparison.metric, comparison.tested_name)
    fields: dict[str, Any] = {**names, "known": known}
    if comparison.passed:
        return message("The gate passes: {cand} against {base}: {known}.", **fields)
    if not comparison.delta_fault:
        return message(
            "The gate fails: {cand} breaks a limit against {base}, although {known}.", **fields
        )
    if margin.outcome == "unclear":
        return message("{cand} against {base}: {known}.", **fields)
    return message("The gate fails: {cand} against {base}: {known}.", **fields)


def _on_shared(
    view: CompareView,
    runs: tuple[ComparedRun, ComparedRun],
    indexes: tuple[RunIndex, RunIndex],
    limits: Limits,
) -> CompareView | None:
    """Runs of two versions of a question set on the questions that both have; ``None`` if not."""
    if not have_other_questions(*runs):
        return None
    try:
        base, cand, found = on_shared_questions(*runs)
        comparison = compare(base, cand, replace(limits, strict_hashes=False))
    except UseError:
        return None
    versions = [_version(index) for index in indexes]
    return replace(
        _with_figures(view, comparison, indexes),
        headline=message(
            "The question sets differ; compared on the {n} questions that both have unchanged.",
            n=found.both,
        ),
        shared=SharedSets(
            base_version=versions[0],
            cand_version=versions[1],
            both=found.both,
            changed=found.changed[:MOST_NAMED],
            changed_total=len(found.changed),
            only_base=found.only_base,
            only_cand=found.only_cand,
        ),
    )


def _with_figures(
    view: CompareView, comparison: Comparison, indexes: tuple[RunIndex, RunIndex]
) -> CompareView:
    """The view with the difference and the questions that changed."""
    changed = comparison.items_with("worse", "missing", "better")
    shown = with_texts(comparison, MOST_CHANGED)
    variants = comparison.base.variant or "", comparison.cand.variant or ""
    return replace(
        view,
        settings=tuple(_settings(comparison, *variants)),
        counts=tuple(_counts(comparison)),
        differences=(difference_view(comparison.effect),),
        metrics=metric_infos([comparison.metric]),
        changed=tuple(_changed(shown, *indexes)),
        changed_total=len(changed),
    )


def _counts(comparison: Comparison) -> Iterator[tuple[Message, int]]:
    """How many questions were compared, and how many stand how, as the command counts them."""
    yield message("pairs compared"), comparison.effect.n
    for standing in get_args(Standing):
        count = len(comparison.items_with(standing))
        if count:
            yield _STANDINGS[standing], count


def _reasons(
    lines: Iterable[Message | str], base: RunIndex, cand: RunIndex, root: Path | None
) -> Iterator[Said]:
    """Why runs cannot be compared; their files are named from the folder of the workspace."""
    names = {str(index.path): from_folder(index.path, root) for index in (base, cand)}
    return (_renamed(line, names) for line in lines)


def _renamed(said: Any, names: Mapping[str, str]) -> Any:
    """A text with other names for files, also in its fields."""
    if isinstance(said, Message):
        fields = {name: _renamed(value, names) for name, value in said.fields.items()}
        return replace(said, text=_renamed(said.text, names), fields=fields)
    if isinstance(said, str):
        for path, name in names.items():
            said = said.replace(path, name)
    return said


def _version(index: RunIndex) -> str:
    """The version of a run's question set; empty if its header has none."""
    summary = index.findings.results.summary
    return str(summary.extra.get("questions_version", "")) if summary else ""


def _variants(index: RunIndex) -> tuple[str, ...]:
    return index.findings.results.scores.variants


def _only(index: RunIndex) -> str:
    """The variant that stands for a run if none is chosen: its baseline."""
    return index.findings.baseline


def from_folder(path: Path, root: Path | None) -> str:
    """A path from a folder, or the whole path if it is somewhere else."""
    if root is not None and path.is_relative_to(root):
        return path.relative_to(root).as_posix()
    return str(path)


def _command(
    base: str, cand: str, base_variant: str, variant: str, metric: str, limits: Limits
) -> str:
    words = ["assay", "compare", "--base", base, "--cand", cand]
    words += ["--variant", variant] if variant else []
    words += ["--base-variant", base_variant] if base_variant else []
    words += ["--metric", metric] if metric else []
    words += ["--max-failed", str(limits.max_failed)] if limits.max_failed else []
    words += [limits.asked.option, f"{limits.asked.size:g}"] if limits.asked else []
    return shlex.join(words)


def _settings(
    comparison: Comparison, base_variant: str, variant: str
) -> Iterator[tuple[Message, Said]]:
    limits = comparison.limits
    yield message("base", "compare"), base_variant
    yield message("candidate"), variant
    yield message("metric"), named_metric(comparison.metric)
    values = (comparison.base_value, comparison.cand_value)
    yield message("value: base, candidate"), ", ".join(map(shown_value, values))
    if (margin := comparison.margin) is not None:
        amount = amount_text(comparison.metric, margin.size, is_score=margin.is_score)
        is_loss = margin.kind == "not worse"
        yield (
            (
                message("largest loss that does not matter")
                if is_loss
                else message("largest difference that does not matter")
            ),
            amount,
        )
    else:
        yield message("least gain"), f"{limits.min_delta:g}"
    if limits.counts_worse:
        yield message("questions that may become worse"), str(limits.allowed_regressions)
    yield message("cases that may fail"), str(limits.max_failed)


def _changed(comparison: Comparison, base: RunIndex, cand: RunIndex) -> Iterator[ChangedItem]:
    places = [_places(index) for index in (base, cand)]
    changed = comparison.items_with("worse", "missing", "better")
    for pair in changed[:MOST_CHANGED]:
        yield ChangedItem(
            id=pair.id,
            question=pair.question[:LONGEST_ANSWER],
            before=pair.before,
            after=pair.after,
            base_item=places[0].get(pair.id),
            cand_item=places[1].get(pair.id),
            base_answer=pair.answer_before[:LONGEST_ANSWER] or None,
            cand_answer=pair.answer_after[:LONGEST_ANSWER] or None,
        )


def _places(index: RunIndex) -> dict[str, str]:
    """The ids of the items by themselves, and by their questions; the first of a question."""
    items = index.findings.results.scores.items
    places: dict[str, str] = {}
    for name in items:
        places.setdefault(name.rpartition("::")[0] or name, name)
    places.update({name: name for name in items})
    return places
