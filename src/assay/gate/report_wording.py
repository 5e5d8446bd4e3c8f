"""The numbers and sentences that all forms of the report share."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, get_args

from msgspec import UNSET
from msgspec.structs import replace

from assay.gate.compared_run import ComparedRun
from assay.gate.gate import Comparison, is_shown_drop
from assay.gate.journal_rows import QuestionPair, Standing
from assay.records import Metric
from assay.report.label import metric_title
from assay.report.look import MISSING, real_minus
from assay.report.table.table import on_one_line
from assay.stats.effect import SHARE, Effect
from assay.stats.interval import Interval
from assay.text.width import display_width, padded
from assay.words.language import language
from assay.words.message import Message, joined, message, message_n, text_of
from assay.words.say import listed, marked, say

UNSURE: Final = {
    "base": "unsure in the base",
    "candidate": "unsure in the candidate",
    "both": "unsure in both",
}
"""Where the check is unsure of an answer."""
_STANDINGS: Final[Mapping[Standing, str]] = {
    "worse": marked("{n} worse"),
    "missing": marked("{n} missing"),
    "better": marked("{n} better"),
    "same": marked("{n} same"),
    "not compared": marked("{n} not compared"),
    "added": marked("{n} added"),
}
_TESTS: Final = {
    "mcnemar-mid-p": "McNemar's mid-p test",
    "permutation": "sign flips of the mean difference",
    "question-permutation": "sign flips of whole questions",
    "cluster-permutation": "sign flips of whole documents",
}


def number_text(value: float | None, *, signed: bool = False) -> str:
    """A number with four decimal places; a dash for None.

    >>> number_text(0.65), number_text(0.05, signed=True), number_text(-0.00001, signed=True), number_text(None)
    ('0.6500', '+0.0500', '0.0000', '–')
    """
    if value is None:
        return MISSING
    text = f"{value:+.4f}" if signed else f"{value:.4f}"
    return real_minus(text)


def headline(comparison: Comparison) -> str:
    """The verdict on one line, and whether unsure answers leave open which run is better."""
    verdict, doubt = gate_line(comparison.faults), open_sign(comparison)
    known = margin_sentence(comparison)
    is_unclear = comparison.margin is not None and comparison.margin.outcome == "unclear"
    if is_unclear and comparison.passed:
        verdict = say("gate undecided, which counts as passed: {why}", why=known)
    elif is_unclear and comparison.delta_fault and not comparison.regression_fault:
        verdict = say(
            "gate undecided, which counts as failed: {why}", why=joined(comparison.faults)
        )
    elif comparison.passed and known:
        verdict = say("gate passed: {why}", why=known)
    return say("{verdict}. {doubt}", verdict=verdict, doubt=doubt) if doubt else verdict


def margin_sentence(comparison: Comparison) -> Message | str:
    """What is known about the margin; empty if none was given."""
    if comparison.margin is None:
        return ""
    return comparison.margin.sentence(comparison.metric, comparison.tested_name)


def margin_line(comparison: Comparison) -> str:
    """What is known about the margin where the headline does not say it: another limit is broken."""
    is_in_headline = comparison.passed or bool(comparison.delta_fault)
    return "" if is_in_headline else _told(margin_sentence(comparison))


def margin_hint(comparison: Comparison) -> Message | str:
    """That a margin can be given, if noise may explain why the gate failed; else empty."""
    limits, effect = comparison.limits, comparison.effect
    is_strict = limits.counts_worse and limits.asked is None and limits.min_delta <= 0
    if comparison.passed or not is_strict or effect.verdict not in {"unclear", "too few"}:
        return ""
    changed = effect.lost if comparison.metric.better == "higher" else effect.gained
    if not changed or is_shown_drop(effect, comparison.metric):
        return ""
    return message(
        "This failure may be noise. With --margin 0.03, for example, the gate passes if a loss of more than 3 points is ruled out."
    )


def open_sign(comparison: Comparison) -> Message | str:
    """That the sign of the difference depends on unsure answers; empty if it does not."""
    found = comparison.open_sign
    if found is None:
        return ""
    low, high = (number_text(end, signed=True) for end in (found.low, found.high))
    return message_n(
        "The check is unsure of {n} answer: depending on it, the difference is between {low} and {high} (assay judge --unsure decides it, or a person labels it)",
        "The check is unsure of {n} answers: depending on them, the difference is between {low} and {high} (assay judge --unsure decides them, or a person labels them)",
        found.base + found.candidate,
        low=low,
        high=high,
    )


def warning_lines(comparison: Comparison) -> list[str]:
    """What must be known before the verdict is trusted, a line each."""
    return [say("warning: {warning}", warning=line) for line in comparison.warnings]


def gate_line(faults: Sequence[Message | str]) -> str:
    """Whether the gate was passed, and why not.

    >>> gate_line(["1 question became worse, 0 are allowed"])
    'gate failed: 1 question became worse, 0 are allowed'
    """
    if not faults:
        return say("gate passed")
    return say("gate failed: {why}", why=joined(faults))


def named(metric: Metric, remark: str) -> str:
    """The title of the metric, and in brackets its name for programs and a remark."""
    title = metric_title(replace(metric, unit=""), language())
    if title in {"", metric.name}:
        return f"{metric.name} ({remark})"
    return f"{title} ({metric.name}; {remark})"


def metric_line(comparison: Comparison, remark: str) -> str:
    """The compared metric with a remark; titles are about single questions, a weighted mean is not."""
    if not comparison.is_weighted:
        return named(comparison.metric, remark)
    return f"{comparison.metric.name} ({say('weighted')}; {remark})"


def direction(metric: Metric) -> str:
    """Which direction is better, in words."""
    return say("higher is better" if metric.better == "higher" else "lower is better")


def mean_name(metric: Metric) -> str:
    """The name of the unweighted figure: mean, median or p95."""
    return say({"p50": "median", "p95": "p95"}.get(metric.kind, "mean"))


def difference_line(comparison: Comparison) -> str:
    """The paired difference with its confidence interval, its test and the verdict."""
    effect = comparison.effect
    if has_no_change(effect):
        return text_of(no_change(comparison), language())
    parts = [number_text(effect.difference, signed=True)]
    if effect.interval is not None:
        parts.append(_interval(effect.interval))
    if effect.test and effect.p_adjusted is not None:
        p_value = effect.p_adjusted
        p_text = "p < 0.0001" if p_value < 0.0001 else f"p = {p_value:.4f}"
        parts.append(say("{p} by {test}", p=p_text, test=say(_TESTS[effect.test])))
    return say("{facts}: {verdict}", facts=listed(parts), verdict=_verdict(comparison))


def has_no_change(effect: Effect) -> bool:
    """Whether no question has another value."""
    return effect.difference == 0 and not effect.gained and not effect.lost


def no_change(comparison: Comparison) -> Message:
    """That no question differs, and how many of all such questions could, by the interval."""
    effect, n = comparison.effect, comparison.effect.n
    if comparison.base.stops_early or comparison.cand.stops_early or effect.at_most is UNSET:
        return message_n("the only question does not differ", "none of {n} questions differs", n)
    share = f"{math.ceil(100 * effect.at_most)}"
    if comparison.pairs.unit == "document":
        return message_n(
            "the only question does not differ; at most {share} % of such documents would have one that does",
            "none of {n} questions differs; at most {share} % of such documents would have one that does",
            n,
            share=share,
        )
    return message_n(
        "the only question does not differ; at most {share} % of such questions would",
        "none of {n} questions differs; at most {share} % of such questions would",
        n,
        share=share,
    )


def correction_line(comparison: Comparison) -> str:
    """Which difference decided if there are labels or a judge; empty for other comparisons."""
    correction = comparison.correction
    if correction is None:
        return ""
    found, why = correction.difference, correction.reason
    if correction.used != "corrected" or found is None or found.interval is None:
        if correction.used == "check alone":
            return say("none: the check alone decides ({why})", why=why)
        return say("none: the judge alone decides ({why})", why=why)
    return say(
        "{difference}, {interval}: decides ({why})",
        difference=number_text(found.estimate, signed=True),
        interval=_interval(found.interval),
        why=why,
    )


def _ends(interval: Interval) -> str:
    low, high = (number_text(end, signed=True) for end in (interval.low, interval.high))
    return f"[{low}, {high}]"


def _interval(interval: Interval) -> str:
    return say("{ends} at {level:.0%}", ends=_ends(interval), level=interval.level)


def _verdict(comparison: Comparison) -> str:
    effect, metric = comparison.effect, comparison.metric
    if comparison.base.stops_early or comparison.cand.stops_early:
        return say("not tested")
    if effect.verdict == "too few":
        few = say(
            "too few changes to tell from noise"
            if effect.units is UNSET
            else "too few questions changed to tell from noise"
        )
        needed = effect.needed
        return few if needed is None else few + say(" (at least {n} are needed)", n=needed)
    if metric.kind in SHARE:
        return _percentile_verdict(effect, metric)
    if effect.verdict == "unclear":
        return say("noise may explain it")
    return say(
        "better by more than noise" if effect.verdict == "better" else "worse by more than noise"
    )


def _percentile_verdict(effect: Effect, metric: Metric) -> str:
    """What the interval of a percentile says, which decides because there is no test."""
    interval = effect.interval
    if interval is None:
        return say("not tested: a percentile has no test")
    if interval.low <= 0 <= interval.high:
        return say("the interval contains 0, so noise may explain it; a percentile has no test")
    if is_shown_drop(effect, metric):
        return say("worse by its interval; a percentile has no test")
    return say("better by its interval; a percentile has no test")


def regression_line(comparison: Comparison) -> str:
    """The number of regressions, the limit, and the number of questions of each standing."""
    counts = Counter(item.standing for item in comparison.items)
    standings = [
        say(_STANDINGS[name], n=counts[name]) for name in get_args(Standing) if counts[name]
    ]
    asked = comparison.limits.asked
    if asked is not None and not comparison.limits.counts_worse and not comparison.regressions:
        return say(
            "not counted with {option} unless --max-regressions is given ({counts})",
            option=asked.option,
            counts=listed(standings),
        )
    return say(
        "{n} counted, {allowed} allowed ({counts})",
        n=comparison.regressions,
        allowed=comparison.limits.allowed_regressions,
        counts=listed(standings),
    )


def run_label(run: ComparedRun) -> str:
    """The run's file, with the variant if the run has one."""
    return f"{run.path} [{run.variant}]" if run.variant else str(run.path)


