"""Judging recorded answers again, because what they are held against has changed.

No system is asked. Rows whose fields change are appended again without their cost, because the
last row of a key counts and costs are summed over all rows.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from assay.config import RunSettings
from assay.errors import CaseSkipped, RunStopped
from assay.journal import (
    UNWRITABLE,
    Correction,
    Journal,
    append_corrections,
    last_row_fields,
)
from assay.models import Backoff
from assay.records import Case, Usage
from assay.runner.attempt import Attempts
from assay.runner.executor import Stop
from assay.runner.failure import describe
from assay.runner.handler import CaseHandler
from assay.runner.plan import Plan
from assay.scorers.registered import ERRORS, SCORES, registered_fields, registered_scorers

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
    settings: RunSettings,
    backoff: Backoff,
    stop: Stop,
    charge: Callable[[Usage | None], None],
) -> Rejudged:
    """Judge the scored rows of ``plan`` again; ``stop`` ends it early, as a problem.

    ``charge`` is called with what judging each answer cost. A row is appended as soon as it is
    judged, so that nothing is judged and paid for twice. A row that cost something is appended
    even if its scores are the same, so that the cost is recorded.
    """
    attempts = Attempts(
        timeout_s=settings.timeout_s, retries=settings.retries, backoff=backoff, stop=stop
    )
    rows = {k: row for k, row in last_row_fields(journal.path).items() if row["status"] == "scored"}
    pending = ((case, rows.pop(case.key)) for case in plan.cases() if case.key in rows)
    problems: list[str] = []
    changed = 0

    async def judge_rows() -> None:
        nonlocal changed
        for case, row in pending:
            if stop.requested():
                problems.append("the run ended")
                return
            try:
                attempted = await attempts.run(handler.judge_row, case, row)
            except CaseSkipped as skipped:
                problems.append(str(skipped))
                continue
            except RunStopped as reason:
                stop.request(reason)
                problems.append(str(reason))
                return
            usage = attempted.usage()
            charge(usage)
            fields: Mapping[str, Any] = attempted.value or {}
            if attempted.failure is not None:
                problems.append(f"{attempted.failure.kind}: {attempted.failure}")
            try:
                correction = _correction(job, case, row, fields, usage)
                changed += append_corrections(journal, [correction])
            except UNWRITABLE as error:
                problems.append(f"judge: the fields cannot be written: {describe(error)}")
                unchanged = Correction(row=row, fields={}, judging=usage)
                append_corrections(journal, [unchanged])

    judging = asyncio.gather(*[judge_rows() for _ in range(settings.concurrency)])
    await _until_stopped(judging, stop)
    if judging.cancelled():
        problems.append("the run ended")
    else:
        judging.result()
    problem = problems[0] if problems else ""
    return Rejudged(changed=changed, problem=problem, has_others=bool(rows))


async def _until_stopped(judging: "asyncio.Future[Any]", stop: Stop) -> None:
    """Wait for the judging; after a stop, only a few seconds more."""
    stopped = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({judging, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if not judging.done():
            await asyncio.wait({judging}, timeout=_GRACE_S)
    finally:
        stopped.cancel()
        if not judging.done():
            judging.cancel()
            await asyncio.wait({judging}, timeout=1.0)


def _correction(
    job: str, case: Case, row: Mapping[str, Any], fields: Mapping[str, Any], usage: Usage | None
) -> Correction:
    """The fields that change, with the scores of registered scorers if there are any."""
    if not fields:
        return Correction(row=row, fields={}, judging=usage)
    judged = {**row, **fields}
    recorded = row.get(SCORES) or {}
    registered = {scorer.name for scorer in registered_scorers(job)}
    if registered and SCORES in judged:
        own = {name: value for name, value in judged[SCORES].items() if name not in registered}
        judged[SCORES] = own
    added = registered_fields(job, judged, case.variant.settings, recorded=recorded)
    without = () if ERRORS in added or ERRORS not in row or not registered else (ERRORS,)
    return Correction(row=row, fields={**fields, **added}, judging=usage, without=without)
