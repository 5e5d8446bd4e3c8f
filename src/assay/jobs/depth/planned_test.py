"""A planned depth test: the data that its two passes share."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from assay.jobs.depth.novel_data import NovelData
from assay.jobs.depth.plan import DepthPlan
from assay.runner import Plan
from assay.systems import System


class DepthTest(Struct, frozen=True, kw_only=True):
    """The data, the plan and its cases, and the journal for the rows.

    ``closed`` has the cases of the pass without the novel; it is ``None`` without such a pass.
    ``facts`` is the metadata of the results file.
    """

    data: NovelData
    plan: DepthPlan
    cases: Plan
    closed: Plan | None
    system: System
    facts: Mapping[str, Any]
    journal: Path

    @property
    def closed_journal(self) -> Path:
        """The journal of the pass without the novel."""
        return self.journal.with_name(f"{self.journal.stem}.closed.jsonl")
