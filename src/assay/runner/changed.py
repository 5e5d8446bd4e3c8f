"""Answers of an earlier version of an experiment that are asked again."""

import time
from typing import Final

from assay.errors import UseError
from assay.journal import Journal, complete_row, encode_row
from assay.records import Failed
from assay.runner.handler import CaseHandler
from assay.runner.plan import Plan
from assay.runner.survey import Survey

KIND: Final = "changed"
_MESSAGE: Final = (
    "the question, its settings or the system changed after the answer was recorded; it is asked "
    "again"
)


def void_changed(plan: Plan, handler: CaseHandler, journal: Journal, survey: Survey) -> None:
    """Append a failed row for each recorded answer of an earlier version.

    The last row of a key counts, so wherever the run stops, no table has an answer to what is no
    longer asked, and the next run asks these cases as it asks any failed one.
    """
    stale = survey.result().stale
    if not stale:
        return
    outcome = Failed(kind=KIND, message=_MESSAGE, elapsed_s=0.0, attempts=0)
    rows = []
    for case in plan.cases():
        if case.key in stale:
            row = complete_row(handler.row(case, outcome), case, outcome, time.time())
            rows.append(encode_row(row))
    journal.write(rows)
    survey.reopen_stale()


def refuse_to_ask_changed(plan: Plan, survey: Survey) -> None:
    """Raise ``UseError`` if a decision by the answers so far would lose some of them."""
    if survey.result().stale and plan.spared_by():
        raise UseError(
            "--ask-changed: this run stops early, and its decisions depend on the answers that "
            "changed; use --fresh to start again"
        )
