"""Findings in plain words, in three languages."""

import pytest

from assay.records import Metric
from assay.results.column import Bill
from assay.results.job import JOBS
from assay.stats.effect import Effect
from assay.stats.interval import Interval
from assay.study.finding_text import verdict
from assay.words.language import Lang
from assay.words.message import text_of

COVERAGE = JOBS.get_own("ablation").metric("avg_gold_coverage")
LATENCY = Metric(
    name="avg_latency_s", field="elapsed_s", title="Mean latency", better="lower", unit="s"
)
SPREAD = Interval(low=-0.004, high=0.11, method="max-t")


def effect(**changes: object) -> Effect:
    """An effect of 6.2 points, and what else is given."""
    given = {
        "variant": "rerank_on",
        "baseline": "rerank_off",
        "metric": "avg_gold_coverage",
        "n": 90,
        "difference": 0.0617,
        "interval": SPREAD,
        "test": "permutation",
        "p_value": 0.002,
        "p_adjusted": 0.0041,
        "verdict": "better",
    }
    return Effect(**{**given, **changes})  # type: ignore[arg-type]


def told(found: Effect, metric: Metric, bill: Bill, base: Bill, lang: Lang = "en") -> str:
    """The verdict in a language."""
    return text_of(verdict(found, metric, bill, base), lang)


SAID: dict[tuple[str, Lang], str] = {
    ("better", "en"): "+6.2 points Recall@k [−0.4, +11.0], p = 0.004: better",
    ("better", "zh"): "Recall@k +6.2 个百分点 [−0.4, +11.0]，p = 0.004：更好",
    ("better", "ru"): "Recall@k +6.2 п. п. [−0.4, +11.0], p = 0.004: лучше",
    ("worse", "en"): "p = 0.004: worse",
    ("worse", "zh"): "p = 0.004：更差",
    ("worse", "ru"): "p = 0.004: хуже",
    (
        "unclear",
        "en",
    ): "no difference shown (for planning: with 90 questions, a true difference of 3.0 points "
    "is found in four of five runs)",
    (
        "unclear",
        "zh",
    ): "未显示差异（供规划参考：用 90 题，若真实差异为 3.0 个百分点，五次运行中有四次能检出）",
    (
        "unclear",
        "ru",
    ): "различие не показано (для планирования: с 90 вопросами истинная разность 3.0 п. п. "
    "обнаруживается в четырёх прогонах из пяти)",
    ("too few", "en"): "no verdict: too few questions or documents differ to tell",
    ("too few", "zh"): "不作判定：有差异的问题或文档太少",
    ("too few", "ru"): "вывода нет: слишком мало вопросов или документов с различиями",
}


@pytest.mark.parametrize(("said", "lang"), SAID)
def test_every_verdict_in_every_language(said: str, lang: Lang):
    """The variant, the difference with its interval, the corrected p-value, the verdict."""
    sentence = told(effect(verdict=said, detectable=0.03), COVERAGE, Bill(), Bill(), lang)
    assert sentence.endswith(SAID[said, lang])
    assert "rerank_on" in sentence
    assert "rerank_off" in sentence
    assert ("p =" in sentence) == (said != "too few")


def test_equal_answers_have_a_limit_and_no_interval():
    """If nothing differs, it is said how many such questions would at most."""
    same = effect(
        n=9, difference=0.0, gained=0, lost=0, at_most=0.336, verdict="too few", p_adjusted=None
    )
    sentence = told(same, COVERAGE, Bill(), Bill())
    assert sentence.endswith(
        "none of 9 questions differs; at most 34\u00a0% of such questions would differ (95% confidence)"
    )
    assert "[" not in sentence
    assert "9 题中没有一题有差异" in told(same, COVERAGE, Bill(), Bill(), "zh")
    assert "ни один из 9 вопросов" in told(same, COVERAGE, Bill(), Bill(), "ru")


def test_too_few_says_how_many_are_needed():
    """The sentence has the number of questions that must differ before anything can be shown."""
    few = effect(verdict="too few", needed=9)
    assert told(few, COVERAGE, Bill(), Bill()).endswith("differ to tell (at least 9 must)")
    assert told(few, COVERAGE, Bill(), Bill(), "zh").endswith("文档太少（至少需要 9 个）")
    assert told(few, COVERAGE, Bill(), Bill(), "ru").endswith("(нужно не менее 9)")


def test_what_it_costs_is_part_of_the_sentence():
    """In money where both are priced, else in calls, else nothing."""
    priced, base = Bill(calls=42, cost=0.42), Bill(calls=20, cost=0.20)
    assert told(effect(), COVERAGE, priced, base).endswith("better; costs 2.1 × as much")
    free = Bill(calls=20)
    assert told(effect(), COVERAGE, priced, free).endswith("; takes 2.1 × the calls")
    assert told(effect(), COVERAGE, priced, Bill()).endswith(": better")
    assert "стоимость 2.1 × базы" in told(effect(), COVERAGE, priced, base, "ru")
    assert "费用为 2.1 倍" in told(effect(), COVERAGE, priced, base, "zh")


def test_a_metric_with_a_unit_is_said_in_it():
    """Seconds are not points."""
    sentence = told(effect(difference=-0.25, verdict="better"), LATENCY, Bill(), Bill())
    assert "−0.250 s Mean latency, s" in sentence
    assert "points" not in sentence
    faster = effect(difference=-0.25, verdict="better")
    assert "−0.250 秒" in told(faster, LATENCY, Bill(), Bill(), "zh")
    assert "−0.250 с" in told(faster, LATENCY, Bill(), Bill(), "ru")


def test_a_tiny_p_value_is_not_zero():
    """The smallest is said as a bound."""
    assert "p < 0.001: better" in told(effect(p_adjusted=1e-9), COVERAGE, Bill(), Bill())


def test_no_minus_is_before_zero():
    """An end of an interval that rounds to nothing has no side."""
    interval = Interval(low=-0.0001, high=0.0001, method="max-t")
    sentence = told(effect(difference=0.0, interval=interval), COVERAGE, Bill(), Bill())
    assert "0.0 points Recall@k [0.0, 0.0]" in sentence
    assert "−0.0" not in sentence
    assert "+0.0" not in sentence


def test_nothing_is_said_of_what_was_not_tested():
    """Percentiles have an interval and no test: no "no difference" is claimed."""
    untested = effect(test="", p_value=None, p_adjusted=None, verdict="unclear")
    assert told(untested, LATENCY, Bill(), Bill()).endswith("[−0.004, +0.110], no test")


def test_what_cannot_be_compared_says_so():
    """No question with a value in both is no difference of zero."""
    blank = effect(n=0, difference=None, interval=None, p_adjusted=None, verdict="too few")
    sentence = told(blank, COVERAGE, Bill(), Bill())
    assert sentence.endswith("Recall@k cannot be compared: no question has a value in both")
    assert "无法比较" in told(blank, COVERAGE, Bill(), Bill(), "zh")
    assert "сравнить нельзя" in told(blank, COVERAGE, Bill(), Bill(), "ru")
