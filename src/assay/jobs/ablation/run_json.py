"""What ``assay run --json`` prints: the figures of the run, and the questions that went wrong."""

from pathlib import Path
from typing import Any

import msgspec

from assay.jobs.ablation.failed_question import faults
from assay.jobs.prepared import FinishedRun
from assay.journal import read_summary, summary_path
from assay.records import Metric, RunHeader


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
