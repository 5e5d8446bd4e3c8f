"""How often rates corrected by labels contain what people say, on real answers.

Run ``python bench/label_coverage.py --data FOLDER``, where FOLDER has ``answers/*.jsonl`` in the
format of the bench of checks: ``id``, ``model``, ``question``, ``expected``, ``answer`` and
``right``, the verdict of a person. For each system, every answer is checked once. Then answers are
drawn for labelling as ``assay labels plan`` draws them, with the verdicts of people as labels, and
the share of draws is counted whose 95% interval contains the share of right answers by people: 0.93
to 0.99 are wanted.

The interval is about further questions like these, so it also allows for the choice of the
questions; the draws here repeat the labels only. ``of it questions`` is the part of its variance that
this allowance has, for which even a perfect interval covers more than 0.95 here.
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
from assay.judge.draw import draw, size
from assay.stats.corrected import JudgedScores, corrected_mean

COUNTS: Final = (40, 80, 150)
DRAWS: Final = 500
LIMITS: Final = (0.93, 0.99)
HEAD: Final = (
    "| system | answers | people | check | unsure | labels | covered | below | above | width | of it questions |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
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


def drawn_scores(system: System, count: int, seed: int) -> JudgedScores:
    """The scores of all answers, and the labels of those that this draw has."""
    sizes = [
        size(score, {}, 0.5, is_unsure=unsure)[0]
        for score, unsure in zip(system.judged.tolist(), system.unsure.tolist(), strict=True)
    ]
    answers = [(name, "", "") for name in system.names]
    labels, weights = np.full((2, len(answers)), np.nan)
    for place, probability in draw(answers, sizes, count, seed):
        labels[place], weights[place] = system.right[place], 1 / probability
    return JudgedScores(judged=system.judged, labels=labels, weights=weights, unsure=system.unsure)


def coverage(system: System, count: int, draws: int) -> Coverage:
    """How often the interval of a draw contains the rate that people find."""
    truth = float(system.right.mean())
    found = [corrected_mean(drawn_scores(system, count, seed)).interval for seed in range(draws)]
    low = np.array([0.0 if each is None else each.low for each in found])
    high = np.array([1.0 if each is None else each.high for each in found])
    return Coverage(
        covered=float(((low <= truth) & (truth <= high)).mean()),
        below=float((high < truth).mean()),
        above=float((truth < low).mean()),
        width=float((high - low).mean()),
    )


def questions_part(system: System, width: float) -> float:
    """The part of the variance of an interval of this width that is about the questions."""
    level = np.zeros(len(system.right))
    for lean in (0.0, 1.0):
        for unsure in (False, True):
            group = (system.judged == lean) & (system.unsure == unsure)
            level[group] = system.right[group].mean() if group.any() else 0.0
    return float(level.var() / len(level) / (width / (2 * 1.96)) ** 2)


def lines(systems: dict[str, System], draws: int) -> Iterator[str]:
    """The table, line by line."""
    yield from HEAD
    for name, system in systems.items():
        facts = (system.right.mean(), system.judged.mean(), system.unsure.mean())
        about = f"| {name} | {len(system.names)} | {' | '.join(f'{fact:.3f}' for fact in facts)} |"
        for count in COUNTS:
            found = coverage(system, count, draws)
            mark = "" if LIMITS[0] <= found.covered <= LIMITS[1] else " *"
            yield (
                f"{about} {count} | {found.covered:.3f}{mark} | {found.below:.3f} | "
                f"{found.above:.3f} | {found.width:.3f} | {questions_part(system, found.width):.2f} |"
            )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with answers/")
    parser.add_argument("--draws", type=int, default=DRAWS, help="how many draws for each line")
    options = parser.parse_args()
    for line in lines(read_systems(options.data), options.draws):
        print(line, flush=True)


if __name__ == "__main__":
    main()
