"""The programs that ``library.py`` measures: ``library_task.py TASK``, in the current folder."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import msgspec

JOURNAL = Path("experiments", "long.jsonl")
SERVICE = (
    'def ask(question):\n    return {"answer": question, "passages": [{"id": "p", "text": "t"}]}\n'
)


def make(cases: int) -> None:
    """Write a journal with so many cases of two variants, as a run writes them."""
    import assay  # noqa: PLC0415 - only some programs need it

    systems = {name: lambda question: {"answer": question * 20} for name in ("base", "cand")}
    few = assay.run(systems, [{"question": "How long is it?", "answer": "30 days"}], name="few")
    rows = [msgspec.json.decode(line) for line in few.path.read_bytes().splitlines()]
    with JOURNAL.open("wb") as file:
        for number in range(cases // 2):
            for row in rows:
                key = f"q{number}::{row['config']}::topk=10"
                row |= {"question_id": f"q{number}", "key": key, "elapsed_s": number / 1000}
                file.write(msgspec.json.encode(row) + b"\n")


def decode() -> None:
    """Decode every row, as a program without the library does."""
    rows = [msgspec.json.decode(line) for line in JOURNAL.read_bytes().splitlines()]
    assert rows


def frame(library: str) -> None:
    """Read the rows as a DataFrame."""
    import assay  # noqa: PLC0415 - as above

    assert len(assay.open("long").rows(frame=library))  # type: ignore[arg-type]


def questions(count: int) -> Path:
    """A file of questions, and the service that is asked; results of an earlier program are deleted."""
    shutil.rmtree("experiments", ignore_errors=True)
    Path("service.py").write_text(SERVICE, encoding="utf-8")
    path = Path("questions.txt")
    path.write_text(
        "".join(f"How long is {number}?\n" for number in range(count)), encoding="utf-8"
    )
    return path


def command(count: int) -> None:
    """Ask with the command, without its report."""
    words = ["run", "--questions", str(questions(count)), "--system", "python:service:ask"]
    subprocess.run(
        [sys.executable, "-m", "assay", *words, "--name", "x", "--no-report"],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def program(count: int) -> None:
    """Ask with the library, and show the run as the command does."""
    import assay  # noqa: PLC0415 - as above

    print(assay.run("python:service:ask", questions(count), name="x"), file=sys.stderr)


def main(task: str, *arguments: str) -> None:
    """Run one program; of ``decode`` and frames only the reading is measured."""
    if task in {"make", "command", "program"}:
        {"make": make, "command": command, "program": program}[task](int(arguments[0]))
        return
    if task != "decode":
        __import__(task)
        import assay.results.results  # noqa: PLC0415 - importing is not measured

        assay.open("few").rows(frame=task)  # type: ignore[arg-type]
    start = time.process_time()
    decode() if task == "decode" else frame(task)
    print(msgspec.json.encode({"cpu_s": time.process_time() - start}).decode())


if __name__ == "__main__":
    sys.path.insert(0, "")
    main(*sys.argv[1:])
