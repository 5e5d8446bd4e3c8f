"""Kill the server of the page at random moments while a person labels: ``make soak-labels``.

A page labels one answer after the other and saves ``experiments.yaml`` between them. The server is
killed by SIGKILL at a random moment; the page of the next one repeats what was not answered. After
every kill each label that was said to be written is there, none is there twice, and
``experiments.yaml`` is one of the texts that were saved, whole.
"""

import argparse
import http.client
import json
import random
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from assay.judge.label import text_hash
from assay.judge.label_store import labels_path, read_labels
from assay.web.guard import CHANGING
from tests.soak.victim import serve_and_kill
from tests.support.journal import judged
from tests.support.page import write_study

RUN: Final = "/api/v1/runs/experiments%2Fstudy"
VARIANTS: Final = ("on", "off")
Answer = tuple[int, str]
"""The number of a question, and a variant."""


class LabelSoak:
    """A workspace with one run, and what a page has sent."""

    def __init__(self, folder: Path, seed: int, questions: int, within_s: float) -> None:
        self.root = folder / "w"
        names = [f"q{number:04}" for number in range(questions)]
        rows = [judged(name, variant, 1.0) for name in names for variant in VARIANTS]
        self._path = labels_path(write_study(self.root / "experiments" / "study.jsonl", rows))
        self._names = names
        self._file = self.root / "experiments" / "experiments.yaml"
        self._file.write_text(_text(0), encoding="utf-8")
        self._token = folder / "token"
        self._random = random.Random(seed)
        self._within_s = within_s
        self._waiting = [(number, each) for number in range(questions) for each in VARIANTS]
        self.written: set[Answer] = set()
        self.saves = 0
        self.kills = 0

    def kill_one(self) -> None:
        """Start the server, let a page label, and kill it meanwhile."""
        words = ["--token-file", str(self._token)]
        serve_and_kill(
            words, self.root, self._use, after_s=self._random.uniform(0.0, self._within_s)
        )
        self.kills += 1
        self.check()

    def _use(self, port: int) -> None:
        """What a page sends until its server is gone."""
        with suppress(OSError, http.client.HTTPException):
            while self._waiting:
                answer = self._waiting[0]
                self._ask(port, f"{RUN}/labels", self._label(answer))
                self.written.add(answer)
                self._waiting.pop(0)
                opened = self._ask(port, "/api/v1/configure")
                body = {"text": _text(self.saves + 1), "version": opened["version"]}
                self._ask(port, "/api/v1/configure/save", body)
                self.saves += 1

    def _label(self, answer: Answer) -> dict[str, Any]:
        number, variant = answer
        known = text_hash(f"{variant} on {self._names[number]} [1].")
        return {"item": number, "labeller": "Анна", "answer_hash": known, "verdict": "partly",
                "comment": "x" * (37 * number % 400)}  # fmt: skip

    def _ask(self, port: int, path: str, body: Any = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        headers = {
            "Authorization": f"Bearer {self._token.read_text().strip()}",
            "Origin": f"http://127.0.0.1:{port}",
            CHANGING[0]: CHANGING[1],
            "Content-Type": "application/json",
        }
        try:
            data = None if body is None else json.dumps(body)
            connection.request("GET" if body is None else "POST", path, data, headers)
            answer = connection.getresponse()
            found = json.loads(answer.read())
            assert answer.status == 200, found
            return found
        finally:
            connection.close()

    def check(self) -> None:
        """No label is lost or doubled, and the configuration is whole."""
        rows = read_labels(self._path)
        places = {name: number for number, name in enumerate(self._names)}
        found = {(places[row.case_id], row.variant) for row in rows}
        assert self.written <= found, self.written - found
        assert len(rows) == len(found), "a label is there twice"
        assert len(found - self.written) <= self.kills
        assert self._file.read_text(encoding="utf-8") in {_text(self.saves), _text(self.saves + 1)}


def _text(number: int) -> str:
    """A configuration, of another length for each number."""
    comment = "\n".join(["# " + "filler " * 20] * (number % 50))
    return f"# version {number}\n{comment}\nexperiments: []\n# end of {number}\n"


def soak(
    kills: int, seed: int = 0, *, questions: int = 400, within_s: float = 1.5
) -> dict[str, int]:
    """Kill the server ``kills`` times while it labels; returns what was seen.

    Each server is used for at most ``within_s`` before it is killed.
    """
    folder = Path(tempfile.mkdtemp(prefix="assay-soak-"))
    try:
        run = LabelSoak(folder, seed, questions, within_s)
        while run.kills < kills:
            run.kill_one()
        return {"kills": run.kills, "labels": len(run.written), "saves": run.saves}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    """Run the soak and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    sys.stdout.write(f"{soak(options.kills, options.seed, questions=20 * options.kills)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
