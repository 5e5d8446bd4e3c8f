"""Evidence verification on labelled pairs: quality by kind and language, and speed.

    python bench/verify.py                 quality on both parts, speed on the tuning part
    python bench/verify.py --sweep         the tuning part at every threshold
    python bench/verify.py --failures      the tuning part's wrong verdicts, with their reasons

The held-back part is only ever summed up: nothing here prints a pair of it. The figures stand
in docs/verify.md.
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

from assay.judges.verifier.evidence import EvidenceCheck, _hashed_vector, verify_evidence
from assay.scorers.evidence.score import _clause, _plain_words
from assay.scorers.evidence.token import (
    _han_words,
    _sentence_tokens,
    names,
    sentence_spans,
    uncapitalised,
)

DATA = Path(__file__).parents[1] / "tests" / "judged" / "verifier"
PARTS = ("dev", "held_back")
LANGUAGES = ("zh", "ru", "en")
WANTED_F1 = 0.93
WANTED_RECALL = 0.95
WANTED_MS = 3.0
REPEATS = 5


class Verdict(NamedTuple):
    """A labelled pair and what became of it."""

    pair: dict[str, str]
    check: EvidenceCheck

    @property
    def right(self) -> bool:
        """Whether the verdict is the label."""
        return self.check.valid == (self.pair["label"] == "valid")


class Figures(NamedTuple):
    """Counts of a set of verdicts, valid being the positive class, and what follows from them."""

    kept: int
    refused: int
    passed: int
    caught: int

    @property
    def f1(self) -> float:
        """Of valid evidence."""
        return 2 * self.kept / (2 * self.kept + self.refused + self.passed)

    @property
    def f1_invalid(self) -> float:
        """Of invented or altered evidence."""
        return 2 * self.caught / (2 * self.caught + self.refused + self.passed)

    @property
    def precision(self) -> float:
        """Share of what was taken for valid that is."""
        return self.kept / (self.kept + self.passed)

    @property
    def recall(self) -> float:
        """Share of valid evidence that was kept."""
        return self.kept / (self.kept + self.refused)

    @property
    def recall_invalid(self) -> float:
        """Share of invented or altered evidence that was caught."""
        return self.caught / (self.caught + self.passed)


def load(part: str) -> list[dict[str, str]]:
    """The pairs of ``dev`` or ``held_back``."""
    lines = (DATA / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


async def verdicts(pairs: Sequence[dict[str, str]]) -> list[Verdict]:
    """Every pair checked with the embedded default."""
    return [
        Verdict(pair, await verify_evidence(pair["evidence"], pair["clause"])) for pair in pairs
    ]


def figures(found: Sequence[Verdict], threshold: float | None = None) -> Figures:
    """The counts, at another threshold where one is given."""
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for one in found:
        limit = one.check.threshold if threshold is None else threshold
        counts[one.pair["label"] == "valid", (one.check.score or 0.0) >= limit] += 1
    return Figures(
        counts[True, True], counts[True, False], counts[False, True], counts[False, False]
    )


def quality(title: str, found: Sequence[Verdict]) -> str:
    """Markdown: right verdicts by kind and language, and the overall figures."""
    lines = [
        f"### {title}",
        "",
        "| kind | label | zh | ru | en | all |",
        "|---|---|---|---|---|---|",
    ]
    for kind in dict.fromkeys(one.pair["kind"] for one in found):
        own = [one for one in found if one.pair["kind"] == kind]
        by_language = [[one for one in own if one.pair["language"] == code] for code in LANGUAGES]
        cells = " | ".join(
            f"{sum(o.right for o in some)}/{len(some)}" for some in (*by_language, own)
        )
        lines.append(f"| {kind} | {own[0].pair['label']} | {cells} |")
    lines += ["", "| | pairs | F1 valid | F1 invalid | precision | recall | recall of invalid |"]
    lines.append("|---|---|---|---|---|---|---|")
    for name in ("all", *LANGUAGES):
        some = [one for one in found if name in ("all", one.pair["language"])]
        f = figures(some)
        lines.append(
            f"| {name} | {len(some)} | {f.f1:.3f} | {f.f1_invalid:.3f} | {f.precision:.3f}"
            f" | {f.recall:.3f} | {f.recall_invalid:.3f} |"
        )
    return "\n".join([*lines, ""])


def sweep(found: Sequence[Verdict]) -> str:
    """Markdown: the overall figures at each threshold."""
    lines = [
        "| threshold | F1 valid | precision | recall | recall of invalid |",
        "|---|---|---|---|---|",
    ]
    for step in range(6, 20):
        f = figures(found, step / 20)
        lines.append(
            f"| {step / 20:.2f} | {f.f1:.3f} | {f.precision:.3f} | {f.recall:.3f}"
            f" | {f.recall_invalid:.3f} |"
        )
    return "\n".join([*lines, ""])


async def speed_ms(pairs: Sequence[dict[str, str]]) -> tuple[float, float, float]:
    """CPU in milliseconds: of a clause's first quotation, of each further one, of any."""
    first: list[float] = []
    further: list[float] = []
    clauses = dict.fromkeys(pair["clause"] for pair in pairs)
    for clause in clauses:
        for cached in (
            _hashed_vector, _clause, _plain_words, sentence_spans, _sentence_tokens, _han_words, names,
            uncapitalised,
        ):  # fmt: skip
            cached.cache_clear()
        for place, pair in enumerate([one for one in pairs if one["clause"] == clause]):
            start = time.process_time()
            await verify_evidence(pair["evidence"], clause)
            (further if place else first).append(1000 * (time.process_time() - start))
    return statistics.mean(first), statistics.mean(further), statistics.mean(first + further)


