"""Kill the server of the page at random moments while it starts and stops runs: ``make soak-page``.

The page of a server that is about to die starts an experiment, stops it, goes on with it and writes
notes. The server is killed by SIGKILL at a random moment of that. After every kill:

- ``experiments.yaml`` is what it was, and what is written about the run can be read;
- every row of the journal can be read, and at most one process writes to it.

At the end the run is finished in a terminal, and every case has exactly one scored row.
"""

import argparse
import http.client
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from assay.runs.read import read_fields
from assay.runs.write import writer_of
from tests.soak.victim import serve_and_kill
from tests.support.live_workspace import RUN, live_workspace
from tests.support.model_fault import Fault, RandomFaults
from tests.support.model_server import ModelServer

FAULTS: Final = (
    (Fault(kind="error_500"), 0.04),
    (Fault(kind="reset"), 0.03),
    (Fault(kind="truncated_json"), 0.03),
)
PATH: Final = f"/api/v1/runs/{RUN.replace('/', '%2F')}"


class PageSoak:
    """A workspace, its page, and what was seen."""

    def __init__(self, folder: Path, url: str, seed: int, questions: int, within_s: float) -> None:
        self.root = live_workspace(folder / "w", url, questions)
        self._cases = 2 * questions
        self.journal = self.root / f"{RUN}.jsonl"
        self.sent: Counter[str] = Counter()
        self.kills = 0
        self.starts = 0
        self._token = folder / "token"
        self._random = random.Random(seed)
        self._within_s = within_s
        self._file = self.root / "experiments" / "experiments.yaml"
        self._configuration = self._file.read_bytes()

    def kill_one(self) -> None:
        """Start the server, let a page change something, and kill it meanwhile."""
        words = ["--token-file", str(self._token)]
        serve_and_kill(
            words, self.root, self._use, after_s=self._random.uniform(0.0, self._within_s)
        )
        self.kills += 1
        self.check()

    def _use(self, port: int) -> None:
        """What a page sends until its server is gone."""
        with suppress(OSError, http.client.HTTPException):
            while True:
                name, path, body = self._random.choice(_CALLS)
                options = {"experiment": "tone", "concurrency": 2}
                if name == "start" and self._random.random() < 0.1:
                    options["fresh"] = True
                sent = {"job": "ablation", "options": options} if name == "start" else body
                self._post(port, path, sent)
                self.sent[name] += 1

    def _post(self, port: int, path: str, body: Any) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            connection.request(
                "POST",
                path,
                json.dumps(body),
                {
                    "Authorization": f"Bearer {self._token.read_text().strip()}",
                    "Origin": f"http://127.0.0.1:{port}",
                    "X-Assay-Request": "1",
                    "Content-Type": "application/json",
                },
            )
            connection.getresponse().read()
        finally:
            connection.close()

    def check(self) -> None:
        """Nothing is harmed."""
        assert self._file.read_bytes() == self._configuration
        about = self.journal.with_suffix(".about.json")
        if about.exists():
            json.loads(about.read_bytes())
        records = [
            json.loads(path.read_bytes()) for path in self.root.glob(".assay/started/*.json")
        ]
        self.starts = max(self.starts, len(records))
        if self.journal.exists():
            for _ in read_fields(self.journal):
                pass

    def finish(self) -> int:
        """Finish the run in a terminal; returns its cases, each of which is there once."""
        self.end_writer(signal.SIGINT)
        for _ in range(6):
            words = [sys.executable, "-m", "assay", "ablate", "-e", "tone", "--no-report"]
            ended = subprocess.run(words, cwd=self.root, capture_output=True, check=False)
            if ended.returncode == 0:
                break
        assert ended.returncode == 0, ended.stderr.decode()[-2000:]
        rows = [row for block in read_fields(self.journal) for row in block]
        scored = Counter(row["key"] for row in rows if row["status"] == "scored")
        assert set(scored.values()) == {1}
        assert len(scored) == self._cases, len(scored)
        return len(scored)

    def end_writer(self, number: signal.Signals) -> None:
        """End the runs that were started, whichever server did that."""
        for path in self.root.glob(".assay/started/*.json"):
            process = json.loads(path.read_bytes())["process"]
            owner = writer_of(self.journal)
            if owner is not None and owner.process == process:
                with suppress(ProcessLookupError):
                    os.kill(process, number)
        while writer_of(self.journal) is not None:
            time.sleep(0.05)

    def end_started(self) -> None:
        """End what still writes its report; its folder is removed next."""
        for path in self.root.glob(".assay/started/*.json"):
            process = json.loads(path.read_bytes())["process"]
            folder = Path(f"/proc/{process}/cwd")
            with suppress(OSError):
                while process and folder.resolve() == self.root.resolve():
                    os.kill(process, signal.SIGKILL)
                    time.sleep(0.05)


_CALLS: Final = (
    ("start", "/api/v1/start", None),
    ("start", "/api/v1/start", None),
    ("stop", f"{PATH}/stop", {}),
    ("resume", f"{PATH}/resume", {}),
    ("resume", f"{PATH}/resume", {"max_cost": 1000}),
    ("about", f"{PATH}/about", {"note": "x" * 5000, "tags": ["a", "b"]}),
)


def soak(
    kills: int, seed: int = 0, *, questions: int = 40, within_s: float = 2.0
) -> dict[str, Any]:
    """Kill the server ``kills`` times, finish the run, and check; returns what was seen.

    Each server is used for at most ``within_s`` before it is killed.
    """
    folder = Path(tempfile.mkdtemp(prefix="assay-soak-"))
    began = time.monotonic()
    try:
        faults = RandomFaults(FAULTS, seed=seed, at_most=2)
        with ModelServer(faults=faults, latency_s=0.05) as model:
            run = PageSoak(folder, model.base_url, seed, questions, within_s)
            try:
                while run.kills < kills:
                    run.kill_one()
                    if run.kills % 10 == 0:
                        sys.stderr.write(f"{run.kills} of {kills} kills {dict(run.sent)}\n")
                cases = run.finish()
            finally:
                run.end_writer(signal.SIGKILL)
                run.end_started()
        return {
            "kills": run.kills,
            "sent": dict(run.sent),
            "starts": run.starts,
            "cases": cases,
            "seconds": round(time.monotonic() - began),
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    """Run the soak and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    sys.stdout.write(f"{soak(options.kills, options.seed)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
