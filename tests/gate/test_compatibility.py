"""Why runs cannot be compared: what caused it comes first."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from assay.checks import registered as ruler
from assay.errors import UseError
from assay.gate.compared_run import ComparedCase, ComparedRun
from assay.gate.compatibility import check_compatible
from assay.records import Metric

CONTAINED = Metric(name="answer_contained", field="scores.answer_contained", kind="rate")


def run(
    name: str, *, failed: bool = False, state: str = "complete", has_metric: bool = True
) -> ComparedRun:
    """A run of two questions."""
    case = ComparedCase(status="failed" if failed else "scored", value=None if failed else 1.0)
    return ComparedRun(
        path=Path(name),
        job="ablation",
        metric=CONTAINED,
        items={("a", ""): case, ("b", ""): case},
        state=state,
        unasked=1 if state == "stopped" else 0,
        failed=2 if failed else 0,
        first_error="unavailable: cannot connect" if failed else "",
        metric_names=frozenset({"answer_contained"} if has_metric else {"cite_ok_rate"}),
    )


def reasons(base: ComparedRun, cand: ComparedRun) -> list[str]:
    """The lines of the refusal."""
    with pytest.raises(UseError) as refused:
        check_compatible(base, cand)
    return list(refused.value.lines)


def test_a_provider_that_was_down_is_named_before_what_follows_from_it():
    """Failed cases come first, then that the run stopped, then the metric that it lacks."""
    down = run("cand", failed=True, state="stopped", has_metric=False)
    failed, unfinished, metric = reasons(run("base"), down)
    assert "2 cases failed" in failed
    assert "cannot connect" in failed
    assert "did not finish" in unfinished
    assert metric == (
        "the metric answer_contained is only in the base: the other run has no case with a value"
    )


def test_a_run_that_was_scored_otherwise_can_be_scored_again():
    """Its answers are there, so the advice helps."""
    (metric,) = reasons(run("base"), run("cand", has_metric=False))
    assert "; --rescore scores both again" in metric


def test_answers_of_mixed_rules_are_not_compared():
    """A run whose answers were scored by several rules is refused even beside another such run."""
    metric = replace(CONTAINED, by_check=True)
    mixed = replace(run("base"), metric=metric, ruler=ruler.MIXED)
    (refusal,) = reasons(mixed, replace(mixed, path=Path("cand")))
    assert "base by mixed, candidate by mixed; --rescore scores both again" in refusal
