"""What users of the library write, held to ``mypy --strict``: it must type-check as it is."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import UNSET, UnsetType

from assay.checks.scorer import Scorer, Subject
from assay.config.document import ConfigDocument, ExperimentFile
from assay.config.experiment import RunSettings
from assay.config.workspace import Workspace
from assay.errors import AssayError, RateLimited
from assay.plugin import CaseSkipped
from assay.records import (
    Answer,
    Answered,
    Case,
    Failed,
    Metric,
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
from assay.results.job import JobSpec
from assay.runs.handler import CaseHandler, SystemHandler
from assay.runs.plan import Placement, Plan, product_plan, top_k_placement
from assay.runs.plan_file import read_plan
from assay.runs.progress import Progress, Reporter, choose_reporter
from assay.runs.read import last_rows, read_fields, read_rows
from assay.runs.row import Row
from assay.runs.run import run_plan
from assay.runs.summary import RunResult
from assay.systems.load import SystemContext, SystemFactory, load_system
from assay.systems.protocol import Setting, System, check_settings
from assay.systems.python.system import PythonSystem
from assay.systems.replay import ReplaySystem
from assay.systems.scripted import ScriptedSystem


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


class ShelfRow(Row, kw_only=True):
    """A job's own fields; an absent one is ``UNSET``."""

    slow: bool | UnsetType = UNSET
    kind: str | None = None


class ShelfHandler(SystemHandler):
    """A job's own prompt, judge, scores, fields and log line."""

    job = "shelf"

    @property
    def judge_identity(self) -> str:
        """A judge that calls something: narrower than the protocol asks for."""
        return "librarian-1"

    def compose(self, case: Case) -> Prompt:
        """The question with a note."""
        return Prompt(question=case.question, facts={"shelves": 3})

    async def judge(self, case: Case, answer: Answer) -> bool:
        """Whether the expected words are there."""
        assert isinstance(case.question, ShelfQuestion)
        return case.question.expected in answer.text

    def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
        """The verdict, and a score that is undefined."""
        return {"right": bool(verdict), "f1": None}

    def judge_row(self, case: Case, row: Mapping[str, Any], verdict: Any) -> Mapping[str, Any]:
        """What changes if a recorded answer is judged again."""
        return {"scores": {"right": bool(verdict)}}

    def row(self, case: Case, outcome: Outcome) -> ShelfRow:
        """The fields of the question and two more."""
        row = ShelfRow(question_id=case.question.id, config=case.variant.name)
        match outcome:
            case Scored(elapsed_s=elapsed_s, scores=scores):
                row.slow = elapsed_s > 1
                row.scores = scores
            case Answered(problem=problem):
                row.kind = problem
            case Failed(kind=kind):
                row.kind = kind
            case Skipped(reason=reason):
                row.kind = reason
        return row

    def where(self, row: Row) -> str:
        """A place of one's own."""
        return f"shelf={row.config}"

    def result(self, row: Row) -> str:
        """A result of one's own."""
        assert isinstance(row, ShelfRow)
        return f"slow={row.slow}"


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
    reporter: Reporter = choose_reporter(handler, log_lines=True) if journal.exists() else Bell()
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
        resume="fresh",
    )


def right_share(journal: Path) -> dict[str, float | None]:
    """An aggregate: ``None`` where nothing was scored."""
    marks = [
        row.scores.get("right") is True
        for rows in read_rows(journal, ShelfRow)
        for row in rows
        if row.status == "scored" and row.scores is not UNSET
    ]
    return {"right": sum(marks) / len(marks) if marks else None}


def rows_of_the_last_run(journal: Path) -> dict[str, ShelfRow]:
    """The last row of each case that is part of the stored plan."""
    plan = read_plan(journal)
    rows = last_rows(journal, ShelfRow)
    return {key: row for key, row in rows.items() if plan is None or key in plan}


def notes(journal: Path) -> list[Any]:
    """Fields that no type of rows names."""
    return [row.get("note") for rows in read_fields(journal) for row in rows]


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
    document: ConfigDocument[ExperimentFile] = workspace.load_experiments()
    try:
        workspace.resolve("questions", document.where("defaults", "questions_path"))
    except AssayError as error:
        return error.exit_code
    return sum(len(experiment.variants) for experiment in document.value.experiments)


def long_answer(subject: Subject) -> bool | None:
    """What a scorer looks at is typed."""
    if subject.settings.get("brief") is None or not subject.passages:
        return None
    return len(subject.answer) > len(subject.passages[0].text)


LONG_ANSWER = Scorer(
    name="long_answer",
    title="Long answers",
    title_zh="长回答",
    title_ru="длинные ответы",
    kind="rate",
    better="lower",
    formula="1 if the answer is longer than the first passage, otherwise 0",
    undefined="the variant does not set brief, or nothing is retrieved",
    function=long_answer,
    jobs=("ablation",),
)


def load_shelf(rest: str, context: SystemContext) -> System:
    """A factory of systems, as an entry point names it."""
    return Shelf({"q1": rest or context.root.name})


def rescore_shelf(row: Mapping[str, Any]) -> Mapping[str, Score]:
    """The score of a recorded row."""
    return {"right": row["answer"] == "42"}


FACTORY: SystemFactory = load_shelf
SHELF_JOB = JobSpec(
    name="shelf",
    metrics=(Metric(name="right_rate", field="right", kind="rate", function=rescore_shelf),),
    headline="right_rate",
    rescore=rescore_shelf,
    report="shelf.report:ShelfReport",
    command="shelf.command:shelf",
    help="Ask for the books of a shelf.",
)
