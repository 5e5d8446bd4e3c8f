"""Walks as a newcomer would go, with the seconds of waiting: ``python -m tests.walks.run [NAME…]``.

- ``folder``: thirty documents of one's own in three languages, by ``assay start``, which is killed once on the way;
- ``services``: a chain of LangChain and a streaming service of FastAPI, in an environment of their own;
- ``log``: 200 answers of a log without gold, by ``assay evaluate``, to a page in a browser;
- ``notebook``: docs/start.ipynb, without the command line: run, compare with a margin, plot, Parquet.

The folders of the walks stay in ``build/walks``, to be looked at. A walk that fails ends the program with 1.
"""

import base64
import csv
import gzip
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin
from urllib.request import HTTPCookieProcessor, ProxyHandler, build_opener

from tests.real_clients.example import ANSWER, FASTAPI, LANGCHAIN, reply, with_examples
from tests.support.model_server import ModelServer
from tests.support.notebook import executed, shown
from tests.support.path import DOCS, ROOT
from tests.walks.documents import write_documents
from tests.walks.walk import Walk, require, stop

PLACE: Final = ROOT / "build" / "walks"
ENVIRONMENT: Final = PLACE / "environment"
REQUIREMENTS: Final = ROOT / "tests/real_clients/requirements.txt"
LIBRARIES: Final = ("langchain-core", "langchain-openai", "fastapi", "uvicorn")
MOST_LINES: Final = 25
_SERVER_S: Final = 60.0
_LETTERS: Final = {
    "English": "[A-Za-z]{4}",
    "Russian": "[а-яё]{4}",
    "Chinese": "[\u4e00-\u9fff]{2}",
}


def folder(place: Path) -> float:
    """From a folder of documents to a first table in at most five minutes of waiting."""
    walk = Walk(place, most_s=300)
    documents = write_documents(place / "documents")
    require(len(documents) == 30, "thirty documents")
    words = ("assay", "start", "documents", "--no-open")
    walk.run_until("[run] 10/", *words)
    said = walk.run(*words)
    require(said.count("(done before)") == 3, f"what was done is done again:\n{said[:2000]}")
    require("Answer right" in said, f"no table:\n{said[-2000:]}")
    root = place / "assay-start"
    sources = {each["source"] for each in _lines(root / "chunks", "*.jsonl")}
    require(len(sources) == 30, f"{len(sources)} of 30 documents are in the corpus")
    rows = list(_lines(root / "experiments", "run-documents.draft.jsonl"))
    require(rows and all(row["status"] == "scored" for row in rows), "a case has no score")
    require(len({row["key"] for row in rows}) == len(rows), "a question was asked again")
    asked = [row["question"] for row in rows]
    for language, letters in _LETTERS.items():
        require(any(re.search(letters, each) for each in asked), f"no question in {language}")
    return walk.waited_s


def services(place: Path) -> float:
    """Both are asked at the first try, and the time to the first token is measured."""
    begun = time.monotonic()
    binaries = _environment()
    _note(
        f"{time.monotonic() - begun:6.1f} s  an environment with {', '.join(LIBRARIES)} (no waiting for assay)"
    )
    walk = Walk(place, most_s=120, binaries=binaries)
    with_examples(place)
    with ModelServer(respond=reply) as model:
        model_url = {"MODEL_URL": model.base_url}
        (place / "parts.py").write_text(LANGCHAIN, encoding="utf-8")
        for system in ("chain", "chain.stream"):
            name = system.replace(".", "-")
            words = _asking(f"python:chain_system:{system}", name)
            walk.run(*words, more=model_url)
            _check_answers(place, name, is_streamed=system == "chain.stream")
    (place / "parts.py").write_text(FASTAPI, encoding="utf-8")
    with _served(walk, "uvicorn", "service:app") as url:
        walk.run(*_asking(f"{url}/ask", "service"))
    _check_answers(place, "service", is_streamed=True)
    return walk.waited_s


def log(place: Path) -> float:
    """From a CSV file of 200 answers to the first useful page in half a minute."""
    walk = Walk(place, most_s=30)
    _write_log(place / "answers.csv")
    said = walk.run("assay", "evaluate", "answers.csv")
    require("are right is not known" in said, f"not said what is unknown:\n{said[-2000:]}")
    require("wrong or failed" not in said, "what was not measured is called wrong")
    walk.run("assay", "report", "log-answers", "--format", "html", "--out", "page.html")
    page = (place / "page.html").read_text(encoding="utf-8")
    data = re.findall(r'type="text/plain" id="assay-\d+">([^<]+)<', page)
    texts = (gzip.decompress(base64.b64decode(each)) for each in data)
    require(any(b"key of locker 17" in each for each in texts), "the page has no answer")
    begun = time.monotonic()
    viewing = walk.start("assay", "view", "--no-open")
    try:
        assert viewing.stdout is not None
        address = next(line.strip() for line in viewing.stdout if "http://" in line)
        browser = build_opener(ProxyHandler({}), HTTPCookieProcessor())
        for path, content in (
            (address, b"<script"),
            (urljoin(address, "/api/v1/runs/experiments%2Flog-answers/items"), b"key of locker"),
        ):
            with browser.open(path, timeout=10) as answered:
                require(content in answered.read(), f"{path}: no {content!r}")
    finally:
        stop(viewing)
    walk.wait_for("assay view --no-open, and its page", begun)
    return walk.waited_s


