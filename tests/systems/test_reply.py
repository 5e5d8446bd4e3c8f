"""What a system may return, and the messages for replies that are refused."""

import dataclasses
import enum
from pathlib import Path
from types import MappingProxyType
from typing import Any

import attrs
import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from assay.errors import Filtered, SystemFailed, TransientError
from assay.records import Answer, Passage, Stage, Usage
from assay.systems.reply import to_answer


def test_a_string_is_an_answer():
    """A string becomes the answer's text, even if it is empty."""
    assert to_answer("x") == Answer(text="x")
    assert to_answer("") == Answer(text="")


def test_an_answer_is_taken_as_it_is():
    """An ``Answer`` is returned unchanged."""
    answer = Answer(text="x")
    assert to_answer(answer) is answer


@pytest.mark.parametrize("name", ["answer", "text"])
def test_a_mapping_gives_its_answer_under_either_name(name: str):
    """The text may be given as ``answer`` or as ``text``."""
    assert to_answer({name: "x", "other": 1}) == Answer(text="x")


def test_passages_are_read_in_every_form():
    """Ids, mappings with either set of names, and ``Passage`` objects keep their order."""
    own = Passage(id="c4")
    answer = to_answer(
        {
            "answer": "x",
            "passages": [
                "c1",
                {"id": "c2", "text": "t", "page": 3, "score": 1},
                {"chunk_id": "c3", "content": "u"},
                own,
            ],
        }
    )
    assert answer.passages == (
        Passage(id="c1"),
        Passage(id="c2", text="t", page=3, score=1.0),
        Passage(id="c3", text="u"),
        own,
    )


def test_usage_is_read_and_cost_counts_as_paid():
    """A reported cost counts as paid; a missing cost or token count stays unknown."""
    usage = to_answer(
        {"answer": "x", "usage": {"prompt_tokens": 3, "completion_tokens": None, "cost": 0.5}}
    ).usage
    assert usage == Usage(calls=1, unmetered_calls=1, prompt_tokens=3, cost=0.5, paid=0.5)
    assert to_answer({"answer": "x", "usage": {"cost": 0.5, "paid": 0.0}}).usage == Usage(
        calls=1, unmetered_calls=1, cost=0.5, paid=0.0
    )
    assert to_answer({"answer": "x", "usage": {}}).usage == Usage(calls=1, unmetered_calls=1)
    assert to_answer({"answer": "x"}).usage is None


@pytest.mark.parametrize("usage", [5, "a lot", [], {"prompt_tokens": "many"}, {"cost": "much"}])
def test_a_malformed_usage_does_not_discard_the_answer(usage: Any):
    """The answer is kept, and it is not known what it cost."""
    answer = to_answer({"answer": "x", "usage": usage})
    assert answer.text == "x"
    assert answer.usage is not None
    assert not answer.usage.is_counted


@pytest.mark.parametrize("cost", [float("nan"), float("inf"), -1, 1e30, True, "1"])
def test_a_cost_that_cannot_be_right_is_not_known(cost: Any):
    """A cost that is no amount of money is not used, and the calls are counted as such."""
    usage = to_answer({"answer": "x", "usage": {"calls": 2, "cost": cost}}).usage
    assert usage is not None
    assert (usage.cost, usage.paid, usage.uncounted_calls) == (None, None, 2)


@pytest.mark.parametrize(
    ("reason", "error"), [("content_filter", Filtered), ("error", TransientError)]
)
def test_a_finish_reason_that_says_failure_is_one(reason: str, error: type[Exception]):
    """An answer that the provider's filter withheld, or that ended in an error, is no answer."""
    with pytest.raises(error):
        to_answer({"answer": "", "finish_reason": reason})


