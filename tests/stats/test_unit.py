"""What is resampled: items, whole questions, or whole documents."""

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.errors import UseError
from assay.records import Estimand, Metric
from assay.stats.analysis import Analysis, analyse
from assay.stats.difference import moments
from assay.stats.effect import Effect, Method
from assay.stats.mean_interval import mean_interval
from assay.stats.scores import Scores, method_of_units

RIGHT = Metric(name="right", field="right", kind="rate")
SCORE = Metric(name="score", field="right")
MEAN_LATENCY = Metric(name="mean", field="right", unit="s", better="lower")
MEDIAN = Metric(name="median", field="right", kind="p50", unit="s", better="lower")
P95 = Metric(name="p95", field="right", kind="p95", unit="s", better="lower")


def asked(
    values: NDArray[np.float64], times: int, clusters: NDArray[np.intp] | None = None
) -> Scores:
    """Every question asked ``times`` times with the same result; a row for each variant."""
    count = values.shape[1]
    questions = np.repeat(np.arange(count), times)
    return Scores(
        items=[
            f"q{question:03d}::{time:02d}" for question in range(count) for time in range(times)
        ],
        variants=tuple("abc"[: len(values)]),
        status=np.ones((len(values), count * times), np.uint8),
        values={"right": np.repeat(values, times, axis=1)},
        clusters=None if clusters is None else np.repeat(clusters, times),
        questions=questions,
    )


def only_effect(analysis: Analysis) -> Effect:
    """The one comparison."""
    (effect,) = analysis.effects
    return effect


def changed(count: int, of: int) -> NDArray[np.float64]:
    """A baseline that is always right, and a variant that fails ``count`` questions."""
    values = np.ones((2, of))
    values[1, :count] = 0.0
    return values


def test_one_question_at_twenty_placements_is_no_evidence():
    """One changed question of ten is too few to tell, however often it was asked."""
    effect = only_effect(analyse(asked(changed(1, 10), 20), [RIGHT], baseline="a"))
    assert (effect.n, effect.units, effect.lost) == (200, 10, 20)
    assert effect.test == "question-permutation"
    assert effect.p_value == 0.5
    assert effect.verdict == "too few"
    assert effect.needed == 5
    assert str(effect.note) == "1 question changed; a verdict needs 5"
    assert effect.interval is not None
    assert effect.interval.low < 0 < effect.interval.high


@pytest.mark.parametrize("count", range(1, 9))
def test_the_smallest_p_depends_on_the_changed_questions(count: int):
    """With k questions that all became worse, mid-p is 2^-k, and five are needed for a verdict."""
    effect = only_effect(analyse(asked(changed(count, 12), 7), [RIGHT], baseline="a"))
    assert effect.p_value == 2.0**-count
    assert effect.verdict == ("worse" if count >= 5 else "too few")


def test_repetitions_change_no_verdict():
    """The same answers once or twenty times: the same p-value, and hardly another interval."""
    rng = np.random.default_rng(4)
    values = (rng.random((2, 40)) < [[0.4], [0.8]]).astype(np.float64)
    once = only_effect(analyse(asked(values, 1), [SCORE], baseline="a"))
    often = only_effect(analyse(asked(values, 20), [SCORE], baseline="a"))
    assert once.test == "mcnemar-mid-p"
    assert often.p_value == pytest.approx(once.p_value, abs=0.002)
    assert often.verdict == once.verdict == "better"
    assert once.interval is not None
    assert often.interval is not None
    assert often.interval.low == pytest.approx(once.interval.low, abs=0.03)
    assert often.interval.high == pytest.approx(once.interval.high, abs=0.05)


def test_questions_that_are_asked_once_change_nothing():
    """Numbers of questions that are all different give exactly the analysis without them."""
    rng = np.random.default_rng(5)
    values = (rng.random((3, 30)) < 0.6).astype(np.float64)
    with_numbers = asked(values, 1)
    without = Scores(
        items=with_numbers.items,
        variants=with_numbers.variants,
        status=with_numbers.status,
        values=with_numbers.values,
    )
    metrics = [RIGHT, MEDIAN]
    assert analyse(with_numbers, metrics, baseline="a") == analyse(without, metrics, baseline="a")


def test_the_interval_of_a_value_counts_questions():
    """Five of ten questions right at 20 placements: the interval is that over ten questions."""
    values = np.array([[1.0] * 5 + [0.0] * 5])
    scores = asked(values, 20)
    table = analyse(scores, [RIGHT], baseline=None)
    cell = table.variants[0].cells["right"]
    assert scores.questions is not None
    assert cell.n == 200
    assert cell.interval == mean_interval(scores.values["right"][0], clusters=scores.questions)
    assert cell.interval is not None
    assert (round(cell.interval.low, 3), round(cell.interval.high, 3)) == (0.199, 0.801)
    assert (table.unit, table.estimand, table.documents) == ("question", None, 0)


@pytest.mark.parametrize(
    ("documents", "chosen", "unit"),
    [
        (2, None, "question"),
        (9, None, "question"),
        (10, None, "document"),
        (12, "sample", "document"),
        (12, "fixed", "question"),
    ],
)
def test_values_intervals_and_tests_have_the_same_units(
    documents: int, chosen: Estimand | None, unit: str
):
    """From ten documents on they are the units of everything, unless the user says otherwise."""
    rng = np.random.default_rng(6)
    values = (rng.random((2, 60)) < [[0.3], [0.8]]).astype(np.float64)
    scores = asked(values, 4, np.arange(60) % documents)
    analysis = analyse(scores, [RIGHT], baseline="a", documents=chosen)
    assert (analysis.unit, analysis.documents) == (unit, documents)
    assert analysis.estimand == ("sample" if unit == "document" else "fixed")
    (effect,) = analysis.effects
    units = {"document": documents, "question": 60}
    assert effect.units == units[unit]
    assert effect.test == {"document": "cluster", "question": "question"}[unit] + "-permutation"
    numbers = scores.clusters if unit == "document" else scores.questions
    right = scores.values["right"]
    assert analysis.variants[0].cells["right"].interval == mean_interval(right[0], clusters=numbers)