def notebook(place: Path) -> float:
    """The notebook has at most 25 lines and shows a table, a chart, a comparison and a Parquet file."""
    content = json.loads((DOCS / "start.ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
    lines = [
        line for cell in cells for line in "".join(cell["source"]).splitlines() if line.strip()
    ]
    require(len(lines) <= MOST_LINES, f"{len(lines)} lines")
    walk = Walk(place, most_s=60)
    begun = time.monotonic()
    ran = executed(content, place)
    walk.wait_for(f"docs/start.ipynb, {len(lines)} lines", begun)
    outputs = [cell for cell in ran["cells"] if cell["cell_type"] == "code"]
    texts = [text for cell in outputs for text in shown(cell, "text/html")]
    require(any("0.600" in text for text in texts), "no table")
    require(any("not worse by more than 3 points" in text for text in texts), "no comparison")
    require(any(shown(cell, "image/png") for cell in outputs), "no chart")
    require((place / "candidate.parquet").stat().st_size > 1000, "no Parquet file")
    return walk.waited_s


WALKS: Final[Mapping[str, Callable[[Path], float]]] = {
    "folder": folder, "services": services, "log": log, "notebook": notebook
}  # fmt: skip


def _asking(system: str, name: str) -> tuple[str, ...]:
    return ("assay", "run", "--questions", "questions.csv", "--system", system, "--name", name)


def _check_answers(place: Path, name: str, *, is_streamed: bool) -> None:
    rows = list(_lines(place / "experiments", f"{name}.jsonl"))
    require([row["status"] for row in rows] == ["scored"] * 2, f"{name}: not both are scored")
    require(rows[0]["answer"] == ANSWER, f"{name}: {rows[0]['answer']}")
    require(rows[0]["passages"], f"{name}: no passages")
    require(("ttft_s" in rows[0]) == is_streamed, f"{name}: time to the first token")


def _lines(place: Path, pattern: str) -> Iterator[dict[str, Any]]:
    for path in sorted(place.glob(pattern)):
        yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())


def _write_log(path: Path) -> None:
    """200 answers of a service, as its table of requests has them; nothing says which are right."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["timestamp", "question", "answer", "contexts", "latency_ms"])
        for n in range(200):
            text = (
                f"The key of locker {n} is at desk {n % 7 + 1}. A lost key costs {n + 10} crowns."
            )
            answer = f"The key of locker {n} is at desk {n % 7 + 1}."
            if n % 10 == 3:
                answer = "I could not find that in the documents."
            elif n % 10 == 6:
                answer = f"A lost key costs {n + 500} crowns."
            moment = f"2026-03-{n % 28 + 1:02d}T09:{n % 60:02d}:00Z"
            asked = f"Where is the key of locker {n}?"
            table.writerow([moment, asked, answer, json.dumps([text]), 300 + 7 * n])


@contextmanager
def _served(walk: Walk, *words: str) -> Iterator[str]:
    """A server in a process of its own, on a port that is free; waiting for it is no waiting for assay."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = walk.start(*words, "--port", str(port), "--log-level", "critical")
    try:
        until = time.monotonic() + _SERVER_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                require(
                    server.poll() is None and time.monotonic() < until, f"{words} does not answer"
                )
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        stop(server)


def _environment() -> Path:
    """The programs of an environment with assay and the libraries, in the versions that are tested."""
    ready, binaries = ENVIRONMENT / "ready", ENVIRONMENT / "bin"
    inputs = (REQUIREMENTS, ROOT / "constraints.txt", ROOT / "pyproject.toml")
    if ready.exists() and all(path.stat().st_mtime < ready.stat().st_mtime for path in inputs):
        return binaries
    versions = REQUIREMENTS.read_text(encoding="utf-8").split()
    wanted = [each for each in versions if each.partition("==")[0] in LIBRARIES]
    require(len(wanted) == len(LIBRARIES), f"{REQUIREMENTS} has not all of {LIBRARIES}")
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)], check=True)
    pip = [
        str(binaries / "python"),
        "-m",
        "pip",
        "--disable-pip-version-check",
        "install",
        "--quiet",
    ]
    for words in (
        ["--require-hashes", "--no-deps", "-r", "constraints.txt"],
        ["--no-build-isolation", "--editable", "."],
        wanted,
    ):
        subprocess.run([*pip, *words], cwd=ROOT, check=True)
    ready.touch()
    return binaries


def _note(line: str) -> None:
    print(f"  {line}", flush=True)  # noqa: T201 - the result


def main(names: list[str]) -> int:
    """Go the walks; return the exit code."""
    failed = 0
    for name in names or WALKS:
        place = PLACE / name
        shutil.rmtree(place, ignore_errors=True)
        print(f"{name}: {(WALKS[name].__doc__ or '').splitlines()[0]}", flush=True)  # noqa: T201
        try:
            waited_s = WALKS[name](place)
        except Exception as error:  # noqa: BLE001 - the other walks are gone all the same
            failed += 1
            _note(f"FAILED: {type(error).__name__}: {error}")
        else:
            _note(f"{waited_s:6.1f} s of waiting")
    return 1 if failed else 0


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
