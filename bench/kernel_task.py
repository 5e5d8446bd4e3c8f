"""The programs of the kernel benchmark, each run in a separate process: ``kernel_task.py NAME …``.

A task prints the CPU seconds of the relevant part, without starting the interpreter, importing
modules and preparing the input.
"""

import asyncio
import os
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from assay.config.experiment import RunSettings
from assay.errors import CeilingReached
from assay.records import (
    Answer,
    Case,
    Failed,
    Outcome,
    Passage,
    Prompt,
    Question,
    RunHeader,
    Score,
    Scored,
    Skipped,
    Usage,
    Variant,
)
from assay.runs.handler import SystemHandler
from assay.runs.plan import Plan, product_plan, store_plan, top_k_placement
from assay.runs.row import RowHead, complete_row
from assay.runs.run import run_plan
from assay.runs.write import encode_row

CONCURRENCY = 64
TEXTS = (
    (
        "What does the harbour code charge for berth {} in winter?",
        "Berth {} costs a tenth less from November to March [1].",
    ),
    (
        "Сколько стоит зимняя стоянка на причале {}?",
        "Причал {} зимой дешевле на десятую часть [1].",
    ),
    (
        "请问冬季停靠第{}号泊位一晚费用多少。",
        "第{}号泊位冬季费用减收一成，自十一月起至次年三月止[1]。",
    ),
)


class Questions(Collection[Question]):
    """Questions in three languages, generated lazily."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Question]:
        for number in range(self.count):
            text = TEXTS[number % 3][0].format(number)
            yield Question(id=f"berth-{number:07d}", text=text, source="code", gold=("c1",))

    def __contains__(self, question: object) -> bool:
        return any(question == each for each in self)


class NoopSystem:
    """A system that always gives the same answer immediately."""

    identity = "noop-1"
    settings = None
    max_concurrency = None
    answer = Answer(text="no-op")

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Return the fixed answer."""
        return self.answer

    async def close(self) -> None:
        """Do nothing: there are no resources to release."""


class ScoredHandler(SystemHandler):
    """A handler with two scores, like the handler of a small job."""

    def score(self, case: Case, answer: Answer, verdict: object) -> Mapping[str, Score]:
        """Return two fixed scores."""
        return {"gold_coverage": 1.0, "refusal": False}


class StopAtFirstQuestion(ScoredHandler):
    """Stops the run at its first question and records the CPU time at that moment."""

    cpu_s = 0.0

    async def ask(self, case: Case, prompt: Prompt) -> Answer:
        """Raise instead of answering, so that the journal does not change."""
        self.cpu_s = self.cpu_s or time.process_time()
        raise CeilingReached("measured")


def plan_of(questions: Collection[Question], variants: int) -> Plan:
    """A plan that asks every question with this number of variants."""
    return product_plan(
        questions=questions,
        variants=[
            Variant(name=f"variant_{number:02d}", settings={"rrf_k": number, "hyde_enabled": True})
            for number in range(variants)
        ],
        placements=[top_k_placement(10)],
        system=NoopSystem.identity,
        header_covers_questions=True,  # as in a command, whose header has the hash of the file
    )


def run_cases(plan: Plan, handler: SystemHandler, journal: Path) -> None:
    """Run a plan like a command of assay, but without showing progress."""
    settings = RunSettings(concurrency=CONCURRENCY)
    run_plan(plan, handler, header_of(plan, journal), journal, settings=settings)


def header_of(plan: Plan, journal: Path) -> RunHeader:
    """The header of a run."""
    return RunHeader(
        job="bench",
        name=journal.stem,
        system=plan.system,
        variants=plan.variants,
        total=plan.total,
        questions_sha256=str(plan.total),  # a command has the hash of the file
    )


def run_noop(journal: str, cases: str) -> float:
    """CPU of all of ``run_plan``: planning, scheduling, deadlines, scoring, journal, summary."""
    began = time.process_time()
    run_cases(plan_of(Questions(int(cases)), 1), ScoredHandler(NoopSystem()), Path(journal))
    return time.process_time() - began


