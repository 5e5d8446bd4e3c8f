"""Small real runs of all five jobs in one folder, made once for all workers of a test session."""

import fcntl
import json
import shutil
from pathlib import Path

from tests.support.command_server import run_forked
from tests.support.journal import judged
from tests.support.judged import (
    FIRST,
    SECOND,
    label_rows,
    write_labels,
    write_verdicts,
    write_workspace,
)
from tests.support.page import study_rows, write_study

EVIL = '<script>document.title="owned"</script><img src=x onerror="document.title=1">'
ESCAPES = "\x1b[31mred\u202e bidi\u2028line"
COMMANDS = (
    "ablate -e llm_rerank -e hyde --limit 9 --no-report",
    "depth --sample --depth-mode uniform --context-lengths 1000,2000 --limit 5",
    "quality --pdf documents/ru/report.pdf --questions eval/questions.jsonl --limit 4",
    "review --sample --limit 8 --no-report",
    "bench --sample --no-report",
)
JOBS = {
    "ablation": "experiments/hyde",
    "depth": "experiments/depth_sample_en_reader-12000_uniform",
    "quality": "eval/runs/report.rows",
    "review": "experiments/review_sample",
    "bench": "experiments/bench-sample",
}
JUDGED = "experiments/trial"
"""A run with two judges and labels of people."""
STUDY = "experiments/study"
"""A run with every kind of outcome, and with texts that try to be markup."""


def shared_runs(folder: Path) -> Path:
    """The folder with the runs; the first caller makes them, the others wait for it."""
    folder.mkdir(parents=True, exist_ok=True)
    root, done = folder / "workspace", folder / "done"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(root, ignore_errors=True)
            _make(root)
            done.touch()
    return root


def _make(root: Path) -> None:
    command(f"init {root}")
    for line in COMMANDS:
        command(f"{line} --root {root}", root)
    rows = [*study_rows(), *_evil_rows()]
    journal = write_study(root / f"{STUDY}.jsonl", rows)
    header = journal.with_suffix(".json")
    fields = json.loads(header.read_text(encoding="utf-8"))
    header.write_text(json.dumps(fields | {"system": f"{EVIL}{ESCAPES}"}), encoding="utf-8")
    _write_judged(root)


def _write_judged(root: Path) -> None:
    """Two judges of a run that people have labelled; they err, and one reply is not readable."""
    configured = (root / "experiments" / "experiments.yaml").read_bytes()
    journal = write_workspace(root, "http://127.0.0.1:9/v1", questions=36)
    (root / "experiments" / "experiments.yaml").write_bytes(configured)
    write_verdicts(journal, FIRST, {0, 7}, unreadable=9)
    write_verdicts(journal, f"{SECOND} {EVIL}", {0, 11})
    write_labels(root, label_rows(range(36)))


def _evil_rows() -> list[dict[str, object]]:
    texts = {"question": f"Which? {EVIL}", "answer": f"{EVIL} </script> {ESCAPES}"}
    return [judged(f"evil {EVIL}", variant, 1.0, **texts) for variant in ("on", "off")]


def command(line: str, root: Path | None = None) -> None:
    """Run a command of assay; paths of documents are taken from ``root``."""
    words = [
        str(root / word) if root and word.startswith(("documents/", "eval/")) else word
        for word in line.split()
    ]
    ran = run_forked(*words, cwd=Path.cwd())
    assert ran.returncode == 0, ran.stdout + ran.stderr
