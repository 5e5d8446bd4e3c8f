"""What the analysis of a run found, and which metrics its tables show."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
from msgspec import UNSET, Struct

from assay.checks.scorer import Scorer
from assay.records import Metric
from assay.report.label import metric_title
from assay.report.table.table import (
    LabelledRow,
    Table,
    TableCell,
    TableColumn,
    shown_interval,
    significance,
)
from assay.results.decoded_row import item_name
from assay.results.job import JobReport, JobSpec
from assay.results.results import Results, RowText, read_row_texts
from assay.stats.analysis import Analysis
from assay.stats.decision import Decisions
from assay.stats.effect import Effect
from assay.stats.subgroup import Opposite
from assay.words.language import Lang
from assay.words.message import Message, message
from assay.words.say import say_in


class RunFindings(Struct, frozen=True, kw_only=True):
    """The analysis of one run.

    - ``ordered``: the values of a variable that has an order, by variant;
    - ``lost_primary``: the primary metric of the run if it is not known here, otherwise empty;
    - ``replaced_primary``: the same if a variant has no value of it, so that another one decides;
    - ``combined``: the main effects and interactions of a factorial design;
    - ``unlabelled``: the number of items that were scored but have no headline value in any
      variant, because there is no gold to compare with;
    - ``expected_none``: the number of items whose expected answer says that there is none;
    - ``unknown_passages``: the number of answers that do not say what was retrieved, and
      ``unranked`` of those that do not say in which order of relevance;
    - ``misranked``: the number of answers with ranks for only some passages, or a rank twice;
    - ``overlong``: the number of answers with more passages than were asked for;
    - ``reordered``: the variants that differ from the baseline only in the order of the passages;
      they are not compared on metrics that use ranks;
    - ``job_report``: what the job shows besides its metrics;
    - ``stops_early``: whether the answers decided which questions were asked; nothing has a test
      then. ``decisions`` are the comparisons of a run that asks until they are decided; there are
      none if an earlier run did and its spared cases have no answer yet;
    - ``opposite``: groups of questions with opposite effects in the primary metric.
    """

    results: Results
    job: JobSpec
    analysis: Analysis
    baseline: str
    ordered: Mapping[str, float]
    variables: tuple[str, ...]
    combined: tuple[Effect, ...]
    lost_primary: str
    items: int
    unlabelled: int
    unanswerable: int
    replaced_primary: str = ""
    expected_none: int = 0
    unknown_passages: int = 0
    unranked: int = 0
    misranked: int = 0
    overlong: int = 0
    reordered: tuple[str, ...] = ()
    job_report: JobReport | None = None
    stops_early: bool = False
    decisions: Decisions | None = None
    opposite: tuple[Opposite, ...] = ()

    @property
    def spared(self) -> int:
        """The number of cases that an early decision made unnecessary."""
        return sum(variant.tally.spared or 0 for variant in self.analysis.variants)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics that have a value for at least one variant, in the order of the tables.

        The metric that decides leads with those of its kind, if it is not the job's own.
        """
        shown = {
            metric.name: metric
            for metric in self.job.metrics
            if any(
                variant.cells[metric.name].value is not None for variant in self.analysis.variants
            )
        }
        first = [name for name in self.leading if name in shown]
        alike = [name for name in shown if first and _is_alike(shown[first[0]], shown[name])]
        order = dict.fromkeys((*first, *alike, *shown))
        return tuple(shown[name] for name in order)

    @property
    def leading(self) -> tuple[str, ...]:
        """The name of the metric that decides, if it is not the main one of the job."""
        primary = self.analysis.primary
        return (primary,) if primary and primary != self.job.headline else ()


def _is_alike(one: Metric, other: Metric) -> bool:
    """Whether both are scorers that need the same fields, for example an expected answer."""
    return isinstance(one, Scorer) and isinstance(other, Scorer) and one.needs == other.needs


