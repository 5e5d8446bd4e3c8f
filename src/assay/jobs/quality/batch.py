"""Run the quality job on one document or on several, and write one results file."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from assay.config.document import ConfigDocument, ExperimentFile
from assay.config.system import ClusterOptions
from assay.config.workspace import Workspace
from assay.errors import AssayError, DatasetError, UseError
from assay.jobs.prepared import FinishedRun, JobRuns, PreparedRun, RunOptions
from assay.jobs.quality.outcome import outcome_lines
from assay.jobs.quality.preparation import (
    QualityData,
    QualityOptions,
    QualityRun,
    prepare_quality,
    read_quality_data,
)
from assay.jobs.quality.question import BenchmarkConfig, DatasetConfig, load_benchmark
from assay.jobs.quality.results_file import (
    check_out,
    journal_path,
    over_runs,
    results_content,
    set_results_aside,
    write_results,
)
from assay.jobs.quality.score import weighted_score
from assay.mask import mask_identifier
from assay.report.description import noted
from assay.systems.load import load_configuration
from assay.text.width import labelled
from assay.words.say import say

# Several documents as one benchmark: a score for each, and a weighted score for all.


class BatchSet(Struct, frozen=True, kw_only=True):
    """One data set of a benchmark: its configuration and its data."""

    config: DatasetConfig
    data: QualityData


def read_parts(document: ConfigDocument[BenchmarkConfig], workspace: Workspace) -> list[BatchSet]:
    """Read every PDF and question file, and report the problems of all of them at once."""
    parts, problems = [], []
    for index, config in enumerate(document.value.datasets):
        try:
            pdf = _find_file(document, index, "pdf", config.pdf, workspace)
            questions = _find_file(document, index, "questions", config.questions, workspace)
            parts.append(BatchSet(config=config, data=read_quality_data(pdf, questions, workspace)))
        except AssayError as error:
            problems.append(str(error))
    if problems:
        raise DatasetError(*problems)
    return parts


def _find_file(
    document: ConfigDocument[BenchmarkConfig], index: int, key: str, path: str, workspace: Workspace
) -> Path:
    """Find a file relative to the workspace or, if it is not there, to the configuration."""
    where = document.where("datasets", index, key)
    beside = document.path.parent.resolve() / path
    if not (workspace.root / path).is_file() and beside.is_file():
        path = str(beside)
    resolved = workspace.resolve(path, where)
    if not resolved.is_file():
        raise DatasetError(f"{where}: {key}: there is no file {resolved}")
    return _short_path(resolved)


def _short_path(path: Path) -> Path:
    """The path relative to the working directory if it is below it, otherwise unchanged."""
    current = Path.cwd()
    return path.relative_to(current) if path.is_relative_to(current) else path


def combine_parts(
    document: ConfigDocument[BenchmarkConfig],
    parts: Sequence[BatchSet],
    outcomes: Mapping[str, Any],
) -> dict[str, Any]:
    """The ``summary`` of the benchmark, and the ``summary`` and ``results`` of each data set.

    ``weighted_score`` is the mean over the data sets by their weights,
    ``question_weighted_score`` the mean over all questions by theirs. A data set without a
    score is left out of both; the state is then ``partial``.
    """
    config = document.value
    weights = {part.config.id: part.config.weight for part in parts}
    summaries = {name: outcome["summary"] for name, outcome in outcomes.items()}
    scores = [
        (summary["weighted_score"], weights[name])
        for name, summary in summaries.items()
        if summary["weighted_score"] is not None
    ]
    question_scores = [
        (entry["metrics"]["score"], entry["weight"])
        for outcome in outcomes.values()
        for entry in outcome["results"]
        if entry["status"] == "scored"
    ]
    complete = len(outcomes) == len(parts) and all(
        summary["state"] == "complete" for summary in summaries.values()
    )
    return {
        "summary": {
            "name": config.name,
            "state": "complete" if complete else "partial",
            "weighted_score": weighted_score(scores),
            "question_weighted_score": weighted_score(question_scores),
            **_runs_field(summaries, weights),
            "counts": _counts(summaries.values()),
            "pdf_sha256": _joint_hash({p.config.id: p.data.source.sha256 for p in parts}),
            "questions_sha256": _joint_hash(
                {part.config.id: part.data.questions_sha256 for part in parts}
            ),
            "config": document.path.as_posix(),
            "datasets": {
                part.config.id: _dataset_summary(part, summaries.get(part.config.id))
                for part in parts
            },
        },
        "datasets": dict(outcomes),
    }


def _dataset_summary(part: BatchSet, summary: Mapping[str, Any] | None) -> dict[str, Any]:
    """A short summary of a data set; without a ``summary`` it was not run and has no score."""
    return {
        "kind": part.config.kind,
        "weight": part.config.weight,
        "state": summary["state"] if summary else "not run",
        "weighted_score": summary["weighted_score"] if summary else None,
        "questions": len(part.data.questions),
    }


def _runs_field(
    summaries: Mapping[str, Mapping[str, Any]], weights: Mapping[str, float]
) -> dict[str, Any]:
    """The field ``runs`` with mean and spread; nothing if no data set has repeated runs."""
    repeated = {
        name: summary["runs"]["weighted_scores"]
        for name, summary in summaries.items()
        if "runs" in summary
    }
    if not repeated:
        return {}
    count = max(map(len, repeated.values()))
    run_scores = [
        weighted_score(
            (scores[number], weights[name])
            for name, scores in repeated.items()
            if scores[number] is not None
        )
        for number in range(count)
    ]
    return {"runs": over_runs(run_scores)}


def _counts(summaries: Any) -> dict[str, int]:
    total: dict[str, int] = {}
    for summary in summaries:
        for name, count in summary["counts"].items():
            total[name] = total.get(name, 0) + count
    return total


def _joint_hash(hashes: Mapping[str, str]) -> str:
    """One hash of the hashes of all data sets; it does not depend on their order."""
    lines = "".join(f"{name} {value}\n" for name, value in sorted(hashes.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


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
                imports=not run.dry_run,
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
        document: ConfigDocument[ExperimentFile] | None,
        options: QualityOptions,
        *,
        out: Path,
        single: QualityData | None = None,
        benchmark: ConfigDocument[BenchmarkConfig] | None = None,
        parts: tuple[BatchSet, ...] = (),
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
        imports: bool = True,
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
            imports=imports,
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
            check=lambda resume: self._set_aside() if resume == "fresh" else None,
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
    workspace: Workspace, document: ConfigDocument[ExperimentFile] | None, options: QualityOptions
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
