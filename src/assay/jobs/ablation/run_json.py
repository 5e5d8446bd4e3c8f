"""What ``--json`` prints: the figures of a run, and the questions that went wrong."""

from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from assay.jobs.ablation.failed_question import faults
from assay.jobs.ablation.handler import JOB
from assay.jobs.prepared import FinishedRun, PreparedRun
from assay.jobs.spec import job_spec
from assay.journal import read_summary, summary_path
from assay.records import Metric, RunHeader


class EndedRuns:
    """The runs of a command that have ended, for the JSON at its end."""

    def __init__(self) -> None:
        self._ended: list[tuple[FinishedRun, PreparedRun]] = []

    def collecting(self, run: PreparedRun) -> PreparedRun:
        """The run, which is noted when it ends."""

        def finish(result: FinishedRun) -> FinishedRun:
            finished = run.finish(result)
            self._ended.append((finished, run))
            return finished

        return replace(run, finish=finish)

    def as_json(self) -> list[Any]:
        """The figures of each run."""
        spec = job_spec(JOB)
        return [
            run_json(result, run.journal, run.header, spec.metric(str(run.header.extra["primary"])))
            for result, run in self._ended
        ]


def run_json(result: FinishedRun, journal: Path, header: RunHeader, primary: Metric) -> Any:
    """The results of the summary with what the run was, where its files are, and its faults."""
    summary = read_summary(summary_path(journal))
    found, asked = faults(journal, header, primary)
    return {
        "name": header.name,
        "state": summary.state if summary else None,
        "rows": str(journal),
        "summary": str(summary_path(journal)),
        "system": header.system,
        "questions_path": header.questions_path,
        "questions_sha256": header.questions_sha256,
        "questions_version": header.extra.get("questions_version"),
        "primary": primary.name,
        "paid": summary.paid if summary else None,
        "elapsed_s": summary.elapsed_s if summary else None,
        "results": msgspec.to_builtins(result.recorded.summary_results()),
        "answers": asked,
        "not_right": [
            {
                "question_id": row.get("question_id"),
                "variant": row.get("config"),
                "reason": reason,
                "question": row.get("question"),
            }
            for row, reason in found
        ],
    }
