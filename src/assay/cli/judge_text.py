"""What ``assay judge`` prints, as lines, and printing them."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from assay.cli.output import echo, echo_json
from assay.judge.calibration import (
    FEWEST_OF_A_KIND,
    FEWEST_UNLABELLED,
    Calibration,
    JudgesCompared,
    TrueRate,
)
from assay.judge.judge_run import JudgedRun, JudgeEstimate
from assay.judge.label_plan import LabelPlan
from assay.judge.rubric import StoredVerdict
from assay.judge.workbench import Settled
from assay.report.description import file_line, noted
from assay.report.look import MISSING
from assay.stats.corrected import FEWEST_LABELS
from assay.stats.difference import mcnemar
from assay.stats.interval import Interval
from assay.stats.judge_error import Share
from assay.text.normalise import visible_line
from assay.text.width import display_width
from assay.words.message import Message
from assay.words.say import listed, say, say_n

_EARLY_RUN: Final = "the run stopped early, so its answers decided which questions were asked"


def run_text(name: str, rubric: str, result: JudgedRun) -> list[str]:
    """How judging went."""
    asked = say("{n} asked", n=result.asked)
    if result.calls != result.asked:
        asked += f" ({say_n('{n} call', '{n} calls', result.calls)})"
    parts = [asked]
    if result.replayed:
        parts.append(say("{n} by equal answers or the call cache", n=result.replayed))
    parts.append(say("{n} known before", n=result.stored))
    ended = [say("{n} of {total} judged", n=result.judged, total=result.answers)]
    if result.unparsed:
        ended.append(say("{n} unparsed", n=result.unparsed))
    if result.failed:
        ended.append(say("{n} failed", n=result.failed))
    judge = say("judge {name}", name=f"{name} ({rubric})")
    lines = [f"{judge}: {listed(ended)}: {listed(parts)}"]
    if result.repaired:
        lines.append(
            say_n(
                "repaired: {n} reply, read at the second attempt",
                "repaired: {n} replies, read at the second attempt",
                result.repaired,
            )
        )
    lines += _skipped(result.skipped)
    if result.damaged:
        lines.append(
            say_n(
                "damaged: {n} stored verdict asked for again",
                "damaged: {n} stored verdicts asked for again",
                result.damaged,
            )
        )
    if result.problem:
        lines.append(say("first failure: {why}", why=result.problem))
    if result.paid is not None:
        lines.append(
            say(
                "paid for this judge: {now:.4f} now, {all:.4f} in all",
                now=result.paid_now or 0.0,
                all=result.paid,
            )
        )
    return lines


def estimate_text(
    name: str, estimate: JudgeEstimate, stored: int, skipped: Mapping[str, int]
) -> list[str]:
    """What judging would take."""
    facts = [
        say_n("{n} call", "{n} calls", estimate.calls),
        say(
            "about {given:,} prompt and {out:,} completion tokens",
            given=estimate.prompt_tokens,
            out=estimate.completion_tokens,
        ),
        say("no price is known")
        if estimate.cost is None
        else say("about {amount}", amount=f"{estimate.cost:.4f}"),
    ]
    known = say("{n} known before", n=stored)
    judge = say("judge {name}", name=name)
    line = f"{judge}: {listed(facts)} ({estimate.basis}); {known}"
    return [line, *_skipped(skipped)]


def settled_text(name: str, settled: Settled) -> str:
    """The rate of each variant if a judge decides what the check is unsure of."""
    rates = [f"{visible_line(variant)} {rate:.3f}" for variant, rate in settled.rates.items()]
    return say(
        "{metric}, settled by judge {name}: {rates}",
        metric=settled.metric,
        name=name,
        rates=listed(rates),
    )


def _skipped(skipped: Mapping[str, int]) -> list[str]:
    return [
        say_n(
            "not judged: {n} answer: {why}",
            "not judged: {n} answers: {why}",
            count,
            why=say(reason),
        )
        for reason, count in skipped.items()
    ]


def preference_text(
    variants: tuple[str, str], findings: Sequence[StoredVerdict], *, stops_early: bool
) -> list[str]:
    """Who won how often, and how often the verdict depended on the order.

    If the run ``stops_early``, there is no test: its answers decided which questions were asked.
    """
    labels = Counter(finding.label for finding in findings if not finding.unparsed)
    first, second = labels["first"], labels["second"]
    lines = [
        say(
            "{one} better {first}, {other} better {second}, equal {equal}, "
            "tie because the order decided {tie}",
            one=variants[0],
            first=first,
            other=variants[1],
            second=second,
            equal=labels["equal"],
            tie=labels["tie"],
        )
    ]
    p_value = mcnemar(first, second)
    if stops_early:
        lines.append(say("no test: {why}", why=say(_EARLY_RUN)))
    elif p_value is not None:
        lines.append(say("sign test of the difference: p = {p:.4f}", p=p_value))
    return lines


def compared_text(compared: JudgesCompared) -> list[str]:
    """How far two judges agree."""
    agreement = say_n(
        "{first} and {second} on {n} answer: both yes {both}, both no {neither}, only {first} yes {only_first}, only {second} yes {only_second}",
        "{first} and {second} on {n} answers: both yes {both}, both no {neither}, only {first} yes {only_first}, only {second} yes {only_second}",
        compared.n,
        first=compared.first,
        second=compared.second,
        both=compared.both,
        neither=compared.neither,
        only_first=compared.only_first,
        only_second=compared.only_second,
    )
    return [agreement, f"{say('kappa')} {_value(compared.kappa, compared.kappa_interval)}"]


def calibration_text(found: Calibration) -> list[str]:
    """The page of ``assay judge check``."""
    counts = found.counts
    lines = [
        say_n(
            "{judge} against {n} labelled answer (yes from {threshold:g})",
            "{judge} against {n} labelled answers (yes from {threshold:g})",
            counts.used,
            judge=found.judge,
            threshold=found.threshold,
        )
    ]
    if found.drawn_labelled < found.drawn:
        lines.append(
            say(
                "drawn for labelling: {total}, labelled: {n}",
                n=found.drawn_labelled,
                total=found.drawn,
            )
        )
    lines += [say("left out: {what}", what=line) for line in _left_out(found)]
    lines += ["", *_matrix(found), "", *_agreements(found)]
    lines += ["", *_difference_of_errors(found), ""]
    lines += [*_rates(found), *_true_rates(found)]
    lines += _differences(found)
    if found.suggested is not None:
        chosen = found.suggested
        line = say(
            "the threshold {value:.3g} separates the labels best: sensitivity {sensitivity}, "
            "specificity {specificity} (chosen by the same labels, so a little too good)",
            value=chosen.threshold,
            sensitivity=_share(chosen.errors.sensitivity),
            specificity=_share(chosen.errors.specificity),
        )
        lines += ["", line]
    return lines


def _left_out(found: Calibration) -> Iterator[str]:
    counts = found.counts
    names = ", ".join(counts.first_unknown)
    names += " …" if counts.unknown > len(counts.first_unknown) else ""
    reasons = (
        (
            counts.by_hand,
            say("chosen by hand: their probability is not known, so they correct nothing"),
        ),
        (
            counts.undrawn,
            say(
                "with a probability that no draw of this run gave the answer: as if chosen by hand"
            ),
        ),
        (
            counts.unfinished,
            say("of an unfinished draw, behind an answer without a label in the order of the draw"),
        ),
        (counts.unclear, say("unclear")),
        (counts.outdated, say("about an earlier version of the answer")),
        (counts.other_runs, say("about other runs")),
        (
            counts.unjudged,
            _told(
                found,
                "about answers without a score of the judge",
                "about answers without a score of the check",
            ),
        ),
        (counts.unknown, say("about answers that the run does not have: {names}", names=names)),
    )
    for count, reason in reasons:
        if count:
            yield say_n("{n} label {why}", "{n} labels {why}", count, why=reason)


def _told(found: Calibration, of_judge: str, of_check: str, **fields: Any) -> str:
    """The message about what is held against the labels: a judge, or an offline check."""
    return say(of_check if found.by_check else of_judge, **fields)


def _matrix(found: Calibration) -> list[str]:
    errors = found.overall.errors
    yes, no = (
        _told(found, "judge yes", "check says yes"),
        _told(found, "judge no", "check says no"),
    )
    return _columns(
        [
            ["", say("label right"), say("label wrong")],
            [yes, str(errors.hits), str(errors.false_alarms)],
            [no, str(errors.misses), str(errors.rejections)],
        ],
        right={1, 2},
    )


def _agreements(found: Calibration) -> list[str]:
    named = (found.overall, *found.certainty)
    groups = [*named, *found.variants]
    groups += found.languages if len(found.languages) > 1 else ()
    head = ["", "n", say("sensitivity"), say("specificity"), say("kappa")]
    rows = [
        [
            say(group.group) if group in named else group.group,
            str(group.labelled),
            _share(group.errors.sensitivity),
            _share(group.errors.specificity),
            _value(group.kappa, group.kappa_interval),
        ]
        for group in groups
    ]
    return _columns([head, *rows], right={1})


def _difference_of_errors(found: Calibration) -> list[str]:
    if found.errors_differ is None:
        return [
            say("errors between variants: cannot be compared: {why}", why=_why_not_compared(found))
        ]
    if found.is_biased:
        line = _told(
            found,
            "errors differ between variants (p = {p:.4f}): a comparison by the judge alone is biased",
            "errors differ between variants (p = {p:.4f}): a comparison by the check alone is biased",
            p=found.errors_differ,
        )
    else:
        line = say(
            "errors between variants: no difference shown (p = {p:.4f}); few labels show only large "
            "ones",
            p=found.errors_differ,
        )
    return [line]


def _why_not_compared(found: Calibration) -> str:
    bare = [each.group for each in found.variants if not each.labelled]
    if len(found.variants) < 2:
        return say("the run has only one variant")
    if len(found.variants) - len(bare) < 2:
        return say("no label counts for {variants}", variants=listed(bare))
    return _told(found, "the judge made no error", "the check made no error")


def _rates(found: Calibration) -> list[str]:
    """Three columns: the judge or check alone, corrected, and how many answers are labelled."""
    alone = _told(found, "judge alone", "check alone")
    rows = [["", alone, say("corrected"), say("labelled")]]
    for rate in found.rates:
        corrected = rate.corrected
        value = _value(corrected.estimate, corrected.interval)
        if corrected.missing:
            value = say_n("{n} label missing", "{n} labels missing", corrected.missing)
        if corrected.is_small:
            value = say_n(
                "{n} more labelled answer needed",
                "{n} more labelled answers needed",
                corrected.missing,
            )
        raw = _value(corrected.raw if corrected.n else None, rate.raw_interval)
        of_all = say("{n} of {total}", n=corrected.labelled, total=corrected.n)
        rows.append([rate.variant, raw, value, of_all])
    return [
        *_columns(rows),
        say(
            "corrected: by the labels; its interval has the error of the questions and of the labels"
        ),
    ]


def _true_rates(found: Calibration) -> list[str]:
    """Rogan and Gladen's rates, each with the answers that it is about, or what is missing."""
    here = [(each.variant, each.rogan_gladen_of_unlabelled_answers) for each in found.rates]
    elsewhere = [(each.variant, each.rogan_gladen_by_labels_of_other_runs) for each in found.rates]
    lines: list[str] = []
    for title, rates in ((_UNLABELLED, here), (_ELSEWHERE, elsewhere)):
        known = [f"  {name}: {_true_rate(found, rate)}" for name, rate in rates if rate is not None]
        if known:
            lines += ["", *map(say, title), *known]
    return lines


