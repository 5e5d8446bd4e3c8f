"""No value leaks: sixty kinds of them in documents, questions, answers, errors and file names."""

import base64
import gzip
import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.redact.canary import CanaryWorkspace
from tests.redact.main import Program
from tests.support.json_server import JsonServer, Seen, Told

ROWS = {
    "ablate": "experiments/echo.jsonl",
    "depth": "experiments/depth.jsonl",
    "quality": "eval/runs/[PHONE_1].rows.jsonl",
    "review": "experiments/clauses.jsonl",
    "bench": "experiments/bench-legal.jsonl",
}
MEASURED = frozenset(
    {
        "elapsed_s",
        "prompt_tokens_expected",  # the mark around the text is another one with each key
        "latency_s",
        "ts",
        "stages",
        "cost",
        "redacted",
        "redact",
        "ended_at",
        "started_at",
    }
)


def leaks(workspace: CanaryWorkspace) -> dict[str, list[str]]:
    """The files that hold a canary in their content or their name."""
    found = {}
    for path in workspace.written():
        data = path.read_bytes()
        if path.suffix == ".html":
            blocks = re.findall(rb">(H4sI[A-Za-z0-9+/=]+)<", data)
            data += b"\n".join(gzip.decompress(base64.b64decode(block)) for block in blocks)
        name = str(path.relative_to(workspace.root))
        if leaked := workspace.leaks(data + b"\n" + name.encode()):
            found[name] = leaked
    return found


@pytest.mark.slow
def test_no_canary_is_written_or_shown(program: Program):
    """All five jobs with failures, one of them killed and resumed, then every report and export."""
    workspace = CanaryWorkspace(program.folder)
    assert len(workspace.canaries) >= 60
    (program.folder / "crash").touch()
    workspace.inputs.add(program.folder / "crash")
    assert program.run_apart(workspace.commands["ablate"]) == -signal.SIGKILL
    assert rows_of(program.folder / ROWS["ablate"])[-1]["ts"] > 0
    (program.folder / "crash").unlink()
    for job, line in workspace.commands.items():
        code, printed = program.run(line)
        assert code == 1, printed  # some questions fail
        assert re.search(r"[1-9]\d* failed", printed), printed
        assert (program.folder / ROWS[job]).exists()
    for line in exports():
        assert program.run(line)[0] == 0, program.printed[-2000:]
    assert leaks(workspace) == {}
    assert workspace.leaks(program.printed.encode()) == []


def exports() -> Iterator[str]:
    """The commands that show or write what was recorded."""
    for number, rows in enumerate(ROWS.values()):
        yield f"report {rows} --format html --out page{number}.html"
    yield f"report {ROWS['review']} --format latex --out tables.tex"
    yield f"report {ROWS['ablate']} --charts svg --lang ru --changes 0"
    yield f"heatmap {ROWS['depth']} --out map.html"
    yield f"score {ROWS['bench']}"
    yield f"compare --base {ROWS['ablate']} --cand {ROWS['ablate']} --variant seed_1 --max-failed 99 --format junit --out gate.xml"
    yield f"query {ROWS['ablate']} 'SELECT * FROM rows' --format csv --out rows.csv"
    yield "list --json"


def provider(seen: Seen) -> Any:
    """A model that repeats what it is asked, and sometimes fails with it."""
    asked = seen.json
    if "input" in asked:
        return {"data": [{"embedding": [1.0, len(text), 0.5]} for text in asked["input"]]}
    if "q" in asked:
        return {"answer": f"It is {asked['q']}", "id": asked["id"]}
    text = asked["messages"][-1]["content"]
    number = int((re.findall(r"case (\d+)", text) or ["0"])[-1])
    if number % 9 == 4:
        return Told(body={"error": {"message": f"cannot read: {text}"}}, status=400)
    return {
        "choices": [{"message": {"content": f"It says: {text} [1]"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 5},
    }


@pytest.mark.slow
def test_no_canary_leaves_the_computer(program: Program, monkeypatch: pytest.MonkeyPatch):
    """With ``calls`` a model elsewhere sees tags only, and its replies are judged with the values.

    The model is at a name that is not on loopback; the proxy of the environment leads there.
    """
    workspace = CanaryWorkspace(program.folder, mode="calls", system="openai:far")
    with JsonServer(provider) as server:
        monkeypatch.setenv("http_proxy", server.url)
        monkeypatch.setenv("no_proxy", "")
        for line in workspace.commands.values():
            code, printed = program.run(line)
            assert code == 1, printed
        quality = "quality --pdf '{}.pdf' --questions quality.jsonl --out eval/runs/service.json"
        quality = quality.format(workspace.canaries[0].value)
        assert program.run(f"{quality} --system service --retries 0")[0] == 0, program.printed[
            -3000:
        ]
        remote = quality.replace("service", "remote")
        assert program.run(f"{remote} --system remote --limit 8")[0] in {0, 1}
        sent = [f"{seen.path}\n".encode() + seen.body for seen in server.seen]
        found, printed = leaks(workspace), program.printed
        plain = quality.replace("eval/runs/service", "../plain")
        assert program.run(f"{plain} --system service --retries 0 --limit 9 --redact off")[0] == 0
        assert all(workspace.leaks(seen.body) for seen in server.seen[len(sent) :])
    assert len(sent) > 300
    assert any("embeddings" in seen.path for seen in server.seen)
    assert [names for each in sent if (names := workspace.leaks(each))] == []
    assert found == {}
    assert workspace.leaks(printed.encode()) == []
    results = json.loads((program.folder / "eval/runs/service.json").read_text(encoding="utf-8"))
    assert results["summary"]["weighted_score"] > 0.9  # the values were put back before judging
    assert (
        json.loads((program.folder / "experiments/bench-legal.json").read_bytes())["redact"]
        == "calls"
    )


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a journal."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def numbers(value: Any) -> Any:
    """What is not text in a record, without times."""
    if isinstance(value, dict):
        kept = {name: numbers(item) for name, item in value.items() if name not in MEASURED}
        return sorted(kept.items(), key=str) if kept else []
    if isinstance(value, list):
        return [numbers(item) for item in value]
    return "" if isinstance(value, str) else value


@pytest.mark.parametrize("job", ROWS)
def test_scores_are_those_without_redaction(program: Program, job: str):
    """Every number of every row is the same, whatever is masked in its texts."""
    recorded = {}
    for mode in ("off", "outputs"):
        folder = program.folder / mode
        folder.mkdir()
        workspace = CanaryWorkspace(folder, count=24)
        program.folder = folder
        assert program.run(f"{workspace.commands[job]} --redact {mode} --concurrency 1")[0] == 1
        program.folder = folder.parent
        (path,) = (each for each in folder.glob("e*/**/*.jsonl") if each not in workspace.inputs
                   and not each.name.endswith(".plan.jsonl"))  # fmt: skip
        recorded[mode] = [numbers(row) for row in rows_of(path) if "fingerprint" in row]
        assert bool(workspace.leaks(path.read_bytes())) == (mode == "off")
    assert recorded["off"] == recorded["outputs"]
    assert len(recorded["off"]) >= 24
