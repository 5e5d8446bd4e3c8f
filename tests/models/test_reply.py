"""Parsing replies: every body gives either a reply or one of our errors."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, CaseError, Filtered, RateLimited, RunStopped, TransientError
from assay.models.meter import CallBill
from assay.models.reply import ChatReply, decode_json, read_chat, read_embeddings


def chat(message: Any, **rest: Any) -> ChatReply:
    """Parse a reply whose only choice has ``message``."""
    return read_chat(json.dumps({"choices": [{"message": message}], **rest}).encode())


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        ("", ""),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        (["a", "b"], "ab"),
        ([{"type": "image_url", "image_url": {}}, {"type": "text", "text": "a"}], "a"),
        ([{"type": "text", "text": None}, 7, "a"], "a"),
        ([{"type": "reasoning", "text": "b?"}, {"type": "text", "text": "a"}], "a"),
    ],
)
def test_content_in_all_its_forms(content: Any, text: str):
    """Content may be a string, or a list of parts whose texts are joined."""
    assert chat({"role": "assistant", "content": content}).text == text


def test_an_empty_list_of_parts_is_a_failure():
    """A message of no parts is no empty text: the model said nothing at all."""
    with pytest.raises(TransientError, match="no text: its content is an empty list"):
        chat({"content": []})
    assert chat({"content": [], "reasoning": "hm"}).text == ""
    assert chat({"content": [{"type": "text", "text": ""}]}).text == ""
    with pytest.raises(TransientError, match="its content is a list without a text"):
        chat({"content": [{"type": "image_url", "image_url": {}}]})


def test_the_finish_reason_behind_a_gateway_counts_too():
    """A gateway writes *stop* and keeps what the model's server said; an unknown one with a text is fine."""
    for native, error in (("insufficient_system_resource", TransientError), ("SAFETY", Filtered)):
        choice = {
            "message": {"content": ""},
            "finish_reason": "stop",
            "native_finish_reason": native,
        }
        with pytest.raises(error, match=native):
            read_chat(json.dumps({"choices": [choice]}).encode())
    for native in ("end_turn", "odd", None, 5, ["stop"]):
        choice = {
            "message": {"content": "30"},
            "finish_reason": "stop",
            "native_finish_reason": native,
        }
        assert read_chat(json.dumps({"choices": [choice]}).encode()).text == "30"


def test_a_reply_without_content_is_a_failure():
    """Null is no empty text, whatever the finish reason, unless the model thought or was cut off."""
    for reason in ("stop", None):
        body = {"choices": [{"message": {"content": None}, "finish_reason": reason}]}
        with pytest.raises(TransientError, match="its content is null"):
            read_chat(json.dumps(body).encode())
    cut = {"choices": [{"message": {"content": None}, "finish_reason": "length"}]}
    assert (read_chat(json.dumps(cut).encode()).text, chat({"content": ""}).text) == ("", "")
    assert chat({"content": None, "reasoning_content": "30 days?"}).text == ""


@pytest.mark.parametrize("indexes", [(1, 0), (1, None, 0), ("1", "0"), (1.0, 0.0)])
def test_the_choice_with_the_index_0_is_the_answer(indexes: tuple[object, ...]):
    """Wherever it is in the list."""
    choices = [{"index": index, "message": {"content": str(index)}} for index in indexes]
    assert read_chat(json.dumps({"choices": choices}).encode()).text == str(indexes[-1])


def test_choices_without_the_index_0_are_read_in_order():
    """Some servers count from 1, or do not count."""
    for indexes in ((1, 2), (None, None), ("a", "b")):
        choices = [{"index": index, "message": {"content": str(index)}} for index in indexes]
        assert read_chat(json.dumps({"choices": choices}).encode()).text == str(indexes[0])


def test_a_refusal_is_what_the_model_said():
    """If a message has a refusal and no content, the text is the refusal."""
    assert chat({"content": None, "refusal": "I would rather not."}).text == "I would rather not."


def test_the_old_completion_form_is_read():
    """A choice with ``text`` instead of a message is read."""
    assert read_chat(b'{"choices": [{"text": "old"}]}').text == "old"


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_reasoning_under_both_its_names(name: str):
    """Reasoning is read from either of the two names that providers use."""
    reply = chat({"content": "a", name: "because"})
    assert (reply.text, reply.reasoning) == ("a", "because")


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (None, (None, None)),
        ({}, (None, None)),
        ({"total_tokens": 9}, (None, None)),
        ({"prompt_tokens": 4}, (4, None)),
        ({"completion_tokens": 5}, (None, 5)),
        ({"prompt_tokens": 4, "total_tokens": 9}, (4, 5)),
        ({"completion_tokens": 5, "total_tokens": 9}, (4, 5)),
        ({"prompt_tokens": 4, "completion_tokens": 5, "total_tokens": 9}, (4, 5)),
        ({"prompt_tokens": 0, "completion_tokens": 0}, (0, 0)),
        ({"prompt_tokens": None, "completion_tokens": 5}, (None, 5)),
        ({"prompt_tokens": 4, "completion_tokens": 5, "prompt_tokens_details": {"x": 1}}, (4, 5)),
    ],
)
def test_usage_as_far_as_it_is_stated(usage: Any, tokens: tuple[int | None, int | None]):
    """Missing token counts are None unless they follow from the total; zero stays zero."""
    reply = chat({"content": "a"}, usage=usage)
    assert (reply.prompt_tokens, reply.completion_tokens) == tokens


