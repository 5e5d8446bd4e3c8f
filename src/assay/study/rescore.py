"""Score recorded answers again with the current rules: the implementation of ``assay score``."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.checks import registered as ruler
from assay.checks.own_scorer import OwnScorer, with_declarations
from assay.checks.registered import (
    ERRORS,
    KNOWN,
    SCORES,
    registered_fields,
    registered_scorers,
    without_credit,
)
from assay.data.question import CorpusQuestion, read_questions
from assay.errors import UseError
from assay.mask import REDACTED, restored_record
from assay.records import Status
from assay.redact.error_text import masked_errors
from assay.results.job import JobSpec, job_spec_of, refuse_clash
from assay.runs.asking_order import copy_order
from assay.runs.plan_file import copy_plan
from assay.runs.read import read_metadata, read_numbered_fields
from assay.runs.rejudge import AGAINST
from assay.runs.run import MIXED
from assay.runs.summary import read_summary, set_rows_aside, write_atomically, write_summary
from assay.runs.write import encode_row, locked_journal, summary_path
from assay.study.analysis import summarise_run

SUFFIX = ".rescored"
_STATUSES = get_args(Status)
MOST_NAMED = 10
"""How many malformed rows are named; the others are only counted."""
_MALFORMED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""What scoring raises for a row with a missing field, or a value of another kind than expected."""


class RescoreResult(Struct, frozen=True, kw_only=True):
    """Where the rows are, how many were scored again, and how often each field changed.

    ``malformed`` rows could not be scored and are unchanged; ``problems`` names the first of them.
    ``masked`` rows keep their scores, because values in their texts were replaced by tags and no
    key turns these back exactly.
    """

    journal: Path
    judged: int
    passed_over: int
    changed: Mapping[str, int]
    malformed: int = 0
    problems: tuple[str, ...] = ()
    masked: int = 0


def rescored_path(journal: Path) -> Path:
    """``NAME.rescored.jsonl`` beside ``NAME.jsonl``."""
    return journal.with_name(f"{journal.stem}{SUFFIX}.jsonl")


def rescore(
    journal: Path,
    *,
    in_place: bool = False,
    questions: Path | None = None,
    scorers: Sequence[OwnScorer] = (),
) -> RescoreResult:
    """Write the rows of ``journal`` with new scores; no system is asked.

    The new file is written next to the old one. With ``in_place`` it replaces the old file, which
    is set aside. ``questions`` is a file with corrected gold. Rows without an answer are
    copied unchanged. ``scorers`` are those of the user; the scores of others that he used are kept.

    Raises:
        UseError: There are no such results, or a scorer has the name of something else in the rows.
    """
    if not journal.exists():
        raise UseError(f"{journal}: no such file of results")
    summary = read_summary(summary_path(journal))
    job = job_spec_of(summary)
    refuse_clash(job.name, scorers)
    gold = _gold(questions, job)
    target = journal if in_place else rescored_path(journal)
    settings = {variant.name: variant.settings for variant in summary.variants} if summary else {}
    rescoring = _Rescoring(job, gold, settings, scorers)
    with locked_journal(journal):
        scratch = target.with_name(f".{target.name}.rescoring")
        write_atomically(scratch, rescoring.lines(journal))
        if target.exists():
            set_rows_aside(target)
        scratch.replace(target)
        if target != journal:
            copy_plan(journal, target)
            copy_order(journal, target)
        if summary is not None:
            is_whole = not rescoring.malformed and not rescoring.masked
            rules = {ruler.FIELD: ruler.RULER if is_whole else ruler.MIXED}
            extra = {**summary.extra, **rules, **_provenance(questions)}
            extra = with_declarations(extra, None, scorers, is_one=is_whole)
            summary = replace(summary, extra=extra)
            if questions is not None:  # so that the next run judges by its own questions
                summary = replace(summary, judging=MIXED)
            write_summary(summary_path(target), summary)
            if rescoring.malformed == 0:  # no means can be computed from rows that are not whole
                results = summarise_run(target)
                write_summary(summary_path(target), replace(summary, results=results))
    return rescoring.result(target)


