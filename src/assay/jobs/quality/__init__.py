"""The quality job: does each answer about a PDF contain what it must, and nothing it must not?"""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.jobs.quality.batch import prepare
    from assay.jobs.quality.outcome import total_lines, total_table
    from assay.jobs.quality.preparation import QualityOptions
    from assay.jobs.quality.results_file import check_out
    from assay.jobs.quality.spec import SPEC
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "QualityOptions": "preparation",
            "SPEC": "spec",
            "check_out": "results_file",
            "prepare": "batch",
            "total_lines": "outcome",
            "total_table": "outcome",
        },
    )

__all__ = ["SPEC", "QualityOptions", "check_out", "prepare", "total_lines", "total_table"]
