"""The server of the page, killed at random moments while a person labels.

A page labels one answer after the other and saves ``experiments.yaml`` between them. The server is
killed by SIGKILL at a random moment; the page of the next one repeats what was not answered. After
every kill each label that was said to be written is there, none is there twice, and
``experiments.yaml`` is one of the texts that were saved, whole.
"""

import http.client
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from assay.judge.label import text_hash
from assay.judge.label_store import labels_path, read_labels
from assay.web.guard import CHANGING
from tests.soak.scenario import Scenario
from tests.soak.victim import serve_and_kill
from tests.support.journal import judged
from tests.support.page import write_study

RUN: Final = "/api/v1/runs/experiments%2Fstudy"
VARIANTS: Final = ("on", "off")
Answer = tuple[int, str]
"""The number of a question, and a variant."""


class PageLabels(Scenario):
    """A workspace with one run, and what a page has sent."""

    def __init__(self, root: Path, seed: int) -> None:
        super().__init__(root, seed, "view")
        questions = 2000
        names = [f"q{number:04}" for number in range(questions)]
        rows = [judged(name, variant, 1.0) for name in names for variant in VARIANTS]
        self._path = labels_path(write_study(self.root / "experiments" / "study.jsonl", rows))
        self._names = names
        self._file = self.root / "experiments" / "experiments.yaml"
        self._file.write_text(_text(0), encoding="utf-8")
        self._token = root / "token"
        self._waiting = [(number, each) for number in range(questions) for each in VARIANTS]
        self.written: set[Answer] = set()
        self.saves = 0

    def kill_one(self) -> None:
        """Start the server, let a page label, and kill it meanwhile."""
        words = ["--token-file", str(self._token)]
        serve_and_kill(words, self.root, self._use, after_s=self.random.uniform(0.0, 1.5))
        self.kills += 1
        self.check()

    def finish(self) -> None:
        """The server does not end by itself."""
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
