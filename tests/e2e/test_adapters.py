"""``assay ablate`` with model servers, HTTP services and programs as systems."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.json_server import JsonServer, Seen, Told, unused_port
from tests.support.model_client import KEY
from tests.support.model_server import Fault, ModelServer

PRICES = {"m": (2.0, 8.0)}
DRAWS = "experiments/draws.jsonl"
BERTHS = "experiments/berths.jsonl"


def write_model(assay: Any, base_url: str, more: str = "") -> None:
    """A workspace whose system is model ``house``, and its key in the environment."""
    models = (
        "models:\n"
        "  house:\n"
        "    model: m\n"
        f"    base_url: {base_url}\n    api_key_env: OPENROUTER_API_KEY\n"
        "    price: {prompt: 2.0, completion: 8.0}\n"
        "    retries: 0\n"
        f"{more}"
    )
    assay.write_harbour(questions=100, system="openai:house", more=models)
    assay.environment["OPENROUTER_API_KEY"] = KEY


def write_system(assay: Any, text: str) -> None:
    """A workspace with one system named ``mine``."""
    assay.write_harbour(system="mine", more=f"systems:\n  mine: {text}\n")


def draw(assay: Any, *words: str, questions: int = 12) -> Any:
    """Ask the model the harbour questions, each with two variants."""
    return assay.run("ablate", "-e", "draws", "--no-report", f"--limit={questions}", *words)


def ask_mine(assay: Any, *words: str) -> Any:
    """Ask the system named ``mine`` the harbour questions."""
    return assay.run("ablate", "-e", "berths", "--no-report", *words)


def written(folder: Path) -> bytes:
    """The content of all files of the folder, joined."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def rows(assay: Any, journal: str = DRAWS) -> list[dict[str, Any]]:
    """The rows of a journal; empty if the file does not exist."""
    return assay.rows(journal) if (assay.folder / journal).exists() else []


def stopped_line(done: Any) -> str:
    """The line with the reason of the stop, after checking that there is no traceback."""
    assert "Traceback" not in done.stderr + done.stdout
    lines = [line for line in done.stderr.splitlines() if line.startswith("stopped: ")]
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("invalid_key", "check OPENROUTER_API_KEY"),
        ("invalid_key_echoed", "check OPENROUTER_API_KEY"),
        ("forbidden", "check OPENROUTER_API_KEY"),
        ("quota", "quota or credit is used up"),
        ("no_credit", "quota or credit is used up"),
        ("no_model", "check 'model' and 'base_url'"),
    ],
)
def test_what_no_patience_repairs_stops_at_once(assay: Any, kind: Any, words: str):
    """A refusal gives exit code 2 and one line; no case fails, and the next run completes."""
    with ModelServer(faults=lambda *_: Fault(kind=kind)) as server:
        write_model(assay, server.base_url)
        done = draw(assay)
    assert done.returncode == 2
    assert words in stopped_line(done)
    assert "resume with: assay ablate -e draws --no-report --limit=12\n" in done.stderr
    assert rows(assay) == []
    assert len(server.calls) <= 8
    assert KEY not in done.stdout + done.stderr
    assert KEY.encode() not in written(assay.folder)
    with ModelServer(port=server.port):
        assert draw(assay).returncode == 0
    assert len(rows(assay)) == 24
    assert KEY.encode() not in written(assay.folder)


def test_an_absent_key_is_one_line_before_any_call(assay: Any):
    """A missing key gives a line with the name of its variable."""
    with ModelServer() as server:
        write_model(assay, server.base_url)
        del assay.environment["OPENROUTER_API_KEY"]
        done = draw(assay)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("assay: OPENROUTER_API_KEY is not set")
    assert server.calls == []


