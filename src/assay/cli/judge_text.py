"""What ``assay judge`` prints, as lines."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from assay.jobs.judge import (
    FEWEST_OF_A_KIND,
    FEWEST_UNLABELLED,
    Agreement,
    Calibration,
    JudgedRun,
    JudgeEstimate,
    JudgesCompared,
    LabelPlan,
    TrueRate,
)
from assay.judges.rubric import Finding
from assay.stats import FEWEST_LABELS, Corrected, Interval, Share, mcnemar_exact
from assay.text import counted

_EARLY_RUN: Final = "the run stopped early, so its answers decided which questions were asked"


def run_text(name: str, rubric: str, result: JudgedRun) -> list[str]:
    """How judging went."""
    parts = [f"{result.asked} asked"]
    if result.calls != result.asked:
        parts[0] += f" ({counted(result.calls, 'call')})"
    if result.replayed:
        parts.append(f"{result.replayed} by equal answers or the call cache")
    parts.append(f"{result.stored} known before")
    left = [f"{count} {word}" for word, count in (
        ("unparsed", result.unparsed), ("failed", result.failed)
    ) if count]  # fmt: skip
    ended = ", ".join([f"{result.judged} of {result.answers} judged", *left])
    lines = [f"judge {name} ({rubric}): {ended}: {', '.join(parts)}"]
    if result.repaired:
        lines.append(
            f"repaired: {counted(result.repaired, 'reply', 'replies')}, read at the second attempt"
        )
    lines += _skipped(result.skipped)
    if result.damaged:
        lines.append(f"damaged  {counted(result.damaged, 'stored verdict')} asked for again")
    if result.problem:
        lines.append(f"first failure: {result.problem}")
    if result.paid is not None:
        now = result.paid_now or 0.0
        lines.append(f"paid for this judge: {now:.4f} now, {result.paid:.4f} in all")
    return lines


def estimate_text(
    name: str, estimate: JudgeEstimate, stored: int, skipped: Mapping[str, int]
) -> list[str]:
    """What judging would take."""
    price = f", about {estimate.cost:.4f}" if estimate.cost is not None else ", no price is known"
    return [
        (
            f"judge {name}: {counted(estimate.calls, 'call')}, about {estimate.prompt_tokens:,} prompt and "
            f"{estimate.completion_tokens:,} completion tokens{price} ({estimate.basis}); "
            f"{stored} known before"
        ),
        *_skipped(skipped),
    ]


def _skipped(skipped: Mapping[str, int]) -> list[str]:
    return [
        f"not judged: {counted(count, 'answer')}: {reason}" for reason, count in skipped.items()
    ]


def preference_text(
    variants: tuple[str, str], findings: Sequence[Finding], *, stops_early: bool
) -> list[str]:
    """Who won how often, and how often the verdict depended on the order.

    If the run ``stops_early``, there is no test: its answers decided which questions were asked.
    """
    labels = Counter(finding.label for finding in findings if not finding.unparsed)
    first, second = labels["first"], labels["second"]
    lines = [
        (
            f"{variants[0]} better {first}, {variants[1]} better {second}, equal {labels['equal']}, "
            f"tie because the order decided {labels['tie']}"
        )
    ]
    p_value = mcnemar_exact(first, second)
    if stops_early:
        lines.append(f"no test: {_EARLY_RUN}")
    elif p_value is not None:
        lines.append(f"sign test of the difference: p = {p_value:.4f}")
    return lines


def compared_text(compared: JudgesCompared) -> list[str]:
    """How far two judges agree."""
    return [
        (
            f"{compared.first} and {compared.second} on {counted(compared.n, 'answer')}: both yes "
            f"{compared.both}, both no {compared.neither}, only {compared.first} yes "
            f"{compared.only_first}, only {compared.second} yes {compared.only_second}"
        ),
        f"kappa {_value(compared.kappa, compared.kappa_interval)}",
    ]


def calibration_text(found: Calibration) -> list[str]:
    """The page of ``assay judge check``."""
    counts = found.counts
    lines = [
        f"{found.judge} against {counted(counts.used, 'labelled answer')} (yes from {found.threshold:g})"
    ]
    lines += [f"left out  {line}" for line in _left_out(found)]
    lines += ["", *_matrix(found.overall), "", *_agreements(found)]
    lines += ["", *_difference_of_errors(found), ""]
    lines += [*_rates(found), *_true_rates(found)]
    lines += _differences(found)
    if found.suggested is not None:
        chosen = found.suggested
        lines += ["", (f"threshold  {chosen.threshold:.3g} separates the labels best: sensitivity "
            f"{_share(chosen.errors.sensitivity)}, specificity {_share(chosen.errors.specificity)} "
            "(chosen by the same labels, so a little too good)")]  # fmt: skip
    return lines


def _left_out(found: Calibration) -> Iterator[str]:
    counts = found.counts
    reasons = (
        (counts.by_hand, "chosen by hand: their probability is not known, so they correct nothing"),
        (counts.unclear, "unclear"),
        (counts.outdated, "about an earlier version of the answer"),
        (counts.other_runs, "about other runs"),
        (counts.unjudged, "about answers without a score of the judge"),
        (
            counts.unknown,
            f"about answers that the run does not have: {', '.join(counts.first_unknown)}"
            + (" …" if counts.unknown > len(counts.first_unknown) else ""),
        ),
    )
    for count, reason in reasons:
        if count:
            yield f"{counted(count, 'label')} {reason}"


def _matrix(agreement: Agreement) -> list[str]:
    errors = agreement.errors
    return [
        f"{'':<12}{'label right':>12}{'label wrong':>12}",
        f"{'judge yes':<12}{errors.hits:>12}{errors.false_alarms:>12}",
        f"{'judge no':<12}{errors.misses:>12}{errors.rejections:>12}",
    ]


def _agreements(found: Calibration) -> list[str]:
    groups = [found.overall, *found.variants]
    groups += found.languages if len(found.languages) > 1 else ()
    width = max(len(group.group) for group in groups) + 2
    head = f"{'':<{width}}{'n':>5}  {'sensitivity':<24}{'specificity':<24}kappa"
    return [head] + [
        f"{group.group:<{width}}{group.labelled:>5}  {_share(group.errors.sensitivity):<24}"
        f"{_share(group.errors.specificity):<24}{_value(group.kappa, group.kappa_interval)}"
        for group in groups
    ]


def _difference_of_errors(found: Calibration) -> list[str]:
    if found.errors_differ is None:
        return ["errors between variants: cannot be compared (one variant, or no error)"]
    p_text = f"p = {found.errors_differ:.4f}"
    if found.is_biased:
        return [
            f"errors differ between variants ({p_text}): a comparison by the judge alone is biased"
        ]
    return [
        f"errors between variants: no difference shown ({p_text}); few labels show only large ones"
    ]


def _rates(found: Calibration) -> list[str]:
    """Three columns: the judge alone, corrected, and how many answers are labelled."""
    width = max(len(rate.variant) for rate in found.rates) + 2
    lines = [f"{'':<{width}}{'judge alone':<22}{'corrected':<32}labelled"]
    for rate in found.rates:
        corrected = rate.corrected
        value = _value(corrected.estimate, corrected.interval)
        if corrected.missing:
            value = f"{counted(corrected.missing, 'label')} missing{_light(corrected)}"
        raw = _value(corrected.raw if corrected.n else None, rate.raw_interval)
        lines.append(
            f"{rate.variant:<{width}}{raw:<22}{value:<32}{corrected.labelled} of {corrected.n}"
        )
    return [
        *lines,
        "corrected: by the labels; its interval has the error of the questions and of the labels",
    ]


def _light(corrected: Corrected) -> str:
    """What the labels weigh as, if their weights are too unequal."""
    return f" (they weigh as {corrected.worth:.0f})" if corrected.worth is not None else ""


def _true_rates(found: Calibration) -> list[str]:
    """Rogan and Gladen's rates, each with the answers that it is about, or what is missing."""
    here = [(each.variant, each.rogan_gladen_of_unlabelled_answers) for each in found.rates]
    elsewhere = [(each.variant, each.rogan_gladen_by_labels_of_other_runs) for each in found.rates]
    lines: list[str] = []
    for title, rates in ((_UNLABELLED, here), (_ELSEWHERE, elsewhere)):
        known = [f"  {name}: {_true_rate(rate)}" for name, rate in rates if rate is not None]
        if known:
            lines += ["", *title, *known]
    return lines


