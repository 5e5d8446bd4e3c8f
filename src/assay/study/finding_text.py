"""Findings in plain words: what changed, by how much, whether by more than noise, at what cost."""

from typing import Any, Final

from msgspec import UNSET

from assay.records import Metric
from assay.report.label import title_of
from assay.report.look import real_minus, shown_p
from assay.results.column import Bill, paired_bills
from assay.stats.effect import Effect
from assay.stats.subgroup import Opposite
from assay.study.finding import FAMILIES, RunFindings
from assay.words.message import Message, Said, joined, message
from assay.words.say import marked

_SENTENCES: Final[dict[str, str]] = {
    "head": marked("{variant} against {baseline}: "),
    "undefined": marked("{title} cannot be compared: no question has a value in both"),
    "amount": marked("{amount} {title}"),
    "points": marked("{number} points"),
    "better": marked("{shown}, {p}: better"),
    "worse": marked("{shown}, {p}: worse"),
    "unclear": marked("{shown}, {p}: no difference shown"),
    "too few": marked("{shown}; no verdict: too few questions or documents differ to tell"),
    "needed": marked(" (at least {n} must)"),
    "detectable": marked(
        " (for planning: with {n} questions, a true difference of {amount} is found in four of five runs)"
    ),
    "detectable documents": marked(
        " (for planning: with {n} documents, a true difference of {amount} is found in four of five runs)"
    ),
    "decided better": marked("{shown}: better, decided after {n} of {total} questions"),
    "decided worse": marked("{shown}: worse, decided after {n} of {total} questions"),
    "decided equivalent": marked(
        "{shown}: equivalent within the margin, decided after {n} of {total} questions"
    ),
    "decided undecided": marked("{shown}: undecided after {n} of {total} questions"),
    "all recorded": marked("; all {n} recorded questions: {amount}"),
    "same": marked(
        "{title}: none of {n} questions differs; at most {share} of such questions would differ (95% confidence)"
    ),
    "same documents": marked(
        "{title}: none of {n} documents differs; at most {share} of such documents would differ (95% confidence)"
    ),
    "untested": marked("{shown}, no test"),
    "cost": marked("; costs {ratio} \u00d7 as much"),
    "calls": marked("; takes {ratio} \u00d7 the calls"),
}


def compared_effects(findings: RunFindings, metric: Metric) -> list[Effect]:
    """The comparisons with the baseline in a metric, in the order of their sentences."""
    return [
        effect
        for effect in findings.analysis.effects
        if effect.metric == metric.name and effect.baseline == findings.baseline
    ]


def verdicts(findings: RunFindings, metric: Metric) -> list[Said]:
    """One sentence for each variant except the baseline, and what their means hide."""
    scores, base = findings.results.scores, findings.baseline
    stopped = {each.name for each in findings.analysis.variants if each.tally.spared}
    effects = compared_effects(findings, metric)
    bills = {effect.variant: paired_bills(scores, (effect.variant, base)) for effect in effects}
    sentences: list[Said] = [
        verdict(
            effect,
            metric,
            bills[effect.variant][effect.variant],
            bills[effect.variant][base],
            questions=findings.items,
            has_stopped=effect.variant in stopped,
        )
        for effect in effects
    ]
    for family in dict.fromkeys(effect.family for effect in effects):
        compared = findings.analysis.comparisons[family]
        if compared > 1:
            title = FAMILIES[family]
            sentences.append(
                message(
                    "p-values and intervals are corrected together for {n} comparisons ({family}).",
                    n=compared,
                    family=title,
                )
            )
    if metric.name == findings.analysis.primary:
        sentences += [opposite_sentence(opposite, metric) for opposite in findings.opposite]
    return sentences


