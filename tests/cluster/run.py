"""Kill machines and drivers of a cluster while runs are in progress: ``make test-cluster``.

The cluster is a real one, of processes on this machine. A run that was disturbed must have the
rows of one that was not, and the system must have been asked again at most for the questions that
were in flight at each kill; the system counts.
"""

import argparse
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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).with_name("assay")
WORKERS = 2
AT_ONCE = 4
IN_FLIGHT = WORKERS * AT_ONCE
TIMES = ("ts", "elapsed_s", "first_in_flight", "attempts")
STORE_BYTES = 80_000_000


class Lab:
    """A folder with questions, and the command that asks them."""

    def __init__(self, folder: Path, questions: int, wait_s: float) -> None:
        self.folder = folder
        self.questions = questions
        self.counted = folder / "asked.txt"
        # machines of the cluster have the environment of what starts them: this process
        os.environ["VICTIM_COUNT"] = str(self.counted)
        os.environ["VICTIM_WAIT_S"] = str(wait_s)
        self._environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        lines = (
            json.dumps({"id": f"q{number}", "question": f"What is {number}?"})
            for number in range(questions)
        )
        (folder / "questions.jsonl").write_text("\n".join(lines) + "\n")

    def command(self, name: str, *words: str) -> list[str]:
        """The words of the command."""
        system = "python:tests.cluster.victim:ask"
        return [
            *(str(PROGRAM), "run", "--questions", "questions.jsonl", "--system", system),
            *("--name", name, "--no-report", "--timeout", "120", *words),
        ]

    def start(self, name: str, *words: str, address: str = "") -> "subprocess.Popen[str]":
        """Start the command; its output goes to a file."""
        environment = {**self._environment, **({"RAY_ADDRESS": address} if address else {})}
        return subprocess.Popen(
            self.command(name, *words),
            cwd=self.folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=(self.folder / f"{name}.err").open("a"),
            text=True,
        )

    def rows(self, name: str) -> list[dict[str, Any]]:
        """The rows of a run without times, by key."""
        lines = (self.folder / f"experiments/{name}.jsonl").read_text().splitlines()
        rows = [json.loads(line) for line in lines]
        bare = [{key: row[key] for key in row if key not in TIMES} for row in rows]
        return sorted(bare, key=lambda row: row["key"])

    def asked(self) -> Counter[str]:
        """How often each question was asked, and forget it."""
        asked = Counter(self.counted.read_text().splitlines() if self.counted.exists() else ())
        self.counted.unlink(missing_ok=True)
        return asked

    def done(self, name: str) -> int:
        """How many rows a run has at the moment."""
        try:
            return (self.folder / f"experiments/{name}.jsonl").read_bytes().count(b"\n")
        except FileNotFoundError:
            return 0

    def errors(self, name: str) -> str:
        """What a run printed to standard error."""
        return (self.folder / f"{name}.err").read_text()


