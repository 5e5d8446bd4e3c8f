"""Recorded answers in the form in which a judge reads them."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.config.workspace import Workspace
from assay.data.jsonl import UNREADABLE
from assay.errors import AssayError
from assay.judge.label import text_hash
from assay.judge.rubric import JudgeInput, Rubric, reads_of
from assay.mask import REDACTED, restored_record
from assay.records import Answer, Case, Passage, Question, Variant
from assay.results.job import job_spec_of
from assay.results.run_cases import RowFilter, read_run_cases
from assay.runs.read import last_row_fields
from assay.runs.row import recorded_answer
from assay.runs.summary import read_summary
from assay.runs.write import summary_path
from assay.text.thought import without_thoughts

NO_ANSWER: Final = "no answer is recorded"
SPARED: Final = "spared by an early decision, so they were not asked"
NO_EXPECTED: Final = "the question has no expected answer"
NO_PASSAGES: Final = "the texts of its passages are not known"
MASKED_TEXT: Final = "the text is masked, and this key does not turn it back exactly"
_OWN_NAMES: Final = ("key", "config")
"""What identifies a row stays as it is recorded: verdicts and labels are kept by it."""


class RecordedCase(Struct, frozen=True, kw_only=True):
    """A recorded answer with what is known about its question.

    ``other`` is a second answer that it is compared with. ``version`` is the hash of the answer as the
    row has it (see ``assay.judge.label.text_hash``): with redaction, that of the masked text, because
    everybody who has the rows can compute it and learns nothing from it.
    """

    case: Case
    answer: Answer
    expected: tuple[str, ...] = ()
    passages: tuple[str, ...] | None = None
    other: str = ""
    version: str = ""

    @property
    def subject(self) -> JudgeInput:
        """What a judge reads: no thoughts, and no name of a variant, a document or a system."""
        return JudgeInput(
            question=self.case.question.text,
            answer=without_thoughts(self.answer.text),
            expected=self.expected,
            passages=self.passages or (),
            other=without_thoughts(self.other),
        )

    def read_by(self, rubric: str) -> Answer:
        """What a judge with this rubric reads, in the form that verdicts are kept by.

        A correction of the expected answer is thus judged anew, other passages only by a judge
        that reads passages.
        """
        reads = reads_of(rubric)
        read = [Passage(id="other", text=self.other)] if self.other else []
        if "expected" in reads:
            read += [Passage(id="expected", text=text) for text in self.expected]
        if "passages" in reads:
            read += [Passage(id="passage", text=text) for text in self.passages or ()]
        return Answer(text=without_thoughts(self.answer.text), passages=tuple(read))

    def missing(self, rubric: Rubric) -> str:
        """Why the rubric cannot judge the answer; empty if it can."""
        if "expected" in rubric.needs and not self.expected:
            return NO_EXPECTED
        if "passages" in rubric.needs and not self.passages:
            return NO_PASSAGES
        return ""


class Recorded(Struct, frozen=True, kw_only=True):
    """The answers of a run; how many cases have none, were spared, and are masked for good."""

    cases: tuple[RecordedCase, ...]
    unanswered: int
    spared: int
    masked: int


def read_recorded(journal: Path, workspace: Workspace) -> Recorded:
    """The answers of a run in the order of their first rows.

    Redacted rows are turned back with the key: a judge would compare tags with values. Expected answers that the rows do not have are read from the questions file of the run, and
    texts of passages from the corpus of the workspace.
    """
    summary = read_summary(summary_path(journal))
    chosen = RowFilter(read_run_cases(journal, summary, job_spec_of(summary)))
    rows = [row for row in last_row_fields(journal).values() if chosen.has(row["key"])]
    answers = _expected_answers(journal, summary.questions_path if summary else None)
    texts = _chunk_texts(rows, workspace, summary.extra.get("corpus_sha256") if summary else None)
    plain = [(row, _restored(row)) for row in rows]
    read = [row for _, row in plain if row is not None]
    cases = tuple(
        replace(case, version=_version(recorded))
        for recorded, row in plain
        if row is not None and (case := _case(row, answers, texts)) is not None
    )
    spared = sum(row.get("status") == "spared" for row in read)
    return Recorded(
        cases=cases,
        unanswered=len(read) - len(cases) - spared,
        spared=spared,
        masked=len(rows) - len(read),
    )


def _restored(row: dict[str, Any]) -> dict[str, Any] | None:
    """A row with its text as it was; ``None`` if nothing can turn it back."""
    if not row.get(REDACTED) or _answer(row) is None:
        return row
    plain = restored_record(row)
    if plain is None:
        return None
    return {**plain, **{name: row[name] for name in _OWN_NAMES if name in row}}


def _case(
    row: Mapping[str, Any], answers: Mapping[str, tuple[str, ...]], texts: Mapping[str, str]
) -> RecordedCase | None:
    answer = _answer(row)
    if answer is None or row.get("lost"):
        return None
    question = str(row.get("question_id", ""))
    return RecordedCase(
        case=Case(
            key=row["key"],
            question=Question(
                id=question, text=row.get("question") or "", source=row.get("source")
            ),
            variant=Variant(name=row.get("config", "")),
            fingerprint=row.get("fingerprint", ""),
        ),
        answer=answer,
        expected=_texts(row.get("expected_answer")) or answers.get(question) or _choice(row),
        passages=_passage_texts(answer, texts),
    )


def _version(row: Mapping[str, Any]) -> str:
    answer = _answer(row)
    return text_hash(answer.text) if answer is not None else ""


def _answer(row: Mapping[str, Any]) -> Answer | None:
    """The answer of a row that is scored, or answered and not scored yet."""
    recorded = row.get("recorded")
    if isinstance(recorded, Mapping) and isinstance(recorded.get("answer"), Mapping):
        return msgspec.convert(recorded["answer"], Answer)
    if row.get("error") is not None or not isinstance(row.get("answer"), str):
        return None
    return recorded_answer(row)


def _choice(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The right answer of a depth test: the letters and the texts of its choices."""
    right = row.get("correct_answer")
    if right is None:
        return ()
    choices = row.get("choice")
    listed = right if isinstance(right, list) else [right]
    if not isinstance(choices, Mapping):
        return (", ".join(map(str, listed)),)
    return (", ".join(f"{each}: {choices.get(each, '')}".rstrip(": ") for each in listed),)