class _Rescoring:
    """Scores one row after the other, and counts. Only one block of rows is in memory."""

    def __init__(
        self,
        job: JobSpec,
        gold: Mapping[str, CorpusQuestion],
        settings: Mapping[str, Mapping[str, Any]],
        scorers: Sequence[OwnScorer] = (),
    ) -> None:
        self._job = job
        self._scorers = (*registered_scorers(job.name), *scorers)
        self._gold = gold
        self._settings = settings
        self._changed: Counter[str] = Counter()
        self._judged = self._passed_over = self.malformed = self.masked = 0
        self._problems: list[str] = []

    def lines(self, journal: Path) -> Iterator[bytes]:
        """The lines of the new file."""
        metadata = read_metadata(journal)
        if metadata:
            yield encode_row(metadata) + b"\n"
        for number, row in read_numbered_fields(journal):
            yield encode_row(self._rescored(f"{journal}:{number}", row)) + b"\n"

    def result(self, journal: Path) -> RescoreResult:
        """What was counted."""
        return RescoreResult(
            journal=journal,
            judged=self._judged,
            passed_over=self._passed_over,
            changed=self._changed,
            malformed=self.malformed,
            problems=tuple(self._problems),
            masked=self.masked,
        )

    def _rescored(self, place: str, row: dict[str, Any]) -> dict[str, Any]:
        status = row.get("status", "scored" if row.get("error") is None else "failed")
        if status not in _STATUSES:
            self._note(place, f"its status is {status!r}")
        elif status != "scored" or "answer" not in row:
            self._passed_over += 1
        elif row.get(REDACTED) and restored_record(row) is None:
            self.masked += 1
        else:
            scored = dict(restored_record(row) if row.get(REDACTED) else row)
            try:
                gold = self._gold.get(row["question_id"])
                names = self._score_again(scored, gold)
            except _MALFORMED as error:
                self._note(place, _missing_or_wrong(error))
            else:
                self._changed.update(names)
                self._judged += 1
                return scored
        return row

    def _score_again(self, row: dict[str, Any], gold: CorpusQuestion | None) -> list[str]:
        """Update ``row`` with the current scores; return the names of the fields that changed."""
        before = dict(row)
        if gold is not None:
            row["gold_chunk_ids"] = list(gold.gold)
            if gold.answerable is not None:
                row["answerable"] = gold.answerable
            else:
                row.pop("answerable", None)  # unknown: the field is omitted
            for name, value in (("expected_answer", gold.answers), ("gold_spans", gold.spans)):
                if value:
                    row[name] = list(msgspec.to_builtins(value))  # as rows are read
                else:
                    row.pop(name, None)
            if any(before.get(name) != row.get(name) for name in _AGAINST_FIELDS):
                row.pop(AGAINST, None)  # it is not known what the run held the answer against
        scored = msgspec.to_builtins(dict(self._job.rescore(row)))
        if SCORES in row:
            row[SCORES] = {}  # those of the job and of registered scorers are computed anew
        row.update({name: {} for name in KNOWN if name in row})  # computed anew, in their places
        row.update(scored)
        chosen, earlier = self._settings.get(row.get("config", "")), before.get(SCORES, {})
        added = registered_fields(self._job.name, self._scorers, row, chosen, recorded=earlier)
        row.pop(ERRORS, None)
        row.update(added)
        if ERRORS in added:
            row[ERRORS] = masked_errors(added[ERRORS])
        for name in [name for name in KNOWN if row.get(name) == {}]:
            del row[name]
        if row.get("lost"):
            row.update(without_credit(row, self._job.metrics))
        names = (name for name in {**before, **row} if name != AGAINST)
        return [name for name in names if before.get(name) != row.get(name)]

    def _note(self, place: str, problem: str) -> None:
        self.malformed += 1
        if len(self._problems) < MOST_NAMED:
            self._problems.append(f"{place}: the row cannot be scored: {problem}")


def _missing_or_wrong(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error.args[0]!r}"
    return f"a value is of another kind than expected ({error})"


_AGAINST_FIELDS: Final = ("gold_chunk_ids", "answerable", "expected_answer", "gold_spans")


def _gold(path: Path | None, job: JobSpec) -> dict[str, CorpusQuestion]:
    if path is None:
        return {}
    if job.corrected_gold != "score":
        again = (
            "judges recorded answers by the file it is given"
            if job.corrected_gold == "run"
            else "asks what changed"
        )
        raise UseError(
            f"--questions is for results of assay ablate, and these are of assay {job.name}; "
            f"run assay {job.name} again with the corrected file: it {again}"
        )
    return {question.id: question for question in read_questions(path)}


def _provenance(questions: Path | None) -> dict[str, str]:
    """The path and hash of the file with the corrected gold; empty if there is none."""
    if questions is None:
        return {}
    digest = hashlib.sha256(questions.read_bytes()).hexdigest()
    return {"gold_path": str(questions), "gold_sha256": digest}