@pytest.mark.parametrize(
    ("reason", "truncated"), [("length", True), ("stop", False), (None, False)]
)
def test_only_length_means_cut_short(reason: str | None, *, truncated: bool):
    """Only ``finish_reason: length`` means truncated, and the reason is kept unchanged."""
    body = {"choices": [{"message": {"content": "a"}, "finish_reason": reason}]}
    reply = read_chat(json.dumps(body).encode())
    assert (reply.finish_reason, reply.truncated) == (reason, truncated)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"null", b"[]", b"42", b'"text"', b"\xff\xfe", b'{"choices": 3}', b"{}"]
)
def test_what_is_no_reply_may_pass(body: bytes):
    """A body that is not a chat reply is a transient error with a one-line message."""
    with pytest.raises(TransientError) as caught:
        read_chat(body)
    assert "\n" not in str(caught.value)


@given(st.binary(max_size=200))
def test_no_body_escapes_our_errors(body: bytes):
    """Any bytes give a reply or one of our errors."""
    for read in (read_chat, lambda data: read_embeddings(data, 1, None)):
        with suppress(CaseError, RunStopped):
            read(body)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=10,
)


@given(JSON, st.sampled_from(["error", "choices", "usage", "data"]))
def test_no_json_escapes_our_errors(value: Any, name: str):
    """Any JSON value in any field gives a reply or one of our errors."""
    body = json.dumps({"choices": [{"message": {"content": "a"}}], name: value}).encode()
    for read in (read_chat, lambda data: read_embeddings(data, 1, None)):
        with suppress(CaseError, RunStopped):
            read(body)


def embeddings_body(*rows: Any, **rest: Any) -> bytes:
    """The body of a response to an embedding request."""
    return json.dumps({"data": list(rows), **rest}).encode()


def test_embeddings_without_an_index_keep_their_order():
    """Vectors without an index keep the order of the response."""
    body = embeddings_body({"embedding": [1]}, {"embedding": [2]})
    assert read_embeddings(body, 2, None).vectors == ((1.0,), (2.0,))


@pytest.mark.parametrize("numbers", [(0, 0), (1, 2), (0, 2), (-1, 0)])
def test_embeddings_numbered_wrongly_are_not_guessed_at(numbers: tuple[int, int]):
    """Wrong indexes are a transient error, so that no vector goes to the wrong text."""
    rows = [{"embedding": [1.0], "index": number} for number in numbers]
    with pytest.raises(TransientError):
        read_embeddings(embeddings_body(*rows), 2, None)


def test_an_error_in_an_embeddings_200_is_an_error():
    """An ``error`` object inside a 200 response to an embedding request is raised."""
    with pytest.raises(RateLimited):
        read_embeddings(embeddings_body(error={"code": 429, "message": "busy"}), 0, None)


def test_a_vector_with_nothing_in_it_is_refused():
    """An embedding without numbers is refused."""
    with pytest.raises(AssayError):
        read_embeddings(embeddings_body({"embedding": [], "index": 0}), 1, None)


@pytest.mark.parametrize(
    "usage",
    [
        b'{"cost": 1e999, "prompt_tokens": NaN}',
        b'{"cost": -Infinity}',
        b'{"prompt_tokens": ' + b"9" * 6000 + b"}",
        b'"a lot"',
        b"[[[[1]]]]",
    ],
)
def test_a_usage_that_is_no_number_does_not_discard_the_answer(usage: bytes):
    """``NaN`` and numbers out of range are not JSON, but some servers send them."""
    body = b'{"usage": ' + usage + b', "choices": [{"message": {"content": "good"}}]}'
    reply = read_chat(body)
    assert reply.text == "good"
    assert reply.bill == CallBill()


@pytest.mark.parametrize("depth", [100_000])
def test_a_reply_that_is_nested_without_end_is_no_traceback(depth: int):
    """It may pass, so it is transient."""
    body = b'{"x": ' + b"[" * depth + b"]" * depth + b"}"
    with pytest.raises(TransientError):
        read_chat(body)


@pytest.mark.parametrize("read", [read_chat, decode_json])
def test_half_an_emoji_does_not_lose_the_answer(read: Any):
    """A server cuts a reply at its token limit, in the middle of a surrogate pair."""
    sent = rb'{"choices": [{"message": {"content": "Yes \ud83d\ude00 \ud83d"}, "\udc00": 1}]}'
    reply = read(sent)
    text = reply.text if read is read_chat else reply["choices"][0]["message"]["content"]
    assert text == "Yes 😀 \ufffd"
