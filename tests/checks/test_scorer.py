"""The declaration of a scorer, and the values that it may give."""

import math
from typing import Any

import numpy as np
import pytest

from assay.checks.scorer import Scorer, Subject

SUBJECT = Subject(job="ablation", question_id="q1", question="Why?", answer="Because.")


def scorer(value: Any = 1, **fields: Any) -> Scorer:
    """A scorer that always gives ``value``."""
    declared: dict[str, Any] = {
        "name": "depth_of_thought",
        "title": "Depth",
        "title_zh": "深度",
        "title_ru": "глубина",
        "formula": "always the same",
        "undefined": "never",
        "function": lambda _: value,
        **fields,
    }
    return Scorer(**declared)


def test_the_field_follows_from_the_name():
    """A row has the value at ``scores.NAME``, and no other field can be declared."""
    assert scorer().field == "scores.depth_of_thought"
    assert scorer(field="scores.depth_of_thought").field == "scores.depth_of_thought"
    with pytest.raises(
        ValueError, match=r"'depth_of_thought': its field is always scores.depth_of"
    ):
        scorer(field="metrics.depth")


@pytest.mark.parametrize("name", ["", "Depth", "a.b", "a-b", "1st", "глубина"])
def test_a_name_that_a_row_cannot_have_is_refused(name: str):
    """A name has small letters, digits and underscores; a dot would be a step of the path."""
    with pytest.raises(ValueError, match="a name has small letters"):
        scorer(name=name)


def test_everything_that_explains_a_score_is_required():
    """The message names the scorer and all that is missing."""
    with pytest.raises(ValueError, match=r"'depth_of_thought': title_zh, undefined must be given"):
        scorer(title_zh="", undefined=" ")


@pytest.mark.parametrize(
    "value", [True, False, None, 0, 3, 0.5, -2.5, np.float64(0.5), np.float32(0.5)]
)
def test_numbers_booleans_and_none_are_scores(value: Any):
    """They are returned as plain values, which can be written as JSON."""
    given = scorer(value, unit="steps").value(SUBJECT)
    assert given == value
    assert type(given) in {bool, int, float, type(None)}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("high", "depth_of_thought returned 'high' (str); a score is a number"),
        ([1], "depth_of_thought returned [1] (list)"),
        (math.nan, "depth_of_thought returned nan; a score is a finite number"),
        (-math.inf, "depth_of_thought returned -inf"),
    ],
)
def test_anything_else_is_refused_with_the_name(value: Any, message: str):
    """A text, a list, infinity and NaN are no scores."""
    with pytest.raises(ValueError, match="depth_of_thought returned") as refused:
        scorer(value).value(SUBJECT)
    assert message in str(refused.value)


def test_a_rate_is_made_of_yes_and_no():
    """A share cannot be counted as a yes/no value, which the statistics would do."""
    assert scorer(1.0, kind="rate").value(SUBJECT) == 1
    with pytest.raises(ValueError, match=r"returned 0\.5; a rate is made of 0 and 1"):
        scorer(0.5, kind="rate").value(SUBJECT)


@pytest.mark.parametrize("value", [14, -0.1, 1.01])
def test_a_score_without_a_unit_is_a_share(value: Any):
    """Differences of it are shown in percentage points, which other numbers do not have."""
    with pytest.raises(ValueError, match="is a share from 0 to 1, so the scorer needs a unit"):
        scorer(value).value(SUBJECT)
