"""Kill commands at random moments while the model's server fails: ``make soak``.

All five jobs and ``assay ingest`` work in one workspace and ask one model. Its server refuses, breaks
off and spoils some of its replies. Each command is killed by SIGKILL again and again. At the end the
commands run undisturbed, and then:

- every case of every plan has exactly one scored row: nothing is lost, nothing is there twice;
- a call was completed twice only if a kill could have hit it: at most one for each call in flight;
- after every kill of ``ingest`` the corpus is the old one or the new one, whole.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from assay.data.corpus.chunk import load_corpus
from assay.data.corpus.corpus_files import altered_files
from assay.errors import DatasetError
from assay.jobs.corpus.new_workspace import create_workspace
from assay.runs.plan_file import read_plan
from assay.runs.read import read_fields
from tests.support.model_fault import Fault, RandomFaults
from tests.support.model_server import ModelServer

CONCURRENCY: Final = 2
FAULTS: Final = (
    (Fault(kind="rate_limit", retry_after_s=0.1), 0.04),
    (Fault(kind="error_500"), 0.04),
    (Fault(kind="error_502"), 0.02),
    (Fault(kind="reset"), 0.03),
    (Fault(kind="reset_midway"), 0.03),
    (Fault(kind="truncated_json"), 0.03),
    (Fault(kind="error_in_200"), 0.03),
)
CONFIGURATION: Final = """
defaults:
  questions_path: questions/questions.jsonl
  top_k: 3
models:
  clerk: {{model: clerk, base_url: "{url}", api_key_env: null}}
systems:
  clerk: {{kind: openai, model: clerk}}
baselines:
  bare: {{system_prompt: Be brief.}}
experiments:
  - name: tone
    ablation_variable: system_prompt
    system: clerk
    baseline: bare
    values: [Be brief., Be kind.]