_UNLABELLED: Final = (
    "answers without a label, by sensitivity and specificity (Rogan and Gladen):",
    "not the rate of the variant: its labelled answers are not in it; that rate is 'corrected'",
)
_ELSEWHERE: Final = (
    "all answers, by the errors on labelled answers of other runs (Rogan and Gladen):",
)


def _true_rate(found: Calibration, rate: TrueRate) -> str:
    about = f"n={rate.answers}"
    if rate.rate is not None:
        return f"{_value(rate.rate, rate.interval)} {about}"
    if rate.is_unequal:
        return f"– {about}: {say('the labels were drawn with unequal probabilities')}"
    if rate.is_guess:
        why = _told(
            found, "the judge is not better than a guess", "the check is not better than a guess"
        )
        return f"– {about}: {why}"
    parts = []
    if rate.missing_right:
        parts.append(
            say_n(
                "{n} label of right answers (of {least})",
                "{n} labels of right answers (of {least})",
                rate.missing_right,
                least=FEWEST_OF_A_KIND,
            )
        )
    if rate.missing_wrong:
        parts.append(
            say_n(
                "{n} label of wrong answers (of {least})",
                "{n} labels of wrong answers (of {least})",
                rate.missing_wrong,
                least=FEWEST_OF_A_KIND,
            )
        )
    if rate.missing_answers:
        parts.append(
            say_n(
                "{n} answer (of {least})",
                "{n} answers (of {least})",
                rate.missing_answers,
                least=FEWEST_UNLABELLED,
            )
        )
    return f"– {about}: {say('missing {text}', text=listed(parts))}"


