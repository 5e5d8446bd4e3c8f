"""The vocabulary: frozen, keyword-only, and honest about what is not known."""

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
    one
    for one in vars(records).values()
    if inspect.isclass(one) and issubclass(one, msgspec.Struct) and one is not msgspec.Struct
]


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda one: one.__name__)
def test_every_record_is_frozen_and_keyword_only(struct: type[msgspec.Struct]):
    """A record is made once, with every value named."""
    assert struct.__struct_config__.frozen
    required = {one.name: None for one in msgspec.structs.fields(struct) if one.required}
    made = struct(**required)
    with pytest.raises(AttributeError):
        setattr(made, struct.__struct_fields__[0], 1)
    with pytest.raises(TypeError):
        struct("positional")
    assert struct.__doc__


@pytest.mark.parametrize(
    "outcome",
    [
        Scored(answer=Answer(text="x"), elapsed_s=1.0, scores={"f1": None, "right": True}),
        Failed(kind="timeout", message="late", elapsed_s=1.0),
        Skipped(reason="long"),
    ],
)
def test_an_outcome_is_told_by_its_status(outcome: Outcome):
    """The three endings are one union that survives JSON."""
    encoded = msgspec.json.encode(outcome)
    assert msgspec.json.decode(encoded, type=Outcome) == outcome  # type: ignore[arg-type]
    assert msgspec.json.decode(encoded)["status"] == type(outcome).__name__.lower()


def test_only_a_scored_outcome_has_scores():
    """There is no score in place of "unknown"."""
    assert "scores" not in Failed.__struct_fields__
    assert "scores" not in Skipped.__struct_fields__


def test_what_is_not_known_is_none():
    """Prices and usage that nobody told are ``None``, not zero."""
    assert (Usage().cost, Usage().paid) == (None, None)
    assert Answer(text="x").usage is None
    assert Failed(kind="k", message="m", elapsed_s=0).answer is None


def test_a_tally_adds_the_three_endings():
    """``ended`` counts whatever has an outcome."""
    assert Tally(scored=3, failed=2, skipped=1).ended == 6
    assert Tally().ended == 0


def test_a_header_names_the_experiment_as_the_seed_format_does():
    """In the file the name is ``experiment_name``."""
    header = RunHeader(job="j", name="n", system="s", variants=(Variant(name="v"),), total=1)
    encoded = msgspec.json.decode(msgspec.json.encode(header))
    assert encoded["experiment_name"] == "n"
    assert encoded["schema_version"] == records.SCHEMA_VERSION
    assert msgspec.json.decode(msgspec.json.encode(header), type=RunHeader) == header


def test_a_question_may_be_extended_by_a_job():
    """A job's question is still a question, and a case takes it."""

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
    """The same settings in another order have the same eight hex digits."""
    items = list(value.items())
    chance.shuffle(items)
    made = digest(value)
    assert digest(dict(items)) == made
    assert len(made) == 8
    assert set(made) <= set(string.hexdigits)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"b": 1}),
        ({"a": True}, {"a": 1}),
        ([1, 2], [2, 1]),
        ("1", 1),
        (None, {}),
    ],
)
def test_a_digest_tells_values_apart(one: Any, other: Any):
    """What differs as JSON differs in its digest."""
    assert digest(one) != digest(other)


def test_a_digest_is_the_same_in_every_process():
    """It is stored in journals, so it may never change."""
    assert digest({"search_dim": 128, "mode": "条"}) == "5c6ead00"
