"""How each question of the legal benchmark is asked, scored and recorded."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from assay.data.document.document import PagedDocument, read_paged
from assay.data.samples.sample import sample_benchmark
from assay.errors import CaseSkipped, UseError
from assay.jobs.legal.expectation import BenchAnswer, CitedPassage
from assay.jobs.legal.question import BenchQuestion, EvidenceQuestion, FactQuestion, GapQuestion
from assay.jobs.legal.reply import bench_answer, read_evidence, structured_answer
from assay.jobs.legal.score import verdict_fields
from assay.jobs.legal.shape import without_nulls
from assay.jobs.legal.spec import BenchRow
from assay.mask import same_hash
from assay.records import Answer, Case, Outcome, Prompt, Question, Score, Scored, digest
from assay.report.description import band_text, counts_line
from assay.report.look import MISSING
from assay.runs.handler import SystemHandler, recorded_passages
from assay.runs.row import Row
from assay.systems.protocol import System
from assay.text.normalise import visible_line
from assay.text.width import padded
from assay.words.language import language
from assay.words.say import say, say_n

JOB: Final = "bench"
_TYPES: Final[Mapping[str, Any]] = {
    "fact_exact": FactQuestion,
    "evidence_set": EvidenceQuestion,
    "conflict_gap": GapQuestion,
}


class PagedSource(Struct, frozen=True, kw_only=True):
    """A document: its path, the hash of its text, and the text of its pages, page 1 first.

    Without a document there are no pages, and the hash is empty. ``has_page_marks`` is false if
    the questions name pages that the text does not show.
    """

    path: Path
    sha256: str
    pages: tuple[str, ...]
    has_page_marks: bool = True


class BenchItem(Struct, frozen=True, kw_only=True):
    """A question of a run with its file, its document and the score that passes.

    ``min_score`` is ``None`` if nothing sets a threshold, and ``weight`` if nothing sets a weight,
    which then is 1. ``gold`` is the question as it is
    written in the file, with the fields that are ignored. ``type_weight`` is the weight of its
    type in the overall percentage.
    """

    id: str
    file: str
    document: str
    question: BenchQuestion
    min_score: float | None = None
    weight: float | None = None
    type_weight: float | None = None
    gold: Mapping[str, Any] = {}

    @property
    def skip_reason(self) -> str | None:
        """Why the question cannot be scored; ``None`` if it can."""
        question = self.question
        if isinstance(question, FactQuestion):
            expected = question.expected
            if all(value is None for value in asdict(expected).values()):
                return "`expected` has no field that can be checked"
        if isinstance(question, EvidenceQuestion) and not (
            question.required_evidence or question.expected.key_points
        ):
            return "there are neither `key_points` nor `required_evidence`"
        return None


class DocumentQuestion(Question, frozen=True, kw_only=True):
    """What a system is asked. ``source`` is the name of the document.

    The hash is a part of the case's fingerprint, so a changed document makes results stale.
    """

    document_sha256: str


class BenchHandler(SystemHandler):
    """Asks the system, and scores its answers with the document and the expected answer.

    A case contains only what is asked. The expected answer is looked up here, so that a change
    to it does not cause new questions, and the system never sees it. A ``borrowed`` system is
    not closed at the end, because it belongs to the caller.
    """

    job = JOB

    def __init__(
        self,
        system: System,
        questions: Sequence[BenchItem],
        documents: Mapping[str, PagedSource],
        *,
        borrowed: bool = False,
    ) -> None:
        super().__init__(system)
        self._questions = {question.id: question for question in questions}
        self._documents = documents
        self._borrowed = borrowed

    def compose(self, case: Case) -> Prompt:
        """The question as it is; raises ``CaseSkipped`` if its answer could not be scored."""
        reason = self._questions[case.question.id].skip_reason
        if reason is not None:
            raise CaseSkipped(reason)
        return super().compose(case)

    async def ask(self, case: Case, prompt: Prompt) -> Answer:
        """Ask the system; the case fails if the citations of the reply cannot be read."""
        answer = await super().ask(case, prompt)
        bench_answer(answer)  # raises SystemFailed here, not later in the scorer
        return answer

    def score(self, case: Case, answer: Answer, verdict: object) -> Mapping[str, Score]:
        """The scores of an answer to a question of this type."""
        return self._scores(case.question.id, bench_answer(answer))

    def _scores(self, question_id: str, answer: BenchAnswer) -> dict[str, Any]:
        item = self._questions[question_id]
        source = self._documents[item.document]
        return verdict_fields(
            item.question,
            answer,
            source.pages,
            min_score=item.min_score,
            has_page_marks=source.has_page_marks,
        )

    def judge_row(self, case: Case, row: Mapping[str, Any], verdict: object) -> Mapping[str, Any]:
        """The current expected answer, and the scores that it gives."""
        item = self._questions[case.question.id]
        expected = expectation_fields(item, self._documents[item.document])
        return {**expected, **self._scores(item.id, _answer(row))}

    def row(self, case: Case, outcome: Outcome) -> BenchRow:
        """The question, its expected answer and document, the answer, its citations and scores."""
        item = self._questions[case.question.id]
        row = BenchRow(
            question_id=item.id,
            source=item.document,
            config=case.variant.name,
            top_k=case.variant.settings.get("top_k") or case.top_k,
            question=item.question.question,
            **expectation_fields(item, self._documents[item.document]),
        )
        if not isinstance(outcome, Scored):
            return row
        scores: dict[str, Any] = {**outcome.scores}
        return replace(
            row,
            answer=outcome.answer.text,
            passages=recorded_passages(outcome.answer.passages, seals_ids=True),
            **scores,
        )

    def where(self, row: Row) -> str:
        """The type of the question."""
        assert isinstance(row, BenchRow)
        return f"type={row.question_type}"

    def result(self, row: Row) -> str:
        """The score and the latency."""
        assert isinstance(row, BenchRow)
        return f"score={row.score:.2f} {row.elapsed_text}"

    async def close(self) -> None:
        """Close the system, unless it is borrowed."""
        if not self._borrowed:
            await super().close()


def paged_source(path: Path, document: PagedDocument, *, last_page: int = 1) -> PagedSource:
    """The document with its path and the hash of its pages.

    ``last_page`` is the highest page that a question names: a text without page marks is one
    page unless a question says otherwise.
    """
    pages = document.pages
    sha256 = hashlib.sha256("\f".join(pages).encode()).hexdigest()
    return PagedSource(
        path=path,
        sha256=sha256,
        pages=pages,
        has_page_marks=document.has_page_marks or last_page <= 1,
    )


def expectation_fields(item: BenchItem, document: PagedSource) -> dict[str, Any]:
    """The fields of a row that say how its answer is scored."""
    question = item.question
    return {
        "question_type": question.type,
        "category": question.metadata.category,
        "difficulty": question.metadata.difficulty,
        "file": item.file,
        "document": document.path.as_posix(),
        "document_sha256": document.sha256,
        "has_page_marks": document.has_page_marks,
        "min_score": item.min_score,
        "weight": item.weight,
        "type_weight": item.type_weight,
        "gold": item.gold or msgspec.to_builtins(question),
        "expected_answer": _expected_answer(question) or UNSET,
    }


def _expected_answer(question: Any) -> tuple[str, ...]:
    """The answer to a question about a fact, if it is one text or value; empty otherwise."""
    if not isinstance(question, FactQuestion):
        return ()
    expected = question.expected
    values = [
        value
        for value in (expected.text_answer, expected.entity, expected.amount_total, expected.date,
                      expected.count)
        if value is not None
    ]  # fmt: skip
    is_more = any((expected.amount_breakdown, expected.date_range)) or len(values) != 1
    return () if is_more or expected.should_abstain else (str(values[0]),)


def expectation_digest(item: BenchItem, document: PagedSource) -> str:
    """A digest of what an answer is compared with; where its files are does not matter."""
    fields = expectation_fields(item, document)
    return digest({name: fields[name] for name in ("gold", "min_score", "document_sha256")})


def rescore_row(row: Mapping[str, Any]) -> Mapping[str, Score]:
    """The scores of a recorded answer by the current rules; the document is read again.

    Raises:
        UseError: The document has changed since the answer was scored.
    """
    pages = _pages(row["document"], row["document_sha256"])
    question = msgspec.convert(without_nulls(row["gold"]), _TYPES[row["question_type"]])
    return verdict_fields(
        question,
        _answer(row),
        pages,
        min_score=row.get("min_score"),
        has_page_marks=row.get("has_page_marks", True),
    )


def _answer(row: Mapping[str, Any]) -> BenchAnswer:
    citations = msgspec.convert(row.get("citations", ()), tuple[CitedPassage, ...])
    extra = row.get("extra") or {}
    return structured_answer(row["answer"], citations, extra, evidence=read_evidence(extra))


@lru_cache(maxsize=64)
def _pages(path: str, sha256: str) -> tuple[str, ...]:
    if not sha256:  # there was no document
        return ()
    document = _find_document(Path(path))
    source = paged_source(document, read_paged(document))
    if not same_hash(sha256, source.sha256):
        raise UseError(
            f"{path}: has changed since the answers were scored; run the benchmark again"
        )
    return source.pages


def _find_document(path: Path) -> Path:
    """The document at ``path``; a sample is found where this version of assay keeps its samples.

    Rows record the absolute path of a sample, which changes when assay is installed elsewhere.
    """
    _, is_sample, inside = path.as_posix().rpartition("/samples/bench/")
    if is_sample and not path.exists():
        return sample_benchmark() / inside
    return path


# The lines that show the results of a benchmark: percentages, and the lowest scores.

LOWEST: Final = 10
"""How many of the answers with less than the full score are listed."""
LONGEST_REASON: Final = 160
"""The most characters of a reason that are shown."""


def outcome_lines(summary: Mapping[str, Any]) -> list[str]:
    """The results of a benchmark as lines for a terminal."""
    return list(_lines(summary))


def _lines(summary: Mapping[str, Any]) -> Iterator[str]:
    counts = summary["counts"]
    yield ""
    yield padded(say("overall"), 14) + _percentage(summary["overall_percentage"]) + _band(summary)
    for question_type, group in summary["by_type"].items():
        score = _percentage(group["percentage"])
        of_all = say_n(
            "{score} of {n} question", "{score} of {n} questions", group["scored"], score=score
        )
        yield f"  {question_type:<12}  {of_all}{_band(group)}"
    yield padded(say("questions"), 14) + counts_line(counts)
    if counts["failed"]:
        lower = _percentage(summary["percentage_if_failed_are_zero"])
        yield " " * 14 + say("{score} if each failed question counted as zero", score=lower)
    short = [
        question
        for question in summary["questions"]
        if question["score"] is not None and question["score"] < 1
    ]
    if not short:
        return
    short.sort(key=lambda question: question["score"])
    yield ""
    yield say("answers that fell short, lowest first:")
    for question in short[:LOWEST]:
        reason = " ".join("; ".join(_shortcomings(question)).split())
        if len(reason) > LONGEST_REASON:
            reason = f"{reason[: LONGEST_REASON - 1]}…"
        yield f"  {visible_line(question['id'])}  {question['score']:.2f}  {reason}"
    if len(short) > LOWEST:
        more = say("and {n} more; the rows have all of them", n=len(short) - LOWEST)
        yield f"  {more}"


def _shortcomings(question: Mapping[str, Any]) -> list[str]:
    """The reasons why a question does not have the full score, in the language in use.

    >>> _shortcomings({"faults": ["nothing is cited"], "missing": [], "invented": [{"text": "£9"}]})
    ['nothing is cited', 'invented £9']
    """
    language()
    return [
        *(say(fault) for fault in question["faults"]),
        *(say("missing {text}", text=say(item)) for item in question["missing"]),
        *(say("invented {text}", text=detail["text"]) for detail in question["invented"]),
    ]


def _band(group: Mapping[str, Any]) -> str:
    """What unsure answers leave open; empty if there are none."""
    unsure = group.get("unsure_answers")
    if unsure is None:
        return ""
    return f"  {band_text(unsure['low'], unsure['high'], unsure['n'], digits=1)}"


def _percentage(value: float | None) -> str:
    return MISSING if value is None else f"{value:.1f} %"
