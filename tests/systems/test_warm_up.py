"""What each kind of system does before the first question; no question is asked."""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from assay.config.system import CommandConfig, HttpConfig, HttpPreparation, ModelConfig
from assay.data.corpus.chunk import Chunk, Corpus
from assay.errors import SystemLoadError
from assay.jobs.contract.law import LawBook
from assay.jobs.contract.reviewer import PromptedReviewer, Reviewer
from assay.jobs.contract.rule import RuleBook
from assay.jobs.legal.document_system import ByDocument
from assay.models.client import ModelClient
from assay.rag.embed.endpoint import ModelEmbedder
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.generate.extractive import ExtractiveGenerator
from assay.rag.generate.prompted import PromptedGenerator
from assay.systems.command import CommandSystem
from assay.systems.http import HttpSystem, OpenAISystem
from assay.systems.protocol import WarmsUp
from assay.systems.python.system import PythonSystem
from assay.systems.reference import ReferenceSystem
from assay.systems.scripted import ScriptedSystem
from tests.support.counting_server import CountingServer
from tests.support.json_server import JsonServer, Told

SETTINGS = ({"mode": "a"}, {"mode": "b"})
PROGRAM = """\
import json, sys
log = open(sys.argv[1], "a")
for line in sys.stdin:
    log.write(line)
    log.flush()
    case = json.loads(line)
    reply = {"error": "no room"} if case.get("settings") == {"mode": "bad"} else {"answer": "x"}
    print(json.dumps(reply), flush=True)
"""


def warm_up(
    system: Any, settings: Sequence[Mapping[str, Any]] = SETTINGS, concurrency: int = 2
) -> None:
    """Warm the system up and close it."""

    async def story() -> None:
        try:
            await system.warm_up(settings, concurrency)
        finally:
            await system.close()

    assert isinstance(system, WarmsUp)
    asyncio.run(story())


def client(url: str) -> ModelClient:
    """A model at this address."""
    return ModelClient(ModelConfig(model="m", base_url=url, api_key_env=None))


def corpus() -> Corpus:
    """A corpus of one chunk."""
    return Corpus(
        chunks=(Chunk(id="c", text="Notice is thirty days.", source="d"),), sha256="0" * 64
    )


def test_a_hook_without_parameters_is_called_once():
    """A pipeline that does not care about variants prepares itself once."""
    calls = []

    def ask(question: str) -> str:
        calls.append("ask")
        return question

    warm_up(PythonSystem(ask, prepare=lambda: calls.append("prepare")))
    assert calls == ["prepare"]


def test_a_hook_may_be_asynchronous_and_get_the_settings():
    """It is awaited once for each variant."""
    calls = []

    async def prepare(settings: Mapping[str, Any]) -> None:
        await asyncio.sleep(0)
        calls.append(settings)

    warm_up(PythonSystem(lambda question: question, prepare=prepare))
    assert calls == list(SETTINGS)


def test_a_function_that_needs_more_is_no_hook():
    """A module may have a function of this name for something else."""
    warm_up(PythonSystem(lambda question: question, prepare=lambda documents: 1 / 0))


def test_a_hook_that_fails_ends_the_run_with_one_line():
    """Without it every question would fail, or be slow."""

    def prepare() -> None:
        raise ValueError("the index\nis gone")

    with pytest.raises(SystemLoadError, match=r"prepare\(\) failed: ValueError: the index is gone"):
        warm_up(PythonSystem(lambda question: question, prepare=prepare))


def test_a_service_is_prepared_for_each_variant():
    """The request has the settings, and no question is sent."""
    with JsonServer(lambda _: {"ready": True}) as server:
        prepare = HttpPreparation(url=f"{server.url}/prepare/{{{{settings.mode}}}}")
        warm_up(HttpSystem(HttpConfig(url=f"{server.url}/ask", prepare=prepare)))
        assert [seen.path for seen in server.seen] == ["/prepare/a", "/prepare/b"]
        assert [seen.json for seen in server.seen] == [{"settings": each} for each in SETTINGS]


def test_a_service_that_cannot_be_prepared_ends_the_run():
    """The message says what the service answered."""
    with JsonServer(lambda _: Told(body={"error": "no room"}, status=400)) as server:
        config = HttpConfig(url=server.url, prepare=HttpPreparation(url=server.url))
        with pytest.raises(SystemLoadError, match=r"could not be prepared.*no room"):
            warm_up(HttpSystem(config))


def test_how_a_service_is_prepared_is_not_part_of_its_identity():
    """Adding it does not make recorded answers stale."""
    prepare = HttpPreparation(url="http://127.0.0.1/prepare")
    plain, prepared = (
        HttpSystem(HttpConfig(url="http://127.0.0.1/ask", prepare=each)) for each in (None, prepare)
    )
    assert plain.identity == prepared.identity


@pytest.mark.parametrize("kind", ["http", "openai", "reference", "embedder", "reviewer", "bench"])
def test_connections_are_opened_and_nothing_is_sent(kind: str):
    """No first call of any kind of system has to wait for its connection."""
    with CountingServer() as server:
        systems: dict[str, Any] = {
            "http": lambda: HttpSystem(HttpConfig(url=server.url)),
            "openai": lambda: OpenAISystem(client(server.url)),
            "reference": lambda: ReferenceSystem(
                corpus(), HashedEmbedder(), PromptedGenerator(client(server.url))
            ),
            "embedder": lambda: ReferenceSystem(
                corpus(), ModelEmbedder(client(server.url)), ExtractiveGenerator()
            ),
            "reviewer": lambda: Reviewer(
                RuleBook(rules=(), sha256=""),
                LawBook(),
                prompted=PromptedReviewer(client(server.url)),
            ),
            "bench": lambda: ByDocument({"d": OpenAISystem(client(server.url))}),
        }
        warm_up(systems[kind]())
        server.wait_for_connections(2)
        assert (server.connections, server.requests) == (2, 0)


def test_programs_are_started_before_the_first_question(tmp_path: Path):
    """As many as will be needed, and each is prepared for each variant if it wants to be."""
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, str(tmp_path / "program.py"), str(tmp_path / "log")]
    warm_up(CommandSystem(CommandConfig(command=command, processes=3, prepare=True)))
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert len(lines) == 2 * len(SETTINGS)
    assert all(line["prepare"] is True for line in lines)
    assert sorted(line["settings"]["mode"] for line in lines) == ["a", "a", "b", "b"]


def test_a_program_gets_no_line_unless_it_wants_to_be_prepared(tmp_path: Path):
    """Programs of the last version know only questions."""
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, str(tmp_path / "program.py"), str(tmp_path / "log")]
    warm_up(CommandSystem(CommandConfig(command=command, processes=2)))
    log = tmp_path / "log"
    assert not log.exists() or log.read_text() == ""


def test_a_program_that_cannot_be_prepared_ends_the_run(tmp_path: Path):
    """The message is that of the program."""
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, str(tmp_path / "program.py"), str(tmp_path / "log")]
    system = CommandSystem(CommandConfig(command=command, prepare=True))
    with pytest.raises(SystemLoadError, match=r"could not be prepared.*no room"):
        warm_up(system, [{"mode": "bad"}])


def test_a_system_need_not_warm_up():
    """The hook is optional."""
    assert not isinstance(ScriptedSystem({}), WarmsUp)
