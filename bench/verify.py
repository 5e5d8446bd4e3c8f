"""Evidence verification on labelled pairs: quality by kind and language, and speed.

    python bench/verify.py                 quality on both parts, speed on the tuning part
    python bench/verify.py --sweep         the tuning part at every threshold
    python bench/verify.py --failures      wrong verdicts on the tuning part, with their reasons

For the held-back part only totals are printed, never a pair. The figures are in docs/verify.md.
"""

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from measure import Measure, compared

from assay.judges.verifier.quotation import Verification, _hashed_vector, verify_quotation_with
from assay.scorers.evidence.score import _clause
from assay.scorers.evidence.token import (
    _han_words,
    _sentence_tokens,
    names,
    sentence_spans,
    uncapitalised,
)
from assay.scorers.evidence.verbatim import plain

DATA = Path(__file__).parents[1] / "tests" / "judged" / "verifier"
PARTS = ("dev", "held_back")
LANGUAGES = ("zh", "ru", "en")
TARGET_F1 = 0.93
TARGET_RECALL = 0.95
TARGET_MS = 3.0
REPEATS = 5


class Verdict(NamedTuple):
    """A labelled pair and the result of its check."""

    pair: dict[str, str]
    check: Verification

    @property
    def right(self) -> bool:
        """Whether the result of the check agrees with the label."""
        return self.check.valid == (self.pair["label"] == "valid")


class Figures(NamedTuple):
    """Counts of a set of verdicts and the figures computed from them.

    ``kept`` and ``refused`` count valid evidence, ``passed`` and ``caught`` count invalid evidence
    that was accepted and refused.
    """

    kept: int
    refused: int
    passed: int
    caught: int

    @property
    def f1(self) -> float:
        """F1 of the class valid."""
        return 2 * self.kept / (2 * self.kept + self.refused + self.passed)

    @property
    def f1_invalid(self) -> float:
        """F1 of the class invalid (invented or altered evidence)."""
        return 2 * self.caught / (2 * self.caught + self.refused + self.passed)

    @property
    def precision(self) -> float:
        """The share of accepted evidence that is valid."""
        return self.kept / (self.kept + self.passed)

    @property
    def recall(self) -> float:
        """The share of valid evidence that was accepted."""
        return self.kept / (self.kept + self.refused)

    @property
    def recall_invalid(self) -> float:
        """The share of invalid evidence that was refused."""
        return self.caught / (self.caught + self.passed)


