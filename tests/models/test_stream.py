"""Replies that come in pieces."""

import json
import time
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.config.system import StreamConfig
from assay.errors import AssayError, SystemFailed, TransientError
from assay.models.stream import Joined, Stream

SSE = "text/event-stream"
LINES = "application/x-ndjson"


def joined(body: str | bytes, kind: str = SSE, size: int = 7, **config: Any) -> Joined | None:
    """What a chunked body of this content type is joined to, cut into pieces of ``size`` bytes."""
    data = body if isinstance(body, bytes) else body.encode()
    headers = {"Transfer-Encoding": "chunked", **({"Content-Type": kind} if kind else {})}
    stream = Stream(headers, StreamConfig(**config))
    for start in range(0, len(data), size):
        stream.feed(data[start : start + size])
    return stream.joined(data)


def text(body: str | bytes, kind: str = SSE, **config: Any) -> str | None:
    """The text of the joined stream."""
    found = joined(body, kind, **config)
    assert found is not None
    return found.text


def failure(body: str | bytes, kind: str = SSE, **config: Any) -> AssayError:
    """The error that a stream causes."""
    with pytest.raises(AssayError) as caught:
        joined(body, kind, **config)
    assert "\n" not in str(caught.value)
    return caught.value


def sse(*events: Any, end: str = "\n\n") -> str:
    """Server-sent events with these data."""
    return "".join(
        f"data: {each if isinstance(each, str) else json.dumps(each)}{end}" for each in events
    )


def chunk(content: str | None, reason: str | None = None, **more: Any) -> dict[str, Any]:
    """A chunk of a streamed chat completion."""
    return {
        "choices": [{"index": 0, "delta": {"content": content}, "finish_reason": reason}],
        **more,
    }


CHAT = sse(chunk(""), chunk("Тридцать"), chunk(" дней."), chunk(None, "stop"), "[DONE]")
EVENTS: dict[str, list[Any]] = {
    "openai": [chunk("Thirty"), chunk(" days.", "stop")],
    "completions": [
        {"choices": [{"text": "Thirty"}]},
        {"choices": [{"text": " days.", "finish_reason": "stop"}]},
    ],
    "anthropic": [
        {"type": "content_block_start", "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "Thirty"}},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": " days."}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    ],
    "responses": [
        {"type": "response.output_text.delta", "delta": "Thirty"},
        {"type": "response.output_text.delta", "delta": " days."},
        {"type": "response.output_text.done", "text": "Thirty days."},
    ],
    "ollama": [
        {"message": {"content": "Thirty"}, "done": False},
        {"message": {"content": " days."}, "done": False},
        {"message": {"content": ""}, "done": True, "done_reason": "stop"},
    ],
    "tgi": [
        {"token": {"text": "Thirty"}},
        {"token": {"text": " days."}, "generated_text": "Thirty days."},
    ],
    "dify": [
        {"event": "message", "answer": "Thirty"},
        {"event": "message", "answer": " days."},
        {"event": "message_end", "metadata": {"retriever_resources": []}},
    ],
    "langchain": [{"context": []}, {"answer": "Thirty"}, {"answer": " days."}],
    "tokens, then the whole": [
        {"token": "Thirty"},
        {"token": " days."},
        {"answer": "Thirty days."},
    ],
}


@pytest.mark.parametrize("name", EVENTS)
def test_the_text_is_found_where_servers_write_it(name: str):
    """As server-sent events and as lines of JSON, with any kind of line end."""
    for end in ("\n\n", "\r\n\r\n", "\r\r"):
        assert text(sse(*EVENTS[name], end=end)) == "Thirty days."
    lines = "".join(f"{json.dumps(each)}\n" for each in EVENTS[name])
    for kind in (LINES, "application/json", "text/plain", ""):
        assert text(lines, kind) == "Thirty days."


@given(st.integers(1, 40))
def test_it_does_not_matter_how_the_bytes_are_cut(size: int):
    """Not within a letter of two bytes, a line end or a field."""
    found = joined(CHAT.replace("\n", "\r\n"), size=size)
    assert found is not None
    assert found.text == "Тридцать дней."


def test_a_long_line_is_read_once():
    """Eight megabytes without a line end take no longer than what is read, and stop nobody else."""
    words = "x" * 8_000_000
    began = time.process_time()
    assert text(sse(words), size=65_536) == words
    assert time.process_time() - began < 1.5


def test_choices_of_another_shape_are_no_text():
    """A service may send anything in the places that chat completions use."""
    odd: list[Any] = [["x"], [{"delta": "x"}], [{"delta": ["x"]}], {"0": 1}, "x"]
    events = [{"choices": each} for each in odd]
    last = {"choices": [{"index": [0], "delta": {"content": "no"}}]}
    right = {"choices": [{"delta": {"content": "Thirty"}, "finish_reason": "stop"}]}
    assert text(sse(*events, last, right)) == "Thirty"


