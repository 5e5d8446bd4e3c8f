"""Loading systems from the configuration or by kind, and the messages if that fails."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from assay.config.system import (
    CommandConfig,
    HttpConfig,
    ModelConfig,
    OpenAIConfig,
    PythonConfig,
    ReferenceConfig,
    ReplayConfig,
    SystemConfig,
)
from assay.config.workspace import Workspace
from assay.errors import ConfigError, SystemFailed, SystemLoadError, UseError
from assay.models.cache import CallCache
from assay.records import Question
from assay.systems.command import CommandSystem
from assay.systems.http import HttpSystem, OpenAISystem
from assay.systems.load import SystemContext, load_configuration, load_system, make_system_context
from assay.systems.python.system import PythonSystem
from tests.support.model_server import ModelServer

QUESTION = Question(id="q1", text="Why?")
KEY = "sk-configured-0123456789"


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENROUTER_API_KEY", "OPENAI_API_KEY", "HOUSE_KEY"):
        monkeypatch.delenv(name, raising=False)


def configured(tmp_path: Path, text: str, **options: Any) -> SystemContext:
    """The context of a workspace whose experiments.yaml contains ``text``."""
    (tmp_path / "experiments").mkdir(exist_ok=True)
    (tmp_path / "experiments" / "experiments.yaml").write_text(text)
    workspace = Workspace.find(tmp_path)
    return make_system_context(workspace, load_configuration(workspace), **options)


def ask(system: Any) -> str:
    """Ask one question and return the text of the answer."""

    async def scenario() -> str:
        try:
            return str((await system.ask(QUESTION, {}, 3)).text)
        finally:
            await system.close()

    return asyncio.run(scenario())


def test_a_configured_model_is_asked_with_the_key_of_its_variable(tmp_path: Path):
    """The model comes from the file, the key from ``.env``, and calls are cached."""
    (tmp_path / ".env").write_text(f"HOUSE_KEY={KEY}\n")
    with ModelServer(api_key=KEY) as server:
        text = f"""
models:
  house: {{model: house-7b, base_url: "{server.base_url}", api_key_env: HOUSE_KEY}}
systems:
  brief: {{kind: openai, model: house, system_prompt: Be brief.}}
"""
        for spec in ("brief", "openai:house", "brief"):
            context = configured(tmp_path, text)
            assert ask(load_system(spec, context)).startswith("Answer")
            context.close()
    assert [call.model for call in server.calls] == ["house-7b"] * 2
    assert [len(call.messages) for call in server.calls] == [2, 1]
    assert (tmp_path / ".assay" / "calls.sqlite").exists()


def test_without_the_cache_nothing_is_kept(tmp_path: Path):
    """Without the cache every call is made, and no cache file is created."""
    with ModelServer() as server:
        text = f'models:\n  m: {{model: m, base_url: "{server.base_url}", api_key_env: null}}\n'
        for _ in range(2):
            context = configured(tmp_path, text, use_cache=False)
            ask(load_system("openai:m", context))
            context.close()
    assert len(server.calls) == 2
    assert not (tmp_path / ".assay").exists()


def test_models_share_one_cache(tmp_path: Path):
    """The cache is opened when a model first needs it; closing it twice is safe."""
    context = SystemContext(tmp_path, cache_path=tmp_path / "calls.sqlite")
    assert not (tmp_path / "calls.sqlite").exists()
    assert isinstance(context.call_cache(), CallCache)
    assert context.call_cache() is context.call_cache()
    context.close()
    context.close()


@pytest.mark.parametrize(
    ("variable", "address"),
    [
        ("OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"),
        ("OPENAI_API_KEY", "https://api.openai.com/v1"),
    ],
)
def test_a_model_that_is_not_configured_is_looked_for_where_there_is_a_key(
    variable: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The key that is set decides which provider is used."""
    monkeypatch.setenv(variable, KEY)
    system = load_system("openai:some/model", SystemContext(tmp_path))
    assert system.identity == f"openai:some/model@{address}{{}}"


def test_a_model_without_configuration_and_key_names_both_ways(tmp_path: Path):
    """The message has the nearest configured name and the variables for a key."""
    context = SystemContext(tmp_path, models={"house": ModelConfig(model="h")})
    with pytest.raises(SystemLoadError) as caught:
        load_system("openai:hause", context)
    for word in ("'hause'", "house", "OPENROUTER_API_KEY", "OPENAI_API_KEY"):
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_configured_model_without_its_key_names_the_variable(tmp_path: Path):
    """A missing key is reported before the first call."""
    models = {"m": ModelConfig(model="m", api_key_env="HOUSE_KEY")}
    with pytest.raises(UseError, match="HOUSE_KEY is not set"):
        load_system("openai:m", SystemContext(tmp_path, models=models))


def test_an_unknown_word_is_refused_with_the_nearest(tmp_path: Path):
    """Names of configured systems are suggested."""
    context = SystemContext(tmp_path, systems={"shop": HttpConfig(url="http://x")})
    with pytest.raises(SystemLoadError, match=r"there is no system 'shpo'.*shop"):
        load_system("shpo", context)


def test_a_file_that_is_given_as_a_system_is_hinted_to_be_recorded_answers(tmp_path: Path):
    """Its answers are replayed if the name says so."""
    answers = tmp_path / "ans.jsonl"
    answers.write_text("{}")
    with pytest.raises(SystemLoadError, match=f"in this file write replay:{answers}"):
        load_system(str(answers), SystemContext(tmp_path))