def _differences(found: Calibration) -> list[str]:
    lines = []
    for difference in found.differences:
        corrected = difference.corrected
        if corrected.estimate is None:
            alone = _told(
                found, "judge alone {raw:+.3f}", "check alone {raw:+.3f}", raw=corrected.raw
            )
            missing = say_n(
                "{n} label is missing for a correction ({least} for each variant)",
                "{n} labels are missing for a correction ({least} for each variant)",
                corrected.missing,
                least=FEWEST_LABELS,
            )
            text = f"{alone}; {missing}"
        else:
            text = _told(
                found,
                "judge alone {raw:+.3f}, corrected {value}",
                "check alone {raw:+.3f}, corrected {value}",
                raw=corrected.raw,
                value=_value(corrected.estimate, corrected.interval, signed=True),
            )
        lines.append(f"  {difference.variant} - {difference.base}: {text}")
    if lines and found.stops_early:
        lines.append(f"  {say('no intervals: {why}', why=say(_EARLY_RUN))}")
    return ["", say("differences:"), *lines] if lines else []


_GUESS: Final = " (its errors are assumed; label some and plan again)"


def plan_text(plan: LabelPlan) -> list[str]:
    """How many labels each variant needs."""
    lines = [
        say(
            "{judge}: labels for an interval of the corrected rate that is at most {width:g} wide in four of five runs",
            judge=plan.judge,
            width=plan.width,
        )
    ]
    for each in plan.variants:
        if each.needed is None:
            needed = say_n(
                "not reachable with {n} answer: the questions are too few",
                "not reachable with {n} answers: the questions are too few",
                each.answers,
            )
        else:
            needed = say(
                "{n} of {total} answers, {missing} still missing",
                n=each.needed,
                total=each.answers,
                missing=each.missing,
            )
        labelled = say("{n} labelled", n=each.labelled)
        lines.append(f"  {each.variant}: {labelled}; {needed}{say(_GUESS) if each.assumed else ''}")
    if not plan.differences:
        return lines
    lines.append(
        say(
            "labels of each side for an interval of the corrected difference that is at most {width:g} wide",
            width=plan.width,
        )
    )
    for difference in plan.differences:
        if difference.needed is None:
            needed = say_n(
                "not reachable with {n} answer: the questions are too few",
                "not reachable with {n} answers: the questions are too few",
                difference.pairs,
            )
        else:
            needed = say("{n} of {total} answers", n=difference.needed, total=difference.pairs)
        guess = say(_GUESS) if difference.assumed else ""
        lines.append(f"  {difference.variant} - {difference.base}: {needed}{guess}")
    return lines


