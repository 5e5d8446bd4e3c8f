"""What a cluster must do, once each, on a small real one: ``python -m tests.cluster.small FOLDER``.

It is a program of its own because Ray changes the process that uses it. It prints a line for each
thing that it has shown, and ends with an error at the first one that does not hold.
"""

import asyncio
import contextlib
import io
import json
import os
import socket
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Final
from unittest import mock

from tests.cluster.run import AT_ONCE, TIMES, cluster, expect
from tests.judge.test_cross_encoder import write_model, write_tokenizer
from tests.support.model_server import ModelServer

SECRET = "sk-cluster-0123456789abcdef"
ON = ("--on", "ray", "--workers", "2", "--worker-cpus", "0.5", "--no-report")
REFERENCE = """\
models:
  local: {{ base_url: "{url}", model: small, api_key_env: null }}
systems:
  prompted: {{ kind: reference, generator: "openai:local" }}
defaults:
  questions_path: questions/questions.jsonl
experiments:
  - name: pools
    system: prompted
    question_limit: 6
    baseline: normal
    variants:
      - {{ name: reverse, repack_strategy: reverse, llm_rerank_enabled: false }}
      - {{ name: forward, repack_strategy: forward, llm_rerank_enabled: false }}
"""


def program(*words: str) -> tuple[int, str]:
    """Run ``assay`` in this process; returns its exit code and what it printed to standard error."""
    from assay.cli.main import main  # noqa: PLC0415 - after the environment is set

    out, err = io.StringIO(), io.StringIO()
    code: Any = 0
    with (
        mock.patch.object(sys, "argv", ["assay", *words]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code
    return code or 0, err.getvalue()


def rows(name: str) -> list[dict[str, Any]]:
    """The rows of a run without times, by key."""
    read = [json.loads(line) for line in Path(f"experiments/{name}.jsonl").read_text().splitlines()]
    bare = [{key: row[key] for key in row if key not in TIMES} for row in read]
    return sorted(bare, key=lambda row: row["key"])


def lost_worker() -> None:
    """A worker that ends in the middle of a question costs one more question, and nothing else."""
    system = ("run", "--questions", "q.jsonl", "--system", "python:tests.cluster.victim:mortal")
    with mock.patch.dict(os.environ, {"VICTIM_LIVES": "1"}):
        code, _ = program(*system, "--no-report", "--name", "local")
    expect(code == 0, "the local run")
    counted = Path(os.environ["VICTIM_COUNT"])
    counted.unlink()
    code, err = program(*system, *ON, "--name", "remote")
    expect(code == 0, err)
    expect(rows("remote") == rows("local"), "the rows of the cluster are those of a local run")
    again = Counter(counted.read_text().splitlines())
    again.subtract(row["question"] for row in rows("local"))
    expect(again["What is 3?"] == 1 and max(again.values()) == 1, f"asked again: {+again}")
    expect(sum(again.values()) <= AT_ONCE, f"asked again: {+again}")
    expect("1 worker was lost" in err, err)
    noise = [line for line in err.splitlines() if "raylet" in line or "Lease ID" in line]
    expect(not noise, f"Ray's noise: {noise}")
    _look_into_logs(err.partition("Ray writes its logs to ")[2].partition("\n")[0])


def _look_into_logs(log_folder: str) -> None:
    """What a system prints in a worker is in Ray's logs, without the secrets of its environment."""
    texts = [path.read_text(errors="replace") for path in Path(log_folder).rglob("worker-*")]
    expect(any("the clerk's key is" in text for text in texts), f"no prints in {log_folder}")
    expect(not any(SECRET in text for text in texts), f"a secret in {log_folder}")


def missing_package() -> None:
    """A package that only the driver has is named before the first question, with the worker."""
    Path("only_here.py").write_text(
        "import os\n"
        "if os.environ.get('HAS_TORCH') != 'yes':\n"
        "    import torch_of_the_driver\n"
        "def ask(question: str) -> str:\n"
        "    return question\n"
    )
    with mock.patch.dict(os.environ, {"HAS_TORCH": "yes"}):
        code, err = program(
            *("run", "--questions", "q.jsonl", "--system", "python:only_here:ask", *ON),
        )
    expect(code == 2, f"exit {code}: {err}")
    (line,) = [line for line in err.splitlines() if line.startswith("assay: ")]
    expect("worker 1 on " in line and "torch_of_the_driver" in line, line)
    expect("install what is missing" in line, line)


def shared_calls() -> None:
    """Workers share the calls of the driver: a distinct one is made once, whoever needs it."""
    expect(program("init", "space")[0] == 0, "the workspace")
    with ModelServer() as server:
        Path("space/experiments/experiments.yaml").write_text(REFERENCE.format(url=server.base_url))
        words = ("ablate", "-e", "pools", "--root", "space")
        code, err = program(*words, *ON, "--out", "remote")
        expect(code == 0, err)
        bodies = Counter(call.key for call in server.calls)
        expect(len(bodies) > 0, "no call was made")
        expect(max(bodies.values()) == 1, f"calls made again: {bodies.most_common(3)}")
        before = len(server.calls)
        code, err = program(*words, "--no-report", "--out", "here")
        expect(code == 0 and len(server.calls) == before, "the local run makes the same calls")
    remote, here = (
        {row["key"]: (row["answer"], row["usage"]["calls"]) for row in _read(folder)}
        for folder in ("remote", "here")
    )
    expect(remote == here, "answers and calls of the cluster are those of a local run")


def _read(folder: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(folder, "pools.jsonl").read_text().splitlines()]


def uploaded_files() -> None:
    """Without a shared folder, code and files of the workspace are uploaded to the workers."""
    Path("fees.txt").write_text("42 crowns")
    Path("clerk.py").write_text(
        "import os\n"
        "from pathlib import Path\n"
        "def ask(question: str) -> str:\n"
        "    return f'{Path(\"fees.txt\").read_text()} in {os.getcwd()}'\n"
    )
    words = ("run", "--questions", "q.jsonl", "--system", "python:clerk:ask", "--name", "sent")
    code, err = program(*words, *ON, "--worker-files", "upload")
    expect(code == 0, err)
    answers = {row["answer"] for row in rows("sent")}
    expect(all(answer.startswith("42 crowns in ") for answer in answers), f"{answers}")
    expect(not any(answer.endswith(f" in {Path.cwd()}") for answer in answers), f"{answers}")


def too_many_workers() -> None:
    """Workers that the cluster has no room for are refused before the first question."""
    system = ("run", "--questions", "q.jsonl", "--system", "python:tests.cluster.victim:ask")
    code, err = program(*system, "--on", "ray", "--workers", "9")
    expect(code == 2, err)
    expect("9 workers of 1 CPU do not fit" in err and "--workers 2" in err, err)


def ray_client() -> None:
    """The same through the address of a Ray client server."""
    address = f"ray://127.0.0.1:{os.environ['CLIENT_PORT']}"
    system = ("run", "--questions", "q.jsonl", "--system", "python:tests.cluster.victim:ask")
    words = ("--workers", "2", "--worker-cpus", "0.5", "--no-report", "--name", "client")
    with mock.patch.dict(os.environ):
        del os.environ["RAY_ADDRESS"]
        code, err = program(*system, "--on", address, *words)
    expect(code == 0, err)
    expect(len(rows("client")) == 12, f"{len(rows('client'))} rows")


def computing_judge() -> None:
    """A judge that runs a model is asked in workers too, and says what it says here."""
    folder = Path("judge")
    folder.mkdir()
    write_tokenizer(folder)
    write_model(folder / "model.onnx")
    words = ("review", "--sample", "--verifier", "onnx:judge", "--limit", "4", "--no-report")
    code, err = program(*words, "--out", "judged-here")
    expect(code == 0, err)
    code, err = program(*words, *ON[:-1], "--out", "judged-there")
    expect(code == 0, err)
    expect("1 worker on" in err, f"the system and the judge share the workers: {err}")
    here, there = (_checks(folder) for folder in ("judged-here", "judged-there"))
    expect(any(evidence for evidence, _ in here.values()), "nothing was judged")
    expect(here == there, "the judge says the same in a worker")


def _checks(folder: str) -> dict[str, tuple[Any, Any]]:
    (journal,) = (path for path in Path(folder).glob("*.jsonl") if path.name.count(".") == 1)
    read = [json.loads(line) for line in journal.read_text().splitlines()]
    return {
        row["key"]: (row["evidence"], row["citations"]) for row in read if row["status"] == "scored"
    }


def doomed_workers() -> None:
    """Workers that are lost again and again are set aside; with none left, the run stops and says why."""
    system = ("run", "--questions", "q.jsonl", "--system", "python:tests.cluster.victim:doomed")
    code, err = program(*system, *ON, "--name", "doomed")
    expect(code == 2, f"exit {code}: {err}")
    expect("was lost 3 times in a row and is set aside" in err, err)
    expect("stopped: no worker is left" in err and "resume with:" in err, err)


def _one() -> int:
    return 1


def this_machine() -> None:
    """A cluster on this machine outlives the thread and the event loop that asked for it."""
    from assay.config.system import ClusterOptions  # noqa: PLC0415 - after the environment is set
    from assay.systems.cluster.connection import Link  # noqa: PLC0415

    with mock.patch.dict(os.environ):
        del os.environ["RAY_ADDRESS"]
        link = Link(ClusterOptions(workers=1))
        asyncio.run(asyncio.to_thread(link.open, Path.cwd(), Path.cwd()))  # ends its threads
        ray = link.open(Path.cwd(), Path.cwd()).ray
        expect(ray.get(ray.remote(_one).remote(), timeout=60) == 1, "no worker answers")
        link.close()


SHOWN: Final = (
    computing_judge,
    lost_worker,
    missing_package,
    shared_calls,
    uploaded_files,
    too_many_workers,
    ray_client,
    doomed_workers,
    this_machine,
)


def main(folder: Path, *names: str) -> None:
    """Show everything, or what is named, one after the other."""
    os.chdir(folder)
    os.environ["VICTIM_COUNT"] = str(folder / "asked.txt")
    os.environ["VICTIM_API_KEY"] = SECRET
    lines = (json.dumps({"id": f"q{n}", "question": f"What is {n}?"}) for n in range(12))
    Path("q.jsonl").write_text("\n".join(lines) + "\n")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        os.environ["CLIENT_PORT"] = str(free.getsockname()[1])
    port = int(os.environ["CLIENT_PORT"])
    has_client = not names or ray_client.__name__ in names
    with cluster(machines=1, processors=2, client_port=port if has_client else None) as made:
        os.environ["RAY_ADDRESS"] = made.address
        for show in SHOWN:
            if not names or show.__name__ in names:
                show()
                print(f"ok: {show.__doc__}", flush=True)  # noqa: T201


if __name__ == "__main__":
    if sys.argv[1:]:
        main(Path(sys.argv[1]).resolve(), *sys.argv[2:])
    else:
        with tempfile.TemporaryDirectory(prefix="assay-cluster-") as scratch:
            main(Path(scratch).resolve())
            os.chdir("/")
