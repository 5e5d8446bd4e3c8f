"""What users of the library write, held to ``mypy --strict``: it must type-check as it is."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.config import Document, ExperimentFile, RunSettings, Workspace
from assay.errors import AssayError, CaseSkipped, RateLimited
from assay.journal import read_rows
from assay.records import (
    Answer,
    Case,
    Failed,
    Outcome,
    Passage,
    Question,
    RunHeader,
    Score,
    Scored,
    Usage,
    Variant,
)
from assay.runner import (
    CaseHandler,
    Plan,
    Progress,
    RunResult,
    SystemHandler,
    product_plan,
    run_plan,
)
from assay.runner.plan import Placement, top_k_placement
from assay.runner.progress import Reporter, Row
from assay.systems import (
    PythonSystem,
    ReplaySystem,
    ScriptedSystem,
    Setting,
    System,
    check_settings,
    load_system,
)


class Shelf:
    """A system of one's own: nothing to inherit from."""

    def __init__(self, books: Mapping[str, str]) -> None:
        self._books = books

    @property
    def identity(self) -> str:
        """Name and version."""
        return "shelf-1"

    @property
    def settings(self) -> Mapping[str, Setting]:
        """The settings it understands: narrower than the protocol asks for."""
        return {"strict": Setting(kind=bool)}

    @property
    def max_concurrency(self) -> None:
        """Any number at once."""
        return

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Look the answer up."""
        if question.id not in self._books:
            raise CaseSkipped("no such book")
        if settings.get("strict") and top_k < 1:
            raise RateLimited("slowly", retry_after_s=1.0)
        return Answer(
            text=self._books[question.id],
            passages=(Passage(id="p1", page=3),),
            usage=Usage(calls=1, cost=None),
        )

    async def close(self) -> None:
        """Nothing to release."""


class ShelfQuestion(Question, frozen=True, kw_only=True):
    """A question with what its scorer needs."""

    expected: str


class ShelfHandler(SystemHandler):
    """A job's own scores, fields and log line."""

    def score(self, case: Case, answer: Answer) -> Mapping[str, Score]:
        """Whether the expected words are there."""
        assert isinstance(case.question, ShelfQuestion)
        return {"right": case.question.expected in answer.text, "f1": None}

    def row(self, case: Case, outcome: Outcome) -> dict[str, Any]:
        """The plain row and one field more."""
        fields = super().row(case, outcome)
        match outcome:
            case Scored(elapsed_s=elapsed_s):
                fields["slow"] = elapsed_s > 1
            case Failed(kind=kind):
                fields["kind"] = kind
            case skipped:
                fields["why"] = skipped.reason
        return fields

    def line(self, progress: Progress, row: Row) -> str:
        """A line of one's own."""
        return f"{progress.done}/{progress.total} {row['key']}"


class Bell:
    """A reporter of one's own."""

    def begin(self, progress: Progress) -> None:
        """The run starts."""

    def case(self, progress: Progress, row: Row) -> None:
        """A case has ended."""

    def end(self, progress: Progress) -> None:
        """The run is over."""


def evaluate(journal: Path) -> RunResult:
    """A whole evaluation in a page."""
    system: System = Shelf({"q1": "forty-two"})
    variants = [Variant(name="on", settings={"strict": True}), Variant(name="off")]
    for variant in variants:
        check_settings(system, variant.settings, variant.name)
    placements: list[Placement] = [top_k_placement(5), Placement(label="depth=1", values={"d": 1})]
    plan: Plan = product_plan(
        questions=[ShelfQuestion(id="q1", text="how many?", expected="42")],
        variants=variants,
        placements=placements,
        system=system.identity,
    )
    handler: CaseHandler = ShelfHandler(system)
    reporter: Reporter = Bell()
    return run_plan(
        plan,
        handler,
        RunHeader(
            job="shelf", name="a", system=plan.system, variants=plan.variants, total=plan.total
        ),
        journal,
        settings=RunSettings(concurrency=2, max_cost=1.5),
        reporter=reporter,
        aggregate=right_share,
        fresh=True,
    )


def right_share(journal: Path) -> dict[str, float | None]:
    """An aggregate: ``None`` where nothing was scored."""
    marks = [
        bool(row["right"])
        for rows in read_rows(journal, dict[str, Any])
        for row in rows
        if row["status"] == "scored"
    ]
    return {"right": sum(marks) / len(marks) if marks else None}


def ways_to_a_system() -> list[System]:
    """Every public system fits the protocol."""
    return [
        PythonSystem(str.upper),
        PythonSystem(lambda text: {"answer": text}, identity="mine", settings={"dim": int}),
        ScriptedSystem({"q1": "x"}),
        ScriptedSystem(lambda question, settings: question.text),
        ReplaySystem(Path("experiments/a.jsonl")),
        load_system("python:package.module:callable"),
    ]


def configured(root: Path) -> int:
    """The configuration is typed to its leaves."""
    workspace = Workspace.find(root)
    document: Document[ExperimentFile] = workspace.load_experiments()
    try:
        workspace.resolve("questions", document.where("defaults", "questions_path"))
    except AssayError as error:
        return error.exit_code
    return sum(len(experiment.variants) for experiment in document.value.experiments)
