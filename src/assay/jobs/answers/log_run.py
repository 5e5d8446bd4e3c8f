"""Answers that exist already: a log, scored row by row with nothing asked of anybody."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from assay import __version__
from assay.checks.scorer import DESCRIBED
from assay.config.experiment import check_name
from assay.data.answer_log import AnswerLog, read_log
from assay.data.question import CorpusQuestion
from assay.data.question_set import BY_TEXT, IDS
from assay.errors import UseError
from assay.jobs.answers.failed_question import EndedRuns, outcome_lines
from assay.jobs.answers.handler import (
    JOB,
    AblationHandler,
    asked,
    compared_with,
    with_recorded_gold,
    without_gold,
)
from assay.jobs.answers.plain_run import TOP_K, default_name
from assay.jobs.answers.preparation import file_sha256, plain_primary
from assay.jobs.prepared import JobRuns, PreparedRun, RunOptions
from assay.mask import mask_identifier, sealed
from assay.records import RunHeader, Variant, digest
from assay.report.description import noted
from assay.runs.plan import Plan, product_plan, top_k_placement
from assay.runs.resume import Resume
from assay.runs.summary import read_summary
from assay.runs.survey import survey_journal
from assay.runs.write import check_rows_path, summary_path
from assay.study.observation import FACTS, question_facts
from assay.systems.logged import LoggedAnswers
from assay.systems.replay import is_journal
from assay.text.width import labelled
from assay.words.message import Message, message_n
from assay.words.say import listed, say

ANSWERS: Final = "answers"
"""The name of the only variant."""


class _LogHandler(AblationHandler):
    """Its log lines have the name of the command."""

    job = "evaluate"


class LogOptions(Struct, frozen=True, kw_only=True):
    """The options of ``assay evaluate`` besides those that all run commands share."""

    log: Path
    columns: Mapping[str, str] = {}
    name: str | None = None
    limit: int | None = None
    primary: str | None = None
    out: Path | None = None


def prepare(options: LogOptions, run: RunOptions) -> JobRuns:
    """Read the log and plan a case for each of its rows."""
    ended = EndedRuns()
    folder = options.out or run.find_workspace().experiments_dir

    def prepared() -> Iterator[PreparedRun]:
        yield ended.collecting(_prepare(options, folder, fresh=run.resume == "fresh"))

    return JobRuns(
        settings=run.run_settings(None),
        prepared=prepared,
        outcome_json=lambda: ended.as_json()[0],
    )


def _prepare(options: LogOptions, folder: Path, *, fresh: bool) -> PreparedRun:
    path = options.log
    file_sha256(path)  # whether it can be read
    if not options.columns and is_journal(path, if_unreadable=False):
        raise UseError(
            f"{path}: these are rows of a run, which are scored already; see them with: "
            f"assay report {path}"
        )
    log = read_log(path, options.columns)
    rows = log.rows[: options.limit] if options.limit else log.rows
    questions = [row.question for row in rows]
    named = None if options.name is None else mask_identifier(check_name(options.name))
    system = LoggedAnswers(path)
    name = named or default_name(path, folder, [ANSWERS], prefix="log")
    journal = check_rows_path(folder / f"{name}.jsonl")
    primary = plain_primary(options.primary, questions)
    variant = Variant(name=ANSWERS)
    plan = product_plan(
        questions=questions,
        variants=(variant,),
        placements=[top_k_placement(TOP_K)],
        system=system.identity,
        asked=partial(asked, rows={row.question.id: row.recorded for row in rows}),
        against=compared_with,
        with_recorded_gold=with_recorded_gold,
    )
    header = RunHeader(
        job=JOB,
        name=name,
        system=system.identity,
        variants=(variant,),
        total=plan.total,
        questions_path=str(path),
        questions_sha256=_questions_sha256(questions),
        limit=options.limit or 0,
        top_k=TOP_K,
        judging=digest([__version__, DESCRIBED]),
        extra={
            "description": "",
            "design": "single",
            "baseline": ANSWERS,
            "primary": primary.name,
            "questions": len(questions),
            IDS: BY_TEXT,
            FACTS: question_facts([(each.id, each.text) for each in questions]),
            **({"columns": dict(options.columns)} if options.columns else {}),
            **without_gold(questions),
        },
    )
    return PreparedRun(
        plan=plan,
        system=system,
        handler=_LogHandler(
            system,
            rows={row.question.id: row.recorded for row in rows},
            describes=True,
        ),
        header=header,
        journal=journal,
        description=tuple(_describe(header, log, questions)),
        outcome=lambda result: outcome_lines(result.recorded.findings, journal, header, primary),
        check=partial(_refuse_other_log, journal, header),
        writes_report=True,
        is_named=named is not None,
        runs=None,
        is_recorded=True,
        own_notes=tuple(map(noted, (*log.notes, *(() if fresh else _changed(plan, journal))))),
    )


def _questions_sha256(questions: Sequence[CorpusQuestion]) -> str:
    """A hash of the questions with what is known about right answers: two logs may have the same."""
    lines = sorted(msgspec.json.encode(question) for question in questions)
    return hashlib.sha256(b"\n".join(lines)).hexdigest()


def _refuse_other_log(journal: Path, header: RunHeader, resume: Resume) -> None:
    """Refuse a name that another log or a run of a system has: its results would be replaced.

    Raises:
        UseError: the name is taken.
    """
    owner = _owner(journal)
    if resume != "fresh" and owner not in {"", sealed(header.system), header.system}:
        raise UseError(
            f"{journal}: this name belongs to a run of {owner}, and its summary would be "
            "replaced; use another --name, or --resume fresh if that is meant (the old files are kept)"
        )


def _owner(journal: Path) -> str:
    """The system of the run that has the name; empty if none has it."""
    previous = read_summary(summary_path(journal)) if journal.is_file() else None
    return previous.system if previous is not None else ""


def _changed(plan: Plan, journal: Path) -> Iterator[Message]:
    """A line about rows that have changed since they were scored."""
    is_ours = _owner(journal) in {sealed(plan.system), plan.system}
    stale = survey_journal(journal, plan).result().stale if is_ours else ()
    if stale:
        yield message_n(
            "{n} row of the log has changed since it was scored, and is scored again",
            "{n} rows of the log have changed since they were scored, and are scored again",
            len(stale),
        )


def _describe(
    header: RunHeader, log: AnswerLog, questions: Sequence[CorpusQuestion]
) -> Iterator[str]:
    yield labelled(say("run"), header.name)
    columns = (f"{role}={name}" for role, name in log.columns.items())
    yield labelled(say("columns"), listed(columns))
    known = Counter(
        kind
        for question in questions
        for kind in ("gold", "answer")
        if (question.gold or question.spans if kind == "gold" else question.answers)
    )
    yield labelled(
        say("answers"),
        say(
            "{n} of {file}, {gold} with gold, {answers} with an expected answer",
            n=len(questions),
            file=header.questions_path,
            gold=known["gold"],
            answers=known["answer"],
        ),
    )