"""


class Soak:
    """A workspace, the commands, and what was seen."""

    def __init__(self, folder: Path, url: str, seed: int) -> None:
        self.folder = folder
        self.random = random.Random(seed)
        self.kills: Counter[str] = Counter()
        self._ingested = 0
        self._complete: set[str] = set()
        create_workspace(folder, force=True)
        text = CONFIGURATION.format(url=url)
        (folder / "experiments" / "experiments.yaml").write_text(text)
        shutil.rmtree(folder / "chunks")
        self._write_documents(0)
        shared = ("--system", "clerk", "--concurrency", str(CONCURRENCY))
        self.commands: dict[str, tuple[str, ...]] = {
            "ablate": ("ablate", "-e", "tone", "--no-report", "--concurrency", str(CONCURRENCY)),
            "depth": ("depth", "--sample", *shared),
            "quality": (
                "quality", "--pdf", "documents/ru/report.pdf",
                "--questions", "eval/questions.jsonl", *shared,
            ),
            "review": (
                "review", "--data", "review/clauses.jsonl", "--laws", "review/laws.jsonl", *shared,
                "--no-report",
            ),
            "bench": ("bench", "run", "--sample", *shared, "--no-report"),
            "ingest": ("ingest", "stories", "--out", "chunks"),
        }  # fmt: skip

    def _write_documents(self, version: int) -> None:
        folder = self.folder / "stories"
        folder.mkdir(exist_ok=True)
        for number in range(40):
            text = f"# Story {number}\n\n" + f"Version {version} of story {number}. " * 300
            (folder / f"{number}.md").write_text(text)

    def start(self, name: str) -> "subprocess.Popen[bytes]":
        """Start a command in a process group of its own."""
        if name == "ingest":
            self._ingested += 1
            self._write_documents(self._ingested % 2)
        again = ("--resume", "fresh") if name in self._complete else ()
        self._complete.discard(name)
        return subprocess.Popen(
            [sys.executable, "-m", "assay", *self.commands[name], *again],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def kill_one(self, name: str, *, while_writing: bool = False) -> None:
        """Start a command and kill it at a random moment, or ``while_writing`` its files."""
        process = self.start(name)
        if while_writing or name == "ingest":  # which ends before a random moment
            self._wait_for_writes(process, self.random.randint(1, 8))
        else:
            with suppress(subprocess.TimeoutExpired):
                process.wait(self.random.uniform(0.5, 5.0))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        self.kills[name] += process.returncode == -signal.SIGKILL
        if name == "ingest":
            self.check_corpus()
        elif process.returncode == 0:  # nothing is left to be killed
            self._complete.add(name)

    def _wait_for_writes(self, process: "subprocess.Popen[bytes]", count: int) -> None:
        """Wait until the command has changed files in its folder so many times, or has ended."""
        before = self._sizes()
        while count and process.poll() is None:
            now = self._sizes()
            count -= now != before
            before = now
            time.sleep(0.002)

    def _sizes(self) -> dict[str, int]:
        sizes = {}
        for folder, _, names in os.walk(self.folder):  # passes over what is removed meanwhile
            for name in names:
                with suppress(FileNotFoundError):
                    sizes[f"{folder}/{name}"] = os.stat(f"{folder}/{name}").st_size  # noqa: PTH116 - quick
        return sizes

    def check_corpus(self) -> None:
        """The corpus is one of the two versions, whole; or there is none yet."""
        chunks = self.folder / "chunks"
        try:
            corpus = load_corpus(chunks / "manifest.json")
        except DatasetError as error:
            if "no such file" not in str(error) and "was interrupted" not in str(error):
                raise
            return
        assert altered_files(chunks) == []
        versions = {
            chunk.text.split("Version ")[1][0]
            for chunk in corpus.chunks
            if "Version " in chunk.text
        }
        assert len(versions) == 1, f"a mix of versions {versions}"
        assert len({chunk.source for chunk in corpus.chunks}) == 40

    def finish(self, name: str) -> None:
        """Run a command to its end, again while cases have failed for good."""
        for _ in range(6):
            process = self.start(name)
            _, errors = process.communicate(timeout=900)
            if process.returncode == 0:
                return
        raise AssertionError(f"{name} does not end: {errors.decode()[-2000:]}")

    def check_rows(self) -> dict[str, int]:
        """Every planned case has one scored row in its journal."""
        counts = {}
        for plan_file in sorted(self.folder.rglob("*.plan.jsonl")):
            journal = plan_file.with_name(plan_file.name.replace(".plan.jsonl", ".jsonl"))
            rows = [row for block in read_fields(journal) for row in block]
            ended = Counter(row["key"] for row in rows if row["status"] in ("scored", "skipped"))
            twice = [key for key, count in ended.items() if count > 1]
            assert not twice, f"{journal.name}: twice: {twice[:3]}"
            plan = read_plan(journal)
            assert plan is not None
            assert len(ended) == plan.header.total, f"{journal.name}: {len(ended)} cases"
            counts[journal.stem] = len(ended)
        return counts


def soak(
    kills: int,
    seed: int = 0,
    *,
    latency_s: float = 0.15,
    jobs: Sequence[str] = (),
    while_writing: bool = False,
) -> dict[str, Any]:
    """Kill commands ``kills`` times, finish them, and check; returns what was seen.

    ``jobs`` are the commands; all by default. With ``while_writing``, each is killed when it has
    changed files a few times, so every kill hits its work, and however fast the machine is.
    """
    folder = Path(tempfile.mkdtemp(prefix="assay-soak-"))
    began = time.monotonic()
    try:
        faults = RandomFaults(FAULTS, seed=seed, at_most=3)
        with ModelServer(faults=faults, latency_s=latency_s) as server:
            run = Soak(folder, server.base_url, seed)
            chosen = list(jobs or run.commands)
            while sum(run.kills.values()) < kills:
                run.kill_one(run.random.choice(chosen), while_writing=while_writing)
                _show(run, kills)
            for name in chosen:
                run.finish(name)
            run.check_corpus()
            cases = run.check_rows()
            again = {key: count - 1 for key, count in server.completed_by_key.items() if count > 1}
            repeated = sum(again.values())
            assert repeated <= sum(run.kills.values()) * CONCURRENCY, repeated
            outcomes = dict(server.outcomes)
        return {
            "kills": dict(run.kills),
            "cases": cases,
            "calls": outcomes,
            "repeated": repeated,
            "seconds": round(time.monotonic() - began),
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _show(run: Soak, kills: int) -> None:
    done = sum(run.kills.values())
    if done % 10 == 0:
        sys.stderr.write(f"{done} of {kills} kills {dict(run.kills)}\n")


def main() -> int:
    """Run the soak and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    sys.stdout.write(f"{soak(options.kills, options.seed)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
