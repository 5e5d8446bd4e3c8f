import re
import string

import pytest

from assay.jobs.review.run import SAMPLE_NAME
from assay.records import Metric
from assay.report.words import label
from assay.report.words.label import metric_title, value_word, word

KEYS = sorted(label._WORDS)


def fields(text: str) -> set[str | None]:
    """Names between braces."""
    return {field for _, field, _, _ in string.Formatter().parse(text)} - {None}


@pytest.mark.parametrize("key", KEYS)
def test_a_word_has_the_same_fields_in_each_language(key: str):
    """A line filled in English can be filled in Chinese and Russian."""
    texts = [word(key, lang) for lang in ("en", "zh", "ru")]
    assert all(texts)
    assert len({frozenset(fields(text)) for text in texts}) == 1


@pytest.mark.parametrize("name", sorted(label._METRICS))
def test_known_metrics_have_titles_in_their_script(name: str):
    """The metrics of the tables are translated, not only transliterated."""
    metric = Metric(name=name, field="x")
    assert re.search("[一-鿿]", metric_title(metric, "zh"))
    assert re.search("[а-я]", metric_title(metric, "ru"))


def test_a_metric_keeps_its_own_title():
    """In English a title of its own wins; an unknown metric keeps it in every language."""
    own = Metric(name="avg_gold_coverage", field="x", title="My coverage")
    assert metric_title(own, "en") == "My coverage"
    assert metric_title(own, "zh") == "金标覆盖率"
    assert metric_title(Metric(name="other", field="x", title="Other"), "ru") == "Other"
    assert metric_title(Metric(name="other", field="x"), "ru") == "other"


def test_values_of_fixed_vocabularies_are_said_in_the_language():
    """A state, a test, a type or a difficulty has a word; in English it stands as it is."""
    for kind, values in {
        "state": ("running", "complete", "partial"),
        "test": ("mcnemar-exact", "wilcoxon", "cluster-permutation"),
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
