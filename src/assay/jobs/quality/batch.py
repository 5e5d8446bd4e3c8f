"""One document or several, from the command line's words to one results file."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from assay.config import Document, ExperimentFile, RunSettings, Workspace
from assay.data.quality import BenchmarkConfig, load_benchmark
from assay.errors import UseError
from assay.jobs.quality.benchmark import Part, combine_parts, read_parts
from assay.jobs.quality.handler import QualityHandler
from assay.jobs.quality.results_file import (
    check_out,
    journal_path,
    results_content,
    set_results_aside,
    write_results,
)
from assay.jobs.quality.run import (
    Choice,
    Quality,
    QualityData,
    prepare_quality,
    read_quality_data,
    run_quality,
)
from assay.runner import Reporter, RunResult

RUNS: Final = Path("eval", "runs")


class Batch:
    """What one command measures: data sets by id (``""`` for a single document) and ``out``."""

    def __init__(
        self,
        workspace: Workspace,
        document: Document[ExperimentFile] | None,
        *,
        out: Path,
        single: QualityData | None = None,
        benchmark: Document[BenchmarkConfig] | None = None,
        parts: tuple[Part, ...] = (),
    ) -> None:
        self.out = out
        self._workspace = workspace
        self._document = document
        self._benchmark = benchmark
        self._parts = parts
        self._materials = {part.config.id: part.material for part in parts}
        if single is not None:
            self._materials[""] = single
        self._outcomes: dict[str, Any] = {}
        self._put_aside = False

    @property
    def datasets(self) -> tuple[str, ...]:
        """The ids of the data sets in order."""
        return tuple(self._materials)

    def journals(self) -> Iterator[Path]:
        """The journals, one a data set."""
        return (journal_path(self.out, name or None) for name in self._materials)

    def prepare(self, dataset: str, choice: Choice, *, use_cache: bool = True) -> Quality:
        """Make one data set ready; nothing is asked. Close its ``around`` at the end."""
        name = self.out.name.removesuffix(".json")
        return prepare_quality(
            f"{name}.{dataset}" if dataset else name,
            self._materials[dataset],
            journal_path(self.out, dataset or None),
            choice,
            self._workspace,
            self._document,
            use_cache=use_cache,
        )

    def run(
        self,
        dataset: str,
        ready: Quality,
        *,
        settings: RunSettings,
        reporter: Callable[[QualityHandler], Reporter],
        fresh: bool = False,
        keep_stale: bool = False,
    ) -> RunResult:
        """Run one data set and write the results file with what there is by then.

        Before the first case the file is marked as running, so that nobody takes the results
        of an earlier run for those of one that was killed.
        """
        if fresh and not self._put_aside:
            set_results_aside(self.out)
            self._put_aside = True
        result = run_quality(
            ready,
            settings=settings,
            reporter=reporter,
            began=lambda: write_results(self.out, {"summary": _running(ready), "results": []}),
            fresh=fresh,
            keep_stale=keep_stale,
        )
        self._outcomes[dataset] = results_content(ready, result.summary)
        write_results(self.out, self.content())
        return result

    def content(self) -> dict[str, Any]:
        """What the results file holds by now."""
        if self._benchmark is None:
            found: dict[str, Any] = self._outcomes[""]
            return found
        return combine_parts(self._benchmark, self._parts, self._outcomes)


def open_batch(
    workspace: Workspace,
    document: Document[ExperimentFile] | None,
    *,
    pdf: Path | None = None,
    questions: Path | None = None,
    config: Path | None = None,
    out: Path | None = None,
) -> Batch:
    """Read and check everything that is named; raises before anything is asked."""
    if config is not None:
        if pdf is not None or questions is not None:
            raise UseError("give --config, or --pdf with --questions, not both")
        benchmark = load_benchmark(config)
        out = out or workspace.root / RUNS / f"{benchmark.value.name}.json"
        check_out(out)
        parts = tuple(read_parts(benchmark, workspace))
        return Batch(workspace, document, out=out, benchmark=benchmark, parts=parts)
    if pdf is None or questions is None:
        missing = "--pdf" if pdf is None else "--questions"
        raise UseError(
            f"{missing} is missing; name a document and its questions (--pdf report.pdf "
            "--questions questions.jsonl), or several in a --config"
        )
    out = out or workspace.root / RUNS / f"{pdf.stem}.json"
    check_out(out)
    single = read_quality_data(pdf, questions, workspace)
    return Batch(workspace, document, out=out, single=single)


def _running(ready: Quality) -> dict[str, Any]:
    return {
        "name": ready.name,
        "state": "running",
        "weighted_score": None,
        "pdf_sha256": ready.material.source.sha256,
        "questions_sha256": ready.material.questions_sha256,
    }