def run_counts(run: ComparedRun) -> str:
    """How many cases failed or are not judged, and how many questions were scored or skipped."""
    statuses = [case.status for case in run.items.values()]
    return listed(
        [
            say("{n} scored", n=statuses.count("scored")),
            *([say("{n} not judged yet", n=run.answered)] if run.answered else []),
            say("{n} failed", n=run.failed),
            say("{n} skipped", n=statuses.count("skipped")),
        ]
    )


def cut(text: str, longest: int) -> str:
    """The text shortened to ``longest`` characters, with an ellipsis if it was cut.

    >>> cut("abcdef", 3)
    'abc…'
    """
    return text if len(text) <= longest else f"{text[:longest]}…"


def change_line(item: QuestionPair) -> str:
    """Both values of a question and the change, or the reason why one value is missing."""
    if item.before is None or item.after is None:
        return f"{number_text(item.before)} → {number_text(item.after)}  ({text_of(item.reason, language())})"
    change = f"{number_text(item.before)} → {number_text(item.after)}  {number_text(item.after - item.before, signed=True)}"
    return f"{change}  ({say(UNSURE[item.unsure])})" if item.unsure else change


def unsure_line(comparison: Comparison) -> str:
    """What the unsure answers leave open; empty if there are none."""
    found = comparison.unsure
    if found is None:
        return ""
    return say(
        "{base} and {cand} answers; the difference lies between {low} and {high}, however they are decided",
        base=found.base,
        cand=found.candidate,
        low=number_text(found.low, signed=True),
        high=number_text(found.high, signed=True),
    )


