"""Scorers that users write as functions: what they take, what they may return, how they are declared."""

import math
from typing import Any

import numpy as np
import pytest

import assay
from assay.checks.own_scorer import Declaration, declarations, own_scorer, with_declarations
from assay.checks.registered import registered_scores
from assay.checks.scorer import Subject
from assay.errors import UseError
from assay.records import Passage

SUBJECT = Subject(
    job="ablation",
    question_id="1",
    question="How long?",
    answer="Thirty days.",
    passages=(Passage(id="a", text="Thirty days."),),
    row={"passages": [{"id": "a"}], "expected_answer": ["a month", "Thirty days."]},
)


def scored(function: Any, subject: Subject = SUBJECT) -> Any:
    """What the function gives the answer; the error as a text if it gives none."""
    scorer = own_scorer(function, "1")
    found = registered_scores([scorer], subject)
    return found.errors.get(scorer.name, found.values.get(scorer.name))


def test_it_gets_what_its_parameters_name():
    """Texts, the passages, and of several accepted answers the one with the best score."""

    def all_of_it(answer: str, question: str, passages: list[Passage], expected: str) -> bool:
        return (answer, question, passages[0].text) == (expected, "How long?", answer)

    assert scored(all_of_it) is True
    assert all_of_it("a", "How long?", [Passage(id="1", text="a")], "a")


def test_better_lower_takes_the_lowest_of_several_accepted_answers():
    """The accepted answer that suits the given one best counts."""

    @assay.scorer(better="lower")
    def distance(answer: str, expected: str) -> float:
        return 0.0 if answer == expected else 1.0

    assert scored(distance) == 0.0


def test_it_is_not_called_without_what_it_needs():
    """Unknown passages and no expected answer are no score; a parameter with a default needs nothing."""
    unknown = Subject(job="ablation", question_id="1", question="", answer="")
    assert scored(lambda_named("needs_passages", lambda passages: 1), unknown) is None
    assert scored(lambda_named("needs_expected", lambda expected: 1), unknown) is None
    assert scored(lambda_named("may_have", lambda answer, passages=(): len(passages)), unknown) == 0


def lambda_named(name: str, function: Any) -> Any:
    """The function with a name."""
    function.__name__ = name
    return function


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("good", "a score is a number, a boolean or None"),
        (math.nan, "a score is a finite number"),
        (math.inf, "a score is a finite number"),
        (12, "needs a unit"),
    ],
)
def test_what_is_no_score_is_an_error_and_not_zero(value: Any, said: str):
    """Text, NaN, infinity and a count without a unit give no score and a plain message."""
    assert said in scored(lambda_named("odd", lambda answer: value))


@pytest.mark.parametrize("value", [np.float32(0.5), np.float64(0.5), np.array(0.5)])
def test_a_number_of_numpy_is_a_number(value: Any):
    """Whatever its width: cosines of embeddings are float32."""
    assert scored(lambda_named("odd", lambda answer: value)) == 0.5


def test_a_truth_value_of_numpy_is_one():
    """A comparison of numbers of NumPy is no bool of Python."""
    assert scored(lambda_named("odd", lambda answer: np.float32(2) > 1)) is True


def test_an_error_that_cannot_be_written_is_kept_by_its_type():
    """The error of a user's class must not end the run."""

    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    def fails(answer: str) -> bool:
        raise Mute

    assert scored(fails) == "Mute"


def test_an_error_of_the_function_is_kept_as_its_line():
    """The other scores of the answer are not touched."""

    def fails(answer: str) -> bool:
        raise KeyError(answer)

    assert scored(fails) == "KeyError: 'Thirty days.'"


def test_a_function_that_cannot_be_called_is_refused_with_the_nearest_name():
    """Unknown parameters, none at all, async functions and names that no score can have."""

    async def later(answer: str) -> bool:
        return True

    for function, said in (
        (lambda_named("polite", lambda answr: 1), "'answr'; did you mean 'answer'?"),
        (lambda_named("polite", lambda: 1), "takes none of answer, question, passages, expected"),
        (later, "is async"),
        (lambda answer: 1, "small letters"),
    ):
        with pytest.raises(UseError, match=said.replace("?", r"\?")):
            own_scorer(function, "1")


def test_the_decorator_refuses_what_is_no_direction():
    """A word that is not known is refused where it is written."""
    with pytest.raises(UseError, match=r"@assay\.scorer: .*better"):
        assay.scorer(better="bigger")  # type: ignore[call-overload]


def test_a_function_that_returns_bool_is_a_rate():
    """Its interval is that of a share of cases; title and direction are as declared."""

    @assay.scorer(title="Polite answers", better=None)
    def polite(answer: str) -> bool:
        return "please" in answer

    found = own_scorer(polite, "1").declaration
    assert (found.kind, found.title, found.better) == ("rate", "Polite answers", None)


def test_the_version_depends_on_the_source_and_on_what_changes_values():
    """A new title scores nothing again."""
    plain = own_scorer(lambda_named("f", lambda answer: 1), "1")
    titled = own_scorer(assay.scorer(title="F!")(lambda_named("f", lambda answer: 1)), "1")
    lower = own_scorer(assay.scorer(better="lower")(lambda_named("f", lambda answer: 1)), "1")
    assert plain.version == titled.version
    assert (
        len({plain.version, lower.version, own_scorer(lambda_named("f", len_of), "2").version}) == 3
    )


def len_of(answer: str) -> int:
    """A function."""
    return len(answer)


def test_a_summary_of_somebody_else_cannot_name_other_fields():
    """What is not a declaration of a name in ``scores`` is passed over."""
    good = Declaration(name="good", title="Good")
    extra = with_declarations({}, None, [own_scorer(lambda_named("good", lambda answer: 1), "1")])
    assert declarations(extra)["good"].metric.field == good.metric.field == "scores.good"
    assert declarations({"scorers": [{"name": "a.b", "title": ""}]}) == {}
    assert declarations({"scorers": "all"}) == {}