def load(part: str) -> list[dict[str, str]]:
    """The pairs of ``dev`` or ``held_back``."""
    lines = (DATA / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


async def verdicts(pairs: Sequence[dict[str, str]]) -> list[Verdict]:
    """Check every pair with the built-in embedder and reranker."""
    return [
        Verdict(pair, await verify_quotation_with(pair["evidence"], pair["clause"]))
        for pair in pairs
    ]


def figures(checked: Sequence[Verdict], threshold: float | None = None) -> Figures:
    """The counts at ``threshold``; by default at the threshold of each check."""
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for verdict in checked:
        limit = verdict.check.threshold if threshold is None else threshold
        counts[verdict.pair["label"] == "valid", (verdict.check.score or 0.0) >= limit] += 1
    return Figures(
        counts[True, True], counts[True, False], counts[False, True], counts[False, False]
    )


def quality(title: str, checked: Sequence[Verdict]) -> str:
    """Right verdicts by kind and language, and the overall figures, as Markdown."""
    lines = [
        f"### {title}",
        "",
        "| kind | label | zh | ru | en | all |",
        "|---|---|---|---|---|---|",
    ]
    for kind in dict.fromkeys(verdict.pair["kind"] for verdict in checked):
        of_kind = [verdict for verdict in checked if verdict.pair["kind"] == kind]
        by_language = [
            [verdict for verdict in of_kind if verdict.pair["language"] == code]
            for code in LANGUAGES
        ]
        cells = " | ".join(
            f"{sum(verdict.right for verdict in group)}/{len(group)}"
            for group in (*by_language, of_kind)
        )
        lines.append(f"| {kind} | {of_kind[0].pair['label']} | {cells} |")
    lines += ["", "| | pairs | F1 valid | F1 invalid | precision | recall | recall of invalid |"]
    lines.append("|---|---|---|---|---|---|---|")
    for name in ("all", *LANGUAGES):
        group = [verdict for verdict in checked if name in ("all", verdict.pair["language"])]
        f = figures(group)
        lines.append(
            f"| {name} | {len(group)} | {f.f1:.3f} | {f.f1_invalid:.3f} | {f.precision:.3f}"
            f" | {f.recall:.3f} | {f.recall_invalid:.3f} |"
        )
    return "\n".join([*lines, ""])


def sweep(checked: Sequence[Verdict]) -> str:
    """The overall figures at each threshold, as Markdown."""
    lines = [
        "| threshold | F1 valid | precision | recall | recall of invalid |",
        "|---|---|---|---|---|",
    ]
    for step in range(6, 20):
        f = figures(checked, step / 20)
        lines.append(
            f"| {step / 20:.2f} | {f.f1:.3f} | {f.precision:.3f} | {f.recall:.3f}"
            f" | {f.recall_invalid:.3f} |"
        )
    return "\n".join([*lines, ""])


async def speed_ms(pairs: Sequence[dict[str, str]]) -> tuple[float, float, float]:
    """Mean CPU milliseconds of the first quotation of a clause, of the further ones, and of all."""
    first: list[float] = []
    further: list[float] = []
    clauses = dict.fromkeys(pair["clause"] for pair in pairs)
    for clause in clauses:
        for cached in (
            _hashed_vector, _clause, plain, sentence_spans, _sentence_tokens, _han_words, names,
            uncapitalised,
        ):  # fmt: skip
            cached.cache_clear()
        for number, pair in enumerate([pair for pair in pairs if pair["clause"] == clause]):
            start = time.process_time()
            await verify_quotation_with(pair["evidence"], clause)
            (further if number else first).append(1000 * (time.process_time() - start))
    return statistics.mean(first), statistics.mean(further), statistics.mean(first + further)


def measures() -> Iterator[Measure]:
    """Measure the shares of wrong verdicts and the time of a pair; lower is better."""
    checked = {part: asyncio.run(verdicts(load(part))) for part in PARTS}
    checked["both"] = [*checked["dev"], *checked["held_back"]]
    for part, group in checked.items():
        f = figures(group)
        for name, value, target in (
            (f"{part} 1 - F1", 1 - f.f1, 1 - TARGET_F1),
            (f"{part} missed invalid", 1 - f.recall_invalid, 1 - TARGET_RECALL),
        ):
            yield compared(name, [value], "all", [1.0], unit="", target=target, bounded="value")
    times = [asyncio.run(speed_ms(load("dev"))) for _ in range(REPEATS)]
    names = ("first of a clause", "further ones", "any")
    for name, values in zip(names, zip(*times, strict=True), strict=True):
        limit = None if name == names[0] else TARGET_MS
        one_ms = [1.0] * REPEATS
        yield compared(name, values, "1 ms", one_ms, unit="ms", target=limit, bounded="value")


def main() -> None:
    """Print the tables that the options ask for."""
    parser = argparse.ArgumentParser(
        description="Measure evidence verification; see docs/verify.md."
    )
    parser.add_argument("--sweep", action="store_true", help="thresholds on the tuning part")
    parser.add_argument("--failures", action="store_true", help="wrong verdicts on the tuning part")
    parser.add_argument("--dev-only", action="store_true", help="do not use the held-back part")
    options = parser.parse_args()
    dev = asyncio.run(verdicts(load("dev")))
    if options.failures:
        for pair, check in (verdict for verdict in dev if not verdict.right):
            print(pair["id"], pair["kind"], check.score, *check.reasons)
        return
    if options.sweep:
        print(sweep(dev))
        return
    print(quality("Tuning part", dev))
    if not options.dev_only:
        held_back = asyncio.run(verdicts(load("held_back")))
        print(quality("Held-back part", held_back))
        print(quality("Both", [*dev, *held_back]))
    first, further, mean = asyncio.run(speed_ms(load("dev")))
    print(
        f"CPU per pair: {mean:.1f} ms ({first:.1f} ms for the first of a clause, "
        f"{further:.1f} ms for each further one)"
    )


if __name__ == "__main__":
    main()
