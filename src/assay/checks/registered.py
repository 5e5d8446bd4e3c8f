"""The scorers that are found rather than listed: those of the catalogue and of other packages.

What scores rows finds the scorers of its job once (``registered_scorers``) and calls
``registered_fields`` for each row; nothing else has to know which scorers there are.
"""

import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from assay.checks import catalogue
from assay.checks.own_scorer import OwnScorer
from assay.checks.scorer import Graded, Scorer, Subject, Value
from assay.records import Metric, Passage, Score
from assay.registry import JOB_SPECS, Registry, entries, error_line, nearest, warn

SCORES: Final = "scores"
"""The field of a row with the scores by name."""
KNOWN: Final = ("at_least", "at_most", "reasons")
"""The fields of a row that say how far its scores are certain, and why they are what they are."""
ERRORS: Final = "scorer_errors"
"""The field of a row that says which registered scorers failed, and why."""


class RegisteredScores(Struct, frozen=True, kw_only=True):
    """The scores of an answer by name, and why a scorer gave none.

    A scorer that failed is in ``errors`` only: its score is not known, which is neither zero nor
    undefined.
    """

    values: Mapping[str, Value] = {}
    at_least: Mapping[str, float] = {}
    at_most: Mapping[str, float] = {}
    reasons: Mapping[str, str] = {}
    errors: Mapping[str, str] = {}


def _catalogue() -> dict[str, str | Scorer]:
    """The path of each scorer in the catalogue; a file is named after its scorer."""
    modules = sorted(module.name for module in pkgutil.iter_modules(catalogue.__path__))
    return {name: f"{catalogue.__name__}.{name}:SCORER" for name in modules}


def _check(name: str, target: Any) -> str:
    if not isinstance(target, Scorer):
        return f"it is a {type(target).__name__}, not an assay.checks.scorer.Scorer"
    if target.name != name:
        return f"the scorer's own name is {target.name!r}; both names must be equal"
    jobs = {*JOB_SPECS, *(entry.name for entry in entries("assay.jobs"))}
    for job in target.jobs:
        if job not in jobs:
            return f"there is no job {job!r}{nearest(job, jobs)}"
    return ""


SCORERS: Final = Registry[Scorer]("assay.scorers", "scorer", _catalogue, check=_check)
"""All scorers that are found, by name."""

_failed: Final[set[str]] = set()


def registered_scorers(job: str) -> tuple[Scorer, ...]:
    """The scorers for the answers of a job: those of the catalogue, then those of other packages.

    A scorer that cannot be used is left out with a warning.
    """
    own = [SCORERS.get_own(name) for name in SCORERS.own]
    added = [scorer for _, scorer in SCORERS.added()]
    return tuple(scorer for scorer in (*own, *added) if not scorer.jobs or job in scorer.jobs)


def registered_scores(scorers: Sequence[Scorer], subject: Subject) -> RegisteredScores:
    """The score that each of the scorers gives to one answer if its row has what the scorer needs.

    A scorer that raises an error, or returns something that is not a score, takes nothing from
    the others: its error is returned in its place, and the first one is a warning too.
    """
    # imported here because it is slow to import, and most commands score nothing
    from asyncio import CancelledError  # noqa: PLC0415

    values: dict[str, Value] = {}
    known: dict[str, Graded] = {}
    errors: dict[str, str] = {}
    for scorer in scorers:
        if not _is_defined(scorer, subject.row):
            continue
        try:
            # a copy: the code of others must not change settings, or what other scorers see
            seen = subject if _is_own(scorer) else deepcopy(subject)
            graded = scorer.grade(seen)
            values[scorer.name] = None if graded is None else graded.value
            if graded is not None:
                known[scorer.name] = graded
        except (Exception, SystemExit, CancelledError) as error:  # noqa: BLE001 - as above
            line = error_line(error).encode(errors="backslashreplace").decode()
            errors[scorer.name] = line
            if not isinstance(scorer, OwnScorer):  # the command that was given it says it once
                _warn_once(scorer.name, line)
    bounds = {name: each for name, each in known.items() if each.at_least is not None}
    return RegisteredScores(
        values=values,
        errors=errors,
        at_least={name: float(each.at_least or 0) for name, each in bounds.items()},
        at_most={name: float(each.at_most or 0) for name, each in bounds.items()},
        reasons={name: each.why for name, each in known.items() if each.why},
    )


def _is_own(scorer: Scorer) -> bool:
    place = str(getattr(scorer.function, "__module__", ""))
    return place.startswith(f"{catalogue.__name__}.")


def _warn_once(name: str, error: str) -> None:
    if name in _failed:
        return
    _failed.add(name)
    package = SCORERS.package_of(name)
    origin = (
        f"the scorer {name!r} of the package {package!r}" if package else f"the scorer {name!r}"
    )
    warn(
        f"{origin} failed: {error}; the answers are recorded without its score, and "
        "assay score computes it once the scorer works"
    )


