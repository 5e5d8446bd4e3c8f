"""A benchmark's questions one at a time, for a test runner: asked, judged, and told in lines."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from assay.config import RunSettings, Workspace
from assay.data.legal import BenchQuestion, EvidenceQuestion, FactQuestion
from assay.jobs.legal.benchmark import BenchmarkData
from assay.jobs.legal.handler import AskedQuestion, BenchHandler
from assay.jobs.legal.preparation import prepare_with_system
from assay.jobs.legal.system import is_reference, load_bench_system
from assay.jobs.setup import load_configuration, make_system_context
from assay.models import AdaptiveLimit, Backoff
from assay.records import Case, Failed, Outcome, Scored
from assay.runner import Asker, Stop
from assay.systems import System

FULL: Final = 1.0
"""The score that passes where a file sets no ``min_score``."""


class QuestionResult(Struct, frozen=True, kw_only=True):
    """What became of a question."""

    asked: AskedQuestion
    outcome: Outcome | None

    @property
    def needed(self) -> float:
        """The score that passes."""
        return FULL if self.asked.min_score is None else self.asked.min_score

    @property
    def score(self) -> float | None:
        """The answer's score; ``None`` where there is none."""
        if not isinstance(self.outcome, Scored):
            return None
        score: Any = self.outcome.scores["score"]
        return float(score)

    @property
    def passed(self) -> bool:
        """Whether there is a score, and it is high enough."""
        return self.score is not None and self.score >= self.needed

    def lines(self) -> list[str]:
        """The failure for a reader: expected, got, what is missing and what was invented."""
        told: list[tuple[str, str]] = [("question", self.asked.question.question)]
        if isinstance(self.outcome, Scored):
            scores: Mapping[str, Any] = self.outcome.scores
            told.append(("score", f"{scores['score']:g}, and {self.needed:g} is needed"))
            told += [("expected", line) for line in expected_lines(self.asked.question)]
            told.append(("got", self.outcome.answer.text))
            told += [("cited", _cited(one)) for one in scores["citations"]]
            told += [("missing", one) for one in scores["missing"]]
            told += [("invented", f"{one['text']} ({one['kind']})") for one in scores["invented"]]
            told += [("fault", one) for one in scores["faults"]]
        elif isinstance(self.outcome, Failed):
            told.append(("failed", f"{self.outcome.kind}: {self.outcome.message}"))
        return [f"{label:<10}{text}" for label, text in told]


def expected_lines(question: BenchQuestion) -> Iterator[str]:
    """What a right answer says, a line each.

    >>> from assay.data.legal.question import ExpectedFact
    >>> list(expected_lines(FactQuestion(id="q", question="?", expected=ExpectedFact(count=3))))
    ['count: 3']
    """
    match question:
        case FactQuestion(expected=expected):
            for name, value in asdict(expected).items():
                if value is not None:
                    yield f"{name}: {_plain(value)}"
        case EvidenceQuestion(expected=expected, scoring=scoring):
            yield from expected.key_points
            yield (
                f"recall of {scoring.evidence_recall_min:g} and precision of "
                f"{scoring.evidence_precision_min:g} or more"
            )
        case _:
            yield "no answer, for there is none" if question.should_abstain else "an answer"
            if question.required_quote is not None and question.scoring.quote_required:
                yield f"the quote “{question.required_quote}”"
            if question.expected_behavior:
                yield question.expected_behavior


class Questioner:
    """Loads the system that ``spec`` names, from the workspace around ``start``."""

    def __init__(self, spec: str, start: Path) -> None:
        self._spec = spec
        self._workspace = Workspace.find(start=start)
        document = load_configuration(self._workspace)
        self._context = make_system_context(self._workspace, document)
        self._settings = document.value.defaults.run if document else RunSettings()
        self._shared: System | None = None
        self._open: list[QuestionLoop] = []

    def asking(self, material: BenchmarkData) -> "QuestionLoop":
        """The system made ready for a file; a reference pipeline is one for each file."""
        if self._shared is not None:
            system = self._shared
        else:
            system = load_bench_system(
                self._spec, material.documents, self._context, self._workspace
            )
            if not is_reference(self._spec, self._context):
                self._shared = system
        asking = QuestionLoop(system, material, self._settings)
        self._open.append(asking)
        return asking

    async def close(self) -> None:
        """Close the systems."""
        for system in {id(one.system): one.system for one in self._open}.values():
            await system.close()
        self._context.close()


class QuestionLoop:
    """A file's questions and the system they are put to."""

    def __init__(self, system: System, material: BenchmarkData, settings: RunSettings) -> None:
        self.system = system
        bench = prepare_with_system("", material, system, Path())
        self._handler = BenchHandler(system, material.questions, material.documents)
        self._cases: dict[str, Case] = {case.question.id: case for case in bench.run.plan.cases()}
        self._settings = settings
        self._is_prepared = False

    async def outcome(self, asked: AskedQuestion) -> QuestionResult:
        """Ask a question, within its deadline and with retries, and judge the answer."""
        if not self._is_prepared:
            await self._handler.prepare()
            self._is_prepared = True
        asker = Asker(self._handler, self._settings, AdaptiveLimit(1), Backoff(), Stop())
        return QuestionResult(asked=asked, outcome=await asker.outcome(self._cases[asked.id]))


def _plain(value: Any) -> str:
    if isinstance(value, Struct):
        return ", ".join(f"{name} {part}" for name, part in asdict(value).items())
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value)


def _cited(one: Mapping[str, Any]) -> str:
    words = f"“{one['text']}”" if one.get("text") else ""
    page = "" if one.get("page") is None else f"page {one['page']}"
    return f"{words} ({page})" if words and page else words or page