def run_bare(journal: str, cases: str) -> float:
    """CPU of the lower bound: as many workers that await the same no-op and write JSON lines."""

    async def work(questions: Iterator[Question], fd: int) -> None:
        for question in questions:
            answer = await system.ask(question, {}, 10)
            row = {"id": question.id, "question": question.text, "answer": answer.text}
            os.write(fd, encode_row(row) + b"\n")
            await asyncio.sleep(0)

    async def run_all(fd: int) -> None:
        questions = iter(Questions(int(cases)))
        await asyncio.gather(*(work(questions, fd) for _ in range(CONCURRENCY)))

    system = NoopSystem()
    began = time.process_time()
    fd = os.open(journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    asyncio.run(run_all(fd))
    os.close(fd)
    return time.process_time() - began


def write_journal(journal: str, rows: str, variants: str) -> float:
    """Write a journal and its plan in the format of the kernel.

    One case in 200 failed at first and was scored later; one case in 1,000 was skipped. The plan is
    slightly larger than the journal, and the pending cases are at its end.
    """
    began = time.process_time()
    failed: list[Case] = []
    plan = plan_of(Questions(int(rows) // int(variants)), int(variants))
    with Path(journal).open("wb") as file:
        for number, case in enumerate(plan.cases()):
            if number + len(failed) >= int(rows):
                break
            outcome = recorded_outcome(number, case)
            if isinstance(outcome, Failed):
                failed.append(case)
            file.write(recorded_row(number, case, outcome))
        for case in failed:
            file.write(recorded_row(1, case, recorded_outcome(1, case)))
    store_plan(Path(journal), plan, header_of(plan, Path(journal)))
    return time.process_time() - began


def recorded_outcome(number: int, case: Case) -> Outcome:
    """An outcome with an answer of the size that a model gives."""
    if number % 200 == 0:
        return Failed(kind="timeout", message="no answer within 300 s", elapsed_s=300.0)
    if number % 1000 == 501:
        return Skipped(reason="the context does not fit the model")
    berth = int(case.question.id.removeprefix("berth-"))
    return Scored(
        answer=Answer(
            text=TEXTS[berth % 3][1].format(berth),
            passages=(Passage(id=f"c{number % 977:04d}", page=3, score=0.8275),),
            usage=Usage(
                calls=2, prompt_tokens=1200 + number % 97, completion_tokens=60, paid=0.00021
            ),
        ),
        elapsed_s=1.204518,
        scores={"gold_coverage": 0.5, "refusal": False},
    )


def recorded_row(number: int, case: Case, outcome: Outcome) -> bytes:
    """The row of a case as the runner encodes it."""
    row = HANDLER.row(case, outcome)
    return encode_row(complete_row(row, case, outcome, 1_760_000_000.25 + number / 64)) + b"\n"


HANDLER = ScoredHandler(NoopSystem())


class WholeRow(msgspec.Struct, kw_only=True):
    """Every field of a recorded row, with its type."""

    key: str
    question_id: str
    source: str | None
    config: str
    top_k: int
    question: str
    answer: str | None = None
    passages: list[Passage] = []
    scores: dict[str, float | bool | None] = {}
    status: str
    error: str | None = None
    error_kind: str | None = None
    attempts: int | None = None
    reason: str | None = None
    elapsed_s: float | None = None
    usage: Usage | None = None
    paid: float | None = None
    ts: float
    fingerprint: str
    schema_version: int


def decode_whole(journal: str) -> float:
    """CPU to decode every row with all its fields; no row is kept."""
    return _decode(journal, WholeRow)


def decode_head(journal: str) -> float:
    """CPU to decode the fields of every row that resuming needs; no row is kept."""
    return _decode(journal, RowHead)


def _decode(journal: str, row: type[Any]) -> float:
    decoder = msgspec.json.Decoder(row)
    began = time.process_time()
    with Path(journal).open("rb") as file:
        for line in file:
            decoder.decode(line)
    return time.process_time() - began


def resume(journal: str, rows: str, variants: str) -> float:
    """CPU from the start of ``run_plan`` to its first question, which is near the end of the plan."""
    plan = plan_of([*Questions(int(rows) // int(variants))], int(variants))
    handler = StopAtFirstQuestion(NoopSystem())
    began = time.process_time()
    run_cases(plan, handler, Path(journal))
    if not handler.cpu_s:
        raise SystemExit("the journal has no pending case")
    return handler.cpu_s - began


TASKS = {
    task.__name__: task
    for task in (run_noop, run_bare, write_journal, decode_whole, decode_head, resume)
}

if __name__ == "__main__":
    print(f'{{"cpu_s": {TASKS[sys.argv[1]](*sys.argv[2:])!r}}}')
