"""A small demonstration of the kernel: berth fees of a harbour, asked in two ways.

No model, no key, no download. One question's first call is refused by a rate limit (and
tried again), and one cannot be put at all (and is skipped, not scored zero).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.config import RunSettings
from assay.errors import CaseSkipped, RateLimited
from assay.records import Answer, Case, Outcome, Question, RunHeader, Score, Variant
from assay.runner import Plan, Progress, RunResult, SystemWork, product_plan, run_plan
from assay.runner.plan import top_k_placement
from assay.runner.progress import Reporter, Row
from assay.runner.row import read_rows
from assay.systems import ScriptedSystem, Setting, System, check_settings

NAME = "demo"
TOP_K = 3
VARIANTS = (
    Variant(name="lookup_on", settings={"lookup": True}),
    Variant(name="lookup_off", settings={"lookup": False}),
)
DRAWS = (
    Variant(name="first_draw", settings={"sample": 0}),
    Variant(name="second_draw", settings={"sample": 1}),
)
"""What a model that knows no ``lookup`` is asked instead: the same twice."""


class FeeQuestion(Question, frozen=True, kw_only=True):
    """A question whose right answer is a number of crowns."""

    fee: int


def questions(count: int) -> list[FeeQuestion]:
    """Questions about the fees of ``count`` berths."""
    return [
        FeeQuestion(
            id=f"berth-{number:03d}",
            text=f"What does berth {number} of the harbour cost a night?",
            source="harbour code",
            fee=40 + (number * 37) % 60,
        )
        for number in range(1, count + 1)
    ]


def harbour_clerk(count: int, latency_s: float) -> ScriptedSystem:
    """An offline clerk: right with ``lookup``, and half of the time without."""
    fees = {question.id: question.fee for question in questions(count)}
    refused: set[str] = set()

    def reply(question: Question, settings: Mapping[str, Any]) -> Any:
        if question.id == "berth-007" and not refused:
            refused.add(question.id)
            return RateLimited("the clerk is busy", retry_after_s=0.05)
        if question.id == "berth-013":
            return CaseSkipped("the harbour has no berth 13")
        fee = fees[question.id]
        return f"{fee if settings.get('lookup') or fee % 2 else fee + 5} crowns a night."

    return ScriptedSystem(
        reply,
        identity="harbour-clerk-1",
        settings={"lookup": Setting(kind=bool, description="look the fee up in the code")},
        latency_s=latency_s,
    )


class FeeWork(SystemWork):
    """Scores whether the right fee is named."""

    def score(self, case: Case, answer: Answer) -> Mapping[str, Score]:
        """``right``: the fee stands in the answer as a word of its own."""
        assert isinstance(case.question, FeeQuestion)
        return {"right": str(case.question.fee) in answer.text.split()}

    def row(self, case: Case, outcome: Outcome) -> dict[str, Any]:
        """The plain row and the fee."""
        assert isinstance(case.question, FeeQuestion)
        return {**super().row(case, outcome), "fee": case.question.fee}

    def line(self, progress: Progress, row: Row) -> str:
        """The plain line under the demo's own name."""
        return super().line(progress, row).replace("[run]", "[demo]", 1)


def demo_variants(system: System) -> tuple[Variant, ...]:
    """With and without ``lookup``; two draws of a model; else the system as it comes."""
    known = system.settings
    if known is None or "lookup" in known:
        return VARIANTS
    return DRAWS if "sample" in known else (Variant(name="as_it_comes"),)


def demo_plan(system: System, count: int) -> Plan:
    """Every berth with each variant that the system understands."""
    variants = demo_variants(system)
    for variant in variants:
        check_settings(system, variant.settings, f"variant {variant.name!r}")
    return product_plan(
        questions=questions(count),
        variants=variants,
        placements=[top_k_placement(TOP_K)],
        system=system.identity,
    )


def run_demo(
    system: System,
    count: int,
    journal: Path,
    *,
    settings: RunSettings,
    reporter: Reporter,
    fresh: bool = False,
    keep_stale: bool = False,
) -> RunResult:
    """Run the demonstration's cases into ``journal``."""
    plan = demo_plan(system, count)
    header = RunHeader(
        job="demo",
        name=journal.stem,
        system=system.identity,
        variants=plan.variants,
        total=plan.total,
        top_k=TOP_K,
        limit=count,
    )
    return run_plan(
        plan,
        FeeWork(system),
        header,
        journal,
        settings=settings,
        reporter=reporter,
        aggregate=right_by_variant,
        fresh=fresh,
        keep_stale=keep_stale,
    )


def right_by_variant(journal: Path) -> dict[str, Any]:
    """For each variant: cases scored, failed, skipped, and the share of right answers.

    ``right_rate`` is ``None`` where nothing was scored.
    """
    last: dict[str, dict[str, Any]] = {}
    for rows in read_rows(journal, dict[str, Any]):
        for row in rows:
            last[row["key"]] = row
    table: dict[str, Any] = {}
    for row in last.values():
        cell = table.setdefault(
            row["config"], {"scored": 0, "failed": 0, "skipped": 0, "right": 0, "right_rate": None}
        )
        cell[row["status"]] += 1
        cell["right"] += row.get("right", False)
    for cell in table.values():
        if cell["scored"]:
            cell["right_rate"] = cell["right"] / cell["scored"]
    return table
