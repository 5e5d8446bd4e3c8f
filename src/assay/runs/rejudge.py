"""Judging recorded answers again, because what they are compared with has changed.

No system is asked. Rows whose fields change are appended again without their cost, because the
last row of a key counts and costs are summed over all rows.
"""

import asyncio
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from assay.checks.own_scorer import OwnScorer
from assay.checks.registered import (
    ERRORS,
    KNOWN,
    SCORES,
    registered_fields,
    without_credit,
)
from assay.checks.scorer import Scorer
from assay.errors import RunStopped
from assay.mask import REDACTED, restored_record
from assay.models.foreign_error import describe
from assay.records import Case, Metric, Usage
from assay.redact.error_text import masked_errors
from assay.runs.executor import Stop
from assay.runs.handler import CaseHandler
from assay.runs.judging import Judgement, Judging
from assay.runs.plan import Plan, in_scheme_of
from assay.runs.read import last_row_fields
from assay.runs.row import BILL, judge_bill, recorded_answer
from assay.runs.write import UNWRITABLE, Journal, encode_row


class RowCorrection(Struct, frozen=True, kw_only=True):
    """A recorded row, the fields that it should have, and what judging it again cost.

    ``judges`` are those whose verdicts are paid for then. ``without`` names fields that the row
    should not have any more. ``beside`` are fields that are set as well if the row is written
    again; if a row does not have them, this alone is no change.
    """

    row: Mapping[str, Any]
    fields: Mapping[str, Any]
    judging: Usage | None = None
    judges: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    beside: Mapping[str, Any] = {}


def append_corrections(journal: Journal, corrections: Iterable[RowCorrection]) -> int:
    """Append a row for each correction that changes something; return how many rows changed.

    The last row of a key counts, so the appended row replaces the recorded one. The cost of the
    answer is not repeated: costs are summed over all rows of a key. A correction that cost
    something is appended even if it changes nothing.
    """
    lines = []
    changed = 0
    for correction in corrections:
        row = correction.row
        fields = msgspec.json.decode(encode_row(correction.fields))  # as read back from JSON
        is_changed = any(row.get(name) != value for name, value in fields.items())
        is_changed |= any(name in row for name in correction.without)
        beside = correction.beside
        is_changed |= any(name in row and row[name] != beside[name] for name in beside)
        changed += is_changed
        if is_changed or correction.judging is not None:
            left_out = {*BILL, *correction.without}
            corrected = {k: v for k, v in {**row, **fields, **beside}.items() if k not in left_out}
            if correction.judges:
                corrected["judges"] = correction.judges
            lines.append(encode_row(corrected | judge_bill(correction.judging)))
    if lines:
        journal.write(lines)
    return changed


AGAINST: Final = "scored_against"
MASKED: Final = "its text was masked, and no key at hand turns it back exactly"
_GRACE_S: Final = 5.0
"""How long judging may go on after a stop was requested."""


class Rejudged(Struct, frozen=True, kw_only=True):
    """How many rows changed, and why some could not be judged again (the first problem).

    ``has_others`` says whether the journal has scored rows that are not part of the plan. They
    are still judged by what was current before.
    """

    changed: int = 0
    problem: str = ""
    has_others: bool = False


async def judge_again(
    plan: Plan,
    handler: CaseHandler,
    journal: Journal,
    *,
    job: str,
    judging: Judging,
    concurrency: int,
    stop: Stop,
    charge: Callable[[Usage | None], None],
    corrected: Container[str] = (),
    scorers: Sequence[Scorer] = (),
    metrics: Sequence[Metric] = (),
) -> Rejudged:
    """Judge the scored rows of ``plan`` again; ``stop`` ends it early, as a problem.

    ``charge`` is called with what judging each answer cost. A verdict is stored and a row is
    appended as soon as they exist, so that nothing is judged and paid for twice. A row that cost
    something is appended even if its scores are the same, so that the cost is recorded. ``corrected``
    are the keys of rows whose fingerprint covers gold that was corrected since; they get the
    current one. A lost answer gets no credit from ``metrics``.
    """
    rows = {k: row for k, row in last_row_fields(journal.path).items() if row["status"] == "scored"}
    problems: list[str] = []
    pending = _pending(plan, rows, problems)
    changed = 0

    async def judge_rows() -> None:
        nonlocal changed
        for case, row in pending:
            if stop.requested():
                problems.append("the run ended")
                return
            try:
                judgement = await _judgement(case, row, handler, judging)
            except RunStopped as reason:
                problems.append(str(reason))
                return
            charge(judgement.bill)
            unchanged = RowCorrection(
                row=row, fields={}, judging=judgement.bill, judges=judgement.judges
            )
            try:
                correction = _correction(job, case, row, handler, judgement, scorers)
                if row.get("lost") and correction.fields:
                    fields = without_credit(msgspec.to_builtins(correction.fields), metrics)
                    correction = replace(correction, fields=fields)
                if case.key in corrected and correction.fields:
                    fingerprint = {
                        "fingerprint": in_scheme_of(row["fingerprint"], case.fingerprint)
                    }
                    correction = replace(correction, fields={**correction.fields, **fingerprint})
                changed += append_corrections(journal, [correction])
            except _Unjudged as unjudged:
                problems.append(str(unjudged))
                append_corrections(journal, [unchanged])
            except UNWRITABLE as error:
                problems.append(f"judge: the fields cannot be written: {describe(error)}")
                append_corrections(journal, [unchanged])

    workers = asyncio.gather(*[judge_rows() for _ in range(concurrency)])
    await _until_stopped(workers, stop)
    if workers.cancelled():
        problems.append("the run ended")
    else:
        workers.result()
    problem = problems[0] if problems else ""
    return Rejudged(changed=changed, problem=problem, has_others=bool(rows))