# The comparison as text for a terminal or a log.

LONGEST_ID = 40
WIDTH = 13
LONGEST_QUESTION = 70
_SECTIONS = (
    ("changed, worst first", ("worse", "better")),
    ("without a value in the candidate", ("missing",)),
    ("not compared", ("not compared",)),
    ("only in the candidate", ("added",)),
)


def as_text(comparison: Comparison, *, most: int = 20) -> str:
    """The comparison as lines of text: the verdict, the figures, and the questions.

    At most ``most`` questions are listed in each section; 0 lists all.
    """
    metric = comparison.metric
    unit = ""
    if metric.unit:
        unit = say(", in {unit}", unit=say(metric.unit, "unit"))
    lines = [
        headline(comparison),
        *(label_line("warning", text_of(line, language())) for line in comparison.warnings),
        label_line("base", f"{run_label(comparison.base)}: {run_counts(comparison.base)}"),
        label_line("candidate", f"{run_label(comparison.cand)}: {run_counts(comparison.cand)}"),
        label_line("metric", metric_line(comparison, f"{direction(metric)}{unit}")),
    ]
    if comparison.base_weighted is not None:
        weighted = _change(comparison.base_weighted, comparison.cand_weighted)
        lines.append(
            label_line("weighted", f"{weighted}  {number_text(comparison.delta, signed=True)}")
        )
    values = _change(comparison.base_value, comparison.cand_value)
    lines += [
        padded(mean_name(metric), WIDTH) + values,
        label_line("pairs", str(comparison.effect.n)),
        label_line("difference", difference_line(comparison)),
        *([label_line("unsure", line)] if (line := unsure_line(comparison)) else []),
        *([label_line("corrected", line)] if (line := correction_line(comparison)) else []),
        *([label_line("margin", line)] if (line := margin_line(comparison)) else []),
        label_line("regressions", regression_line(comparison)),
        *(label_line("note", on_one_line(text_of(note, language()))) for note in comparison.notes),
    ]
    for title, standings in _SECTIONS:
        lines += _section(say(title), comparison.items_with(*standings), most)
    if hint := _told(margin_hint(comparison)):
        lines += ["", hint]
    return "\n".join(lines) + "\n"


def _told(text: Message | str) -> str:
    return on_one_line(text_of(text, language()))


def label_line(label: str, text: str) -> str:
    """A line of the report; ``label`` is an English word of the catalogue.

    >>> label_line("pairs", "8")
    'pairs        8'
    """
    return padded(say(label), WIDTH) + text


def _change(before: float | None, after: float | None) -> str:
    return f"{number_text(before)} → {number_text(after)}"


def _section(title: str, items: Sequence[QuestionPair], most: int) -> list[str]:
    if not items:
        return []
    listed = items[:most] if most else items
    names = [cut(on_one_line(item.id), LONGEST_ID) for item in listed]
    width = max(display_width(name) for name in names)
    lines = ["", f"{title} ({len(items)})"]
    for name, item in zip(names, listed, strict=True):
        padding = " " * (width - display_width(name))
        question = cut(on_one_line(item.question), LONGEST_QUESTION)
        lines.append(f"  {name}{padding}  {change_line(item)}  {question}".rstrip())
    if len(items) > len(listed):
        more = say("… {n} more; --changes 0 lists all", n=len(items) - len(listed))
        lines.append(f"  {more}")
    return lines
