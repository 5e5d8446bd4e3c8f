"""Whether two runs can be compared; if not, all reasons are reported at once."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, Final

from assay.checks import registered as ruler
from assay.errors import UseError
from assay.gate.compared_run import ComparedRun, keys_by_name, placements
from assay.gate.direction import unknown_direction
from assay.gate.shared import QUESTIONS, have_other_questions
from assay.mask import same_hash
from assay.redact.error_text import masked_error
from assay.runs.plan import differs_in_order_only
from assay.text.width import counted
from assay.words.message import Message, joined, message, message_n

_ROW_ID: Final = re.compile(r"q\d+")
_TEXT_ID: Final = re.compile(r"q-[0-9a-f]{10}")


def check_compatible(
    base: ComparedRun, cand: ComparedRun, *, strict_hashes: bool = True, max_failed: int = 0
) -> list[Message | str]:
    """Raise ``UseError`` for runs that did not finish, failed too often, or do not match.

    Runs match if they have the same job, the same documents, questions and weights, were judged
    in the same way, and both have the compared metric and the main metric of the job. The error's
    message has one line for each reason. Returns notes that a reader of the comparison must know,
    among them the other metrics that only one run has. Without ``strict_hashes``, differences in
    documents, questions, weights or judging become notes, and so does a main metric that is not
    compared.
    """
    # a run that failed lacks metrics and questions, too: the cause comes before what follows
    problems = [
        *(line for run in (base, cand) for line in _completion_problems(run, max_failed)),
        *_job_problems(base, cand),
        *_metric_problems(base, cand),
        *_scale_problems(base, cand),
    ]
    differing = [
        *_ruler_differences(base, cand),
        *_hash_differences(base, cand),
        *_primary_differences(base, cand),
        *_weight_differences(base, cand),
        *dict.fromkeys((*base.doubts, *cand.doubts)),
    ]
    if strict_hashes:
        problems += [
            message("{difference}; use --allow-mismatch to compare anyway", difference=difference)
            for difference in differing
        ]
        differing = []
    base_keys, cand_keys = keys_by_name(base, cand)
    if not base_keys.keys() & cand_keys.keys():
        problems.append(
            joined(
                [
                    message(
                        "{base} and {cand} have no question in common: {n} and {m} ids, all different",
                        base=base.path,
                        cand=cand.path,
                        n=len(base_keys),
                        m=len(cand_keys),
                    ),
                    _numbered(base, cand),
                ]
            )
        )
    if problems:
        raise UseError(*problems)
    return [
        *dict.fromkeys((*base.notes, *cand.notes)),
        *differing,
        *_metric_notes(base, cand),
        *_setting_notes(base, cand),
        *_missing_hash_notes(base, cand),
    ]


def _numbered(base: ComparedRun, cand: ComparedRun) -> str:
    """What to do if one run named its questions by their rows, as earlier versions did."""
    for run, other in ((base, cand), (cand, base)):
        if any(_ROW_ID.fullmatch(name) for name, _ in run.items) and any(
            _TEXT_ID.match(name) for name, _ in other.items
        ):
            return (
                f"{run.path} named questions without ids by their rows, as earlier versions did: "
                "run it again under another --name"
            )
    return ""


def _job_problems(base: ComparedRun, cand: ComparedRun) -> Iterator[Message | str]:
    if base.job != cand.job:
        yield message(
            "{base} is a run of the job {job}, {cand} of {other}",
            base=base.path,
            job=repr(base.kind or base.job),
            cand=cand.path,
            other=repr(cand.kind or cand.job),
        )
    elif base.metric.field != cand.metric.field:
        yield f"the metric is {base.metric.field} in {base.path}, {cand.metric.field} in {cand.path}"
    if cand.metric.better is None:
        yield unknown_direction(cand.metric.name)
    if cand.metric.by_rank and base.settings is not None and cand.settings is not None:
        names = base.order_settings | cand.order_settings
        if differs_in_order_only(base.settings, cand.settings, names):
            yield (
                f"{cand.metric.name}: base and candidate differ only in the order of the passages, "
                "which says nothing about ranks; choose another --metric"
            )


def _scale_problems(base: ComparedRun, cand: ComparedRun) -> Iterator[str]:
    """Scores from 0 to 1 in one run and larger ones in the other, such as percentages.

    A metric that is not declared may also be a count: then most of its values must be larger.
    """
    if not cand.metric.is_share:
        return
    if cand.metric.formula:
        yield from _negative_scores(base, cand)
    for run, other in ((base, cand), (cand, base)):
        small, large = (
            sorted(case.value for case in each.items.values() if case.value is not None)
            for each in (run, other)
        )
        if not small or not large or small[0] < 0 or small[-1] > 1:
            continue
        largest = large[-1] if cand.metric.formula else large[len(large) // 2]
        if largest > 1:
            yield (
                f"the scale of {cand.metric.name} differs: from {small[0]:g} to {small[-1]:g} in "
                f"{run.path}, from {large[0]:g} to {large[-1]:g} in {other.path}; "
                "bring both to a scale from 0 to 1"
            )


def _negative_scores(base: ComparedRun, cand: ComparedRun) -> Iterator[str]:
    """A share below 0 is damage, and one such score can hide any drop of the others."""
    for run in (base, cand):
        below = [
            key for key, case in run.items.items() if case.value is not None and case.value < 0
        ]
        if below:
            yield (
                f"{run.path}: {cand.metric.name} is {run.items[below[0]].value:g} for "
                f"{below[0][0]}; it cannot be negative"
            )


def _completion_problems(run: ComparedRun, max_failed: int) -> Iterator[Message | str]:
    """Why a run is not complete enough: an interrupted run says nothing about quality.

    Failed cases come first, because they may have stopped the run.
    """
    is_cut_short = run.state not in {None, "complete", "partial"} or bool(run.unasked)
    unscored = run.failed + run.answered
    if run.state == "partial" and (run.unasked is None or not unscored):
        is_cut_short = True  # if cases only failed, all were asked, and ``max_failed`` limits them
    if unscored > max_failed:
        yield joined(_unscored(run, max_failed))
    if is_cut_short:
        state = run.state or "unknown"
        if run.unasked:
            state += f", {counted(run.unasked, 'case')} without an outcome"
        yield message(
            "{run}: the run did not finish (state {state}); run it again to finish it, then compare",
            run=run.path,
            state=state,
        )


def _unscored(run: ComparedRun, max_failed: int) -> Iterator[Message]:
    """How many cases have no score, the first error, and what the provider's filter has to do with it."""
    failed = message_n("{n} case failed", "{n} cases failed", run.failed)
    if run.answered:
        yield message(
            "{run}: {failed}, {n} not judged yet, {limit} allowed (--max-failed)",
            run=run.path,
            failed=failed,
            n=run.answered,
            limit=max_failed,
        )
    else:
        yield message(
            "{run}: {failed}, {limit} allowed (--max-failed)",
            run=run.path,
            failed=failed,
            limit=max_failed,
        )
    if run.first_error:
        yield message("the first: {error}", error=masked_error(run.first_error))
    if run.filtered:
        yield message_n(
            "{n} answer was withheld by the provider's filter: run it again with --count-filtered to count it as wrong",
            "{n} answers were withheld by the provider's filter: run it again with --count-filtered to count them as wrong",
            run.filtered,
        )


