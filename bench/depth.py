"""Depth: time to build a context compared with encoding its text, memory, and time to plan.

With ``NOVELS=folder`` the novels (``*.txt``) of that folder are used, otherwise made-up chronicles.
Run directly (``python bench/depth.py``), this module checks the guarantees of every context, from
1,000 to 500,000 tokens at nine depths, by encoding each context again, and prints the worst
deviations.
"""

import os
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from measure import Measure, compared

from assay.errors import CaseSkipped
from assay.jobs.depth.chronicle.story import chronicle
from assay.jobs.depth.context import Context, build_context
from assay.jobs.depth.novel import Novel, TokenizedNovel, read_novel
from assay.jobs.depth.plan import DepthLayout, case_plan, plan_depth
from assay.jobs.depth.question import NovelQuestion
from assay.records import Variant
from assay.text.normalise import Span
from assay.text.tokenizer import load_tokenizer

LENGTHS = (1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 200_000, 500_000)
DEPTHS = (0.0, 0.01, 0.1, 0.25, 0.5, 0.6, 0.75, 0.99, 1.0)
FIVE_DEPTHS = (0.0, 0.25, 0.5, 0.75, 1.0)
TARGET = 200_000
REPEATS = 9
PLAN_LENGTHS = (4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 163_840)
PLAN_QUESTIONS = 400


def measures() -> Iterator[Measure]:
    """Measure time and memory for a context of 200,000 tokens, and the time to plan a test."""
    for name, novel in _novels():
        span = _span(novel, novel.units // 3)
        context = build_context(novel, span, target_tokens=TARGET, depth=0.5)
        build_s, encode_s = _in_turns(novel, span, context)
        yield compared(
            f"{name}: build a context of {TARGET:,} tokens",
            build_s,
            "encode its text",
            encode_s,
            unit="s",
            target=1 / 50,
        )
        sizes = [_sizes(novel, span, depth) for depth in FIVE_DEPTHS]
        yield compared(
            f"{name}: peak memory while building it",
            [peak for peak, _ in sizes],
            "its size",
            [size for _, size in sizes],
            unit="MB",
            target=3.0,
        )

        yield _plan(name, novel)


def _plan(name: str, novel: TokenizedNovel) -> Measure:
    """Seconds to plan every question at every length and depth, compared with encoding the novel."""
    step = novel.units // PLAN_QUESTIONS
    questions = [
        NovelQuestion(
            id=f"q{number}",
            text=f"What of {number}?",
            question_type="open",
            answers=("unknown",),
            evidence=_span(novel, number * step),
        )
        for number in range(PLAN_QUESTIONS)
    ]
    layout = DepthLayout(mode="uniform", lengths=PLAN_LENGTHS, per_cell=PLAN_QUESTIONS)
    variant = Variant(name="uniform")
    plan_s: list[float] = []
    encode_s: list[float] = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        plan = case_plan(plan_depth(questions, novel, layout), variant, "system")
        cases = sum(1 for _ in plan.cases())
        plan_s.append(time.perf_counter() - began)
        began = time.perf_counter()
        novel.tokenizer.starts(novel.text)
        encode_s.append(time.perf_counter() - began)
    cells = f"{PLAN_QUESTIONS} questions × {len(PLAN_LENGTHS)} lengths × {len(FIVE_DEPTHS)} depths"
    return compared(
        f"{name}: plan of {cells} ({cases:,} cases)",
        plan_s,
        "encode the novel",
        encode_s,
        unit="s",
        target=2.0,
        bounded="value",
    )


def _in_turns(
    novel: TokenizedNovel, span: Span, context: Context
) -> tuple[list[float], list[float]]:
    """Seconds to build a context (mean of five depths) and to encode it, measured in turns."""
    build_s: list[float] = []
    encode_s: list[float] = []
    for number in range(REPEATS + 1):
        began = time.perf_counter()
        for depth in FIVE_DEPTHS:
            build_context(novel, span, target_tokens=TARGET, depth=depth)
        mean_build_s = (time.perf_counter() - began) / len(FIVE_DEPTHS)
        began = time.perf_counter()
        novel.tokenizer.count(context.text)
        if number:  # the first round only warms up
            build_s.append(mean_build_s)
            encode_s.append(time.perf_counter() - began)
    return build_s, encode_s


def _sizes(novel: TokenizedNovel, span: Span, depth: float) -> tuple[float, float]:
    """Peak memory while a context is built, and the size of its text, both in MB."""
    tracemalloc.start()
    context = build_context(novel, span, target_tokens=TARGET, depth=depth)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6, context.text.__sizeof__() / 1e6


def _novels() -> Iterator[tuple[str, TokenizedNovel]]:
    tokenizer = load_tokenizer("o200k")
    folder = os.environ.get("NOVELS")
    if folder:
        for path in sorted(Path(folder).glob("*.txt")):
            yield path.stem, TokenizedNovel(read_novel(path), tokenizer)
        return
    for language in ("zh", "ru"):
        text = chronicle(language, tokens=600_000).text
        yield f"chronicle {language}", TokenizedNovel(Novel(text=text), tokenizer)


def _span(novel: TokenizedNovel, unit: int, units: int = 1) -> Span:
    start = novel.bounds[unit]
    return Span(start=start, end=novel.trimmed(start, novel.bounds[unit + units]))


def check(novel: TokenizedNovel, length: int, spans: list[Span]) -> str:
    """Build contexts of one length, count their tokens again, and report the worst deviations."""
    length_off = depth_off = 0.0
    count_off = built = moved = 0
    skipped: Counter[str] = Counter()
    for span in spans:
        evidence = span.of(novel.text)
        for depth in DEPTHS:
            try:
                context = build_context(novel, span, target_tokens=length, depth=depth)
            except CaseSkipped as reason:
                skipped[str(reason).split(" ")[1]] += 1
                continue
            built += 1
            moved += not context.in_place
            total = novel.tokenizer.count(context.text)
            before = novel.tokenizer.count(context.text[: context.evidence.start])
            outside = total - novel.tokenizer.count(evidence)
            assert context.text.count(evidence) == 1
            if depth in {0.0, 1.0}:
                at_end = context.text.endswith if depth else context.text.startswith
                assert at_end(evidence)
                assert context.actual_depth == depth
            else:
                depth_off = max(depth_off, abs(before / outside - depth))
            length_off = max(length_off, abs(total - length) / length)
            count_off = max(count_off, abs(total - context.tokens))
    return (
        f"  {length:>7} tokens: {built} built ({moved} out of place), {skipped.total()} skipped; "
        f"worst length {length_off:.2%}, depth {100 * depth_off:.2f} points, count {count_off}"
    )


def main() -> None:
    """Check the guarantees for all novels."""
    for name, novel in _novels():
        print(f"{name}: {novel.tokens} tokens, {novel.units} sentences")
        random = Random(7)
        for length in LENGTHS:
            size = 40 if length < 50_000 else 12
            units = [random.randrange(novel.units - 3) for _ in range(size)]
            print(check(novel, length, [_span(novel, unit, 1 + unit % 3) for unit in units]))


if __name__ == "__main__":
    main()
