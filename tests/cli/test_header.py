"""The header of a run: the whole configuration of each variant, and no secret."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.json_server import JsonServer
from tests.support.model_server import ModelServer
from tests.support.program import Program, program

PROGRAM = """\
import json, sys
for line in sys.stdin:
    print(json.dumps({"answer": "30 days"}), flush=True)
"""
CONFIG = """\
models:
  small:
    model: test/small
    base_url: {model}
    api_key_env: SMALL_KEY
    parameters: {{temperature: 0, max_tokens: 400}}
    headers: {{X-Team: "${{TEAM}}", X-Token: literal-9f8e7d}}
systems:
  service:
    kind: http
    url: {service}/ask?token=t0ken-in-address&v=2
    headers: {{Authorization: "Bearer ${{RAG_TOKEN}}", X-Team: blue}}
    body: {{query: "{{{{question}}}}", mode: "{{{{settings.mode}}}}", api_key: "literal-1a2b3c", k: 7}}
    settings: [mode]
    version: "7"
  chat: {{kind: openai, model: small, system_prompt: Be short.}}
  program:
    kind: command
    command: [{python}, program.py, --api-key, literal-4d5e6f, --token=literal-7a8b9c, --k, "5"]
    env: {{MODE: production, CLERK_TOKEN: "${{RAG_TOKEN}}", TEAM: "${{TEAM}}", NONE_TOKEN: ""}}
"""
HIDDEN = {"RAG_TOKEN": "hidden-rag-0123456789", "SMALL_KEY": "hidden-small-0123456789"}
LITERAL = (
    "t0ken-in-address",
    "literal-9f8e7d",
    "literal-1a2b3c",
    "literal-4d5e6f",
    "literal-7a8b9c",
)


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A workspace with a service, a model and a program; both servers answer."""
    for name, value in {**HIDDEN, "TEAM": "red"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiments").mkdir()
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "questions.csv").write_text("question,answer\nHow long?,30 days\n")
    with JsonServer(lambda _: {"answer": "30 days"}) as service, ModelServer() as model:
        text = CONFIG.format(
            model=model.base_url, service=service.url, python=json.dumps(sys.executable)
        )
        (tmp_path / "experiments/experiments.yaml").write_text(text)
        yield tmp_path


def variant(folder: Path, name: str, number: int = 0) -> dict[str, Any]:
    """A variant of the header of a run."""
    summary = json.loads((folder / f"experiments/{name}.json").read_text())
    return dict(summary["variants"][number])


def test_a_service_is_described(assay: Program, folder: Path):
    """Its entry with the settings of the variant; of headers only the names."""
    ran = assay(
        "run", "--questions=questions.csv", "--system=service", "--set=mode=deep", "--name=a"
    )
    assert ran.code == 0, ran.err
    found = variant(folder, "a")
    url = found["configuration"].pop("url")
    assert url.startswith("http://127.0.0.1:")
    assert url.endswith("/ask?token=***&v=2")
    assert found["configuration"] == {
        "kind": "http",
        "method": "POST",
        "headers": ["Authorization", "X-Team"],
        "body": {"query": "{{question}}", "mode": "{{settings.mode}}", "k": 7},
        "answer": "answer",
        "passages_order": "rank",
        "settings": {"mode": "deep"},
        "timeout_s": 120.0,
        "retries": 3,
        "version": "7",
    }
    assert found["secrets"] == {"RAG_TOKEN": "set"}


def test_a_model_is_described(assay: Program, folder: Path):
    """A setting of the variant takes the place of the parameter."""
    words = ("--set=temperature=0.5", "--set=system_prompt=Be long.")
    ran = assay("run", "--questions=questions.csv", "--system=chat", "--name=a", *words)
    assert ran.code == 0, ran.err
    found = variant(folder, "a")
    known = found["configuration"]
    assert (known["kind"], known["model"]) == ("openai", "test/small")
    assert known["parameters"] == {"temperature": 0.5, "max_tokens": 400}
    assert known["system_prompt"] == "Be long."
    assert known["headers"] == ["X-Team", "X-Token"]
    assert found["secrets"] == {"SMALL_KEY": "set"}


def test_a_program_is_described(assay: Program, folder: Path):
    """Its command line without secrets, and the names of its variables: any value may be a key."""
    ran = assay("run", "--questions=questions.csv", "--system=program", "--name=a")
    assert ran.code == 0, ran.err
    found = variant(folder, "a")
    known = found["configuration"]
    assert known["command"][1:] == ["program.py", "--api-key", "***", "--token=***", "--k", "5"]
    assert "env" not in known
    assert set(found["secrets"]) == {"CLERK_TOKEN", "MODE", "NONE_TOKEN", "TEAM"}
    assert found["secrets"]["NONE_TOKEN"] == "not set"
    assert "production" not in (folder / "experiments/a.json").read_text(encoding="utf-8")


def test_systems_side_by_side_are_described_each(assay: Program, folder: Path):
    """The settings that name a system are none of its own."""
    words = [f"--system={name}" for name in ("service", "chat", "program")]
    ran = assay("run", "--questions=questions.csv", "--name=a", *words)
    assert ran.code == 0, ran.err
    kinds = [variant(folder, "a", number)["configuration"]["kind"] for number in range(3)]
    assert kinds == ["http", "openai", "command"]
    assert variant(folder, "a")["configuration"]["settings"] == {}


def test_no_secret_is_in_any_file(assay: Program, folder: Path):
    """Neither those of the environment nor those that stand in the configuration itself."""
    words = [f"--system={name}" for name in ("service", "chat", "program")]
    assert assay("run", "--questions=questions.csv", "--name=a", *words).code == 0
    (folder / "experiments/experiments.yaml").unlink()
    written = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert b"X-Team" in written
    assert [each for each in (*HIDDEN.values(), *LITERAL) if each.encode() in written] == []


def test_a_run_whose_header_has_no_description_goes_on(assay: Program, folder: Path):
    """Fingerprints are as they were: the identity covers what is described."""
    words = ("run", "--questions=questions.csv", "--system=service", "--system=chat", "--name=a")
    assert assay(*words).code == 0
    rows = (folder / "experiments/a.jsonl").read_text()
    assert all("." not in json.loads(row)["fingerprint"] for row in rows.splitlines())
    path = folder / "experiments/a.json"
    summary = json.loads(path.read_text())
    for each in summary["variants"]:
        del each["configuration"], each["secrets"]
    path.write_text(json.dumps(summary))
    again = assay(*words)
    assert again.code == 0
    assert "all 2 cases were recorded earlier; nothing was asked" in again.err
