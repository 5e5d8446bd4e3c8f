"""What a run has recorded: its rows are read once and analysed once, when first needed.

The summary, the report and a job's own results are all made from one ``RecordedRun``.
"""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.results.job import JobSpec, job_spec, job_spec_of
from assay.runs.summary import read_summary
from assay.runs.write import summary_path

if TYPE_CHECKING:
    from assay.results.results import Results
    from assay.study.finding import RunFindings


class RecordedRun:
    """The rows in ``journal``, which the job ``job`` recorded.

    The file must not change any more: rows that are appended later are not seen.
    """

    def __init__(self, journal: Path, job: str) -> None:
        self.journal = journal
        self._job = job

    @cached_property
    def results(self) -> "Results":
        """The rows as columns, and the rows that the job itself needs."""
        # imported here because NumPy takes 0.2 s to import, and a refused run does not need it
        from assay.study.analysis import read_run  # noqa: PLC0415

        return read_run(self.journal, self._spec)

    @cached_property
    def findings(self) -> "RunFindings":
        """The analysis of the rows."""
        from assay.study.analysis import analyse_results  # noqa: PLC0415 - as above
        from assay.study.labelled import with_corrected  # noqa: PLC0415 - as above

        return with_corrected(analyse_results(self.results, self._spec))

    @property
    def _spec(self) -> JobSpec:
        summary = read_summary(summary_path(self.journal))
        return job_spec(self._job) if summary is None else job_spec_of(summary)

    def summary_results(self) -> dict[str, Any]:
        """The ``results`` of the summary: each variant's aggregates, and the effects."""
        from assay.study.analysis import summary_results  # noqa: PLC0415 - as above

        return summary_results(self.findings)
