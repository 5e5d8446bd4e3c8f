"""Keys that stand in ``experiments.yaml`` are on no page, and stay where they are."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient

from assay.errors import UseError
from assay.web.configure.hidden import HiddenSecrets
from assay.web.guard import CHANGING
from tests.redact.main import Program
from tests.support.page import BEARER, client_of, run

Client = TestClient[Any, Any]
KEYS = (
    "hd-planted-1a2b3c4d",
    "pw-planted-5e6f",
    "env-planted-7g8h",
    "qr-planted-9i0j",
    "sk-" + "a1B2" * 10,
    "opt-planted-3k4l",
)
TEXT = f"""\
# ours; the old key was {KEYS[4]}
defaults:
  questions_path: q.jsonl
  system: "python:echo:ask"
systems:
  far:
    kind: http
    url: "https://me:{KEYS[1]}@far.example/ask?token={KEYS[3]}"
    headers: {{X-Api-Key: '{KEYS[0]}', X-Route: blue}}
  apart: {{kind: command, command: [cat, --password, '{KEYS[5]}'], env: {{SHOP: "{KEYS[2]}", MODE: production}}}}
models:
  ours: {{model: m, base_url: "http://127.0.0.1:9/v1", api_key_env: OUR_KEY, headers: {{Authorization: "Bearer ${{OUR_KEY}}"}}}}
experiments:
  - name: tone
    ablation_variable: tone
    values: [kind, stern]
"""
ECHO = f"""\
VERSION = "1"


def ask(question, settings):
    print("with {KEYS[0]}")
    return {{"answer": "{KEYS[2]} and {KEYS[1]}", "passages": [{{"id": "a", "text": "{KEYS[3]}"}}]}}