def test_every_kind_of_entry_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Each kind of entry under ``systems`` gives a system of its class."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine_configured.py").write_text("def ask(question):\n    return question\n")
    text = """
models:
  m: {model: m, base_url: "http://127.0.0.1:9/v1", api_key_env: null}
systems:
  a: {kind: python, target: "mine_configured:ask"}
  b: {kind: openai, model: m}
  c: {kind: http, url: "http://127.0.0.1:9"}
  d: {kind: command, command: [sh, -c, cat]}
"""
    context = configured(tmp_path, text, use_cache=False)
    classes = [type(load_system(name, context)) for name in "abcd"]
    assert classes == [PythonSystem, OpenAISystem, HttpSystem, CommandSystem]
    assert context.systems["a"] == PythonConfig(target="mine_configured:ask")
    assert context.systems["b"] == OpenAIConfig(model="m")


def test_a_replay_is_found_below_the_root(tmp_path: Path):
    """A configured path is relative to the workspace."""
    context = SystemContext(tmp_path, systems={"old": ReplayConfig(path="old.jsonl")})
    with pytest.raises(UseError) as caught:
        load_system("old", context)
    assert str(tmp_path / "old.jsonl") in str(caught.value)


def test_a_url_is_an_endpoint(tmp_path: Path):
    """A URL can be used as a system without configuration."""
    for url in ("http://127.0.0.1:9/ask", "https://127.0.0.1:9/ask"):
        assert load_system(url, SystemContext(tmp_path)).identity.startswith(f"http:{url}#")


def test_a_command_line_is_split_as_a_shell_would(tmp_path: Path):
    """A quoted argument that contains a space stays one argument."""
    script = tmp_path / "my program.py"
    script.write_text(
        "import json, sys\nfor _ in sys.stdin:\n"
        "    print(json.dumps({'answer': sys.argv[1]}), flush=True)\n"
    )
    spec = f"command:{sys.executable} '{script}' 'two words'"
    assert ask(load_system(spec, SystemContext(tmp_path))) == "two words"


def test_a_quotation_that_is_not_closed_is_refused(tmp_path: Path):
    """A missing quotation mark is reported before anything is started."""
    with pytest.raises(SystemLoadError, match="close the quotation"):
        load_system("command:sh 'two words", SystemContext(tmp_path))


CLOSING = """
log = []
class Sync:
    def ask(self, question): return "fine"
    def close(self): log.append("closed")
class Async(Sync):
    async def close(self): log.append("closed")
class Angry(Sync):
    def close(self): raise ValueError("still busy")
"""


@pytest.mark.parametrize("name", ["Sync", "Async"])
def test_a_python_system_is_closed_once(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The target's ``close``, sync or async, is called exactly once."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"closing_{name}.py").write_text(CLOSING)
    system = load_system(f"python:closing_{name}:{name}", SystemContext(tmp_path))
    assert ask(system) == "fine"
    asyncio.run(system.close())
    assert sys.modules[f"closing_{name}"].log == ["closed"]


def test_a_close_that_fails_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An error in the user's ``close`` is reported in one line."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "closing_angry.py").write_text(CLOSING)
    system = load_system("python:closing_angry:Angry", SystemContext(tmp_path))
    with pytest.raises(SystemFailed, match=r"close\(\) failed: ValueError: still busy"):
        asyncio.run(system.close())


def test_a_command_without_a_program_is_refused(tmp_path: Path):
    """The message shows how to write it."""
    with pytest.raises(SystemLoadError, match="command:PROGRAM ARGUMENTS"):
        load_system("command:", SystemContext(tmp_path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("models:\n  m: {model: m, base_ulr: x}\n", ["experiments.yaml:2", "base_ulr", "base_url"]),
        ("models:\n  m: {model: m, base_url: ftp://x}\n", ["experiments.yaml:2"]),
        ("models:\n  m: {model: m, price: {prompt: -1}}\n", ["experiments.yaml:2"]),
        ("systems:\n  s: {kind: htpp, url: http://x}\n", ["experiments.yaml:2", "htpp"]),
        ("systems:\n  s: {kind: command, command: []}\n", ["experiments.yaml:2"]),
    ],
)
def test_a_wrong_entry_is_reported_with_its_line(tmp_path: Path, text: str, words: list[str]):
    """The message has the file, the line, the wrong key and the nearest valid key."""
    with pytest.raises(ConfigError) as caught:
        configured(tmp_path, text)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    "config",
    [
        PythonConfig(target="${NOPE_VAR}:ask"),
        PythonConfig(target="${NOPE_VAR}:ask", isolate="process"),
        CommandConfig(command=["${NOPE_VAR}/clerk"]),
        ReferenceConfig(chunks_manifest="${NOPE_VAR}/manifest.json"),
        ReplayConfig(path="${NOPE_VAR}.jsonl"),
    ],
)
def test_a_variable_that_is_not_replaced_is_named(tmp_path: Path, config: SystemConfig):
    """Where ``${NAME}`` is taken as it is written, the message says so and where it is replaced."""
    context = SystemContext(tmp_path, systems={"own": config})
    with pytest.raises(UseError) as caught:
        load_system("own", context)
    assert str(caught.value).endswith(
        "; ${NOPE_VAR} is not replaced here, only in url, body, headers and env of a system"
    )


def test_a_variable_on_the_command_line_is_named_too(tmp_path: Path):
    """The shell did not replace it, and assay does not either."""
    with pytest.raises(UseError, match=r"\$\{NOPE_VAR\} is not replaced here"):
        load_system("python:${NOPE_VAR}:ask", SystemContext(tmp_path))
    with pytest.raises(UseError) as caught:
        load_system("python:nope_module:ask", SystemContext(tmp_path))
    assert "replaced" not in str(caught.value)
