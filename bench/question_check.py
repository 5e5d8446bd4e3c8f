"""``assay questions check``: clean questions that are flagged, and how time and memory grow.

The growth is that of a check without a model of 1,000, 10,000 and 100,000 questions, each with a
corpus of a passage for five questions. The clean questions are those of XQuAD, which is not part of
the project: put the ``xquad.LANG.json`` files into a folder and set ``XQUAD`` to its path, or this
part is left out. The figures are in docs/evidence/questions.md.
"""

import math
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import Measure, compared, run

SIZES = (1_000, 10_000, 100_000)
MOST_MB = 1_000.0
MOST_FLAGGED = 0.05
TASK = Path(__file__).with_name("question_check_task.py")


def measures() -> Iterator[Measure]:
    """Measure the growth, then the share of flagged questions of XQuAD."""
    yield from _growth()
    folder = os.environ.get("XQUAD")
    if not folder:
        print("  XQUAD does not name a folder; clean questions are not measured")
        return
    for language in ("en", "ru", "zh"):
        yield _flagged(Path(folder) / f"xquad.{language}.json", language)


def _growth() -> Iterator[Measure]:
    """The time of each size against the one before; the target is n log n."""
    seconds: dict[int, float] = {}
    for size in SIZES:
        with TemporaryDirectory() as folder:
            run([sys.executable, TASK, "write", str(size)], Path(folder))
            print(f"  {size} questions", file=sys.stderr, flush=True)
            sample = run([sys.executable, TASK, "check", str(size)], Path(folder))
        seconds[size] = sample.cpu_s
        if size == SIZES[0]:
            continue
        before = size // 10
        grown = size * math.log(size) / (before * math.log(before))
        yield compared(
            f"check of {size:,} questions",
            [sample.cpu_s],
            f"of {before:,}",
            [seconds[before]],
            unit="s",
            target=round(grown, 1),
        )
    yield compared(
        f"peak memory, {SIZES[-1]:,} questions",
        [sample.peak_mb],
        "limit",
        [MOST_MB],
        unit="MB",
        target=1.0,
    )


def _flagged(path: Path, language: str) -> Measure:
    # imported here: the process that measures memory must stay small
    from assay.questions.check.check import check_questions  # noqa: PLC0415

    found = check_questions(path)
    print(f"  {language}: {found.counts}", file=sys.stderr)
    return compared(
        f"{language} flagged",
        [found.flagged / len(found.questions)],
        "all",
        [1.0],
        unit="",
        target=MOST_FLAGGED,
        bounded="value",
    )
