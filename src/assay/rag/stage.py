"""The stages of an answer: how long each took, its details, or why it was skipped."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from assay.models import metering_part
from assay.records import Stage


class StageLog:
    """The stages of one answer in the order they ended.

    ``replayed`` is True if at least one model call was replayed from the cache.
    """

    def __init__(self) -> None:
        self.stages: list[Stage] = []
        self.replayed = False

    @contextmanager
    def stage(self, name: str) -> Iterator[dict[str, Any]]:
        """Time a stage; the mapping that the ``with`` block fills becomes its detail.

        For calls replayed from the cache the time of the original call is added. If the block
        sets the key ``skipped`` to a reason, the stage is recorded as skipped.
        """
        detail: dict[str, Any] = {}
        started = time.perf_counter()
        with metering_part() as meter:
            yield detail
        elapsed_s = time.perf_counter() - started + meter.replayed_s
        self.replayed |= meter.replayed_calls > 0
        skipped = detail.pop("skipped", None)
        self.stages.append(
            Stage(name=name, elapsed_s=round(elapsed_s, 6), skipped=skipped, detail=detail)
        )

    def skip(self, name: str, reason: str) -> None:
        """Record a stage that was switched off."""
        self.stages.append(Stage(name=name, skipped=reason))

    def latency_s(self, *, side_by_side: tuple[str, ...]) -> float:
        """The time of all stages in seconds; of those that ran at the same time only the longest.

        ``side_by_side`` are the names of the stages that ran at the same time.
        """
        parallel = [stage.elapsed_s for stage in self.stages if stage.name in side_by_side]
        serial = [stage.elapsed_s for stage in self.stages if stage.name not in side_by_side]
        return round(sum(serial) + max(parallel, default=0.0), 6)