def subject_of(job: str, row: Any, settings: Mapping[str, Any] | None = None) -> Subject:
    """The subject for a row with an answer: a mapping or a struct, recorded or about to be.

    ``settings`` are those of the row's variant, which a row does not record. The ``answer`` is
    without the thoughts of the model, which only the row has.

    Raises:
        TypeError, ValueError: The row cannot be written as JSON.
    """
    # imported here because every command that shows metrics imports this, and most score nothing
    from assay.text.thought import scored_text  # noqa: PLC0415

    fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(row))
    return Subject(
        job=job,
        question_id=str(fields.get("question_id", "")),
        question=str(fields.get("question") or ""),
        answer=scored_text(str(fields.get("answer") or "")),
        variant=str(fields.get("config", "")),
        settings=settings or {},
        source=fields.get("source"),
        passages=_passages(fields.get("passages")),
        gold=tuple(fields.get("gold_chunk_ids") or ()),
        row=fields,
    )


def _passages(recorded: Any) -> tuple[Passage, ...]:
    """The passages of a row; none if the job records them in a form of its own."""
    try:
        return msgspec.convert(recorded or (), tuple[Passage, ...])
    except msgspec.ValidationError:
        return ()


def registered_fields(
    job: str,
    scorers: Sequence[Scorer],
    row: Mapping[str, Any],
    settings: Mapping[str, Any] | None = None,
    *,
    recorded: Mapping[str, Score] | None = None,
) -> dict[str, Any]:
    """The fields that registered scorers add to a row: ``scores`` and, if any failed, the errors.

    The ``scores`` that the row has are those of its job, and none of them is replaced. For a row
    that is scored again, ``recorded`` has its earlier scores: those of scorers that are not
    installed any more are kept. Empty if there is nothing to add.
    """
    defined = [scorer for scorer in scorers if _is_defined(scorer, row)]
    computed = RegisteredScores()
    if defined:
        # a row of a job without scores of its own has no such field while a run records it
        seen = {name: value for name, value in row.items() if name != SCORES or value}
        computed = registered_scores(defined, subject_of(job, seen, settings))
    elif not recorded:
        return {}
    names = {scorer.name for scorer in scorers}
    gone = names - computed.values.keys()
    kept = {name: score for name, score in (recorded or {}).items() if name not in gone}
    added = {**kept, **computed.values}
    fields: dict[str, Any] = {}
    if added:
        own = row.get(SCORES, {})
        fields[SCORES] = {**own, **{name: added[name] for name in added if name not in own}}
    for field in KNOWN:
        others = {name: each for name, each in row.get(field, {}).items() if name not in names}
        if known := {**others, **getattr(computed, field)}:
            fields[field] = known
    others = {name: each for name, each in (row.get(ERRORS) or {}).items() if name not in names}
    if errors := {**others, **computed.errors}:
        fields[ERRORS] = errors
    return fields


def _is_defined(scorer: Scorer, row: Mapping[str, Any]) -> bool:
    return all(row.get(field) is not None for field in scorer.needs)


def has_fields(row: Struct, needs: Iterable[tuple[str, ...]]) -> bool:
    """Whether a row that is about to be recorded has all fields of one of ``needs``.

    If it has not, none of the scorers with these ``needs`` has anything to add to the row.
    """
    for fields in needs:
        values = [getattr(row, field, None) for field in fields]
        if not any(value is None or value is UNSET for value in values):
            return True
    return False


# The scores of a lost answer: one that the provider's filter withheld and that counts as wrong.
#
# An empty text would get credit from some metrics: it says nothing that is forbidden and does not
# abstain. A lost answer gets none. Where a higher value is better, its value is 0; an undefined
# value stays undefined, and so does what it took (time, money).


def without_credit(row: Mapping[str, Any], metrics: Iterable[Metric]) -> dict[str, Any]:
    """The fields of a row with the value 0 for each metric of which a higher value is better.

    >>> metric = Metric(name="answered", field="scores.answered")
    >>> without_credit({"scores": {"answered": True, "other": 1}}, [metric])
    {'scores': {'answered': False, 'other': 1}}
    """
    changed = dict(row)
    for metric in metrics:
        if metric.better == "higher" and metric.family == "quality":
            _clear(changed, metric.field.split("."))
    return changed


def _clear(fields: dict[str, Any], steps: list[str]) -> None:
    """Set the number at the end of the path to 0, in copies of the objects on the way."""
    *above, last = steps
    for step in above:
        inner = fields.get(step)
        if not isinstance(inner, Mapping):
            return
        fields[step] = fields = dict(inner)
    value = fields.get(last)
    if isinstance(value, bool):
        fields[last] = False
    elif isinstance(value, int | float):
        fields[last] = type(value)(0)


# Which rules scored an answer: two runs are compared only if the same ones did.

RULER: Final = "checks 2"
"""The name of the present rules; it changes with every change of a verdict of ``assay.checks``.

``tests/checks/test_ruler.py`` fails if a verdict changes and this does not."""
FIELD: Final = "ruler"
"""Where the summary of a run has it, in ``extra``."""
MIXED: Final = "mixed"
"""Is there while the answers of a run are not all scored by the same rules."""


def ruler_of(extra: Mapping[str, Any]) -> str:
    """The rules that scored a run; empty for one of a version that had no name for them."""
    return str(extra.get(FIELD, ""))
