"""The examples of docs/adapters.md for libraries, and what they leave to their reader: models and texts."""

import json
import re
from pathlib import Path

from tests.support.model_fault import Body

ROOT = Path(__file__).parents[2]
ANSWER = "Notice is given thirty days ahead."
TEXTS = {"n1": ANSWER, "t1": "A day of travel is paid with 12 crowns."}
QUESTIONS = "id,question,answer\nq1,How long is the notice period?,thirty days\nq2,How is a day of travel paid?,12 crowns\n"

LANGCHAIN = """
import os
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_openai import ChatOpenAI

model = ChatOpenAI(base_url=os.environ["MODEL_URL"], api_key="sk-none-at-all", model="m")

class Retriever(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        return [
            Document("Notice is given thirty days ahead.", metadata={"chunk_id": "n1", "page": 4, "source": "h.txt"}),
            Document("A day of travel is paid with 12 crowns."),
        ]

retriever = Retriever()
"""
LLAMAINDEX = """
import os
from llama_index.core import MockEmbedding, Settings
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from openai import OpenAI

client = OpenAI(base_url=os.environ["MODEL_URL"], api_key="sk-none-at-all")

class Model(CustomLLM):
    @property
    def metadata(self):
        return LLMMetadata()

    def complete(self, prompt, formatted=False, **options):
        messages = [{"role": "user", "content": prompt}]
        reply = client.chat.completions.create(model="m", messages=messages)
        return CompletionResponse(text=reply.choices[0].message.content)

    def stream_complete(self, prompt, formatted=False, **options):
        text = ""
        messages = [{"role": "user", "content": prompt}]
        for chunk in client.chat.completions.create(model="m", messages=messages, stream=True):
            if chunk.choices and (delta := chunk.choices[0].delta.content):
                text += delta
                yield CompletionResponse(text=text, delta=delta)

Settings.llm = Model()
Settings.embed_model = MockEmbedding(embed_dim=8)
"""
HAYSTACK = """
import os
from haystack import Document
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.utils import Secret

store = InMemoryDocumentStore()
store.write_documents([
    Document(id="n1", content="Notice is given thirty days ahead.", meta={"file_path": "h.txt", "page_number": 4}),
    Document(id="t1", content="A day of travel is paid with 12 crowns."),
])
retriever = InMemoryBM25Retriever(store)
generator = OpenAIChatGenerator(
    api_key=Secret.from_token("sk-none-at-all"), model="m", api_base_url=os.environ["MODEL_URL"]
)
"""
DSPY = """
import os
import dspy

dspy.configure(
    lm=dspy.LM("openai/m", api_base=os.environ["MODEL_URL"], api_key="sk-none-at-all", cache=False),
    track_usage=True,
)

def search(question):
    return ["Notice is given thirty days ahead.", "A day of travel is paid with 12 crowns."]
"""
FASTAPI = """
def tokens(question):
    if "breaks" in question:
        yield "Notice is"
        raise RuntimeError("the model is gone")
    yield from ("Notice", " is", " given", " thirty", " days", " ahead.")

def passages(question):
    return [{"id": "n1", "text": "Notice is given thirty days ahead.", "page": 4}]
"""


def reply(body: Body) -> str:
    """What the model says; DSPy wants its fields."""
    text = json.dumps(body["messages"])
    answer = TEXTS["t1"] if "How is a day of travel paid?" in text else ANSWER
    if "[[ ## " in text:
        return f"[[ ## reasoning ## ]]\nIt says so.\n\n[[ ## answer ## ]]\n{answer}\n\n[[ ## completed ## ]]"
    return answer


def with_examples(folder: Path) -> Path:
    """The folder, with questions, documents, and the examples of the page."""
    (folder / "questions.csv").write_text(QUESTIONS)
    documents = folder / "documents"
    documents.mkdir()
    for name, text in TEXTS.items():
        (documents / f"{name}.txt").write_text(text)
    page = (ROOT / "docs/adapters.md").read_text("utf-8")
    for name, source in re.findall(r"```python\n# (\w+\.py)\n(.*?)```", page, re.DOTALL):
        (folder / name).write_text(source)
    return folder