def test_a_chat_completion_is_the_one_that_would_have_come_at_once():
    """With its finish reason, its usage and its thoughts."""
    events = [
        {"choices": [{"delta": {"role": "assistant", "reasoning_content": "Hm"}}], "model": "m"},
        {"choices": [{"delta": {"reasoning_content": "m."}}]},
        {"choices": [{"delta": {"content": "30"}}]},
        chunk("", "length"),
        {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 1}},
        "[DONE]",
    ]
    found = joined(sse(*events))
    assert found is not None
    choice = found.reply["choices"][0]
    assert (choice["message"]["content"], choice["finish_reason"]) == ("30", "length")
    assert choice["message"]["reasoning_content"] == "Hmm."
    assert found.reply["usage"] == {"prompt_tokens": 7, "completion_tokens": 1}


def test_another_choice_is_no_part_of_the_answer():
    """Of several choices the first is the answer."""
    other = {"choices": [{"index": 1, "delta": {"content": "Forty"}}]}
    assert text(sse(chunk("Thirty"), other, chunk(" days.", "stop"))) == "Thirty days."


def test_plain_text_in_events_keeps_its_spaces_and_lines():
    """One space behind the colon belongs to the format; comments keep the connection alive."""
    body = "\ufeff: hello\n\ndata: Thirty\n\n: ping\n\ndata:  days,\nid: 7\nretry: 10\n\ndata: or\ndata:30.\n\n"
    assert text(body) == "Thirty days,or\n30."
    assert text(sse("30", " days", '{"a', "[DONE]")) == '30 days{"a'
    assert text(sse('"Thirty\\n"', '"days"')) == "Thirty\ndays"
    assert text('event: data\ndata: "30"\n\nevent: end\n\n') == "30"


def test_the_fields_of_all_events_are_the_reply():
    """Passages may come first, and usage last, also between events of plain text."""
    found = joined(sse({"passages": ["c1"]}, "Thirty", " days.", {"usage": {"cost": 1}}, "[DONE]"))
    assert found == Joined(text="Thirty days.", reply={"passages": ["c1"], "usage": {"cost": 1}})


def test_a_body_that_is_one_reply_is_no_stream():
    """JSON as services send it without streaming, and a web page."""
    assert joined('{"answer": "30"}\n', "application/json") is None
    assert joined('{"answer": "30"}', "text/plain") is None
    for kind in ("application/json", ""):
        assert joined('{"answer": "30", "score": NaN}', kind) is None
    assert joined("<!DOCTYPE html>", "") is None
    assert joined("Thirty", "text/html") is None
    assert joined(CHAT, format="none") is None
    assert joined(b"", "text/plain") is None


@pytest.mark.parametrize("kind", ["text/plain; charset=utf-8", "text/markdown", ""])
def test_chunked_text_is_the_answer(kind: str):
    """With all its spaces."""
    assert text("Тридцать\n\n дней. ", kind) == "Тридцать\n\n дней. "
    assert "not UTF-8" in str(failure("Тридцать".encode()[:-1], kind))


def test_events_under_a_wrong_content_type_are_recognised():
    """Frameworks send text/plain unless told otherwise."""
    assert text(sse("Thirty", " days."), "text/plain") == "Thirty days."


def test_text_whose_end_nobody_states_is_refused_unless_the_configuration_accepts_it():
    """A connection that ends may also be one that broke."""
    stream = Stream({"Content-Type": "text/plain"})
    stream.feed(b"Thirty")
    with pytest.raises(SystemFailed, match=r"stream: \{format: text\}"):
        stream.joined(b"Thirty")
    chosen = Stream({"Content-Type": "text/plain"}, StreamConfig(format="text"))
    chosen.feed(b"Thirty")
    assert chosen.joined(b"Thirty") == Joined(text="Thirty")
    events = Stream({"Content-Type": SSE})
    events.feed(b"data: Thirty\n\n")
    with pytest.raises(
        TransientError, match=r"nothing says that it was complete.*stream: \{end: NAME\}"
    ):
        events.joined(b"")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (sse(chunk("Thirty")), "broke off: neither a finish_reason nor"),
        (sse({"response": "Thirty", "done": False}), "no event says that it is done"),
        (sse({"token": "Thirty"}) + 'data: {"token": "da', "is not JSON"),
        (": ping\n\n", "the stream is empty"),
    ],
)
def test_half_a_stream_is_no_answer(body: str, expected: str):
    """Wherever it was cut, it may be tried again."""
    error = failure(body)
    assert isinstance(error, TransientError)
    assert expected in str(error)