def test_a_key_in_dotenv_is_enough_and_goes_nowhere_else(assay: Any):
    """The key is read from ``.env`` and is in no other file afterwards."""
    with ModelServer(api_key=KEY) as server:
        write_model(assay, server.base_url)
        del assay.environment["OPENROUTER_API_KEY"]
        (assay.folder / ".env").write_text(f"OPENROUTER_API_KEY={KEY}\n")
        assert draw(assay).returncode == 0
    (assay.folder / ".env").unlink()
    assert len(server.calls) == 24
    assert KEY.encode() not in written(assay.folder)


def test_a_key_that_the_server_echoes_is_in_no_row(assay: Any):
    """If an error message of the server contains the key, it is recorded without the key."""

    def answer(request: Seen) -> Told:
        said = f"cannot serve {request.headers['Authorization']}"
        return Told(body={"error": {"message": said}}, status=400)

    with JsonServer(answer) as server:
        write_model(assay, server.url)
        done = draw(assay, questions=3)
    assert done.returncode == 1
    assert [row["status"] for row in rows(assay)] == ["failed"] * 6
    assert "cannot serve" in rows(assay)[0]["error"]
    assert KEY not in done.stdout + done.stderr
    assert KEY.encode() not in written(assay.folder)


def test_a_refused_connection_stops_with_provider_unavailable(assay: Any):
    """A server that is down gives exit code 2 and its address; the next run completes."""
    port = unused_port()
    write_model(assay, f"http://127.0.0.1:{port}/v1")
    down = draw(assay, questions=100)
    assert down.returncode == 2
    line = stopped_line(down)
    assert "provider unavailable" in line
    assert f"cannot connect to http://127.0.0.1:{port}/v1" in line
    assert "'base_url'" in line
    assert len(rows(assay)) <= 12 + 8
    with ModelServer(port=port):
        back = draw(assay, questions=100)
    assert back.returncode == 0, back.stderr
    assert "200 scored, 0 failed" in back.stderr


def test_a_tls_failure_stops_at_once(assay: Any):
    """``https`` to a server that speaks HTTP gives exit code 2 and what to check."""
    with ModelServer() as server:
        write_model(assay, server.base_url.replace("http:", "https:"))
        done = draw(assay)
    assert done.returncode == 2
    assert "TLS failure" in stopped_line(done)
    assert "'base_url'" in stopped_line(done)
    assert rows(assay) == []


def test_rate_limits_without_end_stop_the_run(assay: Any):
    """A provider that is always busy gives exit code 2."""
    with ModelServer(faults=lambda *_: Fault(kind="rate_limit", retry_after_s=0)) as server:
        write_model(assay, server.base_url)
        done = draw(assay, questions=100)
    assert done.returncode == 2
    assert "provider unavailable" in stopped_line(done)
    assert "rate limit" in stopped_line(done)
    assert len(rows(assay)) <= 12 + 8


def test_a_context_too_long_fails_its_cases_alone(assay: Any):
    """If two cases of one question fail, the exit code is 1 and the others are scored."""

    def long(_: int, body: dict[str, Any]) -> Fault | None:
        is_long = "berth 5 " in body["messages"][0]["content"]
        return Fault(kind="context_too_long") if is_long else None

    with ModelServer(faults=long) as server:
        write_model(assay, server.base_url)
        done = draw(assay)
    assert done.returncode == 1
    assert "22 scored, 2 failed" in done.stderr
    failed = [row for row in rows(assay) if row["status"] == "failed"]
    assert {row["question_id"] for row in failed} == {"berth-005"}


def test_the_cost_is_what_the_server_counted(assay: Any):
    """The cost in rows, summary and output agrees with the bill of the server."""
    with ModelServer() as server:
        write_model(assay, server.base_url)
        done = draw(assay)
        bill = server.billed(PRICES)
    assert sum(row["paid"] for row in rows(assay)) == pytest.approx(bill, rel=1e-9)
    summary = json.loads((assay.folder / "experiments/draws.json").read_text())
    assert summary["paid"] == pytest.approx(bill, rel=1e-9)
    assert f"{bill:.4f} spent" in done.stderr


