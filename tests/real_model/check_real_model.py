"""assay against llama.cpp's server and a real model; started by run.sh (``make test-real-model``).

The file is not named ``test_…`` because the ordinary suite has neither the server nor the model.
The checks do not judge the model's answers, only that its text, token counts and errors reach
the user.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from assay.config.system import ModelConfig, Price
from assay.errors import AccessRefused, NoSuchModel, SystemFailed, TransientError
from assay.models.cache import CallCache
from assay.models.client import ModelClient
from assay.models.meter import metering

SERVE = Path(__file__).with_name("serve.py")
MODEL = "smollm2"
KEY = "local-key-1234"
KEY_VARIABLE = "REAL_MODEL_KEY"
T = TypeVar("T")


class Server:
    """The server, in a separate process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(SERVE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()
        if not self.address:
            self.stop()
            raise RuntimeError("the server did not start; run serve.py by hand to see why")

    @property
    def base_url(self) -> str:
        """The base URL of the OpenAI-compatible interface."""
        return f"{self.address}/v1"

    def stop(self) -> None:
        """Close the server's input, and kill it if it does not end. Safe to call twice."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


@pytest.fixture(scope="module")
def shared_server() -> Iterator[Server]:
    """One server for all checks that do not stop it."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server for one check, which may stop it."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the environment variable that the configuration names."""
    monkeypatch.setenv(KEY_VARIABLE, KEY)


def config(base_url: str, **changes: Any) -> ModelConfig:
    """The configuration of the model, for short and reproducible answers."""
    settings = {
        "model": MODEL,
        "base_url": base_url,
        "api_key_env": KEY_VARIABLE,
        "parameters": {"temperature": 0, "seed": 1, "max_tokens": 12},
        "retries": 0,
        **changes,
    }
    return ModelConfig(**settings)


def ask(
    settings: ModelConfig,
    question: Callable[[ModelClient], Awaitable[T]],
    cache: CallCache | None = None,
) -> T:
    """Call ``question`` with a client, and close the client afterwards."""

    async def run() -> T:
        client = ModelClient(settings, cache=cache)
        try:
            return await question(client)
        finally:
            await client.close()

    return asyncio.run(run())


def chat(text: str, **parameters: Any) -> Callable[[ModelClient], Awaitable[Any]]:
    """A function that sends one user message to a client."""
    return lambda client: client.chat([{"role": "user", "content": text}], **parameters)


def test_a_chat_call_is_answered_and_metered(shared_server: Server):
    """A reply has text and tokens, and its cost follows from the tokens."""
    settings = config(shared_server.base_url, price=Price(prompt=2.0, completion=8.0))
    with metering() as meter:
        reply = ask(settings, chat("Name one colour."))
    assert reply.text.strip()
    assert reply.prompt_tokens > 5
    assert 1 <= reply.completion_tokens <= 12
    usage = meter.usage()
    assert usage is not None
    expected = (2.0 * reply.prompt_tokens + 8.0 * reply.completion_tokens) / 1e6
    assert usage.paid == pytest.approx(expected)
    assert usage.unmetered_calls == 0


def test_a_cut_answer_is_marked(shared_server: Server):
    """An answer that reached ``max_tokens`` is marked as truncated and has that many tokens."""
    reply = ask(config(shared_server.base_url), chat("Tell a long story.", max_tokens=3))
    assert reply.finish_reason == "length"
    assert reply.truncated
    assert reply.completion_tokens == 3


def test_an_answer_that_ends_by_itself_is_not_marked(shared_server: Server):
    """An answer that ended before ``max_tokens`` is not marked as truncated."""
    settings = config(
        shared_server.base_url, parameters={"temperature": 0, "max_tokens": 200, "stop": [" "]}
    )
    reply = ask(settings, chat("Say hello to the harbour master."))
    assert reply.finish_reason == "stop"
    assert not reply.truncated


def test_chinese_and_russian_come_back_whole(shared_server: Server):
    """Chinese and Russian text is sent and answered without an error."""
    for text in ("请问冬季停靠泊位费用多少？", "Сколько стоит зимняя стоянка?"):
        assert ask(config(shared_server.base_url), chat(text)).prompt_tokens > 5


def test_embeddings_keep_order_and_dimension(shared_server: Server):
    """In a batch each text gets the same vector as alone."""
    texts = ["the tenant", "the landlord", "winter fees"]

    async def both(client: ModelClient) -> tuple[Any, Any]:
        return await client.embed(texts), [(await client.embed([text]))[0] for text in texts]

    together, alone = ask(config(shared_server.base_url, parameters={}), both)
    assert {len(vector) for vector in together} == {576}
    for batched, single in zip(together, alone, strict=True):
        assert batched == pytest.approx(single, abs=1e-2)
    assert together[0] != together[1]


def test_this_server_answers_to_any_model_name(shared_server: Server):
    """With one model loaded, the server ignores the model name of a request."""
    reply = ask(config(shared_server.base_url, model="no-such-model"), chat("Name one colour."))
    assert reply.text == ask(config(shared_server.base_url), chat("Name one colour.")).text


def test_a_wrong_address_names_model_and_address(shared_server: Server):
    """A 404 response raises ``NoSuchModel`` with the model and the address."""
    with pytest.raises(NoSuchModel, match=r"'smollm2' at http://127.0.0.1:\d+/v7"):
        ask(config(f"{shared_server.address}/v7"), chat("Name one colour."))


def test_a_wrong_key_names_its_variable(shared_server: Server, monkeypatch: pytest.MonkeyPatch):
    """The error for a 401 response names the variable and does not contain the key."""
    monkeypatch.setenv(KEY_VARIABLE, "wrong-key-5678")
    with pytest.raises(AccessRefused, match=KEY_VARIABLE) as refused:
        ask(config(shared_server.base_url), chat("Name one colour."))
    assert "5678" not in str(refused.value)


def test_a_prompt_beyond_the_context_fails_its_case_alone(shared_server: Server):
    """A prompt that is too long fails the case, does not stop the run, and names the context."""
    with pytest.raises(SystemFailed, match="context"):
        ask(config(shared_server.base_url), chat("berth " * 4000))


def test_a_connection_outlives_the_servers_patience(shared_server: Server):
    """The server closes a connection after 100 requests; all 110 calls succeed nevertheless."""

    async def many(client: ModelClient) -> int:
        answered = 0
        for _ in range(110):
            reply = await client.chat([{"role": "user", "content": "Go on."}], max_tokens=1)
            answered += reply.completion_tokens == 1
        return answered

    assert ask(config(shared_server.base_url, retries=1), many) == 110


def test_a_recorded_call_needs_no_server(own_server: Server, tmp_path: Path):
    """After the server has stopped, the cache replays text, tokens and latency."""
    settings = config(own_server.base_url)
    cache = CallCache(tmp_path / "calls.sqlite")
    try:
        first = ask(settings, chat("Name one colour."), cache)
        own_server.stop()
        with metering() as meter:
            second = ask(settings, chat("Name one colour."), cache)
        assert second == first
        assert meter.replayed_calls == 1
        assert meter.replayed_s > 0
        with pytest.raises(TransientError, match="cannot connect"):
            ask(settings, chat("Name one fruit."), cache)
    finally:
        cache.close()


def assay(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command in ``folder``."""
    return subprocess.run(
        [str(Path(sys.executable).with_name("assay")), *arguments],
        cwd=folder,
        env={**os.environ, "COLUMNS": "200"},
        text=True,
        capture_output=True,
        timeout=300,
        check=False,
    )


def rows(folder: Path) -> list[dict[str, Any]]:
    """Read the rows of the experiment in ``folder``."""
    text = (folder / "draws.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def write_configuration(root: Path, base_url: str) -> None:
    """Write an experiments.yaml with the model and a system that uses it, and three questions."""
    (root / "experiments").mkdir()
    berths = (
        {"id": f"berth-{n}", "question": f"What does berth {n} of the harbour cost a night?"}
        for n in range(1, 4)
    )
    lines = "".join(json.dumps(berth) + "\n" for berth in berths)
    (root / "questions.jsonl").write_text(lines, encoding="utf-8")
    (root / "experiments" / "experiments.yaml").write_text(
        f"""\
models:
  local:
    model: {MODEL}
    base_url: {base_url}
    api_key_env: {KEY_VARIABLE}
    parameters: {{temperature: 0, seed: 1, max_tokens: 12}}
    price: {{prompt: 1.0, completion: 2.0}}
    concurrency: 2
    retries: 0
systems:
  clerk:
    kind: openai
    model: local
    system_prompt: You are the clerk of a harbour.
defaults:
  questions_path: questions.jsonl
  system: clerk
experiments:
  - name: draws
    ablation_variable: sample
    values: [0, 1]
""",
        encoding="utf-8",
    )


def test_the_commands_work_with_it_and_without_it(own_server: Server, tmp_path: Path):
    """Doctor and a run work with the server; without it a run is replayed or reports the outage."""
    write_configuration(tmp_path, own_server.base_url)
    checked = assay(tmp_path, "doctor", "--system", "clerk")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "answered in" in checked.stdout

    ablate = ("ablate", "-e", "draws", "--timeout", "120", "--out")
    ran = assay(tmp_path, *ablate, "first")
    assert ran.returncode == 0, ran.stderr
    first = rows(tmp_path / "first")
    assert [row["status"] for row in first] == ["scored"] * 6
    assert all(row["usage"]["prompt_tokens"] > 10 and row["paid"] > 0 for row in first)
    assert any(row.get("finish_reason") == "length" for row in first)
    assert KEY not in ran.stdout + ran.stderr + (tmp_path / "first/draws.json").read_text()

    own_server.stop()
    replayed = assay(tmp_path, *ablate, "second")
    assert replayed.returncode == 0, replayed.stderr
    second = {row["key"]: row for row in rows(tmp_path / "second")}
    for row in first:
        assert second[row["key"]]["answer"] == row["answer"]
        assert second[row["key"]]["latency_replayed"]
        assert second[row["key"]]["paid"] == 0

    refused = assay(tmp_path, *ablate, "third", "--no-call-cache")
    assert refused.returncode == 2
    assert "provider unavailable" in refused.stderr
    assert "resume with: assay ablate" in refused.stderr
    doctor = assay(tmp_path, "doctor", "--system", "clerk")
    assert doctor.returncode == 1
    assert "cannot connect" in doctor.stdout


STRICT = """\
  strict:
    model: {model}
    base_url: {url}
    api_key_env: {variable}
    price: {{prompt: 1.0, completion: 2.0}}
    parameters:
      temperature: 0
      max_tokens: 24
      response_format:
        type: json_schema
        json_schema:
          schema:
            type: object
            properties: {{verdict: {{enum: [right, wrong]}}}}
            required: [verdict]
judges:
  correct: {{model: strict, rubric: correctness}}
"""


def test_a_judge_runs_the_whole_path(shared_server: Server, tmp_path: Path):
    """A run is judged, labels are drawn, and the check says in numbers how far the judge is right."""
    write_configuration(tmp_path, shared_server.base_url)
    file = tmp_path / "experiments" / "experiments.yaml"
    strict = STRICT.format(model=MODEL, url=shared_server.base_url, variable=KEY_VARIABLE)
    file.write_text(file.read_text().replace("systems:\n", f"{strict}systems:\n"))
    questions = [
        {"id": f"b{n}", "question": f"What does berth {n} cost?", "answer": f"{n} crowns"}
        for n in (1, 2)
    ]
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps(q) + "\n" for q in questions))
    assert assay(tmp_path, "ablate", "-e", "draws", "--timeout", "120").returncode == 0
    words = ("judge", "draws", "--judge", "correct", "--timeout", "200")
    judged = assay(tmp_path, *words)
    assert judged.returncode == 0, judged.stderr
    assert "4 of 4 judged: 4 asked, 0 known before" in judged.stdout
    assert "the model that gave the answers" in judged.stderr
    assert "0 asked, 4 known before" in assay(tmp_path, *words).stdout
    drawn = assay(tmp_path, "judge", "plan", "draws", "--draw", "2", "--out", "sheet.jsonl")
    assert drawn.returncode == 0, drawn.stderr
    sheet = (tmp_path / "sheet.jsonl").read_text().replace('"unclear"', '"wrong"')
    (tmp_path / "filled.jsonl").write_text(sheet)
    checked = assay(tmp_path, "judge", "check", "draws", "--labels", "filled.jsonl")
    assert checked.returncode == 0, checked.stderr
    assert "specificity" in checked.stdout
    assert "labels missing" in checked.stdout