_UNLABELLED: Final = (
    "answers without a label, by sensitivity and specificity (Rogan and Gladen):",
    "not the rate of the variant: its labelled answers are not in it; that rate is 'corrected'",
)
_ELSEWHERE: Final = (
    "all answers, by the errors on labelled answers of other runs (Rogan and Gladen):",
)


def _true_rate(rate: TrueRate) -> str:
    about = f"n={rate.answers}"
    if rate.rate is not None:
        return f"{_value(rate.rate, rate.interval)} {about}"
    if rate.is_unequal:
        return f"– {about}: the labels were drawn with unequal probabilities"
    if rate.is_guess:
        return f"– {about}: the judge is not better than a guess"
    parts = [
        f"{counted(count, noun)} of {what}"
        for count, noun, what in (
            (rate.missing_right, "label", f"right answers (of {FEWEST_OF_A_KIND})"),
            (rate.missing_wrong, "label", f"wrong answers (of {FEWEST_OF_A_KIND})"),
        )
        if count
    ]
    if rate.missing_answers:
        parts.append(f"{counted(rate.missing_answers, 'answer')} (of {FEWEST_UNLABELLED})")
    return f"– {about}: missing {', '.join(parts)}"


def _differences(found: Calibration) -> list[str]:
    lines = []
    for difference in found.differences:
        corrected = difference.corrected
        if corrected.estimate is None:
            text = (
                f"judge alone {corrected.raw:+.3f}; {corrected.missing} labels are missing for a "
                f"correction ({FEWEST_LABELS} for each variant){_light(corrected)}"
            )
        else:
            text = (
                f"judge alone {corrected.raw:+.3f}, corrected "
                f"{_value(corrected.estimate, corrected.interval, signed=True)}"
            )
        lines.append(f"  {difference.variant} - {difference.base}: {text}")
    if lines and found.stops_early:
        lines.append(f"  no intervals: {_EARLY_RUN}")
    return ["", "differences:", *lines] if lines else []


def plan_text(plan: LabelPlan) -> list[str]:
    """How many labels each variant needs."""
    lines = [
        f"{plan.judge}: labels for an interval of the corrected rate that is {plan.width:g} wide"
    ]
    for each in plan.variants:
        if each.needed is None:
            needed = (
                f"not reachable with {counted(each.answers, 'answer')}: the questions are too few"
            )
        else:
            needed = f"{each.needed} of {each.answers} answers, {each.missing} still missing"
        guess = (
            " (the judge's errors are assumed; label some and plan again)" if each.assumed else ""
        )
        lines.append(f"  {each.variant}: {each.labelled} labelled; {needed}{guess}")
    return lines


def _share(share: Share) -> str:
    if share.rate is None:
        return "–"
    return f"{_value(share.rate, share.interval)} n={share.n}"


def _value(value: float | None, interval: Interval | None, *, signed: bool = False) -> str:
    if value is None:
        return "–"
    form = "{:+.2f}" if signed else "{:.2f}"
    ends = f" [{form.format(interval.low)}, {form.format(interval.high)}]" if interval else ""
    return form.format(value) + ends
