import re

import pytest

from assay.records import Metric
from assay.report.label import metric_title
from assay.words.language import Lang
from assay.words.say import say_in

METRIC = Metric(
    name="wait_s", field="x", title="Wait", title_zh="等待", title_ru="ожидание", unit="s"
)


@pytest.mark.parametrize(
    ("lang", "title"), [("en", "Wait, s"), ("zh", "等待（秒）"), ("ru", "ожидание, с")]
)
def test_a_metric_has_its_declared_title_and_its_unit(lang: Lang, title: str):
    """The title and the unit are in the language, and the unit is written as usual there."""
    assert metric_title(METRIC, lang) == title


def test_a_metric_without_a_title_shows_what_it_has():
    """A missing translation falls back to the English title, and that to the name."""
    assert metric_title(Metric(name="other", field="x", title="Other"), "ru") == "Other"
    assert metric_title(Metric(name="other", field="x"), "zh") == "other"
    parrots = Metric(name="size", field="x", title="Size", unit="parrots")
    assert metric_title(parrots, "ru") == "Size, parrots"


def test_values_of_fixed_vocabularies_are_said_in_the_language():
    """States, tests, types and difficulties are translated; a user's own value is unchanged."""
    for kind, values in {
        "state": ("running", "complete", "partial"),
        "test": (
            "mcnemar-mid-p",
            "permutation",
            "question-permutation",
            "cluster-permutation",
        ),
        "type": ("fact_exact", "evidence_set", "conflict_gap"),
        "difficulty": ("easy", "medium", "hard", "unspecified"),
        "unit": ("s",),
    }.items():
        for value in values:
            assert re.search("[一-鿿]", say_in("zh", value, kind))
            assert re.search("[а-я]", say_in("ru", value, kind))
    assert say_in("zh", "maritime", "category") == "maritime"