def test_a_line_that_was_cut_is_no_answer():
    """A line of JSON says by itself whether it is complete."""
    assert isinstance(failure('{"token": "Thirty"}\n{"token": "da', LINES), TransientError)
    assert isinstance(failure('{"answer": "Thirty', "text/plain"), TransientError)


ERRORS: dict[str, Any] = {
    "by name": 'event: error\ndata: {"message": "boom", "code": 500}\n\n',
    "as text": "event: error\ndata: boom\n\n",
    "in the data": sse({"error": {"message": "boom"}}),
    "by type": sse({"type": "error", "error": {"type": "overloaded_error", "message": "boom"}}),
    "dify": sse({"event": "error", "status": 400, "code": "x", "message": "boom"}),
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_in_the_stream_is_a_failure(name: str):
    """Whatever came before and comes after it."""
    error = failure(sse("Thirty", " days.") + ERRORS[name] + sse("[DONE]"))
    assert "boom" in str(error)
    assert isinstance(error, TransientError) == (name in {"by name", "by type"})


UNCLEAR: dict[str, tuple[str, str]] = {
    "two fields": (
        sse({"text": "Let me see."}, {"answer": "Thirty"}, {"answer": " days."}),
        "{delta: PATH}",
    ),
    "two events": (
        sse({"type": "thought", "text": "Hm."}, {"type": "answer", "text": "30"}),
        "text of 'thought' and in text of 'answer'",
    ),
    "named texts": (
        "event: status\ndata: searching\n\nevent: token\ndata: 30\n\n",
        "{event: NAME}",
    ),
    "cumulative": (
        sse({"text": "Thi"}, {"text": "Thirty"}, {"text": "Thirty days"}),
        "{final: last}",
    ),
    "repeated": (sse({"text": "Thi"}, {"text": "rty"}, {"text": "Thirty"}), "{final: last}"),
    "no field": ("data: Thirty\ndays.\n\n", "write 'data:' before each line"),
    "no UTF-8": ("data: Тридцать\n\n", "not UTF-8"),
}


@pytest.mark.parametrize("name", UNCLEAR)
def test_what_is_not_clear_is_refused_with_the_line_that_decides(name: str):
    """Half an answer, or one with thoughts in it, would be scored as if it were whole."""
    body, expected = UNCLEAR[name]
    error = failure(body.encode("cp1251") if name == "no UTF-8" else body)
    assert isinstance(error, SystemFailed)
    assert expected in str(error)


def test_the_configuration_decides():
    """By the events that have the text, where it is, the one that has the reply, and the last one."""
    thoughts = sse({"type": "thought", "text": "Hm."}, {"type": "answer", "text": "30"})
    assert text(thoughts, event="answer") == "30"
    cumulative = sse({"text": "Thi"}, {"text": "Thirty"}, {"text": "Thirty days", "n": 1})
    assert joined(cumulative, final="last") == Joined(
        text=None, reply={"text": "Thirty days", "n": 1}
    )
    final = sse({"token": "30"}) + 'event: result\ndata: {"passages": []}\n\n'
    assert joined(final, final="result") == Joined(text="30", reply={"passages": []})
    assert "no event 'result'" in str(failure(sse({"token": "30"}), final="result"))
    assert text(sse("30", "<end>", "more"), end="<end>") == "30"
    assert "ended without '<end>'" in str(failure(sse("30"), end="<end>"))
    assert text(sse({"token": "30"}, {"type": "stop"}), end="stop") == "30"


def test_the_place_of_the_text_can_be_given():
    """By any function of an event; a list of its texts is joined."""
    data = sse({"out": ["Thirty", " days"]}, {"out": None}, {"out": ["."]}).encode()

    def delta(event: Mapping[str, Any]) -> Any:
        return event["out"]

    stream = Stream({"Content-Type": SSE, "Transfer-Encoding": "chunked"}, delta=delta)
    stream.feed(data)
    found = stream.joined(data)
    assert found is not None
    assert found.text == "Thirty days."


def test_the_first_text_is_noted_when_it_is_there():
    """Not the first event; and not for a body that was complete before it was sent."""
    stream = Stream({"Content-Type": SSE, "Transfer-Encoding": "chunked"})
    for piece in (b": ping\n\n", sse(chunk("")).encode(), b'data: {"choices": [{"delta"'):
        stream.feed(piece)
        assert stream.first_text_at is None
    stream.feed(b': {"content": "30"}}]}\n\n')
    assert stream.first_text_at is not None
    whole = Stream({"Content-Type": SSE, "Content-Length": "14"})
    whole.feed(b"data: Thirty\n\n")
    whole.joined(b"data: Thirty\n\n")
    assert whole.first_text_at is None
