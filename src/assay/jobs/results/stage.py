"""Stages that a system skipped without being told to: their setting then has no effect.

A variant whose reranker fails in every case gives the answers of one without a reranker. The rows
say so stage by stage; here they are counted.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.data.jsonl import UNREADABLE

_MARK: Final = b'"skipped"'
_SKIPPED: Final = re.compile(rb'"skipped"\s*:\s*"((?:[^"\\]|\\.)*+)"')
_OFF: Final = re.compile(rb"\b(?:off|disabled|not enabled)$|^the model takes the second look$")
"""The end of a reason that names a setting: the stage was not meant to run."""
_LONGEST: Final = 120
_ANSWERED: Final = frozenset({"scored", "answered"})


class SkippedStage(Struct, frozen=True, kw_only=True):
    """A stage that was skipped in some cases of a variant, and the most frequent reason."""

    variant: str
    stage: str
    cases: int
    reason: str


class _Stage(Struct):
    name: str = ""
    skipped: str | None = None


_DECODER: Final = msgspec.json.Decoder(list[_Stage])


class SkippedStages:
    """Counts the skipped stages of the last row of each key."""

    def __init__(self) -> None:
        self._by_key: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {}

    def add(self, rows: Sequence[Any]) -> None:
        """Take rows with the fields ``key``, ``config``, ``status`` and ``stages``."""
        if not self._by_key and _MARK not in b"".join([row.stages for row in rows]):
            return  # usual, and much faster than looking at each row
        for row in rows:
            stages = _skipped(bytes(row.stages)) if row.status in _ANSWERED else ()
            if stages:
                self._by_key[row.key] = (row.config, stages)
            elif self._by_key:
                self._by_key.pop(row.key, None)

    def listed(self, variants: Mapping[str, Any]) -> tuple[SkippedStage, ...]:
        """The skipped stages, in the order of the variants."""
        counts: dict[tuple[str, str], Counter[str]] = {}
        for variant, stages in self._by_key.values():
            for stage, reason in dict(stages).items():
                counts.setdefault((variant, stage), Counter())[reason] += 1
        order = {name: place for place, name in enumerate(variants)}
        return tuple(
            SkippedStage(
                variant=variant,
                stage=stage,
                cases=reasons.total(),
                reason=min(reasons, key=lambda reason: (-reasons[reason], reason)),
            )
            for (variant, stage), reasons in sorted(
                counts.items(), key=lambda item: (order.get(item[0][0], 0), item[0])
            )
        )


def _skipped(stages: bytes) -> tuple[tuple[str, str], ...]:
    r"""The stages that were skipped for another reason than a setting, and the reasons.

    Of a reason only what is before a colon is kept; what follows is about one case.

    >>> _skipped(b'[{"name": "rerank", "skipped": "llm_rerank_enabled is off"}]')
    ()
    >>> _skipped(b'[{"name": "rerank", "skipped": "no grades: \\"hm\\""}]')
    (('rerank', 'no grades'),)
    """
    if all(_OFF.search(reason) for reason in _SKIPPED.findall(stages)):
        return ()
    try:
        read = _DECODER.decode(stages)
    except UNREADABLE:
        return ()
    return tuple(
        (stage.name, stage.skipped.partition(": ")[0][:_LONGEST])
        for stage in read
        if stage.skipped and not _OFF.search(stage.skipped.encode())
    )