def measures() -> Iterator[Measure]:
    """What is wrong, as shares, and how long a pair takes: fewer is better."""
    found = {part: asyncio.run(verdicts(load(part))) for part in PARTS}
    found["both"] = [*found["dev"], *found["held_back"]]
    for part, some in found.items():
        f = figures(some)
        for name, value, wanted in (
            (f"{part} 1 - F1", 1 - f.f1, 1 - WANTED_F1),
            (f"{part} missed invalid", 1 - f.recall_invalid, 1 - WANTED_RECALL),
        ):
            yield compared(name, [value], "all", [1.0], unit="", target=wanted, bounded="value")
    times = [asyncio.run(speed_ms(load("dev"))) for _ in range(REPEATS)]
    for place, name in enumerate(("first of a clause", "further ones", "any")):
        values, target = [one[place] for one in times], WANTED_MS if place else None
        one_ms = [1.0] * REPEATS
        yield compared(name, values, "1 ms", one_ms, unit="ms", target=target, bounded="value")


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(
        description="Measure evidence verification; see docs/verify.md."
    )
    parser.add_argument("--sweep", action="store_true", help="thresholds on the tuning part")
    parser.add_argument("--failures", action="store_true", help="wrong verdicts of the tuning part")
    parser.add_argument("--dev-only", action="store_true", help="leave the held-back part alone")
    chosen = parser.parse_args()
    dev = asyncio.run(verdicts(load("dev")))
    if chosen.failures:
        for one in dev:
            if not one.right:
                print(one.pair["id"], one.pair["kind"], one.check.score, *one.check.reasons)
        return
    if chosen.sweep:
        print(sweep(dev))
        return
    print(quality("Tuning part", dev))
    if not chosen.dev_only:
        held_back = asyncio.run(verdicts(load("held_back")))
        print(quality("Held-back part", held_back))
        print(quality("Both", [*dev, *held_back]))
    first, further, mean = asyncio.run(speed_ms(load("dev")))
    print(
        f"CPU a pair: {mean:.1f} ms ({first:.1f} the first of a clause, {further:.1f} each further)"
    )


if __name__ == "__main__":
    main()