def test_nine_documents_are_no_sample():
    """The reason is said; ten are enough."""
    with pytest.raises(UseError, match="sample needs 10 documents, and the questions come from 9"):
        method_of_units(np.arange(30) % 9, chosen="sample")


def test_documents_of_one_question_each_are_questions():
    """Then a document is drawn with its question, and yes/no has McNemar's test."""
    method = method_of_units(np.arange(20))
    assert (method.unit, method.estimand, method.units) == ("item", "sample", None)
    questions = np.repeat(np.arange(12), 5)
    assert method_of_units(questions, questions).unit == "question"


def test_a_question_is_never_divided_between_documents():
    """Items without a document are documents of their own; those of a question stay together."""
    questions = np.repeat(np.arange(40), 2)
    documents = np.where(np.arange(80) < 60, questions // 3, 100 + np.arange(80))
    method = method_of_units(documents, questions)
    assert method.unit == "document"
    assert method.units is not None
    assert (method.units[::2] == method.units[1::2]).all()


@pytest.mark.parametrize("sizes", [[10] * 12, [1, 2, 3, 5, 8, 40, 2, 2, 9, 9, 30, 1]])
def test_documents_like_these_are_never_less_uncertain(sizes: list[int]):
    """What holds for new documents, too, is never narrower than what holds for these."""
    rng = np.random.default_rng(1)
    for _ in range(60):
        values = rng.choice([0.0, 0.5, 1.0], (2, sum(sizes)))
        scores = asked(values, 1, np.repeat(np.arange(len(sizes)), sizes))
        fixed, sample = (
            analyse(scores, [SCORE], baseline="a", documents=chosen, resamples=199)
            for chosen in ("fixed", "sample")
        )
        for one, other in (
            (fixed.effects[0].plain_interval, sample.effects[0].plain_interval),
            *zip(
                (cell.cells["score"].interval for cell in fixed.variants),
                (cell.cells["score"].interval for cell in sample.variants),
                strict=True,
            ),
        ):
            assert one is not None
            assert other is not None
            assert other.high - other.low >= one.high - one.low - 1e-9


def test_the_error_of_documents_is_that_of_a_regression_with_cr2():
    """The t statistic and its degrees of freedom are those of Bell and McCaffrey's formulas."""
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(12), rng.integers(1, 9, 12))
    values = rng.normal(0.2, 1, len(clusters)) + rng.normal(0, 2, 12)[clusters]
    found = moments(values, clusters)
    assert found is not None
    n = len(values)
    hat = np.full((n, n), 1 / n)
    rest = np.eye(n) - hat
    parts = []
    for cluster in range(12):
        inside = np.flatnonzero(clusters == cluster)
        block = rest[np.ix_(inside, inside)]
        roots, vectors = np.linalg.eigh(block)
        inverse = vectors @ np.diag(roots**-0.5) @ vectors.T
        parts.append(np.ones(len(inside)) @ inverse @ rest[inside] / n)
    weights = np.array(parts)
    assert found.error == pytest.approx(np.sqrt(np.sum((weights @ values) ** 2)))
    omega = weights @ weights.T
    freedom = np.trace(omega) ** 2 / np.trace(omega @ omega)
    assert found.freedom == int(freedom)


def test_percentiles_need_as_many_questions_as_they_need_values():
    """Twenty questions show a median, not a 95th percentile; five show neither."""
    rng = np.random.default_rng(7)
    for count, has_median in ((20, True), (5, False)):
        scores = asked(rng.lognormal(0, 0.5, (2, count)), 20)
        table = analyse(scores, [MEDIAN, P95], baseline="a")
        cells = table.variants[0].cells
        assert (cells["median"].interval is not None) == has_median
        assert cells["p95"].interval is None
        assert [effect.interval is not None for effect in table.effects] == [has_median, False]
    assert Method().has_units(np.ones(3, bool), 72)


def test_a_mean_without_limits_needs_six_questions():
    """Nobody knows how slow the next question is: five show no mean latency, scores do."""
    rng = np.random.default_rng(9)
    for count in (5, 6):
        cells = analyse(
            asked(rng.uniform(0, 1, (1, count)), 20), [SCORE, MEAN_LATENCY], baseline=None
        )
        shown = [cell.interval is not None for cell in cells.variants[0].cells.values()]
        assert shown == [True, count == 6]


def test_shuffled_items_give_the_same_numbers():
    """The order in which answers were recorded changes nothing."""
    rng = np.random.default_rng(8)
    values = (rng.random((2, 30)) < [[0.5], [0.7]]).astype(np.float64)
    scores = asked(values, 6)
    order = rng.permutation(180)
    assert scores.questions is not None
    shuffled = Scores(
        items=[scores.items[place] for place in order],
        variants=scores.variants,
        status=scores.status,
        values={"right": scores.values["right"][:, order]},
        questions=scores.questions[order],
    )
    assert analyse(shuffled, [RIGHT], baseline="a") == analyse(scores, [RIGHT], baseline="a")


def test_the_numbers_of_questions_must_fit_the_items():
    """There is one number for each item."""
    with pytest.raises(ValueError, match="questions: the shape"):
        Scores(
            items=["a", "b"],
            variants=("v",),
            status=np.ones((1, 2), np.uint8),
            values={},
            questions=np.zeros(3, np.intp),
        )
