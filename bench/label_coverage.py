"""How often rates corrected by labels contain what people say, and how often a plan keeps its width.

Run ``python bench/label_coverage.py --data FOLDER``, where FOLDER has ``answers/*.jsonl`` in the
format of the bench of checks: ``id``, ``model``, ``question``, ``expected``, ``answer`` and
``right``, the verdict of a person. For each system, every answer is checked once. In each run as many
questions are drawn anew, because the interval is about further questions like these, and answers are
drawn for labelling as ``assay labels plan`` draws them, with the verdicts of people as labels. The
share of runs is counted whose 95% interval contains the share of right answers by people: 0.93 to
0.99 are wanted.

The second table plans a width after 40 labels, draws as many as planned, and counts how often the
interval is as narrow: 0.8 is promised.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.checks.answer import check_answer
from assay.judge.draw import UNSURE, draw
from assay.judge.label_plan import plan_labels
from assay.judge.labelled_answers import LabelCounts, Sample
from assay.stats.corrected import JudgedScores, corrected_mean

COUNTS: Final = (40, 80, 150)
DRAWS: Final = 500
LIMITS: Final = (0.93, 0.99)
HEAD: Final = (
    "| system | answers | people | check | unsure | labels | covered | below | above | width |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
)
WIDTHS: Final = (0.15, 0.1)
PILOT: Final = 40
"""How many labels there are when the plan is made."""
PLANS: Final = 100
PLAN_HEAD: Final = (
    "",
    "| system | wanted width | labels planned | mean width | reached |",
    "|---|---:|---:|---:|---:|",
)


class System(Struct, frozen=True, kw_only=True, eq=False):
    """The answers of a system: what the check and what people say of each."""

    names: tuple[str, ...]
    judged: NDArray[np.float64]
    unsure: NDArray[np.bool_]
    right: NDArray[np.float64]


class Coverage(Struct, frozen=True, kw_only=True):
    """Shares of draws by where the true rate lies, and the mean width of their intervals."""

    covered: float
    below: float
    above: float
    width: float


def read_systems(folder: Path) -> dict[str, System]:
    """Check every answer of the files of a folder."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for path in sorted((folder / "answers").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            rows[row["model"]].append(row)
    return {name: _system(answers) for name, answers in rows.items()}


def _system(rows: list[dict[str, Any]]) -> System:
    checks = [check_answer(row["expected"], row["answer"], row["question"]) for row in rows]
    return System(
        names=tuple(str(row["id"]) for row in rows),
        judged=np.array([check.leans_right for check in checks], np.float64),
        unsure=np.array([check.outcome == "unsure" for check in checks]),
        right=np.array([row["right"] for row in rows], np.float64),
    )


def anew(system: System, seed: int) -> System:
    """As many questions, drawn from those of the system."""
    chosen = np.random.default_rng(seed).integers(0, len(system.names), len(system.names))
    return System(
        names=tuple(f"{place} {system.names[number]}" for place, number in enumerate(chosen)),
        judged=system.judged[chosen],
        unsure=system.unsure[chosen],
        right=system.right[chosen],
    )


def drawn_scores(system: System, count: int, seed: int) -> JudgedScores:
    """The scores of all answers, and the labels of those that this draw has."""
    sizes = np.where(system.unsure, UNSURE, 1.0)
    answers = [(name, "", "") for name in system.names]
    labels, weights = np.full((2, len(answers)), np.nan)
    for place, probability in draw(answers, sizes.tolist(), count, seed):
        labels[place], weights[place] = system.right[place], 1 / probability
    return JudgedScores(judged=system.judged, labels=labels, weights=weights, unsure=system.unsure)


def coverage(system: System, count: int, draws: int) -> Coverage:
    """How often the interval of a draw contains the rate that people find."""
    truth = float(system.right.mean())
    found = [
        corrected_mean(drawn_scores(anew(system, seed), count, seed)).interval
        for seed in range(draws)
    ]
    low = np.array([0.0 if each is None else each.low for each in found])
    high = np.array([1.0 if each is None else each.high for each in found])
    return Coverage(
        covered=float(((low <= truth) & (truth <= high)).mean()),
        below=float((high < truth).mean()),
        above=float((truth < low).mean()),
        width=float((high - low).mean()),
    )


def planned(system: System, width: float, seed: int) -> tuple[int, float]:
    """How many labels are planned after the first ones, and how wide the interval is with as many."""
    drawn = anew(system, seed)
    sample = Sample(
        items=drawn.names,
        languages=("en",) * len(drawn.names),
        sides={"": drawn_scores(drawn, PILOT, seed)},
        counts=LabelCounts(),
    )
    needed = plan_labels("", sample, width=width, threshold=0.5).variants[0].needed
    count = len(drawn.names) if needed is None else needed
    interval = corrected_mean(drawn_scores(drawn, count, seed)).interval
    return count, 1.0 if interval is None else interval.high - interval.low


def lines(systems: dict[str, System], draws: int) -> Iterator[str]:
    """Both tables, line by line."""
    yield from HEAD
    for name, system in systems.items():
        facts = (system.right.mean(), system.judged.mean(), system.unsure.mean())
        about = f"| {name} | {len(system.names)} | {' | '.join(f'{fact:.3f}' for fact in facts)} |"
        for count in COUNTS:
            found = coverage(system, count, draws)
            mark = "" if LIMITS[0] <= found.covered <= LIMITS[1] else " *"
            yield (
                f"{about} {count} | {found.covered:.3f}{mark} | {found.below:.3f} | "
                f"{found.above:.3f} | {found.width:.3f} |"
            )
    yield from PLAN_HEAD
    for name, system in systems.items():
        for wanted in WIDTHS:
            plans = [planned(system, wanted, seed) for seed in range(min(draws, PLANS))]
            counts, widths = np.array(plans).T
            yield (
                f"| {name} | {wanted:g} | {counts.mean():.0f} | {widths.mean():.3f} | "
                f"{np.mean(widths <= wanted):.2f} |"
            )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with answers/")
    parser.add_argument("--draws", type=int, default=DRAWS, help="how many draws for each line")
    options = parser.parse_args()
    for line in lines(read_systems(options.data), options.draws):
        print(line, flush=True)


if __name__ == "__main__":
    main()
