"""The shared records are frozen and keyword-only, and an unknown value is ``None``."""

import inspect
import string
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import records
from assay.records import (
    Answer,
    Answered,
    Case,
    Failed,
    Outcome,
    Question,
    RunHeader,
    Scored,
    Skipped,
    Tally,
    Usage,
    Variant,
    digest,
)

STRUCTS = [
    value
    for value in vars(records).values()
    if inspect.isclass(value) and issubclass(value, msgspec.Struct) and value is not msgspec.Struct
]


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_record_is_frozen_and_keyword_only(struct: type[msgspec.Struct]):
    """A record takes its values by keyword only, and cannot be changed afterwards."""
    assert struct.__struct_config__.frozen
    required = {field.name: None for field in msgspec.structs.fields(struct) if field.required}
    record = struct(**required)
    with pytest.raises(AttributeError):
        setattr(record, struct.__struct_fields__[0], 1)
    with pytest.raises(TypeError):
        struct("positional")
    assert struct.__doc__


@pytest.mark.parametrize(
    "outcome",
    [
        Scored(answer=Answer(text="x"), elapsed_s=1.0, scores={"f1": None, "right": True}),
        Answered(answer=Answer(text="x"), elapsed_s=1.0, problem="scorer: KeyError"),
        Failed(kind="timeout", message="late", elapsed_s=1.0),
        Skipped(reason="long"),
    ],
)
def test_the_status_says_which_outcome_it_is(outcome: Outcome):
    """The four outcomes are one union, and each is decoded from JSON as it was encoded."""
    encoded = msgspec.json.encode(outcome)
    assert msgspec.json.decode(encoded, type=Outcome) == outcome  # type: ignore[arg-type]
    assert msgspec.json.decode(encoded)["status"] == type(outcome).__name__.lower()


def test_only_a_scored_outcome_has_scores():
    """A case that is not scored has no field for scores, so it cannot have a default score."""
    assert "scores" not in Answered.__struct_fields__
    assert "scores" not in Failed.__struct_fields__
    assert "scores" not in Skipped.__struct_fields__


def test_unknown_values_are_none():
    """A price or usage that was not reported is ``None``, not zero."""
    assert (Usage().cost, Usage().paid) == (None, None)
    assert Answer(text="x").usage is None
    assert Failed(kind="k", message="m", elapsed_s=0).usage is None
    assert Answered(answer=Answer(text="x"), elapsed_s=0).judging is None


def test_an_answer_is_in_two_outcomes_alone():
    """A case that failed or was skipped has no answer that could be judged."""
    with_answer = {outcome for outcome in STRUCTS if "answer" in outcome.__struct_fields__}
    assert with_answer == {Scored, Answered}


def test_a_tally_adds_the_four_endings():
    """``ended`` counts all cases that have an outcome."""
    assert Tally(scored=3, answered=4, failed=2, skipped=1).ended == 10
    assert Tally().ended == 0


def test_a_header_names_the_experiment_as_the_seed_format_does():
    """In the file, the field ``name`` is called ``experiment_name``."""
    header = RunHeader(job="j", name="n", system="s", variants=(Variant(name="v"),), total=1)
    encoded = msgspec.json.decode(msgspec.json.encode(header))
    assert encoded["experiment_name"] == "n"
    assert encoded["schema_version"] == records.SCHEMA_VERSION
    assert msgspec.json.decode(msgspec.json.encode(header), type=RunHeader) == header


def test_a_question_may_be_extended_by_a_job():
    """A job may subclass ``Question``, and a case accepts an instance of the subclass."""

    class Choice(Question, frozen=True, kw_only=True):
        choices: tuple[str, ...]

    question = Choice(id="q", text="?", choices=("a", "b"))
    case = Case(key="k", question=question, variant=Variant(name="v"), fingerprint="f")
    assert case.question is question


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(st.dictionaries(st.text(max_size=4), JSON, max_size=5), st.randoms(use_true_random=False))
def test_a_digest_does_not_depend_on_the_order_of_keys(value: dict[str, Any], chance: Any):
    """The same settings in a different order have the same eight hex digits."""
    items = list(value.items())
    chance.shuffle(items)
    hex_digits = digest(value)
    assert digest(dict(items)) == hex_digits
    assert len(hex_digits) == 8
    assert set(hex_digits) <= set(string.hexdigits)


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"b": 1}),
        ({"a": True}, {"a": 1}),
        ([1, 2], [2, 1]),
        ("1", 1),
        (None, {}),
    ],
)
def test_different_values_have_different_digests(value: Any, other: Any):
    """Values that are different in JSON have different digests."""
    assert digest(value) != digest(other)


def test_a_digest_is_the_same_in_every_process():
    """Digests are stored in journals, so the digest of a value must never change."""
    assert digest({"search_dim": 128, "mode": "条"}) == "5c6ead00"