"""


@pytest.fixture(name="root")
def _root(tmp_path: Path, program: Program) -> Path:
    """A workspace whose files are full of keys, with a run and its report."""
    root = program.folder
    (root / "experiments").mkdir()
    (root / "experiments" / "experiments.yaml").write_text(TEXT, encoding="utf-8")
    (root / "echo.py").write_text(ECHO, encoding="utf-8")
    lines = [{"id": "a", "question": "What?", "answer": "x"}, {"id": "b", "question": "Why?"}]
    (root / "q.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    assert program.run("ablate -e tone --no-report")[0] == 0
    summary = root / "experiments" / "tone.json"  # as a version without masking wrote it
    written = json.loads(summary.read_text(encoding="utf-8"))
    written["variants"][0]["settings"]["note"] = KEYS[0]
    written["extra"]["description"] = f"with {KEYS[2]}"
    summary.write_text(json.dumps(written), encoding="utf-8")
    return root


def planted(text: str) -> list[str]:
    """The keys that a text has."""
    return [key for key in KEYS if key in text]


def play(root: Path, story: Callable[[Client], Awaitable[None]]) -> None:
    """Run a story with a client that may change something."""

    async def whole() -> None:
        async with await client_of(root, is_read_only=False) as client:
            origin = f"http://127.0.0.1:{client.port}"
            client.session.headers.update({**BEARER, "Origin": origin, CHANGING[0]: CHANGING[1]})
            await story(client)

    run(whole())


@pytest.fixture(name="program")
def _program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Program:
    (tmp_path / "work").mkdir()
    return Program(tmp_path / "work", monkeypatch, capfd)


def test_no_call_gives_a_key_away(root: Path):
    """Every call that reads is made; none has a key that stands in the configuration."""
    names = {
        "run": "experiments%2Ftone",
        "item": "0",
        "variant": "tone_kind",
        "name": "q",
        "id": "1",
    }
    asked: dict[str, int] = {}

    async def story(client: Client) -> None:
        app = client.server.app  # type: ignore[attr-defined]
        for route in app.router.routes():
            path = route.resource.canonical
            if route.method != "GET" or not path.startswith("/api/") or path.endswith("/events"):
                continue
            for name, value in names.items():
                path = path.replace(f"{{{name}}}", value)
            answer = await client.get(
                path, params={"base": "experiments/tone", "cand": "experiments/tone"}
            )
            text = await answer.text()
            asked[path] = answer.status
            assert planted(text) == [], path

    play(root, story)
    assert len(asked) > 15
    assert sum(status == 200 for status in asked.values()) > 10, asked


def test_nothing_that_is_written_has_a_key(root: Path, program: Program):
    """The exported page, the report, rows and what is printed."""
    assert program.run("report tone --format html --out page.html")[0] == 0
    assert program.run("report tone --charts none")[0] == 0
    assert program.run("list")[0] == 0
    assert program.run("score tone")[0] == 0
    kept = {"experiments.yaml", "echo.py", "tone.json"}
    for path in root.rglob("*"):
        if path.is_file() and path.name not in kept and path.suffix != ".pyc":
            assert planted(path.read_text(encoding="utf-8", errors="replace")) == [], path
    assert planted(program.printed) == []


def test_the_page_saves_a_file_with_its_keys(root: Path):
    """A placeholder becomes what the file has there; whatever else was typed is written."""
    path = root / "experiments" / "experiments.yaml"

    async def story(client: Client) -> None:
        opened = await (await client.get("/api/v1/configure")).json()
        assert opened["text"].count("<***") == 7
        assert "production" not in opened["text"]
        text = opened["text"].replace("stern", "calm")
        checked = await (
            await client.post("/api/v1/configure/check", json={"text": text, "experiment": "tone"})
        ).json()
        assert checked["text"] == text
        assert planted(json.dumps(checked)) == []
        body = {"text": text, "version": opened["version"]}
        saved = await (await client.post("/api/v1/configure/save", json=body)).json()
        assert saved["text"] == text

    play(root, story)
    assert path.read_text(encoding="utf-8") == TEXT.replace("stern", "calm")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("far.example", "evil.example"),
        ("[kind, stern]", "[kind, '<***1>']"),
        ("[kind, stern]", "[kind, '<***2>']"),
    ],
)
def test_a_key_cannot_be_moved(root: Path, old: str, new: str):
    """Not to another address, and not to a place where the page would show it."""

    async def story(client: Client) -> None:
        opened = await (await client.get("/api/v1/configure")).json()
        body = {"text": opened["text"].replace(old, new), "version": opened["version"]}
        answer = await client.post("/api/v1/configure/save", json=body)
        text = await answer.text()
        assert answer.status == 400, text
        assert planted(text) == []

    play(root, story)
    assert (root / "experiments" / "experiments.yaml").read_text(encoding="utf-8") == TEXT


@pytest.mark.parametrize(
    "text",
    [
        "systems:\n  a: {kind: command, command: [x], env: {TOKEN_OF: 'pw-planted-5e6f'\n",
        'systems:\n  a:\n    env:\n      SHOP: "pw-planted\\x2d5e6f"\n',
        "systems: {a: {env: &e {SHOP: pw-planted-5e6f}}, b: {env: *e}, c: {env: {<<: *e}}}\n",
        "models: {a: {headers: {Authorization: Bearer pw-planted-5e6f}}}\n",
        "x: 1\n  env:\n   SHOP: pw-planted-5e6f\n  - [\n",
        "password: pw-planted-5e6f\n\tbad\n",
    ],
)
def test_a_key_in_any_spelling_is_hidden(text: str):
    """In quotes, with escapes, behind an alias, and in a file that is no YAML."""
    hidden = HiddenSecrets(text)
    shown = hidden.hide(text)
    assert "5e6f" not in shown
    assert hidden.restore(shown) == text


def test_an_unknown_placeholder_is_refused():
    """The file changed since it was opened."""
    with pytest.raises(UseError, match="stands for no key"):
        HiddenSecrets("a: 1\n").restore("a: <***1>")


def test_a_file_without_keys_stays_as_it_is():
    """References to variables, names of variables and ordinary settings are no secrets."""
    text = (
        "models: {a: {model: m, api_key_env: SHOP_KEY, headers: {Authorization: 'Bearer ${SHOP_KEY}'}}}\n"
        "redact: {key: ../note.key}\nexperiments: [{name: a, ablation_variable: max_tokens, values: [1, 2]}]\n"
    )
    assert HiddenSecrets(text).hide(text) == text
