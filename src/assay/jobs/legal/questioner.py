"""Ask the questions of a benchmark one at a time and describe each result, for a test runner."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from assay.config.experiment import RunSettings
from assay.config.workspace import Workspace
from assay.jobs.legal.benchmark import BenchmarkData
from assay.jobs.legal.document_system import is_reference, load_bench_system
from assay.jobs.legal.handler import BenchHandler, BenchItem
from assay.jobs.legal.preparation import prepare_with_system
from assay.jobs.legal.question import (
    AmountPart,
    BenchQuestion,
    EvidenceQuestion,
    FactQuestion,
    GapQuestion,
)
from assay.models.limit import AdaptiveLimit, Backoff
from assay.records import Answered, Case, Failed, Outcome, Scored
from assay.runs.asker import Asker
from assay.runs.executor import Stop
from assay.runs.handler import score_answered
from assay.systems.load import load_configuration, make_system_context
from assay.systems.protocol import System

FULL: Final = 1.0
"""The score that passes if a file sets no ``min_score``."""


class QuestionResult(Struct, frozen=True, kw_only=True):
    """A question and its outcome, which is ``None`` if the runner was stopped before it."""

    asked: BenchItem
    outcome: Outcome | None

    @property
    def needed(self) -> float:
        """The score that passes."""
        return FULL if self.asked.min_score is None else self.asked.min_score

    @property
    def score(self) -> float | None:
        """The score of the answer; ``None`` if the case failed or was not asked."""
        if not isinstance(self.outcome, Scored):
            return None
        score: Any = self.outcome.scores["score"]
        return float(score)

    @property
    def passed(self) -> bool:
        """Whether there is a score and it is at least ``needed``."""
        return self.score is not None and self.score >= self.needed

    def lines(self) -> list[str]:
        """Why the question did not pass: expected, got, what is missing and what was invented."""
        facts: list[tuple[str, str]] = [("question", self.asked.question.question)]
        if isinstance(self.outcome, Scored):
            scores: Mapping[str, Any] = self.outcome.scores
            facts.append(("score", f"{scores['score']:g}, but {self.needed:g} is needed"))
            facts += [("expected", line) for line in expected_lines(self.asked.question)]
            facts.append(("got", self.outcome.answer.text))
            facts += [("cited", _citation_text(citation)) for citation in scores["citations"]]
            facts += [("missing", item) for item in scores["missing"]]
            facts += [
                ("invented", f"{detail['text']} ({detail['kind']})")
                for detail in scores["invented"]
            ]
            facts += [("fault", fault) for fault in scores["faults"]]
        elif isinstance(self.outcome, Failed):
            facts.append(("failed", f"{self.outcome.kind}: {self.outcome.message}"))
        elif isinstance(self.outcome, Answered):
            facts.append(("got", self.outcome.answer.text))
            facts.append(("failed", self.outcome.problem or "the answer was not judged"))
        return [f"{label:<10}{text}" for label, text in facts]


def expected_lines(question: BenchQuestion) -> Iterator[str]:
    """What a correct answer contains, one line for each item.

    >>> from assay.jobs.legal.question import ExpectedFact
    >>> list(expected_lines(FactQuestion(id="q", question="?", expected=ExpectedFact(count=3))))
    ['count: 3']
    """
    match question:
        case FactQuestion(expected=expected):
            for name, value in asdict(expected).items():
                if value is not None:
                    yield f"{name}: {_value_text(value)}"
        case EvidenceQuestion(expected=expected, scoring=scoring):
            yield from expected.key_points
            yield (
                f"recall of {scoring.evidence_recall_min:g} and precision of "
                f"{scoring.evidence_precision_min:g} or more"
            )
        case _:
            yield _expected_stance(question)
            if question.quotes and question.scoring.quote_required:
                yield " or ".join(f"the quote “{quote}”" for quote in question.quotes)
            if question.expected_behavior:
                yield str(question.expected_behavior)


def _expected_stance(question: GapQuestion) -> str:
    if question.must_report_conflict:
        return "that the sources disagree"
    return "no answer, because the document gives none" if question.must_abstain else "an answer"


class Questioner:
    """Loads the system that ``spec`` names, with the configuration of the workspace of ``start``.

    The systems stay open until ``close``.
    """

    def __init__(self, spec: str, start: Path) -> None:
        self._spec = spec
        self._workspace = Workspace.find(start=start)
        document = load_configuration(self._workspace)
        self._context = make_system_context(self._workspace, document)
        self._settings = document.value.defaults.run if document else RunSettings()
        self._shared: System | None = None
        self._open: list[QuestionLoop] = []

    def asking(self, benchmark: BenchmarkData) -> "QuestionLoop":
        """A way to ask the questions of one benchmark file.

        Each file has a reference pipeline of its own; any other system is loaded once.
        """
        if self._shared is not None:
            system = self._shared
        else:
            system = load_bench_system(
                self._spec, benchmark.documents, self._context, self._workspace
            )
            if not is_reference(self._spec, self._context):
                self._shared = system
        loop = QuestionLoop(system, benchmark, self._settings)
        self._open.append(loop)
        return loop

    async def close(self) -> None:
        """Close every system once."""
        for system in {id(loop.system): loop.system for loop in self._open}.values():
            await system.close()
        self._context.close()


class QuestionLoop:
    """The questions of a file, and the system that is asked."""

    def __init__(self, system: System, benchmark: BenchmarkData, settings: RunSettings) -> None:
        self.system = system
        bench = prepare_with_system("", benchmark, system, Path())
        self._handler = BenchHandler(system, benchmark.questions, benchmark.documents)
        self._cases: dict[str, Case] = {case.question.id: case for case in bench.run.plan.cases()}
        self._settings = settings
        self._is_prepared = False

    async def outcome(self, asked: BenchItem) -> QuestionResult:
        """Ask a question, with its deadline and with retries, and score the answer."""
        if not self._is_prepared:
            await self._handler.prepare()
            await self._handler.warm_up([case.variant for case in self._cases.values()][:1], 1)
            self._is_prepared = True
        case = self._cases[asked.id]
        asker = Asker(self._handler, self._settings, AdaptiveLimit(1), Backoff(), Stop())
        outcome: Outcome | None = await asker.ask(case)
        if isinstance(outcome, Answered):
            outcome = score_answered(self._handler, case, outcome)
        return QuestionResult(asked=asked, outcome=outcome)


def _value_text(value: Any) -> str:
    if isinstance(value, AmountPart):
        return str(value.amount)
    if isinstance(value, Struct):
        return ", ".join(f"{name} {part}" for name, part in asdict(value).items())
    if isinstance(value, tuple):
        return ", ".join(map(_value_text, value))
    return str(value)


def _citation_text(citation: Mapping[str, Any]) -> str:
    quote = f"“{citation['text']}”" if citation.get("text") else ""
    page = "" if citation.get("page") is None else f"page {citation['page']}"
    return f"{quote} ({page})" if quote and page else quote or page