def test_citations_are_kept_beside_the_extra():
    """Citations are stored in ``extra``, even an empty list; None adds nothing."""
    cited = [{"page": 2, "text": "in all"}]
    answer = to_answer({"answer": "x", "citations": cited, "extra": {"lang": "ru"}})
    assert answer.extra == {"lang": "ru", "citations": cited}
    assert to_answer({"answer": "x", "citations": []}).extra == {"citations": []}
    assert to_answer({"answer": "x", "citations": None}).extra == {}


def test_finish_reason_and_extra_are_kept():
    """``finish_reason`` and ``extra`` are passed on to the answer."""
    answer = to_answer({"answer": "x", "finish_reason": "length", "extra": {"lang": "ru"}})
    assert (answer.finish_reason, answer.extra) == ("length", {"lang": "ru"})


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (None, "the system returned NoneType; expected a string"),
        (42, "the system returned int"),
        (["x"], "the system returned list"),
        (b"x", "the system returned bytes"),
        ({}, "no 'answer' that is a string"),
        ({"answer": None}, "no 'answer' that is a string"),
        ({"answer": 5}, "no 'answer' that is a string"),
        ({"answer": "x", "passages": [{"text": "no id"}]}, "cannot be read"),
        ({"answer": "x", "passages": [{"id": 5}]}, "cannot be read"),
        ({"answer": "x", "passages": [{"id": "a", "page": "three"}]}, "cannot be read"),
        ({"answer": "x", "passages": [5]}, "cannot be read"),
        ({"answer": "x", "passages": 5}, "cannot be read"),
        ({"answer": "x", "passages": "c1"}, "cannot be read"),
        ({"answer": "x", "finish_reason": 5}, "cannot be read"),
        ({"answer": "x", "extra": ["a"]}, "cannot be read"),
    ],
)
def test_a_reply_that_cannot_be_read_is_refused(reply: Any, message: str):
    """A malformed reply raises ``SystemFailed`` with a message on one line."""
    with pytest.raises(SystemFailed, match=message) as caught:
        to_answer(reply)
    assert "\n" not in str(caught.value)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["id", "chunk_id", "text", "page", "cost", "prompt_tokens"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=4,
)
REPLIES = st.fixed_dictionaries(
    {"answer": st.text(max_size=3)},
    optional=dict.fromkeys(("passages", "usage", "finish_reason", "extra", "citations"), ANYTHING),
)


@given(ANYTHING | REPLIES)
def test_any_reply_is_read_or_refused(reply: Any):
    """For any reply, the only exception is ``SystemFailed``."""
    try:
        assert isinstance(to_answer(reply), Answer)
    except SystemFailed as error:
        assert str(error)  # noqa: PT017 - both outcomes are right


def test_what_the_system_measured_is_kept():
    """``evaluation`` and ``dim`` as they are, and stages in every form."""
    told = {"evaluation": {"search": {"kept": 3}}, "dim": 256}
    answer = to_answer({"answer": "x", **told, "stages": {"embed": 0.5, "search": {"kept": 3}}})
    assert answer.extra == told
    assert answer.stages == (
        Stage(name="embed", elapsed_s=0.5),
        Stage(name="search", detail={"kept": 3}),
    )
    listed = [{"name": "hyde", "seconds": 1, "skipped": "fast mode", "model": "m"}]
    (stage,) = to_answer({"answer": "x", "stages": listed}).stages
    assert stage == Stage(name="hyde", elapsed_s=1.0, skipped="fast mode", detail={"model": "m"})


@pytest.mark.parametrize(
    "wrong", [{"evaluation": [1]}, {"dim": "256"}, {"stages": 3}, {"stages": [{"seconds": 1}]}]
)
def test_what_cannot_have_been_measured_fails_the_case(wrong: dict[str, Any]):
    """One line, as for any other field."""
    with pytest.raises(SystemFailed, match="cannot be read"):
        to_answer({"answer": "x", **wrong})


@dataclasses.dataclass
class DataReply:
    """A reply as a dataclass."""

    answer: str
    dim: int


