"""What is resampled: items, whole questions, or whole documents."""

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.records import Metric
from assay.stats.analysis import Analysis, analyse
from assay.stats.comparison import paired_effect
from assay.stats.difference import moments
from assay.stats.effect import Effect, Method
from assay.stats.flip import Flips
from assay.stats.mean_interval import mean_interval
from assay.stats.resample import stream
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
    assert (effect.n, effect.questions, effect.lost) == (200, 10, 20)
    assert effect.test == "question-permutation"
    assert effect.p_value == 1.0
    assert effect.verdict == "too few"
    assert effect.needed == 6
    assert str(effect.note) == "1 question changed; a verdict needs 6"
    assert effect.interval is not None
    assert effect.interval.low < 0 < effect.interval.high


@pytest.mark.parametrize("count", range(1, 9))
def test_the_smallest_p_depends_on_the_changed_questions(count: int):
    """With k questions that all became worse, p is 2^-(k-1), and six are needed for a verdict."""
    effect = only_effect(analyse(asked(changed(count, 12), 7), [RIGHT], baseline="a"))
    assert effect.p_value == 2.0 ** -(count - 1)
    assert effect.verdict == ("worse" if count >= 6 else "too few")


def test_repetitions_change_no_verdict():
    """The same answers once or twenty times: the same p-value, and hardly another interval."""
    rng = np.random.default_rng(4)
    values = (rng.random((2, 40)) < [[0.4], [0.8]]).astype(np.float64)
    once = only_effect(analyse(asked(values, 1), [SCORE], baseline="a"))
    often = only_effect(analyse(asked(values, 20), [SCORE], baseline="a"))
    assert once.test == "mcnemar-exact"
    assert often.p_value == pytest.approx(once.p_value, abs=0.002)
    assert often.verdict == once.verdict == "better"
    assert once.interval is not None
    assert often.interval is not None
    assert often.interval.low == pytest.approx(once.interval.low, abs=0.03)
    assert often.interval.high == pytest.approx(once.interval.high, abs=0.03)


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
    assert (table.by_question, table.clustered, table.documents) == (True, False, 0)


def test_a_metric_that_is_defined_once_for_each_question_is_not_clustered():
    """If only one placement of each question has a value, its interval is the usual one."""
    scores = asked(np.array([[1.0] * 8 + [0.0] * 4]), 5)
    values = scores.values["right"].copy()
    values[:, np.arange(60) % 5 > 0] = np.nan
    once = Scores(
        items=scores.items,
        variants=scores.variants,
        status=scores.status,
        values={"right": values},
        questions=scores.questions,
    )
    cell = analyse(once, [RIGHT], baseline=None).variants[0].cells["right"]
    assert cell.interval == mean_interval(values[0])


@pytest.mark.parametrize(
    ("documents", "test", "is_wide"),
    [
        (2, "question-permutation", False),
        (5, "question-permutation", True),
        (12, "cluster-permutation", False),
    ],
)
def test_documents_win_where_there_are_enough(documents: int, test: str, is_wide: bool):
    """Ten documents are flipped; three to nine only make the plain interval wider."""
    rng = np.random.default_rng(6)
    values = (rng.random((2, 60)) < [[0.3], [0.8]]).astype(np.float64)
    scores = asked(values, 4, np.arange(60) % documents)
    effect = only_effect(analyse(scores, [RIGHT], baseline="a"))
    assert effect.test == test
    assert effect.plain_interval is not None
    assert (effect.plain_interval.method == "cluster-t") == is_wide
    changes = scores.values["right"][1] - scores.values["right"][0]
    units = scores.clusters if documents == 12 else scores.questions
    assert units is not None
    sums = np.bincount(units, weights=changes)
    lowered = moments(changes, units)
    assert lowered is not None
    flips = Flips.of_rows(
        sums[:, None], resamples=10_000, rng=stream(0), most_shown=lowered.most_shown()
    )
    assert effect.p_value == pytest.approx(flips.p_value(0), abs=0.003)


def test_a_document_with_one_question_at_many_placements_is_no_document_with_several():
    """What counts are questions of a document, not placements of one question."""
    questions = np.repeat(np.arange(12), 5)
    method = method_of_units(questions, questions)
    assert method.by_question
    assert method.documents is None


def test_a_question_is_never_divided_between_documents():
    """Items without a document are documents of their own; those of a question stay together."""
    questions = np.repeat(np.arange(40), 2)
    documents = np.where(np.arange(80) < 60, questions // 3, 100 + np.arange(80))
    method = method_of_units(documents, questions)
    assert not method.by_question
    assert method.clusters is not None
    assert (method.clusters[::2] == method.clusters[1::2]).all()


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((40,), 1),
        ((20, 20), 2),
        ((20, 19, 1), 2),  # the third has one question
        ((14, 13, 13), 0),  # the plain interval is about new documents
        ((2, *[1] * 38), 0),  # nearly every question has a document of its own
    ],
)
def test_a_verdict_from_one_or_two_documents_is_about_these(sizes: tuple[int, ...], expected: int):
    """Questions of one or two documents show nothing about new ones, whatever their number."""
    documents = np.repeat(np.arange(len(sizes)), sizes)
    method = method_of_units(documents)
    assert method.few_documents == expected
    effect = paired_effect(
        Metric(name="mrr", field="mrr", better="higher"),
        "new",
        "old",
        np.ones(40),
        np.zeros(40),
        method,
    )
    assert effect.verdict == "better"
    assert effect.is_local == bool(expected)
    assert ("shown for these documents, but not for new ones" in str(effect.note)) == bool(expected)


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
    assert Method().can_tell(np.ones(3, bool), 72)


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
