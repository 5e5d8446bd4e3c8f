"""The examples of docs/adapters.md with the real libraries, run by the installed command.

``tests/systems/test_framework.py`` holds the same shapes without the libraries. The models answer on a
loopback socket; nothing else is called.
"""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import uvicorn

from tests.real_clients.example import (
    ANSWER,
    DSPY,
    FASTAPI,
    HAYSTACK,
    LANGCHAIN,
    LLAMAINDEX,
    TEXTS,
    reply,
    with_examples,
)
from tests.support.model_server import ModelServer


@pytest.fixture(name="model", scope="module")
def _model() -> Iterator[ModelServer]:
    with ModelServer(respond=reply) as server:
        yield server


@pytest.fixture(name="folder")
def _folder() -> Iterator[Path]:
    # LlamaIndex reads nothing below a folder whose name begins with a dot, as pytest's is here
    with TemporaryDirectory() as name:
        yield with_examples(Path(name))


def assay(folder: Path, model: ModelServer, *words: str, code: int = 0) -> str:
    """What the installed command prints."""
    home = {"HOME": str(folder), "PATH": os.environ["PATH"], "MODEL_URL": model.base_url}
    quiet = {
        "HAYSTACK_TELEMETRY_ENABLED": "false",
        "TOKENIZERS_PARALLELISM": "false",
        "NO_COLOR": "1",
    }
    command = [str(Path(sys.executable).parent / "assay"), *words]
    ended = subprocess.run(
        command,
        cwd=folder,
        env=home | quiet,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == code, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def rows(
    folder: Path, model: ModelServer, system: str, name: str = "run"
) -> dict[str, dict[str, Any]]:
    """The rows of a run, after a doctor that found nothing."""
    said = assay(folder, model, "doctor", "--system", system)
    assert "FAIL" not in said
    assert "answered in" in said
    words = ("--questions", "questions.csv", "--system", system, "--name", name, "--charts", "none")
    assay(folder, model, "run", *words)
    lines = (folder / f"experiments/{name}.jsonl").read_text("utf-8").splitlines()
    found = {row["question_id"]: row for row in map(json.loads, lines)}
    assert [row["status"] for row in found.values()] == ["scored", "scored"]
    return found


def test_langchain(folder: Path, model: ModelServer):
    """A chain with its documents; its message has usage and finish reason; ``stream`` is timed."""
    (folder / "parts.py").write_text(LANGCHAIN)
    row = rows(folder, model, "python:chain_system:chain")["q1"]
    assert (row["answer"], row["finish_reason"]) == (ANSWER, "stop")
    assert row["usage"]["completion_tokens"] > 0
    first, second = row["passages"]
    assert (first["id"], first["page"], first["text"]) == ("n1", 4, ANSWER)
    assert len(second["id"]) == 16
    assert "ttft_s" not in row
    row = rows(folder, model, "python:chain_system:chain.stream", "streamed")["q2"]
    assert (row["answer"], len(row["passages"])) == (TEXTS["t1"], 2)
    assert 0 < row["ttft_s"] < row["elapsed_s"]


CHAINS = """
from operator import itemgetter
from langchain.agents import create_agent
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda, RunnableParallel, RunnablePassthrough
from langgraph.graph import START, StateGraph
from typing import TypedDict
from parts import model, retriever

VERSION = "1"
prompt = ChatPromptTemplate.from_template("{context} {question}")
lcel = {"context": retriever, "question": RunnablePassthrough()} | prompt | model | StrOutputParser()
by_item = {"context": itemgetter("question") | retriever, "question": itemgetter("question")} | prompt | model
cited = RunnableParallel(context=retriever, question=RunnablePassthrough()).assign(answer=prompt | model)
history = ChatPromptTemplate.from_messages([("placeholder", "{chat_history}"), ("user", "{input}")]) | model
agent = create_agent(model, tools=[])

class State(TypedDict):
    question: str
    context: list
    answer: str

graph = StateGraph(State)
graph.add_node("find", lambda state: {"context": retriever.invoke(state["question"])})
graph.add_node("say", lambda state: {"answer": (prompt | model).invoke(state)})
graph.add_edge(START, "find")
graph.add_edge("find", "say")
graph = graph.compile()
silent = RunnableLambda(lambda asked: retriever.invoke(asked["question"])[0].page_content)
"""


@pytest.mark.parametrize("name", ["model", "lcel", "by_item", "cited", "history", "agent", "graph"])
def test_kinds_of_runnables(folder: Path, model: ModelServer, name: str):
    """What goes in is what their input schemas say; documents come out where there are any."""
    (folder / "parts.py").write_text(LANGCHAIN)
    (folder / "chains.py").write_text(CHAINS)
    row = rows(folder, model, f"python:chains:{name}")["q1"]
    assert row["answer"] == ANSWER
    assert bool(row.get("passages")) == (name in {"cited", "graph"})


def test_a_runnable_that_does_not_say_what_it_takes(folder: Path, model: ModelServer):
    """Doctor and run fail in the same way, with the line to write."""
    (folder / "parts.py").write_text(LANGCHAIN)
    (folder / "chains.py").write_text(CHAINS)
    said = assay(folder, model, "doctor", "--system", "python:chains:silent", code=1)
    assert 'write INPUT = "question"' in said
    with (folder / "chains.py").open("a") as file:
        file.write('INPUT = "question"\n')
    assert rows(folder, model, "python:chains:silent")["q1"]["answer"] == ANSWER


def test_llamaindex(folder: Path, model: ModelServer):
    """A query engine with its nodes and scores; as a stream it is timed; a chat is reset."""
    (folder / "parts.py").write_text(LLAMAINDEX)
    with (folder / "engine_system.py").open("a") as file:
        file.write(
            "index = VectorStoreIndex.from_documents(documents)\n"
            "streaming = index.as_query_engine(streaming=True)\n"
            "chat = index.as_chat_engine(chat_mode='context')\n"
        )
    row = rows(folder, model, "python:engine_system:engine")["q1"]
    assert row["answer"] == ANSWER
    assert {each["text"] for each in row["passages"]} == set(TEXTS.values())
    assert all(each["score"] > 0 for each in row["passages"])
    row = rows(folder, model, "python:engine_system:streaming", "streamed")["q1"]
    assert row["answer"] == ANSWER
    assert row["passages"]
    assert 0 < row["ttft_s"] < row["elapsed_s"]
    asked = len(model.calls)
    row = rows(folder, model, "python:engine_system:chat", "chat")["q2"]
    assert row["answer"] == TEXTS["t1"]
    for call in model.calls[asked:]:
        text = json.dumps(call.body)
        assert not ("How long is the notice period?" in text and "How is a day" in text)


def test_haystack(folder: Path, model: ModelServer):
    """A pipeline with the documents that pass through it, and the usage of its generator."""
    (folder / "parts.py").write_text(HAYSTACK)
    row = rows(folder, model, "python:pipeline_system:pipeline")["q1"]
    assert (row["answer"], row["finish_reason"]) == (ANSWER, "stop")
    assert row["usage"]["prompt_tokens"] > 0
    first = row["passages"][0]
    assert (first["id"], first["page"], first["text"]) == ("n1", 4, ANSWER)
    assert first["score"] > 0


def test_dspy(folder: Path, model: ModelServer):
    """A module, as a class or an object, with its context as passages and its usage."""
    (folder / "parts.py").write_text(DSPY)
    with (folder / "module_system.py").open("a") as file:
        file.write("rag = Rag()\nbare = dspy.Predict('question -> answer')\n")
    for name, run in (("Rag", "class"), ("rag", "object")):
        row = rows(folder, model, f"python:module_system:{name}", run)["q1"]
        assert row["answer"] == ANSWER
        assert [each["text"] for each in row["passages"]] == list(TEXTS.values())
        assert row["usage"]["prompt_tokens"] > 0
    assert rows(folder, model, "python:module_system:bare", "bare")["q2"]["answer"] == TEXTS["t1"]


@pytest.fixture(name="service")
def _service(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (folder / "parts.py").write_text(FASTAPI)
    (folder / "text_service.py").write_text(
        "from fastapi.responses import StreamingResponse\n"
        "from parts import tokens\n"
        "from service import app\n"
        "@app.post('/text')\n"
        "async def text(asked: dict): return StreamingResponse(tokens(asked['question']))\n"
    )
    monkeypatch.syspath_prepend(str(folder))
    for name in ("parts", "service", "text_service"):
        sys.modules.pop(name, None)
    from text_service import app  # type: ignore[import-not-found]  # noqa: PLC0415 - written above

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join(10)


@pytest.mark.parametrize("path", ["ask", "text"])
def test_fastapi(folder: Path, model: ModelServer, service: str, path: str):
    """A StreamingResponse of events, or of plain text without a content type; first try."""
    row = rows(folder, model, f"{service}/{path}")["q1"]
    assert row["answer"] == ANSWER
    assert bool(row.get("passages")) == (path == "ask")
    assert 0 < row["ttft_s"] < row["elapsed_s"]


@pytest.mark.parametrize("path", ["ask", "text"])
def test_a_service_that_breaks_in_the_middle(
    folder: Path, model: ModelServer, service: str, path: str
):
    """The case fails; half an answer is nowhere."""
    (folder / "questions.csv").write_text("question,answer\nWhat breaks?,nothing\n")
    words = ("--questions", "questions.csv", "--system", f"{service}/{path}", "--charts", "none")
    assay(folder, model, "run", *words, "--name", "broken", "--retries", "0", code=2)
    (row,) = map(json.loads, (folder / "experiments/broken.jsonl").read_text().splitlines())
    assert (row["status"], row["error_kind"]) == ("failed", "unavailable")
    assert "Notice is" not in json.dumps(row)


def test_a_model_that_streams(folder: Path, model: ModelServer):
    """An entry of kind openai with ``stream: true``, against a server of events; a replayed call is not timed."""
    (folder / "experiments").mkdir()
    (folder / "experiments/experiments.yaml").write_text(
        f"models:\n  m: {{model: m, base_url: '{model.base_url}', api_key_env: null, "
        "parameters: {stream: true}}\nsystems:\n  bare: {kind: openai, model: m}\n"
    )
    row = rows(folder, model, "bare")["q1"]
    assert (row["answer"], row["finish_reason"]) == (ANSWER, "stop")
    assert row["usage"]["completion_tokens"] > 0
    assert 0 < row["ttft_s"] <= row["elapsed_s"]
    row = rows(folder, model, "bare", "again")["q1"]
    assert row["answer"] == ANSWER
    assert row["latency_replayed"]
    assert "ttft_s" not in row
