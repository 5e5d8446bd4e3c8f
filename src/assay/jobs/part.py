"""One part of a run, which runs by itself (``--shard 2/4``), and what its summary says about it."""

from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.data.jsonl import UNREADABLE
from assay.jobs.prepared import PreparedRun
from assay.records import RunHeader
from assay.report.description import file_lines
from assay.runs.plan import Shard, plan_digest, plan_part
from assay.runs.summary import Summary
from assay.text.width import labelled
from assay.words.say import say

SHARD: Final = "shard"
"""The field in ``extra`` of a summary that says which part of which run it is."""


class PartInfo(Struct, frozen=True, kw_only=True):
    """Which part of which run a journal holds.

    ``total`` is the number of cases of the whole run, ``journal`` the name of its journal, and
    ``plan`` identifies it: parts of one run have the same.
    """

    number: int
    of: int
    total: int
    journal: str
    plan: str


def part_path(journal: Path, shard: Shard) -> Path:
    """The journal of a part.

    >>> part_path(Path("fees.jsonl"), Shard(2, 4)).name
    'fees.shard-2-of-4.jsonl'
    """
    return journal.with_name(f"{journal.stem}.shard-{shard.number}-of-{shard.of}{journal.suffix}")


def part_of_run(run: PreparedRun, shard: Shard) -> PreparedRun:
    """The part of a run that ``shard`` names.

    It has a journal of its own. Reports and the job's own files are made of the whole run, after
    ``assay merge``.
    """
    plan = plan_part(run.plan, shard)
    info = PartInfo(
        number=shard.number,
        of=shard.of,
        total=run.plan.total,
        journal=run.journal.name,
        plan=plan_digest(run.plan, run.header),
    )
    extra = {**run.header.extra, SHARD: msgspec.to_builtins(info)}
    journal = part_path(run.journal, shard)
    return PreparedRun(
        plan=plan,
        system=run.system,
        handler=run.handler,
        header=replace(run.header, total=plan.total, extra=extra),
        journal=journal,
        scorers=run.scorers,
        description=(
            *run.description,
            labelled(
                say("part"),
                say(
                    "{i} of {n}: {part} of {all} cases",
                    i=shard.number,
                    n=shard.of,
                    part=plan.total,
                    all=run.plan.total,
                ),
            ),
        ),
        preamble=run.preamble,
        is_named=run.is_named,
        title=run.title,
        outcome=lambda _: (
            "",
            *file_lines(journal).splitlines(),
            say(
                "once all {n} parts have ended: assay merge {files}",
                n=shard.of,
                files=_all_parts(run.journal, shard),
            ),
        ),
    )


def _all_parts(journal: Path, shard: Shard) -> str:
    return str(journal.with_name(f"{journal.stem}.shard-*-of-{shard.of}{journal.suffix}"))


def part_info(summary: Summary | None) -> PartInfo | None:
    """What a summary says about the part that it is of; ``None`` if it is that of a whole run."""
    recorded = summary.extra.get(SHARD) if summary is not None else None
    try:
        return None if recorded is None else msgspec.convert(recorded, PartInfo)
    except UNREADABLE:
        return None


def whole_header(summary: Summary, total: int) -> RunHeader:
    """The header of the whole run that a part belongs to."""
    fields: dict[str, Any] = {name: getattr(summary, name) for name in RunHeader.__struct_fields__}
    extra = {name: value for name, value in summary.extra.items() if name != SHARD}
    return RunHeader(**{**fields, "total": total, "extra": extra})