def test_a_cost_ceiling_stops_and_a_higher_one_goes_on(assay: Any):
    """At the cost limit the exit code is 1; a higher limit asks the rest, each call once."""
    with ModelServer() as server:
        write_model(assay, server.base_url)
        stopped = draw(assay, "--max-cost=0.0005", "--concurrency=2")
        assert stopped.returncode == 1
        assert "raise --max-cost to continue" in stopped_line(stopped)
        early = len(rows(assay))
        assert 0 < early < 24
        done = draw(assay, "--max-cost=10")
        assert done.returncode == 0, done.stderr
    assert len(rows(assay)) == len(server.calls) == 24
    assert sum(row["paid"] for row in rows(assay)) == pytest.approx(server.billed(PRICES))


def test_a_dry_run_asks_nothing(assay: Any):
    """A dry run estimates from configured averages, and from rows once there are some."""
    with ModelServer(latency_s=0.05) as server:
        averages = "    averages: {prompt_tokens: 1000, completion_tokens: 100}\n"
        write_model(assay, server.base_url, averages)
        first = draw(assay, "--dry-run")
        assert first.returncode == 0, first.stderr
        assert server.calls == []
        assert rows(assay) == []
        lines = first.stdout.splitlines()
        lines = lines[lines.index("dry run: nothing is asked") :]
        assert lines[0] == "dry run: nothing is asked"
        assert lines[1] == "cases   24 (0 recorded, 24 to ask)"
        assert "24 distinct model calls" in lines[2]
        assert lines[3].startswith(
            "tokens  about 24,000 in, 2,400 out (rough estimate from the averages"
        )
        assert lines[4].startswith("cost    about 0.0672 (rough estimate")
        assert draw(assay, questions=6).returncode == 0
        asked = len(server.calls)
        second = draw(assay, "--dry-run")
        assert len(server.calls) == asked == 12
    assert "cases   24 (12 recorded, 12 to ask)" in second.stdout
    for name in ("tokens", "cost", "time"):
        line = next(one for one in second.stdout.splitlines() if one.startswith(name))
        assert line.endswith("(estimate from 12 recorded rows)")


def test_the_call_cache_is_used_unless_told_otherwise(assay: Any):
    """``--resume fresh`` reuses cached calls; ``--no-call-cache`` makes every call again."""
    with ModelServer() as server:
        write_model(assay, server.base_url)
        assert draw(assay).returncode == 0
        again = draw(assay, "--resume=fresh")
        assert len(server.calls) == 24
        assert "0.0000 spent" in again.stderr
        assert all(row["paid"] == 0.0 and row["latency_replayed"] for row in rows(assay))
        told = assay.run("cache", "info", "--json")
        assert json.loads(told.stdout)["by_model"] == {"m": 24}
        assert draw(assay, "--resume=fresh", "--no-call-cache").returncode == 0
        assert len(server.calls) == 48
        assert all(row["paid"] > 0.0 for row in rows(assay))
        assert assay.run("cache", "prune", "--all").stdout == "24 calls deleted\n"


def test_a_cache_that_is_none_is_one_line(assay: Any):
    """A damaged cache gives exit code 2 and a remedy, and the remedy works."""
    with ModelServer() as server:
        write_model(assay, server.base_url)
        (assay.folder / ".assay").mkdir()
        (assay.folder / ".assay/calls.sqlite").write_bytes(b"no database\n" * 500)
        done = draw(assay)
        assert done.returncode == 2
        assert "calls.sqlite" in done.stderr.splitlines()[-1]
        assert "--no-call-cache" in done.stderr.splitlines()[-1]
        assert server.calls == []
        assert draw(assay, "--no-call-cache").returncode == 0