@contextmanager
def cluster(
    machines: int = WORKERS, processors: int = 1, client_port: int | None = None
) -> Iterator[Any]:
    """A cluster of processes: a head without workers, and machines."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - slow to import

    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # short, because it holds sockets; Ray also writes a file beside it, whose folder it does not make
    scratch = tempfile.mkdtemp(prefix="assay-ray-")
    os.environ["RAY_TMPDIR"] = scratch
    Path(scratch, "ray").mkdir()
    made = Cluster(
        initialize_head=True,
        head_node_args={
            "temp_dir": scratch,
            "num_cpus": 0,
            "include_dashboard": False,
            "object_store_memory": STORE_BYTES,
            "ray_client_server_port": client_port,
        },
    )
    try:
        for _ in range(machines):
            add_machine(made, processors)
        yield made
    finally:
        made.shutdown()
        shutil.rmtree(scratch, ignore_errors=True)


def add_machine(made: Any, processors: int = 1) -> Any:
    """Add a machine."""
    return made.add_node(num_cpus=processors, object_store_memory=STORE_BYTES)


def expect(is_true: bool, message: str) -> None:
    """End with the message if something does not hold."""
    if not is_true:
        raise SystemExit(f"FAILED: {message}")


def check(lab: Lab, name: str, kills: int) -> int:
    """A run has the rows of an undisturbed one; returns how many questions were asked again."""
    expect(lab.rows(name) == lab.rows("local"), f"{name}: other rows than the local run")
    asked = lab.asked()
    expect(len(asked) == lab.questions, f"{name}: {len(asked)} questions were asked")
    again = sum(asked.values()) - lab.questions
    expect(again <= kills * IN_FLIGHT, f"{name}: {again} asked again after {kills} kills")
    expect(
        max(asked.values()) <= 1 + kills,
        f"{name}: a question was asked {max(asked.values())} times",
    )
    noise = [line for line in lab.errors(name).splitlines() if "raylet" in line or "ray::" in line]
    expect(not noise, f"{name}: Ray's noise on the terminal: {noise[:1]}")
    return again


def wait_for_rows(lab: Lab, name: str, driver: "subprocess.Popen[str]", rows: int) -> bool:
    """Wait until a run has so many rows; False if it has ended before."""
    while lab.done(name) < rows:
        if driver.poll() is not None:
            return False
        time.sleep(0.05)
    return driver.poll() is None


def kill_machines(lab: Lab, made: Any, kills: int, chance: random.Random) -> tuple[int, int]:
    """Kill machines of the cluster during a run; returns the kills and the repeated questions."""
    name = f"machines-{chance.randrange(10**9)}"
    driver = lab.start(name, "--on", "ray", "--workers", str(WORKERS), address=made.address)
    killed = 0
    step = max(lab.questions // (kills + 1), 1)
    while killed < kills:
        rows = lab.done(name) + chance.randrange(1, step)
        if not wait_for_rows(lab, name, driver, min(rows, lab.questions - 1)):
            break
        machine = chance.choice(sorted(made.worker_nodes, key=lambda node: node.node_id))
        made.remove_node(machine, allow_graceful=False)
        killed += 1
        add_machine(made)
    code = driver.wait(600)
    expect(code == 0, f"{name}: exit {code}: {lab.errors(name)[-2000:]}")
    return killed, check(lab, name, killed)


def kill_drivers(lab: Lab, made: Any, kills: int, chance: random.Random) -> tuple[int, int]:
    """Kill the driver during a run and start it again; returns the kills and repeated questions."""
    name = f"drivers-{chance.randrange(10**9)}"
    killed = 0
    step = max(lab.questions // (kills + 1), 1)
    while True:
        driver = lab.start(name, "--on", "ray", "--workers", str(WORKERS), address=made.address)
        rows = lab.done(name) + chance.randrange(1, step)
        if killed < kills and wait_for_rows(lab, name, driver, min(rows, lab.questions - 1)):
            driver.send_signal(signal.SIGKILL)
            driver.wait()
            killed += 1
            continue
        code = driver.wait(600)
        expect(code == 0, f"{name}: exit {code}: {lab.errors(name)[-2000:]}")
        return killed, check(lab, name, killed)


def main() -> None:
    """Run the kills and print what they did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20, help="of machines, and of drivers")
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="assay-cluster-") as folder:
        lab = Lab(Path(folder), options.questions, wait_s=0.05)
        expect(lab.start("local").wait(600) == 0, "the local run")
        lab.asked()
        with cluster() as made:
            for what, kill in (("machines", kill_machines), ("drivers", kill_drivers)):
                killed = again = runs = 0
                while killed < options.kills:
                    now, repeated = kill(lab, made, options.kills - killed, chance)
                    killed, again, runs = killed + now, again + repeated, runs + 1
                    said = f"{what}: {killed} killed in {runs} runs, {again} asked again"
                    print(said, flush=True)  # noqa: T201
    print("every run has the rows of an undisturbed one")  # noqa: T201


if __name__ == "__main__":
    main()
