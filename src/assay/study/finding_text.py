"""Findings in plain words: what changed, by how much, whether by more than noise, at what cost."""

from typing import Final

from msgspec import UNSET

from assay.records import Metric
from assay.report.label import metric_title, value_word, word
from assay.report.look import real_minus, shown_p
from assay.results.column import Bill, paired_bills
from assay.stats.effect import Effect
from assay.study.finding import RunFindings
from assay.words.language import Lang

_SENTENCES: Final[dict[str, tuple[str, str, str]]] = {
    "head": (
        "{variant} against {baseline}: ",
        "{variant} 对比 {baseline}：",
        "{variant} против {baseline}: ",
    ),
    "undefined": (
        "{title} cannot be compared: no question has a value in both",
        "{title}无法比较：没有两边都有值的问题",
        "{title}: сравнить нельзя, нет вопросов со значением в обоих",
    ),
    "amount": ("{amount} {title}", "{title} {amount}", "{title} {amount}"),
    "points": ("{number} points", "{number} 个百分点", "{number} п. п."),
    "better": ("{shown}, {p}: better", "{shown}，{p}：更好", "{shown}, {p}: лучше"),
    "worse": ("{shown}, {p}: worse", "{shown}，{p}：更差", "{shown}, {p}: хуже"),
    "unclear": (
        "{shown}, {p}: no difference shown",
        "{shown}，{p}：未显示差异",
        "{shown}, {p}: различие не показано",
    ),
    "too few": (
        "{shown}; no verdict: too few questions or documents differ to tell",
        "{shown}；不作判定：有差异的问题或文档太少",
        "{shown}; вывода нет: слишком мало вопросов или документов с различиями",
    ),
    "needed": (
        " (at least {n} must)",
        "（至少需要 {n} 个）",
        " (нужно не менее {n})",
    ),
    "local": (
        " (for these documents, not shown for new ones)",
        "（仅就这些文档而言，对新文档未显示）",
        " (для этих документов, для новых не показано)",
    ),
    "detectable": (
        " ({n} questions would show one of {amount} or more)",
        "（{n} 题可检出不小于 {amount} 的差异）",
        " ({n} вопросов показали бы разность от {amount})",
    ),
    "decided better": (
        "{shown}: better, decided after {n} of {total} questions",
        "{shown}：更好，在 {total} 题中的第 {n} 题后判定",
        "{shown}: лучше, решено после {n} вопросов из {total}",
    ),
    "decided worse": (
        "{shown}: worse, decided after {n} of {total} questions",
        "{shown}：更差，在 {total} 题中的第 {n} 题后判定",
        "{shown}: хуже, решено после {n} вопросов из {total}",
    ),
    "decided equivalent": (
        "{shown}: equivalent within the margin, decided after {n} of {total} questions",
        "{shown}：在容许范围内等同，在 {total} 题中的第 {n} 题后判定",
        "{shown}: равноценно в пределах допуска, решено после {n} вопросов из {total}",
    ),
    "decided undecided": (
        "{shown}: undecided after {n} of {total} questions",
        "{shown}：{total} 题中问了 {n} 题，仍未判定",
        "{shown}: не решено после {n} вопросов из {total}",
    ),
    "all recorded": (
        "; all {n} recorded questions: {amount}",
        "；全部已记录的 {n} 题：{amount}",
        "; по всем {n} записанным вопросам: {amount}",
    ),
    "same": (
        "{shown}: no question differs",
        "{shown}：没有题目有差异",
        "{shown}: различий нет ни в одном вопросе",
    ),
    "untested": ("{shown}, no test", "{shown}，未检验", "{shown}, без проверки"),
    "cost": (
        "; costs {ratio} × as much",
        "；费用为 {ratio} 倍",
        "; стоимость {ratio} × базы",
    ),
    "calls": (
        "; takes {ratio} × the calls",
        "；调用为 {ratio} 倍",
        "; вызовов {ratio} × базы",
    ),
}


