"""What the legal benchmark asks, judges and writes down for each question."""

import hashlib
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from assay.data.document import PagedDocument, read_paged
from assay.data.legal import BenchQuestion, EvidenceQuestion, FactQuestion, GapQuestion
from assay.errors import UseError
from assay.jobs.legal.citation import bench_answer
from assay.jobs.legal.metric import METRICS
from assay.jobs.legal.verdict import verdict_fields
from assay.jobs.spec import JobSpec
from assay.journal import append_corrections, last_rows
from assay.records import Answer, Case, Outcome, Question, Score, Scored
from assay.runner import Progress, Row, SystemHandler, passage_fields, unscored_end
from assay.scorers.legal import BenchAnswer, CitedPassage
from assay.systems import System

if TYPE_CHECKING:
    from assay.jobs.legal.finding import BenchFindings
    from assay.jobs.results import Results

JOB: Final = "bench"
_TYPES: Final[Mapping[str, Any]] = {
    "fact_exact": FactQuestion,
    "evidence_set": EvidenceQuestion,
    "conflict_gap": GapQuestion,
}


class PagedSource(Struct, frozen=True, kw_only=True):
    """A document by its content: where it lies, and its pages, page 1 first."""

    path: Path
    sha256: str
    pages: tuple[str, ...]


class AskedQuestion(Struct, frozen=True, kw_only=True):
    """A question of a run: its id there, its file and document, and the score that passes."""

    id: str
    file: str
    document: str
    question: BenchQuestion
    min_score: float | None = None


class DocumentQuestion(Question, frozen=True, kw_only=True):
    """What a system is asked. ``source`` names the document, the hash stands for its content."""

    document_sha256: str


class BenchHandler(SystemHandler):
    """Asks the system and judges its answers by the document and the gold.

    The runner knows of a question only what is asked; what the answer is held to is looked up
    here, so that correcting it never asks anyone again, and no system is shown it. A system
    that is ``borrowed`` is left open at the end: it is its owner's. ``verdict_fields`` are the keys of
    the cases scored so far.
    """

    def __init__(
        self,
        system: System,
        questions: Sequence[AskedQuestion],
        documents: Mapping[str, PagedSource],
        *,
        borrowed: bool = False,
    ) -> None:
        super().__init__(system)
        self._questions = {one.id: one for one in questions}
        self._documents = documents
        self._borrowed = borrowed
        self.judged: set[str] = set()

    async def ask(self, case: Case) -> Answer:
        """Ask; citations that cannot be read are the system's failure, not the scorer's."""
        answer = await super().ask(case)
        bench_answer(answer)
        return answer

    def score(self, case: Case, answer: Answer) -> Mapping[str, Score]:
        """The scores of the question's type."""
        asked = self._questions[case.question.id]
        pages = self._documents[asked.document].pages
        found = verdict_fields(
            asked.question, bench_answer(answer), pages, min_score=asked.min_score
        )
        self.judged.add(case.key)
        return found

    def row(self, case: Case, outcome: Outcome) -> dict[str, Any]:
        """The question with its gold and document, the answer, its citations and its scores."""
        asked = self._questions[case.question.id]
        row: dict[str, Any] = {
            "question_id": asked.id,
            "source": asked.document,
            "config": case.variant.name,
            "top_k": case.variant.settings.get("top_k") or case.top_k,
            "question": asked.question.question,
            **expectation_fields(asked, self._documents[asked.document]),
        }
        if isinstance(outcome, Scored):
            row["answer"] = outcome.answer.text
            row.update(outcome.scores)
            cited = {one.text for one in bench_answer(outcome.answer).citations}
            row["passages"] = passage_fields(
                outcome.answer.passages, with_text=lambda passage: passage.text in cited
            )
        return row

    def line(self, progress: Progress, row: Row) -> str:
        """Done, total, question, score and the first reason it is not higher, time left."""
        head = (
            f"[bench] {progress.done}/{progress.total} id={row['question_id']} "
            f"type={row['question_type']}"
        )
        if row["status"] == "scored":
            found = f"score={row['score']:.2f} elapsed={row['elapsed_s']:.2f}s"
        else:
            found = unscored_end(row)
        return f"{head} {found} ETA~{progress.eta_min:.1f}m"

    async def close(self) -> None:
        """Close the system, unless it is borrowed."""
        if not self._borrowed:
            await super().close()


def paged_source(path: Path, document: PagedDocument) -> PagedSource:
    """A document with the place it was read from and a hash of its pages."""
    pages = document.pages
    sha256 = hashlib.sha256("\f".join(pages).encode()).hexdigest()
    return PagedSource(path=path, sha256=sha256, pages=pages)


def expectation_fields(asked: AskedQuestion, document: PagedSource) -> dict[str, Any]:
    """The row's own record of what its answer is judged by."""
    question = asked.question
    return {
        "question_type": question.type,
        "category": question.metadata.category,
        "difficulty": question.metadata.difficulty,
        "file": asked.file,
        "document": document.path.as_posix(),
        "document_sha256": document.sha256,
        "min_score": asked.min_score,
        "gold": msgspec.to_builtins(question),
    }


def judge_anew(
    journal: Path,
    questions: Sequence[AskedQuestion],
    documents: Mapping[str, PagedSource],
    *,
    but: Container[str] = (),
) -> int:
    """Judge the recorded answers, ``but`` those, by today's gold and rules; returns how many changed.

    A row whose scores come out different is written again, so that the last of its key is
    right. Nobody is asked.
    """
    known = {one.id: one for one in questions}
    corrections = []
    for row in last_rows(journal).values():
        asked = known.get(row["question_id"])
        if asked is None or row["status"] != "scored" or row["key"] in but:
            continue
        document = documents[asked.document]
        scores = verdict_fields(
            asked.question, _answer(row), document.pages, min_score=asked.min_score
        )
        corrections.append((row, {**expectation_fields(asked, document), **scores}))
    return append_corrections(journal, corrections)


def rescore_row(row: Mapping[str, Any]) -> Mapping[str, Score]:
    """The scores of a recorded answer by today's rules; the document is read where it lay."""
    pages = _pages(row["document"], row["document_sha256"])
    question = msgspec.convert(row["gold"], _TYPES[row["question_type"]])
    return verdict_fields(question, _answer(row), pages, min_score=row.get("min_score"))


def _answer(row: Mapping[str, Any]) -> BenchAnswer:
    citations = msgspec.convert(row.get("citations", ()), tuple[CitedPassage, ...])
    return BenchAnswer(text=row["answer"], citations=citations)


@lru_cache(maxsize=64)
def _pages(path: str, sha256: str) -> tuple[str, ...]:
    found = paged_source(Path(path), read_paged(Path(path)))
    if found.sha256 != sha256:
        raise UseError(
            f"{path}: is no longer what the answers were judged by; run the benchmark again"
        )
    return found.pages


def _findings(results: "Results") -> "BenchFindings":
    # NumPy takes 0.2 s to import, and only the end of a run needs it
    from assay.jobs.legal.finding import BenchFindings  # noqa: PLC0415

    return BenchFindings(results)


SPEC: Final = JobSpec(
    name=JOB, metrics=METRICS, headline="score", rescore=rescore_row, report=_findings
)
