"""What ``make soak`` kills: each scenario has a command, and says what must hold after a kill.

A command is killed at a random moment, or at a random change of its files (``tests/support/killed.py``):
most commands end too soon for the first.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Final

from assay.data.corpus.chunk import load_corpus
from assay.data.corpus.corpus_files import altered_files
from assay.errors import DatasetError
from assay.judge.draw import Drawn, read_draws, write_drawn
from assay.judge.exchange import labels_as_csv
from assay.judge.label import Label, text_hash
from assay.judge.label_store import append, labels_path, read_labels
from assay.runs.plan_file import read_plan
from assay.runs.read import read_fields
from assay.runs.write import draw_path, verdicts_path
from tests.redact.canary import CanaryWorkspace
from tests.redact.unredacted import ASK, UnredactedRun
from tests.support.harbour import write_harbour
from tests.support.journal import judged
from tests.support.judged import write_judged, write_workspace
from tests.support.killed import KILL_AT
from tests.support.page import write_study

REPOSITORY: Final = Path(__file__).parents[2]
CONCURRENCY: Final = 2
MODEL: Final = "test-model"
"""The model of the judge; the jobs ask another one."""


class Scenario:
    """A command that is killed again and again in the folder ``root``, and what must hold."""

    changes: ClassVar[int] = 0
    """The last change of its files at which it kills itself; 0 if it takes long enough without."""
    seconds: ClassVar[float] = 0.0
    """The time after which it is killed at the latest; 0 if it ends before a random moment."""

    def __init__(self, root: Path, seed: int, *command: str) -> None:
        self.root = root
        self.random = random.Random(f"{seed} {' '.join(command)}")
        self.command = command
        self.again: tuple[str, ...] = ()
        self.kills = 0
        self.is_done = False

    def renew(self) -> None:
        """Make new work for the command, which has ended."""
        self.again = ("--resume", "fresh")

    def check(self) -> None:
        """Check what must hold after every kill."""

    def check_end(self) -> None:
        """Check what must hold when the command has ended."""

    def kill_one(self) -> None:
        """Start the command and kill it, unless it ends before."""
        if self.is_done:
            self.renew()
            self.is_done = False
        is_timed = not self.changes or (self.seconds > 0 and self.random.random() < 0.5)
        process = self._start(0 if is_timed else self.random.randint(1, self.changes))
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=self.random.uniform(0.5, self.seconds) if is_timed else 120)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        _, errors = process.communicate()
        if process.returncode == -signal.SIGKILL:
            self.kills += 1
            self.check()
        else:
            self._note_end(process.returncode, errors)

    def finish(self) -> None:
        """Run the command to its end, again while cases have failed for good."""
        errors = b""
        for _ in range(6):
            if not self.is_done:
                process = self._start(0)
                _, errors = process.communicate(timeout=900)
                self._note_end(process.returncode, errors)
        assert self.is_done, f"{self.command} does not end: {errors.decode()[-2000:]}"

    def run(self, *words: str) -> None:
        """Run another command to its end."""
        subprocess.run(self._words(words), cwd=self.root, env=self._environment(), check=True,
                       capture_output=True)  # fmt: skip

    def _note_end(self, code: int, errors: bytes) -> None:
        assert code in {0, 1}, errors.decode()[-2000:]
        if code == 0:
            self.is_done = True
            self.again = ()
            self.check_end()

    def _start(self, at: int) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            self._words((*self.command, *self.again)),
            cwd=self.root,
            env={**self._environment(), KILL_AT: str(at)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def _words(self, words: tuple[str, ...]) -> list[str]:
        return [sys.executable, "-m", "tests.support.killed", *words]

    def _environment(self) -> dict[str, str]:
        state = self.root.parent / "state"
        return {**os.environ, "PYTHONPATH": str(REPOSITORY), "XDG_STATE_HOME": str(state)}


class Job(Scenario):
    """A job: every planned case has one scored row at the end."""

    changes = 60
    seconds = 5.0

    def check_rows(self) -> dict[str, int]:
        """The number of cases of each run of the workspace, each of which is there once."""
        counts = {}
        for plan_file in sorted(self.root.rglob("*.plan.jsonl")):
            journal = plan_file.with_name(plan_file.name.replace(".plan.jsonl", ".jsonl"))
            ended = Counter(
                row["key"]
                for block in read_fields(journal)
                for row in block
                if row["status"] in ("scored", "skipped")
            )
            plan = read_plan(journal)
            assert plan is not None
            assert set(ended.values()) == {1}, journal.name
            assert len(ended) == plan.header.total, f"{journal.name}: {len(ended)} cases"
            counts[journal.stem] = len(ended)
        return counts


class Ingest(Scenario):
    """``assay ingest``: the corpus is the old one or the new one, whole; or there is none yet."""

    changes = 60

    def __init__(self, root: Path, seed: int) -> None:
        super().__init__(root, seed, "ingest", "stories", "--out", "chunks")
        self._version = 0
        self.renew()

    def renew(self) -> None:
        """Change every document."""
        self._version += 1
        folder = self.root / "stories"
        folder.mkdir(exist_ok=True)
        for number in range(40):
            text = f"# Story {number}\n\n" + f"Version {self._version} of story {number}. " * 300
            (folder / f"{number}.md").write_text(text)

    def check(self) -> None:
        """All chunks are of one version."""
        chunks = self.root / "chunks"
        try:
            corpus = load_corpus(chunks / "manifest.json")
        except DatasetError as error:
            if "no such file" not in str(error) and "was interrupted" not in str(error):
                raise
            return
        assert altered_files(chunks) == []
        versions = {
            chunk.text.split("Version ")[1].split()[0]
            for chunk in corpus.chunks
            if "Version " in chunk.text
        }
        assert len(versions) == 1, f"a mix of versions {versions}"
        assert len({chunk.source for chunk in corpus.chunks}) == 40

    check_end = check


class Judge(Scenario):
    """``assay judge``: no verdict that was recorded is lost, and none is there twice."""

    changes = 60
    seconds = 5.0

    def __init__(self, root: Path, seed: int, url: str) -> None:
        super().__init__(root, seed, "judge", "trial", "--concurrency", str(CONCURRENCY))
        self._url = url
        self._questions = 0
        self._seen: set[tuple[str, ...]] = set()
        self.renew()
        self.command += ("--judge", "correct")

    def renew(self) -> None:
        """Add answers to the run."""
        self._questions += 150
        self._journal = write_workspace(self.root, self._url, questions=self._questions)

    def check(self) -> None:
        """Every whole line is a verdict, on an answer without another."""
        path = verdicts_path(self._journal)
        if not path.exists():
            return
        rows = [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]
        given = Counter(
            (row["key"], row["answer_sha256"], row["judge"])
            for row in rows
            if not row["judge"].startswith("failed ")
        )
        assert set(given.values()) <= {1}
        assert self._seen <= given.keys()
        self._seen = set(given)

    def check_end(self) -> None:
        """Every answer has a verdict."""
        self.check()
        assert len(self._seen) == 2 * self._questions


class Merge(Scenario):
    """``assay merge``: a merged run is complete, and no file of an earlier one is lost."""

    changes = 40
    _PARTS: Final = 3

    def __init__(self, root: Path, seed: int) -> None:
        super().__init__(root, seed, "merge")
        write_harbour(root, questions=14)
        self._folder = root / "experiments"
        self._target = self._folder / "berths.jsonl"
        for number in range(1, self._PARTS + 1):
            shard = f"{number}/{self._PARTS}"
            self.run("ablate", "-e", "berths", "--no-report", "--shard", shard)
            part = self._folder / f"berths.shard-{number}-of-{self._PARTS}.jsonl"
            self._add_companions(part)
            self.command += (str(part),)

    def _add_companions(self, part: Path) -> None:
        """Label, draw and judge an answer of the part."""
        row = next(row for block in read_fields(part) for row in block if row.get("answer"))
        about = {"run": f"experiments/{part.stem}", "case_id": row["question_id"],
                 "variant": row["config"], "answer_hash": text_hash(row["answer"])}  # fmt: skip
        append(labels_path(part), Label(**about, labeller="ann", time="", verdict="right"))
        write_drawn(part, [Drawn(**about, probability=0.5, seed=0, count=1)])
        verdict = {"key": row["key"], "judge": "j", "verdict": 1}
        verdicts_path(part).write_text(json.dumps(verdict) + "\n")

    def renew(self) -> None:
        """Merge once more: in the place of the merged run, or for the first time."""
        if self.random.random() < 0.5:
            super().renew()
            return
        for path in (*self._folder.glob("berths.*"), labels_path(self._target)):
            if ".shard-" not in path.name:
                path.unlink()

    def check(self) -> None:
        """If there are rows, nothing is missing beside them."""
        if not self._target.exists():
            return
        assert sum(len(block) for block in read_fields(self._target)) == 28
        for path in (
            labels_path(self._target),
            draw_path(self._target),
        ):
            assert len(path.read_text().splitlines()) == self._PARTS, path
        if not self.again:
            self.is_done = True  # to merge again changes nothing
            self._check_files()

    def check_end(self) -> None:
        """Nothing is missing, or left behind."""
        self.check()
        self._check_files()
        names = [path.name for path in self._folder.iterdir()]
        assert not [name for name in names if ".merge-" in name or name.endswith(".lock")]

    def _check_files(self) -> None:
        """The merged run and the earlier ones have all their files."""
        kinds = ("jsonl", "json", "plan.jsonl", "verdicts.jsonl")
        assert all((self._folder / f"berths.{kind}").exists() for kind in kinds)
        earlier = [len(list(self._folder.glob(f"berths.{kind}.*.old"))) for kind in kinds]
        assert len(set(earlier)) == 1, earlier


class Rewrite(Scenario):
    """``assay redact rewrite``: each file is old or new; at the end no value is left anywhere."""

    changes = 90

    def __init__(self, root: Path, seed: int) -> None:
        super().__init__(root, seed, "redact", "rewrite")
        workspace = CanaryWorkspace(root, count=4)
        self.run(*ASK.split())
        self._run = UnredactedRun(workspace)
        self._plain = root.with_name(f"{root.name}-plain")
        shutil.copytree(root, self._plain)

    def renew(self) -> None:
        """Take the files from before, and the other kind of tags."""
        shutil.rmtree(self.root)
        shutil.copytree(self._plain, self.root)
        self.again = self.random.choice(((), ("--no-key",)))

    def check(self) -> None:
        """Every row is whole."""
        self._run.check(self.root)

    def check_end(self) -> None:
        """No value is left, and labels are about the answers."""
        self._run.check_masked(self.root)


class ImportLabels(Scenario):
    """``assay labels import``: no label is lost or doubled."""

    changes = 6
    form: ClassVar[str] = "csv"

    def __init__(self, root: Path, seed: int) -> None:
        super().__init__(root, seed, "labels", "import", "study", "sheet.csv")
        names = [f"q{number:04}" for number in range(400)]
        journal = write_study(
            root / "experiments" / "study.jsonl", [judged(name, "on", 1.0) for name in names]
        )
        self._path = labels_path(journal)
        self._labels = [
            Label(run="experiments/study", case_id=name, variant="on", answer_hash="a",
                  labeller="Анна", time="2026-01-02T03:04:05.000000Z", verdict="partly",
                  comment="x" * (37 * number % 400) or None)
            for number, name in enumerate(names)
        ]  # fmt: skip
        (root / "sheet.csv").write_text(labels_as_csv(self._labels), encoding="utf-8")

    def renew(self) -> None:
        """Forget the labels."""
        self._path.unlink()

    def check(self) -> None:
        """Each is there at most once."""
        found = read_labels(self._path)
        assert found == self._labels[: len(found)]

    def check_end(self) -> None:
        """Each is there once."""
        assert read_labels(self._path) == self._labels


class Draw(Scenario):
    """``assay labels plan --draw``: the sheet has the answers that were drawn."""

    changes = 8

    def __init__(self, root: Path, seed: int) -> None:
        super().__init__(root, seed, "labels", "plan", "trial", "--judge", "correct",
                         "--draw", "10", "--out", "sheet.jsonl")  # fmt: skip
        self._journal = write_judged(root, 30)
        self._sheet = root / "sheet.jsonl"

    def renew(self) -> None:
        """Forget the draw."""
        draw_path(self._journal).unlink()
        self._sheet.unlink()

    def check(self) -> None:
        """A draw and a sheet are whole or not there."""
        drawn = {row.answer for row in read_draws(self._journal)}
        assert len(read_draws(self._journal)) == len(drawn)
        assert len(drawn) in {0, 20}
        if self._sheet.exists():  # a second one would be refused
            self.is_done = True
            rows: list[dict[str, Any]] = [
                json.loads(line) for line in self._sheet.read_text().splitlines()
            ]
            assert {(row["case_id"], row["variant"], row["answer_hash"]) for row in rows} == drawn

    def check_end(self) -> None:
        """Both are there."""
        self.check()
        assert self._sheet.exists()