def _hash_differences(base: ComparedRun, cand: ComparedRun) -> Iterator[Message | str]:
    for before, after in ((base.hashes, cand.hashes), (base.judging, cand.judging)):
        for name in sorted({*before, *after}):
            is_other = before.get(name) != after.get(name)
            if is_other and before.get(name) and after.get(name):
                is_other = same_hash(str(before[name]), str(after[name])) is False
            if name == QUESTIONS and None not in {before.get(name), after.get(name)}:
                is_other = have_other_questions(base, cand)
            if is_other:
                yield hash_difference(name, before.get(name), after.get(name))


def _ruler_differences(base: ComparedRun, cand: ComparedRun) -> Iterator[str]:
    """Different rules give the same answers different scores."""
    rulers = {base.ruler, cand.ruler}
    if not cand.metric.by_check or None in rulers:
        return
    if len(rulers) > 1 or ruler.MIXED in rulers:
        names = [run.ruler or "those of an earlier version" for run in (base, cand)]
        yield (
            f"the answers were scored by different rules: base by {names[0]}, candidate by {names[1]}; "
            "--rescore scores both again"
        )


def hash_difference(name: str, before: str | None, after: str | None) -> Message:
    """That a hash, or the way of judging, differs between both runs."""
    return message(
        "{name} differs: base {before}, candidate {after}",
        name=name,
        before=before or "none",
        after=after or "none",
    )


