"""Run the quality job on one document or on several, and write one results file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from assay.config import ClusterOptions, Document, ExperimentFile, Workspace
from assay.data.quality import BenchmarkConfig, load_benchmark
from assay.errors import UseError
from assay.jobs.description import noted
from assay.jobs.prepared import FinishedRun, JobRuns, PreparedRun, RunOptions
from assay.jobs.quality.benchmark import Part, combine_parts, read_parts
from assay.jobs.quality.outcome import outcome_lines
from assay.jobs.quality.preparation import (
    QualityData,
    QualityOptions,
    QualityRun,
    prepare_quality,
    read_quality_data,
)
from assay.jobs.quality.results_file import (
    check_out,
    journal_path,
    results_content,
    set_results_aside,
    write_results,
)
from assay.jobs.setup import load_configuration
from assay.mask import mask_identifier
from assay.text import labelled
from assay.words import say

RUNS: Final = Path("eval", "runs")


def prepare(options: QualityOptions, run: RunOptions) -> JobRuns:
    """Read all files that the options name; no question is asked yet."""
    workspace = run.find_workspace()
    document = load_configuration(workspace)
    batch = open_batch(workspace, document, options)

    def prepared() -> Iterator[PreparedRun]:
        for dataset in batch.datasets:
            quality = batch.prepare(
                dataset,
                use_cache=not run.no_call_cache,
                concurrency=run.concurrency,
                cluster=run.cluster,
                is_part=run.shard is not None,
            )
            try:
                yield quality.run
            finally:
                quality.context.close()

    return JobRuns(
        settings=run.run_settings(document),
        prepared=prepared,
        outcome=lambda: outcome_lines(batch.content(), batch.out, batch.journals()),
        outcome_json=lambda: batch.content()["summary"],
    )


class Batch:
    """The data sets of one command and their common results file ``out``.

    A single document has the id ``""``.
    """

    def __init__(
        self,
        workspace: Workspace,
        document: Document[ExperimentFile] | None,
        options: QualityOptions,
        *,
        out: Path,
        single: QualityData | None = None,
        benchmark: Document[BenchmarkConfig] | None = None,
        parts: tuple[Part, ...] = (),
    ) -> None:
        self.out = out
        self._workspace = workspace
        self._document = document
        self._options = options
        self._benchmark = benchmark
        self._parts = parts
        self._data = {part.config.id: part.data for part in parts}
        if single is not None:
            self._data[""] = single
        self._contents: dict[str, Any] = {}
        self._is_set_aside = False

    @property
    def datasets(self) -> tuple[str, ...]:
        """The ids of the data sets in the order in which they run."""
        return tuple(self._data)

    def journals(self) -> Iterator[Path]:
        """The journals, one per data set."""
        return (journal_path(self.out, name or None) for name in self._data)

    def prepare(
        self,
        dataset: str,
        *,
        use_cache: bool = True,
        concurrency: int | None = None,
        cluster: ClusterOptions | None = None,
        is_part: bool = False,
    ) -> QualityRun:
        """Prepare one data set; no question is asked yet. The caller closes its ``context``.

        When its run begins, the results file is marked as running, unless it is only a part. If the run is killed, the
        file then does not show the results of an earlier run. When the run ends, the file is
        written with all results so far.
        """
        name = self.out.name.removesuffix(".json")
        quality = prepare_quality(
            f"{name}.{dataset}" if dataset else name,
            self._data[dataset],
            journal_path(self.out, dataset or None),
            self._options,
            self._workspace,
            self._document,
            use_cache=use_cache,
            concurrency=concurrency,
            cluster=cluster,
            began=(lambda: None)
            if is_part
            else lambda: write_results(
                self.out, {"summary": _running_summary(quality), "results": []}
            ),
        )

        def finish(result: FinishedRun) -> FinishedRun:
            rows = result.recorded.results.job_rows
            self._contents[dataset] = results_content(quality, result.summary, rows)
            write_results(self.out, self.content())
            return result

        title = (*self._notes(dataset), labelled(say("data set"), dataset)) if dataset else ()
        run = replace(
            quality.run,
            description=(*title, *quality.run.description),
            check=lambda fresh, _: self._set_aside() if fresh else None,
            finish=finish,
        )
        quality = replace(quality, run=run)
        return quality

    def _notes(self, dataset: str) -> tuple[str, ...]:
        """A line about ignored keys of the configuration, before the first data set."""
        benchmark = self._benchmark
        if benchmark is None or not benchmark.value.note or dataset != self.datasets[0]:
            return ()
        return (labelled(say("note"), f"{benchmark.path}: {noted(benchmark.value.note)}"),)

    def _set_aside(self) -> None:
        """Move the results file of an earlier run away, but only once for all data sets."""
        if not self._is_set_aside:
            set_results_aside(self.out)
            self._is_set_aside = True

    def content(self) -> dict[str, Any]:
        """The content of the results file, with the results so far."""
        if self._benchmark is None:
            content: dict[str, Any] = self._contents[""]
            return content
        return combine_parts(self._benchmark, self._parts, self._contents)


def open_batch(
    workspace: Workspace, document: Document[ExperimentFile] | None, options: QualityOptions
) -> Batch:
    """Read and check all files that the options name; errors are raised before any question."""
    pdf, questions, config, out = options.pdf, options.questions, options.config, options.out
    if config is not None:
        if pdf is not None or questions is not None:
            raise UseError("give --config, or --pdf with --questions, not both")
        benchmark = load_benchmark(config)
        out = out or workspace.root / RUNS / f"{benchmark.value.name}.json"
        check_out(out)
        parts = tuple(read_parts(benchmark, workspace))
        return Batch(workspace, document, options, out=out, benchmark=benchmark, parts=parts)
    if pdf is None or questions is None:
        missing = "--pdf" if pdf is None else "--questions"
        raise UseError(
            f"{missing} is missing; name a document and its questions (--pdf report.pdf "
            "--questions questions.jsonl), or several in a --config"
        )
    out = out or workspace.root / RUNS / f"{mask_identifier(pdf.stem)}.json"
    check_out(out)
    single = read_quality_data(pdf, questions, workspace)
    return Batch(workspace, document, options, out=out, single=single)


def _running_summary(quality: QualityRun) -> dict[str, Any]:
    return {
        "name": quality.name,
        "state": "running",
        "weighted_score": None,
        "pdf_sha256": quality.data.source.sha256,
        "questions_sha256": quality.data.questions_sha256,
    }
