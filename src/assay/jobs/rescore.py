"""Judge recorded answers again by today's rules: the work behind ``assay score``."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.data.question import CorpusQuestion, read_questions
from assay.errors import UseError
from assay.jobs.spec import JobSpec, job_spec_of
from assay.jobs.study import summarise_run
from assay.journal import (
    encode_row,
    locked_journal,
    read_rows,
    read_summary,
    set_aside,
    summary_path,
    write_atomically,
    write_summary,
)

SUFFIX = ".rescored"
JUDGES_ANEW = ("quality", "review", "bench")
"""Jobs that, run again on corrected gold, judge what is recorded and ask nobody."""


class RescoreResult(Struct, frozen=True, kw_only=True):
    """Where the judged rows are, how many were judged, and which fields changed how often."""

    journal: Path
    judged: int
    passed_over: int
    changed: Mapping[str, int]


def rescored_path(journal: Path) -> Path:
    """``NAME.rescored.jsonl`` beside ``NAME.jsonl``."""
    return journal.with_name(f"{journal.stem}{SUFFIX}.jsonl")


def rescore(
    journal: Path, *, in_place: bool = False, questions: Path | None = None
) -> RescoreResult:
    """Write the rows of ``journal`` with new scores; no system is asked.

    They go beside the old ones, or with ``in_place`` into their place, the old file being
    set aside. ``questions`` gives gold that was corrected since. Rows without an answer are
    passed over as they are.
    """
    if not journal.exists():
        raise UseError(f"{journal}: no such file of results")
    summary = read_summary(summary_path(journal))
    kind = job_spec_of(summary)
    gold = _gold(questions, kind)
    target = journal if in_place else rescored_path(journal)
    changed: Counter[str] = Counter()
    judged = passed_over = 0
    lines: list[bytes] = []
    with locked_journal(journal):
        for rows in read_rows(journal, dict[str, Any]):
            for row in rows:
                if (
                    row.get("status", "scored") == "scored"
                    and "error" not in row
                    and "answer" in row
                ):
                    changed.update(_judge(row, kind, gold.get(row["question_id"])))
                    judged += 1
                else:
                    passed_over += 1
                lines.append(encode_row(row))
        if target.exists():
            set_aside(target)
        write_atomically(target, b"".join(line + b"\n" for line in lines))
        if summary is not None:
            summary = replace(summary, extra={**summary.extra, **_provenance(questions)})
            write_summary(summary_path(target), summary)
            results = summarise_run(target)
            write_summary(summary_path(target), replace(summary, results=results))
    return RescoreResult(journal=target, judged=judged, passed_over=passed_over, changed=changed)


def _judge(row: dict[str, Any], kind: JobSpec, gold: CorpusQuestion | None) -> list[str]:
    """Put today's scores into ``row``; the names of the fields that changed."""
    before = dict(row)
    if gold is not None:
        row["gold_chunk_ids"] = list(gold.gold)
        if gold.answerable is not None:
            row["answerable"] = gold.answerable
        else:
            row.pop("answerable", None)  # not known is not written down
    row.update(msgspec.to_builtins(dict(kind.rescore(row))))
    return [name for name in {**before, **row} if before.get(name) != row.get(name)]


def _gold(path: Path | None, kind: JobSpec) -> dict[str, CorpusQuestion]:
    if path is None:
        return {}
    if kind.name != "ablation":  # the gold of other jobs is another file, with more in it
        again = (
            "judges recorded answers by the file it is given"
            if kind.name in JUDGES_ANEW
            else "asks what changed"
        )
        raise UseError(
            f"--questions is for results of assay ablate, and these are of assay {kind.name}; "
            f"run assay {kind.name} again with the corrected file: it {again}"
        )
    return {one.id: one for one in read_questions(path)}


def _provenance(questions: Path | None) -> dict[str, str]:
    """Which file the gold is from, where it is not that of the run."""
    if questions is None:
        return {}
    digest = hashlib.sha256(questions.read_bytes()).hexdigest()
    return {"gold_path": str(questions), "gold_sha256": digest}