def metrics_of_one(base: ComparedRun, cand: ComparedRun) -> dict[str, frozenset[str]]:
    """The metrics that only the base or only the candidate has; empty if that is not known."""
    if base.metric_names is None or cand.metric_names is None:
        return {}
    return {
        "base": base.metric_names - cand.metric_names,
        "candidate": cand.metric_names - base.metric_names,
    }


def _metric_problems(base: ComparedRun, cand: ComparedRun) -> Iterator[str]:
    """A metric cannot be compared if only one run has it."""
    for where, names in metrics_of_one(base, cand).items():
        if cand.metric.name not in names:
            continue
        only = f"the metric {cand.metric.name} is only in the {where}"
        if _has_scored(cand if where == "base" else base):
            yield f"{only}; --rescore scores both again, or choose another --metric"
        else:
            yield f"{only}: the other run has no case with a value"


def _has_scored(run: ComparedRun) -> bool:
    return any(case.status == "scored" for case in run.items.values())


def _primary_differences(base: ComparedRun, cand: ComparedRun) -> Iterator[str]:
    for where, names in metrics_of_one(base, cand).items():
        if cand.primary in names and cand.primary != cand.metric.name:
            yield f"the main metric {cand.primary} is only in the {where}"


def _metric_notes(base: ComparedRun, cand: ComparedRun) -> Iterator[Message | str]:
    """Other metrics of only one run are worth knowing, and decide nothing."""
    for where, names in metrics_of_one(base, cand).items():
        others = sorted(names - {cand.metric.name, cand.primary})
        if others:
            yield message(
                "metrics only in the {where}, not compared: {names}",
                where=where,
                names=", ".join(others),
            )


def _weight_differences(base: ComparedRun, cand: ComparedRun) -> Iterator[str]:
    base_keys, cand_keys = keys_by_name(base, cand)
    for name in sorted(base_keys.keys() & cand_keys.keys()):
        before, after = base.items[base_keys[name]], cand.items[cand_keys[name]]
        if None in {before.value, after.value}:
            continue  # it has no part in the weighted score, and a failed case records no weight
        if _weight(before.weight) != _weight(after.weight):
            yield (
                f"weights differ, first for {name}: base {_weight(before.weight):g}, "
                f"candidate {_weight(after.weight):g}"
            )
            return
    for group in sorted(base.group_weights.keys() | cand.group_weights.keys()):
        weights = (_weight(run.group_weights.get(group)) for run in (base, cand))
        before_weight, after_weight = weights
        if before_weight != after_weight:
            yield (
                f"weights of the data set {group} differ: base {before_weight:g}, "
                f"candidate {after_weight:g}"
            )


def _weight(given: float | None) -> float:
    """A question or data set without a weight counts as one with the weight 1."""
    return 1.0 if given is None else given


def _setting_notes(base: ComparedRun, cand: ComparedRun) -> Iterator[Message | str]:
    if (base.path.resolve(), base.variant) == (cand.path.resolve(), cand.variant):
        yield message("base and candidate are the same file")
    for name in sorted(base.informational.keys() & cand.informational.keys()):
        if base.informational[name] != cand.informational[name]:
            yield hash_difference(name, base.informational[name], cand.informational[name])
    before, after = placements(base.items), placements(cand.items)
    if before != after and len(before) == len(after) == 1:
        yield message(
            "the base was asked at {before}, the candidate at {after}",
            before=min(before) or "none",
            after=min(after) or "none",
        )


def _missing_hash_notes(base: ComparedRun, cand: ComparedRun) -> Iterator[Message | str]:
    for name in sorted(base.hashes.keys() & cand.hashes.keys()):
        before, after = base.hashes[name], cand.hashes[name]
        if before and after and same_hash(before, after) is None:
            yield message(
                "{name} is not compared: a run was redacted, and the key that it was redacted with is not used here",
                name=name,
            )
    if not any((*base.hashes.values(), *cand.hashes.values())):
        yield message(
            "neither run records hashes, so it is not checked that the questions are the same"
        )


