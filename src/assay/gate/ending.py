"""What a results file says about how a run, or one of its cases, ended.

Every tool has its own names for a failure: ``error``, ``n_failed``, ``timed_out``. What is not read
as one here passes for a good answer, so all usual names count, and what contradicts a complete run
is refused.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from assay.data.foreign_value import REASONS, as_whole_number, failure_of
from assay.errors import UseError
from assay.text.width import counted

_STOPPED: Final = ("interrupted", "aborted", "cancelled", "canceled", "stopped", "exit_code")
"""Fields of a run that say that it did not come to its end."""
_FAILURES: Final = re.compile(
    r"(?:(?:n|num|number_of|total)_)?(?:failed|failures?|errors?|errored|crashed|timeouts|timed_out)"
    r"(?:_(?:count|cases|questions|tests))?"
)
"""Names under which a summary counts what failed."""
_TOTALS: Final = re.compile(
    r"(?:(?:n|num|number_of|total)_)?(?:questions|cases|tests)(?:_(?:asked|total))?"
)
"""Names under which it counts what was to be asked."""


def stated_state(heads: Iterable[Mapping[str, Any]]) -> str | None:
    """The first state that is not ``complete``, else ``complete``; None if no state is given.

    >>> stated_state([{"state": "complete"}, {"status": "failed"}])
    'status: failed'
    """
    states = [state for head in heads if (state := _state(head))]
    return next((state for state in states if state != "complete"), states[0] if states else None)


def _state(head: Mapping[str, Any]) -> str:
    """How a run ended by an object that describes it; empty if it does not say so."""
    stopped = next((name for name in _STOPPED if head.get(name)), None)
    if stopped is not None:
        return f"{stopped}: {head[stopped]}"
    numbers = {name for name in REASONS if isinstance(head.get(name), list | dict)}  # are counted
    failure = failure_of({name: value for name, value in head.items() if name not in numbers})
    state = head.get("state")
    return str(state) if state and state != "complete" else failure or str(state or "")


def stated_failures(path: Path, head: Mapping[str, Any]) -> int:
    """How many cases failed by a summary, under any of the names that tools give this number."""
    numbers = [
        amount(path, name, fields)
        for fields in (head, counts_of(path, head))
        for name, value in fields.items()
        if _FAILURES.fullmatch(name) and not (name in REASONS and _is_reason(value))
    ]
    return max(numbers, default=0)


def _is_reason(value: Any) -> bool:
    return isinstance(value, str | bool) and as_whole_number(value) is None


def stated_total(path: Path, head: Mapping[str, Any]) -> int:
    """How many questions were to be asked by a summary; 0 if it does not say so."""
    fields = [*head.items(), *counts_of(path, head).items()]
    named = (as_whole_number(value) for name, value in fields if _TOTALS.fullmatch(name))
    return max([0, count_of(path, head, "total"), *(each for each in named if each is not None)])


def count_of(path: Path, head: Mapping[str, Any], name: str) -> int:
    """A number in the ``counts`` of a summary; 0 if it is not there."""
    return amount(path, name, counts_of(path, head))


def counts_of(path: Path, head: Mapping[str, Any]) -> Mapping[str, Any]:
    """The ``counts`` of a summary; raises ``UseError`` if they are no object."""
    counts = head.get("counts") or {}
    if not isinstance(counts, dict):
        raise UseError(f"{path}: its counts are not an object")
    return counts


def amount(path: Path, name: str, fields: Mapping[str, Any]) -> int:
    """A whole number, or how many a list has; 0 if it is not there, else ``UseError``."""
    value = fields.get(name)
    if value is None or isinstance(value, list | dict):
        return len(value or ())
    whole = as_whole_number(value)
    if whole is None or whole < 0:
        raise UseError(f"{path}: {name} is {value!r}; it is a number of cases")
    return whole


def refuse_unfinished(
    path: Path, head: Mapping[str, Any], *, failed: int = 0, cases: int | None = None
) -> None:
    """Raise ``UseError`` if a run did not end, or if cases of it failed.

    ``failed`` of the ``cases`` that the file lists are known to have failed, and are no reason.
    """
    where = f"{path}: {head['path']}" if isinstance(head.get("path"), str) else str(path)
    failures, state = stated_failures(path, head), _state(head)
    if failures > failed:
        raise UseError(f"{where}: failed ({counted(failures, 'case')}); run it again")
    if state and state == failure_of(head):
        raise UseError(f"{where}: failed ({state}); run it again")
    not_asked = max(amount(path, "not_asked", head), count_of(path, head, "not_asked"))
    if cases is not None:
        not_asked = max(not_asked, stated_total(path, head) - cases)
    if state not in {"", "complete"} or not_asked:
        state = state or f"{counted(not_asked, 'case')} not asked"
        raise UseError(f"{where}: the run did not finish (state {state}); run it again")
