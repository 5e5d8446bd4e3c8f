"""Whether two runs may be compared at all; if not, every reason at once."""

from collections.abc import Iterator

from assay.errors import UseError
from assay.jobs.compare.compared_run import ComparedRun, named, placements


def check_compatible(
    base: ComparedRun, cand: ComparedRun, *, strict_hashes: bool = True, max_failed: int = 0
) -> list[str]:
    """Refuse runs that did not end, failed too often, or rest on different things.

    Returns what a reader must know of a pair that passes. Without ``strict_hashes``, other
    documents, questions, weights, sets of metrics or ways to judge are such a note, and no
    refusal.
    """
    problems = [*_jobs(base, cand)]
    for side in (base, cand):
        problems += _ending(side, max_failed)
    differing = [*_hashes(base, cand), *_metrics(base, cand)]
    if strict_hashes:
        problems += [
            f"{difference}; use --allow-mismatch to compare anyway" for difference in differing
        ]
        differing = []
    mine, theirs = named(cand, base)
    if not mine.keys() & theirs.keys():
        problems.append(
            f"{base.path} and {cand.path} have no question in common: "
            f"{len(theirs)} and {len(mine)} ids, all different"
        )
    if problems:
        raise UseError("\n".join(problems))
    return [*base.notes, *cand.notes, *differing, *_settings(base, cand), *_unhashed(base, cand)]


def _jobs(base: ComparedRun, cand: ComparedRun) -> Iterator[str]:
    if base.job != cand.job:
        yield f"{base.path} is of the job {base.job!r} and {cand.path} of {cand.job!r}"
    elif base.metric.field != cand.metric.field:
        yield f"the metric is {base.metric.field} in {base.path}, {cand.metric.field} in {cand.path}"
    if cand.metric.better is None:
        yield f"{cand.metric.name}: neither way is better, so it cannot be a gate; choose a --metric"


def _ending(side: ComparedRun, max_failed: int) -> Iterator[str]:
    """A run that was cut short is no evidence of anything, least of all of worse quality."""
    is_cut_short = side.state not in {None, "complete", "partial"} or bool(side.unasked)
    if side.state == "partial" and (side.unasked is None or not side.failed):
        is_cut_short = True  # with failures alone every case was asked, and they have a limit
    if is_cut_short:
        left = f", {_cases(side.unasked)} without an outcome" if side.unasked else ""
        yield (
            f"{side.path}: the run did not finish (state {side.state or 'unknown'}{left}); "
            "run it again to finish it, then compare"
        )
    if side.failed > max_failed:
        first = f"; the first: {side.first_error}" if side.first_error else ""
        yield (
            f"{side.path}: {_cases(side.failed)} failed, {max_failed} allowed (--max-failed){first}"
        )


def _cases(count: int) -> str:
    return f"{count} case" if count == 1 else f"{count} cases"


def _hashes(base: ComparedRun, cand: ComparedRun) -> Iterator[str]:
    for then, now in ((base.hashes, cand.hashes), (base.yardstick, cand.yardstick)):
        for name in sorted({*then, *now}):
            if then.get(name) != now.get(name):
                yield _differs(name, then.get(name), now.get(name))


def _differs(name: str, then: str | None, now: str | None) -> str:
    return f"{name} differs: base {then or 'none'}, candidate {now or 'none'}"


def _metrics(base: ComparedRun, cand: ComparedRun) -> Iterator[str]:
    if base.metric_names is not None and cand.metric_names is not None:
        only_base = base.metric_names - cand.metric_names
        only_cand = cand.metric_names - base.metric_names
        for where, names in (("base", only_base), ("candidate", only_cand)):
            if names:
                yield f"metrics of the {where} alone: {', '.join(sorted(names))}"
    mine, theirs = named(cand, base)
    for name in sorted(mine.keys() & theirs.keys()):
        ours, before = cand.items[mine[name]].weight, base.items[theirs[name]].weight
        if ours != before and None not in {ours, before}:
            yield f"weights differ, first that of {name}: base {before:g}, candidate {ours:g}"
            return
    for group in sorted(base.group_weights.keys() & cand.group_weights.keys()):
        if base.group_weights[group] != cand.group_weights[group]:
            yield (
                f"weights of the data set {group} differ: base {base.group_weights[group]:g}, "
                f"candidate {cand.group_weights[group]:g}"
            )


def _settings(base: ComparedRun, cand: ComparedRun) -> Iterator[str]:
    if (base.path.resolve(), base.variant) == (cand.path.resolve(), cand.variant):
        yield "base and candidate are one and the same file"
    for name in sorted(base.told.keys() & cand.told.keys()):
        if base.told[name] != cand.told[name]:
            yield _differs(name, base.told[name], cand.told[name])
    ours, theirs = placements(cand.items), placements(base.items)
    if ours != theirs and len(ours) == len(theirs) == 1:
        yield f"the base was asked at {min(theirs) or 'none'}, the candidate at {min(ours) or 'none'}"


def _unhashed(base: ComparedRun, cand: ComparedRun) -> Iterator[str]:
    if not any((*base.hashes.values(), *cand.hashes.values())):
        yield "neither run records hashes: that both are of the same questions is taken on trust"
