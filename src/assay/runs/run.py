"""One run from plan to journal: ``run_plan`` is the only function that asks cases.

It works in this order, which the tests check:

1. Lock and read the journal. Refuse it if the experiment was edited since.
2. Write the header (``NAME.json``), so that even a run that is killed early is documented.
3. Judge recorded answers again if what they are compared with has changed, or the rules that scored them.
4. Ask the pending cases, each with a deadline and retries, and judge their answers. An answer
   that was recorded but not judged is judged without asking again. Write the row of a case
   before the next case takes its place.
5. After the last case, or after a stop, sync the journal to disk and write the summary.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from assay.checks import registered as ruler
from assay.checks.own_scorer import OwnScorer, declarations, with_declarations
from assay.config.experiment import RunSettings
from assay.errors import JournalReadOnly, UseError
from assay.mask import is_forgotten, redact_mode, sealed, sealed_record
from assay.models.limit import AdaptiveLimit, Backoff
from assay.records import SCHEMA_VERSION, Metric, RunHeader, Variant, digest
from assay.runs.active_run import ActiveRun
from assay.runs.asking_order import refuse_other_order, store_order
from assay.runs.early_stop import early_stopping
from assay.runs.executor import AsyncioExecutor, Executor, run_in_loop
from assay.runs.handler import CaseHandler
from assay.runs.judging import VerdictStore
from assay.runs.plan import Plan, recall_digests, store_plan
from assay.runs.progress import Reporter, SilentReporter
from assay.runs.resume import Resume
from assay.runs.summary import (
    LOOKS,
    RunResult,
    Summary,
    end_session,
    now,
    read_summary,
    set_aside,
    start_summary,
    write_summary,
)
from assay.runs.survey import Survey, refuse_to_ask_changed, survey_journal, void_changed
from assay.runs.write import COMPANIONS, Journal, locked_journal, summary_path

MIXED = "mixed"
"""The judging of a run whose recorded answers are not all judged by the same."""

Aggregate = Callable[[Path], Mapping[str, Any]]
_Header = TypeVar("_Header", bound=RunHeader)


def run_plan(
    plan: Plan,
    handler: CaseHandler,
    header: RunHeader,
    journal_path: Path,
    *,
    settings: RunSettings | None = None,
    reporter: Reporter | None = None,
    executor: Callable[[AdaptiveLimit], Executor] = AsyncioExecutor,
    backoff: Backoff | None = None,
    aggregate: Aggregate | None = None,
    resume: Resume = "ask",
    preamble: bytes | None = None,
    begin: Callable[[Survey], None] | None = None,
    metrics: Sequence[Metric] = (),
    command: Sequence[str] = (),
    scorers: Sequence[OwnScorer] = (),
) -> RunResult:
    """Ask every case of ``plan`` that has no outcome in ``journal_path`` yet.

    Answers that are recorded but not judged are judged without asking again; so are all recorded
    answers if ``header.judging``, the judge or the rules of scoring have changed. ``aggregate`` computes the results for the summary
    from the finished journal. ``preamble`` is a line without a key (metadata) that becomes the
    first line of an empty journal. ``begin`` is called after the journal was read and before any
    case is asked. ``metrics`` are those of the job: an answer that counts as lost gets no credit
    from any of them. ``scorers`` are those of the user besides the registered ones. ``command`` is what was typed, for the summary. If the run stops early, the result has ``stopped`` set. Wrong use raises an
    error before the first call. ``resume`` says what is done with answers of an earlier version of the
    experiment: ``ask`` refuses them.
    """
    _refuse_name(journal_path)
    header = _sealed(replace(header, judging=_judging(header, handler), redact=redact_mode()))
    if resume == "fresh":
        with locked_journal(journal_path):  # no other run may write to the file while it is moved
            set_aside(journal_path)
    recall_digests(journal_path, plan, header)
    survey = Survey(plan)
    with Journal.open(journal_path, survey) as journal:
        previous = _previous(journal_path)
        _refuse_edited(plan, journal_path, survey, previous, resume)
        if resume == "refresh":
            void_changed(plan, handler, journal, survey)
        early = early_stopping(plan, journal_path, survey)
        is_done = survey.result().done == plan.total
        # a header whose rows are gone belongs to another run
        continued = previous if journal_path.stat().st_size else None
        facts = with_declarations(header.extra, continued, scorers, is_done=is_done)
        header = replace(header, extra={**facts, **_looks(previous, plan, survey)})
        store_plan(journal_path, plan, header)
        store_order(plan, journal_path)
        started = partial(
            start_summary,
            header,
            max_cost=settings.max_cost if settings else None,
            command=command,
        )
        # a run that has nothing left to do keeps its summary
        keeps = previous is not None and is_done and _cases_of(previous) == _cases_of(header)
        summary = previous if previous is not None and keeps else started(continued)
        again = _reasons_to_judge_again(survey, previous, header, scorers)
        if previous is not None and summary is previous and any(again):
            summary = replace(previous, stretches=started(previous).stretches)
        is_new_session = summary is not previous
        if is_new_session:
            # until all recorded answers are judged again, rows of two judgings are mixed
            summary = replace(
                summary,
                judging=MIXED if again.judging else header.judging,
                extra=_with_rules(summary.extra, again, scorers, is_done=not any(again)),
                state="running",
                results={},
            )
            write_summary(summary_path(journal_path), summary)
        if preamble is not None and not journal_path.stat().st_size:
            journal.write([preamble])
        with VerdictStore(journal_path) as verdicts:
            run = ActiveRun(
                plan,
                handler,
                journal,
                verdicts,
                survey,
                settings or RunSettings(),
                reporter or SilentReporter(),
                header.job,
                prepare_paid_before=summary.prepare_paid,
                metrics=metrics,
                early=early,
                scorers=scorers,
            )
            run.backoff = backoff or run.backoff
            run.judges_again = any(again)
            if begin is not None:
                begin(survey)
            if run.judges_again or not is_done:
                run_in_loop(run.go(executor))
    result = run.result(summary)
    # perhaps another primary metric
    described = _with_rules(header.extra, again, scorers, is_done=run.has_judged_again)
    is_changed = run.asked or run.judged or run.judges_again or summary.extra != described
    if is_changed or summary.state != "complete":
        summary = replace(
            summary,
            schema_version=SCHEMA_VERSION,
            judging=MIXED if again.judging and not run.has_judged_again else header.judging,
            questions_sha256=header.questions_sha256,
            extra=described,
            state="running",
            results={},
        )
        write_summary(summary_path(journal_path), summary)  # the results depend on the header
        if is_new_session:
            summary = _end_session(run, result, summary)
        summary = _final_summary(run, result, summary, aggregate(journal_path) if aggregate else {})
        write_summary(summary_path(journal_path), summary)
    return replace(result, summary=summary, earlier_ruler=_ruler(previous) if again.ruler else None)


def _previous(journal: Path) -> Summary | None:
    """The summary of the last run, with its hashes as this one writes them."""
    recorded = read_summary(summary_path(journal))
    return recorded and _sealed(recorded)


def _looks(previous: Summary | None, plan: Plan, survey: Survey) -> dict[str, Any]:
    """After how many questions the results were shown, if the run has another size now.

    A fixed-size test that is made again whenever a run grows finds a difference sooner or later
    where there is none. A run that was stopped before its end had its size from the beginning, and one of
    other questions does not grow.
    """
    if previous is None or plan.questions is None:
        return {}
    done = survey.result().done
    is_part = done == plan.total < previous.total
    if not is_part and done < previous.tally.scored:
        return {}
    looks = list(previous.looks)
    shown = previous.results.get("questions")
    was_ended = previous.tally.ended >= previous.total > 0
    if not looks and was_ended and isinstance(shown, int):
        looks = [shown]
    size = plan.total // max(len(plan.variants) * len(plan.placements), 1)
    if looks and was_ended:
        looks = sorted({*looks, size})
    return {LOOKS: looks} if len(looks) > 1 else {}


def check_run(plan: Plan, journal_path: Path, *, resume: Resume) -> None:
    """Refuse what ``run_plan`` would refuse before its first call, without changing a file."""
    _refuse_name(journal_path)
    folder = next(parent for parent in journal_path.parents if parent.exists())
    for path in (folder, journal_path):
        if path.exists() and not os.access(path, os.W_OK):
            raise JournalReadOnly(f"{path}: results cannot be written here")
    if resume == "fresh":
        return
    previous = read_summary(summary_path(journal_path))
    survey = survey_journal(journal_path, plan)
    _refuse_edited(plan, journal_path, survey, previous, resume)


def _refuse_edited(
    plan: Plan, journal: Path, survey: Survey, previous: Summary | None, resume: Resume
) -> None:
    """Refuse recorded answers of another experiment, and another order of asking them."""
    survey.accept_corrected(journal)
    if resume == "refresh":
        refuse_to_ask_changed(plan, survey)
    elif resume != "keep":
        variants: tuple[Variant, ...] = previous.variants if previous else ()
        survey.refuse_stale(previous.system if previous else None, variants)
    refuse_other_order(plan, journal)


class Again(NamedTuple):
    """Why recorded answers are judged again: other things to hold them against, other rules or scorers."""

    judging: bool
    ruler: bool
    scorers: bool


def _reasons_to_judge_again(
    survey: Survey, previous: Summary | None, header: RunHeader, scorers: Sequence[OwnScorer]
) -> Again:
    """Whether the recorded answers are compared with something else, or by other rules, than they were."""
    # without a summary it is not known what the recorded answers were judged by
    done = survey.result().done
    judged_by = previous.judging if previous else None if done else header.judging
    has_changed = judged_by != header.judging and (previous is not None or header.judging != "")
    has_changed = has_changed and not is_forgotten(judged_by or "")
    return Again(
        judging=has_changed or bool(survey.result().outdated),
        ruler=done > 0 and _ruler(previous) != ruler.RULER,
        scorers=done > 0 and bool(_changed(previous, scorers)),
    )


def _changed(previous: Summary | None, scorers: Sequence[OwnScorer]) -> list[OwnScorer]:
    """The scorers of the user that have not scored all recorded answers as they are now."""
    recorded = declarations(previous.extra) if previous is not None else {}
    versions = {name: each.version for name, each in recorded.items()}
    return [each for each in scorers if versions.get(each.name) != each.version]


def _ruler(summary: Summary | None) -> str:
    """The rules that scored a run; empty if that is not known."""
    return ruler.ruler_of(summary.extra) if summary is not None else ""


def _with_rules(
    extra: Mapping[str, Any], again: Again, scorers: Sequence[OwnScorer], *, is_done: bool
) -> dict[str, Any]:
    """The facts of a header with the rules and the scorers that scored all the answers, if it was one each."""
    rules = ruler.RULER if is_done or not again.ruler else ruler.MIXED
    extra = with_declarations(extra, None, scorers, is_one=is_done or not again.scorers)
    return {**extra, ruler.FIELD: rules}


def _sealed(header: _Header) -> _Header:
    """A header as it is written with redaction: nobody can try out texts by its hashes."""
    return replace(
        header,
        system=sealed(header.system),
        judging=sealed(header.judging),
        questions_sha256=header.questions_sha256 and sealed(header.questions_sha256),
        extra=sealed_record(header.extra),
    )


def _judging(header: RunHeader, handler: CaseHandler) -> str:
    """What the answers are compared with; a judge that calls something belongs to it."""
    return " ".join(filter(None, (header.judging, handler.judge_identity)))


def _cases_of(header: RunHeader) -> str:
    """A digest of what decides which cases a run has.

    If the last run had other cases, and all of this one are among them, its results are not those
    of this run. System and settings do not: with ``--resume keep`` the answers are those of the last run.
    """
    return digest(
        [
            [variant.name for variant in header.variants],
            header.total,
            header.questions_sha256,
            header.limit or 0,
            header.top_k,
        ]
    )


def _refuse_name(journal: Path) -> None:
    if journal.name.endswith(COMPANIONS):
        raise UseError(f"{journal}: files with this ending belong to another run; use another name")


def _final_summary(
    run: ActiveRun, result: RunResult, summary: Summary, results: Mapping[str, Any]
) -> Summary:
    return replace(
        summary,
        state="complete" if result.is_complete else "partial",
        completed_at=now() if result.is_complete else None,
        tally=result.tally,
        paid=result.paid,
        judge_paid=result.judge_paid,
        prepare_paid=run.spending.prepare_paid,
        results=results,
    )


def _end_session(run: ActiveRun, result: RunResult, summary: Summary) -> Summary:
    progress = run.progress
    return end_session(
        summary,
        asked=result.asked,
        judged=result.judged,
        elapsed_s=result.elapsed_s,
        paid=round(progress.paid - progress.paid_before, 12) if progress.priced else None,
    )