def drawn_lines(drawn: Counter[str], count: int, unlabelled: int) -> list[str]:
    """How many answers were drawn, and how many of each variant if there are several."""
    lines = [
        file_line(
            "drawn",
            say_n(
                "{n} answer, {unlabelled} of them without a label",
                "{n} answers, {unlabelled} of them without a label",
                drawn.total(),
                unlabelled=unlabelled,
            ),
        )
    ]
    if len(drawn) > 1:
        each = listed(f"{visible_line(variant)} {n}" for variant, n in drawn.items())
        note = say(
            "--draw {count} is for each variant, or all that it has: {each}",
            count=count,
            each=each,
        )
        lines.append(f"  {note}")
    return lines


def _columns(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """The rows with aligned columns; those of ``right`` are aligned to the right."""
    widths = [max(display_width(row[index]) for row in rows) for index in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = []
        for index, (text, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - display_width(text))
            cells.append(space + text if index in right else text + space)
        lines.append("  ".join(cells).rstrip())
    return lines


def _share(share: Share) -> str:
    if share.rate is None:
        return MISSING
    return f"{_value(share.rate, share.interval)} n={share.n}"


def _value(value: float | None, interval: Interval | None, *, signed: bool = False) -> str:
    if value is None:
        return MISSING
    form = "{:+.2f}" if signed else "{:.2f}"
    ends = f" [{form.format(interval.low)}, {form.format(interval.high)}]" if interval else ""
    return form.format(value) + ends


def say_lines(lines: Sequence[str], *, as_json: bool = False) -> None:
    """Print the lines, unless JSON is wanted in their place."""
    if not as_json:
        for line in lines:
            echo(line)


def named_facts(found: Calibration | LabelPlan) -> dict[str, Any]:
    """The fields of a page for programs; the name of a check is not that of a judge."""
    facts: dict[str, Any] = msgspec.to_builtins(found)
    return {"check" if name == "judge" and found.by_check else name: facts[name] for name in facts}


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    echo_json(json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=2))


def warn(warning: Message | str) -> None:
    """Print a warning; nothing if it is empty."""
    if warning:
        echo(say("warning: {warning}", warning=noted(warning)), err=True)
