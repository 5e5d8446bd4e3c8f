"""``assay start``: from a folder or a system to a first table, whatever happens on the way."""

import ctypes
import json
import os
import pty
import shlex
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.model_server import ModelServer

HARBOUR = """# Harbour

The Harlow Bridge was opened by Queen Anne in 1874. The Owl Society employed 42 keepers in Harlow.
Nicholas Barrow moved to Port Mellin in 1861. A tide table is a list of the hours of high water.
"""
BRIDGE = "Мост через Неву был построен в 1850 году. Инженер Станислав Кербедз родился в 1810 году."
LIBRARY = "图书馆于1909年在北京成立。李明于1925年担任馆长。"
KNOWING = """
import os

def ask(question):
    with open("calls.log", "a") as log:
        log.write(question + "\\n")
    return {"answer": "It was opened in 1874.", "passages": []}
"""
SESSION = """
session = {"open": True}

def ask(question):
    assert session["open"]
    return "It was opened in 1874."

def close():
    session["open"] = False
"""
STEPS = ("init", "ingest", "questions draft", "questions check", "run")
CAPABILITIES = (1, 2)
"""Those of root to read any file: CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""


def write_documents(folder: Path) -> Path:
    """Three documents in three languages, and one that nobody can read."""
    folder.mkdir(parents=True)
    (folder / "harbour.md").write_text(HARBOUR, encoding="utf-8")
    (folder / "bridge.txt").write_bytes(BRIDGE.encode("koi8-r"))
    (folder / "library.txt").write_bytes(LIBRARY.encode("gb18030"))
    (folder / "broken.pdf").write_bytes(b"rubbish")
    return folder


def commands(output: str) -> list[str]:
    """The commands that were printed."""
    return [line.removeprefix("$ ") for line in output.splitlines() if line.startswith("$ ")]


def made(root: Path) -> dict[str, bytes]:
    """The corpus and the questions, byte for byte."""
    files = [*(root / "chunks").rglob("*"), *(root / "questions").rglob("*")]
    return {str(path.relative_to(root)): path.read_bytes() for path in files if path.is_file()}


def rows(root: Path, name: str = "run-docs.draft") -> list[dict[str, Any]]:
    """The recorded rows of the run."""
    journal = root / "experiments" / f"{name}.jsonl"
    return [json.loads(line) for line in journal.read_text("utf-8").splitlines()]


def test_a_folder_becomes_a_table_by_commands_that_can_be_typed(assay: Any):
    """The commands that are printed make the same when they are typed one after the other."""
    write_documents(assay.folder / "docs")
    started = assay.run("start", "docs")
    assert started.returncode == 0, started.stderr
    assert started.stdout.startswith("everything is written to assay-start; ")
    assert "Answer right" in started.stdout
    assert started.stdout.rstrip().endswith("see every answer: assay view --root assay-start")
    assert "skipped docs/broken.pdf: " in started.stderr
    typed = commands(started.stdout)
    assert [words.split(" --")[0].split(" assay-start")[0] for words in typed] == [
        "assay init",
        "assay ingest docs",
        "assay questions draft",
        "assay questions check",
        "assay run",
    ]
    first = assay.folder / "assay-start"
    first.rename(assay.folder / "first")
    for words in typed:
        ran = assay.run(*shlex.split(words)[1:])
        assert ran.returncode in (0, 1), ran.stderr
    assert made(first) == made(assay.folder / "first")
    assert len(rows(first)) == len(rows(assay.folder / "first")) > 0


def test_redaction_is_asked_of_every_step(assay: Any):
    """No step writes or shows a personal value, and a wrong mode is refused before the first one."""
    write_documents(assay.folder / "docs")
    wrong = assay.run("start", "docs", "--redact", "output")
    assert wrong.returncode == 2
    assert "did you mean 'outputs'?" in wrong.stderr
    assert not (assay.folder / "assay-start").exists()
    started = assay.run("start", "docs", "--redact", "outputs")
    assert started.returncode == 0, started.stderr
    assert all(line.endswith("--redact outputs") for line in commands(started.stdout)[1:])
    summary = assay.folder / "assay-start/experiments/run-docs.draft.json"
    assert json.loads(summary.read_bytes())["redact"] == "outputs"


def test_git_sees_nothing_of_it(assay: Any):
    """The folder tells git to leave it alone."""
    write_documents(assay.folder / "docs")
    subprocess.run(["git", "init", "-q"], cwd=assay.folder, check=True)
    assert assay.run("start", "docs").returncode == 0
    status = subprocess.run(
        ["git", "status", "--porcelain"],
        cwd=assay.folder, check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert status.stdout == "?? docs/\n"


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_a_kill_in_any_step_loses_nothing(assay: Any, step: str, tmp_path: Path):
    """Killed and started again, the result is that of a start that nobody disturbed."""
    write_documents(assay.folder / "docs")
    for pause_s in (0.0, 0.15):
        process = assay.start("start", "docs")
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(f"$ assay {step}"):
                break
        time.sleep(pause_s)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    again = assay.run("start", "docs")
    assert again.returncode == 0, again.stderr
    undisturbed = tmp_path / "undisturbed"
    write_documents(undisturbed / "docs")
    whole = assay.run(
        "start", str(undisturbed / "docs"), "--root", str(undisturbed / "assay-start")
    )
    assert whole.returncode == 0, whole.stderr
    root = assay.folder / "assay-start"
    assert made(root) == made(undisturbed / "assay-start")
    keys = [row["key"] for row in rows(root)]
    assert sorted(keys) == sorted({row["key"] for row in rows(undisturbed / "assay-start")})
    assert {row["status"] for row in rows(root)} == {"scored"}


def test_what_is_done_is_not_done_again(assay: Any):
    """A second start makes nothing anew and asks nothing; a changed document is read again."""
    docs = write_documents(assay.folder / "docs")
    assert assay.run("start", "docs").returncode == 0
    root = assay.folder / "assay-start"
    before = {path: path.stat().st_mtime_ns for path in root.glob("[cq]*/*") if path.is_file()}
    second = assay.run("start", "docs")
    assert second.returncode == 0
    assert second.stdout.count("(done before)") == 3
    assert "were recorded earlier; nothing was asked" in second.stderr
    assert before == {path: path.stat().st_mtime_ns for path in before}
    (docs / "new.md").write_text("# Fares\n\nA day ticket costs 12 crowns.\n")
    third = assay.run("start", "docs")
    assert third.returncode == 0
    assert "new.md: 1 chunk" in third.stdout
    assert (root / "questions" / "docs.draft.jsonl").stat().st_mtime_ns in before.values()


def test_corrected_questions_are_used_and_never_overwritten(assay: Any):
    """An edited draft stays as it is and only it is asked again; a reviewed set takes its place."""
    write_documents(assay.folder / "docs")
    assert assay.run("start", "docs").returncode == 0
    root = assay.folder / "assay-start"
    path = root / "questions" / "docs.draft.jsonl"
    first, *others = path.read_text("utf-8").splitlines()
    question = {**json.loads(first), "question": "When was the Harlow Bridge opened?"}
    edited = "\n".join([json.dumps(question, ensure_ascii=False), *others]) + "\n"
    path.write_text(edited, "utf-8")
    before = len(rows(root))
    again = assay.run("start", "docs")
    assert again.returncode == 0, again.stderr
    assert path.read_text("utf-8") == edited
    assert {row["question_id"] for row in rows(root)[before:]} == {question["id"]}
    (root / "questions" / "docs.v1.jsonl").write_text(edited.splitlines()[0] + "\n", "utf-8")
    reviewed = assay.run("start", "docs")
    assert reviewed.returncode == 0, reviewed.stderr
    assert "assay run --questions assay-start/questions/docs.v1.jsonl" in reviewed.stdout
    assert len(rows(root, "run-docs.v1")) == 1


def test_a_system_is_asked_about_documents_or_own_questions(assay: Any):
    """A Python function answers drafts about a folder, or questions that the user has."""
    write_documents(assay.folder / "docs")
    system = assay.write_system("knowing", KNOWING)
    drafted = assay.run("start", system, "--documents", "docs")
    assert drafted.returncode == 0, drafted.stderr
    assert f"--system {system}" in drafted.stdout
    asked = (assay.folder / "calls.log").read_text("utf-8").splitlines()
    assert len(asked) == len(rows(assay.folder / "assay-start"))
    (assay.folder / "questions.csv").write_text("question,answer\nWhen was it opened?,1874\n")
    own = assay.run("start", system, "--questions", "questions.csv", "--root", "other")
    assert own.returncode == 0, own.stderr
    assert [words.split(" --")[0] for words in commands(own.stdout)] == [
        "assay init",
        "assay questions check questions.csv",
        "assay run",
    ]
    assert [row["status"] for row in rows(assay.folder / "other", "run-questions")] == ["scored"]


def test_looking_at_a_system_does_not_close_it(assay: Any):
    """The system is loaded before the documents are read, and is whole when it is asked."""
    write_documents(assay.folder / "docs")
    system = assay.write_system("lasting", SESSION)
    started = assay.run("start", system, "--documents", "docs")
    assert started.returncode == 0, started.stderr
    assert {row["status"] for row in rows(assay.folder / "assay-start")} == {"scored"}


def test_ctrl_c_says_how_to_go_on(assay: Any):
    """It ends the step and the start with 130, and the same command finishes both."""
    write_documents(assay.folder / "docs")
    slow = "import time\n\ndef ask(question):\n    time.sleep(0.3)\n    return 'In 1874.'\n"
    words = ("start", assay.write_system("slow", slow), "--documents", "docs")
    process = assay.start(*words)
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("[run] 1/"):
            break
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.rstrip().endswith("go on with: assay start python:slow:ask --documents docs")
    done = assay.run(*words)
    assert done.returncode == 0, done.stderr
    assert {row["status"] for row in rows(assay.folder / "assay-start")} == {"scored"}


def test_a_workspace_around_the_current_folder_is_used(assay: Any):
    """In a workspace nothing new is created, and the commands need not name it."""
    assert assay.run("init", "--empty", ".").returncode == 0
    write_documents(assay.folder / "papers")
    started = assay.run("start", "papers")
    assert started.returncode == 0, started.stderr
    assert started.stdout.startswith("everything is written to .; ")
    assert "$ assay ingest papers\n" in started.stdout
    assert not (assay.folder / "assay-start").exists()


def test_the_folder_of_the_documents_may_be_the_current_one(assay: Any):
    """What start writes below the documents is no document."""
    for path in write_documents(assay.folder / "docs").iterdir():
        path.rename(assay.folder / path.name)
    (assay.folder / "docs").rmdir()
    for _ in range(2):
        started = assay.run("start", ".")
        assert started.returncode == 0, started.stderr
    manifest = json.loads((assay.folder / "assay-start/chunks/manifest.json").read_text())
    assert [each["source"] for each in manifest["sources"]] == [
        "bridge.txt",
        "harbour.md",
        "library.txt",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere",), "nowhere: neither a folder nor a system"),
        (("empty",), "empty: no .csv, .docx"),
        (("a.md",), "a.md is a file; name the folder that has your documents"),
        (("python:knowing:ask",), "name what to ask: --questions FILE, or --documents FOLDER"),
        (("python:gone:ask", "--documents", "docs"), "there is no Python module 'gone'"),
        (("http://127.0.0.1:9/ask", "--documents", "docs"), "cannot connect: Connection refused"),
        (("docs", "--questions", "gone.csv"), "--questions gone.csv: no such file"),
        (("docs", "--documents", "docs"), "docs is a folder of documents; leave out --documents"),
        (("python:knowing:ask", "--documents", "gone"), "--documents gone: no such folder"),
    ],
)
def test_wrong_words_are_one_line_and_write_nothing(assay: Any, words: tuple[str, ...], said: str):
    """What is wrong is said before anything is written."""
    write_documents(assay.folder / "docs")
    (assay.folder / "empty").mkdir()
    (assay.folder / "a.md").write_text("Text.")
    assay.write_system("knowing", KNOWING)
    before = sorted(assay.folder.iterdir())
    refused = assay.run("start", *words)
    assert refused.returncode == 2
    assert refused.stderr.startswith("assay: ")
    assert said in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert [path for path in sorted(assay.folder.iterdir()) if path.name != "__pycache__"] == before


def test_documents_that_cannot_be_read_are_one_line(assay: Any):
    """A folder of damaged files ends with what is wrong with the first of them."""
    (assay.folder / "docs").mkdir()
    (assay.folder / "docs" / "broken.pdf").write_bytes(b"rubbish")
    refused = assay.run("start", "docs")
    assert refused.returncode == 2
    assert refused.stderr.startswith("assay: docs: no document could be read; first: ")
    assert refused.stderr.count("\n") == 1


def test_a_folder_without_permission_is_one_line(assay: Any):
    """Also if the folder is there and must not be opened."""
    docs = write_documents(assay.folder / "docs")
    docs.chmod(0)

    def without_privilege() -> None:
        for capability in CAPABILITIES:  # root may read everything, unless it gives that up
            ctypes.CDLL(None).prctl(24, capability)

    try:
        refused = assay.run("start", "docs", preexec_fn=without_privilege)
    finally:
        docs.chmod(0o755)
    assert refused.returncode == 2
    assert refused.stderr == "assay: docs: cannot be read: Permission denied\n"


def test_another_folder_needs_another_workspace(assay: Any):
    """Results about other documents are not mixed."""
    write_documents(assay.folder / "docs")
    write_documents(assay.folder / "others")
    assert assay.run("start", "docs").returncode == 0
    refused = assay.run("start", "others")
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"assay: assay-start is about {assay.folder / 'docs'}; ")
    assert assay.run("start", "others", "--root", "second").returncode == 0


def test_a_model_drafts_only_if_it_is_named_and_after_its_cost_is_said(assay: Any):
    """Cost and destination are printed before the first call; without a model there is none."""
    write_documents(assay.folder / "docs")
    reply = json.dumps(
        {
            "question": "In what year was the Harlow Bridge opened?",
            "answer": "1874",
            "evidence": "The Harlow Bridge was opened by Queen Anne in 1874.",
        }
    )
    with ModelServer(respond=lambda _: reply) as server:
        assert assay.run("init", "--empty", ".").returncode == 0
        configuration = assay.folder / "experiments" / "experiments.yaml"
        text = configuration.read_text("utf-8")
        model = f"{{model: writer-1, base_url: '{server.base_url}', api_key_env: null, price: {{prompt: 1, completion: 1}}}}"
        configuration.write_text(f"models:\n  writer: {model}\n{text}", "utf-8")
        assert assay.run("start", "docs", "--no-open").returncode == 0
        assert server.completed.calls == 0
        (assay.folder / "questions" / "docs.draft.jsonl").unlink()
        configuration.write_text(
            f"models:\n  writer: {model}\n{text.replace('defaults:', 'defaults:' + chr(10) + '  draft: writer')}",
            "utf-8",
        )
        drafted = assay.run("start", "docs")
        assert server.completed.calls > 0
    assert drafted.returncode == 0, drafted.stderr
    said = drafted.stdout
    address = f"passages of your documents go to writer-1 at {server.base_url}"
    dry = "$ assay questions draft --name docs --model writer --dry-run\n"
    real = "$ assay questions draft --name docs --model writer\n"
    assert -1 < said.index(address) < said.index(dry) < said.index("cost ") < said.index(real)


def test_the_page_is_opened_on_a_terminal_with_a_screen(assay: Any):
    """The browser gets the address of the page; ``--no-open`` prints the command instead."""
    write_documents(assay.folder / "docs")
    seen = assay.folder / "seen"
    browser = assay.folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}\n')
    browser.chmod(0o755)
    environment = {
        **assay.environment,
        "DISPLAY": ":99",
        "BROWSER": str(browser),
        "HOME": str(assay.folder),
    }
    assert "assay view" in assay.run("start", "docs", "--no-open").stdout
    outer, inner = pty.openpty()
    process = subprocess.Popen(
        [assay.program, "start", "docs"],
        cwd=assay.folder, env=environment, stdin=inner, stdout=inner, stderr=inner,
    )  # fmt: skip
    os.close(inner)
    patience = time.monotonic() + 60
    try:
        while not seen.exists() or not seen.read_text().strip():
            assert time.monotonic() < patience, "the browser is not opened"
            time.sleep(0.02)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
        os.close(outer)
    assert seen.read_text().startswith("http://127.0.0.1:")


def test_what_start_says_is_in_three_languages(assay: Any):
    """The steps are named in the language of the user, the commands as they are typed."""
    write_documents(assay.folder / "docs")
    for lang, first, step in (
        ("ru", "всё записывается в ", "чтение документов"),
        ("zh", "所有文件写入 ", "读取文档"),
    ):
        started = assay.run("start", "docs", "--lang", lang, "--root", lang)
        assert started.returncode == 0, started.stderr
        assert started.stdout.startswith(first)
        assert step in started.stdout
        assert f"$ assay ingest docs --root {lang}\n" in started.stdout