class StructReply(msgspec.Struct):
    """A reply as a struct."""

    answer: str
    dim: int


class ModelReply(BaseModel):
    """A reply as a pydantic model."""

    answer: str
    dim: int


@pytest.mark.parametrize("kind", [DataReply, StructReply, ModelReply])
def test_an_object_with_fields_is_read_like_a_mapping(kind: Any):
    """Backends return what their web framework wants."""
    answer = to_answer(kind(answer="x", dim=5))
    assert (answer.text, answer.extra) == ("x", {"dim": 5})


def test_a_generator_is_not_an_answer():
    """A generator is joined where it is called; it is no reply itself."""
    with pytest.raises(SystemFailed, match=r"returned generator; expected a string"):
        to_answer(part for part in "ab")


@pytest.mark.parametrize("error", ["boom\nagain", {"message": "boom again", "code": 7}])
def test_what_a_system_says_about_its_failure_is_kept(error: Any):
    """A mapping with an error is a failure, also beside a text that says the same."""
    with pytest.raises(SystemFailed, match=r"the system reports an error: boom again$"):
        to_answer({"error": error})
    with pytest.raises(SystemFailed, match=r"the system reports an error: boom again$"):
        to_answer({"answer": "Error: it went wrong", "error": error})
    assert to_answer({"answer": "x", "error": None}).text == "x"


class Accessor(str):
    """A text that can also be called, as that of LangChain's messages."""

    __slots__ = ()

    def __call__(self) -> str:
        """The text."""
        return str(self)


class Level(enum.StrEnum):
    """A text with a name."""

    HIGH = "high"


def test_a_text_of_another_class_is_a_text():
    """As the reply, inside a mapping, and in an ``Answer``; JSON cannot hold the class."""
    for reply in (
        Accessor("x"),
        {"answer": Accessor("x"), "finish_reason": Accessor("stop")},
        Answer(text=Accessor("x")),
    ):
        answer = to_answer(reply)
        assert type(answer.text) is str
        assert answer.text == "x"
        msgspec.json.encode(answer)
    assert to_answer({"answer": Level.HIGH}).text == "high"


@dataclasses.dataclass
class DataMeasures:
    """What a backend measured, as a dataclass."""

    kept: int = 3
    deep: Any = dataclasses.field(
        default_factory=lambda: {Accessor("way"): (Level.HIGH, Path("a"))}
    )


@attrs.define
class AttrsMeasures:
    """The same as an attrs class."""

    kept: int = 3
    deep: Any = attrs.field(factory=lambda: DataMeasures().deep)


class ModelMeasures(BaseModel):
    """The same as a pydantic model."""

    kept: int = 3
    deep: Any = DataMeasures().deep


class StructMeasures(msgspec.Struct):
    """The same as a struct."""

    kept: int = 3
    deep: Any = msgspec.field(default_factory=lambda: DataMeasures().deep)


@pytest.mark.parametrize(
    "measures",
    [
        DataMeasures(),
        AttrsMeasures(),
        ModelMeasures(),
        StructMeasures(),
        MappingProxyType({"kept": np.int64(3), "deep": DataMeasures().deep}),
    ],
)
def test_evaluation_and_extra_may_be_objects_with_fields(measures: Any):
    """They become plain data, with everything inside them."""
    plain = {"kept": 3, "deep": {"way": ["high", "a"]}}
    answer = to_answer({"answer": "x", "evaluation": measures})
    assert answer.extra == {"evaluation": plain}
    assert to_answer({"answer": "x", "extra": measures}).extra == plain
    assert to_answer(Answer(text="x", extra={"own": measures})).extra == {"own": plain}
    msgspec.json.encode(answer)


def test_an_evaluation_without_fields_is_refused_by_its_type():
    """The message names what was given."""
    with pytest.raises(SystemFailed, match="evaluation is list"):
        to_answer({"answer": "x", "evaluation": [1]})