def _pending(
    plan: Plan, rows: dict[str, dict[str, Any]], problems: list[str]
) -> Iterator[tuple[Case, Mapping[str, Any]]]:
    """The cases with their rows, which are taken out of ``rows``; redacted ones as they were."""
    for case in plan.cases():
        row: Any = rows.pop(case.key, None)
        if row is not None and row.get(REDACTED):
            row = restored_record(row)
            if row is None:
                problems.append(f"{case.key}: {MASKED}")
        if row is not None:
            yield case, row


async def _judgement(
    case: Case, row: Mapping[str, Any], handler: CaseHandler, judging: Judging
) -> Judgement:
    """The verdict on a recorded answer: that of its row, a stored one, or a new one."""
    judges = tuple(row.get("judges", ()))
    if handler.judge_identity is None:
        return Judgement(judges=judges)
    recorded = handler.recorded_verdict(row)
    if recorded is not None:
        return Judgement(verdict=recorded, judges=judges)
    return await judging.verdict(case, recorded_answer(row), judges)


async def _until_stopped(workers: "asyncio.Future[Any]", stop: Stop) -> None:
    """Wait for the workers; after a stop, only a few seconds more."""
    stopped = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({workers, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if not workers.done():
            await asyncio.wait({workers}, timeout=_GRACE_S)
    finally:
        stopped.cancel()
        if not workers.done():
            workers.cancel()
            await asyncio.wait({workers}, timeout=1.0)


class _Unjudged(Exception):
    """Why a recorded answer could not be judged again."""


def _correction(
    job: str,
    case: Case,
    row: Mapping[str, Any],
    handler: CaseHandler,
    judgement: Judgement,
    scorers: Sequence[Scorer],
) -> RowCorrection:
    """The fields that change, with the scores of registered scorers if there are any.

    A field whose value is ``UNSET`` is removed. What the answer was compared with is added only to
    a row that changes or that has this field already: a row of an earlier version stays as it is.
    """
    if judgement.problem is not None:
        raise _Unjudged(judgement.problem)
    try:
        fields = handler.judge_row(case, row, judgement.verdict)
    except (Exception, SystemExit) as error:  # the scorer may be the code of others
        raise _Unjudged(f"scorer: {describe(error)}") from error
    paid: Any = {"judging": judgement.bill, "judges": judgement.judges}
    paid["beside"] = {AGAINST: case.against} if case.against else {}
    if not fields and not any(isinstance(scorer, OwnScorer) for scorer in scorers):
        return RowCorrection(row=row, fields={}, **paid)
    removed = tuple(name for name, value in fields.items() if value is UNSET)
    fields = {name: value for name, value in fields.items() if value is not UNSET}
    judged = {name: value for name, value in {**row, **fields}.items() if name not in removed}
    recorded = row.get(SCORES) or {}
    registered = {scorer.name for scorer in scorers}
    if registered and SCORES in judged:
        own = {name: value for name, value in judged[SCORES].items() if name not in registered}
        judged[SCORES] = own
    added = registered_fields(job, scorers, judged, case.variant.settings, recorded=recorded)
    if ERRORS in added:
        added[ERRORS] = masked_errors(added[ERRORS])
    stale = (ERRORS, *KNOWN) if registered else KNOWN
    without = tuple(name for name in stale if name in row and name not in {**fields, **added})
    without = (*without, *removed)
    return RowCorrection(row=row, fields={**fields, **added}, without=without, **paid)
