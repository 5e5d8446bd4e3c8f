import re

import pytest

from assay.jobs.review.preparation import SAMPLE_NAME
from assay.records import Metric
from assay.report.words.label import metric_title, value_word
from assay.report.words.translation import translation


@pytest.mark.parametrize("name", sorted(translation("zh").metric))
def test_known_metrics_have_titles_in_their_script(name: str):
    """The titles of metrics are translated, not left in English."""
    metric = Metric(name=name, field="x")
    assert re.search("[一-鿿]", metric_title(metric, "zh"))
    assert re.search("[а-я]", metric_title(metric, "ru"))


def test_a_metric_keeps_its_own_title():
    """English shows the metric's own title; other languages prefer a translation of its name."""
    metric = Metric(name="avg_gold_coverage", field="x", title="My coverage")
    assert metric_title(metric, "en") == "My coverage"
    assert metric_title(metric, "zh") == "金标覆盖率"
    assert metric_title(Metric(name="other", field="x", title="Other"), "ru") == "Other"
    assert metric_title(Metric(name="other", field="x"), "ru") == "other"


def test_values_of_fixed_vocabularies_are_said_in_the_language():
    """States, tests, types and difficulties are translated; a user's own value is unchanged."""
    for kind, values in {
        "state": ("running", "complete", "partial"),
        "test": ("mcnemar-exact", "permutation", "cluster-permutation"),
        "type": ("fact_exact", "evidence_set", "conflict_gap"),
        "difficulty": ("easy", "medium", "hard", "unspecified"),
        "unit": ("s",),
        "source": (SAMPLE_NAME,),
    }.items():
        for value in values:
            assert value_word(kind, value) == value
            assert re.search("[一-鿿]", value_word(kind, value, "zh"))
            assert re.search("[а-я]", value_word(kind, value, "ru"))
    assert value_word("category", "maritime", "zh") == "maritime"