def opposite_sentence(opposite: Opposite, metric: Metric) -> Message:
    """That a variant helps one group of questions and harms another one."""
    ends = (opposite.higher, opposite.lower)
    up, down = (_amount(_number(effect.difference or 0.0, metric), metric) for _, effect in ends)
    return message(
        "{variant}: {up} in {higher}, {down} in {lower} (by {field}): the mean hides opposite effects.",
        variant=opposite.variant,
        up=up,
        higher=opposite.higher[0],
        down=down,
        lower=opposite.lower[0],
        field=opposite.field,
    )


def verdict(
    effect: Effect,
    metric: Metric,
    bill: Bill,
    base: Bill,
    *,
    questions: int = 0,
    has_stopped: bool = True,
) -> Said:
    """One comparison in a sentence.

    It contains the difference in percentage points, or in the unit of the metric, with its
    interval, the p-value corrected for all comparisons of its family, and the ratio of the costs
    or calls. The bills are those of the cases that both have scored (``paired_bills``). For a run that stopped early, it says after how many of its ``questions``, and if the
    variant was asked on nevertheless (not ``has_stopped``), what all recorded answers say.
    """
    title = title_of(metric)
    head = _say("head", variant=effect.variant, baseline=effect.baseline)
    if effect.difference is None or not effect.n:
        return joined((head, _say("undefined", title=title)), "")
    amount = _amount(_number(effect.difference, metric), metric)
    shown: Said = _say("amount", amount=amount, title=title)
    if effect.interval is not None:
        low, high = effect.interval.low, effect.interval.high
        shown = joined((shown, f" [{_number(low, metric)}, {_number(high, metric)}]"), "")
    if effect.decision is not UNSET:
        asked, total = effect.decision.questions, max(questions, effect.decision.questions)
        decided = _say(f"decided {effect.verdict}", shown=shown, n=asked, total=total)
        recorded = "" if has_stopped else _all_recorded(effect, metric)
        return joined((head, decided, recorded), "")
    # there is no test for a percentile, only an interval
    key: str = "untested" if effect.verdict == "unclear" and not effect.test else effect.verdict
    units = effect.n if effect.units is UNSET else effect.units
    counted = " documents" if effect.unit == "document" else ""
    if effect.at_most is not UNSET:
        share = f"{100 * effect.at_most:.0f}\u00a0%"
        same = _say(f"same{counted}", title=title, n=units, share=share)
        return joined((head, same, _price(bill, base)), "")
    parts: list[Said] = [head, _say(key, shown=shown, p=_p(effect.p_adjusted))]
    if key == "unclear" and effect.detectable is not None:
        least = _amount(_number(effect.detectable, metric).lstrip("+"), metric)
        parts.append(_say(f"detectable{counted}", n=units, amount=least))
    if key == "too few" and effect.needed is not None:
        parts.append(_say("needed", n=effect.needed))
    return joined((*parts, _price(bill, base)), "")


def _say(key: str, **fields: Any) -> Message:
    return Message(_SENTENCES[key], fields)


def _all_recorded(effect: Effect, metric: Metric) -> Said:
    """The difference of all recorded pairs, if there are more than those that decided."""
    n, difference = effect.recorded_n, effect.recorded_difference
    if n is UNSET or n <= effect.n or not isinstance(difference, float):
        return ""
    return _say("all recorded", n=n, amount=_amount(_number(difference, metric), metric))


def _price(bill: Bill, base: Bill) -> Said:
    if base.cost and bill.cost is not None:
        return _say("cost", ratio=f"{bill.cost / base.cost:.1f}")
    if base.calls and bill.calls:
        return _say("calls", ratio=f"{bill.calls / base.calls:.1f}")
    return ""


def _amount(number: str, metric: Metric) -> Said:
    if metric.unit:
        return joined((number, message(metric.unit, "unit")), " ")
    return _say("points", number=number)


def _number(value: float, metric: Metric) -> str:
    return real_minus(f"{value:+.3f}" if metric.unit else f"{100 * value:+.1f}")


def _p(value: float | None) -> str:
    number = shown_p(value)
    return f"p = {number}" if number[0].isdigit() else f"p {number}"
