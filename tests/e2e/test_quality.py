"""The quality job on the command line: samples, resuming, and a provider that is down."""

import json
import shutil
import signal
import socket
from typing import Any

from assay.data.samples.sample import sample_document_bytes

FILES = ("--pdf=eval/data/source.pdf", "--questions=eval/questions.jsonl")


def lay_out(assay: Any) -> None:
    """Create the folder layout of the examples, with the sample report."""
    (assay.folder / "eval/data").mkdir(parents=True)
    for name, sample in (
        ("data/source.pdf", "report.pdf"),
        ("questions.jsonl", "quality_questions.jsonl"),
    ):
        (assay.folder / "eval" / name).write_bytes(sample_document_bytes(f"ru/{sample}"))


def results(assay: Any, name: str) -> dict[str, Any]:
    """Read a results file."""
    found: dict[str, Any] = json.loads((assay.folder / name).read_text())
    return found


def test_a_newcomer_measures_the_sample_report(assay: Any):
    """On a new workspace the answers cite existing pages that support them."""
    assert assay.run("init", "work").returncode == 0
    done = assay.run(
        "quality",
        "--root=work",
        "--pdf=work/documents/ru/report.pdf",
        "--questions=work/eval/questions.jsonl",
        "--out=work/eval/runs/baseline.json",
        "--limit=12",
    )
    assert done.returncode == 0, done.stderr
    found = results(assay, "work/eval/runs/baseline.json")
    summary = found["summary"]
    assert summary["state"] == "complete"
    assert 0 < summary["weighted_score"] <= 1
    assert summary["settings"] == {"citation_style": "page"}
    assert summary["means"]["citation_ok"]["mean"] == 1.0
    assert summary["means"]["citation_page_exists"]["mean"] == 1.0
    assert summary["means"]["citation_supported"]["mean"] == 1.0
    assert all(passage["page"] for one in found["results"] for passage in one["passages"])
    report = assay.run("report", "work/eval/runs/baseline.rows.jsonl", "--charts=none")
    assert "include_rate" in report.stdout
    scored = assay.run("score", "work/eval/runs/baseline.rows.jsonl")
    assert "no score changed" in scored.stdout


def test_a_benchmark_of_two_documents(assay: Any):
    """Each data set has a summary, and the benchmark has its total scores."""
    lay_out(assay)
    shutil.copy(assay.folder / "eval/data/source.pdf", assay.folder / "eval/data/copy.pdf")
    sets = [
        {"id": "first", "kind": "report", "pdf": "eval/data/source.pdf", "weight": 3.0},
        {"id": "second", "kind": "report", "pdf": "eval/data/copy.pdf", "weight": 1.0},
    ]
    for one in sets:
        one["questions"] = "eval/questions.jsonl"
    config = assay.folder / "eval/benchmark/config.v1.json"
    config.parent.mkdir()
    config.write_text(json.dumps({"name": "v1", "datasets": sets}))
    done = assay.run(
        "quality",
        "--config=eval/benchmark/config.v1.json",
        "--out=eval/runs/benchmark-v1-baseline.json",
        "--limit=3",
    )
    assert done.returncode == 0, done.stderr
    found = results(assay, "eval/runs/benchmark-v1-baseline.json")
    first, second = (found["datasets"][name]["summary"] for name in ("first", "second"))
    assert first["pdf_sha256"] == second["pdf_sha256"]
    assert found["summary"]["weighted_score"] == first["weighted_score"]
    assert found["summary"]["counts"]["scored"] == 6


def test_a_killed_run_says_running_and_goes_on(assay: Any):
    """After a kill, recorded answers are not asked again."""
    lay_out(assay)
    assay.write_system(
        "slow",
        "import os, time\n"
        "def ask(question):\n"
        "    with open('asked.txt', 'a+') as asked:\n"
        "        asked.write(question + '\\n')\n"
        "        asked.seek(0)\n"
        "        number = len(asked.readlines())\n"
        "    if number > 5 and not os.path.exists('go'):\n"
        "        time.sleep(600)\n"
        "    return 'Не указано (стр. 1)'\n",
    )
    words = ("quality", *FILES, "--system=python:slow:ask", "--out=eval/runs/a.json")
    process = assay.start(*words, "--log-lines", "--concurrency=1")
    next(line for line in process.stdout if line.startswith("[quality]"))
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert results(assay, "eval/runs/a.json")["summary"]["state"] == "running"
    recorded = len(assay.rows("eval/runs/a.rows.jsonl"))
    assert 0 < recorded < 35
    (assay.folder / "asked.txt").unlink()
    (assay.folder / "go").touch()
    done = assay.run(*words)
    assert done.returncode == 0, done.stderr
    asked = (assay.folder / "asked.txt").read_text().splitlines()
    assert len(asked) == 35 - recorded
    assert results(assay, "eval/runs/a.json")["summary"]["counts"]["scored"] == 35


def test_a_provider_that_is_down_ends_with_2(assay: Any):
    """If the provider is down there is no score, and the gate refuses the results."""
    lay_out(assay)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    done = assay.run(
        "quality",
        *FILES,
        f"--system=http://127.0.0.1:{port}/ask",
        "--out=eval/runs/a.json",
        "--retries=0",
    )
    assert done.returncode == 2, done.stderr
    summary = results(assay, "eval/runs/a.json")["summary"]
    assert summary["state"] == "partial"
    assert summary["weighted_score"] is None
    assert summary["counts"]["scored"] == 0
    assert assay.run("quality", *FILES, "--limit=1", "--out=eval/runs/base.json").returncode == 0
    for more, words in (
        ((), "cases failed, 0 allowed (--max-failed); the first: unavailable: cannot connect"),
        (("--max-failed=100",), "did not finish"),
    ):
        gate = assay.run("compare", "--base=eval/runs/base.json", "--cand=eval/runs/a.json", *more)
        assert gate.returncode == 2
        assert words in gate.stderr
