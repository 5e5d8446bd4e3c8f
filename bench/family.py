"""False alarms, power and the detectable difference: ``python bench/family.py``.

Runs of the ablation job are simulated: five variants and a baseline, all metrics of the job, with
the dependence that they have in a real run (a chunk that is found raises coverage, hits, MRR and
nDCG together). In the first table the variants are equal in truth, so every verdict is a false
alarm. In the second table one variant is better. The third table asks how often the difference that
assay calls detectable is found. The tables are on the page ``docs/evidence/coverage.md``.
"""

import argparse
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.jobs.answers.spec import METRICS as ALL_METRICS
from assay.records import Metric
from assay.stats.analysis import metric_families
from assay.stats.comparison import column_of, paired_comparison
from assay.stats.effect import SHARE, Effect, Method, holm
from assay.stats.family import PairComparison, family_effects
from assay.stats.paired import differences, mcnemar_exact, wilcoxon_signed_rank
from assay.stats.scores import Scores

METRICS = [metric for metric in ALL_METRICS if metric.kind not in SHARE]
"""The metrics of the job that are tested; percentiles have no test."""
PRIMARY = "avg_gold_coverage"
TOP_K = 10
VARIANTS = 6
RESAMPLES = 1_999
"""Fewer sign flips than by default, because thousands of runs are analysed."""
SIZES = (50, 100, 225)
GAINS = {50: 1.0, 100: 0.7, 225: 0.45}
"""How much better the better variant finds chunks, in logits, so that power is neither 0 nor 1."""


def simulated_run(rng: np.random.Generator, questions: int, gain: float) -> Scores:
    """A run of the ablation job in which the second variant finds chunks better by ``gain``."""
    shape = (VARIANTS, questions)
    lift = np.zeros((VARIANTS, 1))
    lift[1] = gain
    ease = rng.normal(0.8, 1.2, questions) + rng.normal(0, 0.8, shape) + lift
    gold = rng.integers(1, 4, questions)
    is_gold = np.arange(3)[None, None, :] < gold[None, :, None]
    chance = 1 / (1 + np.exp(-ease))[:, :, None]
    is_found = (rng.random((*shape, 3)) < chance) & is_gold
    ranks = np.where(is_found, 1 + rng.binomial(TOP_K - 1, 0.8 * (1 - chance), (*shape, 3)), 0)
    hits = is_found.sum(axis=2)
    best = np.where(is_found, ranks, 10**9).min(axis=2)
    gains = np.where(is_found, 1 / np.log2(1 + np.maximum(ranks, 1)), 0.0).sum(axis=2)
    ideal = np.cumsum(1 / np.log2(np.arange(2, 5)))[gold - 1]
    is_answerable = rng.random(questions) < 0.9
    values: dict[str, NDArray[np.float64]] = {
        "scores.cite_ok": (rng.random(shape) < 0.9).astype(float),
        "scores.gold_hit_any": (hits > 0).astype(float),
        "scores.gold_hit_all": (hits == gold).astype(float),
        "scores.gold_coverage": hits / gold,
        "scores.gold_precision": hits / TOP_K,
        "scores.gold_mrr": np.where(hits > 0, 1 / best, 0.0),
        "scores.gold_ndcg": np.minimum(gains / ideal, 1.0),
        "scores.abstained_when_unanswerable": (rng.random(shape) < 0.6).astype(float),
        "scores.answered_when_answerable": (rng.random(shape) < 0.85 + 0.1 * (hits > 0)).astype(
            float
        ),
        "elapsed_s": rng.lognormal(rng.normal(0, 0.5, questions), 0.3, shape),
    }
    for field, column in values.items():
        if field.startswith("scores.gold") or field.endswith("when_answerable"):
            column[:, ~is_answerable] = np.nan
    values["scores.abstained_when_unanswerable"][:, is_answerable] = np.nan
    return Scores(
        items=[f"{question:06d}" for question in range(questions)],
        variants=tuple(f"v{number}" for number in range(VARIANTS)),
        status=np.ones(shape, dtype=np.uint8),
        values=values,
    )


def tested_effects(
    scores: Scores, metrics: Sequence[Metric], primary: str, seed: int
) -> list[Effect]:
    """The effects as ``analyse`` computes them, but without the intervals of single values.

    The first variant is the baseline.
    """
    families = metric_families(metrics, primary)
    method = Method(seed=seed, resamples=RESAMPLES)
    effects: list[Effect] = []
    for family in dict.fromkeys(families.values()):
        comparisons: list[PairComparison] = []
        for metric in metrics:
            if families[metric.name] == family:
                base, *others = (
                    column_of(metric, scores.column(metric.field, name)) for name in scores.variants
                )
                comparisons += [
                    paired_comparison(metric, name, scores.variants[0], column, base)
                    for name, column in zip(scores.variants[1:], others, strict=True)
                ]
        effects += family_effects(comparisons, family, method)
    return effects


def old_effects(scores: Scores) -> dict[tuple[str, str], bool]:
    """Which comparisons were significant before: Holm over all, McNemar's or Wilcoxon's test."""
    p_values: dict[tuple[str, str], float | None] = {}
    for metric in METRICS:
        if metric.family != "quality":
            continue
        base = scores.column(metric.field, "v0")
        for variant in scores.variants[1:]:
            changes = differences(scores.column(metric.field, variant), base)
            changes = changes[np.isfinite(changes)]
            gained, lost = (int(np.count_nonzero(side)) for side in (changes > 0, changes < 0))
            p_values[metric.name, variant] = (
                mcnemar_exact(gained, lost)
                if metric.kind == "rate"
                else wilcoxon_signed_rank(changes)
            )
    adjusted = holm(list(p_values.values()))
    return {
        key: p_value is not None and p_value < 0.05
        for key, p_value in zip(p_values, adjusted, strict=True)
    }