def has_gold(findings: RunFindings) -> bool:
    """Whether a question has gold, as far as the header says it."""
    return known_without_gold(findings) < max(findings.results.questions, 1)


def known_without_gold(findings: RunFindings) -> int:
    """The questions without gold by the header: rows do not say it if nothing says what was found."""
    summary = findings.results.summary
    return int(summary.extra.get("questions_without_gold", 0)) if summary is not None else 0


# The table of differences of a study.

VERDICTS: Final = {
    "better": message("better"),
    "worse": message("worse"),
    "unclear": message("no difference shown"),
    "too few": message("too few to say"),
    "equivalent": message("equivalent"),
    "undecided": message("undecided"),
}
FAMILIES: Final = {
    "primary": message("primary metric"),
    "quality": message("other quality metrics"),
    "latency": message("latency and cost"),
}
"""The families of metrics whose comparisons are corrected together."""
EFFECTS: Final = message("Differences to the baseline")
COMBINED: Final = message("Main effects and interactions")


def effect_table(
    findings: RunFindings, effects: Sequence[Effect], lang: Lang = "en", title: Message = EFFECTS
) -> Table:
    """Every comparison: difference, interval, test, corrected p-value, verdict."""
    titles = {metric.name: metric_title(metric, lang) for metric in findings.job.metrics}
    compared = [effect for effect in effects if effect.n]
    columns = (
        TableColumn(key="metric", title=say_in(lang, "metric"), align="left"),
        TableColumn(key="n", title=say_in(lang, "pairs")),
        TableColumn(key="difference", title=say_in(lang, "difference"), signed=True),
        TableColumn(key="plain", title=say_in(lang, "plain interval"), signed=True, align="left"),
        TableColumn(key="gained", title=say_in(lang, "up")),
        TableColumn(key="lost", title=say_in(lang, "down")),
        TableColumn(key="test", title=say_in(lang, "test"), align="left"),
        TableColumn(key="p", title="p", digits=4, never_zero=True),
        TableColumn(
            key="p_adjusted", title=say_in(lang, "p (corrected)"), digits=4, never_zero=True
        ),
        TableColumn(key="family", title=say_in(lang, "family"), align="left"),
        TableColumn(key="detectable", title=say_in(lang, "detectable")),
        TableColumn(key="verdict", title=say_in(lang, "verdict"), align="left"),
    )
    rows = tuple(
        LabelledRow(
            label=effect.variant,
            cells=(
                TableCell(value=titles.get(effect.metric, effect.metric), name=effect.metric),
                TableCell(value=effect.n),
                TableCell(
                    value=effect.difference,
                    interval=effect.interval if effect.at_most is UNSET else None,
                ),
                TableCell(value=_plain(effect)),
                TableCell(value=effect.gained),
                TableCell(value=effect.lost),
                TableCell(value=say_in(lang, effect.test, "test")),
                TableCell(value=effect.p_value),
                TableCell(value=effect.p_adjusted, significance=significance(effect.p_adjusted)),
                TableCell(value=FAMILIES[effect.family].text_in(lang)),
                TableCell(value=effect.detectable),
                TableCell(value=_verdict(effect, lang)),
            ),
        )
        for effect in compared
    )
    left_out = dict.fromkeys(
        titles.get(effect.metric, effect.metric) for effect in effects if not effect.n
    )
    notes = (
        [
            say_in(
                lang, "Without a pair of values, left out: {metrics}.", metrics=", ".join(left_out)
            )
        ]
        if left_out
        else []
    )
    return Table(
        title=title.text_in(lang),
        columns=columns,
        rows=rows,
        notes=(*notes, *_family_notes(compared, lang)),
    )


def _plain(effect: Effect) -> str | None:
    """The plain interval as text; ``None`` if it is unknown or there is no other one."""
    interval = effect.plain_interval
    if interval is None or not effect.test:
        return None
    return shown_interval(interval, TableColumn(key="", signed=True))