def verdicts(findings: RunFindings, metric: Metric, lang: Lang = "en") -> list[str]:
    """One sentence for each variant except the baseline, and one about the correction."""
    scores, base = findings.results.scores, findings.baseline
    stopped = {each.name for each in findings.analysis.variants if each.tally.spared}
    effects = [
        effect
        for effect in findings.analysis.effects
        if effect.metric == metric.name and effect.baseline == base
    ]
    bills = {effect.variant: paired_bills(scores, (effect.variant, base)) for effect in effects}
    sentences = [
        verdict(
            effect,
            metric,
            bills[effect.variant][effect.variant],
            bills[effect.variant][base],
            lang,
            questions=findings.items,
            has_stopped=effect.variant in stopped,
        )
        for effect in effects
    ]
    for family in dict.fromkeys(effect.family for effect in effects):
        compared = findings.analysis.comparisons[family]
        if compared > 1:
            title = word(f"family {family}", lang)
            sentences.append(word("correction note", lang).format(n=compared, family=title))
    return sentences


def verdict(
    effect: Effect,
    metric: Metric,
    bill: Bill,
    base: Bill,
    lang: Lang = "en",
    *,
    questions: int = 0,
    has_stopped: bool = True,
) -> str:
    """One comparison in a sentence.

    It contains the difference in percentage points, or in the unit of the metric, with its
    interval, the p-value corrected for all comparisons of its family, and the ratio of the costs
    or calls. The bills are those of the cases that both have scored (``paired_bills``). For a run that stopped early, it says after how many of its ``questions``, and if the
    variant was asked on nevertheless (not ``has_stopped``), what all recorded answers say.
    """
    title = metric_title(metric, lang)
    head = _say("head", lang, variant=effect.variant, baseline=effect.baseline)
    if effect.difference is None or not effect.n:
        return head + _say("undefined", lang, title=title)
    shown = _say("amount", lang, amount=_amount(effect.difference, metric, lang), title=title)
    if effect.interval is not None:
        low, high = effect.interval.low, effect.interval.high
        shown += f" [{_number(low, metric)}, {_number(high, metric)}]"
    if effect.decision is not UNSET:
        asked, total = effect.decision.questions, max(questions, effect.decision.questions)
        decided = _say(f"decided {effect.verdict}", lang, shown=shown, n=asked, total=total)
        decided += _say("local", lang) if effect.is_local else ""
        return head + decided + ("" if has_stopped else _all_recorded(effect, metric, lang))
    # there is no test for a percentile, only an interval
    key: str = "untested" if effect.verdict == "unclear" and not effect.test else effect.verdict
    if effect.gained == 0 and effect.lost == 0:
        key = "same"
    sentence = _say(key, lang, shown=shown, p=_p(effect.p_adjusted))
    if key == "unclear" and effect.detectable is not None:
        least = _amount(effect.detectable, metric, lang).lstrip("+")
        questions = effect.n if effect.questions is UNSET else effect.questions
        sentence += _say("detectable", lang, n=questions, amount=least)
    if effect.is_local:
        sentence += _say("local", lang)
    if key == "too few" and effect.needed is not None:
        sentence += _say("needed", lang, n=effect.needed)
    return head + sentence + _price(bill, base, lang)


def _say(key: str, lang: Lang, **fields: object) -> str:
    return _SENTENCES[key][("en", "zh", "ru").index(lang)].format(**fields)


def _all_recorded(effect: Effect, metric: Metric, lang: Lang) -> str:
    """The difference of all recorded pairs, if there are more than those that decided."""
    n, difference = effect.recorded_n, effect.recorded_difference
    if n is UNSET or n <= effect.n or not isinstance(difference, float):
        return ""
    return _say("all recorded", lang, n=n, amount=_amount(difference, metric, lang))


def _price(bill: Bill, base: Bill, lang: Lang) -> str:
    if base.cost and bill.cost is not None:
        return _say("cost", lang, ratio=f"{bill.cost / base.cost:.1f}")
    if base.calls and bill.calls:
        return _say("calls", lang, ratio=f"{bill.calls / base.calls:.1f}")
    return ""


def _amount(value: float, metric: Metric, lang: Lang) -> str:
    number = _number(value, metric)
    if metric.unit:
        return f"{number} {value_word('unit', metric.unit, lang)}"
    return _say("points", lang, number=number)


def _number(value: float, metric: Metric) -> str:
    return real_minus(f"{value:+.3f}" if metric.unit else f"{100 * value:+.1f}")


def _p(value: float | None) -> str:
    number = shown_p(value)
    return f"p = {number}" if number[0].isdigit() else f"p {number}"
