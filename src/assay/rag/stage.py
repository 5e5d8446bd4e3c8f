"""Timing the steps of an answer: each says what it took, what it kept, or why it was skipped."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from assay.models import metering_part
from assay.records import Stage


class StageLog:
    """Stages in the order they ended, and the time the whole would have taken without replays."""

    def __init__(self) -> None:
        self.stages: list[Stage] = []
        self.replayed = False

    @contextmanager
    def stage(self, name: str) -> Iterator[dict[str, Any]]:
        """Time a stage; what is put into the mapping becomes its detail.

        Calls replayed from the cache count with the time they once took. ``skipped`` in the
        mapping says that the stage did nothing after all, and why.
        """
        detail: dict[str, Any] = {}
        began = time.perf_counter()
        with metering_part() as meter:
            yield detail
        elapsed_s = time.perf_counter() - began + meter.replayed_s
        self.replayed |= meter.replayed_calls > 0
        skipped = detail.pop("skipped", None)
        self.stages.append(
            Stage(name=name, elapsed_s=round(elapsed_s, 6), skipped=skipped, detail=detail)
        )

    def skip(self, name: str, reason: str) -> None:
        """Record a stage that was switched off."""
        self.stages.append(Stage(name=name, skipped=reason))

    def latency_s(self, *, side_by_side: tuple[str, ...]) -> float:
        """Seconds from question to answer; stages that ran side by side count as the longest."""
        together = [one.elapsed_s for one in self.stages if one.name in side_by_side]
        apart = [one.elapsed_s for one in self.stages if one.name not in side_by_side]
        return round(sum(apart) + max(together, default=0.0), 6)