# Refuse a summary of several runs whose figures cannot be, or contradict the runs that it lists.

_COARSEST: Final = 0.005
"""The largest difference that rounding explains: figures have two decimals at least."""
_FIGURES: Final = ("mean", "std", "min", "max")


def listed_runs(path: Path, content: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The runs that a summary lists, none if it has no list; ``UseError`` if it is no list of runs."""
    rows = content.get("runs")
    if rows is None:
        return []
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise UseError(f"{path}: its runs are empty, or one of them is not an object")
    paths = [Path(str(row["path"])).as_posix() for row in rows if row.get("path")]
    for each in paths:
        if paths.count(each) > 1:
            raise UseError(f"{path}: lists the run {each} twice; each run counts once")
    return rows


def run_count(path: Path, content: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]) -> int:
    """The number of runs of a summary; raises ``UseError`` if ``n`` is none, or not that of ``runs``."""
    count = content.get("n")
    if count is None:
        return len(runs)
    if isinstance(count, bool) or not isinstance(count, int | float) or count < 1 or count % 1:
        raise UseError(f"{path}: n is {count!r}; it is the number of runs, from 1")
    if runs and count != len(runs):
        raise UseError(f"{path}: n is {count:g}, but `runs` has {len(runs)}")
    return int(count)


def check_figure(
    path: Path, name: str, content: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]
) -> None:
    """Raise ``UseError`` with the key of a figure that cannot be.

    A score is from 0 to 1, the mean lies between the smallest and the largest, and the spread of
    the population is at most half of what lies between these. If the runs have the score, all of
    them do, and the figures are those of the runs, as far as rounding allows.
    """
    stated = {what: _number(path, f"{name}.{what}", content.get(what)) for what in _FIGURES}
    mean, std, low, high = (stated[what] for what in _FIGURES)
    if mean is None:
        raise UseError(f"{path}: {name}.mean is {content.get('mean')!r}, not a number")
    for what in ("mean", "min", "max"):
        value = stated[what]
        if value is not None and not 0 <= value <= 1:
            raise UseError(f"{path}: {name}.{what} is {value:g}; a score is from 0 to 1")
    if std is not None and not 0 <= std <= 0.5 + _COARSEST:
        raise UseError(f"{path}: {name}.std is {std:g}; that of scores is from 0 to 0.5")
    for what, bound, is_wrong in (("min", low, mean.__lt__), ("max", high, mean.__gt__)):
        if bound is not None and is_wrong(bound) and not _same(mean, bound):
            raise UseError(f"{path}: {name}.mean is {mean:g}, but {name}.{what} is {bound:g}")
    listed = [_score(run.get(name)) for run in runs]
    values = [value for value in listed if value is not None]
    if values and len(values) < len(listed):
        raise UseError(f"{path}: only {len(values)} of its {len(listed)} `runs` have a {name}")
    if values:
        _check_against_runs(path, name, stated, values)


def _check_against_runs(
    path: Path, name: str, stated: Mapping[str, float | None], values: Sequence[float]
) -> None:
    of_runs = {"mean": fmean(values), "std": pstdev(values), "min": min(values), "max": max(values)}
    for what, value in of_runs.items():
        written = stated[what]
        if written is not None and not _same(written, value):
            raise UseError(
                f"{path}: {name}.{what} is {written:g}, but that of its {len(values)} `runs` is "
                f"{value:.6g}"
            )


def _number(path: Path, key: str, value: Any) -> float | None:
    if value is None:
        return None
    number = _score(value)
    if number is None:
        raise UseError(f"{path}: {key} is {value!r}, not a number")
    return number


def _score(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else None


def _same(written: float, value: float) -> bool:
    """Whether a number may be the other one, rounded to the decimals that it is written with.

    >>> _same(0.87, 0.8712), _same(0.8712, 0.87), _same(0.87, 0.9), _same(0.9, 0.86)
    (True, False, False, False)
    """
    decimals = len(f"{written!r}".partition(".")[2]) if "e" not in f"{written!r}" else 17
    return abs(written - value) <= min(0.5 * 10.0**-decimals, _COARSEST) + 1e-9
