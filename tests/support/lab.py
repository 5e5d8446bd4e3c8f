"""A folder with the journal of one run, systems and judges, to test runs from plan to summary."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.config.experiment import RunSettings
from assay.models.limit import Backoff
from assay.models.meter import record_call
from assay.records import Answer, Case, Question, RunHeader, Score, Variant
from assay.runs.handler import SystemHandler
from assay.runs.plan import Plan, product_plan, top_k_placement
from assay.runs.run import run_plan
from assay.runs.summary import RunResult
from assay.runs.write import summary_path, verdicts_path
from assay.systems.scripted import ScriptedSystem
from tests.support.clock import hang

AT_ONCE = Backoff(base_s=0.0)
ONE_BY_ONE = RunSettings(concurrency=1)

Script = Mapping[str, Any] | Callable[[Case, Answer], Any]


class Killed(BaseException):
    """Ends a run as a signal would: nothing is caught and no summary is written."""


class Lab:
    """A folder with one journal, and methods to build and run plans."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = folder / "lab.jsonl"
        self.variants: tuple[Variant, ...] = (Variant(name="plain"),)

    def plan(self, system: Any, count: int, text: str = "why?") -> Plan:
        """``count`` questions with every variant."""
        return self.plan_of([Question(id=f"q{n}", text=text) for n in range(count)], system)

    def plan_of(self, questions: Sequence[Question], system: Any) -> Plan:
        """These questions with every variant."""
        return product_plan(
            questions=questions,
            variants=self.variants,
            placements=[top_k_placement(10)],
            system=system.identity,
        )

    def run(
        self,
        system: Any,
        count: int = 4,
        *,
        handler: Any = None,
        plan: Plan | None = None,
        header: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> RunResult:
        """Run ``count`` questions into the journal; ``header`` adds fields to the header."""
        plan = plan or self.plan(system, count)
        run_header = RunHeader(
            job="lab",
            name="lab",
            system=plan.system,
            variants=plan.variants,
            total=plan.total,
            **(header or {}),
        )
        options.setdefault("backoff", AT_ONCE)
        return run_plan(plan, handler or SystemHandler(system), run_header, self.journal, **options)

    def rows(self, path: Path | None = None) -> list[dict[str, Any]]:
        """The rows of the journal, or of another file."""
        text = (path or self.journal).read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    def rows_of(self, question_id: str) -> list[dict[str, Any]]:
        """The rows of one question, in file order."""
        return [row for row in self.rows() if row["question_id"] == question_id]

    def verdicts(self) -> list[dict[str, Any]]:
        """The stored verdicts."""
        return self.rows(verdicts_path(self.journal))

    def statuses(self) -> dict[str, list[str]]:
        """The statuses of each question, in file order."""
        rows = self.rows()
        return {
            row["question_id"]: [r["status"] for r in self.rows_of(row["question_id"])]
            for row in rows
        }

    def summary(self) -> dict[str, Any]:
        """The summary as it is on disk."""
        summary: dict[str, Any] = json.loads(summary_path(self.journal).read_text(encoding="utf-8"))
        return summary

    def drop_rows(self, status: str) -> None:
        """Remove the rows with this status, as if they had been lost."""
        lines = self.journal.read_bytes().splitlines(keepends=True)
        kept = [line for line in lines if json.loads(line)["status"] != status]
        self.journal.write_bytes(b"".join(kept))

    def files(self) -> dict[str, tuple[bytes, int]]:
        """The bytes and the modification time of every file, by name."""
        return {
            path.name: (path.read_bytes(), path.stat().st_mtime_ns)
            for path in self.folder.iterdir()
        }


class Judged(SystemHandler):
    """Asks a system, and calls a judge whose verdicts are scripted.

    A verdict is a value, an exception, which is raised, or ``ScriptedSystem.HANG``. ``calls``
    counts how often the judge was called for each question. Each call costs ``price``.
    """

    def __init__(
        self,
        system: Any,
        script: Script,
        *,
        identity: str = "judge-1",
        price: float | None = None,
    ) -> None:
        super().__init__(system)
        self._script = script
        self._identity = identity
        self._price = price
        self.calls: Counter[str] = Counter()
        self.scored: list[tuple[Answer, Any]] = []

    @property
    def judge_identity(self) -> str:
        """The identity given to the constructor."""
        return self._identity

    async def judge(self, case: Case, answer: Answer) -> Any:
        """Give the verdict that the script contains for the question."""
        self.calls[case.question.id] += 1
        if self._price is not None:
            record_call(prompt_tokens=1, completion_tokens=1, cost=self._price)
        if isinstance(self._script, Mapping):
            verdict = self._script[case.question.id]
        else:
            verdict = self._script(case, answer)
        if verdict is ScriptedSystem.HANG:
            await hang()
        if isinstance(verdict, BaseException):
            raise verdict
        return verdict

    def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
        """The verdict is the score."""
        self.scored.append((answer, verdict))
        return {"verdict": verdict}


def echo(question: Question, settings: Mapping[str, Any]) -> Any:
    """Answer every question."""
    return f"answer to {question.id}"


def fine(case: Case, answer: Answer) -> Any:
    """A verdict on every answer."""
    return "fine"


def first_time(replies: Mapping[str, Any], then: Any = "fine") -> Callable[[Any, Any], Any]:
    """A script for a system or a judge: the first reply to these questions, later ``then``."""
    left = dict(replies)

    def reply(asked: Question | Case, _: Any) -> Any:
        question = asked.question if isinstance(asked, Case) else asked
        return left.pop(question.id, then)

    return reply


def priced(cost: float) -> ScriptedSystem:
    """A system whose answers cost money."""
    return ScriptedSystem(lambda *_: {"answer": "x", "usage": {"calls": 1, "cost": cost}})