def is_shown(effect: Effect) -> bool:
    """Whether the verdict is that the variant is better or worse."""
    return effect.verdict in {"better", "worse"}


def null_run(job: tuple[int, int]) -> tuple[bool, bool, bool, bool, bool]:
    """Whether each family, both quality families, and the old method had a false alarm."""
    questions, seed = job
    scores = simulated_run(np.random.default_rng([1, questions, seed]), questions, 0.0)
    effects = tested_effects(scores, METRICS, PRIMARY, seed)
    alarms = {
        family: any(is_shown(effect) for effect in effects if effect.family == family)
        for family in ("primary", "quality", "latency")
    }
    return (
        alarms["primary"],
        alarms["quality"],
        alarms["latency"],
        alarms["primary"] or alarms["quality"],
        any(old_effects(scores).values()),
    )


def powerful_run(job: tuple[int, int]) -> tuple[list[bool], list[bool]]:
    """Which metrics show that the second variant is better, now and before."""
    questions, seed = job
    rng = np.random.default_rng([2, questions, seed])
    scores = simulated_run(rng, questions, GAINS[questions])
    effects = tested_effects(scores, METRICS, PRIMARY, seed)
    now = {effect.metric: is_shown(effect) for effect in effects if effect.variant == "v1"}
    before = old_effects(scores)
    names = gold_metrics()
    return [now[name] for name in names], [before[name, "v1"] for name in names]


def gold_metrics() -> list[str]:
    """The metrics on which the better variant is really better; the primary one is first."""
    names = [metric.name for metric in METRICS if metric.field.startswith("scores.gold")]
    return sorted(names, key=lambda name: name != PRIMARY)


class Plan(NamedTuple):
    """A run for which the detectable difference is checked."""

    name: str
    questions: int
    variants: int
    is_rate: bool


PLANS = (
    Plan("rate, 1 variant", 100, 1, True),
    Plan("rate, 5 variants", 100, 5, True),
    Plan("rate, 5 variants", 400, 5, True),
    Plan("graded, 1 variant", 20, 1, False),
    Plan("graded, 1 variant", 100, 1, False),
    Plan("graded, 5 variants", 50, 5, False),
    Plan("graded, 5 variants", 200, 5, False),
    Plan("graded, 20 variants", 100, 20, False),
)
SCORE = Metric(name="score", field="score")


def planned_run(plan: Plan, seed: int, difference: float) -> Effect:
    """The effect of the first variant, which is better by ``difference``; the others are equal."""
    rng = np.random.default_rng([3, plan.questions, plan.variants, seed])
    shape = (plan.variants, plan.questions)
    if plan.is_rate:
        base = rng.random(plan.questions) < 0.6
        lost = np.full((plan.variants, 1), 0.10)
        gained = lost.copy()
        gained[0], lost[0] = 0.10 + difference / 2, max(0.10 - difference / 2, 0.0)
        is_changed = rng.random(shape) < np.where(base, lost / 0.6, gained / 0.4)
        values = np.vstack([base[None], base ^ is_changed]).astype(float)
    else:
        base = rng.uniform(0.2, 0.6, plan.questions)
        noise = rng.normal(0, 0.12, shape)
        noise[0] += difference
        values = np.clip(np.vstack([base[None], base + noise]), 0, 1)
    scores = Scores(
        items=[f"{question:06d}" for question in range(plan.questions)],
        variants=tuple(f"v{number:02d}" for number in range(plan.variants + 1)),
        status=np.ones(values.shape, dtype=np.uint8),
        values={"score": values},
    )
    return tested_effects(scores, [SCORE], "score", seed)[0]


def detected(job: tuple[int, int]) -> tuple[float, float]:
    """The mean detectable difference of runs without a difference, and how often it is found."""
    place, draws = job
    plan = PLANS[place]
    sizes = [planned_run(plan, seed, 0.0).detectable for seed in range(200)]
    size = float(np.mean([each for each in sizes if each is not None]))
    found = [planned_run(plan, 1_000 + seed, size).verdict == "better" for seed in range(draws)]
    return size, float(np.mean(found))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=2_000, help="simulated runs for each row")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    with ProcessPoolExecutor(options.workers) as pool:
        rows = []
        for questions in SIZES:
            jobs = [(questions, seed) for seed in range(options.draws)]
            shares = np.mean(list(pool.map(null_run, jobs, chunksize=20)), axis=0)
            rows.append([str(questions), *(f"{share:.1%}" for share in shares)])
        head = ["questions", "primary", "other quality", "latency", "primary or quality", "before"]
        print("Runs with a false alarm\n")
        print(table(head, rows), flush=True)
        rows = []
        for questions in SIZES:
            jobs = [(questions, seed) for seed in range(options.draws // 2)]
            runs = list(pool.map(powerful_run, jobs, chunksize=20))
            now, before = (np.mean([run[kind] for run in runs], axis=0) for kind in (0, 1))
            for name, new, old in zip(gold_metrics(), now, before, strict=True):
                rows.append([str(questions), name, f"{new:.0%}", f"{old:.0%}"])
        print("Runs that show the better variant\n")
        print(table(["questions", "metric", "now", "before"], rows), flush=True)
        results = pool.map(detected, [(place, options.draws) for place in range(len(PLANS))])
        rows = [
            [plan.name, str(plan.questions), f"{100 * size:.1f} points", f"{share:.0%}"]
            for plan, (size, share) in zip(PLANS, results, strict=True)
        ]
        print("Detectable differences\n")
        print(table(["comparison", "questions", "detectable", "found"], rows))


if __name__ == "__main__":
    main()