def test_an_http_endpoint_end_to_end(assay: Any):
    """An HTTP system is called by its template, and its reply is in the rows."""
    assay.environment["SHOP_KEY"] = KEY

    def answer(request: Seen) -> Any:
        number = request.json["q"].split()[3]
        return {
            "out": {"text": f"berth {number}"},
            "docs": [{"id": f"c{number}", "content": "one", "page": 2}],
            "tokens": {"prompt_tokens": 100, "completion_tokens": 10},
        }

    with JsonServer(answer) as server:
        write_system(
            assay,
            f'{{kind: http, url: "{server.url}/ask", headers: {{X-Key: "${{SHOP_KEY}}"}}, '
            'body: {q: "{{question}}", k: "{{top_k}}", lookup: "{{settings.lookup}}"}, '
            "answer: out.text, passages: docs, usage: tokens, "
            "price: {prompt: 1.0, completion: 1.0}}",
        )
        done = ask_mine(assay, "--limit=5")
    assert done.returncode == 0, done.stderr
    assert len(server.seen) == 10
    assert {request.headers["X-Key"] for request in server.seen} == {KEY}
    assert {request.json["k"] for request in server.seen} == {3}
    assert {request.json["lookup"] for request in server.seen} == {True, False}
    row = next(one for one in rows(assay, BERTHS) if one["question_id"] == "berth-004")
    assert row["answer"] == "berth 4"
    assert row["passages"][0]["id"] == "c4"
    assert row["cost"] == pytest.approx(110 / 1e6)
    assert KEY.encode() not in written(assay.folder)


def test_a_wrong_expression_is_one_line_before_any_call(assay: Any):
    """Wrong configuration gives exit code 2; nothing is asked and no results are created."""
    with JsonServer(lambda _: {"answer": "x"}) as server:
        write_system(assay, f'{{kind: http, url: "{server.url}", answer: "out["}}')
        done = ask_mine(assay)
    assert done.returncode == 2
    assert "mine: answer: 'out[' is not a JMESPath expression" in done.stderr.splitlines()[-1]
    assert server.seen == []
    assert rows(assay, BERTHS) == []


PROGRAM = """
import json, os, sys
open("pids", "a").write(f"{os.getpid()}\\n")
for line in sys.stdin:
    case = json.loads(line)
    if case["question_id"] == "berth-003" and not os.path.exists("crashed"):
        open("crashed", "w").close()
        sys.exit("out of memory")
    print(json.dumps({"answer": case["question"]}), flush=True)
"""


def test_a_program_end_to_end(assay: Any):
    """A program handles many cases, is restarted after a crash and ends with the run."""
    (assay.folder / "program.py").write_text(PROGRAM)
    write_system(assay, f'{{kind: command, command: ["{sys.executable}", program.py]}}')
    done = ask_mine(assay, "--limit=20")
    assert done.returncode == 0, done.stderr
    assert len(rows(assay, BERTHS)) == 40
    pids = (assay.folder / "pids").read_text().split()
    assert len(pids) == 2
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


def test_a_program_that_always_crashes_stops_the_run(assay: Any):
    """A program that cannot start gives exit code 2 with its error output."""
    (assay.folder / "program.py").write_text("import sys\nsys.exit('no index in /data')\n")
    write_system(assay, f'{{kind: command, command: ["{sys.executable}", program.py]}}')
    done = ask_mine(assay, "--limit=20", "--retries=0")
    assert done.returncode == 2
    assert "no index in /data" in stopped_line(done)
    assert len(rows(assay, BERTHS)) <= 12 + 8


def test_doctor_puts_one_question_to_a_configured_model(assay: Any):
    """``assay doctor --system`` reports whether the system answers, or the reason."""
    with ModelServer(faults=[None, Fault(kind="invalid_key")]) as server:
        write_model(assay, server.base_url)
        fine = assay.run("doctor", "--system=openai:house")
        bad = assay.run("doctor", "--system=openai:house")
    assert (fine.returncode, bad.returncode) == (0, 1)
    assert "answered in" in fine.stdout
    assert "check OPENROUTER_API_KEY" in bad.stdout
    assert len(server.calls) == 2