def _family_notes(effects: Sequence[Effect], lang: Lang) -> Iterable[str]:
    """What is corrected together, and what each of the two intervals says."""
    tested = Counter(effect.family for effect in effects if effect.p_value is not None)
    for family in ("primary", "quality", "latency"):
        if tested[family] > 1:
            title = FAMILIES[family]
            yield say_in(
                lang,
                "Family “{family}”: {n} p-values and their intervals are corrected together.",
                family=title,
                n=tested[family],
            )
    if tested:
        yield say_in(
            lang,
            "The interval beside the difference belongs to p (corrected): it leaves out 0 exactly if p is below 0.05, and all intervals of a family hold at once. The plain interval is about one difference alone, as if nothing else were compared.",
        )


def _verdict(effect: Effect, lang: Lang) -> str | None:
    """The verdict as a word; ``None`` if nothing was tested."""
    if effect.verdict == "unclear" and not effect.test:
        return None
    if effect.at_most is not UNSET:
        share = f"{100 * effect.at_most:.0f}\u00a0%"
        return say_in(lang, "none differs (at most {share} would)", share=share)
    verdict = VERDICTS[effect.verdict].text_in(lang)
    if effect.verdict == "too few" and effect.needed is not None:
        verdict += say_in(lang, " ({n} must differ)", n=effect.needed)
    return verdict


# The questions whose result changed against the baseline, with both answers side by side.


class Change(Struct, frozen=True, kw_only=True):
    """One question that a variant answered better or worse than the baseline did."""

    question_id: str
    question: str
    variant: str
    before: float
    after: float
    answer_before: str
    answer_after: str


def changed_questions(
    results: Results, metric: Metric, variant: str, baseline: str, *, most: int = 20
) -> tuple[list[Change], int]:
    """The items whose ``metric`` differs, the worst losses first, and their total number.

    A case that was asked several times has the means of its draws, and its first answers. If neither higher nor lower is better, decreases come before increases. At most ``most``
    items are returned; 0 returns all.
    """
    scores = results.scores.mean_of_draws()
    index, base = scores.variants.index(variant), scores.variants.index(baseline)
    after, before = scores.values[metric.field][index], scores.values[metric.field][base]
    difference = after - before
    changed = np.flatnonzero(~np.isnan(difference) & (difference != 0))
    gain = -difference[changed] if metric.better == "lower" else difference[changed]
    changed = changed[np.argsort(gain, kind="stable")]
    shown = changed[:most] if most else changed
    places = {name: place for place, name in enumerate(results.scores.items)}
    answers = [places[scores.items[item]] for item in shown]
    texts = _texts(results, [(place, answer) for answer in answers for place in (index, base)])
    changes = []
    for item, answer in zip(shown.tolist(), answers, strict=True):
        name = scores.items[item]
        now, then = texts.get((index, answer), RowText()), texts.get((base, answer), RowText())
        changes.append(
            Change(
                question_id=name,
                question=now.question or then.question or "",
                variant=variant,
                before=float(before[item]),
                after=float(after[item]),
                answer_before=then.answer or "",
                answer_after=now.answer or "",
            )
        )
    return changes, len(changed)


def _texts(results: Results, wanted: Sequence[tuple[int, int]]) -> dict[tuple[int, int], RowText]:
    """The rows of these (variant, item) pairs; only the blocks that contain them are read."""
    scores = results.scores
    at = {
        (scores.variants[variant], scores.items[item]): (variant, item) for variant, item in wanted
    }
    blocks = {int(results.block_of[variant, item]) for variant, item in wanted} - {-1}
    texts = {}
    for row in read_row_texts(results.path, [results.blocks[number] for number in blocks]):
        item, _ = item_name(row.key, row.question_id, row.config, results.label)
        place = at.get((row.config, item))
        if place is not None:
            texts[place] = row  # the row in a later block replaces the earlier one
    return texts
