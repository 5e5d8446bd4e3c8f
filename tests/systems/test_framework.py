"""The shapes of LangChain, LlamaIndex, Haystack and DSPy, as small objects of the same shape.

``make test-real-clients`` holds the same with the libraries themselves.
"""

import asyncio
import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from assay.errors import AssayError, SystemFailed, SystemLoadError
from assay.records import Answer, Passage, Question
from assay.systems.framework import plain_reply
from assay.systems.python.system import PythonSystem
from assay.systems.python.target import identity_of, read_target
from assay.systems.reply import to_answer

QUESTION = Question(id="q", text="How long?")
ANSWER = "Thirty days."


def ask(target: Any, settings: Mapping[str, Any] | None = None, takes: Any = None) -> Answer:
    """The answer of an object."""

    async def story() -> Answer:
        system = PythonSystem(target, takes=takes)
        try:
            return await system.ask(QUESTION, settings or {}, 5)
        finally:
            await system.close()

    return asyncio.run(story())


@dataclasses.dataclass
class Document:
    """A document of LangChain."""

    page_content: str
    metadata: dict[str, Any]
    id: str | None = None


@dataclasses.dataclass
class AIMessage:
    """A message of a chat model of LangChain."""

    content: Any
    usage_metadata: dict[str, int] | None = None
    response_metadata: dict[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class ToolMessage:
    """What a tool of an agent returned, with the documents that it found."""

    artifact: Any


DOCUMENT = Document(ANSWER, {"source": "a.pdf", "page": 3, "page_label": "4", "chunk_id": "c17"})
PASSAGE = Passage(id="c17", text=ANSWER, page=4, source="a.pdf")


class Chain:
    """A runnable of LangChain, with this input schema, that answers with what it was given."""

    def __init__(self, schema: Any, reply: Any = None) -> None:
        self.schema = schema
        self.reply = reply
        self.given: Any = None
        self.config: Any = None

    def invoke(self, input: Any, config: Any = None, **options: Any) -> Any:  # noqa: A002 - its name
        """Answer."""
        assert not options
        self.given, self.config = input, config
        return ANSWER if self.reply is None else self.reply

    async def ainvoke(self, input: Any, config: Any = None) -> Any:  # noqa: A002 - its name
        """Answer."""
        return self.invoke(input, config)

    def stream(self, input: Any, config: Any = None, **options: Any) -> Iterator[Any]:  # noqa: A002 - its name
        """Answer in pieces."""
        self.given = input
        yield {"context": [DOCUMENT]}
        yield {"answer": AIMessage("Thirty")}
        yield {"answer": AIMessage(" days.", {"input_tokens": 7, "output_tokens": 2})}

    def get_input_jsonschema(self) -> Any:
        """What it takes."""
        if isinstance(self.schema, Exception):
            raise self.schema
        return self.schema


def fields(*names: str, required: bool = True) -> dict[str, Any]:
    """The schema of an object with these fields."""
    schema: dict[str, Any] = {"type": "object", "properties": {name: {} for name in names}}
    return {**schema, "required": list(names)} if required else schema


MESSAGES = {"messages": [{"role": "user", "content": QUESTION.text}]}


@pytest.mark.parametrize(
    ("schema", "given"),
    [
        ({"type": "string"}, QUESTION.text),
        ({"anyOf": [{"type": "string"}, {"type": "array"}]}, QUESTION.text),
        ({}, QUESTION.text),
        (fields("input"), {"input": QUESTION.text}),
        (fields("topic"), {"topic": QUESTION.text}),
        (fields("question", required=False), {"question": QUESTION.text}),
        (fields("question", "chat_history"), {"question": QUESTION.text, "chat_history": []}),
        (fields("question", "context", "answer"), {"question": QUESTION.text}),
        (fields("messages"), MESSAGES),
    ],
)
def test_a_runnable_gets_what_its_input_schema_says(schema: Any, given: Any):
    """A text, an object with a field for the question, or messages."""
    chain = Chain(schema)
    assert ask(chain).text == ANSWER
    assert chain.given == given
    assert chain.config is None


def test_what_cannot_be_guessed_is_said_with_the_line_to_write():
    """Several fields are refused when it is loaded; a wrong guess is explained when it fails."""
    with pytest.raises(SystemLoadError, match=r'INPUT = \{"query": "\{\{question\}\}", …\}'):
        ask(Chain(fields("language", "query")))

    class Silent(Chain):
        def invoke(self, input: Any, config: Any = None, **options: Any) -> Any:  # noqa: A002 - its name
            return input["question"]

    silent = Silent({})
    with pytest.raises(SystemFailed, match=r'TypeError.*write INPUT = "question"'):
        ask(silent)
    assert ask(silent, takes="question").text == QUESTION.text
    with pytest.raises(TypeError):  # what was declared is not explained as a guess
        ask(silent, takes="{{question}}")


def test_what_is_declared_is_given():
    """The name of a field, or the whole input with placeholders."""
    chain = Chain(fields("language", "query"))
    ask(chain, takes="query")
    assert chain.given == {"query": QUESTION.text}
    ask(
        chain,
        {"tone": "dry"},
        takes={"query": "Q: {{question}}", "k": "{{top_k}}", "t": "{{settings.tone}}"},
    )
    assert chain.given == {"query": "Q: How long?", "k": 5, "t": "dry"}
    assert chain.config == {"configurable": {"tone": "dry"}}


def test_a_graph_whose_schema_cannot_be_described_is_asked_by_its_state():
    """Its fields without those that its nodes fill in."""

    class Graph(Chain):
        class builder:  # noqa: N801 - its name
            class input_schema:  # noqa: N801 - its name
                __annotations__ = {"question": str, "context": list, "answer": str}

    graph = Graph(ValueError("no schema"))
    ask(graph)
    assert graph.given == {"question": QUESTION.text}


@pytest.mark.parametrize(
    "reply",
    [
        {"input": "How long?", "context": [DOCUMENT], "answer": ANSWER},
        {"query": "How long?", "result": ANSWER, "source_documents": [DOCUMENT]},
        {
            "context": [DOCUMENT],
            "answer": AIMessage([{"type": "text", "text": ANSWER}, {"type": "image"}]),
        },
        {"messages": [AIMessage("?"), AIMessage(ANSWER)], "context": [DOCUMENT]},
        {"messages": [ToolMessage(artifact=[DOCUMENT]), AIMessage(ANSWER)]},
    ],
)
def test_replies_of_chains_have_answer_and_passages(reply: Any):
    """Documents have id, page label and source in their metadata."""
    answer = ask(Chain({"type": "string"}, reply))
    assert (answer.text, answer.passages) == (ANSWER, (PASSAGE,))


def test_a_message_has_its_usage_and_finish_reason():
    """As the chat models of LangChain state them."""
    message = AIMessage(
        ANSWER, {"input_tokens": 7, "output_tokens": 2}, {"finish_reason": "length"}
    )
    answer = ask(Chain({"type": "string"}, message))
    assert (answer.text, answer.finish_reason, answer.passages) == (ANSWER, "length", None)
    assert answer.usage is not None
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (7, 2)


def test_a_method_of_a_chain_is_asked_like_the_chain():
    """``stream`` gives pieces, whose messages and documents are joined."""
    chain = Chain(fields("input"))
    answer = ask(chain.stream)
    assert chain.given == {"input": QUESTION.text}
    assert (answer.text, answer.passages) == (ANSWER, (PASSAGE,))
    assert answer.usage is not None
    assert answer.usage.prompt_tokens == 7


def test_a_document_without_an_id_has_one_that_depends_on_its_text():
    """It is the same in every run; a field with the name of documents may hold anything else."""
    bare, other = (to_answer({"answer": "x", "context": [Document(text, {})]}) for text in "ab")
    assert bare.passages is not None
    assert other.passages is not None
    assert bare.passages[0].id != other.passages[0].id
    assert bare == to_answer({"answer": "x", "contexts": ["a"]})
    assert to_answer({"answer": "x", "context": "some text"}).passages is None
    assert to_answer({"answer": "x", "sources": [3]}).passages is None
    assert to_answer({"answer": "x", "passages": ["c1"], "context": ["a"]}).passages == (
        Passage(id="c1"),
    )


@dataclasses.dataclass
class Node:
    """A node of LlamaIndex."""

    id_: str
    text: str
    metadata: dict[str, Any]

    def get_content(self) -> str:
        """Its text."""
        return self.text


@dataclasses.dataclass
class NodeWithScore:
    """A node that was retrieved."""

    node: Node
    score: float


@dataclasses.dataclass
class Response:
    """A response of a query engine."""

    response: str | None
    source_nodes: list[NodeWithScore]


@dataclasses.dataclass
class StreamingResponse:
    """A streamed one."""

    response_gen: Iterator[str]
    source_nodes: list[NodeWithScore]


NODES = [NodeWithScore(Node("n1", ANSWER, {"file_name": "a.pdf", "page_label": "iv"}), 0.83)]


class Engine:
    """A query engine of LlamaIndex."""

    def __init__(self, reply: Any) -> None:
        self.reply = reply

    def query(self, str_or_query_bundle: Any) -> Any:
        """Answer."""
        assert str_or_query_bundle == QUESTION.text
        return self.reply

    async def aquery(self, str_or_query_bundle: Any) -> Any:
        """Answer."""
        return self.query(str_or_query_bundle)


def test_a_query_engine_returns_its_nodes_with_scores():
    """At once or as a stream; a page that is no number is not known."""
    for reply in (Response(ANSWER, NODES), StreamingResponse(iter(["Thirty", " days."]), NODES)):
        answer = ask(Engine(reply))
        assert answer.text == ANSWER
        assert answer.passages == (Passage(id="n1", text=ANSWER, score=0.83, source="a.pdf"),)
    assert ask(Engine(Response(ANSWER, NODES)).aquery).text == ANSWER


class ChatEngine:
    """A chat engine of LlamaIndex, which keeps its conversation."""

    is_dummy_stream = False

    def __init__(self) -> None:
        self.history: list[str] = []

    def chat(self, message: str, chat_history: Any = None) -> Any:
        """Answer."""
        self.history.append(message)
        reply = Response(ANSWER, NODES)
        reply.is_dummy_stream = False  # type: ignore[attr-defined]
        return reply

    async def achat(self, message: str, chat_history: Any = None) -> Any:
        """Answer."""
        return self.chat(message)

    def reset(self) -> None:
        """Forget."""
        self.history.append("reset")


def test_the_conversation_of_a_chat_engine_is_reset_before_each_question():
    """Its own ``reset`` is the hook."""
    engine = ChatEngine()
    assert ask(engine).text == ANSWER
    assert engine.history == ["reset", QUESTION.text]
    assert PythonSystem(engine).max_concurrency == 1


@dataclasses.dataclass
class HaystackDocument:
    """A document of Haystack."""

    id: str
    content: str
    meta: dict[str, Any]
    score: float | None = None


@dataclasses.dataclass
class GeneratedAnswer:
    """What AnswerBuilder makes."""

    data: str
    documents: list[HaystackDocument]
    meta: dict[str, Any]


USAGE = {"usage": {"prompt_tokens": 7, "completion_tokens": 2}, "finish_reason": "stop"}
FOUND = HaystackDocument("h1", ANSWER, {"file_path": "a.pdf", "page_number": 4}, 0.5)
IN_PASSAGE = Passage(id="h1", text=ANSWER, page=4, score=0.5, source="a.pdf")


class Pipeline:
    """A pipeline of Haystack with these inputs."""

    def __init__(self, inputs: Any, outputs: Any) -> None:
        self._inputs, self._outputs = inputs, outputs
        self.given: Any = None

    def inputs(self) -> Any:
        """Its inputs that no component is connected to."""
        return self._inputs

    def outputs(self, include_components_with_connected_outputs: bool = False) -> Any:
        """Its outputs."""
        assert include_components_with_connected_outputs
        return {"retriever": {"documents": {}}, "prompt": {"prompt": {}}, "llm": {"replies": {}}}

    def run(self, data: Any, include_outputs_from: set[str] | None = None) -> Any:
        """Answer."""
        assert include_outputs_from == {"retriever"}
        self.given = data
        return self._outputs


def socket(kind: Any, mandatory: bool = True) -> dict[str, Any]:
    """An input."""
    return {"type": kind, "is_mandatory": mandatory}


INPUTS = {
    "retriever": {"query": socket(str), "top_k": socket(int, mandatory=False)},
    "prompt": {"question": socket(Any, mandatory=False), "template": socket(str, mandatory=False)},
}


@pytest.mark.parametrize(
    "outputs",
    [
        {"retriever": {"documents": [FOUND]}, "llm": {"replies": [ANSWER], "meta": [USAGE]}},
        {
            "retriever": {"documents": []},
            "answers": {"answers": [GeneratedAnswer(ANSWER, [FOUND], USAGE)]},
        },
    ],
)
def test_a_pipeline_gets_the_question_at_every_input_for_a_text(outputs: Any):
    """Its documents are asked for; the answer is the first reply, or what the answer builder makes."""
    pipeline = Pipeline(INPUTS, outputs)
    answer = ask(pipeline)
    text = QUESTION.text
    assert pipeline.given == {"retriever": {"query": text}, "prompt": {"question": text}}
    assert (answer.text, answer.passages, answer.finish_reason) == (ANSWER, (IN_PASSAGE,), "stop")
    assert answer.usage is not None
    assert answer.usage.prompt_tokens == 7


def test_an_input_of_a_pipeline_that_takes_no_text_must_be_declared():
    """The message has the line to write."""
    outputs = {"retriever": {"documents": []}, "llm": {"replies": [AIMessage(ANSWER)]}}
    pipeline = Pipeline({"llm": {"messages": socket(list[str])}}, outputs)
    with pytest.raises(SystemLoadError, match=r'INPUT = \{"llm": \{"messages": …\}, …\}'):
        ask(pipeline)
    outputs["llm"]["replies"] = [ANSWER]
    answer = ask(pipeline, takes={"llm": {"messages": ["{{question}}"]}})
    assert pipeline.given == {"llm": {"messages": [QUESTION.text]}}
    assert answer.passages == ()


class Prediction:
    """A prediction of DSPy."""

    def __init__(self, **values: Any) -> None:
        self._values = values

    def toDict(self) -> dict[str, Any]:  # noqa: N802 - its name
        """Its fields."""
        return self._values

    def get_lm_usage(self) -> Any:
        """Its usage by models."""
        return {"a": {"prompt_tokens": 3, "completion_tokens": 1}, "b": {"prompt_tokens": 4}}


class Signature:
    """A signature of DSPy."""

    def __init__(self, *names: str) -> None:
        self.signature = self
        self.input_fields = dict.fromkeys(names)


class Module:
    """A module of DSPy that passes on what it is given to its predictor."""

    takes: tuple[str, ...] = ("question",)

    def __init__(self, **values: Any) -> None:
        self.values = values
        self.was_reset = False

    def __call__(self, *args: Any, **given: Any) -> Any:
        """Answer."""
        assert args == ()
        self.given = given
        return Prediction(**self.values)

    def forward(self, **given: Any) -> Any:
        """Not to be called."""
        raise AssertionError

    def named_predictors(self) -> Any:
        """Its predictors."""
        return [("predict", Signature(*self.takes))]

    def reset(self) -> None:
        """Forget its examples, which is not what our hook means."""
        self.was_reset = True


class Rag(Module):
    """A module with a signature of its own."""

    takes = ("context", "question")

    def forward(self, query: str) -> Any:  # type: ignore[override]
        """Not to be called."""
        raise AssertionError


def test_a_module_gets_the_question_by_the_name_of_its_field():
    """That of its ``forward``, or of the signature of its only predictor."""
    module = Module(reasoning="Let me see.", answer=ANSWER, context=["a", "b"])
    answer = ask(module)
    assert module.given == {"question": QUESTION.text}
    assert not module.was_reset
    assert answer.text == ANSWER
    assert answer.passages is not None
    assert [each.text for each in answer.passages] == ["a", "b"]
    assert answer.usage is not None
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (7, 1)
    rag = Rag(reasoning="Hm.", response=ANSWER)
    assert ask(rag).text == ANSWER
    assert rag.given == {"query": QUESTION.text}


def test_a_prediction_must_say_which_field_is_the_answer():
    """And a signature which one takes the question."""
    with pytest.raises(SystemFailed, match="call it answer"):
        ask(Module(short="30", long=ANSWER))

    class Wide(Module):
        takes = ("context", "question")

    with pytest.raises(SystemLoadError, match="the fields context, question"):
        ask(Wide(answer=ANSWER))


def test_objects_of_one_class_have_identities_of_their_own():
    """A run of one chain does not go on with the answers of another; addresses do not count."""

    class Shown(Chain):
        def __repr__(self) -> str:
            return f"{self.schema} {object.__repr__(self)}"

    one, same, other = Shown({"a": 1}), Shown({"a": 1}), Shown({"a": 2})
    assert identity_of(one) == identity_of(same) != identity_of(other)


def test_a_chain_in_a_module_is_loaded_with_what_the_module_declares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """``INPUT``, ``SETTINGS`` and ``VERSION`` stand beside it."""
    source = """
from tests.systems.test_framework import Chain, fields
VERSION, INPUT, SETTINGS = "1", "query", {"tone": str}
chain = Chain(fields("language", "query"))
"""
    (tmp_path / "chain_of_mine.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    target = read_target("chain_of_mine:chain")
    system = PythonSystem.of(target)
    assert system.identity == "python:chain_of_mine:chain@1"
    assert set(system.settings or {}) == {"tone"}
    asyncio.run(system.ask(QUESTION, {}, 5))
    assert target.asked.given == {"query": QUESTION.text}


def test_other_objects_are_asked_by_a_method_of_a_usual_name():
    """And replies that belong to nobody stay as they are."""

    class Runner:
        def run(self, question: str) -> str:
            return f"{question} 30"

    assert ask(Runner()).text == "How long? 30"
    assert plain_reply(7) == 7
    with pytest.raises(AssayError, match="no 'answer'"):
        to_answer({"usage": {"prompt_tokens": 1}})