def _texts(value: Any) -> tuple[str, ...]:
    """The accepted answers as texts: one, several, or none."""
    if value is None or isinstance(value, bool | Mapping) or value in ("", []):
        return ()
    listed = value if isinstance(value, list | tuple) else [value]
    return tuple(str(each) for each in listed if isinstance(each, str | int | float))


def _expected_answers(journal: Path, name: str | None) -> dict[str, tuple[str, ...]]:
    """The field ``answer`` of the questions file, by the id of the question."""
    if not name:
        return {}
    folder = journal.resolve().parent
    for place in (folder, *folder.parents, Path.cwd()):
        path = place / name
        if path.is_file():
            return dict(_answers_of(path))
    return {}


def _answers_of(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    for line in path.read_bytes().splitlines():
        with suppress(*UNREADABLE, msgspec.ValidationError):
            row = msgspec.json.decode(line, type=dict[str, Any])
            answers = _texts(row.get("answers", row.get("answer")))
            if answers and row.get("id") is not None:
                yield str(row["id"]), answers


def _passage_texts(answer: Answer, texts: Mapping[str, str]) -> tuple[str, ...] | None:
    """The texts of all passages; ``None`` if one is not known: a claim may be from that one."""
    known = [passage.text or texts.get(passage.id, "") for passage in answer.passages or ()]
    return tuple(known) if known and all(known) else None


def _chunk_texts(
    rows: Iterable[Mapping[str, Any]], workspace: Workspace, run_corpus: str | None
) -> dict[str, str]:
    """The texts of the corpus by id, if a row leaves out the text of a passage.

    If the corpus is not that of the run any more, only of chunks whose ids follow from their texts:
    a judge must read what the answer was given.
    """
    leaves_out = any(
        not passage.get("text")
        for row in rows
        for passage in row.get("passages") or ()
        if isinstance(passage, Mapping)
    )
    if not leaves_out:
        return {}
    # imported here because most rows have the texts, and reading a corpus is slow to import
    from assay.data.corpus.chunk import load_corpus  # noqa: PLC0415
    from assay.data.corpus.chunker import has_id_of_text  # noqa: PLC0415

    with suppress(AssayError, OSError):
        document = workspace.load_configuration()
        configured = document.value.defaults.chunks_manifest if document else None
        manifest = workspace.root / (configured or "chunks/manifest.json")
        corpus = load_corpus(manifest)
        is_same = run_corpus in {None, corpus.sha256}
        return {chunk.id: chunk.text for chunk in corpus.chunks if is_same or has_id_of_text(chunk)}
    return {}
